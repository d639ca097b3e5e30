//! Bodies.
//!
//! A body is a black box with coordinates `q`, velocities `v` and a mass `M(q)`. It writes into
//! storage the caller owns, allocates nothing, and never sees an id, another body, a constraint or
//! a time step. The list of methods is that of Witkin 1990, §3.4, with velocity coordinates in
//! place of `q̇` (Baraff 1996, §4.1), so that an orientation may be a unit quaternion.

#![allow(non_snake_case)] // M, D, S: the letters of the papers.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, Shown, check_fields};
use crate::math::{
    IDENTITY_QUAT, Mat3, Quat, Vec3, add, mat_vec, quat_exp, quat_mul, quat_to_matrix,
};
use crate::shape::{ShapeMap, SuperquadricForm};

mod contract;
mod free_flight;
mod ground;
mod kinematic;
mod mass_properties;
mod mesh;
mod nearest;
mod numbers;
mod particle;
mod pattern;
mod planar;
mod rigid;
mod shape;
mod shapes;
mod sheet;
mod soft;
mod strain;
mod tolerances;
mod torque_free;
mod tracker;
mod troid;

pub use contract::{BodyViolation, Comparison, check_body};
pub use ground::Ground;
pub use kinematic::{
    FixedPose, Kinematic, MotionFn, MotionSample, PrescribedMotion, SineMotion, Spin,
};
pub use mass_properties::MassProperties;
pub use mesh::TriangleMesh;
pub use nearest::nearest_turn;
pub use numbers::{Number, Numbers};
pub use particle::Particle;
pub use pattern::MassPattern;
pub use planar::{Outline, PlanarBody, PlanarBox, PlanarDisc, PlanarRod};
pub(crate) use planar::{PlanarNow, PlanarPoint};
pub use rigid::{RigidBody, RigidState};
pub use shape::{
    Displacement, Elasticity, Freedom, LinearStrain, MaterialPoint, Matter, ShapeBody,
};
pub use shapes::{Cuboid, Cylinder, Disc, Rod, Solid, Sphere};
pub use sheet::Sheet;
pub use soft::{Skin, SoftBody, SoftMaterial, SoftShape};
pub use strain::Strain;
pub use tracker::Tracker;
pub use troid::Troid;

pub(crate) use free_flight::{PrincipalInertia, rigid_free_flight};
pub(crate) use rigid::{gyroscopic_torque, rigid_state};

use tolerances::{MAX_QUATERNION_DEVIATION, OUT_OF_PLANE};

/// The form of a body's mass matrix.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MassKind {
    /// `n_v × n_v`, row-major, symmetric positive definite. For small bodies.
    Dense,
    /// `n_v` positive numbers: lumped masses.
    Diagonal,
    /// Mostly zero: one number for each entry of the pattern. For large bodies whose coordinates couple only to
    /// their neighbors, such as splines and meshes.
    Patterned(Arc<MassPattern>),
    /// Known only by its products with vectors; see [`MassOperator`].
    Opaque(Arc<dyn MassOperator>),
}

/// The mass of a body that keeps its own factor (a finite-element mesh), or that is known only by
/// its response to forces (Faure 1999, §6).
pub trait MassOperator: fmt::Debug + Send + Sync {
    /// How many numbers `factor` writes.
    fn n_storage(&self) -> usize;
    /// Prepares `solve` and `multiply` at coordinates `q`.
    fn factor(&self, q: &[f64], storage: &mut [f64]);
    /// `f ← M⁻¹·f`.
    fn solve(&self, storage: &[f64], f: &mut [f64]);
    /// `out ← M·v`.
    fn multiply(&self, storage: &[f64], v: &[f64], out: &mut [f64]);
}

/// Mass, first moment and momentum of a body, for energies and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Linear momentum, world axes.
    pub linear: Vec3,
    /// Angular momentum about the world's origin, world axes.
    pub angular: Vec3,
}

/// Position and rotation of a body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of the body frame, world coordinates.
    pub position: Vec3,
    /// Rotation from body to world components, a unit quaternion.
    pub rotation: Quat,
}

impl Pose {
    /// At a point, not rotated.
    pub const fn at(position: Vec3) -> Self {
        Self {
            position,
            rotation: IDENTITY_QUAT,
        }
    }

    /// At a point, turned by a rotation vector (axis × angle).
    pub fn turned(position: Vec3, rotation_vector: Vec3) -> Self {
        Self {
            position,
            rotation: quat_exp(rotation_vector),
        }
    }

    /// In the plane z = 0, turned about z.
    pub fn in_plane(position: [f64; 2], angle: f64) -> Self {
        Self::turned([position[0], position[1], 0.0], [0.0, 0.0, angle])
    }

    /// A pose in this frame, in the world's.
    pub fn then(&self, inner: &Self) -> Self {
        let rotation = quat_to_matrix(self.rotation);
        Self {
            position: add(self.position, mat_vec(&rotation, inner.position)),
            rotation: quat_mul(self.rotation, inner.rotation),
        }
    }

    /// `Ok` when it is finite and its quaternion has length one.
    pub fn validate(&self) -> Result<(), Error> {
        check_fields!(self, finite: position, rotation)?;
        check_quaternion(self.rotation)?;
        Ok(())
    }

    /// The position in the plane and the angle about z, in (−π, π]; an error when the pose leaves
    /// the plane z = 0.
    pub(crate) fn to_plane(self) -> Result<([f64; 2], f64), Error> {
        self.validate()?;
        let [x, y, z] = self.position;
        if z.abs() > OUT_OF_PLANE {
            return Err(Error::field(
                "position",
                format!("has z = {z}; a body of the plane lives at z = 0"),
            ));
        }
        let [w, out_x, out_y, turn] = self.rotation;
        if out_x.abs() > OUT_OF_PLANE || out_y.abs() > OUT_OF_PLANE {
            return Err(Error::field(
                "rotation",
                "leaves the plane; turn a body of the plane about z only",
            ));
        }
        let (w, turn) = if w < 0.0 { (-w, -turn) } else { (w, turn) };
        Ok(([x, y], 2.0 * libm::atan2(turn, w)))
    }
}

/// The length of a quaternion, which must be about one.
fn check_quaternion(rotation: Quat) -> Result<f64, Error> {
    let length = rotation.iter().map(|w| w * w).sum::<f64>().sqrt();
    if (length - 1.0).abs() > MAX_QUATERNION_DEVIATION {
        let problem = format!(
            "is a quaternion of length {}; give one of length 1",
            Shown(length)
        );
        return Err(Error::field("rotation", problem));
    }
    Ok(length)
}

/// The methods common to every [`Body`] without velocities, which no force moves.
macro_rules! moved_by_nothing {
    () => {
        fn n_v(&self) -> usize {
            0
        }

        fn mass(&self, _q: &[f64], _M: &mut [f64]) {}

        fn uniform_field(&self, _q: &[f64], _acceleration_world: Vec3, _f: &mut [f64]) {}

        fn momentum(&self, _q: &[f64], _v: &[f64]) -> Momentum {
            Momentum::default()
        }
    };
}
use moved_by_nothing;

/// The present shape of a body that deforms, for its colliders.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Deformed {
    /// A superquadric of this form, at the pose of the body.
    Superquadric(SuperquadricForm),
    /// Its points are at `origin + linear·X`.
    Affine {
        /// Deformation and rotation.
        linear: Mat3,
        /// Position of X = 0.
        origin: Vec3,
    },
}

/// A dynamic body, seen by the engine as a black box.
pub trait Body: Any + fmt::Debug + Send + Sync {
    /// Number of position coordinates.
    fn n_q(&self) -> usize;

    /// Number of velocity coordinates: `dim(i)` in Baraff 1996, §4.1.
    fn n_v(&self) -> usize;

    /// Whether the parameters make sense. Called when the body is added or replaced.
    fn validate(&self) -> Result<(), Error>;

    /// Writes the initial coordinates.
    fn initial_q(&self, q: &mut [f64]);

    /// Checks coordinates given by the user (finite, a quaternion of length one, …); may normalize them.
    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        Error::require_finite("position", q)
    }

    /// Whether functions of the coordinates are smooth there. Motion may lead to other coordinates, which are
    /// valid states too; only [`check_body`] avoids them.
    fn is_smooth_at(&self, _q: &[f64]) -> bool {
        true
    }

    /// How [`Body::mass`] lays out `M`.
    fn mass_kind(&self) -> MassKind {
        MassKind::Dense
    }

    /// `M(q)`, independent of `v`, in the layout of [`Body::mass_kind`] (nothing when opaque).
    fn mass(&self, q: &[f64], M: &mut [f64]);

    /// The metric of a first-order world `D·v = f` (Witkin 1990, §2.5), in the layout of `M`.
    /// The mass unless the body knows its viscous drag.
    fn drag_metric(&self, q: &[f64], D: &mut [f64]) {
        self.mass(q, D);
    }

    /// Adds the forces the body exerts on itself: gyroscopic, elastic, viscous
    /// (`g − K·q − D·v` of Metaxas 1993, eq. 12, on the right-hand side).
    /// None unless the body says otherwise.
    fn internal_force(&self, _q: &[f64], _v: &[f64], _f: &mut [f64]) {}

    /// Elastic energy stored in the body.
    fn internal_energy(&self, _q: &[f64]) -> f64 {
        0.0
    }

    /// Number of strains of [`Body::strain`]. Elastic forces of strains are implicit in steps, and stable at
    /// any stiffness; others are explicit. Strains need a dense or patterned mass: a body with an opaque mass
    /// has none.
    fn n_strains(&self) -> usize {
        0
    }

    /// The velocity coordinates that strain `i` depends on, ascending; `None` means all. Large bodies implement
    /// this, so that their block stays sparse.
    fn strain_columns(&self, _i: usize) -> Option<Vec<u32>> {
        None
    }

    /// Strain `i`, and `S = ∂s/∂q` over the velocity coordinates (or those of [`Body::strain_columns`]) into zeros. Its
    /// force `−Sᵀ·(k·s + d·ṡ)` is a part of [`Body::internal_force`], its energy `½·k·s²` one of
    /// [`Body::internal_energy`].
    fn strain(&self, _i: usize, _q: &[f64], _v: &[f64], _S: &mut [f64]) -> Strain {
        Strain::default()
    }

    /// Passes all strains with their gradients, each over its columns, to a callback, if that is cheaper than
    /// calling [`Body::strain`] for each; false if not implemented. If `v` is empty, rates are not needed.
    fn strains(
        &self,
        _q: &[f64],
        _v: &[f64],
        _tell: &mut dyn FnMut(usize, Strain, &[f64]),
    ) -> bool {
        false
    }

    /// Passes the values of all strains, without gradients and rates; false if not implemented.
    fn strain_values(&self, _q: &[f64], _tell: &mut dyn FnMut(usize, f64)) -> bool {
        false
    }

    /// Geometric stiffness of a body whose strains have tensions `pull` (`k·s` of each): the positive part of
    /// `G = Σ pullᵢ·∂²sᵢ/∂q²`, entry by entry as `add(row, column, value)`. With it, taut strings and membranes
    /// are stable in steps longer than their periods.
    fn tension(&self, _q: &[f64], _pull: &[f64], _add: &mut dyn FnMut(usize, usize, f64)) {}

    /// Adds the generalized force of a uniform acceleration field, such as gravity.
    fn uniform_field(&self, q: &[f64], acceleration_world: Vec3, f: &mut [f64]);

    /// Total mass and center of mass in world coordinates.
    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3);

    /// Linear momentum and angular momentum about the world's origin.
    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum;

    /// `q ← q ⊞ dq`, with `dq` in velocity coordinates: `v·dt` in a step (Faure 1999, eq. 1),
    /// a bare displacement in an assembly (Faure 1998, eq. 10).
    /// The sum, unless the body says otherwise.
    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        q.iter_mut().zip(dq).for_each(|(q, dq)| *q += dq);
    }

    /// The displacement between two states, for the work of forces: exact where coordinates are integrals of
    /// velocities, else zero unless implemented.
    fn way(&self, from: &[f64], to: &[f64], dq: &mut [f64]) {
        let is_straight = from.len() == dq.len();
        for (k, dq) in dq.iter_mut().enumerate() {
            *dq = if is_straight { to[k] - from[k] } else { 0.0 };
        }
    }

    /// Whether [`Body::internal_force`] is that of its strains and nothing else, so that a fill needs only one
    /// of them.
    fn is_all_strains(&self) -> bool {
        false
    }

    /// Adds the part of [`Body::internal_force`] that [`Body::free_flight`] includes: the change of velocities
    /// at constant momentum. Zero unless the mass depends on `q` and the flight includes it.
    fn inertial_force(&self, _q: &[f64], _v: &[f64], _f: &mut [f64]) {}

    /// Moves freely for a time: `q` and `v` after `h` seconds without any force, momentum kept. The default is
    /// correct for bodies of constant mass, which move in a straight line; [`RigidBody`] conserves its angular
    /// momentum instead of its angular velocity.
    fn free_flight(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        for (dq, v) in dq.iter_mut().zip(v.iter()) {
            *dq = h * v;
        }
        self.displace(q, dq);
    }

    /// The rate of a displacement: `q ⊞ dq` moves with velocity `v` when `dq` grows at this rate.
    /// `v` itself unless [`Body::displace`] is curved, as rotations are.
    fn chart_rate(&self, _dq: &[f64], v: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(v);
    }

    /// Rotation of the body by a displacement, radians; zero for bodies that do not rotate. Corrections of
    /// positions are truncated if they rotate too far.
    fn turn_of(&self, _dq: &[f64]) -> f64 {
        0.0
    }

    /// Scales the rotation in a displacement; by default all of it.
    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        dq.iter_mut().for_each(|dq| *dq *= factor);
    }

    /// Gives the length of the next step, for bodies that follow a goal and bodies that yield. Repeating it for
    /// the same step changes nothing.
    fn begin_step(&self, _q: &mut [f64], _dt: f64) {}

    /// Position and rotation of the body frame, if the body has one (for viewers and for joints
    /// given in world coordinates).
    fn pose(&self, t: f64, q: &[f64]) -> Option<Pose>;

    /// Sets coordinates such that the body frame is at `pose`. Coordinates that a pose does not determine are
    /// kept, if finite.
    fn q_from_pose(&self, _pose: &Pose, _q: &mut [f64]) -> Result<(), Error> {
        Err(Error::field(
            "pose",
            "cannot be set on this body; set its coordinates",
        ))
    }

    /// The radius of gyration, a typical size that makes radians and meters comparable; `None` for a body that
    /// should not count.
    fn gyration_radius(&self) -> Option<f64> {
        None
    }

    /// The connectors that the body offers, in words, for error messages.
    fn offers(&self) -> &'static str;

    /// The kind of a connector at `site`: `Ok(None)` if this body has no such site, an error if the
    /// site is of a known kind but its numbers are not acceptable.
    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error>;

    /// The velocity coordinates a connector at `site` depends on, ascending; `None` means all. Large bodies
    /// implement this, so that `L` stays small.
    fn columns(&self, _site: &Site) -> Option<Vec<u32>> {
        None
    }

    /// A connector's output and its derivatives: `x(q)`, `ẋ = L·v`, `ẍ = L·v̇ + ℓ` (Metaxas 1993, eq. 10 and
    /// 11). Only bodies with prescribed motion use `t`.
    fn connector(&self, site: &Site, t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>);

    /// The material site that is now at `site` in the body frame: `site` itself, unless the body deforms, in
    /// which case it is the site in the undeformed shape. An error if there can be no matter.
    fn material_site(&self, _q: &[f64], site: Site) -> Result<Site, Error> {
        Ok(site)
    }

    /// Its present shape, if it deforms and can collide; its colliders deform likewise.
    fn deformed(&self, _q: &[f64]) -> Option<Deformed> {
        None
    }

    /// Its collision surface, if its coordinates are those of nodes.
    fn skin(&self) -> Option<&Skin> {
        None
    }

    /// The map whose numbers are its coordinates, if it is a shape; constraints that slide along it need it.
    fn shape(&self) -> Option<&Arc<dyn ShapeMap>> {
        None
    }

    /// The map of its shape, if it is a solid behind a frame.
    fn solid(&self) -> Option<&Arc<dyn ShapeMap>> {
        None
    }

    /// Whether it is rigid, so that no constraint can act between two of its points.
    fn moves_as_one(&self) -> bool {
        self.as_rigid().is_some()
    }

    /// The rigid body behind this one, if it is exactly that: the engine then keeps it in a typed
    /// pool and evaluates the same formulas without virtual calls.
    fn as_rigid(&self) -> Option<&RigidBody> {
        None
    }
}

/// Something that can become a body: a body, or the description of one such as a rod.
pub trait IntoBody {
    /// The body, or the field that makes it impossible.
    fn into_body(self) -> Result<Arc<dyn Body>, Error>;
}

impl<B: Body + 'static> IntoBody for B {
    fn into_body(self) -> Result<Arc<dyn Body>, Error> {
        Ok(Arc::new(self))
    }
}

impl IntoBody for Arc<dyn Body> {
    fn into_body(self) -> Result<Arc<dyn Body>, Error> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
