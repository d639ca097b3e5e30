//! Lower priorities, once level 0 is closed: as close as level 0 lets them.
//!
//! One level after the other, those below it held where they are. Each solve gives the direction in
//! which a level and those above it give way least. The step along it is halved until, with level 0
//! closed again, their errors are smaller than before, where those above count far more.

use std::cmp::Ordering;

use super::{MOST_TURN, farthest, most_turn};
use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;

/// At most so many corrections close level 0 again.
pub(super) const CLOSINGS: usize = 12;
/// So many corrections in a row may gain nothing: far from closed, gaps fall and rise.
const PATIENCE: usize = 4;
/// A smaller gain to first order, relatively, is round-off.
const GAIN: f64 = 1e-14;
/// What is stretched out by a hand is left short of straight by so little, so that it remembers its
/// side.
const GAIN_IN_HAND: f64 = 1e-12;
/// With so much damping lower levels hardly pull.
const LET_GO: f64 = 1e6;
/// The part of the gain to first order that must be had where goals are out of reach. Half of it is
/// had where a parabola is lowest: a little more is had only before that, so that what is stretched
/// out comes to rest on the side it came from, and an elbow does not turn over.
const ENOUGH: f64 = 0.8;

/// Where a step is cut short while goals move, joints may be opened by this part of what a goal comes nearer.
const YIELD: f64 = 0.5;

/// How much more a square counts in the levels above the one that settles: they may lose next to
/// nothing to second order. With more, the round-off of a goal out of reach would hide what is gained.
const ABOVE: f64 = 1e6;
/// A smaller gain, relative to the levels above, is their round-off.
const ROUND_OFF: f64 = 1e-15;

/// What a step of the lower levels gained: some, all there is, or nothing by this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gained {
    Something,
    All,
    Nothing,
}

impl Stage<'_, '_> {
    /// One step of a lower level, the first is 0, from a closed state, on which no body goes further than `reach`,
    /// metres, and which is halved at most so often. Where the way that least squares ask for leads
    /// nowhere, because the pose is almost singular, it is asked for again with more damping. False
    /// when nothing was gained: the state is then where it was.
    pub(super) fn settle(&mut self, level: usize, soft: Soft, reach: f64, halvings: usize) -> bool {
        let usual = self.equations.lower_damping;
        let mut gained = Gained::Nothing;
        for damping in [usual, 1e-2, 1.0] {
            self.equations.lower_damping = damping.max(usual);
            let taut = damping <= usual;
            gained = self.settle_damped(level, soft, reach, halvings, taut);
            if gained != Gained::Nothing || (self.method.is_iterative() && self.is_spent()) {
                break;
            }
        }
        self.equations.lower_damping = usual;
        gained == Gained::Something
    }

    fn settle_damped(
        &mut self,
        level: usize,
        soft: Soft,
        reach: f64,
        halvings: usize,
        taut: bool,
    ) -> Gained {
        self.prepare(Motion::Displacement, soft, 0.0);
        let (above, own) = self.lower_squares(level);
        if own <= self.tolerance * self.tolerance {
            return Gained::All;
        }
        let open = self.work.gap(&self.equations.system).max(self.tolerance);
        let before = above + own;
        if taut {
            self.correction(level + 1);
        } else {
            self.ask(level + 1);
        }
        // The whole way, shortened as a whole: bodies cut one by one would open level 0.
        let work = &mut *self.work;
        work.dq.copy_from_slice(&self.equations.solution.motion);
        // As small as they can be together: no way leads down.
        let slope = self.lower_slope(level);
        let least = if self.world.grips().is_empty() {
            GAIN
        } else {
            GAIN_IN_HAND
        };
        if slope > -least * own - ROUND_OFF * above {
            return Gained::All;
        }
        let length = self.equations.system.characteristic_length();
        let work = &mut *self.work;
        let far = farthest(self.world, &work.dq, length);
        let turn = most_turn(self.world, &work.dq);
        let mut part = 1.0f64.min(reach / far).min(MOST_TURN / turn);
        work.target.copy_from_slice(&work.dq);
        work.trial.q.copy_from_slice(&work.state.q);
        for _ in 0..=halvings {
            let work = &mut *self.work;
            for (dq, whole) in work.dq.iter_mut().zip(&work.target) {
                *dq = part * whole;
            }
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
            let mut closed = self.close_exact_level(soft, CLOSINGS);
            let (above, own) = self.lower_squares(level);
            let after = above + own;
            if !closed && reach.is_finite() && self.is_spent() {
                // While goals rest, joints close whatever becomes of them.
                let opened = self.work.gap(&self.equations.system) - open;
                closed = opened <= YIELD * (before.sqrt() - after.sqrt());
            }
            let reaches = after < 0.25 * before;
            if closed && (reaches || after < before + ENOUGH * part * slope) {
                return Gained::Something;
            }
            let work = &mut *self.work;
            work.state.q.copy_from_slice(&work.trial.q);
            part *= 0.5;
        }
        Gained::Nothing
    }

    /// Closes level 0 (Faure 1998, eq. 5) and asks the lower levels to stay where they are. What is
    /// already closed costs one fill.
    pub(crate) fn close_exact_level(&mut self, soft: Soft, iterations: usize) -> bool {
        let mut last = f64::INFINITY;
        let (mut least, mut vain) = (f64::INFINITY, 0);
        // While lower levels are held, gaps that rise mean that an elbow would turn over.
        let is_patient = self.work.lower_rows.is_empty() || self.equations.lower_damping == LET_GO;
        for iteration in 0..=iterations {
            self.prepare(Motion::Displacement, soft, 0.0);
            let gap = self.work.gap(&self.equations.system);
            // Far from the origin round-off is larger than what is asked for.
            let stays = gap <= 1e-12 * self.equations.system.natural_size && gap > 0.5 * last;
            if gap <= self.tolerance || stays {
                self.contradiction = 0.0;
                return true;
            }
            if gap < 0.9 * least {
                (least, vain) = (gap, 0);
            } else {
                vain += 1;
            }
            let is_vain = if is_patient {
                vain >= PATIENCE
            } else {
                iteration > 3 && gap > 0.9 * last
            };
            if is_vain {
                self.contradiction = gap;
                return false;
            }
            // Two corrections are the least that keeps what was closed closed.
            if iteration == iterations || (iteration > 1 && self.is_spent()) {
                return false;
            }
            last = gap;
            self.correction(0);
            let work = &mut *self.work;
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
        }
        false
    }

    /// The same with lower levels let go.
    pub(super) fn close_without_lower_levels(&mut self, iterations: usize) -> bool {
        let damping = std::mem::replace(&mut self.equations.lower_damping, LET_GO);
        self.work.forget();
        let closed = self.close_exact_level(Soft::Absent, iterations);
        self.equations.lower_damping = damping;
        self.work.forget();
        closed
    }

    /// The change of [`Stage::lower_squares`] along `dq`, to first order.
    fn lower_slope(&self, level: usize) -> f64 {
        let system = &self.equations.system;
        let mut moved = [0.0; crate::assemble::MAX_ROWS];
        let mut sum = 0.0;
        for (c, block) in system.constraints.iter().enumerate() {
            if block.priority == 0 {
                continue;
            }
            let range = system.row_range(c as u32);
            let moved = &mut moved[..range.len()];
            system.constraint_motion(c as u32, &self.work.dq, moved);
            for (row, moved) in range.zip(moved) {
                if self.work.is_lower[row] && self.work.level[row] <= level {
                    let scale = block.weight * system.row_scale[row];
                    let change = 2.0 * scale * scale * system.c[row] * *moved;
                    let is_above = self.work.level[row] < level;
                    sum += if is_above { ABOVE * change } else { change };
                }
            }
        }
        sum
    }

    /// `Σ (w·s·c)²` over the rows of lower levels above this one, times what they count more, and
    /// over its own.
    fn lower_squares(&self, level: usize) -> (f64, f64) {
        let system = &self.equations.system;
        let (mut above, mut own) = (0.0, 0.0);
        for (c, block) in system.constraints.iter().enumerate() {
            for row in system.row_range(c as u32) {
                if self.work.is_lower[row] && !system.velocity_level[row] {
                    let error = block.weight * system.row_scale[row] * system.c[row];
                    match self.work.level[row].cmp(&level) {
                        Ordering::Less => above += ABOVE * error * error,
                        Ordering::Equal => own += error * error,
                        Ordering::Greater => {}
                    }
                }
            }
        }
        (above, own)
    }
}
