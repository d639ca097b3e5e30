//! Puts the states of other schemes within bounds, and decides whether bounds act in a frame at all.

use super::super::tolerances::{LATE, NEAR};
use super::second::hits;
use super::{BoundedSteps, Try};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::system::Role;

impl BoundedSteps {
    /// Puts the velocities of the state within what stops and servos allow in `h` seconds, without rebound.
    pub(super) fn put_between(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.find_contacts(frame, h);
        self.jump(frame, h, None);
        self.write_forces(frame, h);
    }

    /// A blow where a step begins, of rows that touch and approach too fast to be stopped without one. No time passes:
    /// only stops and their friction act.
    pub(super) fn strike_at_start(&mut self, frame: &mut Frame<'_, '_>, own: &Try) {
        self.jump(frame, own.h, Some(own));
    }

    /// Changes velocities at the present positions: by a blow of the rows that approach fast, or to what bounds allow
    /// in `h` seconds.
    fn jump(&mut self, frame: &mut Frame<'_, '_>, h: f64, blow: Option<&Try>) {
        frame.prepare(Motion::Velocity, Soft::Absent);
        let system = frame.equations.system();
        self.over.chosen.clear();
        let mut was_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            was_chosen = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => blow.is_none(),
                Role::Across => was_chosen,
                Role::Stop { .. } | Role::Normal { .. } => row.gap(system) <= NEAR,
            };
            if was_chosen {
                self.over.chosen.push(at);
            }
        }
        if !self.over.chosen.is_empty() {
            self.over.prepare(frame, h);
            let system = frame.equations.system();
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                let row = &system.bounded[at];
                let u = row.rate(system);
                self.over.rate[i] = u;
                self.over.impulse[i] = 0.0;
                if let Some(own) = blow {
                    self.is_hit[at] = row.is_hard_stop(system) && hits(own, self.slope[at], u);
                }
            }
            match blow {
                Some(_) => self.strike(frame),
                None => self.solve_bounded(frame),
            }
            self.load.fill(0.0);
            let system = frame.equations.system();
            self.over.push(system, &self.over.impulse, &mut self.load);
            let request = Request {
                load: Load::Given(&self.load),
                ..Request::default()
            };
            frame.equations.solve(request, frame.meter);
            frame.log.supplied += self.supplied_by_jump(frame);
            let motion = &frame.equations.solution().motion;
            for (v, y) in frame.state.v.iter_mut().zip(motion) {
                *v += y;
            }
            if blow.is_some() {
                self.note_blow(frame);
            }
        }
        frame.measured.rates_hold = false;
    }
}

impl BoundedSteps {
    /// Notes the impulses of a blow where a step begins, of joints too.
    fn note_blow(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.equations.system();
        self.pushed
            .add_rows(&frame.equations.solution().lambda, 1.0);
        self.first.fill(0.0);
        for (i, row) in self.over.iter(system) {
            let impulse = row.scale(system) * self.over.impulse[i];
            self.first[self.over.chosen[i]] = impulse;
            if let Some(row) = row.row() {
                self.pushed.add_row(row, impulse);
            }
        }
        let impulses = system.bounded.iter().zip(&self.first);
        let of_touches = impulses.filter_map(|(row, impulse)| Some((row.touch()?, *impulse)));
        system.write_touching(of_touches, &mut self.pushed.struck);
        self.pushed.add_struck();
    }
}

/// Finds contacts, and whether no bound can act within a frame: all bounded rows are stops, and none is near. Such a
/// frame is taken without bounds, by the scheme that is better at whips and springs.
pub(in super::super) fn find_far(frame: &mut Frame<'_, '_>, dt: f64) -> bool {
    if frame.equations.layout.has_colliders() {
        frame
            .equations
            .find_contacts((frame.world, frame.state), dt);
    }
    let probe = frame.fill_probe(Motion::Velocity, Soft::Rows);
    probe.bounded.iter().all(|row| {
        let gap = row.gap(probe);
        let is_far = row.is_stop() && gap > NEAR && gap + 1.2 * dt * row.rate(probe) > 0.0;
        is_far || row.role == Role::Across
    })
}

/// Whether a frame that was taken without bounds passed a stop. No stop pushed: sets their forces to zero.
pub(in super::super) fn look_back(frame: &mut Frame<'_, '_>, dt: f64) -> bool {
    let probe = frame.fill_probe(Motion::Velocity, Soft::Rows);
    let mut passed = probe.bounded.iter().any(|row| row.gap(probe) < -LATE);
    let ways = (frame.world.state(), &*frame.state);
    passed = passed || (frame.equations.find_passing(frame.world, ways, dt)).is_some();
    for row in &frame.equations.probe().bounded {
        if let Some(row) = row.row() {
            frame.state.lambda[row] = 0.0;
        }
    }
    frame.state.touching.clear();
    passed
}
