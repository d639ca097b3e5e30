//! Stabilising: what keeps constraints from drifting apart.
//!
//! | rule           | accelerations                              | after the step                |
//! |----------------|--------------------------------------------|-------------------------------|
//! | `None`         | `J·v̇ = −γ`                                 | nothing                       |
//! | `Feedback`     | … `+ M⁻¹·Jᵀ·(−k·c − d·ċ)` (Witkin 1990, §2.4) | nothing                    |
//! | `Baumgarte`    | `J·v̇ = −γ − 2α·ċ − β²·c` (Metaxas 1993, eq. 22) | nothing                  |
//! | `Post`         | `J·v̇ = −γ`                                 | positions, then velocities (Faure 1998, eq. 5, eq. 6) |
//! | `Displacement` | `M⁻¹·f`, as if free                        | positions; the displacement is the velocity (Faure 1998, §4.2) |

use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;
use crate::world::World;

mod displacement;
mod feedback;
mod project;

/// What keeps the constraints while an [`Integrator`](crate::integrate::Integrator) moves the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stabilization {
    /// Nothing: errors accumulate.
    None,
    /// A spring and damper along each row, added to the constraint force.
    Feedback {
        /// Force per row unit.
        stiffness: f64,
        /// Force per row unit and second.
        damping: f64,
    },
    /// `c̈ = −2α·ċ − β²·c` instead of zero; critical with α = β.
    Baumgarte {
        /// Decay of rates, 1/s.
        alpha: f64,
        /// Decay of errors, 1/s.
        beta: f64,
    },
    /// Positions are put right after the step, then velocities.
    Post {
        /// At most so many corrections of positions.
        iterations: usize,
    },
    /// Faure 1998 as printed: bodies move as if free, the assembly puts them right, and the whole
    /// displacement is the velocity. Robust, first order, damping.
    Displacement {
        /// At most so many corrections of positions.
        iterations: usize,
    },
}

/// A correction turns no body by more (Faure 1998, §3.4).
pub(crate) const MOST_TURN: f64 = 0.8;

impl Stabilization {
    /// Until closed.
    pub(crate) const PROJECT: Self = Self::Post { iterations: 10 };

    /// Accelerations of what was filled and factored, into the solution.
    pub(crate) fn accelerate(&self, stage: &mut Stage<'_, '_>) {
        let system = &stage.equations.system;
        system.right_hand_side(Motion::Acceleration, &mut stage.work.b);
        match *self {
            Self::None | Self::Post { .. } => {
                stage.equations.solve_with_forces(&stage.work.b);
            }
            Self::Baumgarte { alpha, beta } => {
                feedback::baumgarte(system, alpha, beta, &mut stage.work.b);
                stage.equations.solve_with_forces(&stage.work.b);
            }
            Self::Feedback { stiffness, damping } => {
                stage.equations.solve_with_forces(&stage.work.b);
                stage.feedback_force(stiffness, damping);
            }
            Self::Displacement { .. } => stage.free_accelerations(),
        }
    }

    /// What follows the integration by `h`.
    pub(crate) fn stabilize(&self, stage: &mut Stage<'_, '_>, h: f64) {
        match *self {
            Self::None | Self::Feedback { .. } | Self::Baumgarte { .. } => {}
            Self::Post { iterations } => stage.project(iterations),
            Self::Displacement { iterations } => stage.displacement(iterations, h),
        }
    }
}

impl Stage<'_, '_> {
    /// One displacement solve at the state: `δq` into `dq`, no body turned by more than 0.8 rad.
    pub(crate) fn correction(&mut self) {
        let work = &mut *self.work;
        let system = &self.equations.system;
        system.right_hand_side(Motion::Displacement, &mut work.b);
        // Springs have pushed while the bodies moved; here they would push once more.
        for row in 0..work.b.len() {
            if system.compliance[row] > 0.0 {
                work.b[row] = 0.0;
            }
        }
        self.equations.warm.fill(0.0);
        let solution = self.equations.solve(None, Some(&work.b));
        work.dq.copy_from_slice(&solution.motion);
        truncate_rotations(self.world, &mut work.dq);
    }

    /// Closes positions, velocities left alone; what is already closed costs one fill.
    pub(crate) fn close(&mut self, iterations: usize) {
        let mut last = f64::INFINITY;
        for iteration in 0..=iterations {
            self.prepare(Motion::Displacement, Soft::Explicit, 0.0);
            let gap = self.work.gap(&self.equations.system);
            // Far from the origin round-off is larger than what is asked for.
            let stays = gap <= 1e-12 * self.equations.system.natural_size && gap > 0.5 * last;
            let closed = gap <= self.tolerance || stays;
            let enough = closed && (iteration > 0 || !self.work.has_lower_levels);
            last = gap;
            if enough || iteration == iterations || (iteration > 0 && self.is_spent()) {
                break;
            }
            self.correction();
            let work = &mut *self.work;
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
        }
    }
}

/// Shortens each body's displacement so that it turns by at most 0.8 rad.
pub(crate) fn truncate_rotations(world: &World, dq: &mut [f64]) {
    for record in world.bodies().iter().filter(|record| record.enabled) {
        let dq = &mut dq[record.v_range()];
        let turn = record.body.turn_of(dq);
        if turn > MOST_TURN {
            dq.iter_mut().for_each(|dq| *dq *= MOST_TURN / turn);
        }
    }
}
