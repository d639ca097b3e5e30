//! Rows of derivatives: for each output one sweep backwards over the steps it depends on.
//!
//! ```text
//!     ȳ = 1;    ā += ȳ·∂y/∂a
//! ```
//!
//! Each step waits for the one before it. So what a register gets first is written, not added to zero: that is
//! known when the tape is made. Sums have no slopes to multiply by.

use super::Tape;
use super::registers::Registers;
use crate::limits::MAX_REGISTERS;
use crate::op::{Op, ratio};

/// A visit of a step in a sweep: its register, and for which of its operands it is the first. The upper bits of one
/// number.
const FIRST: [u16; 3] = [1 << 13, 1 << 14, 1 << 15];
const REGISTER: u16 = FIRST[0] - 1;
const _: () = assert!(MAX_REGISTERS - 1 <= REGISTER as usize);

impl Tape {
    /// What each output depends on: inputs, ascending, and visits of steps, descending.
    pub(super) fn reach(&mut self) {
        let (n_constants, base) = (self.constants.len(), self.base());
        let mut is_reached = vec![false; self.n_registers()];
        for k in 0..self.outputs.len() {
            let output = usize::from(self.outputs[k]);
            is_reached.fill(false);
            is_reached[output] = true;
            for at in (base..=output).rev() {
                if !is_reached[at] {
                    continue;
                }
                let step = self.steps[at - base];
                // What chooses has no slope.
                let n_operands = match step.op {
                    Op::Choose => 2,
                    op => op.n_operands(),
                };
                let mut visit = at as u16;
                let operands = [step.a, step.b, step.c].into_iter().take(n_operands);
                for (operand, first) in operands.zip(FIRST) {
                    let is_old = std::mem::replace(&mut is_reached[usize::from(operand)], true);
                    visit |= if is_old { 0 } else { first };
                }
                self.cones.items.push(visit);
            }
            self.cones.end();
            let inputs = (0..self.n_inputs).filter(|k| is_reached[n_constants + k]);
            self.patterns.items.extend(inputs.map(|k| k as u16));
            self.patterns.end();
        }
    }

    /// `∂y/∂x` of all outputs over their patterns, after the way forward.
    pub(super) fn rows(&self, registers: &mut Registers<'_>, mut out: &mut [f64]) {
        assert_eq!(out.len(), self.n_entries(), "entries of rows");
        let (n_constants, base, n) = (self.constants.len(), self.base(), self.n_registers());
        // Second derivatives were handed out: their place is free for adjoints.
        let (v, bar) = (&registers.v[..n], &mut registers.v2[..n]);
        let (by_a, by_b) = (&registers.by_a[..n], &registers.by_b[..n]);
        for (k, output) in self.outputs.iter().enumerate() {
            bar[usize::from(*output)] = 1.0;
            for visit in self.cones.get(k) {
                let at = usize::from(visit & REGISTER);
                let step = &self.steps[at - base];
                let weight = bar[at];
                // What was not chosen counts for nothing, even if its slope is no number.
                let [a, b] = match step.op {
                    _ if weight == 0.0 => [0.0; 2],
                    Op::Add => [weight, weight],
                    Op::Subtract => [weight, -weight],
                    _ => [weight * by_a[at], weight * by_b[at]],
                };
                let mut give = |operand: u16, first: u16, part: f64| {
                    let to = &mut bar[usize::from(operand)];
                    *to = if visit & first != 0 { part } else { *to + part };
                };
                give(step.a, FIRST[0], a);
                if step.op >= Op::Add {
                    give(step.b, FIRST[1], b);
                }
                if step.op == Op::Norm {
                    let slope = ratio(v[usize::from(step.c)], v[at]);
                    give(step.c, FIRST[2], weight * slope);
                }
            }
            let pattern = self.patterns.get(k);
            let (row, rest) = out.split_at_mut(pattern.len());
            for (entry, input) in row.iter_mut().zip(pattern) {
                *entry = bar[n_constants + usize::from(*input)];
            }
            out = rest;
        }
    }
}
