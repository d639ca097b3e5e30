//! The second half of a step, at the positions where the flight ended: rates within bounds, or a blow.

use super::super::rattle::Rattle;
use super::super::tolerances::{LEFT, NEAR, TOUCHES};
use super::{BoundedSteps, Try};
use crate::frame::Frame;
use crate::system::{Role, System};

impl BoundedSteps {
    /// The second half, where the flight ended.
    pub(super) fn land(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, own: &Try) {
        let (h, landing) = (own.h, &mut rattle.landing);
        landing.load_velocities(frame, h);
        let system = frame.equations.system();
        self.choose_at_end(system, own);
        if self.over.chosen.is_empty() {
            landing.solve_velocities(frame);
        } else {
            // Without what bounded rows did in the first half, of which the whole step is the law.
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                system.bounded[at].push(system, -self.first[at], &mut landing.force);
            }
            self.turn_soft(frame.equations.system());
            self.over.prepare_giving(frame, h, &self.gives);
            landing.solve_velocities(frame);
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            self.lead.ask(system, &self.over, h);
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                let row = &system.bounded[at];
                self.over.rate[i] = row.rate(system) + row.motion(system, &solution.motion);
                if row.is_hand() {
                    self.over.rate[i] += self.lead.rate(at);
                }
                if let Some(rule) = self.rules[at] {
                    let then = row.gap(system);
                    self.over.rate[i] += rule.landing(self.gap[at], then, self.first[at]);
                }
                self.over.impulse[i] = 2.0 * self.first[at];
            }
            self.strike_or_solve(frame, own);
            let system = frame.equations.system();
            self.see_change(system, own);
            self.over
                .push(system, &self.over.impulse, &mut landing.force);
            landing.solve_velocities(frame);
            self.note_second_work(frame, landing);
        }
        landing.take_velocities(frame, h);
        self.write_forces(frame, h);
    }

    /// Chooses the rows that take part where the step ends.
    pub(super) fn choose_at_end(&mut self, system: &System, own: &Try) {
        // A step that ends at a hit may end a little before it.
        let near = if own.rebounds { NEAR } else { TOUCHES };
        self.over.chosen.clear();
        let mut was_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            let takes_part = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => was_chosen,
                Role::Stop { .. } | Role::Normal { .. } => {
                    // What gives way and was not met pushes in the next step.
                    let is_known = row.is_hard_stop(system) || self.rules[at].is_some();
                    is_known && (self.first[at] > 0.0 || row.gap(system) < near)
                }
            };
            was_chosen = takes_part;
            if takes_part {
                self.over.chosen.push(at);
            }
        }
    }

    /// A blow if the step ends at one; otherwise rates within bounds. A hit on a curved path, or within round-off of
    /// the end of the step, was not located: a row that bounces hits where the step ends.
    pub(super) fn strike_or_solve(&mut self, frame: &mut Frame<'_, '_>, own: &Try) {
        let mut any = false;
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &frame.equations.system().bounded[at];
            let is_new = row.is_hard_stop(frame.equations.system()) && self.gap[at] > TOUCHES;
            let (a, u) = (self.slope[at], self.over.rate[i]);
            let is_fast = match own.rebounds {
                true => u < -rest_speed(own, a, u),
                false => own.locates && row.role.restitution() > Some(0.0) && hits(own, a, u),
            };
            self.is_hit[at] = is_new && is_fast;
            any |= self.is_hit[at];
        }
        self.struck = any;
        if any {
            self.strike(frame);
        } else {
            self.solve_bounded(frame);
        }
    }

    /// A blow of the rows that are hit.
    pub(super) fn strike(&mut self, frame: &mut Frame<'_, '_>) {
        self.blow.begin(&self.over);
        let at = (frame.equations.system(), &mut *frame.meter);
        let mut left = self.blow.strike(at, &mut self.over, &self.is_hit);
        if self.over.has_missed() {
            self.blow.begin_again(&mut self.over);
            self.over.lay_on_factor(frame);
            let at = (frame.equations.system(), &mut *frame.meter);
            left = self.blow.strike(at, &mut self.over, &self.is_hit);
        }
        frame.log.law_error = frame.log.law_error.max(left);
    }

    /// Impulses of the step become forces.
    pub(super) fn write_forces(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let system = frame.equations.system();
        self.first.fill(0.0);
        for (i, row) in self.over.iter(system) {
            let force = row.scale(system) * self.over.impulse[i] / h;
            self.first[self.over.chosen[i]] = force;
        }
        for (row, force) in system.bounded.iter().zip(&self.first) {
            if let Some(row) = row.row() {
                frame.state.lambda[row] = *force;
            }
        }
        let forces = system.bounded.iter().zip(&self.first);
        let of_touches = forces.filter_map(|(row, force)| Some((row.touch()?, *force)));
        system.write_touching(of_touches, &mut frame.state.touching);
        frame.equations.remember_contacts(&frame.state.touching);
    }
}

/// A row that approaches more slowly comes to rest: its bounce would be shorter than a sub-step, m/s.
pub(super) fn rest_speed(own: &Try, acceleration: f64, speed: f64) -> f64 {
    let bounce = 0.5 * acceleration.abs() * own.h.max(own.dt / 8.0);
    bounce.max(1e-6 * speed.abs())
}

/// Whether a row that touches approaches too fast to be stopped without a blow.
pub(super) fn hits(own: &Try, acceleration: f64, speed: f64) -> bool {
    speed < -rest_speed(own, acceleration, speed).max(LEFT)
}
