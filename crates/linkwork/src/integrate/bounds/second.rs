//! The second half of a step, where the flight ended: rates obey the law, and velocities jump where something hits.
//!
//! ```text
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + G(q′)ᵀ·r − G(q)ᵀ·r₁  or  G(q′)ᵀ·(r − r₁))
//! ```
//!
//! Impulses of the first half are taken back along the rows of the end where a contact lasts: that is RATTLE, of second
//! order. Where it was not there before, or opens, they only kept places apart: they are taken back as they were
//! given, along the rows of the start. Else what the rows turned by would become speed.
//!
//! What stops do to the energy of a step is known: each impulse times the mean of the rates before and after it. They
//! can put energy in only where the step is too long to follow what spins.

use super::super::landing::Landing;
use super::super::tolerances::{NEAR, TOUCHES};
use super::{BoundedSteps, Try, rest_speed};
use crate::frame::Frame;
use crate::system::{BoundedRow, Role, System};

impl BoundedSteps {
    /// Velocities where the flight ended.
    pub(super) fn land(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, own: &Try) {
        let h = own.h;
        self.choose_at_end(frame.equations.system(), own);
        landing.load_velocities(frame, h);
        for (k, v) in self.motion.iter_mut().enumerate() {
            *v = landing.trial.v[k] - landing.kick[k];
        }
        if self.over.chosen.is_empty() {
            landing.solve_velocities(frame);
        } else {
            // Without what bounded rows did in the first half: the law of a step is on the whole of it.
            let (system, start) = (frame.equations.system(), frame.equations.probe());
            for &at in &self.over.chosen {
                let rows = if self.is_back[at] { start } else { system };
                rows.bounded[at].push(rows, -self.first[at], &mut landing.force);
            }
            self.over.prepare(frame, h);
            self.solve_second(frame, landing, own);
            if self.note_open(frame, landing) {
                self.over.bound(frame.equations.system(), h);
                self.solve_second(frame, landing, own);
            }
            let system = frame.equations.system();
            self.over
                .push(system, &self.over.impulse, &mut landing.force);
            landing.solve_velocities(frame);
        }
        landing.take_velocities(frame, h);
    }

    /// Who takes part where the flight ended: servos, and what pushed or touches. Notes what was not there before.
    fn choose_at_end(&mut self, system: &System, own: &Try) {
        // A step that ends at a hit may end a little before it.
        let near = if own.rebounds { NEAR } else { TOUCHES };
        self.over.chosen.clear();
        let (mut is_chosen, mut is_back) = (false, false);
        for (at, row) in system.bounded.iter().enumerate() {
            let pushed = |n: usize| self.first[at..=at + n].iter().any(|r| *r != 0.0);
            is_chosen = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => is_chosen,
                Role::Stop { .. } => pushed(0) || row.gap(system) < near,
                Role::Normal { n_across, .. } => pushed(n_across) || row.gap(system) < near,
            };
            is_back = match row.role {
                Role::Across => is_back,
                _ => row.is_stop() && self.gap[at] > NEAR,
            };
            self.is_back[at] = is_back;
            if is_chosen {
                self.over.chosen.push(at);
            }
        }
    }

    /// Impulses of the whole step, on what the load does without them.
    fn solve_second(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, own: &Try) {
        landing.solve_velocities(frame);
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.lead.ask(system, &self.over, own.h);
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let row = &system.bounded[at];
            self.over.rate[i] = row.rate(system) + row.motion(system, &solution.motion);
            if row.is_hand() {
                self.over.rate[i] += self.lead.rate(at);
            }
            self.over.impulse[i] = 2.0 * self.first[at];
        }
        self.strike_or_solve(frame, own);
    }

    /// What lasted and pushes less than in the first half alone opens: what it did is taken back along the rows of the
    /// start. Whether there is any.
    fn note_open(&mut self, frame: &Frame<'_, '_>, landing: &mut Landing) -> bool {
        let (system, start) = (frame.equations.system(), frame.equations.probe());
        let (mut any, mut opens) = (false, false);
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &system.bounded[at];
            opens = match row.role {
                Role::Across => opens,
                _ => row.is_stop() && !self.is_back[at] && self.over.impulse[i] < self.first[at],
            };
            if opens {
                self.is_back[at] = true;
                row.push(system, self.first[at], &mut landing.force);
                start.bounded[at].push(start, -self.first[at], &mut landing.force);
                any = true;
            }
        }
        any
    }

    /// A blow where the step ends at one; else rates as bounds allow.
    fn strike_or_solve(&mut self, frame: &mut Frame<'_, '_>, own: &Try) {
        let mut any = false;
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &frame.equations.system().bounded[at];
            let is_new = row.is_stop() && self.gap[at] > TOUCHES;
            let u = self.over.rate[i];
            let slow = rest_speed(own, 2.0 * self.change[at] / own.h, u);
            self.is_hit[at] = own.rebounds && is_new && u < -slow;
            any |= self.is_hit[at];
        }
        if any {
            let system = frame.equations.system();
            let at = (system, &mut frame.meter);
            let left = self.blow.strike(at, &mut self.over, &self.is_hit);
            frame.log.law_error = frame.log.law_error.max(left);
        } else {
            self.solve_bounded(frame);
        }
    }

    /// The energy that stops put into a step, J. The step was taken: the trial is where it began, and `v½′` where it flew to.
    pub(super) fn work_of_stops(&self, frame: &Frame<'_, '_>, landing: &Landing) -> f64 {
        let (system, start) = (frame.equations.system(), frame.equations.probe());
        let (before, now) = (&landing.trial.v, &frame.state.v);
        let (kick, flown) = (&landing.kick, &self.motion);
        // Rates of rows, of the mean of the velocities before and after an impulse; those they were filled with are off by
        // the rest.
        let given = |row: &BoundedRow| row.rate(start) + row.motion_by(start, |k| 0.5 * kick[k]);
        let at_start = |row: &BoundedRow| {
            row.rate(start) + row.motion_by(start, |k| 0.5 * (flown[k] + now[k]) - before[k])
        };
        let at_end = |row: &BoundedRow| {
            row.rate(system) + row.motion_by(system, |k| 0.5 * (now[k] - flown[k]) - kick[k])
        };
        let mut work = 0.0;
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &system.bounded[at];
            if !(row.is_stop() || row.role == Role::Across) {
                continue;
            }
            let (r, first) = (self.over.impulse[i], self.first[at]);
            let end = at_end(row);
            work += r * end;
            if first != 0.0 {
                let back = if self.is_back[at] { at_start(row) } else { end };
                work += first * (given(row) - back);
            }
        }
        work
    }
}
