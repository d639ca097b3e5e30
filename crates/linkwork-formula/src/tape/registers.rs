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

impl<'r> Registers<'r> {
    /// Cuts room into lists of n.
    fn new(room: &'r mut [f64], n: usize) -> Self {
        let (v, room) = room.split_at_mut(n);
        let (v1, room) = room.split_at_mut(n);
        let (v2, room) = room.split_at_mut(n);
        let (by_a, room) = room.split_at_mut(n);
        let by_b = &mut room[..n];
        Self {
            v,
            v1,
            v2,
            by_a,
            by_b,
        }
    }
}

/// Runs something with as many registers as it needs. What must be cleared takes time, about as long as a step for
/// every eight registers: many sizes.
pub(super) fn with_registers(n: usize, run: &mut dyn FnMut(Registers<'_>)) {
    // Each by itself: together they would need the stack of all.
    #[inline(never)]
    fn room<const N: usize>(run: &mut dyn FnMut(&mut [f64])) {
        run([[0.0; 5]; N].as_flattened_mut());
    }
    let run: &mut dyn FnMut(&mut [f64]) = &mut |room| run(Registers::new(room, n));
    match n {
        0..=16 => room::<16>(run),
        17..=32 => room::<32>(run),
        33..=48 => room::<48>(run),
        49..=64 => room::<64>(run),
        65..=96 => room::<96>(run),
        97..=128 => room::<128>(run),
        129..=192 => room::<192>(run),
        193..=256 => room::<256>(run),
        257..=512 => room::<512>(run),
        _ => room::<MAX_REGISTERS>(run),
    }
}
