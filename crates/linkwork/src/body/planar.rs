//! The rigid body of the plane: position of the center of mass and an angle.
//!
//! ```text
//!     q = (x, y, θ)      v = q̇      M = diag(m, m, I)      no internal force
//! ```
//!
//! Its connectors have two components, so that a pin between two bodies of the plane has two rows
//! and its angle counts whole turns. In space it lives at z = 0 and turns about z.

use std::sync::Arc;

use super::IntoBody;
use super::{Body, MassKind, Momentum, Pose};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, check_fields};
use crate::math::Vec3;

/// A rigid body in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarBody {
    /// Mass.
    pub mass: f64,
    /// Moment of inertia about the center of mass.
    pub inertia: f64,
    /// Center of mass, body coordinates.
    pub com_body: [f64; 2],
    /// What it looks like, for viewers and files; the motion does not depend on it.
    pub outline: Option<Outline>,
}

/// What a body of the plane looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outline {
    /// A bar along x.
    Rod(PlanarRod),
    /// A disc.
    Disc(PlanarDisc),
    /// A rectangle.
    Box(PlanarBox),
}

/// A thin bar of the plane along x, centered at its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarRod {
    /// Length along x.
    pub length: f64,
    /// Mass.
    pub mass: f64,
}

/// A disc of the plane, centered at its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarDisc {
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
}

/// A rectangle of the plane, centered at its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarBox {
    /// Lengths of its edges along x and y.
    pub size: [f64; 2],
    /// Mass.
    pub mass: f64,
}

impl PlanarRod {
    /// The body: `I = m·l²/12`.
    pub fn body(&self) -> Result<PlanarBody, Error> {
        Error::require_positive("length", &self.length)?;
        centered(
            self.mass,
            self.length * self.length / 12.0,
            Outline::Rod(*self),
        )
    }
}

impl PlanarDisc {
    /// The body: `I = ½·m·r²`.
    pub fn body(&self) -> Result<PlanarBody, Error> {
        Error::require_positive("radius", &self.radius)?;
        centered(
            self.mass,
            0.5 * self.radius * self.radius,
            Outline::Disc(*self),
        )
    }
}

impl PlanarBox {
    /// The body: `I = m·(w² + h²)/12`.
    pub fn body(&self) -> Result<PlanarBody, Error> {
        let [width, height] = self.size;
        Error::require_positive("size", &width)?;
        Error::require_positive("size", &height)?;
        centered(
            self.mass,
            (width * width + height * height) / 12.0,
            Outline::Box(*self),
        )
    }
}

fn centered(mass: f64, inertia_per_mass: f64, outline: Outline) -> Result<PlanarBody, Error> {
    Error::require_positive("mass", &mass)?;
    let body = PlanarBody {
        mass,
        inertia: mass * inertia_per_mass,
        com_body: [0.0; 2],
        outline: Some(outline),
    };
    body.validate()?;
    Ok(body)
}

macro_rules! into_planar_body {
    ($($shape:ty),*) => {$(
        impl IntoBody for $shape {
            fn into_body(self) -> Result<Arc<dyn Body>, Error> {
                Ok(Arc::new(self.body()?))
            }
        }
    )*};
}

into_planar_body!(PlanarRod, PlanarDisc, PlanarBox);

/// `a` turned by `angle`.
fn turned(angle: f64, a: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = libm::sincos(angle);
    [cos * a[0] - sin * a[1], sin * a[0] + cos * a[1]]
}

/// A body of the plane at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanarNow {
    com: [f64; 2],
    velocity: [f64; 2],
    spin: f64,
    sin: f64,
    cos: f64,
}

/// A point in the plane at one instant; `r` is from the center of mass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanarPoint {
    pub(crate) r: [f64; 2],
    pub(crate) x: [f64; 2],
    pub(crate) x_dot: [f64; 2],
    pub(crate) ell: [f64; 2],
}

impl PlanarNow {
    #[inline(always)]
    pub(crate) fn new(q: &[f64], v: &[f64]) -> Self {
        let (sin, cos) = libm::sincos(q[2]);
        Self {
            com: [q[0], q[1]],
            velocity: [v[0], v[1]],
            spin: v[2],
            sin,
            cos,
        }
    }

    /// A point at `lever_body` from the center of mass: `x = x_com + r`,
    /// `ẋ = ẋ_com + θ̇·(−r_y, r_x)`, `ℓ = −θ̇²·r`.
    #[inline(always)]
    pub(crate) fn point(&self, lever_body: [f64; 2]) -> PlanarPoint {
        let (Self { cos, sin, spin, .. }, [x, y]) = (*self, lever_body);
        let r = [cos * x - sin * y, sin * x + cos * y];
        PlanarPoint {
            r,
            x: [self.com[0] + r[0], self.com[1] + r[1]],
            x_dot: [
                self.velocity[0] - spin * r[1],
                self.velocity[1] + spin * r[0],
            ],
            ell: [-spin * spin * r[0], -spin * spin * r[1]],
        }
    }
}

impl Body for PlanarBody {
    fn n_q(&self) -> usize {
        3
    }

    fn n_v(&self) -> usize {
        3
    }

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, positive: mass, inertia; finite: com_body)
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.copy_from_slice(&[self.com_body[0], self.com_body[1], 0.0]);
    }

    fn mass_kind(&self) -> MassKind {
        MassKind::Diagonal
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        M.copy_from_slice(&[self.mass, self.mass, self.inertia]);
    }

    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        dq[2] *= factor;
    }

    fn turn_of(&self, dq: &[f64]) -> f64 {
        dq[2].abs()
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        // The plane carries the z component.
        f[0] += self.mass * acceleration_world[0];
        f[1] += self.mass * acceleration_world[1];
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (self.mass, [q[0], q[1], 0.0])
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let orbit = self.mass * (q[0] * v[1] - q[1] * v[0]);
        Momentum {
            linear: [self.mass * v[0], self.mass * v[1], 0.0],
            angular: [0.0, 0.0, orbit + self.inertia * v[2]],
        }
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        let lever = turned(q[2], self.com_body);
        Some(Pose::in_plane([q[0] - lever[0], q[1] - lever[1]], q[2]))
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        let (position, angle) = pose.to_plane()?;
        let lever = turned(angle, self.com_body);
        q.copy_from_slice(&[position[0] + lever[0], position[1] + lever[1], angle]);
        Ok(())
    }

    fn moves_as_one(&self) -> bool {
        true
    }

    fn gyration_radius(&self) -> Option<f64> {
        Some((self.inertia / self.mass).sqrt())
    }

    fn offers(&self) -> &'static str {
        "points and frames in the plane"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        check_plane_site(site)
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        let (p, frame_angle) = match site {
            Site::Point2(p) => (*p, None),
            Site::Frame2 { origin, angle } => (*origin, Some(*angle)),
            _ => unreachable!("the world checks a site's kind before it is used"),
        };
        let lever_body = [p[0] - self.com_body[0], p[1] - self.com_body[1]];
        let PlanarPoint { r, x, x_dot, ell } = PlanarNow::new(q, v).point(lever_body);
        out.x[..2].copy_from_slice(&x);
        out.x_dot[..2].copy_from_slice(&x_dot);
        out.ell[..2].copy_from_slice(&ell);
        out.L.set3(0, 0, [1.0, 0.0, -r[1]]);
        out.L.set3(1, 0, [0.0, 1.0, r[0]]);
        if let Some(angle) = frame_angle {
            out.x[2] = q[2] + angle;
            out.x_dot[2] = v[2];
            out.L.set(2, 2, 1.0);
        }
    }
}

/// The kind of a site in the plane, after checking its numbers.
pub(super) fn check_plane_site(site: &Site) -> Result<Option<ConnectorKind>, Error> {
    match site {
        Site::Point2(p) => {
            Error::require_finite("point", p)?;
            Ok(Some(ConnectorKind::Point2))
        }
        Site::Frame2 { origin, angle } => {
            Error::require_finite("frame origin", origin)?;
            Error::require_finite("frame angle", angle)?;
            Ok(Some(ConnectorKind::Frame2))
        }
        _ => Ok(None),
    }
}
