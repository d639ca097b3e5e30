//! Operations on nodes, simplified: constants are folded, x·0 = 0, x + 0 = x, xⁿ by squares.
//!
//! Constants whose value is not finite are not folded: the step is left to tell where it stands.

use super::{At, Graph, ZERO};
use crate::op::{Op, apply};

/// Whole powers up to this are products.
const MAX_POWER: f64 = 64.0;

impl Graph {
    /// An operation on one number.
    pub fn unary(&mut self, op: Op, a: At) -> At {
        if let Some(x) = self.value(a) {
            let y = apply(op, x, 0.0, 0.0);
            return match y.is_finite() {
                true => self.constant(y),
                false => self.refuse(op, [a, 0, 0]),
            };
        }
        let inner = self.entry(a);
        match (op, inner.op) {
            (Op::Negate, Op::Negate) => inner.a,
            (Op::Negate, Op::Subtract) => self.binary(Op::Subtract, inner.b, inner.a),
            (Op::Square | Op::Abs, Op::Negate) => self.unary(op, inner.a),
            // Found or made, the sine has its cosine behind it; if there is no room, both are zero.
            (Op::Cos, _) => match self.cons(Op::Sin, a, 0, 0) {
                ZERO => ZERO,
                sine => sine + 1,
            },
            _ => self.cons(op, a, 0, 0),
        }
    }

    /// An operation on two numbers.
    pub fn binary(&mut self, op: Op, a: At, b: At) -> At {
        let (x, y) = (self.value(a), self.value(b));
        if let (Some(x), Some(y)) = (x, y) {
            let z = apply(op, x, y, 0.0);
            return match z.is_finite() {
                true => self.constant(z),
                false => self.refuse(op, [a, b, 0]),
            };
        }
        let negated = |at: At| {
            let entry = self.entry(at);
            (entry.op == Op::Negate).then_some(entry.a)
        };
        match (op, x, y) {
            (Op::Add, Some(0.0), _) | (Op::Multiply | Op::Gate, Some(1.0), _) => b,
            (Op::Add | Op::Subtract, _, Some(0.0)) => a,
            (Op::Multiply | Op::Gate | Op::Divide | Op::Ratio | Op::Power, _, Some(1.0)) => a,
            (Op::Multiply | Op::Gate | Op::Divide | Op::Ratio, Some(0.0), _) => ZERO,
            (Op::Multiply | Op::Gate, _, Some(0.0)) => ZERO,
            (Op::Multiply | Op::Gate, _, Some(-1.0)) => self.unary(Op::Negate, a),
            (Op::Multiply | Op::Gate, Some(-1.0), _) => self.unary(Op::Negate, b),
            (Op::Divide, _, Some(0.0)) => self.refuse(op, [a, b, 0]),
            (Op::Subtract, Some(0.0), _) => self.unary(Op::Negate, b),
            (Op::Power, _, Some(0.5)) => self.unary(Op::Sqrt, a),
            (Op::Power, _, Some(n)) if n == n.floor() && n.abs() <= MAX_POWER => {
                self.power(a, n as i32)
            }
            (Op::Subtract, ..) if a == b => ZERO,
            (Op::Multiply, ..) if a == b => self.unary(Op::Square, a),
            (Op::Min | Op::Max, ..) if a == b => a,
            // (−a)·b = −(a·b), to the bit: signs move outwards, where sums take them.
            (Op::Multiply | Op::Divide, ..) if negated(a).is_some() => {
                let product = self.binary(op, negated(a).unwrap_or(a), b);
                self.unary(Op::Negate, product)
            }
            (Op::Multiply | Op::Divide, ..) if negated(b).is_some() => {
                let product = self.binary(op, a, negated(b).unwrap_or(b));
                self.unary(Op::Negate, product)
            }
            (Op::Add, ..) if negated(b).is_some() => {
                self.binary(Op::Subtract, a, negated(b).unwrap_or(b))
            }
            (Op::Add, ..) if negated(a).is_some() => {
                self.binary(Op::Subtract, b, negated(a).unwrap_or(a))
            }
            (Op::Subtract, ..) if negated(b).is_some() => {
                self.binary(Op::Add, a, negated(b).unwrap_or(b))
            }
            _ if op.commutes() && a > b => self.cons(op, b, a, 0),
            _ => self.cons(op, a, b, 0),
        }
    }

    /// `then` where `when` is not 0.
    pub fn choose(&mut self, when: At, then: At, or: At) -> At {
        match self.value(when) {
            Some(0.0) => or,
            Some(_) => then,
            None if then == or => then,
            None => self.cons(Op::Choose, then, or, when),
        }
    }

    /// √(a² + b² + c²).
    pub fn norm(&mut self, [a, b, c]: [At; 3]) -> At {
        if let (Some(x), Some(y), Some(z)) = (self.value(a), self.value(b), self.value(c)) {
            let norm = apply(Op::Norm, x, y, z);
            return match norm.is_finite() {
                true => self.constant(norm),
                false => self.refuse(Op::Norm, [a, b, c]),
            };
        }
        self.cons(Op::Norm, a, b, c)
    }

    /// A field of the world at (a, b): its derivative nx times by x and ny times by y.
    pub(crate) fn field(&mut self, code: At, a: At, b: At) -> At {
        self.cons(Op::Field, a, b, code)
    }

    /// The same operation on other operands.
    pub(super) fn again(&mut self, op: Op, [a, b, c]: [At; 3]) -> At {
        match op {
            Op::Norm => self.norm([a, b, c]),
            Op::Choose => self.choose(c, a, b),
            Op::Field => self.field(c, a, b),
            _ if op.n_operands() == 1 => self.unary(op, a),
            _ => self.binary(op, a, b),
        }
    }

    /// aⁿ by squares.
    fn power(&mut self, a: At, n: i32) -> At {
        match n {
            0 => self.constant(1.0),
            1 => a,
            ..0 => {
                let (one, below) = (self.constant(1.0), self.power(a, -n));
                self.binary(Op::Divide, one, below)
            }
            _ => {
                let half = self.power(a, n / 2);
                let even = self.unary(Op::Square, half);
                match n % 2 {
                    0 => even,
                    _ => self.binary(Op::Multiply, even, a),
                }
            }
        }
    }
}
