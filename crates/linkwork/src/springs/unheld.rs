//! The spin of free soft bodies, at the end of a step along its middle.
//!
//! The filter adds a part c of what tension adds to stiffness to the mass that the second half pushes,
//! `(M + c·G)·y = g`. G resists what turns as well as what bends: of the moment of g only a part would become angular
//! momentum. The rest is given back as a rotation of the whole body, which its strains do not see. The filter is then
//! `P·(M + c·G)⁻¹`, P being all but rotations, and leaves momenta alone:
//!
//! ```text
//!     I·ω = Σ r × (g − m·y)        y ← y + ω × r
//! ```

use crate::linalg::size;
use crate::math::{Sym3, Vec3, add, cross, dot, scale, sub, sym_inverse, sym_vec};
use crate::system::{Layout, System};
use crate::world::World;

/// Soft bodies that no row touches: their places in the world.
#[derive(Debug, Default)]
pub(crate) struct Unheld {
    bodies: Vec<u32>,
    /// Of one body's nodes, three times each.
    masses: Vec<f64>,
}

impl Unheld {
    pub(crate) fn find(&mut self, world: &World, layout: &Layout, system: &System) {
        self.bodies.clear();
        let mut largest = 0;
        for strain in &system.strains {
            let body = &world.bodies()[strain.record as usize].body;
            let is_held = || layout.incidence.touched.contains(&strain.body);
            if self.bodies.last() != Some(&strain.record) && body.skin().is_some() && !is_held() {
                self.bodies.push(strain.record);
                largest = largest.max(body.n_v());
            }
        }
        size(&mut self.masses, largest);
    }

    /// Gives back what of the moment of `push` did not become motion. The bodies are at `q`.
    pub(crate) fn give_back(&mut self, world: &World, q: &[f64], push: &[f64], motion: &mut [f64]) {
        for &position in &self.bodies {
            let record = &world.bodies()[position as usize];
            let (q, own) = (&q[record.q_range()], record.v_range());
            let (push, motion) = (&push[own.clone()], &mut motion[own]);
            let masses = &mut self.masses[..q.len()];
            record.body.mass(q, masses);
            let center = record.body.center_of_mass(q).1;
            let node = |of: &[f64], k: usize| -> Vec3 { [of[k], of[k + 1], of[k + 2]] };
            let (mut inertia, mut moment): (Sym3, Vec3) = ([0.0; 6], [0.0; 3]);
            for k in (0..q.len()).step_by(3) {
                let (mass, r) = (masses[k], sub(node(q, k), center));
                let missing = sub(node(push, k), scale(mass, node(motion, k)));
                moment = add(moment, cross(r, missing));
                let square = dot(r, r);
                for axis in 0..3 {
                    inertia[axis] += mass * (square - r[axis] * r[axis]);
                }
                inertia[3] -= mass * r[0] * r[1];
                inertia[4] -= mass * r[0] * r[2];
                inertia[5] -= mass * r[1] * r[2];
            }
            let spin = sym_vec(&sym_inverse(&inertia), moment);
            // What lies on a line has no spin about it.
            if !spin.iter().all(|spin| spin.is_finite()) {
                continue;
            }
            for k in (0..q.len()).step_by(3) {
                let turned = cross(spin, sub(node(q, k), center));
                for (motion, turned) in motion[k..].iter_mut().zip(turned) {
                    *motion += turned;
                }
            }
        }
    }
}
