//! Objectives of a world, and what is at its bound.

use super::instant::ConstraintNow;
use crate::constraint::Bound;
use crate::error::Error;
use crate::world::{ConstraintId, ConstraintRecord, World};

/// An objective at the present state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Objective {
    /// The constraint that it is.
    pub constraint: ConstraintId,
    /// What it makes small.
    pub value: f64,
    /// How steep that is: the largest of its derivatives by the numbers of its connectors.
    pub slope: f64,
}

/// A limit or an inequality that pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AtBound {
    /// The constraint.
    pub constraint: ConstraintId,
    /// Which of its rows.
    pub row: usize,
    /// What it pushes with: what would be gained for each unit by which the bound gave way.
    pub force: f64,
}

impl World {
    /// The objectives that are active, at the present state.
    pub fn objectives(&self) -> Result<Vec<Objective>, Error> {
        let mut all = Vec::new();
        for record in self.constraints() {
            if record.constraint().is_objective() && self.is_active(record.id())? {
                all.push(self.objective(record)?);
            }
        }
        Ok(all)
    }

    fn objective(&self, record: &ConstraintRecord) -> Result<Objective, Error> {
        let now = ConstraintNow::of(self, record)?;
        let mut lambda = Vec::with_capacity(now.c.len());
        let mut squares = 0.0;
        for (c, &alpha) in now.c.iter().zip(record.compliance()) {
            let pull = if alpha > 0.0 { c / alpha } else { 0.0 };
            squares += 0.5 * c * pull;
            lambda.push(pull);
        }
        let slopes = (0..now.values.len()).flat_map(|input| now.force_on(input, &lambda));
        Ok(Objective {
            constraint: record.id(),
            value: now.energy.unwrap_or(squares),
            slope: slopes.fold(0.0f64, |most, own| most.max(own.abs())),
        })
    }

    /// Limits and inequalities that pushed in the last step, or at the minimum that was found.
    pub fn at_bounds(&self) -> Vec<AtBound> {
        let mut all = Vec::new();
        let records = self.constraints().iter();
        let stops =
            records.filter(|own| matches!(own.constraint().bound(), Some(Bound::Stop { .. })));
        for record in stops {
            for (row, at) in record.row_range().enumerate() {
                let force = self.state().lambda[at];
                if force > 0.0 {
                    let constraint = record.id();
                    all.push(AtBound {
                        constraint,
                        row,
                        force,
                    });
                }
            }
        }
        all
    }
}
