//! Soft rows: the terms of compliance in `C` and `b`.

use super::fill::Motion;
use super::layout::{GenericConstraint, Layout};
use super::numbers::System;
use crate::constraint::Level;
use crate::topology::NONE;
use crate::world::{Dynamics, World};

/// How soft rows enter the equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Soft {
    /// As plain springs (accelerations) or not at all (impulses).
    Explicit,
    /// Implicitly, over a time.
    Implicit(f64),
    /// As rows; the integrator writes `C` and `b`.
    Rows,
    /// Not at all.
    Absent,
}

impl Soft {
    /// Implicit over a valid time, else explicit.
    pub(crate) fn over(horizon: Option<f64>) -> Self {
        match horizon {
            Some(h) if h > 1e-12 && h.is_finite() => Self::Implicit(h),
            _ => Self::Explicit,
        }
    }
}

/// A soft row for integrators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftRow {
    pub(crate) row: u32,
    /// Constraint in the system, and its row.
    pub(crate) constraint: u32,
    pub(crate) of_constraint: u32,
    /// Compliance α, and the time τ of damping: `λ = −(c + τ·ċ)/α`.
    pub(crate) alpha: f64,
    pub(crate) tau: f64,
    pub(crate) position_level: bool,
    /// Whether its objective defines its energy, in place of `½·c²/α`.
    pub(crate) tells_energy: bool,
    /// Position of its record in the world, and the rest length of a spring between points.
    pub(crate) record: u32,
    pub(crate) rest_length: Option<f64>,
}

/// The row of an armature for integrators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RotorRow {
    pub(crate) row: u32,
    /// Constraint in the system.
    pub(crate) constraint: u32,
    pub(crate) inertia: f64,
}

/// Writes the terms of soft rows in `C` and `b`.
///
/// A row of compliance α and damping d is a spring `λ = −c/α − d·ċ = −(c + τ·ċ)/α`. Taken
/// implicitly over a horizon h, it is the row
///
/// ```text
///     J·v̇ + α/(h·(h + τ))·λ = −γ − (c/(h + τ) + ċ)/h
/// ```
///
/// Its limit h → 0 is the explicit spring, which is written as a force and an empty row that returns
/// the spring's λ. The limit α → 0 is the hard row.
///
/// A row on rates is a damper `λ = −ċ/α`, implicitly `J·v̇ + (α/h)·λ = −γ − ċ/h`.
pub(super) fn soften(
    world: &World,
    layout: &Layout,
    motion: Motion,
    soft: Soft,
    system: &mut System,
) {
    for generic in &layout.generic_constraints {
        let record = &world.constraints()[generic.record as usize];
        let position_level = record.constraint.level() == Level::Position;
        for (i, row) in record.row_range().enumerate() {
            let alpha = record.compliance[i];
            if alpha == 0.0 {
                continue;
            }
            if let Some(inertia) = record.constraint.inertia() {
                let has_momentum = world.dynamics() == Dynamics::SecondOrder;
                rotate(
                    generic,
                    (row, inertia),
                    has_momentum,
                    (motion, soft),
                    system,
                );
                continue;
            }
            let tau = alpha * record.damping[i];
            let (c, c_dot) = (system.c[row], system.c_dot[row]);
            let (compliance, b) = match (motion, soft) {
                (_, Soft::Rows) => continue,
                (_, Soft::Absent) => {
                    detach_row(generic, i, 0.0, system);
                    let own = match motion {
                        Motion::Acceleration => system.gamma[row],
                        Motion::Velocity | Motion::Flow => c_dot,
                        Motion::Displacement if position_level => c,
                        Motion::Displacement => 0.0,
                    };
                    (1.0, own)
                }
                (Motion::Displacement, _) => (alpha, 0.0),
                (Motion::Acceleration, Soft::Implicit(h)) if position_level => {
                    (alpha / (h * (h + tau)), -(c / (h + tau) + c_dot) / h)
                }
                (Motion::Velocity, Soft::Implicit(h)) if position_level => {
                    (alpha / (h * (h + tau)), -c / (h + tau))
                }
                (Motion::Flow, Soft::Implicit(h)) if position_level => {
                    (alpha / (h + tau), -c / (h + tau))
                }
                (Motion::Acceleration, Soft::Implicit(h)) => (alpha / h, -c_dot / h),
                (Motion::Velocity, Soft::Implicit(h)) => (alpha / h, 0.0),
                (Motion::Flow, Soft::Implicit(_)) => (alpha, 0.0),
                (Motion::Acceleration | Motion::Flow, Soft::Explicit) => {
                    let error = if position_level {
                        c + tau * c_dot
                    } else {
                        c_dot
                    };
                    detach_row(generic, i, -error / alpha, system);
                    let own = if motion == Motion::Flow {
                        c_dot
                    } else {
                        system.gamma[row]
                    };
                    (1.0, -error / alpha + own)
                }
                (Motion::Velocity, Soft::Explicit) => {
                    detach_row(generic, i, 0.0, system);
                    (1.0, c_dot)
                }
            };
            system.compliance[row] = compliance;
            system.soft_b[row] = b;
        }
    }
}

/// Writes the row of an armature: `J·v̇ + λ/a = −γ`, and `J·δ + λ/a = 0` for velocities, with which the rotor
/// moves. It is absent in worlds without momentum and in displacements.
fn rotate(
    generic: &GenericConstraint,
    (row, inertia): (usize, f64),
    has_momentum: bool,
    (motion, soft): (Motion, Soft),
    system: &mut System,
) {
    let is_there = match motion {
        Motion::Acceleration | Motion::Velocity => has_momentum,
        Motion::Displacement => has_momentum && soft == Soft::Rows,
        Motion::Flow => false,
    };
    system.compliance[row] = 1.0 / inertia;
    if !is_there {
        detach_row(generic, 0, 0.0, system);
        system.compliance[row] = 1.0;
    }
    system.soft_b[row] = match motion {
        Motion::Acceleration if is_there => 0.0,
        Motion::Acceleration => system.gamma[row],
        Motion::Velocity | Motion::Flow => system.c_dot[row],
        Motion::Displacement => system.c[row],
    };
}

/// Turns row `i` of a generic constraint into a plain force `Jᵀ·λ` (or `K·λ`) and empties it.
fn detach_row(generic: &GenericConstraint, i: usize, lambda: f64, system: &mut System) {
    let pushes = generic.pushes;
    for (at, &(block, _)) in generic.block_of_side.iter().enumerate() {
        let mut before = generic.block_of_side[..at].iter();
        if before.any(|&(other, _)| other == block) {
            continue;
        }
        let block = system.blocks[block as usize];
        let body = system.bodies[block.body as usize];
        let start = block.offset as usize + i * block.n_cols as usize;
        for k in 0..block.n_cols as usize {
            let column = match block.columns {
                NONE => k,
                columns => system.columns[columns as usize + k] as usize,
            };
            let along = if pushes {
                std::mem::take(&mut system.push[start + k])
            } else {
                system.jacobian[start + k]
            };
            system.force[body.v0 as usize + column] += along * lambda;
            system.jacobian[start + k] = 0.0;
        }
    }
}
