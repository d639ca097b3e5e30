//! Values with their first two derivatives along a motion, and the slopes of each step.
//!
//! ```text
//!     y₁ = f_a·a₁ + f_b·b₁
//!     y₂ = f_a·a₂ + f_b·b₂ + f_aa·a₁² + 2·f_ab·a₁·b₁ + f_bb·b₁²
//! ```
//!
//! With x₁ = ẋ and x₂ = 0 this is y₁ = J·ẋ and y₂ = J̇·ẋ, the part of ÿ that needs no acceleration; with x₂ = ℓ of
//! connectors it is γ of a constraint. For the time, t = (t, 1, 0).
//!
//! Guards: a slope that would be infinite is zero (√0, ‖0‖, atan2(0, 0), asin ±1, 0ᵇ), so that what rests there
//! rests; min, max, abs and if have the slope of the side they take.

use super::registers::{Registers, with_registers};
use super::{FieldPart, Tape};
use crate::op::{Op, apply, gate, is_second, ratio, sign};

/// Inputs along a motion. Derivatives that are left out (empty) are zero.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'m> {
    /// `x`.
    pub x: &'m [f64],
    /// `ẋ`, or nothing.
    pub x1: &'m [f64],
    /// The part of `ẍ` that is known, or nothing.
    pub x2: &'m [f64],
}

impl<'m> Motion<'m> {
    /// Nothing moves.
    pub fn rest(x: &'m [f64]) -> Self {
        Self {
            x,
            x1: &[],
            x2: &[],
        }
    }
}

/// Where results go. What is empty is left out.
#[derive(Debug, Default)]
pub struct JetMut<'m> {
    /// `y` of each output.
    pub y: &'m mut [f64],
    /// `ẏ`.
    pub y1: &'m mut [f64],
    /// `ÿ` as far as it is known.
    pub y2: &'m mut [f64],
    /// `∂y/∂x` over the pattern of each output, rows one after the other.
    pub rows: &'m mut [f64],
}

impl Tape {
    /// Values, derivatives along the motion, and rows of all outputs.
    pub fn jet(&self, motion: Motion<'_>, mut out: JetMut<'_>) {
        with_registers(self.n_registers(), &mut |mut registers| {
            self.forward(&motion, &mut registers);
            let Registers { v, v1, v2, .. } = &registers;
            for (k, at) in self.outputs.iter().enumerate() {
                let at = usize::from(*at);
                for (part, from) in [(&mut out.y, v), (&mut out.y1, v1), (&mut out.y2, v2)] {
                    if let Some(y) = part.get_mut(k) {
                        *y = from[at];
                    }
                }
            }
            if !out.rows.is_empty() {
                self.rows(&mut registers, out.rows);
            }
        });
    }

    fn forward(&self, motion: &Motion<'_>, registers: &mut Registers<'_>) {
        // Lists of one length: one check of an index serves all.
        let n = self.n_registers();
        let (v, v1, v2) = (
            &mut registers.v[..n],
            &mut registers.v1[..n],
            &mut registers.v2[..n],
        );
        let (by_a, by_b) = (&mut registers.by_a[..n], &mut registers.by_b[..n]);
        let (n_constants, base) = (self.constants.len(), self.base());
        assert_eq!(motion.x.len(), self.n_inputs, "inputs");
        for (own, constant) in v.iter_mut().zip(&self.constants) {
            *own = *constant;
        }
        for (list, from) in [(&mut *v, motion.x), (v1, motion.x1), (v2, motion.x2)] {
            for (own, x) in list[n_constants..base].iter_mut().zip(from) {
                *own = *x;
            }
        }
        for (k, step) in self.steps.iter().enumerate() {
            let at = base + k;
            let of = |at: u16| {
                let at = usize::from(at);
                [v[at], v1[at], v2[at]]
            };
            let (a, b) = (of(step.a), of(step.b));
            let (y, slopes) = match step.op {
                // Its sine has written it.
                Op::Cos => continue,
                Op::Sin => {
                    let (sin, cos) = libm::sincos(a[0]);
                    let (y, slopes) = one(a, cos, -sin, -cos);
                    [v[at + 1], v1[at + 1], v2[at + 1]] = y;
                    by_a[at + 1] = slopes[0];
                    one(a, sin, cos, -sin)
                }
                Op::Norm => norm(a, b, of(step.c)),
                Op::Choose => side(v[usize::from(step.c)] != 0.0, a, b),
                Op::Field => field(&self.fields[usize::from(step.field)], self.time(v), a, b),
                op => local(op, a, b),
            };
            [v[at], v1[at], v2[at]] = y;
            [by_a[at], by_b[at]] = slopes;
        }
    }
}

/// Value, first and second derivative along the motion.
type Triple = [f64; 3];

/// What a step writes: its values, and its slopes by a and b.
type Written = (Triple, [f64; 2]);

/// y = f(a) with f′ and f″.
#[inline(always)]
fn one(a: Triple, y: f64, d: f64, dd: f64) -> Written {
    let y2 = d * a[2] + dd * a[1] * a[1];
    ([y, d * a[1], y2], [d, 0.0])
}

/// Operations on one or two numbers.
#[inline(always)]
fn local(op: Op, a: Triple, b: Triple) -> Written {
    let x = a[0];
    match op {
        Op::Add => {
            let y = [x + b[0], a[1] + b[1], a[2] + b[2]];
            (y, [1.0, 1.0])
        }
        Op::Subtract => {
            let y = [x - b[0], a[1] - b[1], a[2] - b[2]];
            (y, [1.0, -1.0])
        }
        Op::Multiply => {
            let y2 = a[2] * b[0] + 2.0 * a[1] * b[1] + x * b[2];
            ([x * b[0], a[1] * b[0] + x * b[1], y2], [b[0], x])
        }
        Op::Divide => quotient(a, b, x / b[0], 1.0 / b[0]),
        Op::Negate => ([-x, -a[1], -a[2]], [-1.0, 0.0]),
        Op::Square => one(a, x * x, 2.0 * x, 2.0),
        Op::Sqrt => {
            let y = x.sqrt();
            let d = ratio(0.5, y);
            one(a, y, d, -ratio(0.5 * d, x))
        }
        Op::Exp => {
            let y = libm::exp(x);
            one(a, y, y, y)
        }
        Op::Log => one(a, libm::log(x), 1.0 / x, -1.0 / (x * x)),
        Op::Asin | Op::Acos => {
            // 1 − x², without the loss of digits near 1
            let square = (1.0 - x) * (1.0 + x);
            let d = ratio(1.0, square.sqrt());
            let d = if op == Op::Asin { d } else { -d };
            one(a, apply(op, x, 0.0, 0.0), d, ratio(x * d, square))
        }
        Op::Atan => {
            let d = 1.0 / (1.0 + x * x);
            one(a, libm::atan(x), d, -2.0 * x * d * d)
        }
        Op::Tanh => {
            let y = libm::tanh(x);
            let d = 1.0 - y * y;
            one(a, y, d, -2.0 * y * d)
        }
        Op::Abs => one(a, x.abs(), sign(x), 0.0),
        Op::Ratio => quotient(a, b, ratio(x, b[0]), ratio(1.0, b[0])),
        Op::Gate => {
            let y1 = gate(a[1], b[0]) + gate(x, b[1]);
            let y2 = gate(a[2], b[0]) + 2.0 * gate(a[1], b[1]) + gate(x, b[2]);
            let slope = if b[0].is_finite() { b[0] } else { 0.0 };
            ([gate(x, b[0]), y1, y2], [slope, x])
        }
        Op::Power => power(a, b),
        Op::Atan2 => {
            let inverse = ratio(1.0, x * x + b[0] * b[0]);
            let (p, q) = (b[0] * inverse, -x * inverse);
            let (y1, along) = (p * a[1] + q * b[1], x * a[1] + b[0] * b[1]);
            let y2 = p * a[2] + q * b[2] - 2.0 * y1 * along * inverse;
            ([libm::atan2(x, b[0]), y1, y2], [p, q])
        }
        Op::Min | Op::Max => side(!is_second(op, x, b[0]), a, b),
        // Signs, whole numbers and comparisons are flat.
        op => ([apply(op, x, b[0], 0.0), 0.0, 0.0], [0.0; 2]),
    }
}

#[inline(always)]
fn side(is_first: bool, a: Triple, b: Triple) -> Written {
    match is_first {
        true => (a, [1.0, 0.0]),
        false => (b, [0.0, 1.0]),
    }
}

#[inline(always)]
fn quotient(a: Triple, b: Triple, y: f64, inverse: f64) -> Written {
    let y1 = (a[1] - y * b[1]) * inverse;
    let y2 = (a[2] - 2.0 * y1 * b[1] - y * b[2]) * inverse;
    ([y, y1, y2], [inverse, -y * inverse])
}

/// y = aᵇ with w = log y = b·log a: y₁ = y·w₁, y₂ = y·(w₂ + w₁²).
fn power(a: Triple, b: Triple) -> Written {
    let y = libm::pow(a[0], b[0]);
    let log = if a[0] > 0.0 { libm::log(a[0]) } else { 0.0 };
    let inverse = ratio(1.0, a[0]);
    let rate = a[1] * inverse;
    let w1 = b[1] * log + b[0] * rate;
    let w2 = b[2] * log + 2.0 * b[1] * rate + b[0] * (a[2] * inverse - rate * rate);
    let slopes = [y * b[0] * inverse, y * log];
    ([y, y * w1, y * (w2 + w1 * w1)], slopes)
}

#[inline(always)]
fn norm(a: Triple, b: Triple, c: Triple) -> Written {
    let y = apply(Op::Norm, a[0], b[0], c[0]);
    let inverse = ratio(1.0, y);
    let n = [a[0] * inverse, b[0] * inverse, c[0] * inverse];
    let dot = |k: usize| n[0] * a[k] + n[1] * b[k] + n[2] * c[k];
    let y1 = dot(1);
    // What moves across the direction lengthens the norm: (‖x₁‖² − y₁²)/y
    let across = [a[1] - y1 * n[0], b[1] - y1 * n[1], c[1] - y1 * n[2]];
    let turn = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
    ([y, y1, dot(2) + turn * inverse], [n[0], n[1]])
}

fn field(part: &FieldPart, t: f64, a: Triple, b: Triple) -> Written {
    let [nx, ny] = part.orders;
    let d = |i: u32, j: u32| match nx + i <= 3 && ny + j <= 3 {
        true => part.derivative(t, a[0], b[0], [i, j]),
        false => 0.0,
    };
    let (y, p, q) = (d(0, 0), d(1, 0), d(0, 1));
    let bend = match a[1] == 0.0 && b[1] == 0.0 {
        true => 0.0,
        false => d(2, 0) * a[1] * a[1] + 2.0 * d(1, 1) * a[1] * b[1] + d(0, 2) * b[1] * b[1],
    };
    let y2 = p * a[2] + q * b[2] + bend;
    ([y, p * a[1] + q * b[1], y2], [p, q])
}
