//! Which operation is to blame for a result that is not finite.

use std::fmt;

use super::Tape;
use crate::graph::{At, Graph};
use crate::limits::MAX_REGISTERS;
use crate::op::{Op, apply};
use crate::problem::{Span, short};

/// What made a result not finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Blame {
    /// Which output.
    pub output: usize,
    /// Who.
    pub culprit: Culprit,
}

/// Who made it so.
#[derive(Clone, Debug, PartialEq)]
pub enum Culprit {
    /// An input was not finite already.
    Input(usize),
    /// An operation on numbers that were.
    Step {
        /// Where it stands.
        span: Span,
        /// What it was asked for: `sqrt of -0.03`.
        words: String,
    },
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.culprit {
            Culprit::Input(k) => write!(f, "input {k} is not finite"),
            Culprit::Step { words, .. } => f.write_str(words),
        }
    }
}

impl Tape {
    /// The operation to blame, if an output is not finite at x. Sides that were not chosen are not to blame.
    pub fn blame(&self, x: &[f64]) -> Option<Blame> {
        let mut v = [0.0; MAX_REGISTERS];
        self.values(x, &mut v);
        let is_wrong = |at: &u16| !v[usize::from(*at)].is_finite();
        let output = self.outputs.iter().position(is_wrong)?;
        let (n_constants, base) = (self.constants.len(), self.base());
        let mut at = self.outputs[output];
        loop {
            let Some(k) = usize::from(at).checked_sub(base) else {
                let input = usize::from(at).checked_sub(n_constants)?;
                let culprit = Culprit::Input(input);
                return Some(Blame { output, culprit });
            };
            let step = self.steps[k];
            let operands: &[u16] = match step.op {
                Op::Choose if v[usize::from(step.c)] != 0.0 => &[step.c, step.a],
                Op::Choose => &[step.c, step.b],
                _ => &[step.a, step.b, step.c],
            };
            match operands.iter().find(|at| is_wrong(at)) {
                Some(operand) => at = *operand,
                None => {
                    let of = |at: u16| v[usize::from(at)];
                    let words = words(step.op, of(step.a), of(step.b), of(at));
                    let span = self.spans[k];
                    let culprit = Culprit::Step { span, words };
                    return Some(Blame { output, culprit });
                }
            }
        }
    }
}

/// The same of a node whose operands are constants.
pub(crate) fn trouble(graph: &Graph, at: At) -> String {
    let entry = graph.entry(at);
    let value = |at: At| graph.value(at).unwrap_or(0.0);
    let (a, b) = (value(entry.a), value(entry.b));
    words(entry.op, a, b, apply(entry.op, a, b, 0.0))
}

/// What was asked for and cannot be had.
fn words(op: Op, a: f64, b: f64, y: f64) -> String {
    let (a_told, b_told) = (short(a), short(b));
    let named = |name: &str| [name, " of ", &a_told].concat();
    let large = |sign: &str| [&a_told, sign, &b_told, " is too large"].concat();
    match op {
        Op::Divide if b == 0.0 => "division by 0".to_owned(),
        Op::Divide => large("/"),
        Op::Sqrt => named("sqrt"),
        Op::Log => named("log"),
        Op::Asin => named("asin"),
        Op::Acos => named("acos"),
        Op::Exp => [&named("exp"), " is too large"].concat(),
        Op::Power if y.is_nan() => {
            let rest = ": a negative number has only whole powers";
            ["(", &a_told, ")^", &b_told, rest].concat()
        }
        Op::Power if a == 0.0 => ["0^(", &b_told, "): division by 0"].concat(),
        Op::Power => large("^"),
        Op::Add => large(" + "),
        Op::Subtract => large(" − "),
        Op::Multiply => large("·"),
        Op::Square => [&a_told, "² is too large"].concat(),
        Op::Field => ["the picture at (", &a_told, ", ", &b_told, ") is no number"].concat(),
        _ => "a number that is too large".to_owned(),
    }
}
