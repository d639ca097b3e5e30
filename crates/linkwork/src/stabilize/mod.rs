//! Stabilization: what keeps constraints from drifting.
//!
//! | rule           | accelerations                              | after the step                |
//! |----------------|--------------------------------------------|-------------------------------|
//! | `None`         | `J·v̇ = −γ`                                 | nothing                       |
//! | `Feedback`     | … `+ M⁻¹·Jᵀ·(−k·c − d·ċ)` (Witkin 1990, §2.4) | nothing                    |
//! | `Baumgarte`    | `J·v̇ = −γ − 2α·ċ − β²·c` (Metaxas 1993, eq. 22) | nothing                  |
//! | `Post`         | `J·v̇ = −γ`                                 | positions, then velocities (Faure 1998, eq. 5, eq. 6) |
//! | `Displacement` | `M⁻¹·f`, as if free                        | positions; the displacement is the velocity (Faure 1998, §4.2) |

use crate::equations::{Load, Lower, Motion, Request};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::System;
use crate::words::words;
use crate::world::World;

mod augmented;
mod close;
mod descend;
mod displacement;
mod feedback;
mod project;
mod settle;
mod together;
mod tolerances;

pub(crate) use close::{Closing, closes_by_a_factor};
pub(crate) use displacement::Displacement;
pub(crate) use settle::Gained;
pub(crate) use tolerances::{CLOSINGS, LOWER_DAMPING, MOST_TURN, OPENED, TRIED_DAMPING};

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
        /// Largest number of corrections of positions.
        iterations: usize,
    },
    /// Faure 1998 as printed: bodies move as if free, the closing puts them right, and the whole
    /// displacement is the velocity. Robust, first order, damping.
    Displacement {
        /// Largest number of corrections of positions.
        iterations: usize,
    },
}

words! {
    Stabilization, "stabilization":
    Self::None = Self::None, "none", "None: joints drift open.";
    Self::Post { .. } = Self::POST, "post",
        "Positions, then velocities, are corrected after each step.";
    Self::Feedback { .. } = Self::FEEDBACK, "feedback",
        "A feedback force pulls joints closed (Witkin 1990).";
    Self::Baumgarte { .. } = Self::BAUMGARTE, "baumgarte", "Baumgarte's: errors decay with time.";
    Self::Displacement { .. } = Self::DISPLACEMENT, "displacement",
        "Joints are closed, and the velocity is the whole displacement over the step (Faure 1998).";
}

/// The buffers of accelerations.
#[derive(Debug, Default)]
pub(crate) struct Acceleration {
    b: Vec<f64>,
    force: Vec<f64>,
}

impl Acceleration {
    pub(crate) fn size(&mut self, system: &System) {
        size(&mut self.b, system.n_rows());
        size(&mut self.force, system.n_v());
    }
}

impl Stabilization {
    /// What most people want.
    pub const DEFAULT: Self = Self::POST;
    /// Corrections of a projection that goes on until closed.
    pub(crate) const PROJECTIONS: usize = 10;
    /// Until closed.
    pub const POST: Self = Self::Post {
        iterations: Self::PROJECTIONS,
    };
    /// Suits frames of 1/60 s: an error decays by about 0.05 in each.
    pub const FEEDBACK: Self = Self::Feedback {
        stiffness: 9.0,
        damping: 6.0,
    };
    /// Suits frames of 1/60 s: an error decays by about 0.2 in each.
    pub const BAUMGARTE: Self = Self::Baumgarte {
        alpha: 12.0,
        beta: 12.0,
    };
    /// Until closed.
    pub const DISPLACEMENT: Self = Self::Displacement {
        iterations: Self::PROJECTIONS,
    };

    /// Accelerations of what was filled and factored, and the multipliers if there is room for them.
    pub(crate) fn accelerate(
        &self,
        frame: &mut Frame<'_, '_>,
        scratch: &mut Acceleration,
        v_dot: &mut [f64],
        lambda: &mut [f64],
    ) {
        let system = frame.equations.system();
        if let Self::Displacement { .. } = self {
            v_dot.copy_from_slice(&system.force);
            frame.equations.apply_inverse_mass(v_dot);
            lambda.fill(0.0);
            return;
        }
        system.right_hand_side(Motion::Acceleration, &mut scratch.b);
        if let Self::Baumgarte { alpha, beta } = *self {
            feedback::baumgarte(system, alpha, beta, &mut scratch.b);
        }
        let warm = frame.method.warm_starts();
        let request = Request {
            load: Load::Filled,
            rows: Some(&scratch.b),
            lower: Lower::Met,
            start: warm.then_some(&frame.state.lambda[..]),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, frame.meter);
        v_dot.copy_from_slice(&solution.motion);
        if !lambda.is_empty() {
            lambda.copy_from_slice(&solution.lambda);
        }
        if let Self::Feedback { stiffness, damping } = *self {
            scratch.feed_back(frame, (stiffness, damping), v_dot);
        }
    }

    /// What follows the integration by `h`.
    pub(crate) fn stabilize(
        &self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        displacement: &mut Displacement,
        h: f64,
    ) {
        match *self {
            Self::None | Self::Feedback { .. } | Self::Baumgarte { .. } => {}
            Self::Post { iterations } => closing.project(frame, iterations),
            Self::Displacement { iterations } => displacement.correct(frame, 1..=iterations, h),
        }
    }
}

/// Cuts each body's rotation to at most 0.8 rad.
pub(crate) fn truncate_rotations(world: &World, dq: &mut [f64]) {
    for record in world.bodies().iter().filter(|record| record.enabled) {
        let dq = &mut dq[record.v_range()];
        let turn = record.body.turn_of(dq);
        if turn > MOST_TURN {
            record.body.scale_turn(dq, MOST_TURN / turn);
        }
    }
}

/// How far a displacement takes the body it moves most, meters; turns count at a typical length.
pub(crate) fn farthest(world: &World, dq: &[f64], length: f64) -> f64 {
    let mut farthest = 0.0f64;
    for record in world.bodies().iter().filter(|record| record.enabled) {
        let dq = &dq[record.v_range()];
        let turn = record.body.turn_of(dq);
        let moved = dq.iter().fold(0.0f64, |most, dq| most.max(dq.abs()));
        farthest = farthest.max(if turn > 0.0 && moved <= turn {
            turn * length
        } else {
            moved
        });
    }
    farthest
}

/// How far a displacement turns the body it turns most, radians.
pub(crate) fn most_turn(world: &World, dq: &[f64]) -> f64 {
    let bodies = world.bodies().iter().filter(|record| record.enabled);
    bodies.fold(0.0, |most, record| {
        most.max(record.body.turn_of(&dq[record.v_range()]))
    })
}
