//! A formula of the time as a path.

use linkwork::constraint::Trajectory;
use linkwork::math::Vec3;
use linkwork_formula::{JetMut, Kind, Motion, Named, Scope, Tape};

use super::told;
use crate::fault::Fault;

/// A point over time, as it was typed; in the plane z is zero.
#[derive(Clone, Debug)]
pub struct PathFormula {
    text: Box<str>,
    tape: Tape,
}

impl PathFormula {
    /// Compiles a vector that depends on `t` and nothing else.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let mut names = vec![("t", Named::Input(Kind::Scalar, 0))];
        let mut scope = Scope::new(&mut names);
        let value = scope
            .expression(text)
            .map_err(|problem| told(&[problem], text))?;
        if value.parts().len() < 2 {
            let fault = Fault::at("is", "is a number, but must be a point");
            return Err(fault.hint("write [x, y] or [x, y, z]"));
        }
        let tape = Tape::new(scope.graph(), value.parts(), 1);
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

    fn jet(&self, t: f64) -> [Vec3; 3] {
        let n = self.tape.n_outputs();
        let mut out = [[0.0; 3]; 3];
        let [y, y1, y2] = &mut out;
        self.tape.jet(
            Motion {
                x: &[t],
                x1: &[1.0],
                x2: &[],
            },
            JetMut {
                y: &mut y[..n],
                y1: &mut y1[..n],
                y2: &mut y2[..n],
                rows: &mut [],
            },
        );
        out
    }
}

impl Trajectory for PathFormula {
    fn position(&self, t: f64) -> Vec3 {
        self.jet(t)[0]
    }

    fn velocity(&self, t: f64) -> Vec3 {
        self.jet(t)[1]
    }

    fn acceleration(&self, t: f64) -> Vec3 {
        self.jet(t)[2]
    }
}
