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
use crate::solve::Lower;
use crate::words::words;
use crate::world::World;

mod assembly;
mod assembly_report;
mod descent;
mod displacement;
mod feedback;
mod gather;
mod perturb;
mod project;
mod rates;
mod settle;
mod together;

pub use assembly_report::{
    AssembleOptions, AssemblyOutcome, AssemblyProgress, AssemblyReport, ConstraintResidual,
};

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

words! {
    Stabilization, "stabilization":
    Self::None = Self::None, "none", "None: constraints drift.";
    Self::Post { .. } = Self::PROJECT, "post", "Post-stabilization.";
    // Rates that suit frames of 1/60 s: 0.05 of a frame's error, and 0.2.
    Self::Feedback { .. } = Self::Feedback { stiffness: 9.0, damping: 6.0 }, "feedback",
        "A feedback force (Witkin 1990).";
    Self::Baumgarte { .. } = Self::Baumgarte { alpha: 12.0, beta: 12.0 }, "baumgarte", "Baumgarte's.";
    Self::Displacement { .. } = Self::Displacement { iterations: 10 }, "displacement",
        "Displacements (Faure 1998).";
}

/// At most so many corrections close what somebody joined.
pub(crate) const CLOSINGS: usize = 20;

/// Near a singular pose, where a mechanism can hardly move towards a goal, least squares alone would
/// throw it about: a step moves nothing by more than about `1/(2·√damping)` times as far as the goal.
pub(crate) const LOWER_DAMPING: f64 = 1e-2;
/// Where each step is tried and shortened until it helps, less will do.
pub(crate) const TRIED_DAMPING: f64 = 1e-4;

/// Each lower level is brought nearer at most so often in a step, each time by at least a part of
/// the way that least squares asks for.
const SETTLINGS: usize = 6;
const HALVINGS: usize = 5;

/// A correction turns no body by more (Faure 1998, §3.4).
pub(crate) const MOST_TURN: f64 = 0.8;

impl Stabilization {
    /// Until closed.
    pub(crate) const PROJECT: Self = Self::Post { iterations: 10 };
    /// What is taken where nobody says.
    pub const DEFAULT: Self = Self::PROJECT;

    /// Accelerations of what was filled and factored, into the solution.
    pub(crate) fn accelerate(&self, stage: &mut Stage<'_, '_>) {
        let system = &stage.equations.system;
        system.right_hand_side(Motion::Acceleration, &mut stage.work.b);
        match *self {
            Self::None | Self::Post { .. } => {
                stage
                    .equations
                    .solve_with_forces(&stage.work.b, &mut stage.meter);
            }
            Self::Baumgarte { alpha, beta } => {
                feedback::baumgarte(system, alpha, beta, &mut stage.work.b);
                stage
                    .equations
                    .solve_with_forces(&stage.work.b, &mut stage.meter);
            }
            Self::Feedback { stiffness, damping } => {
                stage
                    .equations
                    .solve_with_forces(&stage.work.b, &mut stage.meter);
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
            Self::Displacement { iterations } => stage.displacement(1..=iterations, h),
        }
    }
}

impl Stage<'_, '_> {
    /// One displacement solve at the state: `δq` into `dq`, no body turned by more than 0.8 rad.
    /// So many lower levels are closed too, the others held where they are.
    pub(crate) fn correction(&mut self, chased: usize) {
        self.ask(chased);
        let has_goals = chased > 0 && !self.work.lower_rows.is_empty();
        if has_goals && self.is_pulled_taut() && !self.is_spent() {
            // The stiffness damps by itself.
            self.equations.system.lower_damping *= 1e-6;
            self.equations.factor(&self.method);
            self.work.forget();
            self.solve_closing(self.lower_while_closing(chased));
        }
        let work = &mut *self.work;
        work.dq.copy_from_slice(&self.equations.solution.motion);
        truncate_rotations(self.world, &mut work.dq);
    }

    /// The displacement that closes what was filled, into the solution.
    fn ask(&mut self, chased: usize) {
        let work = &mut *self.work;
        let system = &self.equations.system;
        system.right_hand_side(Motion::Displacement, &mut work.b);
        for &(row, _) in &work.lower_rows {
            if work.level[row as usize] >= chased {
                work.b[row as usize] = 0.0;
            }
        }
        self.solve_closing(self.lower_while_closing(chased));
    }

    /// Solves for the displacement that `b` asks for; bodies keep their strains. While goals rest, an
    /// iteration that is cut short goes on in the next frame: so precision is recovered (Faure 1998,
    /// fig. 5).
    fn solve_closing(&mut self, lower: Lower) {
        if lower == Lower::GiveWay || self.reach().is_finite() {
            self.equations.direction.fill(0.0);
        }
        self.equations.warm.fill(0.0);
        self.work.strain_closing(&self.equations.system);
        let work = &*self.work;
        let force = work.has_strains().then_some(&work.force[..]);
        let b = Some(&work.b[..]);
        self.equations.solve_on(lower, force, b, &mut self.meter);
    }

    /// What becomes of lower levels while level 0 closes: left alone if they hinder it while goals rest.
    fn lower_while_closing(&self, chased: usize) -> Lower {
        if chased == 0 && self.reach() == f64::INFINITY {
            Lower::LeftOut
        } else {
            Lower::GiveWay
        }
    }

    /// Closes positions, velocities left alone; what is already closed costs one fill.
    ///
    /// Then lower levels are brought nearer, but no body goes further after them than `reach`,
    /// metres.
    pub(crate) fn close(&mut self, iterations: usize, reach: f64) {
        if self.work.lower_rows.is_empty() {
            self.close_exact_level(Soft::Absent, iterations);
            return;
        }
        if self.is_cut_short() && self.close_together(iterations, reach) {
            return;
        }
        let work = &mut *self.work;
        work.open_q.copy_from_slice(&work.state.q);
        // Held loosely: where the pose is almost singular, a hand that moves would throw about what is
        // held fast.
        let damping = std::mem::replace(&mut self.equations.lower_damping, 1.0);
        let is_closed = self.close_exact_level(Soft::Absent, iterations);
        self.equations.lower_damping = damping;
        if !is_closed && !self.is_spent() {
            // Held where they are, lower levels were in the way.
            let work = &mut *self.work;
            work.state.q.copy_from_slice(&work.open_q);
            self.close_without_lower_levels(iterations);
        }
        let mut is_first = true;
        for level in 0..self.work.n_lower_levels {
            for _ in 0..SETTLINGS {
                let is_spent = (!is_first || self.method.is_iterative()) && self.is_spent();
                if is_spent || self.contradiction > 0.0 {
                    return;
                }
                is_first = false;
                if !self.settle(level, Soft::Absent, reach, HALVINGS) {
                    break;
                }
            }
        }
    }

    /// Whether what was filled is open by more than any step leaves: somebody joined what does not
    /// meet. That is closed at once, so that the gap does not become a velocity.
    pub(crate) fn is_open(&self) -> bool {
        let usual = (1e-4 * self.length()).max(10.0 * self.tolerance);
        self.work.gap(&self.equations.system) > usual.max(1.1 * self.contradiction)
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

/// How far a displacement takes the body it moves most, metres; turns count at a typical length.
fn farthest(world: &World, dq: &[f64], length: f64) -> f64 {
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
