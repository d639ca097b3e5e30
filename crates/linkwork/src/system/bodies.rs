//! Bodies at one instant: their masses and internal forces.
//!
//! ```text
//!     M = diag(m·1, I),  f = (m·g, −ω × I·ω)      rigid bodies, in the typed pool
//!     M = diag(m, m, I),  f = (m·g, 0)             bodies of the plane (`plane`)
//!     M, f = f_internal + Σ fields                 any other, through its trait
//! ```

use super::fill::{Filler, Motion};
use super::layout::Layout;
use super::numbers::{MassBlock, RigidBlock, System};
use super::space::RigidNow;
use crate::body::{MassKind, gyroscopic_torque, rigid_state};
use crate::math::scale;
use crate::world::{State, World};

impl Filler {
    /// Rotation, inertia, gravity and gyroscopic torque of the typed pool.
    pub(super) fn rigid_bodies(
        &mut self,
        state: &State,
        layout: &Layout,
        motion: Motion,
        system: &mut System,
    ) {
        let gravity = layout.gravity_world;
        for ((source, now), block) in layout
            .rigid
            .iter()
            .zip(&mut self.rigid)
            .zip(&mut system.rigid)
        {
            let q = &state.q[source.q0 as usize..source.q0 as usize + 7];
            let v = &state.v[source.v0 as usize..source.v0 as usize + 6];
            let rigid = rigid_state(&source.inertia_body, q);
            let omega = [v[3], v[4], v[5]];
            *block = RigidBlock {
                mass: source.mass,
                inv_mass: source.inv_mass,
                inertia_world: rigid.inertia_world,
            };
            *now = RigidNow {
                com: rigid.com_world,
                rotation: rigid.rot_world_body,
                velocity: [v[0], v[1], v[2]],
                omega,
            };
            // In a flight, which conserves momentum, the gyroscopic torque is not a force.
            let torque = match motion {
                Motion::Acceleration => gyroscopic_torque(&rigid.inertia_world, omega),
                _ => [0.0; 3],
            };
            let inertial = &mut system.inertial[source.v0 as usize..source.v0 as usize + 6];
            inertial[3..].copy_from_slice(&torque);
            let weight = scale(source.mass, gravity);
            let f = &mut system.force[source.v0 as usize..source.v0 as usize + 6];
            f[..3].copy_from_slice(&weight);
            f[3..].copy_from_slice(&torque);
        }
    }

    /// Masses and forces of bodies through their trait; fields that are not uniform, on all bodies.
    pub(super) fn generic_bodies(
        &mut self,
        (world, state): (&World, &State),
        layout: &Layout,
        motion: Motion,
        system: &mut System,
    ) {
        for &(position, index) in &layout.generic_bodies {
            let record = &world.bodies()[position as usize];
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            let n = record.body.n_v();
            let metric = |out: &mut [f64]| match motion.is_by_drag(world) {
                true => record.body.drag_metric(q, out),
                false => record.body.mass(q, out),
            };
            match system.bodies[index as usize].mass {
                MassBlock::Rigid(_) => unreachable!("rigid bodies are in the typed pool"),
                MassBlock::Dense(offset) => {
                    let mass = &mut system.mass[offset as usize..][..n * n];
                    if matches!(record.body.mass_kind(), MassKind::Diagonal) {
                        metric(&mut mass[..n]);
                        spread_diagonal(n, mass);
                    } else {
                        metric(mass);
                    }
                }
                MassBlock::Diagonal(offset) => {
                    metric(&mut system.mass[offset as usize..][..n]);
                }
                MassBlock::Patterned { pattern, offset } => {
                    let pattern = &system.patterns[pattern as usize];
                    let storage = &mut system.mass[offset as usize..];
                    pattern.fill(storage, system.masses_are_own, metric);
                }
                MassBlock::Opaque {
                    operator,
                    offset,
                    n_storage,
                } => {
                    let storage = &mut system.mass[offset as usize..][..n_storage as usize];
                    system.operators[operator as usize].factor(q, storage);
                }
            }
            let f = &mut system.force[record.v_range()];
            f.fill(0.0);
            if !record.body.is_all_strains() {
                record.body.internal_force(q, v, f);
            }
            let inertial = &mut system.inertial[record.v_range()];
            inertial.fill(0.0);
            record.body.inertial_force(q, v, inertial);
            if motion != Motion::Acceleration {
                f.iter_mut().zip(inertial).for_each(|(f, own)| *f -= *own);
            }
            record.body.uniform_field(q, layout.gravity_world, f);
        }
        system.masses_are_own = true;
        for &position in &layout.fields {
            let behavior = &world.behaviors()[position as usize].behavior;
            if behavior.as_uniform_field().is_some() {
                continue;
            }
            for record in world.bodies().iter().filter(|record| record.enabled) {
                let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
                behavior.body_force(&*record.body, q, v, &mut system.force[record.v_range()]);
            }
        }
    }
}

/// Expands the first n numbers to a diagonal matrix, in place.
fn spread_diagonal(n: usize, mass: &mut [f64]) {
    for i in (0..n).rev() {
        let value = mass[i];
        mass[i * n..(i + 1) * n].fill(0.0);
        if i > 0 {
            mass[i] = 0.0;
        }
        mass[i * n + i] = value;
    }
}
