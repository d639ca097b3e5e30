//! Heap sort of indices. The standard library's sort would add 4 kB to the browser's module, and these lists
//! are sorted only once per edit.

/// Sorts indices in ascending order.
pub(crate) fn sort_indices(all: &mut [u32]) {
    if all.is_sorted() {
        return;
    }
    let n = all.len();
    // First builds the heap from the last parent on; then moves the greatest to the end, and restores the heap
    // of the rest.
    for round in (0..n + n / 2).rev() {
        let (mut at, end) = match round.checked_sub(n) {
            Some(parent) => (parent, n),
            None => {
                all.swap(0, round);
                (0, round)
            }
        };
        loop {
            let mut child = 2 * at + 1;
            if child + 1 < end && all[child] < all[child + 1] {
                child += 1;
            }
            if child >= end || all[at] >= all[child] {
                break;
            }
            all.swap(at, child);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut next = 1u32;
        for n in 0..200 {
            let mut random = || {
                next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (next >> 16) % 100
            };
            let mut all: Vec<u32> = (0..n).map(|_| random()).collect();
            let mut expected = all.clone();
            expected.sort_unstable();
            sort_indices(&mut all);
            assert_eq!(all, expected);
        }
    }
}
