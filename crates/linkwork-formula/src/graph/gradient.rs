//! The derivative of a node by inputs, as nodes: one sweep backwards, after which the derivative is a graph again.
//!
//! ```text
//!     ā = Σ ȳ·∂y/∂a    over all y that use a
//! ```
//!
//! Guards are those of the numbers in `tape/jet.rs`: a slope that would be infinite is zero ([`Op::Ratio`]), and
//! what is not chosen counts for nothing, even if it is no number ([`Op::Gate`]).

use super::{At, Entry, Graph, ZERO, field_of};
use crate::op::Op;

/// Fields have derivatives up to this order by x and by y.
const MAX_ORDER: u32 = 3;

impl Graph {
    /// `∂of/∂input` for several inputs.
    pub fn gradient(&mut self, of: At, inputs: &[u16]) -> Vec<At> {
        let mut bar = vec![ZERO; of as usize + 1];
        // Whether a weight is zero where something was not chosen.
        let mut is_gated = vec![false; of as usize + 1];
        let mut found = vec![ZERO; inputs.len()];
        bar[of as usize] = self.constant(1.0);
        let (outer, trouble) = (self.span, self.trouble);
        for at in (0..=of).rev() {
            let w = bar[at as usize];
            if w == ZERO {
                continue;
            }
            let entry = self.entry(at);
            if entry.op == Op::Input {
                for (found, _) in found.iter_mut().zip(inputs).filter(|(_, i)| **i == entry.a) {
                    *found = w;
                }
            }
            self.span = self.spans[at as usize];
            self.work += 1;
            let gated = is_gated[at as usize];
            let chooses = matches!(entry.op, Op::Choose | Op::Min | Op::Max);
            for (k, operand) in entry.operands().enumerate() {
                let term = self.term(at, &entry, k, w, gated);
                if term != ZERO {
                    let to = operand as usize;
                    bar[to] = self.binary(Op::Add, bar[to], term);
                    is_gated[to] |= gated || chooses;
                }
            }
        }
        // A slope that is no number is none of the text's operations.
        (self.span, self.trouble) = (outer, trouble);
        found
    }

    /// `w·∂node/∂operand`.
    fn term(&mut self, at: At, entry: &Entry, k: usize, w: At, gated: bool) -> At {
        let Entry { op, a, b, c } = *entry;
        match (op, k) {
            (Op::Add, _) | (Op::Subtract, 0) => w,
            (Op::Negate, _) | (Op::Subtract, _) => self.unary(Op::Negate, w),
            (Op::Choose, 0) => self.choose(c, w, ZERO),
            (Op::Choose, 1) => self.choose(c, ZERO, w),
            (Op::Min, _) | (Op::Max, _) => {
                // The second is taken only where it is better.
                let second = match op {
                    Op::Min => self.binary(Op::Less, b, a),
                    _ => self.binary(Op::Less, a, b),
                };
                match k {
                    0 => self.choose(second, ZERO, w),
                    _ => self.choose(second, w, ZERO),
                }
            }
            _ => {
                let slope = self.slope(at, entry, k);
                let product = if gated { Op::Gate } else { Op::Multiply };
                self.binary(product, w, slope)
            }
        }
    }

    /// `∂node/∂operand`.
    fn slope(&mut self, at: At, entry: &Entry, k: usize) -> At {
        let Entry { op, a, b, c } = *entry;
        let one = self.constant(1.0);
        match (op, k) {
            (Op::Multiply | Op::Gate, 0) => b,
            (Op::Multiply | Op::Gate, _) => a,
            (Op::Square, _) => {
                let two = self.constant(2.0);
                self.binary(Op::Multiply, two, a)
            }
            (Op::Sqrt, _) => {
                let half = self.constant(0.5);
                self.binary(Op::Ratio, half, at)
            }
            (Op::Sin, _) => at + 1,
            (Op::Cos, _) => self.unary(Op::Negate, at - 1),
            (Op::Exp, _) => at,
            (Op::Log, _) => self.binary(Op::Divide, one, a),
            (Op::Asin | Op::Acos, _) => {
                // ±1/√((1 − a)(1 + a))
                let (low, high) = (
                    self.binary(Op::Subtract, one, a),
                    self.binary(Op::Add, one, a),
                );
                let square = self.binary(Op::Multiply, low, high);
                let root = self.unary(Op::Sqrt, square);
                let slope = self.binary(Op::Ratio, one, root);
                match op {
                    Op::Asin => slope,
                    _ => self.unary(Op::Negate, slope),
                }
            }
            (Op::Atan, _) => {
                let square = self.unary(Op::Square, a);
                let below = self.binary(Op::Add, one, square);
                self.binary(Op::Divide, one, below)
            }
            (Op::Tanh, _) => {
                let square = self.unary(Op::Square, at);
                self.binary(Op::Subtract, one, square)
            }
            (Op::Abs, _) => self.unary(Op::Sign, a),
            (Op::Divide | Op::Ratio, 0) => self.binary(op, one, b),
            (Op::Divide | Op::Ratio, _) => {
                let slope = self.binary(op, at, b);
                self.unary(Op::Negate, slope)
            }
            (Op::Power, 0) => {
                // b·aᵇ⁻¹, without a second power
                let product = self.binary(Op::Multiply, b, at);
                self.binary(Op::Ratio, product, a)
            }
            (Op::Power, _) => {
                // aᵇ·log a where a has a logarithm
                let (is_positive, log) = (self.binary(Op::Less, ZERO, a), self.unary(Op::Log, a));
                let log = self.choose(is_positive, log, ZERO);
                self.binary(Op::Multiply, at, log)
            }
            (Op::Atan2, _) => {
                let (x, y) = (self.unary(Op::Square, a), self.unary(Op::Square, b));
                let square = self.binary(Op::Add, x, y);
                let slope = self.binary(Op::Ratio, if k == 0 { b } else { a }, square);
                match k {
                    0 => slope,
                    _ => self.unary(Op::Negate, slope),
                }
            }
            (Op::Norm, _) => self.binary(Op::Ratio, [a, b, c][k], at),
            (Op::Field, _) => self.field_slope(c, k, [a, b]),
            _ => ZERO,
        }
    }

    /// The next derivative of a field; of the last known ones none.
    fn field_slope(&mut self, code: At, k: usize, [a, b]: [At; 2]) -> At {
        let (_, orders) = field_of(code);
        match orders[k] < MAX_ORDER {
            true => self.field(code + if k == 0 { 4 } else { 1 }, a, b),
            false => ZERO,
        }
    }
}
