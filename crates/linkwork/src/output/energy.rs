//! The energy of a world.

use super::instant::{ConstraintNow, inputs};
use crate::body::{Body, MassKind};
use crate::constraint::Level;
use crate::equations::Equations;
use crate::error::Error;
use crate::world::{Collider, World};

/// The energy of a world, by where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// `½·vᵀ·M·v`. A body with prescribed motion has no mass, and so none.
    pub kinetic: f64,
    /// Of behaviors: springs between connectors, bodies in fields such as gravity. Zero where each
    /// behavior says (a weight: at the world's origin).
    pub potential: f64,
    /// In deformed bodies, in soft rows of constraints, `½·c²/α` each, and in contacts that give way, `½·gap²/α` where
    /// they are pressed in.
    pub elastic: f64,
}

impl Energy {
    /// Everything together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

impl World {
    /// The energy of everything that is enabled, at the present state.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), linkwork::Error> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let ball = world.add_body_at("ball", Particle { mass: 2.0 }, Pose::at([0.0, 3.0, 0.0]))?;
    /// world.set_v(ball, &[1.0, 0.0, 0.0])?;
    /// let energy = world.energy()?;
    /// assert_eq!(energy.kinetic, 1.0);
    /// assert!((energy.potential - 2.0 * 9.81 * 3.0).abs() < 1e-12);
    /// # Ok(()) }
    /// ```
    pub fn energy(&self) -> Result<Energy, Error> {
        let mut energy = self.energy_apart_from_contacts()?;
        energy.elastic += self.contact_energy();
        Ok(energy)
    }

    /// The same without what contacts store.
    pub(crate) fn energy_apart_from_contacts(&self) -> Result<Energy, Error> {
        let mut energy = Energy::default();
        let state = self.state();
        for record in self.bodies().iter().filter(|record| record.enabled()) {
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            energy.kinetic += kinetic(record.body(), q, v);
            energy.elastic += record.body().internal_energy(q);
        }
        energy.kinetic += self.rotor_energy()?;
        energy.potential = self.potential_energy()?;
        energy.elastic += self.soft_energy()?;
        Ok(energy)
    }

    /// `Σ ½·gap²/α` of contacts that give way, by the parts of surfaces that a step would find here.
    fn contact_energy(&self) -> f64 {
        let is_soft =
            |colliders: &[Collider]| colliders.iter().any(|own| own.stiffness.is_finite());
        let mut bodies = self.bodies().iter().filter(|record| record.enabled());
        let any = is_soft(self.ground_colliders()) || bodies.any(|body| is_soft(body.colliders()));
        if !any {
            return 0.0;
        }
        let mut equations = Equations::default();
        equations.find_contacts((self, self.state()), 0.0);
        let system = equations.system();
        let stored = system.bounded.iter().filter_map(|row| {
            let depth = row.gap(system).min(0.0);
            Some(0.5 * depth * depth / row.softness(system)?.compliance)
        });
        stored.sum()
    }

    /// `Σ ½·a·φ̇²` of armatures.
    fn rotor_energy(&self) -> Result<f64, Error> {
        let mut sum = 0.0;
        for record in self.constraints() {
            if let Some(inertia) = record.constraint().inertia()
                && self.is_active(record.id())?
            {
                let rate = ConstraintNow::of(self, record)?.c_dot[0];
                sum += 0.5 * inertia * rate * rate;
            }
        }
        Ok(sum)
    }

    fn potential_energy(&self) -> Result<f64, Error> {
        let state = self.state();
        let mut sum = 0.0;
        for record in self.behaviors() {
            if !record.enabled() || !self.all_enabled(record.connectors()) {
                continue;
            }
            let behavior = record.behavior();
            if behavior.acts_on_every_body() {
                for body in self.bodies().iter().filter(|body| body.enabled()) {
                    sum += behavior.body_energy(body.body(), &state.q[body.q_range()]);
                }
            }
            if !record.connectors().is_empty() {
                let values = self.connector_values(record.connectors())?;
                let mut turns = self.counter(state.turns.joints.len() + record.angle0);
                sum += behavior.energy_over_turns(state.t, &inputs(&values), &mut turns);
            }
        }
        Ok(sum)
    }

    /// `Σ ½·c²/α` over soft rows: what the springs they stand for hold. A row on rates is a damper,
    /// and one that pushes along a direction of its own is no gradient; neither stores energy.
    fn soft_energy(&self) -> Result<f64, Error> {
        let mut sum = 0.0;
        for record in self.constraints() {
            let soft = record.compliance().iter().any(|&alpha| alpha > 0.0);
            let constraint = record.constraint();
            let stores = constraint.level() == Level::Position && !constraint.pushes_elsewhere();
            if !soft || !stores || constraint.inertia().is_some() || !self.is_active(record.id())? {
                continue;
            }
            let now = ConstraintNow::of(self, record)?;
            if let Some(energy) = now.energy {
                sum += energy;
                continue;
            }
            for (c, &alpha) in now.c.iter().zip(record.compliance()) {
                if alpha > 0.0 {
                    sum += 0.5 * c * c / alpha;
                }
            }
        }
        Ok(sum)
    }
}

/// `½·vᵀ·M·v`.
fn kinetic(body: &dyn Body, q: &[f64], v: &[f64]) -> f64 {
    let n = v.len();
    let mut momentum = vec![0.0; n];
    match body.mass_kind() {
        MassKind::Dense => {
            let mut mass = vec![0.0; n * n];
            body.mass(q, &mut mass);
            for i in 0..n {
                momentum[i] = product(&mass[i * n..(i + 1) * n], v);
            }
        }
        MassKind::Diagonal => {
            body.mass(q, &mut momentum);
            momentum.iter_mut().zip(v).for_each(|(m, v)| *m *= v);
        }
        MassKind::Patterned(pattern) => {
            let mut mass = vec![0.0; pattern.entries().len()];
            body.mass(q, &mut mass);
            pattern.multiply(&mass, v, &mut momentum);
        }
        MassKind::Opaque(operator) => {
            let mut storage = vec![0.0; operator.n_storage()];
            operator.factor(q, &mut storage);
            operator.multiply(&storage, v, &mut momentum);
        }
    }
    0.5 * product(&momentum, v)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
