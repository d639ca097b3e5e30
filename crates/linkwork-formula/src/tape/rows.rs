//! Rows of derivatives: for each output one sweep backwards over the steps it depends on.
//!
//! ```text
//!     ȳ = 1;    ā += ȳ·∂y/∂a
//! ```

use super::Tape;
use super::registers::{Register, Slopes};

impl Tape {
    /// `∂y/∂x` of all outputs over their patterns, after the way forward.
    pub(super) fn rows(&self, registers: &mut [Register], slopes: &[Slopes], mut out: &mut [f64]) {
        assert_eq!(out.len(), self.n_entries(), "entries of rows");
        let (n_constants, base) = (self.constants.len(), self.base());
        let registers = &mut registers[..self.n_registers()];
        for (k, output) in self.outputs.iter().enumerate() {
            let cone = self.cones.get(k);
            let pattern = self.patterns.get(k);
            // Steps are cleared behind the sweep; constants may keep what they got.
            for input in pattern {
                registers[n_constants + usize::from(*input)][3] = 0.0;
            }
            registers[usize::from(*output)][3] = 1.0;
            for at in cone {
                let at = usize::from(*at);
                let weight = std::mem::take(&mut registers[at][3]);
                // What was not chosen counts for nothing, even if its slope is no number.
                if weight == 0.0 {
                    continue;
                }
                let (step, [a, b, c]) = (&self.steps[at - base], slopes[at - base]);
                registers[usize::from(step.a)][3] += weight * a;
                registers[usize::from(step.b)][3] += weight * b;
                registers[usize::from(step.c)][3] += weight * c;
            }
            let (row, rest) = out.split_at_mut(pattern.len());
            for (entry, input) in row.iter_mut().zip(pattern) {
                *entry = registers[n_constants + usize::from(*input)][3];
            }
            out = rest;
        }
    }
}
