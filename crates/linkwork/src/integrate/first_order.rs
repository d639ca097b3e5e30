//! First-order worlds, `D·v = f + Jᵀ·λ` (Witkin 1990, §2.5): everything stops the moment forces are
//! withdrawn.
//!
//! ```text
//!     J·v = −∂c/∂t      q ← q ⊞ h·v,  then closed along D
//! ```
//!
//! `D` is each body's drag metric, its mass unless it knows better. Where there are soft rows, the
//! whole step is implicit; see `implicit`.

use super::Stage;
use crate::assemble::{Motion, Soft};
use crate::stabilize::{MOST_TURN, most_turn, truncate_rotations};
use crate::world::{Drag, GripRecord};

/// At most so many corrections close a step.
const CLOSINGS: usize = 20;
/// A frame in which bodies would turn too far is split into at most `2^MAX_LEVEL` parts.
const MAX_LEVEL: u8 = 6;
/// After a goal no body goes further than so many times its step.
const REACH: f64 = 6.0;

impl Stage<'_, '_> {
    /// Advances the state by `h`.
    pub(crate) fn first_order(&mut self, h: f64) {
        self.flow(h, MAX_LEVEL);
    }

    /// The same in at most `2^level` parts.
    fn flow(&mut self, h: f64, level: u8) {
        // Forces and rates are those of bodies at rest.
        self.work.state.v.fill(0.0);
        if self.work.has_soft_rows() {
            self.implicit_flow(h, true);
            let reach = self.reach();
            self.close(CLOSINGS, reach);
            return;
        }
        if self.is_still(h) {
            self.close_only(h);
            return;
        }
        self.prepare(Motion::Flow, Soft::Implicit(h), h);
        if self.is_cut_short() {
            // It goes on from the forces it had found. Bodies without momentum do not overshoot by that.
            self.equations.warm.clone_from(&self.work.state.lambda);
        } else {
            self.warm_start(1.0);
        }
        self.solve_flow(h);
        // Taut links turn with the pull: where that is faster than the step it is made implicit.
        self.work
            .impulse
            .copy_from_slice(&self.equations.solution.lambda);
        if self.is_taut(h) && !self.is_spent() {
            let at = (self.world, &self.work.state);
            self.equations.fill(at, Motion::Flow, Soft::Implicit(h));
            self.work.stiffen(&mut self.equations.system, h);
            self.equations.factor(&self.method);
            self.work.forget();
            self.solve_flow(h);
        }
        let work = &mut *self.work;
        let solution = &self.equations.solution;
        work.trial.v.copy_from_slice(&solution.motion);
        work.trial.lambda.copy_from_slice(&solution.lambda);
        for (dq, v) in work.dq.iter_mut().zip(&solution.motion) {
            *dq = h * v;
        }
        let turn = most_turn(self.world, &work.dq);
        if level > 0 && turn > MOST_TURN && !self.is_spent() {
            self.report.refused += 1;
            self.flow(0.5 * h, level - 1);
            self.flow(0.5 * h, level - 1);
            return;
        }
        let work = &mut *self.work;
        if self.meter.ended().is_some() && turn > MOST_TURN {
            // Shortened as a whole: there is nothing left to close what bodies cut one by one would open.
            work.dq.iter_mut().for_each(|dq| *dq *= MOST_TURN / turn);
        }
        truncate_rotations(self.world, &mut work.dq);
        work.trial.q.copy_from_slice(&work.state.q);
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut work.trial.q, &work.dq);
        layout.follow(self.world, &mut work.trial, h);
        work.trial.t = work.state.t + h;
        std::mem::swap(&mut work.state, &mut work.trial);
        self.report.substeps += 1;
        let reach = self.reach();
        self.close(CLOSINGS, reach);
    }

    /// `J·v = −∂c/∂t − c/h`, so that what is open closes within the step. Goals rest meanwhile;
    /// what is to follow them is brought after them when the step closes.
    fn solve_flow(&mut self, h: f64) {
        let work = &mut *self.work;
        let system = &self.equations.system;
        system.right_hand_side(Motion::Flow, &mut work.b);
        for &(row, _) in &work.exact_rows {
            work.b[row as usize] -= system.c[row as usize] / h;
        }
        for &row in &work.held_rows {
            work.b[row as usize] = 0.0;
        }
        self.equations.solve_with_forces(&work.b, &mut self.meter);
    }

    /// How far bodies may go after goals: a few times what the goals went.
    pub(crate) fn reach(&self) -> f64 {
        let mut step = 0.0f64;
        for grip in self.world.grips() {
            if let Ok(record) = self.world.body_record(grip.hand()) {
                let before = &self.world.state().q[record.q_range()];
                let now = &self.work.state.q[record.q_range()];
                let moved = (0..3).map(|k| (now[k] - before[k]).abs());
                step = step.max(moved.fold(0.0, f64::max));
            }
        }
        if step > 0.0 {
            REACH * step
        } else {
            f64::INFINITY
        }
    }

    /// Advances time by `h` and does nothing but close: bodies rest, and joints carry nothing. Only a
    /// hand that pulls is felt, as a spring.
    pub(crate) fn pure_assembly(&mut self, h: f64) {
        self.work.state.v.fill(0.0);
        let pulls = |grip: &GripRecord| matches!(grip.drag(), Drag::Force { .. });
        if self.world.grips().iter().any(pulls) {
            self.implicit_flow(h, false);
            self.work.state.v.fill(0.0);
            self.work.state.lambda.fill(0.0);
            let reach = self.reach();
            self.close(CLOSINGS, reach);
            return;
        }
        self.close_only(h);
    }

    /// Whether nothing pushes and nothing is driven: all there is to do is to close, and a budget is
    /// spent on that alone.
    fn is_still(&mut self, h: f64) -> bool {
        let at = (self.world, &self.work.state);
        self.equations.look(at, Motion::Flow, Soft::Implicit(h));
        let system = &self.equations.probe;
        system.right_hand_side(Motion::Flow, &mut self.work.b);
        for &row in &self.work.held_rows {
            self.work.b[row as usize] = 0.0;
        }
        let is_zero = |numbers: &[f64]| numbers.iter().all(|number| *number == 0.0);
        is_zero(&system.force) && is_zero(&self.work.b)
    }

    /// Time passes and joints close; nothing is carried, so nothing breaks.
    fn close_only(&mut self, h: f64) {
        let work = &mut *self.work;
        work.state.lambda.fill(0.0);
        self.equations.layout.follow(self.world, &mut work.state, h);
        work.state.t += h;
        self.report.substeps += 1;
        let reach = self.reach();
        self.close(CLOSINGS, reach);
    }
}
