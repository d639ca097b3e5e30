//! Functions of the language.

use super::Scope;
use super::vector::different;
use crate::catalogue::{Builtin, Call};
use crate::graph::{At, Value, ZERO};
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{NodeId, Tree};

impl Scope<'_> {
    /// A call of one.
    pub(super) fn builtin(
        &mut self,
        tree: &Tree,
        span: Span,
        builtin: &Builtin,
        with: &[NodeId],
    ) -> Checked<Value> {
        match builtin.call {
            Call::Derivative => return self.derivative(tree, with[0], with[1]),
            Call::Sum => return self.sum(tree, span, with),
            Call::Tangent | Call::Length | Call::Area => {
                return self.measure(tree, builtin, with);
            }
            _ => {}
        }
        let v = self.all(tree, with)?;
        match builtin.call {
            Call::Norm => return Ok(Value::scalar(self.norm(v[0]))),
            Call::Dot | Call::Cross | Call::Dist | Call::Unit | Call::Turn => {
                return self.of_vectors(tree, builtin, with, &v);
            }
            Call::If => {
                let [when] = *v[0].parts() else {
                    return Err(self.not_a_number(tree, with[0]));
                };
                if v[1].parts().len() != v[2].parts().len() {
                    let words = ["one side is a number, the other a vector, or of another size"];
                    return Err(Problem::new(span, &words));
                }
                let mut at = [0; 3];
                for (own, (then, or)) in at.iter_mut().zip(v[1].parts().iter().zip(v[2].parts())) {
                    *own = self.graph.choose(when, *then, *or);
                }
                return Ok(Value::new(&at[..v[1].parts().len()]));
            }
            Call::Mix => {
                let [_] = *v[2].parts() else {
                    return Err(self.not_a_number(tree, with[2]));
                };
                let way = self.each(Op::Subtract, v[1], v[0], span)?;
                let part = self.each(Op::Multiply, v[2], way, span)?;
                return self.each(Op::Add, v[0], part, span);
            }
            _ => {}
        }
        let mut x = Vec::with_capacity(v.len());
        for (value, node) in v.iter().zip(with) {
            match value.parts() {
                [at] => x.push(*at),
                _ => return Err(self.not_a_number(tree, *node)),
            }
        }
        Ok(Value::scalar(self.of_numbers(builtin.call, &x)))
    }

    fn of_numbers(&mut self, call: Call, x: &[At]) -> At {
        let graph = &mut self.graph;
        match call {
            Call::One(op) => graph.unary(op, x[0]),
            Call::Two(op) => graph.binary(op, x[0], x[1]),
            Call::Many(op) => {
                let others = x[1..].iter();
                others.fold(x[0], |best, at| graph.binary(op, best, *at))
            }
            Call::Tan => {
                let (sin, cos) = (graph.unary(Op::Sin, x[0]), graph.unary(Op::Cos, x[0]));
                graph.binary(Op::Divide, sin, cos)
            }
            Call::Ceil => {
                let minus = graph.unary(Op::Negate, x[0]);
                let below = graph.unary(Op::Floor, minus);
                graph.unary(Op::Negate, below)
            }
            Call::Round => {
                let half = graph.constant(0.5);
                let above = graph.binary(Op::Add, x[0], half);
                graph.unary(Op::Floor, above)
            }
            Call::Mod => {
                // x − m·⌊x/m⌋
                let quotient = graph.binary(Op::Divide, x[0], x[1]);
                let whole = graph.unary(Op::Floor, quotient);
                let multiple = graph.binary(Op::Multiply, whole, x[1]);
                graph.binary(Op::Subtract, x[0], multiple)
            }
            Call::Clamp => {
                let above = graph.binary(Op::Max, x[0], x[1]);
                graph.binary(Op::Min, above, x[2])
            }
            _ => {
                // Huber: r²/2 within k, beyond k·(|r| − k/2)
                let (size, half) = (graph.unary(Op::Abs, x[0]), graph.constant(0.5));
                let square = graph.unary(Op::Square, x[0]);
                let near = graph.binary(Op::Multiply, half, square);
                let part = graph.binary(Op::Multiply, half, x[1]);
                let rest = graph.binary(Op::Subtract, size, part);
                let far = graph.binary(Op::Multiply, x[1], rest);
                let is_far = graph.binary(Op::Less, x[1], size);
                graph.choose(is_far, far, near)
            }
        }
    }

    fn of_vectors(
        &mut self,
        tree: &Tree,
        builtin: &Builtin,
        with: &[NodeId],
        v: &[Value],
    ) -> Checked<Value> {
        let n = |k: usize| v[k].parts().len();
        let span = |k: usize| tree.span(with[k]);
        let n_vectors = if builtin.call == Call::Turn {
            with.len() - 1
        } else {
            with.len()
        };
        for k in 0..n_vectors {
            if n(k) == 1 {
                let problem = Problem::new(span(k), &["is a number, but must be a vector"]);
                return Err(problem.hint(&["write [x, y] or [x, y, z]: ", builtin.form]));
            }
            if n(k) != n(0) {
                return Err(different(span(0).to(span(k))));
            }
        }
        Ok(match builtin.call {
            Call::Dot => Value::scalar(self.dot(v[0], v[1])),
            Call::Cross if n(0) == 2 => Value::scalar(self.cross_in_plane(v[0], v[1])),
            Call::Cross => self.cross(v[0], v[1]),
            Call::Dist => {
                let way = self.each(Op::Subtract, v[0], v[1], span(0))?;
                Value::scalar(self.norm(way))
            }
            Call::Unit => self.unit(v[0]),
            _ => {
                let Some([angle]) = v.last().map(Value::parts) else {
                    return Err(self.not_a_number(tree, with[with.len() - 1]));
                };
                match (n(0), v.len()) {
                    (2, 2) => self.turn(v[0], *angle),
                    (3, 3) => self.turn_about(v[0], v[1], *angle),
                    (n, _) => {
                        let form = match n {
                            2 => "in the plane write turn(v, angle)",
                            _ => "in space write turn(v, axis, angle)",
                        };
                        let words = ["is turned about nothing, or about too much"];
                        return Err(Problem::new(span(0), &words).hint(&[form]));
                    }
                }
            }
        })
    }

    /// `der(of, by)`.
    fn derivative(&mut self, tree: &Tree, of: NodeId, by: NodeId) -> Checked<Value> {
        let refuse = |told: &str| {
            let problem = Problem::new(tree.span(by), &["der cannot derive by ", told]);
            problem.hint(&["write der(expression, name) with a number, an input or a parameter"])
        };
        let Some(path) = tree.path(by) else {
            return Err(refuse("an expression"));
        };
        // A parameter may stand for anything: the derivative is taken before that is put in its place.
        let is_local = |(own, _): &(Box<str>, Value)| path == [&**own];
        let local = self.locals[self.first_local..]
            .iter()
            .rev()
            .find(|own| is_local(own));
        if let Some(value) = local.map(|(_, value)| *value) {
            let [at] = *value.parts() else {
                return Err(refuse("a vector"));
            };
            let (index, temporary) = self.temporary();
            self.locals.push((path[0].into(), Value::scalar(temporary)));
            let value = self.lower(tree, of);
            self.locals.pop();
            return Ok(self.slope(value?, index, Some((temporary, at))));
        }
        let at = self.scalar(tree, by)?;
        let Some(index) = self.graph.index(at) else {
            let is_constant = self.graph.value(at).is_some();
            return Err(refuse(if is_constant {
                "a constant"
            } else {
                "a quantity"
            }));
        };
        let value = self.lower(tree, of)?;
        Ok(self.slope(value, index, None))
    }

    /// The derivative of each component by an input, and something put in its place.
    pub(super) fn slope(&mut self, of: Value, index: u32, put: Option<(At, At)>) -> Value {
        let value = self.map(of, |graph, at| graph.gradient(at, &[index])[0]);
        match put {
            Some((temporary, at)) => self.substituted(value, temporary, at),
            None => value,
        }
    }

    /// The same with something else in the place of an input.
    pub(super) fn substituted(&mut self, value: Value, from: At, to: At) -> Value {
        let mut at = value.at();
        let n = value.parts().len();
        self.graph.substitute(&mut at[..n], from, to);
        Value::new(&at[..n])
    }

    /// `sum(k, from, to, of)`.
    fn sum(&mut self, tree: &Tree, span: Span, with: &[NodeId]) -> Checked<Value> {
        let Some(name) = tree.name(with[0]) else {
            let problem = Problem::new(tree.span(with[0]), &["must be a name"]);
            return Err(problem.hint(&["write sum(k, 1, n, expression)"]));
        };
        let mut whole = |k: usize| {
            let value = self.constant(tree, with[k])?;
            match value == libm::floor(value) && value.abs() < 1e9 {
                true => Ok(value),
                false => Err(Problem::new(
                    tree.span(with[k]),
                    &["must be a whole number"],
                )),
            }
        };
        let (low, high) = (whole(1)?, whole(2)?);
        let (mut sum, mut k) = (None, low);
        while k <= high {
            self.expanded(span)?;
            let index = Value::scalar(self.graph.constant(k));
            self.locals.push((name.into(), index));
            let term = self.lower(tree, with[3]);
            self.locals.pop();
            let term = term?;
            sum = Some(match sum {
                None => term,
                Some(sum) => self.each(Op::Add, sum, term, span)?,
            });
            k += 1.0;
        }
        Ok(sum.unwrap_or(Value::scalar(ZERO)))
    }
}
