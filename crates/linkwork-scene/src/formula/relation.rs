//! A formula as a constraint: an equation, an inequality, or a wish.

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Bound, Constraint, RowUnit, Rows};
use linkwork::prelude::*;

use super::tape::{MOST_OUTPUTS, OverConnectors};

/// What a relation asks of its differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sense {
    /// `left == right`: they are zero.
    Zero,
    /// `left <= right`: they are not above zero.
    AtMost,
    /// `left ~ right weight w`: `½·w·|left − right|²` is small.
    Least(f64),
}

/// A relation between numbers of connectors, as it was typed.
#[derive(Clone, Debug)]
pub struct Relation {
    text: Box<str>,
    law: OverConnectors,
    sense: Sense,
    units: [RowUnit; MOST_OUTPUTS],
}

impl Relation {
    pub(super) fn new(text: &str, law: OverConnectors, sense: Sense) -> Self {
        Self {
            text: text.into(),
            law,
            sense,
            units: [RowUnit::Number; MOST_OUTPUTS],
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it asks for.
    pub fn sense(&self) -> Sense {
        self.sense
    }

    fn is_planar(&self) -> bool {
        let flat =
            |kind: &ConnectorKind| matches!(kind, ConnectorKind::Point2 | ConnectorKind::Frame2);
        self.law.kinds().iter().any(flat)
    }
}

impl Constraint for Relation {
    fn inputs(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        match self.is_planar() {
            true => self.law.kinds(),
            false => &[],
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.law.n_outputs()]
    }

    fn validate(&self) -> Result<(), Error> {
        match self.sense {
            Sense::Least(weight) => Error::require_positive("weight", &weight),
            _ => Ok(()),
        }
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        // A stop holds c ≥ 0.
        let sign = if self.sense == Sense::AtMost {
            -1.0
        } else {
            1.0
        };
        let values = self.law.run(t, inputs, |row, input, column, slope| {
            let mut columns = out.dc_dx(input);
            columns.add(row, column, sign * slope);
        });
        for row in 0..self.law.n_outputs() {
            out.c[row] = sign * values.y[row];
            out.c_dot[row] = sign * values.rate[row];
            out.gamma[row] = sign * values.second[row];
        }
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn bound(&self) -> Option<Bound> {
        (self.sense == Sense::AtMost).then_some(Bound::Stop { restitution: 0.0 })
    }
}
