//! A formula as a shape map: `x(u; q)` of named numbers q.
//!
//! Inputs of the tapes are the parameter u, then the numbers. One tape is the point, another the tangent, its derivative by
//! u: graph to graph, so that both have exact rows and second rates.

use linkwork::error::Error;
use linkwork::shape::{Domain, MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion, ShapeValue};
use linkwork_formula::{JetMut, Kind, Motion, Named, Nothing, Problem, Scope, Tape};

use super::told;
use crate::fault::Fault;

/// The input of the parameter.
const PARAMETER: u16 = 0;
const MOST_INPUTS: usize = MAX_NUMBERS + 1;
const MOST_ENTRIES: usize = 3 * MOST_INPUTS;

/// A curve, or a point, as it was typed.
#[derive(Clone, Debug)]
pub struct ShapeFormula {
    text: Box<str>,
    names: Vec<String>,
    values: Vec<f64>,
    range: Option<Vec<String>>,
    domains: Vec<Domain>,
    dimension: usize,
    point: Tape,
    tangent: Tape,
}

impl ShapeFormula {
    /// Compiles a text over `u` and names with their values at birth.
    pub fn new(
        text: &str,
        (names, values): (&[String], &[f64]),
        range: Option<&[String]>,
        closed: bool,
    ) -> Result<Self, Fault> {
        if names.len() != values.len() {
            let problem = format!("has {} numbers for {} names", values.len(), names.len());
            return Err(Fault::at("values", problem).hint("give one for each"));
        }
        if names.is_empty() || names.len() > MAX_NUMBERS {
            let problem = format!("has {}; give 1 to {MAX_NUMBERS}", names.len());
            return Err(Fault::at("names", problem));
        }
        for (at, name) in names.iter().enumerate() {
            if name == "u" {
                let fault = Fault::at("names", "contains \"u\", which says where on the curve");
                return Err(fault.hint("call it differently"));
            }
            if names[..at].contains(name) {
                return Err(Fault::at("names", format!("contains \"{name}\" twice")));
            }
        }
        let domains = match range {
            Some(range) => vec![domain(range, closed)?],
            None if closed => {
                return Err(Fault::missing("u", "where the curve begins and ends"));
            }
            None => Vec::new(),
        };
        let own = names.iter().enumerate().map(|(at, name)| {
            let input = Named::Input(Kind::Scalar, at as u16 + 1);
            (name.as_str(), input)
        });
        let mut known: Vec<(&str, Named)> = own.collect();
        known.push(("u", Named::Input(Kind::Scalar, PARAMETER)));
        let mut scope = Scope::new(&mut known);
        let value = scope.expression(text);
        let value = value.map_err(|problem| told_of("curve", problem, text))?;
        let parts = value.parts().to_vec();
        if !(2..=3).contains(&parts.len()) {
            let fault = Fault::at("curve", "is a number, but must be a point");
            return Err(fault.hint("write [x, y] or [x, y, z]"));
        }
        let mut graph = scope.into_graph();
        let mut slopes = Vec::with_capacity(parts.len());
        for &part in &parts {
            slopes.extend(graph.gradient(part, &[PARAMETER]));
        }
        let n = names.len() + 1;
        let tape = |parts: &[_]| {
            Tape::new(&graph, parts, n).map_err(|problem| Fault::at("curve", problem.to_string()))
        };
        Ok(Self {
            text: text.into(),
            names: names.to_vec(),
            values: values.to_vec(),
            range: range.map(<[String]>::to_vec),
            domains,
            dimension: parts.len(),
            point: tape(&parts)?,
            tangent: tape(&slopes)?,
        })
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What its numbers are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What they are at birth.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where u begins and ends, as it was typed.
    pub fn range(&self) -> Option<&[String]> {
        self.range.as_deref()
    }

    /// Whether its ends meet.
    pub fn is_closed(&self) -> bool {
        self.domains.first().is_some_and(|domain| domain.closed)
    }
}

/// A mistake of a text, under the field that it is in.
fn told_of(field: &str, problem: Problem, text: &str) -> Fault {
    let mut fault = told(&[problem], text);
    fault.path = field.to_owned();
    fault
}

fn domain(range: &[String], closed: bool) -> Result<Domain, Fault> {
    let [from, to] = range else {
        let fault = Fault::at("u", format!("has {} entries", range.len()));
        return Err(fault.hint("give two: where u begins, and where it ends"));
    };
    let number = |text: &str| {
        let mut nothing = Nothing;
        let mut scope = Scope::new(&mut nothing);
        let value = scope.expression(text);
        let value = value.map_err(|problem| told_of("u", problem, text))?;
        let [at] = *value.parts() else {
            return Err(Fault::at("u", format!("\"{text}\" is no number")));
        };
        let mut y = [0.0];
        let tape = Tape::new(scope.graph(), &[at], 0);
        let tape = tape.map_err(|problem| Fault::at("u", problem.to_string()))?;
        tape.value(&[], &mut y);
        Ok(y[0])
    };
    let (from, to) = (number(from)?, number(to)?);
    if !(from.is_finite() && to.is_finite() && from < to) {
        let fault = Fault::at("u", format!("goes from {from} to {to}"));
        return Err(fault.hint("the first must be the lesser"));
    }
    Ok(Domain { from, to, closed })
}

impl ShapeMap for ShapeFormula {
    fn n_numbers(&self) -> usize {
        self.names.len()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn domains(&self) -> &[Domain] {
        &self.domains
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("values", &self.values[..])
    }

    fn start(&self, q: &mut [f64]) {
        q.copy_from_slice(&self.values);
    }

    fn name(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(String::as_str)
    }

    fn eval(
        &self,
        of: Of,
        motion: &ShapeMotion<'_>,
        entry: &mut dyn FnMut(usize, usize, f64),
    ) -> ShapeValue {
        let tape = match of {
            Of::Point => &self.point,
            Of::Tangent(_) => &self.tangent,
            Of::Along(_) => return ShapeValue::default(),
        };
        let n = self.names.len() + 1;
        let (mut x, mut x1) = ([0.0; MOST_INPUTS], [0.0; MOST_INPUTS]);
        (x[0], x1[0]) = (motion.u[0], motion.u_dot[0]);
        x[1..n].copy_from_slice(motion.q);
        x1[1..n].copy_from_slice(motion.v);
        let mut out = ShapeValue::default();
        let mut rows = [0.0; MOST_ENTRIES];
        let d = self.dimension;
        tape.jet(
            Motion {
                x: &x[..n],
                x1: &x1[..n],
                x2: &[],
            },
            JetMut {
                y: &mut out.x[..d],
                y1: &mut out.x_dot[..d],
                y2: &mut out.ell[..d],
                rows: &mut rows[..tape.n_entries()],
            },
        );
        let mut at = 0;
        for row in 0..d {
            for &input in tape.pattern(row) {
                match input {
                    PARAMETER => out.x_u[0][row] = rows[at],
                    input => entry(row, usize::from(input) - 1, rows[at]),
                }
                at += 1;
            }
        }
        out
    }

    fn blame(&self, u: Parameters, q: &[f64]) -> Option<String> {
        let mut x = vec![u[0]];
        x.extend(q);
        let blame = self.point.blame(&x)?;
        Some(format!("make no point at u = {}: {}", u[0], blame))
    }
}
