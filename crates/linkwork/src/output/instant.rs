//! A constraint at the world's present state, through its trait.

use crate::connector::Input;
use crate::constraint::Evaluation;
use crate::error::Error;
use crate::world::{ConnectorValue, ConstraintRecord, World};

/// The outputs as a constraint or behavior reads them.
pub(super) fn inputs(values: &[ConnectorValue]) -> Vec<Input<'_>> {
    values.iter().map(ConnectorValue::input).collect()
}

/// The rows of a constraint at one instant.
pub(super) struct ConstraintNow {
    /// Outputs of its connectors.
    pub(super) values: Vec<ConnectorValue>,
    /// `c`, one per row.
    pub(super) c: Vec<f64>,
    /// `ċ`, one per row.
    pub(super) c_dot: Vec<f64>,
    /// `∂c/∂x` per input, or the push directions in their place.
    directions: Vec<f64>,
    /// What an objective makes small, unless that is a sum of squares of its rows.
    pub(super) energy: Option<f64>,
}

impl ConstraintNow {
    /// Evaluates a constraint of `world`.
    pub(super) fn of(world: &World, record: &ConstraintRecord) -> Result<Self, Error> {
        let constraint = record.constraint();
        let values = world.connector_values(record.connectors())?;
        let turns = world.counter(record.angle0);
        let now = Evaluation::of(constraint, world.state().t, &inputs(&values), turns);
        let pushes = constraint.pushes_elsewhere();
        Ok(Self {
            values,
            c: now.c,
            c_dot: now.c_dot,
            directions: if pushes { now.push } else { now.dc_dx },
            energy: now.energy,
        })
    }

    /// `(∂c/∂x)ᵀ·λ` for one input: the force conjugate to its rate `ẋ`.
    pub(super) fn force_on(&self, input: usize, lambda: &[f64]) -> Vec<f64> {
        let before = &self.values[..input];
        let start: usize = before.iter().map(|value| value.x_dot.len()).sum();
        let n = self.values[input].x_dot.len();
        let mut force = vec![0.0; n];
        let rows = self.directions[start * lambda.len()..].chunks_exact(n);
        for (row, lambda) in rows.zip(lambda) {
            for (force, direction) in force.iter_mut().zip(row) {
                *force += direction * lambda;
            }
        }
        force
    }
}
