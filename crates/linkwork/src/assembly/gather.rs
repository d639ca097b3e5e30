//! Displacements over long distances.
//!
//! A solve would turn parts that are many lengths apart by several turns to make them meet, and truncated to
//! 0.8 rad the displacement brings them no closer. If a body would turn by θ > 0.8 rad, the rotational inertia
//! of all bodies is increased and the solve is repeated,
//!
//! ```text
//!     M ← D·M·D,   D = max(θ/0.8, 30) for the coordinates that turn a body, 1 for the others
//! ```
//!
//! so that parts come together by translation. The displacement that leaves the smallest errors is used.
//! Deviation: Faure 1998 only truncates.

use super::Assembly;
use super::tolerances::{GATHER_PASSES, LEAST_TURN_FACTOR};
use crate::equations::{Motion, Request};
use crate::frame::Frame;
use crate::stabilize::{MOST_TURN, most_turn, truncate_rotations};
use crate::system::MassBlock;

impl Assembly<'_, '_, '_, '_> {
    /// Replaces the correction by one with less rotation, if that leaves smaller errors.
    pub(super) fn gather(&mut self) {
        let mut turn = turn_of_solution(self.frame);
        if turn <= MOST_TURN || !turn.is_finite() {
            return;
        }
        let mut kept = self.closing.dq.clone();
        let mut b = vec![0.0; self.frame.system().n_rows()];
        let system = self.frame.equations.system();
        system.right_hand_side(Motion::Displacement, &mut b);
        let mut least = self.look_ahead();
        for _ in 0..GATHER_PASSES {
            let factor = (turn / MOST_TURN).max(LEAST_TURN_FACTOR);
            resist_turning(self.frame, factor * factor);
            self.frame.factor();
            let request = Request {
                rows: Some(&b),
                ..Request::default()
            };
            let solution = self.frame.solve(request);
            self.closing.dq.copy_from_slice(&solution.motion);
            truncate_rotations(self.frame.world, &mut self.closing.dq);
            let was = std::mem::replace(&mut turn, turn_of_solution(self.frame));
            let size = self.look_ahead();
            if size < least {
                least = size;
                kept.copy_from_slice(&self.closing.dq);
            }
            if turn <= MOST_TURN || turn > 0.5 * was {
                break;
            }
        }
        self.closing.dq.copy_from_slice(&kept);
    }
}

/// The largest rotation of a body in the last solution, radians.
fn turn_of_solution(frame: &Frame<'_, '_>) -> f64 {
    most_turn(frame.world, &frame.equations.solution().motion)
}

/// Multiplies the rotational inertia of all bodies.
fn resist_turning(frame: &mut Frame<'_, '_>, factor: f64) {
    let records = frame.world.bodies();
    let system = frame.equations.modify();
    for block in &system.bodies {
        let v0 = block.v0 as usize;
        let at = records.partition_point(|record| record.v_range().end <= v0);
        let n = block.n_v as usize;
        let mut unit = vec![0.0; n];
        let mut turns = |i: usize| {
            unit.fill(0.0);
            unit[i] = 1.0;
            records[at].body.turn_of(&unit) > 0.0
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
            MassBlock::Patterned { .. } | MassBlock::Opaque { .. } => {}
        }
    }
}
