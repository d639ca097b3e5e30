//! The ground: no coordinates, no motion, connectors of every geometric kind.

use super::planar::check_plane_site;
use super::rigid::{RigidMotion, check_space_site};
use super::{Body, Momentum, Pose, moved_by_nothing};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{IDENTITY3, Vec3};

/// The immovable body behind [`GROUND`](crate::world::GROUND); its frame is the world's.
#[derive(Clone, Copy, Debug)]
pub struct Ground;

impl Body for Ground {
    fn n_q(&self) -> usize {
        0
    }

    moved_by_nothing!();

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn initial_q(&self, _q: &mut [f64]) {}

    fn center_of_mass(&self, _q: &[f64]) -> (f64, Vec3) {
        (0.0, [0.0; 3])
    }

    fn pose(&self, _t: f64, _q: &[f64]) -> Option<Pose> {
        Some(Pose::at([0.0; 3]))
    }

    fn offers(&self) -> &'static str {
        "points, frames and directions in space, points and frames in the plane"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        if site.is_planar() {
            return check_plane_site(site);
        }
        check_space_site(site)
    }

    fn connector(&self, site: &Site, _t: f64, _q: &[f64], _v: &[f64], out: &mut ConnectorMut<'_>) {
        match site {
            Site::Point2(p) => out.x.copy_from_slice(p),
            Site::Frame2 { origin, angle } => {
                out.x.copy_from_slice(&[origin[0], origin[1], *angle]);
            }
            _ => AT_REST.connector(site, [0.0; 3], out),
        }
    }
}

const AT_REST: RigidMotion = RigidMotion {
    origin: [0.0; 3],
    rotation: IDENTITY3,
    velocity: [0.0; 3],
    omega: [0.0; 3],
    acceleration: [0.0; 3],
    alpha: [0.0; 3],
};
