//! Room for a run, on the stack.

use crate::limits::MAX_REGISTERS;

/// Numbers of all registers, one list for each: a number is read as it was written, by itself. (Side by side, three
/// numbers would be read at once, and the processor would wait until all three had reached its memory.)
pub(super) struct Registers<'r> {
    /// Value.
    pub(super) v: &'r mut [f64],
    /// First derivative along the motion.
    pub(super) v1: &'r mut [f64],
    /// Second.
    pub(super) v2: &'r mut [f64],
    /// `∂y/∂a` of the step that wrote it.
    pub(super) by_a: &'r mut [f64],
    /// `∂y/∂b`. The third slope of a norm follows from its value.
    pub(super) by_b: &'r mut [f64],
}

/// Runs something with as many registers as it needs. What must be cleared takes time, about as long as a step for
/// every eight registers: many sizes.
pub(super) fn with_registers(n: usize, run: &mut dyn FnMut(&mut Registers<'_>)) {
    // Each by itself: together they would need the stack of all.
    #[inline(never)]
    fn sized<const N: usize>(n: usize, run: &mut dyn FnMut(&mut Registers<'_>)) {
        let [v, v1, v2, by_a, by_b] = &mut [[0.0; N]; 5];
        run(&mut Registers {
            v: &mut v[..n],
            v1: &mut v1[..n],
            v2: &mut v2[..n],
            by_a: &mut by_a[..n],
            by_b: &mut by_b[..n],
        });
    }
    match n {
        0..=16 => sized::<16>(n, run),
        17..=32 => sized::<32>(n, run),
        33..=48 => sized::<48>(n, run),
        49..=64 => sized::<64>(n, run),
        65..=96 => sized::<96>(n, run),
        97..=128 => sized::<128>(n, run),
        129..=192 => sized::<192>(n, run),
        193..=256 => sized::<256>(n, run),
        257..=512 => sized::<512>(n, run),
        _ => sized::<MAX_REGISTERS>(n, run),
    }
}
