//! Vectors: operations on their components.

use super::Scope;
use crate::graph::{At, Value, ZERO};
use crate::messages::Say;
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{NodeId, Tree};

impl Scope<'_> {
    /// `[x, y]` or `[x, y, z]`.
    pub(super) fn vector(&mut self, tree: &Tree, span: Span, parts: &[NodeId]) -> Checked<Value> {
        if !(2..=3).contains(&parts.len()) {
            let n = parts.len().to_string();
            return Err(Problem::say(span, Say::Components, &[&n]));
        }
        let mut at = [ZERO; 3];
        for (own, part) in at.iter_mut().zip(parts) {
            *own = self.scalar(tree, *part)?;
        }
        Ok(Value::new(at, parts.len()))
    }

    /// Component by component. A number goes with a vector in products and quotients only.
    pub(super) fn each(&mut self, op: Op, a: Value, b: Value, span: Span) -> Checked<Value> {
        let say = match (a.len(), b.len()) {
            (m, n) if m == n => None,
            (1, _) | (_, 1) if !matches!(op, Op::Add | Op::Subtract) => None,
            (1, _) | (_, 1) => Some(Say::NumberAndVector),
            _ => Some(Say::PlaneAndSpace),
        };
        if let Some(say) = say {
            return Err(Problem::say(span, say, &[]));
        }
        let of = |value: Value, k: usize| value.at()[if value.len() == 1 { 0 } else { k }];
        let n = a.len().max(b.len());
        let mut at = [ZERO; 3];
        for (k, own) in at.iter_mut().enumerate().take(n) {
            *own = self.graph.binary(op, of(a, k), of(b, k));
        }
        Ok(Value::new(at, n))
    }

    /// `a·b` of vectors with equal numbers of components.
    pub(super) fn dot(&mut self, a: Value, b: Value) -> At {
        let mut sum = ZERO;
        for (x, y) in a.parts().iter().zip(b.parts()) {
            let term = self.graph.binary(Op::Multiply, *x, *y);
            sum = self.graph.binary(Op::Add, sum, term);
        }
        sum
    }

    /// The length of a vector.
    pub(super) fn norm(&mut self, v: Value) -> At {
        match v.scalar_part() {
            Some(at) => self.graph.unary(Op::Abs, at),
            None => self.graph.norm(v.at()),
        }
    }

    /// `a × b`: a vector in space, a number in the plane.
    pub(super) fn cross(&mut self, a: Value, b: Value) -> Value {
        let mut at = [ZERO; 3];
        // In the plane only the last.
        let first = if a.len() == 2 { 2 } else { 0 };
        for k in first..3 {
            let [i, j] = [(k + 1) % 3, (k + 2) % 3];
            let p = self.graph.binary(Op::Multiply, a.at()[i], b.at()[j]);
            let q = self.graph.binary(Op::Multiply, a.at()[j], b.at()[i]);
            at[k - first] = self.graph.binary(Op::Subtract, p, q);
        }
        Value::new(at, 3 - first)
    }
}
