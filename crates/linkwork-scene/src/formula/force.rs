//! A formula as a behavior: an energy that pushes down its slope, or a force.

use linkwork::behavior::{Behavior, Forces};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::prelude::*;

use super::tape::OverConnectors;

/// What was typed: an energy `E`, which pushes with `−∂E/∂x`, or the force on the first connector.
#[derive(Clone, Debug)]
pub struct FormulaForce {
    text: Box<str>,
    law: OverConnectors,
    is_energy: bool,
}

impl FormulaForce {
    pub(super) fn new(text: &str, law: OverConnectors, is_energy: bool) -> Self {
        Self {
            text: text.into(),
            law,
            is_energy,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is an energy.
    pub fn is_energy(&self) -> bool {
        self.is_energy
    }
}

impl Behavior for FormulaForce {
    fn inputs(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        if self.is_energy {
            self.law.run(t, inputs, |_, input, column, slope| {
                out.on(input)[column] -= slope;
            });
            return;
        }
        let values = self.law.run(t, inputs, |_, _, _, _| {});
        let n = self.law.n_outputs();
        for (out, force) in out.on(0).iter_mut().zip(&values.y[..n]) {
            *out += force;
        }
    }

    fn energy(&self, t: f64, inputs: &[Input<'_>]) -> f64 {
        match self.is_energy {
            true => self.law.run(t, inputs, |_, _, _, _| {}).y[0],
            false => 0.0,
        }
    }

    fn changes_with_motion(&self) -> bool {
        !self.is_energy
    }
}
