//! A formula as a shape map: `x(u; q)` or `x(u, v; q)` of named numbers q.
//!
//! Inputs of the tapes are the parameters, then the numbers. One tape is the point, others the tangents, its
//! derivatives by u and v: graph to graph, so that all have exact rows and second rates.

use linkwork::error::Error;
use linkwork::math::{Vec3, norm, sub};
use linkwork::shape::{Domain, MAX_NUMBERS, Of, Parameters, ShapeMap, ShapeMotion, ShapeValue};
use linkwork_formula::{Item, JetMut, Kind, Motion, Named, Nothing, Problem, Scope, Tape};

use super::{one, told};
use crate::fault::Fault;

/// What parameters are called; their inputs come first.
const PARAMETERS: [&str; 2] = ["u", "v"];
/// The fields that have their ranges.
const RANGES: [&str; 2] = ["u", "range_v"];
const MOST_INPUTS: usize = MAX_NUMBERS + PARAMETERS.len();
const MOST_ENTRIES: usize = 3 * MOST_INPUTS;

/// A curve, a surface, or a point, as it was typed.
#[derive(Clone, Debug)]
pub struct ShapeFormula {
    text: Box<str>,
    names: Vec<String>,
    values: Vec<f64>,
    ranges: Vec<Range>,
    domains: Vec<Domain>,
    dimension: usize,
    point: Tape,
    tangents: Vec<Tape>,
}

/// Where a parameter begins and ends, as it was typed, and whether its ends meet.
pub type Range = (Vec<String>, bool);

impl ShapeFormula {
    /// Compiles a text over parameters, `u` and `v`, of these ranges, and names with their values at birth: without
    /// ranges a point, with one a curve, with two a surface.
    pub fn new(
        text: &str,
        (names, values): (&[String], &[f64]),
        ranges: Vec<Range>,
    ) -> Result<Self, Fault> {
        let field = if ranges.len() == 2 {
            "surface"
        } else {
            "curve"
        };
        // A point is a curve of which only one place is asked for.
        let parameters = &PARAMETERS[..ranges.len().max(1)];
        if names.len() != values.len() {
            let problem = format!("has {} numbers for {} names", values.len(), names.len());
            return Err(Fault::at("values", problem).hint("give one for each"));
        }
        if names.is_empty() || names.len() > MAX_NUMBERS {
            let problem = format!("has {}; give 1 to {MAX_NUMBERS}", names.len());
            return Err(Fault::at("names", problem));
        }
        for (at, name) in names.iter().enumerate() {
            if parameters.contains(&name.as_str()) {
                let problem = format!("contains \"{name}\", which is the parameter of the {field}");
                return Err(Fault::at("names", problem).hint("call it differently"));
            }
            if names[..at].contains(name) {
                return Err(Fault::at("names", format!("contains \"{name}\" twice")));
            }
        }
        let domains = ranges.iter().zip(RANGES);
        let domains = domains.map(|((range, closed), field)| domain(field, range, *closed));
        let domains = domains.collect::<Result<Vec<Domain>, Fault>>()?;
        let all = parameters.iter().copied();
        let all = all.chain(names.iter().map(String::as_str)).enumerate();
        let own = all.map(|(at, name)| (name, Named::Input(Kind::Scalar, at as u16)));
        let mut known: Vec<(&str, Named)> = own.collect();
        let mut scope = Scope::new(&mut known);
        let item = one(scope.compile(text), text).map_err(|mut fault| {
            fault.path = field.to_owned();
            let parameter = fault
                .hint
                .as_ref()
                .is_some_and(|own| own.contains(" a parameter"));
            match parameter {
                true => fault.hint("add it to \"names\" and its value to \"values\""),
                false => fault,
            }
        })?;
        let Item::Value(value) = item else {
            return Err(Fault::at(field, "is no point").hint("write [x, y] or [x, y, z]"));
        };
        let parts = value.parts().to_vec();
        if !(2..=3).contains(&parts.len()) {
            let fault = Fault::at(field, "is a number, but must be a point");
            return Err(fault.hint("write [x, y] or [x, y, z]"));
        }
        if ranges.len() == 2 && parts.len() != 3 {
            let fault = Fault::at(field, "is in the plane, but a surface is in space");
            return Err(fault.hint("write [x, y, z]"));
        }
        let mut graph = scope.into_graph();
        let mut slopes = vec![Vec::with_capacity(parts.len()); parameters.len()];
        for &part in &parts {
            for (parameter, slopes) in slopes.iter_mut().enumerate() {
                slopes.extend(graph.gradient(part, &[parameter as u16]));
            }
        }
        let n = names.len() + parameters.len();
        let tape = |parts: &[_]| {
            Tape::new(&graph, parts, n).map_err(|problem| Fault::at(field, problem.to_string()))
        };
        let own = Self {
            text: text.into(),
            names: names.to_vec(),
            values: values.to_vec(),
            ranges,
            domains,
            dimension: parts.len(),
            point: tape(&parts)?,
            tangents: slopes
                .iter()
                .map(|own| tape(own))
                .collect::<Result<_, _>>()?,
        };
        own.meets()?;
        Ok(own)
    }

    /// Refuses ends that are said to meet and do not, with the numbers as they are at birth.
    fn meets(&self) -> Result<(), Fault> {
        const CLOSED: [&str; 2] = ["closed", "closed_v"];
        for (k, domain) in self.domains.iter().enumerate().filter(|own| own.1.closed) {
            // Of a surface at some places along its other parameter.
            for part in [0.1, 0.5, 0.8] {
                let across = |u: f64| {
                    let mut at = self
                        .domains
                        .iter()
                        .map(|own| own.from + part * own.length());
                    let mut at: Parameters = std::array::from_fn(|_| at.next().unwrap_or(0.0));
                    at[k] = u;
                    self.place(at, &self.values)
                };
                let [from, middle, to] =
                    [0.0, 0.5, 1.0].map(|s| across(domain.from + s * domain.length()));
                let gap = norm(sub(to, from));
                if gap > 1e-6 * (norm(sub(middle, from)) + norm(from)) {
                    let problem = format!("is said, but its ends are {gap} m apart");
                    let hint = "give the whole range, such as [\"0\", \"tau\"], or leave it out";
                    return Err(Fault::at(CLOSED[k], problem).hint(hint));
                }
            }
        }
        Ok(())
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

    /// Where its parameters begin and end, as it was typed.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    fn n_parameters(&self) -> usize {
        self.tangents.len()
    }

    /// Runs a tape along a motion; without room for rows there are none.
    fn jet(&self, tape: &Tape, motion: &ShapeMotion<'_>, rows: &mut [f64]) -> ShapeValue {
        let first = self.n_parameters();
        let n = self.names.len() + first;
        let (mut x, mut x1) = ([0.0; MOST_INPUTS], [0.0; MOST_INPUTS]);
        x[..first].copy_from_slice(&motion.u[..first]);
        x1[..first].copy_from_slice(&motion.u_dot[..first]);
        x[first..n].copy_from_slice(motion.q);
        x1[first..n].copy_from_slice(motion.v);
        let mut out = ShapeValue::default();
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
                rows,
            },
        );
        out
    }
}

/// A mistake of a text, under the field that it is in.
fn told_of(field: &str, problem: Problem, text: &str) -> Fault {
    let mut fault = told(&[problem], text);
    fault.path = field.to_owned();
    fault
}

/// The range of a parameter, as its field says it.
fn domain(field: &str, range: &[String], closed: bool) -> Result<Domain, Fault> {
    let [from, to] = range else {
        let fault = Fault::at(field, format!("has {} entries", range.len()));
        return Err(fault.hint("give two: where it begins, and where it ends"));
    };
    let number = |text: &str| {
        let mut nothing = Nothing;
        let mut scope = Scope::new(&mut nothing);
        let value = scope.expression(text);
        let value = value.map_err(|problem| told_of(field, problem, text))?;
        let [at] = *value.parts() else {
            return Err(Fault::at(field, format!("\"{text}\" is no number")));
        };
        let mut y = [0.0];
        let tape = Tape::new(scope.graph(), &[at], 0);
        let tape = tape.map_err(|problem| Fault::at(field, problem.to_string()))?;
        tape.value(&[], &mut y);
        Ok(y[0])
    };
    let (from, to) = (number(from)?, number(to)?);
    if !(from.is_finite() && to.is_finite() && from < to) {
        let fault = Fault::at(field, format!("goes from {from} to {to}"));
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
            Of::Tangent(k) => &self.tangents[k],
            Of::Along(_) => return ShapeValue::default(),
        };
        let (first, d) = (self.n_parameters(), self.dimension);
        let mut rows = [0.0; MOST_ENTRIES];
        let mut out = self.jet(tape, motion, &mut rows[..tape.n_entries()]);
        let mut at = 0;
        for row in 0..d {
            for &input in tape.pattern(row) {
                match usize::from(input) {
                    input if input < first => out.x_u[input][row] = rows[at],
                    input => entry(row, input - first, rows[at]),
                }
                at += 1;
            }
        }
        out
    }

    fn motion(&self, motion: &ShapeMotion<'_>) -> ShapeValue {
        self.jet(&self.point, motion, &mut [])
    }

    fn place(&self, u: Parameters, q: &[f64]) -> Vec3 {
        let first = self.n_parameters();
        let mut x = [0.0; MOST_INPUTS];
        x[..first].copy_from_slice(&u[..first]);
        x[first..first + q.len()].copy_from_slice(q);
        let mut out = [0.0; 3];
        self.point
            .value(&x[..first + q.len()], &mut out[..self.dimension]);
        out
    }

    fn blame(&self, u: Parameters, q: &[f64]) -> Option<String> {
        let u = &u[..self.n_parameters()];
        let x: Vec<f64> = u.iter().chain(q).copied().collect();
        let blame = self.point.blame(&x)?;
        let at = PARAMETERS.iter().zip(u);
        let at: Vec<String> = at.map(|(name, u)| format!("{name} = {u}")).collect();
        Some(format!("make no point at {}: {blame}", at.join(", ")))
    }
}
