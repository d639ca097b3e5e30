//! The momenta of bodies that deform and that no row touches, in steps that damp.
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
//! An implicit step pushes along the strains of where one step of Newton's method begins, which have a moment where it
//! ends. There a body is given the momenta that it flew with, which flight keeps, and of the forces on it:
//!
//! ```text
//!     P = Σ m·v* + h/2·Σ f(q′)        L = Σ q × m·v* + h/2·Σ q′ × f(q′)        v* = v + h/2·M⁻¹·f(q)
//!     V = (P − Σ m·v′)/Σ m            I·ω = L − Σ q′ × m·v′ − c × (P − Σ m·v′)        v′ ← v′ + V + ω × r
//! ```
//!
//! So is a solid behind a frame, v = (ċ, ω, q̇): its frame moves by V + ω × (c − center) and ω.

use crate::linalg::size;
use crate::math::{Sym3, Vec3, add, cross, dot, scale, sub, sym_inverse, sym_vec};
use crate::system::{Layout, System};
use crate::world::{BodyRecord, World};

/// Bodies of nodes, and solids, that no row touches: their places in the world.
#[derive(Debug, Default)]
pub(crate) struct Unheld {
    bodies: Vec<u32>,
    /// M of one body: of nodes, three times each.
    masses: Vec<f64>,
    /// Their momenta: linear, and angular about the origin.
    aims: Vec<(Vec3, Vec3)>,
}

/// Whether a body is a solid behind a frame, not one of nodes.
fn is_framed(record: &BodyRecord) -> bool {
    record.body.solid().is_some()
}

/// A body as if it were rigid.
struct Whole {
    is_framed: bool,
    mass: f64,
    center: Vec3,
    inertia: Sym3,
}

impl Whole {
    fn of(record: &BodyRecord, q: &[f64], masses: &mut [f64]) -> Self {
        let (is_framed, n) = (is_framed(record), record.body.n_v());
        let masses = &mut masses[..if is_framed { n * n } else { n }];
        record.body.mass(q, masses);
        let (mass, center) = record.body.center_of_mass(q);
        let mut inertia: Sym3 = [0.0; 6];
        // What a mass at r from the center turns with.
        let mut add_mass = |mass: f64, r: Vec3| {
            let square = dot(r, r);
            for axis in 0..3 {
                inertia[axis] += mass * (square - r[axis] * r[axis]);
            }
            inertia[3] -= mass * r[0] * r[1];
            inertia[4] -= mass * r[0] * r[2];
            inertia[5] -= mass * r[1] * r[2];
        };
        if is_framed {
            add_mass(-mass, sub(center, node(q, 0)));
            let pairs = [(3, 3), (4, 4), (5, 5), (3, 4), (3, 5), (4, 5)];
            for (own, (i, k)) in inertia.iter_mut().zip(pairs) {
                *own += masses[i * n + k];
            }
        } else {
            for (x, mass) in q.chunks_exact(3).zip(masses.iter().step_by(3)) {
                add_mass(*mass, sub(node(x, 0), center));
            }
        }
        Self {
            is_framed,
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

    /// Moves all of it as one.
    fn give(&self, q: &[f64], (along, spin): (Vec3, Vec3), motion: &mut [f64]) {
        let moved = |k: usize| add(along, cross(spin, sub(node(q, k), self.center)));
        let mut put = |k: usize, own: Vec3| {
            for (motion, own) in motion[k..].iter_mut().zip(own) {
                *motion += own;
            }
        };
        if self.is_framed {
            put(0, moved(0));
            put(3, spin);
        } else {
            (0..q.len()).step_by(3).for_each(|k| put(k, moved(k)));
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
            let n = match (body.skin(), body.solid()) {
                (Some(_), _) => body.n_v(),
                (_, Some(_)) => body.n_v() * body.n_v(),
                _ => continue,
            };
            if self.bodies.last() != Some(&strain.record) && !is_held() {
                self.bodies.push(strain.record);
                largest = largest.max(n);
            }
        }
        size(&mut self.masses, largest);
        self.aims.clear();
        self.aims.reserve(self.bodies.len());
    }

    /// Gives back what of the moment of `push` did not become motion. The bodies are at `q`. Solids have no tension
    /// that the filter would take.
    pub(crate) fn give_back(&mut self, world: &World, q: &[f64], push: &[f64], motion: &mut [f64]) {
        for &position in &self.bodies {
            let record = &world.bodies()[position as usize];
            if is_framed(record) {
                continue;
            }
            let (q, own) = (&q[record.q_range()], record.v_range());
            let (push, motion) = (&push[own.clone()], &mut motion[own]);
            let whole = Whole::of(record, q, &mut self.masses);
            let mut moment: Vec3 = [0.0; 3];
            for k in (0..q.len()).step_by(3) {
                let r = sub(node(q, k), whole.center);
                let missing = sub(node(push, k), scale(self.masses[k], node(motion, k)));
                moment = add(moment, cross(r, missing));
            }
            let spin = whole.motion([0.0; 3], moment).1;
            whole.give(q, ([0.0; 3], spin), motion);
        }
    }

    /// Notes the momenta of a motion.
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
            let nodes = if is_framed(record) { 3 } else { q.len() };
            for k in (0..nodes).step_by(3) {
                let push = scale(time, node(force, k));
                *linear = add(*linear, push);
                *angular = add(*angular, cross(node(q, k), push));
            }
            if is_framed(record) {
                *angular = add(*angular, scale(time, node(force, 3)));
            }
        }
    }

    /// Gives the bodies the noted momenta. Returns the energy of their rigid motion, J.
    pub(crate) fn restore(&mut self, world: &World, q: &[f64], v: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for (&(linear, angular), &position) in self.aims.iter().zip(&self.bodies) {
            let record = &world.bodies()[position as usize];
            let (q, v) = (&q[record.q_range()], &mut v[record.v_range()]);
            let whole = Whole::of(record, q, &mut self.masses);
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
