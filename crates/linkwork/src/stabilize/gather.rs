//! Displacements from far away.
//!
//! Parts that are many lengths apart would be turned round and round to reach each other, and what
//! is cut to 0.8 rad reaches nothing. Where a body would turn by θ > 0.8 rad, all are therefore made
//! harder to turn and the displacements are solved for again,
//!
//! ```text
//!     M ← D·M·D,   D = max(θ/0.8, 30) for the coordinates that turn a body, 1 for the others
//! ```
//!
//! so that parts come together by translation. Whichever displacement leaves the smaller errors is
//! taken. Deviation: Faure 1998 only truncates.

use super::descent::square;
use super::{MOST_TURN, truncate_rotations};
use crate::assemble::{MassBlock, Motion, Soft};
use crate::integrate::Stage;

/// Turning is made at least so much harder: less is neither turning nor translating.
const LEAST_FACTOR: f64 = 30.0;
/// At most so many solves more.
const MAX_PASSES: usize = 4;

impl Stage<'_, '_> {
    /// Replaces the correction in `dq` by one that turns less, if that leaves smaller errors.
    pub(super) fn gather(&mut self) {
        let mut turn = self.turn_of_solution();
        if turn <= MOST_TURN || !turn.is_finite() {
            return;
        }
        let mut kept = self.work.dq.clone();
        let mut least = self.size_there();
        for _ in 0..MAX_PASSES {
            let factor = (turn / MOST_TURN).max(LEAST_FACTOR);
            self.resist_turning(factor * factor);
            self.equations.factor(&self.method);
            // The factor is of other masses than the place has.
            self.work.forget();
            self.equations.warm.fill(0.0);
            let work = &mut *self.work;
            let solution = self.equations.solve(None, Some(&work.b), &mut self.meter);
            work.dq.copy_from_slice(&solution.motion);
            truncate_rotations(self.world, &mut work.dq);
            let was = std::mem::replace(&mut turn, self.turn_of_solution());
            let size = self.size_there();
            if size < least {
                least = size;
                kept.copy_from_slice(&self.work.dq);
            }
            if turn <= MOST_TURN || turn > 0.5 * was {
                break;
            }
        }
        self.work.dq.copy_from_slice(&kept);
    }

    /// `‖S·c‖²` at the state displaced by `dq`, which is then the trial.
    pub(super) fn size_there(&mut self) -> f64 {
        let work = &mut *self.work;
        work.trial.q.copy_from_slice(&work.state.q);
        work.trial.t = work.state.t;
        let equations = &mut *self.equations;
        equations
            .layout
            .displace(self.world, &mut work.trial.q, &work.dq);
        equations.look(
            (self.world, &work.trial),
            Motion::Displacement,
            Soft::Explicit,
        );
        square(&equations.probe, &work.exact_rows)
    }

    /// The largest turn of a body in the last solution.
    fn turn_of_solution(&self) -> f64 {
        let motion = &self.equations.solution.motion;
        let records = self.world.bodies().iter().filter(|record| record.enabled);
        records.fold(0.0, |largest: f64, record| {
            largest.max(record.body.turn_of(&motion[record.v_range()]))
        })
    }

    /// Makes bodies harder to turn.
    fn resist_turning(&mut self, factor: f64) {
        let system = &mut self.equations.system;
        let unit = &mut self.work.force;
        for block in &system.bodies {
            let v0 = block.v0 as usize;
            let records = self.world.bodies();
            let at = records.partition_point(|record| record.v_range().end <= v0);
            let record = &records[at];
            let n = block.n_v as usize;
            let unit = &mut unit[record.v_range()];
            let mut turns = |i: usize| {
                unit.fill(0.0);
                unit[i] = 1.0;
                record.body.turn_of(unit) > 0.0
            };
            match block.mass {
                MassBlock::Rigid(rigid) => {
                    let inertia = &mut system.rigid[rigid as usize].inertia_world;
                    inertia.iter_mut().for_each(|i| *i *= factor);
                }
                MassBlock::Diagonal(offset) => {
                    for i in (0..n).filter(|&i| turns(i)) {
                        system.mass[offset as usize + i] *= factor;
                    }
                }
                MassBlock::Dense(offset) => {
                    let mass = &mut system.mass[offset as usize..][..n * n];
                    for i in (0..n).filter(|&i| turns(i)) {
                        for j in 0..n {
                            mass[i * n + j] *= factor.sqrt();
                            mass[j * n + i] *= factor.sqrt();
                        }
                    }
                }
                MassBlock::Opaque { .. } => {}
            }
        }
    }
}
