//! Behaviors: forces on connectors, and fields on every body.
//!
//! A force `f` on a connector's output becomes the generalized force `Q = Lᵀ·f`
//! (Witkin 1990, eq. 8). On a frame, `f` is a force at the origin and a torque, world axes.

use std::any::Any;
use std::fmt;

use crate::body::Body;
use crate::connector::{ConnectorKind, Counter, Input};
use crate::error::Error;
use crate::math::Vec3;

mod constant_force;
mod drag;
mod gravity;
mod joint_friction;
mod motor;
mod spring;
mod thrust;
mod torsion_spring;

pub use constant_force::{Axes, ConstantForce, OutputForce, PointForce};
pub use drag::ViscousDrag;
pub use gravity::Gravity;
pub use joint_friction::JointFriction;
pub use motor::Motor;
pub use spring::Spring;
pub use thrust::Thrust;
pub use torsion_spring::TorsionSpring;

/// Where a behavior writes the force on each of its connectors. Zeroed beforehand.
#[derive(Debug)]
pub struct Forces<'a> {
    force: &'a mut [f64],
    kinds: &'a [ConnectorKind],
    /// Full turns of its angles.
    pub(crate) turns: Counter<'a>,
}

impl<'a> Forces<'a> {
    /// Forces over caller-owned storage of `Σ n_x_dot` numbers. Zeroes it.
    pub fn new(kinds: &'a [ConnectorKind], force: &'a mut [f64]) -> Self {
        force.fill(0.0);
        let turns = Counter::default();
        Self {
            force,
            kinds,
            turns,
        }
    }

    /// The force on input `input`, `n_x_dot` numbers.
    pub fn on(&mut self, input: usize) -> &mut [f64] {
        let start: usize = self.kinds[..input].iter().map(|kind| kind.n_x_dot()).sum();
        &mut self.force[start..start + self.kinds[input].n_x_dot()]
    }
}

impl dyn Behavior {
    /// The kinds of connector it takes, in space or in the plane.
    pub fn inputs_of(&self, in_plane: bool) -> &[ConnectorKind] {
        if in_plane {
            return self.inputs_in_plane();
        }
        self.inputs()
    }
}

/// A force law.
pub trait Behavior: Any + fmt::Debug + Send + Sync {
    /// The kinds of connector it takes, in order. Empty for a field on every body.
    fn inputs(&self) -> &[ConnectorKind];

    /// The kinds of connector it takes in the plane, if it can act there too; else nothing. The
    /// connectors decide: if one of them is in the plane, so is the behavior.
    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[]
    }

    /// Whether the parameters make sense. Called when the behavior is added or replaced.
    fn validate(&self) -> Result<(), Error>;

    /// Writes the force on each connector.
    fn eval(&self, _t: f64, _inputs: &[Input<'_>], _out: &mut Forces<'_>) {}

    /// Potential energy stored in the connectors.
    fn energy(&self, _t: f64, _inputs: &[Input<'_>]) -> f64 {
        0.0
    }

    /// How many angles in space it measures. The world counts their full turns. In the plane angles count
    /// turns by themselves.
    fn n_angles(&self) -> usize {
        0
    }

    /// [`Behavior::energy`] of one that counts the turns of angles.
    fn energy_over_turns(&self, t: f64, inputs: &[Input<'_>], _turns: &mut Counter<'_>) -> f64 {
        self.energy(t, inputs)
    }

    /// Adds a generalized force on each body of the world, whatever it is.
    fn body_force(&self, _body: &dyn Body, _q: &[f64], _v: &[f64], _f: &mut [f64]) {}

    /// Potential energy of a body in this field.
    fn body_energy(&self, _body: &dyn Body, _q: &[f64]) -> f64 {
        0.0
    }

    /// The acceleration, if this is exactly a uniform field: the engine then adds it to rigid
    /// bodies without virtual calls.
    fn as_uniform_field(&self) -> Option<Vec3> {
        None
    }

    /// Whether its force changes with the places of its connectors, other than that it turns with them. Steps
    /// ask how fast such a force acts.
    fn changes_with_place(&self) -> bool {
        true
    }

    /// Whether its force changes with the rates of its connectors, likewise.
    fn changes_with_motion(&self) -> bool {
        true
    }

    /// True when [`Behavior::body_force`] does something.
    fn acts_on_every_body(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
