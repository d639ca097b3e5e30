//! A constraint or behavior at the world's present state, through its trait.

use crate::connector::{Connector, Input};
use crate::constraint::Rows;
use crate::error::Error;
use crate::world::{ConnectorValue, ConstraintRecord, World};

/// Outputs of several connectors.
pub(super) fn values(
    world: &World,
    connectors: &[Connector],
) -> Result<Vec<ConnectorValue>, Error> {
    connectors
        .iter()
        .map(|connector| world.connector_value(connector))
        .collect()
}

/// The outputs as a constraint or behavior reads them.
pub(super) fn inputs(values: &[ConnectorValue]) -> Vec<Input<'_>> {
    let mut inputs = vec![];
    for ConnectorValue { kind, x, x_dot } in values {
        inputs.push(Input {
            kind: *kind,
            x,
            x_dot,
        });
    }
    inputs
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
}

impl ConstraintNow {
    /// Evaluates a constraint of `world`.
    pub(super) fn of(world: &World, record: &ConstraintRecord) -> Result<Self, Error> {
        let constraint = record.constraint();
        let values = values(world, record.connectors())?;
        let kinds = record.inputs();
        let n_rows = record.rows().len();
        let n_x_dot: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
        let pushes = constraint.pushes_elsewhere();
        let (mut c, mut c_dot) = (vec![0.0; n_rows], vec![0.0; n_rows]);
        let mut gamma = vec![0.0; n_rows];
        let mut dc_dx = vec![0.0; n_rows * n_x_dot];
        let mut push = vec![0.0; if pushes { n_rows * n_x_dot } else { 0 }];
        let mut out = Rows::new(kinds, &mut c, &mut c_dot, &mut gamma, &mut dc_dx, &mut push);
        constraint.eval(world.state().t, &inputs(&values), &mut out);
        Ok(Self {
            values,
            c,
            c_dot,
            directions: if pushes { push } else { dc_dx },
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
