//! Vectors: operations on their components.

use super::Scope;
use crate::graph::{At, Graph, Value};
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{NodeId, Tree};

impl Scope<'_> {
    /// `[x, y]` or `[x, y, z]`.
    pub(super) fn vector(&mut self, tree: &Tree, node: NodeId, parts: &[NodeId]) -> Checked<Value> {
        if !(2..=3).contains(&parts.len()) {
            let n = parts.len().to_string();
            let problem = Problem::new(tree.span(node), &["has ", &n, " components"]);
            return Err(problem.hint(&["a vector has two or three: [x, y], [x, y, z]"]));
        }
        let mut at = [0; 3];
        for (own, part) in at.iter_mut().zip(parts) {
            *own = self.scalar(tree, *part)?;
        }
        Ok(Value::new(&at[..parts.len()]))
    }

    /// The same with each component.
    pub(super) fn map(&mut self, a: Value, mut f: impl FnMut(&mut Graph, At) -> At) -> Value {
        let mut at = [0; 3];
        for (own, part) in at.iter_mut().zip(a.parts()) {
            *own = f(&mut self.graph, *part);
        }
        Value::new(&at[..a.parts().len()])
    }

    /// Component by component. A number goes with a vector in products and quotients only.
    pub(super) fn each(&mut self, op: Op, a: Value, b: Value, span: Span) -> Checked<Value> {
        let (a, b) = (a.parts(), b.parts());
        let n = a.len().max(b.len());
        if a.len() != b.len() {
            if a.len() != 1 && b.len() != 1 {
                return Err(different(span));
            }
            if matches!(op, Op::Add | Op::Subtract) {
                let problem = Problem::new(span, &["a number and a vector do not add up"]);
                return Err(problem.hint(&["take a component of the vector, or write [a, b] + v"]));
            }
        }
        let mut at = [0; 3];
        for k in 0..n {
            at[k] = self
                .graph
                .binary(op, a[k.min(a.len() - 1)], b[k.min(b.len() - 1)]);
        }
        Ok(Value::new(&at[..n]))
    }

    /// `a·b` of vectors with equal numbers of components.
    pub(super) fn dot(&mut self, a: Value, b: Value) -> At {
        let mut sum = None;
        for (x, y) in a.parts().iter().zip(b.parts()) {
            let term = self.graph.binary(Op::Multiply, *x, *y);
            sum = Some(match sum {
                None => term,
                Some(sum) => self.graph.binary(Op::Add, sum, term),
            });
        }
        sum.unwrap_or(0)
    }

    /// The length of a vector.
    pub(super) fn norm(&mut self, v: Value) -> At {
        match *v.parts() {
            [a] => self.graph.unary(Op::Abs, a),
            [a, b] => self.graph.norm([a, b, crate::graph::ZERO]),
            _ => self.graph.norm(v.at()),
        }
    }

    /// `v/‖v‖`.
    pub(super) fn unit(&mut self, v: Value) -> Value {
        let norm = self.norm(v);
        self.map(v, |graph, at| graph.binary(Op::Divide, at, norm))
    }

    /// `a × b`.
    pub(super) fn cross(&mut self, a: Value, b: Value) -> Value {
        let (a, b, graph) = (a.at(), b.at(), &mut self.graph);
        let mut minor = |i: usize, j: usize| {
            let (p, q) = (
                graph.binary(Op::Multiply, a[i], b[j]),
                graph.binary(Op::Multiply, a[j], b[i]),
            );
            graph.binary(Op::Subtract, p, q)
        };
        Value::new(&[minor(1, 2), minor(2, 0), minor(0, 1)])
    }

    /// `a × b` in the plane.
    pub(super) fn cross_in_plane(&mut self, a: Value, b: Value) -> At {
        self.cross(a, b).parts()[2]
    }

    /// `v` turned in the plane.
    pub(super) fn turn(&mut self, v: Value, angle: At) -> Value {
        let graph = &mut self.graph;
        let (sin, cos) = (graph.unary(Op::Sin, angle), graph.unary(Op::Cos, angle));
        let [x, y, _] = v.at();
        let mut product = |a, b| graph.binary(Op::Multiply, a, b);
        let (cx, sy, sx, cy) = (
            product(cos, x),
            product(sin, y),
            product(sin, x),
            product(cos, y),
        );
        Value::new(&[
            graph.binary(Op::Subtract, cx, sy),
            graph.binary(Op::Add, sx, cy),
        ])
    }

    /// `v` turned about an axis n of length one: v·cos + (n × v)·sin + n·(n·v)·(1 − cos), Rodrigues.
    pub(super) fn turn_about(&mut self, v: Value, axis: Value, angle: At) -> Value {
        let n = self.unit(axis);
        let (along, across) = (self.dot(n, v), self.cross(n, v));
        let graph = &mut self.graph;
        let (sin, cos) = (graph.unary(Op::Sin, angle), graph.unary(Op::Cos, angle));
        let one = graph.constant(1.0);
        let rest = graph.binary(Op::Subtract, one, cos);
        let along = graph.binary(Op::Multiply, along, rest);
        let mut at = [0; 3];
        for k in 0..3 {
            let first = graph.binary(Op::Multiply, v.at()[k], cos);
            let second = graph.binary(Op::Multiply, across.at()[k], sin);
            let third = graph.binary(Op::Multiply, n.at()[k], along);
            let sum = graph.binary(Op::Add, first, second);
            at[k] = graph.binary(Op::Add, sum, third);
        }
        Value::new(&at)
    }
}

/// Vectors of the plane and of space are mixed.
pub(super) fn different(span: Span) -> Box<Problem> {
    Problem::new(
        span,
        &["a vector of the plane and one of space do not go together"],
    )
}
