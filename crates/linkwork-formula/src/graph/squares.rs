//! A sum taken apart into weighted squares and the rest: least squares have a method of their own.

use super::{At, Graph};
use crate::limits::MAX_NODES;
use crate::op::Op;

/// `Σ weight·root² + rest + constant`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Squares {
    /// Weights, all positive, and roots.
    pub squares: Vec<(f64, At)>,
    /// What is no square.
    pub rest: Option<At>,
    /// What depends on nothing.
    pub constant: f64,
}

impl Graph {
    /// The squares in a sum.
    pub fn squares(&mut self, of: At) -> Squares {
        let mut found = Squares::default();
        let mut open = vec![(1.0, of)];
        let mut n_visits = 0;
        while let Some((weight, at)) = open.pop() {
            // A graph shares its terms: there may be more of them than can be listed.
            n_visits += 1;
            if n_visits > MAX_NODES {
                let rest = Some(of);
                return Squares {
                    rest,
                    ..Squares::default()
                };
            }
            let entry = self.entry(at);
            let constants = [entry.a, entry.b].map(|operand| match entry.op.n_operands() {
                2 => self.value(operand),
                _ => None,
            });
            match (entry.op, constants) {
                (Op::Constant, _) => found.constant += weight * self.value(at).unwrap_or(0.0),
                (Op::Add, _) => open.extend([(weight, entry.b), (weight, entry.a)]),
                (Op::Subtract, _) => open.extend([(-weight, entry.b), (weight, entry.a)]),
                (Op::Negate, _) => open.push((-weight, entry.a)),
                (Op::Multiply, [Some(c), _]) => open.push((weight * c, entry.b)),
                (Op::Multiply, [_, Some(c)]) => open.push((weight * c, entry.a)),
                (Op::Divide, [_, Some(c)]) => open.push((weight / c, entry.a)),
                (Op::Square, _) if weight > 0.0 => found.squares.push((weight, entry.a)),
                _ => {
                    let weight = self.constant(weight);
                    let term = self.binary(Op::Multiply, weight, at);
                    let rest = found.rest.map(|rest| self.binary(Op::Add, rest, term));
                    found.rest = Some(rest.unwrap_or(term));
                }
            }
        }
        found
    }
}
