//! Functions of the language.

use std::sync::Arc;

use super::{Function, Scope};
use crate::catalogue::{Builtin, Call, TURN_TAKES};
use crate::graph::{At, Value, ZERO};
use crate::messages::Say;
use crate::op::Op;
use crate::parser;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{NodeId, Sort, Tree};

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
            Call::Tangent | Call::Length | Call::Area => return self.measure(tree, builtin, with),
            _ => {}
        }
        let v = self.all(tree, with)?;
        let at = match builtin.call {
            Call::Is(text) | Call::Either(text, _) if v.len() == builtin.least => {
                let takes = &builtin.form[builtin.name.len() + 1..builtin.form.len() - 1];
                return self.expand(&defined(builtin.name, takes, text)?, &v, span);
            }
            Call::Either(_, text) => {
                return self.expand(&defined(builtin.name, TURN_TAKES, text)?, &v, span);
            }
            Call::If => return self.choose(tree, span, with[0], &v),
            Call::Norm => self.norm(v[0]),
            Call::Dot | Call::Cross => {
                for (value, node) in v.iter().zip(with) {
                    if value.scalar_part().is_some() {
                        let words = [builtin.form];
                        return Err(Problem::say(tree.span(*node), Say::NotAVector, &words));
                    }
                }
                if v[0].len() != v[1].len() {
                    return Err(Problem::say(span, Say::PlaneAndSpace, &[]));
                }
                match builtin.call {
                    Call::Dot => self.dot(v[0], v[1]),
                    _ => return Ok(self.cross(v[0], v[1])),
                }
            }
            call => {
                let mut last = ZERO;
                for (k, (value, node)) in v.iter().zip(with).enumerate() {
                    let next = self.as_scalar(*value, self.span(tree, *node))?;
                    last = match call {
                        Call::One(op) => self.graph.unary(op, next),
                        Call::Two(op) | Call::Many(op) if k > 0 => {
                            self.graph.binary(op, last, next)
                        }
                        _ => next,
                    };
                }
                last
            }
        };
        Ok(Value::scalar(at))
    }

    /// `if(when, then, else)`.
    fn choose(&mut self, tree: &Tree, span: Span, when: NodeId, v: &[Value]) -> Checked<Value> {
        let when = self.as_scalar(v[0], self.span(tree, when))?;
        if v[1].len() != v[2].len() {
            return Err(Problem::say(span, Say::Sides, &[]));
        }
        let (mut value, mut others) = (v[1], v[2].at().into_iter());
        value.change(|then| {
            let or = others.next().unwrap_or(ZERO);
            self.graph.choose(when, then, or)
        });
        Ok(value)
    }

    /// `der(of, by)`.
    fn derivative(&mut self, tree: &Tree, of: NodeId, by: NodeId) -> Checked<Value> {
        let refuse = |told: &str| Err(Problem::say(tree.span(by), Say::DerivesBy, &[told]));
        let Some(path) = tree.path(by) else {
            return refuse("an expression");
        };
        let at = self.scalar(tree, by)?;
        // A parameter may stand for anything: the derivative is taken before that is put in its place.
        let locals = &self.locals[self.first_local..];
        if locals.iter().any(|(own, _)| path == [&**own]) {
            let (index, temporary) = self.temporary();
            self.locals.push((path[0].into(), Value::scalar(temporary)));
            let value = self.lower(tree, of);
            self.locals.pop();
            let slope = self.slope(value?, index);
            return Ok(self.substituted(slope, temporary, at));
        }
        let Some(index) = self.graph.index(at) else {
            let is_constant = self.graph.value(at).is_some();
            return refuse(if is_constant {
                "a constant"
            } else {
                "a quantity"
            });
        };
        let value = self.lower(tree, of)?;
        Ok(self.slope(value, index))
    }

    /// The derivative of each component by an input.
    pub(super) fn slope(&mut self, mut of: Value, index: u16) -> Value {
        of.change(|at| self.graph.gradient(at, &[index])[0]);
        of
    }

    /// The same with something else in the place of an input.
    pub(super) fn substituted(&mut self, value: Value, from: At, to: At) -> Value {
        let mut at = value.at();
        self.graph.substitute(&mut at, from, to);
        Value::new(at, value.len())
    }

    /// `sum(k, from, to, of)`.
    fn sum(&mut self, tree: &Tree, span: Span, with: &[NodeId]) -> Checked<Value> {
        let Some(name) = tree.name(with[0]) else {
            return Err(Problem::say(tree.span(with[0]), Say::IndexIsAName, &[]));
        };
        let mut ends = [0.0; 2];
        for (end, node) in ends.iter_mut().zip(&with[1..]) {
            *end = self.constant(tree, *node)?;
            if *end != end.floor() || end.abs() > 1e9 {
                return Err(Problem::say(tree.span(*node), Say::NotWhole, &[]));
            }
        }
        let (mut sum, [mut k, last]) = (None, ends);
        while k <= last {
            self.expanded(span)?;
            let index = Value::scalar(self.graph.constant(k));
            self.locals.push((name.into(), index));
            let term = self.lower(tree, with[3]);
            self.locals.pop();
            sum = Some(match sum {
                None => term?,
                Some(sum) => self.each(Op::Add, sum, term?, span)?,
            });
            k += 1.0;
        }
        Ok(sum.unwrap_or(Value::scalar(ZERO)))
    }
}

/// A function that is defined in the language itself.
fn defined(name: &str, takes: &str, text: &str) -> Checked<Function> {
    let (tree, is) = parser::parse_expression(text, 0)?;
    Ok(Function {
        name: name.to_owned(),
        tree: Arc::new(tree),
        is,
        parameters: takes.split(',').map(|own| own.trim().into()).collect(),
        ranges: Vec::new(),
        sort: Sort::Function,
        home: Vec::new(),
        is_elsewhere: true,
    })
}
