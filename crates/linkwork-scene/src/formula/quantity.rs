//! A formula as a block: what is worked out of connectors, and is a connector again.

use linkwork::block::{Block, BlockMut};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::prelude::*;

use super::tape::OverConnectors;

/// A number, a point or a direction that is worked out of others, as it was typed.
#[derive(Clone, Debug)]
pub struct Quantity {
    text: Box<str>,
    law: OverConnectors,
    outputs: [ConnectorKind; 1],
}

impl Quantity {
    pub(super) fn new(text: &str, law: OverConnectors, kind: ConnectorKind) -> Self {
        Self {
            text: text.into(),
            law,
            outputs: [kind],
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a number, a point or a direction.
    pub fn kind(&self) -> ConnectorKind {
        self.outputs[0]
    }
}

impl Block for Quantity {
    fn inputs(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &self.outputs
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>) {
        let before = self.law.columns_before();
        let values = self.law.run(t, inputs, |row, input, column, slope| {
            out.D.add(row, before[input] + column, slope);
        });
        let n = self.law.n_outputs();
        out.x.copy_from_slice(&values.y[..n]);
        out.x_dot.copy_from_slice(&values.rate[..n]);
        out.gamma.copy_from_slice(&values.second[..n]);
    }

    fn blame(&self, t: f64, given: &[f64]) -> Option<String> {
        self.law.blame(t, given, &self.text)
    }
}
