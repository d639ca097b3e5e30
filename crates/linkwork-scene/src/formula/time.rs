//! A formula of the time, as a drive has it.

use linkwork::constraint::DriveFunction;
use linkwork_formula::{JetMut, Kind, Motion, Named, Scope, Tape};

use super::told;
use crate::fault::Fault;

/// `f(t)`, as it was typed.
#[derive(Clone, Debug)]
pub struct TimeFormula {
    text: Box<str>,
    tape: Tape,
}

impl TimeFormula {
    /// Compiles a number that depends on `t` and nothing else.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let mut names = vec![("t", Named::Input(Kind::Scalar, 0))];
        let mut scope = Scope::new(&mut names);
        let value = scope
            .expression(text)
            .map_err(|problem| told(&[problem], text))?;
        let [at] = *value.parts() else {
            return Err(Fault::at("is", "is a vector, but must be a number"));
        };
        let tape = Tape::new(scope.graph(), &[at], 1);
        let tape = tape.map_err(|problem| Fault::at("is", problem.to_string()))?;
        Ok(Self {
            text: text.into(),
            tape,
        })
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn jet(&self, t: f64) -> [f64; 3] {
        let (mut y, mut y1, mut y2) = ([0.0], [0.0], [0.0]);
        let motion = Motion {
            x: &[t],
            x1: &[1.0],
            x2: &[],
        };
        let out = JetMut {
            y: &mut y,
            y1: &mut y1,
            y2: &mut y2,
            rows: &mut [],
        };
        self.tape.jet(motion, out);
        [y[0], y1[0], y2[0]]
    }
}

impl DriveFunction for TimeFormula {
    fn value(&self, t: f64) -> f64 {
        self.jet(t)[0]
    }

    fn rate(&self, t: f64) -> f64 {
        self.jet(t)[1]
    }

    fn acceleration(&self, t: f64) -> f64 {
        self.jet(t)[2]
    }
}
