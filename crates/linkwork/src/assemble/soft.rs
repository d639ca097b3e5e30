//! Soft rows: what compliance adds to `C` and `b`.

use super::fill::Motion;
use super::layout::{GenericConstraint, Layout};
use super::system::System;
use crate::constraint::Level;
use crate::topology::NONE;
use crate::world::World;

/// Gives soft rows their part of `C` and `b`.
///
/// A row of compliance α is a spring `λ = −c/α`. Taken implicitly over a horizon h, it is the row
/// `J·v̇ + (α/h²)·λ = −γ − (c + h·ċ)/h²`; its limit h → 0 is the explicit spring, which is written
/// as a force and an empty row that returns the spring's λ. The limit α → 0 is the hard row.
///
/// A row on rates is a damper `λ = −ċ/α`, implicitly `J·v̇ + (α/h)·λ = −γ − ċ/h`.
pub(super) fn soften(
    world: &World,
    layout: &Layout,
    motion: Motion,
    horizon: Option<f64>,
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
            let c_dot = system.c_dot[row];
            match (motion, horizon) {
                (Motion::Displacement, _) => {
                    system.compliance[row] = alpha;
                    system.soft_b[row] = 0.0;
                }
                (Motion::Acceleration, Some(h)) if position_level => {
                    system.compliance[row] = alpha / (h * h);
                    system.soft_b[row] = -(system.c[row] + h * c_dot) / (h * h);
                }
                (Motion::Velocity, Some(h)) if position_level => {
                    system.compliance[row] = alpha / (h * h);
                    system.soft_b[row] = -system.c[row] / h;
                }
                (Motion::Acceleration, Some(h)) => {
                    system.compliance[row] = alpha / h;
                    system.soft_b[row] = -c_dot / h;
                }
                (Motion::Velocity, Some(h)) => {
                    system.compliance[row] = alpha / h;
                    system.soft_b[row] = 0.0;
                }
                (Motion::Acceleration, None) => {
                    let error = if position_level { system.c[row] } else { c_dot };
                    detach_row(generic, i, -error / alpha, system);
                    system.compliance[row] = 1.0;
                    system.soft_b[row] = -error / alpha + system.gamma[row];
                }
                (Motion::Velocity, None) => {
                    detach_row(generic, i, 0.0, system);
                    system.compliance[row] = 1.0;
                    system.soft_b[row] = c_dot;
                }
            }
        }
    }
}

/// Turns row `i` of a generic constraint into a plain force `Jᵀ·λ` (or `K·λ`) and empties it.
fn detach_row(generic: &GenericConstraint, i: usize, lambda: f64, system: &mut System) {
    let pushes = system.constraints[generic.constraint as usize].pushes;
    for (at, &(block, _)) in generic.block_of_input.iter().enumerate() {
        let seen = generic.block_of_input[..at]
            .iter()
            .any(|&(other, _)| other == block);
        if block == NONE || seen {
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
