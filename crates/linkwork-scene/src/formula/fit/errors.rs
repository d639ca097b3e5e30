//! How far a fit is from its table.

use std::any::Any;

use linkwork::connector::Input;
use linkwork::prelude::*;
use linkwork::world::{ConnectorValue, ConstraintRecord};

use super::Fit;

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
    /// The row of the table, from zero.
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

/// How far a joint that is a fit is from its table at this moment; none if it is no fit.
pub fn fit_errors(world: &World, record: &ConstraintRecord) -> Option<FitErrors> {
    let law: &dyn Any = record.constraint();
    let fit = law.downcast_ref::<Fit>()?;
    let values = record.connectors().iter();
    let values = values.map(|own| world.connector_value(own));
    let values: Vec<ConnectorValue> = values.collect::<Result<_, _>>().ok()?;
    let inputs = values.iter().map(|own| Input {
        kind: own.kind,
        x: &own.x,
        x_dot: &own.x_dot,
    });
    let inputs: Vec<Input<'_>> = inputs.collect();
    Some(fit.errors(world.state().t, &inputs))
}

impl Fit {
    fn errors(&self, t: f64, inputs: &[Input<'_>]) -> FitErrors {
        let mut at = self.begin(t, inputs);
        let mut rows = Vec::with_capacity(self.rows.len());
        for (k, row) in self.rows.iter().enumerate() {
            let foot = self.enter(k, &mut at);
            let r = self.differences(&mut at).r;
            rows.push(RowError {
                row: *row as usize,
                error: r.iter().map(|own| own * own).sum::<f64>().sqrt(),
                at: [0, 1].map(|k| self.free.get(k).map(|_| foot.u[k])),
            });
        }
        FitErrors {
            rows,
            n_skipped: self.n_skipped,
        }
    }
}
