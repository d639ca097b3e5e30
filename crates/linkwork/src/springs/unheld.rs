//! Momenta of free soft bodies in damping steps.
//!
//! At the end of a step along its middle the filter adds a part c of the geometric stiffness G to the mass in
//! the second half, `(M + c·G)·y = g`. G resists rotation as well as bending, so only a part of the moment of g
//! would become angular momentum. The rest is added as a rotation of the whole body, which does not change its
//! strains. The filter then acts on everything but rotations, and conserves momenta:
//!
//! ```text
//!     I·ω = Σ r × (g − m·y)        y ← y + ω × r
//! ```
//!
//! Forces of strains in an implicit step act along directions from the start of a Newton step, and have a
//! moment at its end. There a body is given the momenta of free flight and of the forces on it:
//!
//! ```text
//!     P = Σ m·v* + h/2·Σ f(q′)        L = Σ q* × m·v* + h/2·Σ q′ × f(q′)
//!     V = (P − Σ m·v′)/Σ m            I·ω = L − Σ q′ × m·v′ − c × (P − Σ m·v′)        v′ ← v′ + V + ω × r
//! ```

use crate::linalg::size;
use crate::math::{Sym3, Vec3, add, cross, dot, scale, sub, sym_inverse, sym_vec};
use crate::system::{Layout, System};
use crate::world::{BodyRecord, World};

/// Free soft bodies: their positions in the world.
#[derive(Debug, Default)]
pub(crate) struct Unheld {
    bodies: Vec<u32>,
    /// Masses of one body's nodes, three times each.
    masses: Vec<f64>,
    /// Their momenta: linear, and angular about the origin.
    aims: Vec<(Vec3, Vec3)>,
}

/// The rigid motion of a body.
struct Whole {
    mass: f64,
    center: Vec3,
    inertia: Sym3,
}

impl Whole {
    fn of(record: &BodyRecord, q: &[f64], masses: &mut [f64]) -> Self {
        record.body.mass(q, masses);
        let (mass, center) = record.body.center_of_mass(q);
        let mut inertia: Sym3 = [0.0; 6];
        for (x, mass) in q.chunks_exact(3).zip(masses.iter().step_by(3)) {
            let r = sub(node(x, 0), center);
            let square = dot(r, r);
            for axis in 0..3 {
                inertia[axis] += mass * (square - r[axis] * r[axis]);
            }
            inertia[3] -= mass * r[0] * r[1];
            inertia[4] -= mass * r[0] * r[2];
            inertia[5] -= mass * r[1] * r[2];
        }
        Self {
            mass,
            center,
            inertia,
        }
    }

    /// Velocity and angular velocity for momenta about the center. A body on a line does not rotate about it.
    fn motion(&self, linear: Vec3, moment: Vec3) -> (Vec3, Vec3) {
        let spin = sym_vec(&sym_inverse(&self.inertia), moment);
        let has_spin = spin.iter().all(|spin| spin.is_finite());
        let spin = if has_spin { spin } else { [0.0; 3] };
        (scale(1.0 / self.mass, linear), spin)
    }

    /// Adds a rigid motion of all nodes.
    fn give(&self, q: &[f64], (along, spin): (Vec3, Vec3), motion: &mut [f64]) {
        for k in (0..q.len()).step_by(3) {
            let own = add(along, cross(spin, sub(node(q, k), self.center)));
            for (motion, own) in motion[k..].iter_mut().zip(own) {
                *motion += own;
            }
        }
    }
}

fn node(of: &[f64], k: usize) -> Vec3 {
    [of[k], of[k + 1], of[k + 2]]
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
        self.aims.clear();
        self.aims.reserve(self.bodies.len());
    }

    /// Adds the angular momentum of `push` that did not become motion. The bodies are at `q`.
    pub(crate) fn give_back(&mut self, world: &World, q: &[f64], push: &[f64], motion: &mut [f64]) {
        for &position in &self.bodies {
            let record = &world.bodies()[position as usize];
            let (q, own) = (&q[record.q_range()], record.v_range());
            let (push, motion) = (&push[own.clone()], &mut motion[own]);
            let masses = &mut self.masses[..q.len()];
            let whole = Whole::of(record, q, masses);
            let mut moment: Vec3 = [0.0; 3];
            for k in (0..q.len()).step_by(3) {
                let r = sub(node(q, k), whole.center);
                let missing = sub(node(push, k), scale(masses[k], node(motion, k)));
                moment = add(moment, cross(r, missing));
            }
            let spin = whole.motion([0.0; 3], moment).1;
            whole.give(q, ([0.0; 3], spin), motion);
        }
    }

    /// Notes the momenta of free flight.
    pub(crate) fn note(&mut self, world: &World, q: &[f64], v: &[f64]) {
        self.aims.clear();
        for &position in &self.bodies {
            let record = &world.bodies()[position as usize];
            let (q, v) = (&q[record.q_range()], &v[record.v_range()]);
            let own = record.body.momentum(q, v);
            self.aims.push((own.linear, own.angular));
        }
    }

    /// Adds the momenta of forces over a time.
    pub(crate) fn push(&mut self, world: &World, q: &[f64], force: &[f64], time: f64) {
        for ((linear, angular), &position) in self.aims.iter_mut().zip(&self.bodies) {
            let record = &world.bodies()[position as usize];
            let (q, force) = (&q[record.q_range()], &force[record.v_range()]);
            for k in (0..q.len()).step_by(3) {
                let push = scale(time, node(force, k));
                *linear = add(*linear, push);
                *angular = add(*angular, cross(node(q, k), push));
            }
        }
    }

    /// Gives the bodies the noted momenta. Returns the energy of their rigid motion, J.
    pub(crate) fn restore(&mut self, world: &World, q: &[f64], v: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for (&(linear, angular), &position) in self.aims.iter().zip(&self.bodies) {
            let record = &world.bodies()[position as usize];
            let (q, v) = (&q[record.q_range()], &mut v[record.v_range()]);
            let whole = Whole::of(record, q, &mut self.masses[..q.len()]);
            let now = record.body.momentum(q, v);
            let missing = sub(linear, now.linear);
            let moment = sub(sub(angular, now.angular), cross(whole.center, missing));
            whole.give(q, whole.motion(missing, moment), v);
            let moment = sub(angular, cross(whole.center, linear));
            let (along, spin) = whole.motion(linear, moment);
            energy += 0.5 * (dot(along, linear) + dot(spin, moment));
        }
        energy
    }
}
