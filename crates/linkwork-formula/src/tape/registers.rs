//! Room for a run, on the stack.

use crate::limits::MAX_REGISTERS;

/// Value, first and second derivative along the motion, and the adjoint of a sweep.
pub(super) type Register = [f64; 4];

/// `∂y/∂a`, `∂y/∂b`, `∂y/∂c` of a step.
pub(super) type Slopes = [f64; 3];

/// Something that runs with registers.
pub(super) trait Run {
    /// Runs with at least as many registers and slopes as it needs.
    fn run(self, registers: &mut [Register], slopes: &mut [Slopes]);
}

/// Small formulas need not clear the room that large ones need: four sizes.
pub(super) fn with_registers(n_registers: usize, run: impl Run) {
    #[inline(never)]
    fn sized<const N: usize>(run: impl Run) {
        run.run(&mut [[0.0; 4]; N], &mut [[0.0; 3]; N]);
    }
    match n_registers {
        0..=32 => sized::<32>(run),
        33..=64 => sized::<64>(run),
        65..=256 => sized::<256>(run),
        _ => sized::<MAX_REGISTERS>(run),
    }
}
