//! A formula as a behavior: an energy that pushes down its slope, or a force.

use linkwork::behavior::{Behavior, Forces};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::prelude::*;

use super::tape::OverConnectors;

/// `E`, as it was typed: pushes with `−∂E/∂x`.
#[derive(Clone, Debug)]
pub struct Potential {
    text: Box<str>,
    law: OverConnectors,
}

impl Potential {
    pub(super) fn new(text: &str, law: OverConnectors) -> Self {
        Self {
            text: text.into(),
            law,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Behavior for Potential {
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
        self.law.run(t, inputs, |_, input, column, slope| {
            out.on(input)[column] -= slope;
        });
    }

    fn energy(&self, t: f64, inputs: &[Input<'_>]) -> f64 {
        self.law.run(t, inputs, |_, _, _, _| {}).y[0]
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}

/// A force on its first connector, as it was typed.
#[derive(Clone, Debug)]
pub struct ForceLaw {
    text: Box<str>,
    law: OverConnectors,
}

impl ForceLaw {
    pub(super) fn new(text: &str, law: OverConnectors) -> Self {
        Self {
            text: text.into(),
            law,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Behavior for ForceLaw {
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
        let values = self.law.run(t, inputs, |_, _, _, _| {});
        let n = self.law.n_outputs();
        for (out, force) in out.on(0).iter_mut().zip(&values.y[..n]) {
            *out += force;
        }
    }
}
