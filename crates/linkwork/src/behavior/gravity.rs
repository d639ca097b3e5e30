//! A uniform acceleration field.

use super::Behavior;
use crate::body::Body;
use crate::connector::ConnectorKind;
use crate::error::Error;
use crate::math::{Vec3, dot};

/// Gravity: every body falls with `acceleration_world` unless something holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// Acceleration, world axes; `[0.0, -9.81, 0.0]` with y up.
    pub acceleration_world: Vec3,
}

impl Behavior for Gravity {
    fn inputs(&self) -> &[ConnectorKind] {
        &[]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("acceleration_world", &self.acceleration_world)
    }

    fn body_force(&self, body: &dyn Body, q: &[f64], _v: &[f64], f: &mut [f64]) {
        body.uniform_field(q, self.acceleration_world, f);
    }

    fn body_energy(&self, body: &dyn Body, q: &[f64]) -> f64 {
        let (mass, com) = body.center_of_mass(q);
        -mass * dot(self.acceleration_world, com)
    }

    fn as_uniform_field(&self) -> Option<Vec3> {
        Some(self.acceleration_world)
    }

    fn acts_on_every_body(&self) -> bool {
        true
    }
}
