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

use super::registers::{Register, Run, Slopes, with_registers};
use super::{FieldPart, Step, Tape};
use crate::op::{Op, apply, gate, ratio, sign};

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
    pub fn jet(&self, motion: Motion<'_>, out: JetMut<'_>) {
        let (tape, n) = (self, self.n_registers());
        with_registers(n, Jet { tape, motion, out });
    }

    pub(super) fn forward(
        &self,
        motion: Motion<'_>,
        registers: &mut [Register],
        slopes: &mut [Slopes],
    ) {
        assert_eq!(motion.x.len(), self.n_inputs, "inputs");
        let (n_constants, base) = (self.constants.len(), self.base());
        for (register, constant) in registers.iter_mut().zip(&self.constants) {
            *register = [*constant, 0.0, 0.0, 0.0];
        }
        for (k, register) in registers[n_constants..base].iter_mut().enumerate() {
            let part = |part: &[f64]| part.get(k).copied().unwrap_or(0.0);
            *register = [motion.x[k], part(motion.x1), part(motion.x2), 0.0];
        }
        let registers = &mut registers[..self.n_registers()];
        for (k, (step, slopes)) in self.steps.iter().zip(slopes).enumerate() {
            let at = base + k;
            let a = registers[usize::from(step.a)];
            let b = registers[usize::from(step.b)];
            let y = match step.op {
                // Its sine has written it.
                Op::Cos => {
                    *slopes = [-registers[at - 1][0], 0.0, 0.0];
                    continue;
                }
                Op::Sin => {
                    let (sin, cos) = libm::sincos(a[0]);
                    *slopes = [cos, 0.0, 0.0];
                    registers[at + 1] = chain(a, cos, -sin, -cos);
                    chain(a, sin, cos, -sin)
                }
                Op::Norm | Op::Choose => {
                    let c = registers[usize::from(step.c)];
                    three(step.op, [a, b, c], slopes)
                }
                Op::Field => field(&self.fields[usize::from(step.field)], a, b, slopes),
                op if op < Op::Add => {
                    let [y, d, dd] = one(op, a[0]);
                    *slopes = [d, 0.0, 0.0];
                    chain(a, y, d, dd)
                }
                _ => two(step, a, b, slopes),
            };
            registers[at] = y;
        }
    }
}

struct Jet<'t, 'm> {
    tape: &'t Tape,
    motion: Motion<'m>,
    out: JetMut<'m>,
}

impl Run for Jet<'_, '_> {
    fn run(self, registers: &mut [Register], slopes: &mut [Slopes]) {
        let Self { tape, motion, out } = self;
        tape.forward(motion, registers, slopes);
        for (k, part) in [out.y, out.y1, out.y2].into_iter().enumerate() {
            for (y, at) in part.iter_mut().zip(&tape.outputs) {
                *y = registers[usize::from(*at)][k];
            }
        }
        if !out.rows.is_empty() {
            tape.rows(registers, slopes, out.rows);
        }
    }
}

/// y = f(a) with f′ and f″.
#[inline(always)]
fn chain(a: Register, y: f64, d: f64, dd: f64) -> Register {
    [y, d * a[1], d * a[2] + dd * a[1] * a[1], 0.0]
}

/// Value, f′ and f″ of an operation with one operand.
#[inline(always)]
fn one(op: Op, a: f64) -> [f64; 3] {
    let y = apply(op, a, 0.0, 0.0);
    match op {
        Op::Negate => [y, -1.0, 0.0],
        Op::Square => [y, 2.0 * a, 2.0],
        Op::Sqrt => {
            let d = ratio(0.5, y);
            [y, d, -ratio(0.5 * d, a)]
        }
        Op::Exp => [y, y, y],
        Op::Log => [y, 1.0 / a, -1.0 / (a * a)],
        Op::Asin | Op::Acos => {
            // 1 − a², without the loss of digits near 1
            let square = (1.0 - a) * (1.0 + a);
            let d = ratio(1.0, square.sqrt());
            let d = if op == Op::Asin { d } else { -d };
            [y, d, ratio(a * d, square)]
        }
        Op::Atan => {
            let d = 1.0 / (1.0 + a * a);
            [y, d, -2.0 * a * d * d]
        }
        Op::Sinh => [y, libm::cosh(a), y],
        Op::Cosh => [y, libm::sinh(a), y],
        Op::Tanh => {
            let d = 1.0 - y * y;
            [y, d, -2.0 * y * d]
        }
        Op::Abs => [y, sign(a), 0.0],
        // Sign and floor are flat.
        _ => [y, 0.0, 0.0],
    }
}

#[inline(always)]
fn two(step: &Step, a: Register, b: Register, slopes: &mut Slopes) -> Register {
    match step.op {
        Op::Add => {
            *slopes = [1.0, 1.0, 0.0];
            [a[0] + b[0], a[1] + b[1], a[2] + b[2], 0.0]
        }
        Op::Subtract => {
            *slopes = [1.0, -1.0, 0.0];
            [a[0] - b[0], a[1] - b[1], a[2] - b[2], 0.0]
        }
        Op::Multiply => {
            *slopes = [b[0], a[0], 0.0];
            let y2 = a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2];
            [a[0] * b[0], a[1] * b[0] + a[0] * b[1], y2, 0.0]
        }
        Op::Divide => quotient(a, b, a[0] / b[0], 1.0 / b[0], slopes),
        Op::Ratio => quotient(a, b, ratio(a[0], b[0]), ratio(1.0, b[0]), slopes),
        Op::Gate => {
            let slope = if b[0].is_finite() { b[0] } else { 0.0 };
            *slopes = [slope, a[0], 0.0];
            let y1 = gate(a[1], b[0]) + gate(a[0], b[1]);
            let y2 = gate(a[2], b[0]) + 2.0 * gate(a[1], b[1]) + gate(a[0], b[2]);
            [gate(a[0], b[0]), y1, y2, 0.0]
        }
        Op::Power => power(a, b, slopes),
        Op::Atan2 => {
            let y = libm::atan2(a[0], b[0]);
            let inverse = ratio(1.0, a[0] * a[0] + b[0] * b[0]);
            let (p, q) = (b[0] * inverse, -a[0] * inverse);
            *slopes = [p, q, 0.0];
            let (y1, along) = (p * a[1] + q * b[1], a[0] * a[1] + b[0] * b[1]);
            let y2 = p * a[2] + q * b[2] - 2.0 * y1 * along * inverse;
            [y, y1, y2, 0.0]
        }
        Op::Min | Op::Max => {
            let is_second = match step.op {
                Op::Min => b[0] < a[0],
                _ => b[0] > a[0],
            };
            side(!is_second, a, b, slopes)
        }
        op => {
            *slopes = [0.0; 3];
            [apply(op, a[0], b[0], 0.0), 0.0, 0.0, 0.0]
        }
    }
}

#[inline(always)]
fn side(is_first: bool, a: Register, b: Register, slopes: &mut Slopes) -> Register {
    *slopes = if is_first {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let taken = if is_first { a } else { b };
    [taken[0], taken[1], taken[2], 0.0]
}

#[inline(always)]
fn quotient(a: Register, b: Register, y: f64, inverse: f64, slopes: &mut Slopes) -> Register {
    *slopes = [inverse, -y * inverse, 0.0];
    let y1 = (a[1] - y * b[1]) * inverse;
    let y2 = (a[2] - 2.0 * y1 * b[1] - y * b[2]) * inverse;
    [y, y1, y2, 0.0]
}

/// y = aᵇ with w = log y = b·log a: y₁ = y·w₁, y₂ = y·(w₂ + w₁²).
fn power(a: Register, b: Register, slopes: &mut Slopes) -> Register {
    let y = libm::pow(a[0], b[0]);
    let log = if a[0] > 0.0 { libm::log(a[0]) } else { 0.0 };
    let inverse = ratio(1.0, a[0]);
    *slopes = [y * b[0] * inverse, y * log, 0.0];
    let rate = a[1] * inverse;
    let w1 = b[1] * log + b[0] * rate;
    let w2 = b[2] * log + 2.0 * b[1] * rate + b[0] * (a[2] * inverse - rate * rate);
    [y, y * w1, y * (w2 + w1 * w1), 0.0]
}

/// Norms and choices.
#[inline(always)]
fn three(op: Op, [a, b, c]: [Register; 3], slopes: &mut Slopes) -> Register {
    if op == Op::Choose {
        return side(c[0] != 0.0, a, b, slopes);
    }
    let y = apply(op, a[0], b[0], c[0]);
    let inverse = ratio(1.0, y);
    let n = [a[0] * inverse, b[0] * inverse, c[0] * inverse];
    *slopes = n;
    let dot = |k: usize| n[0] * a[k] + n[1] * b[k] + n[2] * c[k];
    let y1 = dot(1);
    // What moves across the direction lengthens the norm: (‖x₁‖² − y₁²)/y
    let across = [a[1] - y1 * n[0], b[1] - y1 * n[1], c[1] - y1 * n[2]];
    let turn = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
    [y, y1, dot(2) + turn * inverse, 0.0]
}

fn field(part: &FieldPart, a: Register, b: Register, slopes: &mut Slopes) -> Register {
    let [nx, ny] = part.orders;
    let d = |i: u32, j: u32| match nx + i <= 3 && ny + j <= 3 {
        true => part.field.derivative(a[0], b[0], nx + i, ny + j),
        false => 0.0,
    };
    let (y, p, q) = (d(0, 0), d(1, 0), d(0, 1));
    *slopes = [p, q, 0.0];
    let bend = match a[1] == 0.0 && b[1] == 0.0 {
        true => 0.0,
        false => d(2, 0) * a[1] * a[1] + 2.0 * d(1, 1) * a[1] * b[1] + d(0, 2) * b[1] * b[1],
    };
    [y, p * a[1] + q * b[1], p * a[2] + q * b[2] + bend, 0.0]
}
