//! Closing where iterations are cut short: all levels alike.
//!
//! While goals move there is nothing better to do with few iterations: level 0 closed alone would draw back
//! what the hand pulls at. Once goals rest it goes on as long as errors fall, because a goal within reach is
//! met with the joints closed. Where they stall, a goal is out of reach: level 0 closes alone from then on,
//! which the direction in the state tells, as it has no part of lower levels.

use super::truncate_rotations;
use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;
use crate::solve::Lower;

/// Errors stall when a correction leaves more than this part of their squares.
const STALLED: f64 = 0.97;

impl Stage<'_, '_> {
    /// Closes all levels alike, goals by no more than `reach`, as often as the budget allows. False where
    /// levels must be told apart, and the last correction is taken back then: iterations are not cut short
    /// any more, or goals rest and errors do not fall.
    pub(super) fn close_together(&mut self, iterations: usize, reach: f64) -> bool {
        let rests = reach == f64::INFINITY;
        if rests && !self.levels_go_on_together() {
            return false;
        }
        for iteration in 0..iterations {
            self.prepare(Motion::Displacement, Soft::Absent, 0.0);
            let work = &mut *self.work;
            let system = &self.equations.system;
            let far = work.lower_gap(system);
            let is_closed = work.gap(system).max(far) <= self.tolerance;
            if is_closed || (iteration > 0 && self.meter.is_spent(0)) {
                return true;
            }
            system.right_hand_side(Motion::Displacement, &mut work.b);
            let part = (reach / far).min(1.0);
            for &(row, _) in &work.lower_rows {
                work.b[row as usize] *= part;
            }
            let before = work.squares(system);
            self.solve_closing(Lower::Joined);
            if !self.equations.levels_are_joined() {
                return false;
            }
            let (work, equations) = (&mut *self.work, &mut *self.equations);
            work.trial.q.copy_from_slice(&work.state.q);
            work.dq.copy_from_slice(&equations.solution.motion);
            truncate_rotations(self.world, &mut work.dq);
            let layout = &equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
            if rests {
                let at = (self.world, &self.work.state);
                self.equations.look(at, Motion::Displacement, Soft::Absent);
                if self.work.squares(&self.equations.probe) > STALLED * before {
                    let work = &mut *self.work;
                    work.state.q.copy_from_slice(&work.trial.q);
                    self.equations.direction.fill(0.0);
                    return false;
                }
            }
        }
        true
    }

    /// Whether the iteration that was cut short last was one of all levels alike.
    fn levels_go_on_together(&self) -> bool {
        let direction = &self.equations.direction;
        let mut lower = self.work.lower_rows.iter();
        lower.any(|&(row, _)| direction[row as usize] != 0.0)
    }
}
