//! The particle: a point mass in space, with nothing to turn.

use super::{Body, MassKind, Momentum, Pose};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{Vec3, cross, scale};

/// A point mass in space: `q` is its position, `v` its velocity. Its only connector is itself,
/// `particle.at([0.0, 0.0, 0.0])`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Mass.
    pub mass: f64,
}

impl Body for Particle {
    fn n_q(&self) -> usize {
        3
    }

    fn n_v(&self) -> usize {
        3
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("mass", &self.mass)
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.fill(0.0);
    }

    fn mass_kind(&self) -> MassKind {
        MassKind::Diagonal
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        M.fill(self.mass);
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        for k in 0..3 {
            f[k] += self.mass * acceleration_world[k];
        }
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (self.mass, [q[0], q[1], q[2]])
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let linear = scale(self.mass, [v[0], v[1], v[2]]);
        Momentum {
            linear,
            angular: cross([q[0], q[1], q[2]], linear),
        }
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        Some(Pose::at([q[0], q[1], q[2]]))
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        pose.validate()?;
        if pose.rotation[1..] != [0.0; 3] {
            return Err(Error::field(
                "rotation",
                "is given, but a particle has none; use Pose::at(position)",
            ));
        }
        q.copy_from_slice(&pose.position);
        Ok(())
    }

    fn moves_as_one(&self) -> bool {
        true
    }

    fn offers(&self) -> &'static str {
        "one point in space, itself: [0, 0, 0]"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Point(p) if *p == [0.0; 3] => Ok(Some(ConnectorKind::Point3)),
            Site::Point(p) => Err(Error::field(
                "point",
                format!("is {p:?}; a particle has no extent, give [0, 0, 0]"),
            )),
            _ => Ok(None),
        }
    }

    fn connector(&self, _site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        out.x.copy_from_slice(q);
        out.x_dot.copy_from_slice(v);
        for k in 0..3 {
            out.L.set(k, k, 1.0);
        }
    }
}
