//! Files and lines, where panics would say they were.

use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, Module};

/// A place in memory: address of the path's text, its length, line, column.
const WORDS: usize = 4;

/// Clears every place, and the paths. Zeros pack to nothing.
pub(super) fn clear(module: &mut Module) {
    let ids: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for id in ids {
        let data = module.data.get_mut(id);
        let DataKind::Active {
            offset: ConstExpr::Value(Value::I32(base)),
            ..
        } = data.kind
        else {
            continue;
        };
        let found = find(&data.value, base as usize);
        for at in &found {
            data.value[at.clone()].fill(0);
        }
    }
}

/// The bytes of places and of paths in a piece of memory that begins at `base`.
fn find(bytes: &[u8], base: usize) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let n_words = bytes.len() / 4;
    for first in 0..(n_words + 1).saturating_sub(WORDS) {
        let word = |k: usize| {
            let at = (first + k) * 4;
            let four = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            u32::from_le_bytes(four) as usize
        };
        let [address, length, line, column] = std::array::from_fn(word);
        // Addresses are larger than any line: two texts beside each other are no place.
        let is_position = (1..base.min(100_000)).contains(&line) && (1..1000).contains(&column);
        let Some(start) = address.checked_sub(base) else {
            continue;
        };
        let path = start..start.saturating_add(length);
        if is_position && bytes.get(path.clone()).is_some_and(is_path) {
            found.extend([first * 4..(first + WORDS) * 4, path]);
        }
    }
    found
}

fn is_path(text: &[u8]) -> bool {
    let is_printed = text.iter().all(|byte| (b' '..=b'~').contains(byte));
    is_printed && text.ends_with(b".rs") && text.contains(&b'/')
}
