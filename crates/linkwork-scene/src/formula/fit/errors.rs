//! Errors of a fit.

use std::any::Any;

use linkwork::connector::Input;
use linkwork::prelude::*;
use linkwork::world::{ConnectorValue, ConstraintRecord};

use super::{Fit, Row};
use crate::points::PointPull;

/// How far a fit is from its table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitErrors {
    /// Row by row, without those that are passed over.
    pub rows: Vec<RowError>,
    /// Rows with gaps, which are passed over.
    pub n_skipped: usize,
}

/// How far one row is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowError {
    /// The row of the table, from zero; of points with names, the name by its place among them.
    pub row: usize,
    /// `|left − right|`.
    pub error: f64,
    /// The numbers that the row has of its own, as many as were asked for.
    pub at: [Option<f64>; 2],
}

impl FitErrors {
    /// The root of the mean square.
    pub fn rms(&self) -> f64 {
        let squares = self.rows.iter().map(|own| own.error * own.error);
        (squares.sum::<f64>() / self.rows.len().max(1) as f64).sqrt()
    }

    /// The row that is furthest off.
    pub fn largest(&self) -> Option<RowError> {
        let rows = self.rows.iter().copied();
        rows.reduce(|most, own| if own.error > most.error { own } else { most })
    }
}

/// How far a joint that goes through a table is from it at this moment; none if it goes through none.
pub fn fit_errors(world: &World, record: &ConstraintRecord) -> Option<FitErrors> {
    let law: &dyn Any = record.constraint();
    if !(law.is::<Fit>() || law.is::<PointPull>()) {
        return None;
    }
    let t = world.state().t;
    with_inputs(world, record, |inputs| match law.downcast_ref::<Fit>() {
        Some(fit) => Some(fit.errors(t, inputs)),
        None => Some(law.downcast_ref::<PointPull>()?.errors(t, inputs)),
    })?
}

/// Gives what a joint reads at this moment.
pub(crate) fn with_inputs<T>(
    world: &World,
    record: &ConstraintRecord,
    see: impl FnOnce(&[Input<'_>]) -> T,
) -> Option<T> {
    let values = record.connectors().iter();
    let values = values.map(|own| world.connector_value(own));
    let values: Vec<ConnectorValue> = values.collect::<Result<_, _>>().ok()?;
    let inputs = values.iter().map(|own| Input {
        kind: own.kind,
        x: &own.x,
        x_dot: &own.x_dot,
    });
    let inputs: Vec<Input<'_>> = inputs.collect();
    Some(see(&inputs))
}

impl Fit {
    fn errors(&self, t: f64, inputs: &[Input<'_>]) -> FitErrors {
        let (mut at, mut own) = (self.begin(t, inputs), Row::default());
        let mut rows = Vec::with_capacity(self.rows.len());
        for (k, row) in self.rows.iter().enumerate() {
            let foot = self.enter(k, &mut at, &mut own);
            rows.push(RowError {
                row: *row as usize,
                error: own.r.iter().map(|own| own * own).sum::<f64>().sqrt(),
                at: [0, 1].map(|k| self.free.get(k).map(|_| foot.u[k])),
            });
        }
        FitErrors {
            rows,
            n_skipped: self.n_skipped,
        }
    }
}
