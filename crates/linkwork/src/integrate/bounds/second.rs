//! The second half of a step, where the flight ended: rates obey the law, and velocities jump where something hits.
//!
//! ```text
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + G(q′)ᵀ·(r − r₁))      where contacts last, r ≈ 2·r₁: RATTLE, of second order
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + G(q′)ᵀ·r − G(q)ᵀ·r₁)  elsewhere
//! ```
//!
//! What keeps places apart in the first half is not what pushes. Where contacts begin or end within the step, it is taken
//! back as it was given, along the rows of the start: along others it would turn into speed by as much as rows turn in a
//! step. Such a step is of first order, and gains nothing by what pushes in it:
//!
//! ```text
//!     ΔT = ½·r·(u + u′) = r·u′ − ½·r·W·r ≤ 0      r·u′ ≤ 0 by the law
//! ```
//!
//! What stops do to the energy of any step is known: each impulse times the mean of the rates before and after it. A step
//! in which they put energy in is too long for what spins; at the last depth it is taken the second way.

use super::super::landing::Landing;
use super::super::tolerances::{LASTS, NEAR, TOUCHES};
use super::{BoundedSteps, Try, rest_speed};
use crate::frame::{Cause, Frame};
use crate::system::{BoundedRow, Role, System};

impl BoundedSteps {
    /// Solves for the velocities where the flight ended. Refuses where stops put energy in.
    pub(super) fn land(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        own: &Try,
    ) -> Result<(), Cause> {
        self.choose_at_end(frame.equations.system(), own);
        landing.load_velocities(frame, own.h);
        if self.over.chosen.is_empty() {
            landing.solve_velocities(frame);
            return Ok(());
        }
        for (k, v) in self.motion.iter_mut().enumerate() {
            *v = landing.trial.v[k] - landing.kick[k];
        }
        self.load.copy_from_slice(&landing.force);
        self.over.prepare(frame, own.h);
        self.solve_second(frame, landing, own);
        if self.note_changes(frame) {
            self.solve_second(frame, landing, own);
        }
        self.push_second(frame, landing);
        if self.work_of_stops(frame, landing) <= self.may_gain {
            return Ok(());
        }
        if !own.guard.is_last {
            return Err(Cause::Gain);
        }
        self.lasting.fill(0.0);
        self.solve_second(frame, landing, own);
        self.push_second(frame, landing);
        Ok(())
    }

    fn push_second(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing) {
        let system = frame.equations.system();
        self.over
            .push(system, &self.over.impulse, &mut landing.force);
        landing.solve_velocities(frame);
    }

    /// Who takes part where the flight ended: servos, and what pushed or touches. Notes what was not there before.
    fn choose_at_end(&mut self, system: &System, own: &Try) {
        // A step that ends at a hit may end a little before it.
        let near = if own.rebounds { NEAR } else { TOUCHES };
        self.over.chosen.clear();
        self.lasting.copy_from_slice(&self.first);
        let mut is_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            let pushed = |n: usize| self.first[at..=at + n].iter().any(|r| *r != 0.0);
            is_chosen = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => is_chosen,
                Role::Stop { .. } => pushed(0) || row.gap(system) < near,
                Role::Normal { n_across, .. } => pushed(n_across) || row.gap(system) < near,
            };
            if is_chosen {
                self.over.chosen.push(at);
            }
        }
    }

    /// Impulses of the whole step, with what lasts taken back along the rows of the end.
    fn solve_second(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, own: &Try) {
        landing.force.copy_from_slice(&self.load);
        let (system, start) = (frame.equations.system(), frame.equations.probe());
        for &at in &self.over.chosen {
            let back = self.first[at] - self.lasting[at];
            if back != 0.0 {
                start.bounded[at].push(start, -back, &mut landing.force);
            }
            system.bounded[at].push(system, -self.lasting[at], &mut landing.force);
        }
        self.over.bound(system, own.h);
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

    /// Notes in which islands what pushes did not last, by what it does: rows that repeat each other may share it otherwise.
    /// Whether there is any.
    fn note_changes(&mut self, frame: &mut Frame<'_, '_>) -> bool {
        let (first, whole) = (&self.first, &self.whole);
        self.over
            .respond_freely(frame, |i, at| whole[i] - 2.0 * first[at]);
        self.off.clear();
        self.off.extend_from_slice(&self.over.left);
        self.over.respond_freely(frame, |i, _| whole[i]);
        let largest = |rates: &[f64], rows: &[u32]| {
            let rates = rows.iter().map(|&i| rates[i as usize].abs());
            rates.fold(0.0, f64::max)
        };
        let mut any = false;
        for rows in self.over.islands() {
            let off = largest(&self.off, rows);
            if off > LASTS * largest(&self.over.left, rows) {
                for &i in rows {
                    self.lasting[self.over.chosen[i as usize]] = 0.0;
                }
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
            self.whole.clone_from(self.blow.lasting());
        } else {
            self.solve_bounded(frame);
            self.whole.clone_from(&self.over.impulse);
        }
    }

    /// The energy that stops put into a step, J. The state is where it began; velocities were solved for.
    fn work_of_stops(&self, frame: &Frame<'_, '_>, landing: &Landing) -> f64 {
        let (system, start) = (frame.equations.system(), frame.equations.probe());
        let (before, solved) = (&frame.state.v, &frame.equations.solution().motion);
        let (kick, flown) = (&landing.kick, &self.motion);
        let now = |k: usize| landing.trial.v[k] + solved[k];
        // Rates of rows, of the mean of the velocities before and after an impulse; those they were filled with are off by
        // the rest.
        let given = |row: &BoundedRow| row.rate(start) + row.motion_by(start, |k| 0.5 * kick[k]);
        let at_start = |row: &BoundedRow| {
            row.rate(start) + row.motion_by(start, |k| 0.5 * (flown[k] + now(k)) - before[k])
        };
        let at_end = |row: &BoundedRow| {
            row.rate(system) + row.motion_by(system, |k| 0.5 * (now(k) - flown[k]) - kick[k])
        };
        let mut work = 0.0;
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &system.bounded[at];
            if !(row.is_stop() || row.role == Role::Across) {
                continue;
            }
            let (r, first, lasting) = (self.over.impulse[i], self.first[at], self.lasting[at]);
            work += (r - lasting) * at_end(row);
            if first != 0.0 {
                work += first * given(row);
            }
            if lasting != first {
                work += (lasting - first) * at_start(row);
            }
        }
        work
    }
}
