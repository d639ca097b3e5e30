//! Breaks texts at random, and watches what reads them. Tests of other crates use it too.

use std::time::{Duration, Instant};

use serde_json::Value;

/// Longest time one input may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long each parser is tried.
fn budget() -> Duration {
    let seconds = std::env::var("LINKWORK_FUZZ_SECONDS").ok();
    let seconds = seconds.and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(2))
}

/// Breaks seeds at random until the time is up; `accepts` says whether an input was read.
pub(crate) fn fuzz(what: &str, seeds: &[String], mut accepts: impl FnMut(&str) -> bool) {
    let mut dice = Dice(0x9e3779b97f4a7c15);
    let (start, budget) = (Instant::now(), budget());
    let (mut tried, mut accepted) = (0_u64, 0_u64);
    while start.elapsed() < budget {
        let seed = &seeds[dice.roll(seeds.len())];
        let other = &seeds[dice.roll(seeds.len())];
        let input = match dice.roll(3) {
            0 => bytes(&mut dice, seed, other),
            _ if seed.starts_with('<') => tags(&mut dice, seed, other),
            _ => parts(&mut dice, seed, other),
        };
        let begun = Instant::now();
        accepted += u64::from(accepts(&input));
        let took = begun.elapsed();
        assert!(took < PATIENCE, "{what} took {took:?}: {input}");
        tried += 1;
    }
    eprintln!("{what}: {tried} inputs, {accepted} of them read");
    assert!(tried > 10 && accepted > 0, "{what}: {accepted} of {tried}");
    let most = peak_memory_mib();
    assert!(most.is_none_or(|mib| mib < 1024), "{what}: {most:?} MiB");
}

/// The most memory this process has had, where the system says.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// A small generator of numbers: what is random here is the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 33;
        (high as usize) % sides.max(1)
    }
}

/// Bytes flipped, cut, doubled, or taken from another input; always text.
fn bytes(dice: &mut Dice, seed: &str, other: &str) -> String {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len() + 1);
        let length = dice.roll(40).min(bytes.len() - at);
        match dice.roll(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.roll(8),
            1 => drop(bytes.drain(at..at + length)),
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..at + length].to_vec();
                let copies = piece.repeat(1 + dice.roll(20));
                bytes.splice(at..at, copies);
            }
            4 => {
                let from = dice.roll(other.len() + 1);
                let piece = &other.as_bytes()[from..(from + length).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            _ => {
                let brackets = b"[{\"".repeat(1 + dice.roll(400));
                bytes.splice(at..at, brackets);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tags moved, doubled, taken from another model; values of attributes made odd.
fn tags(dice: &mut Dice, seed: &str, other: &str) -> String {
    let mut pieces: Vec<String> = seed.split_inclusive('>').map(str::to_owned).collect();
    let others: Vec<&str> = other.split_inclusive('>').collect();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(pieces.len());
        match dice.roll(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, others[dice.roll(others.len())].to_owned()),
            2 => {
                let to = (at + dice.roll(6)).min(pieces.len());
                let again = pieces[at..to].concat().repeat(1 + dice.roll(30));
                pieces.insert(at, again);
            }
            _ => {
                let values: Vec<&str> = pieces[at].split('"').collect();
                if values.len() < 3 {
                    continue;
                }
                let which = 1 + 2 * dice.roll((values.len() - 1) / 2);
                let odd = odd(dice).to_string().replace(['"', '[', ']', ','], " ");
                let value = match dice.roll(3) {
                    0 => others[dice.roll(others.len())]
                        .split('"')
                        .nth(1)
                        .unwrap_or("")
                        .to_owned(),
                    _ => odd,
                };
                let values: Vec<&str> = values
                    .iter()
                    .enumerate()
                    .map(|(at, own)| if at == which { value.as_str() } else { own })
                    .collect();
                pieces[at] = values.join("\"");
            }
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

/// Parts of a document replaced by parts of another, by extreme numbers and by odd words.
fn parts(dice: &mut Dice, seed: &str, other: &str) -> String {
    let (Ok(mut value), Ok(other)) = (serde_json::from_str(seed), serde_json::from_str(other))
    else {
        return bytes(dice, seed, other);
    };
    for _ in 0..=dice.roll(3) {
        let piece = match dice.roll(4) {
            0 => pick(dice, &other),
            1 => pick(dice, &value),
            _ => odd(dice),
        };
        put(dice, &mut value, piece);
    }
    value.to_string()
}

fn odd(dice: &mut Dice) -> Value {
    let odd = [
        "0",
        "-0.0",
        "1",
        "-1",
        "2",
        "1e308",
        "-1e308",
        "1e-320",
        "5e-324",
        "1e16",
        "0.1",
        "255",
        "256",
        "4294967296",
        "18446744073709551615",
        "true",
        "null",
        "\"\"",
        "\"ground\"",
        "\"crank\"",
        "\"hinge\"",
        "\"rod\"",
        "\"\\u0000\\n\\\"\"",
        "[]",
        "{}",
        "[0, 0, 0]",
        "[1, 0]",
        "[1e200, 1e200, 1e200]",
        "[0, 0, 0, 0]",
        "[[0, 0, 0], [1, 0, 0]]",
        "\"#zzzzzz\"",
    ];
    serde_json::from_str(odd[dice.roll(odd.len())]).unwrap_or(Value::Null)
}

/// Some part of a value.
fn pick(dice: &mut Dice, value: &Value) -> Value {
    let inner = match value {
        Value::Array(list) if !list.is_empty() => list.get(dice.roll(list.len())),
        Value::Object(fields) if !fields.is_empty() => fields.values().nth(dice.roll(fields.len())),
        _ => None,
    };
    match inner {
        Some(inner) if dice.roll(4) > 0 => pick(dice, inner),
        _ => value.clone(),
    }
}

/// Puts a piece somewhere: in place of something, beside it, or takes something out.
fn put(dice: &mut Dice, value: &mut Value, piece: Value) {
    let deeper = dice.roll(5) > 0;
    match value {
        Value::Array(list) if !list.is_empty() => {
            let at = dice.roll(list.len());
            match dice.roll(8) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, piece),
                2 => {
                    let again = list[at].clone();
                    list.push(again);
                }
                _ if deeper => put(dice, &mut list[at], piece),
                _ => list[at] = piece,
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = dice.roll(fields.len());
            let name = fields.keys().nth(at).cloned().unwrap_or_default();
            match dice.roll(8) {
                0 => drop(fields.remove(&name)),
                1 => drop(fields.insert(format!("{name}s"), piece)),
                _ if deeper => {
                    if let Some(inner) = fields.get_mut(&name) {
                        put(dice, inner, piece);
                    }
                }
                _ => drop(fields.insert(name, piece)),
            }
        }
        other => *other = piece,
    }
}
