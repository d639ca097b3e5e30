//! The energy that stops and friction put into a step. They should put in none, so it serves as an alarm.
//!
//! ```text
//!     W = ½·r₁·(u + u½) + ½·(r − r₁)·(u½′ + u′)
//! ```
//!
//! with the rates of the rows before and after each half: the change of kinetic energy by their impulses. A lasting
//! contact gives and takes a little, of second order. But where bodies are jammed, the first half pushes far more than
//! the whole step needs; the second half takes that back along the rows of the end, and the difference becomes speed.
//!
//! A blow belongs to the end of the step. With rates before the forces of the second half, a blow with e near 1 would
//! seem to put in `r·g·h/4`.
//!
//! What others put in through bounded rows goes to `frame::growth`. A row changes by `u = G·v + ∂c/∂t`, where `∂c/∂t`
//! is prescribed: a belt, a stop that is moved. Bodies gain `r·G·v`, with means as above, and of that
//!
//! ```text
//!     −r·∂c/∂t      where a stop pushes or friction holds;  the rest, r·u, is dissipated
//!      r·G·v        where a motor or a hand pulls, or a contact returns what it took
//! ```

use super::super::landing::Landing;
use super::super::rattle::Rattle;
use super::super::tolerances::{LEANS, PUT_IN};
use super::BoundedSteps;
use crate::frame::Frame;
use crate::system::{BoundedRow, Role, System};

/// The work in one step so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// By stops and friction, J.
    put_in: f64,
    /// The sum of the impulses, N·s.
    impulse: f64,
    /// By prescribed bodies, motors and hands, and by soft rows, which return what they took before, J.
    pub(super) supplied: f64,
}

impl Work {
    /// Whether stops and friction put in more than a small part of the kinetic energy before the step.
    pub(super) fn is_too_much(&self, kinetic: f64) -> bool {
        self.put_in > PUT_IN * kinetic + LEANS * self.impulse
    }
}

/// Whether a row must not put energy in. Soft rows return what they took.
fn is_passive(system: &System, row: &BoundedRow) -> bool {
    row.is_hard_stop(system) || row.role == Role::Across
}

impl BoundedSteps {
    /// Begins the account with the first half, on the rows where the step begins.
    pub(super) fn note_first_work(&mut self, system: &System, rattle: &Rattle, v: &[f64]) {
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = 0.5 * (rattle.v_half[k] - v[k]);
        }
        self.work = Work::default();
        for (at, row) in system.bounded.iter().enumerate() {
            let r = self.first[at];
            if r == 0.0 {
                continue;
            }
            let work = r * (self.rate[at] + row.motion(system, &self.motion));
            self.work.supplied -= r * (self.rate[at] - row.motion(system, v));
            if is_passive(system, row) {
                self.work.put_in += work;
            } else {
                self.work.supplied += work;
            }
        }
    }

    /// Adds the second half, whose velocities were solved for and not taken yet.
    pub(super) fn note_second_work(&mut self, frame: &Frame<'_, '_>, landing: &Landing) {
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        // The trial holds the kick once more than it was. A blow comes after all forces: at its beginning rates are
        // those of the trial.
        let kicked = if self.struck { 0.0 } else { 1.0 };
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = 0.5 * (solution.motion[k] - kicked * landing.kick[k]);
        }
        for (i, row) in self.over.iter(system) {
            let (r, first) = (self.over.impulse[i], self.first[self.over.chosen[i]]);
            let rate = row.rate(system) + row.motion(system, &self.motion);
            let led = row.rate(system) - row.motion(system, &landing.trial.v);
            self.work.supplied -= (r - first) * led;
            if is_passive(system, row) {
                self.work.put_in += (r - first) * rate;
                self.work.impulse += r.abs().max(first.abs());
            } else {
                self.work.supplied += (r - first) * rate;
            }
        }
    }

    /// The energy supplied by a jump of velocities that was solved for and not taken yet, J.
    pub(super) fn supplied_by_jump(&self, frame: &Frame<'_, '_>) -> f64 {
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        let mut supplied = 0.0;
        for (i, row) in self.over.iter(system) {
            let moved = row.motion(system, &frame.state.v);
            let supplying = match is_passive(system, row) {
                true => moved - row.rate(system),
                false => moved + 0.5 * row.motion(system, &solution.motion),
            };
            supplied += self.over.impulse[i] * supplying;
        }
        supplied
    }
}
