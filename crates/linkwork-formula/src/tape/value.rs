//! Values.

use super::Tape;
use crate::limits::MAX_REGISTERS;
use crate::op::{Op, apply};

impl Tape {
    /// `y = f(x)`.
    pub fn value(&self, x: &[f64], y: &mut [f64]) {
        match self.n_registers() {
            0..=32 => self.value_in(x, y, &mut [0.0; 32]),
            33..=64 => self.value_in(x, y, &mut [0.0; 64]),
            65..=128 => self.value_in(x, y, &mut [0.0; 128]),
            129..=256 => self.value_in(x, y, &mut [0.0; 256]),
            _ => self.value_in(x, y, &mut [0.0; MAX_REGISTERS]),
        }
    }

    #[inline(never)]
    fn value_in(&self, x: &[f64], y: &mut [f64], v: &mut [f64]) {
        self.values(x, v);
        for (y, at) in y.iter_mut().zip(&self.outputs) {
            *y = v[usize::from(*at)];
        }
    }

    /// The values of all registers.
    pub(super) fn values(&self, x: &[f64], v: &mut [f64]) {
        assert_eq!(x.len(), self.n_inputs, "inputs");
        let (n_constants, base) = (self.constants.len(), self.base());
        v[..n_constants].copy_from_slice(&self.constants);
        v[n_constants..base].copy_from_slice(x);
        let v = &mut v[..self.n_registers()];
        for (k, step) in self.steps.iter().enumerate() {
            let at = base + k;
            let (a, b) = (v[usize::from(step.a)], v[usize::from(step.b)]);
            v[at] = match step.op {
                Op::Sin => {
                    let (sin, cos) = libm::sincos(a);
                    v[at + 1] = cos;
                    sin
                }
                // Its sine has written it.
                Op::Cos => continue,
                // The commonest without a second choice.
                Op::Add => a + b,
                Op::Subtract => a - b,
                Op::Multiply => a * b,
                Op::Field => {
                    let part = &self.fields[usize::from(step.field)];
                    part.derivative(self.time(v), a, b, [0, 0])
                }
                op => apply(op, a, b, v[usize::from(step.c)]),
            };
        }
    }
}
