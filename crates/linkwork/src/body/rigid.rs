//! The rigid body: position of the center of mass and a unit quaternion.
//!
//! ```text
//!     q = (x_com, quaternion)      n_q = 7
//!     v = (ẋ_com, ω)               n_v = 6, both in world axes
//!     M = [ m·1   0 ]              f_internal = [      0      ]
//!         [  0    I ]                           [ −ω × (I·ω) ]
//! ```
//!
//! `I = R·I_body·Rᵀ` about the center of mass. Users speak of the *body frame*, whose origin may
//! lie anywhere; the center of mass is at `com_body` in it.

use super::free_flight::{PrincipalInertia, rigid_free_flight};
use super::mass_properties::MassProperties;
use super::shapes::Solid;
use super::tolerances::NOT_ORTHONORMAL;
use super::{Body, Momentum, Pose, check_quaternion};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{
    IDENTITY_QUAT, Mat3, Sym3, Vec3, add, cross, determinant, left_jacobian_inverse, mat_mul,
    mat_t_mul, mat_vec, norm, quat_exp, quat_mul, quat_normalize, quat_to_matrix, scale, sub,
    sym_rotate, sym_rotate_diagonal, sym_vec,
};

/// A rigid body in space.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    properties: MassProperties,
    solid: Option<Solid>,
    pub(crate) principal: PrincipalInertia,
}

/// What the engine needs of a rigid body at one instant.
#[derive(Clone, Copy, Debug)]
pub struct RigidState {
    /// Center of mass.
    pub com_world: Vec3,
    /// Rotation from body to world components.
    pub rot_world_body: Mat3,
    /// Inertia about the center of mass, world axes.
    pub inertia_world: Sym3,
}

impl RigidBody {
    /// A rigid body with the given mass properties.
    pub fn new(properties: MassProperties) -> Self {
        let principal = PrincipalInertia::of(&properties.inertia_body);
        Self {
            properties,
            solid: None,
            principal,
        }
    }

    /// A rigid body made of a solid, which it remembers.
    pub fn of(solid: Solid) -> Result<Self, Error> {
        let mut body = Self::new(solid.mass_properties()?);
        body.solid = Some(solid);
        Ok(body)
    }

    /// The solid it was made of, if it was: for viewers and files.
    pub fn solid(&self) -> Option<&Solid> {
        self.solid.as_ref()
    }

    /// Its mass properties.
    pub fn properties(&self) -> &MassProperties {
        &self.properties
    }

    /// Center of mass, rotation and inertia at coordinates `q`.
    #[inline(always)]
    pub fn state(&self, q: &[f64]) -> RigidState {
        rigid_state(&self.properties.inertia_body, q)
    }

    /// A site's origin relative to the center of mass, in body components.
    #[inline]
    pub fn lever_body(&self, point_body: Vec3) -> Vec3 {
        sub(point_body, self.properties.com_body)
    }
}

/// [`RigidBody::state`] from the inertia alone, for the typed pool.
#[inline(always)]
pub(crate) fn rigid_state(inertia_body: &Sym3, q: &[f64]) -> RigidState {
    let rot_world_body = quat_to_matrix([q[3], q[4], q[5], q[6]]);
    let i = inertia_body;
    let inertia_world = if i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0 {
        sym_rotate_diagonal(&rot_world_body, [i[0], i[1], i[2]])
    } else {
        sym_rotate(&rot_world_body, i)
    };
    RigidState {
        com_world: [q[0], q[1], q[2]],
        rot_world_body,
        inertia_world,
    }
}

/// `−ω × (I·ω)`: what keeps the angular momentum of a free body constant.
#[inline(always)]
pub(crate) fn gyroscopic_torque(inertia_world: &Sym3, omega: Vec3) -> Vec3 {
    cross(sym_vec(inertia_world, omega), omega)
}

impl Body for RigidBody {
    fn n_q(&self) -> usize {
        7
    }

    fn n_v(&self) -> usize {
        6
    }

    fn validate(&self) -> Result<(), Error> {
        self.properties.validate()
    }

    fn initial_q(&self, q: &mut [f64]) {
        q[..3].copy_from_slice(&self.properties.com_body);
        q[3..].copy_from_slice(&IDENTITY_QUAT);
    }

    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        Error::require_finite("position", q)?;
        let length = check_quaternion([q[3], q[4], q[5], q[6]])?;
        // What has length one to the last bits stays as it is, to the last bit.
        if (length - 1.0).abs() > 4.0 * f64::EPSILON {
            let unit = quat_normalize([q[3], q[4], q[5], q[6]]);
            q[3..].copy_from_slice(&unit);
        }
        Ok(())
    }

    fn mass(&self, q: &[f64], M: &mut [f64]) {
        let inertia = crate::math::sym_full(&self.state(q).inertia_world);
        M.fill(0.0);
        for i in 0..3 {
            M[i * 6 + i] = self.properties.mass;
            for j in 0..3 {
                M[(3 + i) * 6 + 3 + j] = inertia[i][j];
            }
        }
    }

    fn inertial_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.internal_force(q, v, f);
    }

    fn free_flight(&self, q: &mut [f64], v: &mut [f64], h: f64, _dq: &mut [f64]) {
        rigid_free_flight(&self.principal, q, v, h);
    }

    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        dq[3..].iter_mut().for_each(|dq| *dq *= factor);
    }

    fn turn_of(&self, dq: &[f64]) -> f64 {
        norm([dq[3], dq[4], dq[5]])
    }

    fn chart_rate(&self, dq: &[f64], v: &[f64], rate: &mut [f64]) {
        rate[..3].copy_from_slice(&v[..3]);
        let turn = left_jacobian_inverse([dq[3], dq[4], dq[5]]);
        rate[3..].copy_from_slice(&mat_vec(&turn, [v[3], v[4], v[5]]));
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        let torque = gyroscopic_torque(&self.state(q).inertia_world, [v[3], v[4], v[5]]);
        for k in 0..3 {
            f[3 + k] += torque[k];
        }
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        for k in 0..3 {
            f[k] += self.properties.mass * acceleration_world[k];
        }
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (self.properties.mass, [q[0], q[1], q[2]])
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let state = self.state(q);
        let linear = scale(self.properties.mass, [v[0], v[1], v[2]]);
        let spin = sym_vec(&state.inertia_world, [v[3], v[4], v[5]]);
        Momentum {
            linear,
            angular: add(cross(state.com_world, linear), spin),
        }
    }

    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        for k in 0..3 {
            q[k] += dq[k];
        }
        // R ← exp([δθ]×)·R, with δθ in world axes.
        let turned = quat_mul(quat_exp([dq[3], dq[4], dq[5]]), [q[3], q[4], q[5], q[6]]);
        q[3..].copy_from_slice(&quat_normalize(turned));
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        let rotation = [q[3], q[4], q[5], q[6]];
        let lever = mat_vec(&quat_to_matrix(rotation), self.properties.com_body);
        Some(Pose {
            position: sub([q[0], q[1], q[2]], lever),
            rotation,
        })
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        q[3..].copy_from_slice(&pose.rotation);
        q[..3].copy_from_slice(&pose.position);
        self.check_q(q)?;
        let rotation = quat_to_matrix([q[3], q[4], q[5], q[6]]);
        let com = add(pose.position, mat_vec(&rotation, self.properties.com_body));
        q[..3].copy_from_slice(&com);
        Ok(())
    }

    fn gyration_radius(&self) -> Option<f64> {
        let i = self.properties.inertia_body;
        Some(((i[0] + i[1] + i[2]) / (3.0 * self.properties.mass)).sqrt())
    }

    fn offers(&self) -> &'static str {
        "points, frames and directions in space"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        check_space_site(site)
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        let rotation = quat_to_matrix([q[3], q[4], q[5], q[6]]);
        let motion = RigidMotion {
            origin: [q[0], q[1], q[2]],
            rotation,
            velocity: [v[0], v[1], v[2]],
            omega: [v[3], v[4], v[5]],
            acceleration: [0.0; 3],
            alpha: [0.0; 3],
        };
        motion.connector(site, self.properties.com_body, out);
        let arm = match site {
            Site::Point(p) | Site::Frame { origin: p, .. } => {
                Some(mat_vec(&rotation, self.lever_body(*p)))
            }
            _ => None,
        };
        match (site, arm) {
            // ẋ = v + ω × r:  L = [1, −[r]×];  a frame adds ω itself.
            (_, Some(r)) => {
                for k in 0..3 {
                    out.L.set(k, k, 1.0);
                }
                out.L.set3(0, 3, [0.0, r[2], -r[1]]);
                out.L.set3(1, 3, [-r[2], 0.0, r[0]]);
                out.L.set3(2, 3, [r[1], -r[0], 0.0]);
                if matches!(site, Site::Frame { .. }) {
                    for k in 0..3 {
                        out.L.set(3 + k, 3 + k, 1.0);
                    }
                }
            }
            // ḋ = ω × d.
            (Site::Direction(d), None) => {
                let d = mat_vec(&rotation, *d);
                out.L.set3(0, 3, [0.0, d[2], -d[1]]);
                out.L.set3(1, 3, [-d[2], 0.0, d[0]]);
                out.L.set3(2, 3, [d[1], -d[0], 0.0]);
            }
            _ => unreachable!("the world checks a site's kind before it is used"),
        }
    }

    fn as_rigid(&self) -> Option<&RigidBody> {
        Some(self)
    }
}

/// The motion of a rigid frame at one instant, prescribed or computed: how points, frames and
/// directions fixed to it move. `acceleration` and `alpha` are only the prescribed parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidMotion {
    pub(crate) origin: Vec3,
    pub(crate) rotation: Mat3,
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
    pub(crate) acceleration: Vec3,
    pub(crate) alpha: Vec3,
}

impl RigidMotion {
    /// Writes `x`, `ẋ` and `ℓ` of a site given relative to `origin_body`.
    pub(crate) fn connector(&self, site: &Site, origin_body: Vec3, out: &mut ConnectorMut<'_>) {
        let w = self.omega;
        // Of a vector r fixed to the frame: ṙ = ω × r, r̈ = α × r + ω × (ω × r).
        let rate = |r: Vec3| cross(w, r);
        let bend = |r: Vec3| add(cross(self.alpha, r), cross(w, cross(w, r)));
        match site {
            Site::Point(p) | Site::Frame { origin: p, .. } => {
                let r = mat_vec(&self.rotation, sub(*p, origin_body));
                out.x[..3].copy_from_slice(&add(self.origin, r));
                out.x_dot[..3].copy_from_slice(&add(self.velocity, rate(r)));
                out.ell[..3].copy_from_slice(&add(self.acceleration, bend(r)));
                if let Site::Frame { rotation, .. } = site {
                    let frame = mat_mul(&self.rotation, rotation);
                    for i in 0..3 {
                        out.x[3 + 3 * i..6 + 3 * i].copy_from_slice(&frame[i]);
                    }
                    out.x_dot[3..].copy_from_slice(&w);
                    out.ell[3..].copy_from_slice(&self.alpha);
                }
            }
            Site::Direction(d) => {
                let d = mat_vec(&self.rotation, *d);
                out.x.copy_from_slice(&d);
                out.x_dot.copy_from_slice(&rate(d));
                out.ell.copy_from_slice(&bend(d));
            }
            _ => unreachable!("the world checks a site's kind before it is used"),
        }
    }
}

/// The kind of a site in space, after checking its numbers.
pub(crate) fn check_space_site(site: &Site) -> Result<Option<ConnectorKind>, Error> {
    match site {
        Site::Point(p) => {
            Error::require_finite("point", p)?;
            Ok(Some(ConnectorKind::Point3))
        }
        Site::Frame { origin, rotation } => {
            Error::require_finite("frame origin", origin)?;
            Error::require_finite("frame axis", rotation.as_flattened())?;
            let gram = mat_t_mul(rotation, rotation);
            let skewed = (0..3).any(|i| {
                (0..3).any(|j| (gram[i][j] - f64::from(u8::from(i == j))).abs() > NOT_ORTHONORMAL)
            });
            if skewed || determinant(rotation) < 0.0 {
                return Err(Error::field(
                    "frame rotation",
                    "is not a rotation; give orthonormal axes, right-handed, as columns",
                ));
            }
            Ok(Some(ConnectorKind::Frame3))
        }
        Site::Direction(d) => {
            Error::require_finite("direction", d)?;
            if (norm(*d) - 1.0).abs() > NOT_ORTHONORMAL {
                return Err(Error::field(
                    "direction",
                    "is not of length one; normalize it",
                ));
            }
            Ok(Some(ConnectorKind::Direction3))
        }
        _ => Ok(None),
    }
}
