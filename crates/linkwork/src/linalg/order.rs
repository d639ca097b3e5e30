//! Things in order. What the engine sorts, it sorts as keys of this one type: for every other the standard
//! library's sort is 5 kB more of the browser's module.

/// What is compared first, and what is compared, or found again, next.
pub(crate) type Key = (u64, u32);

/// Puts keys into ascending order.
pub(crate) fn sort(keys: &mut [Key]) {
    keys.sort_unstable();
}
