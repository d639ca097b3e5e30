//! How forces become motion, and the loads at which joints break.

use super::store::Record;
use super::{ConstraintId, State, World};
use crate::constraint::RowUnit;
use crate::error::{Error, Item, Shown};
use crate::words::words;

/// How forces become motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dynamics {
    /// `M·v̇ = f`: bodies have momentum.
    #[default]
    SecondOrder,
    /// `D·v = f` (Witkin 1990, §2.5): motion stops as soon as forces do.
    FirstOrder,
    /// Only constraints move bodies.
    Assembly,
}

words! {
    Dynamics, "dynamics":
    Self::SecondOrder = Self::SecondOrder, "second-order",
        "Forces cause accelerations, f = m·a: bodies keep moving without them.";
    Self::FirstOrder = Self::FirstOrder, "first-order",
        "Forces cause velocities, f = m·v: everything stops when they do.";
    Self::Assembly = Self::Assembly, "assembly",
        "Forces have no effect: only joints and drags move bodies.";
}

/// The load beyond which a joint breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakLimit {
    /// Largest force, N; infinite for no limit.
    pub force: f64,
    /// Largest torque, N·m; infinite for no limit.
    pub torque: f64,
}

impl World {
    /// How forces become motion.
    pub fn dynamics(&self) -> Dynamics {
        self.dynamics
    }

    /// Switches between second order, first order and pure assembly, at any time.
    pub fn set_dynamics(&mut self, dynamics: Dynamics) {
        if dynamics != self.dynamics {
            self.dynamics = dynamics;
            // The metric of the bodies changes too.
            self.touch();
        }
    }

    /// Lets a joint break (be disabled) after a step in which its load exceeded `limit`; with `None` it does
    /// not break. Angle rows carry torque, all others force.
    pub fn set_break_limit(
        &mut self,
        id: ConstraintId,
        limit: Option<BreakLimit>,
    ) -> Result<(), Error> {
        let record = self.constraints.get_mut(id)?;
        if let Some(BreakLimit { force, torque }) = limit {
            for (field, value) in [("force", force), ("torque", torque)] {
                if value.is_nan() || value <= 0.0 {
                    let problem = format!("is {}; give a number greater than zero", Shown(value));
                    let problem = Error::field(field, problem);
                    return Err(problem.of(Item::Constraint, &record.label));
                }
            }
        }
        record.break_limit = limit;
        Ok(())
    }

    /// The joint's id, force and torque, if its load exceeded its break limit in the last step.
    pub(crate) fn overload(&self, at: usize) -> Option<(ConstraintId, f64, f64)> {
        let record = &self.constraints[at];
        let limit = record.break_limit.filter(|_| record.enabled)?;
        let (mut force, mut torque) = (0.0, 0.0);
        let lambda = &self.state.lambda[record.row_range()];
        for (lambda, unit) in lambda.iter().zip(record.rows()) {
            match unit {
                RowUnit::Radian => torque += lambda * lambda,
                _ => force += lambda * lambda,
            }
        }
        let (force, torque) = (f64::sqrt(force), f64::sqrt(torque));
        (force > limit.force || torque > limit.torque).then_some((record.id, force, torque))
    }

    /// Disables a broken joint.
    pub(crate) fn break_joint(&mut self, id: ConstraintId) {
        if let Some(index) = self.constraints.position(id) {
            let record = &mut self.constraints[index];
            record.enabled = false;
            let lengths = record.lengths();
            self.constraints
                .clear_slices(index, lengths, &mut self.state);
            self.touch();
        }
    }

    /// The only write of a step: the whole state at once. `state` receives the old one.
    pub(crate) fn commit(&mut self, state: &mut State) {
        std::mem::swap(&mut self.state, state);
    }
}
