//! Lower priorities, once level 0 is closed: as close as level 0 lets them.
//!
//! Each solve gives the direction in which they give way least. The step along it is halved until,
//! with level 0 closed again, their weighted errors are smaller than before.

use super::truncate_rotations;
use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;

/// At most so many corrections close level 0 again.
const CLOSINGS: usize = 12;
/// A step is halved at most so often.
const HALVINGS: usize = 12;
/// A smaller gain, relatively, is not worth another solve.
const GAIN: f64 = 1e-7;

impl Stage<'_, '_> {
    /// One step of the lower levels from a closed state. False when nothing is left to gain; the
    /// state is then where it was.
    pub(super) fn settle(&mut self) -> bool {
        self.prepare(Motion::Displacement, Soft::Explicit, 0.0);
        let before = self.lower_square();
        if before <= self.tolerance * self.tolerance {
            return false;
        }
        self.correction();
        let q = self.work.state.q.clone();
        let dq = self.work.dq.clone();
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            let work = &mut *self.work;
            for (to, dq) in work.dq.iter_mut().zip(&dq) {
                *to = part * dq;
            }
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
            if self.close_exact_level() && self.lower_square() < (1.0 - GAIN) * before {
                return true;
            }
            self.work.state.q.copy_from_slice(&q);
            part *= 0.5;
        }
        false
    }

    /// Closes level 0 and asks the lower levels to stay where they are.
    fn close_exact_level(&mut self) -> bool {
        for _ in 0..CLOSINGS {
            self.prepare(Motion::Displacement, Soft::Explicit, 0.0);
            if self.work.gap(&self.equations.system) <= self.tolerance {
                return true;
            }
            let work = &mut *self.work;
            let system = &self.equations.system;
            system.right_hand_side(Motion::Displacement, &mut work.b);
            for (b, is_lower) in work.b.iter_mut().zip(&work.is_lower) {
                if *is_lower {
                    *b = 0.0;
                }
            }
            self.equations.warm.fill(0.0);
            let solution = self.equations.solve(None, Some(&work.b));
            work.dq.copy_from_slice(&solution.motion);
            truncate_rotations(self.world, &mut work.dq);
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
        }
        false
    }

    /// `Σ (w·s·c)²` over the lower levels' rows.
    fn lower_square(&self) -> f64 {
        let system = &self.equations.system;
        let mut sum = 0.0;
        for (c, block) in system.constraints.iter().enumerate() {
            for row in system.row_range(c as u32) {
                if self.work.is_lower[row] && !system.velocity_level[row] {
                    let error = block.weight * system.row_scale[row] * system.c[row];
                    sum += error * error;
                }
            }
        }
        sum
    }
}
