//! How well the constraints hold.

use super::instant::ConstraintNow;
use crate::constraint::{Bound, Level, RowUnit};
use crate::error::Error;
use crate::world::{ConstraintId, ConstraintRecord, World};

/// A row that does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RowError {
    /// The row's number within its constraint, from zero.
    pub row: usize,
    /// Its unit, per second if the constraint is one on rates.
    pub unit: RowUnit,
    /// `c`, or `ċ` of a constraint on rates; signed.
    pub value: f64,
}

/// How well a constraint holds: the largest magnitudes among its hard rows.
///
/// A soft row gives way by design; what it holds is in [`Energy::elastic`](super::Energy). So does a motor or friction
/// whose force is bounded. Of a limit only what is beyond it counts. What is not a number counts as infinite.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConstraintError {
    /// The constraint.
    pub id: ConstraintId,
    /// Its label.
    pub label: String,
    /// Its priority: only priority 0 is meant to hold exactly.
    pub priority: u8,
    /// `|c|` of rows in meters.
    pub position: f64,
    /// `|c|` of rows in radians.
    pub angle: f64,
    /// `|c|` of all other rows, each in its own unit (square meters, pure numbers).
    pub other: f64,
    /// `|ċ|` of rows in meters, m/s.
    pub position_rate: f64,
    /// `|ċ|` of rows in radians, rad/s.
    pub angle_rate: f64,
    /// `|ċ|` of all other rows, each in its own unit per second.
    pub other_rate: f64,
    /// The row that is furthest from holding: by `|c|`, by `|ċ|` if the constraint is one on rates.
    /// Numbers are compared as they are: a radian counts as a meter. `None` when all rows are soft.
    pub worst: Option<RowError>,
}

impl ConstraintError {
    /// Magnitude of the worst row; a radian counts as a meter.
    pub fn size(&self) -> f64 {
        self.worst.map_or(0.0, |row| magnitude(row.value))
    }

    fn of(world: &World, record: &ConstraintRecord) -> Result<Self, Error> {
        let now = ConstraintNow::of(world, record)?;
        let on_rates = record.constraint().level() == Level::Velocity;
        let mut error = Self {
            id: record.id(),
            label: record.label().to_owned(),
            priority: record.priority(),
            position: 0.0,
            angle: 0.0,
            other: 0.0,
            position_rate: 0.0,
            angle_rate: 0.0,
            other_rate: 0.0,
            worst: None,
        };
        for (row, &unit) in record.rows().iter().enumerate() {
            if record.compliance()[row] > 0.0 {
                continue;
            }
            let (mut c, mut c_dot) = (now.c[row], now.c_dot[row]);
            match record.constraint().bound() {
                // Only what is beyond a stop is wrong.
                Some(Bound::Stop { .. }) => {
                    c_dot = if c > 0.0 { 0.0 } else { c_dot.min(0.0) };
                    c = c.min(0.0);
                }
                // It gives way by design, as soft rows do.
                Some(Bound::Force { .. }) => continue,
                None => {}
            }
            let (value, rate) = match unit {
                RowUnit::Meter => (&mut error.position, &mut error.position_rate),
                RowUnit::Radian => (&mut error.angle, &mut error.angle_rate),
                RowUnit::SquareMeter | RowUnit::Number => (&mut error.other, &mut error.other_rate),
            };
            *value = value.max(magnitude(c));
            *rate = rate.max(magnitude(c_dot));
            let value = if on_rates { c_dot } else { c };
            if error.worst.is_none() || magnitude(value) > error.size() {
                error.worst = Some(RowError { row, unit, value });
            }
        }
        Ok(error)
    }
}

/// `|value|`, infinite for what is not a number.
fn magnitude(value: f64) -> f64 {
    if value.is_nan() {
        f64::INFINITY
    } else {
        value.abs()
    }
}

impl World {
    /// How well each active constraint holds at the present state, by id.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::new();
    /// let bob = world.add_body_at("bob", Particle { mass: 1.0 }, Pose::at([0.0, 0.03, 0.04]))?;
    /// world.join("hook", Ball, GROUND.at([0.0; 3]), bob.at([0.0; 3]))?;
    /// let errors = world.constraint_errors()?;
    /// assert_eq!(errors[0].label, "hook");
    /// assert_eq!(errors[0].position, 0.04);
    /// # Ok(()) }
    /// ```
    pub fn constraint_errors(&self) -> Result<Vec<ConstraintError>, Error> {
        let mut errors = vec![];
        for record in self.constraints() {
            if self.is_active(record.id())? {
                errors.push(ConstraintError::of(self, record)?);
            }
        }
        Ok(errors)
    }

    /// The active constraint of priority 0 that is furthest from holding, by
    /// [`ConstraintError::size`]; the first of equals. `None` when there is none.
    pub fn worst_constraint_error(&self) -> Result<Option<ConstraintError>, Error> {
        let mut worst: Option<ConstraintError> = None;
        for error in self.constraint_errors()? {
            let worse = worst.as_ref().is_none_or(|w| error.size() > w.size());
            if error.priority == 0 && error.worst.is_some() && worse {
                worst = Some(error);
            }
        }
        Ok(worst)
    }
}
