//! Bodies whose motion is prescribed: no coordinates, connectors that move with time.
//!
//! A drive, a tracker or a hand is such a body: constraints to it are ordinary constraints, and its
//! acceleration reaches them as `ℓ` (Witkin 1990, §5.4: the `∂²c/∂t²` of a keyframed point).

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::planar::check_plane_site;
use super::rigid::{RigidMotion, check_space_site};
use super::{Body, Momentum, Pose, moved_by_nothing};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, check_fields};
use crate::math::{
    Vec3, add, cross, mat_vec, quat_exp, quat_mul, quat_normalize, quat_to_matrix, scale, sub, unit,
};

/// Pose, velocity and acceleration of a prescribed frame at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSample {
    /// Position and rotation.
    pub pose: Pose,
    /// Velocity of the origin.
    pub velocity_world: Vec3,
    /// Angular velocity.
    pub omega_world: Vec3,
    /// Acceleration of the origin.
    pub acceleration_world: Vec3,
    /// Angular acceleration.
    pub alpha_world: Vec3,
}

impl MotionSample {
    /// At a pose, at rest.
    pub const fn at_rest(pose: Pose) -> Self {
        Self {
            pose,
            velocity_world: [0.0; 3],
            omega_world: [0.0; 3],
            acceleration_world: [0.0; 3],
            alpha_world: [0.0; 3],
        }
    }

    /// `Ok` when it is finite and its quaternion has length one.
    pub fn validate(&self) -> Result<(), Error> {
        self.pose.validate()?;
        check_fields!(self, finite: velocity_world, omega_world, acceleration_world, alpha_world)
    }
}

/// A motion known in advance.
///
/// The rates must be the derivatives of the pose: [`check_body`](super::check_body) compares them.
pub trait PrescribedMotion: Any + fmt::Debug + Send + Sync {
    /// Whether the parameters make sense. Called when the body is added or replaced.
    fn validate(&self) -> Result<(), Error> {
        self.at(0.0).validate()
    }

    /// The motion at time `t`.
    fn at(&self, t: f64) -> MotionSample;
}

/// Does not move: a second ground, which can be replaced by a moving one later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPose(pub Pose);

impl PrescribedMotion for FixedPose {
    fn at(&self, _t: f64) -> MotionSample {
        MotionSample::at_rest(self.0)
    }
}

/// Turns at a constant rate about a fixed axis: an ideal motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// Where the frame is at time zero.
    pub start: Pose,
    /// A point on the axis.
    pub point_world: Vec3,
    /// Direction of the axis; its length does not matter.
    pub axis_world: Vec3,
    /// Angular rate, radians per second.
    pub rate: f64,
}

impl PrescribedMotion for Spin {
    fn validate(&self) -> Result<(), Error> {
        self.start.validate()?;
        check_fields!(self, finite: point_world, rate)?;
        if unit(self.axis_world).is_none() {
            return Err(Error::field(
                "axis_world",
                "has no direction; give a finite vector other than zero",
            ));
        }
        Ok(())
    }

    fn at(&self, t: f64) -> MotionSample {
        let axis = unit(self.axis_world).unwrap_or([0.0; 3]);
        let omega = scale(self.rate, axis);
        let turn = quat_exp(scale(self.rate * t, axis));
        let arm = mat_vec(
            &quat_to_matrix(turn),
            sub(self.start.position, self.point_world),
        );
        let velocity = cross(omega, arm);
        MotionSample {
            pose: Pose {
                position: add(self.point_world, arm),
                rotation: quat_mul(turn, self.start.rotation),
            },
            velocity_world: velocity,
            omega_world: omega,
            acceleration_world: cross(omega, velocity),
            alpha_world: [0.0; 3],
        }
    }
}

/// Swings about a pose: `u = sin(2π·frequency·t + phase)` times an amplitude and a rotation vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SineMotion {
    /// The middle of the swing.
    pub middle: Pose,
    /// Amplitude of the origin's motion.
    pub amplitude_world: Vec3,
    /// Largest rotation to either side: axis × angle.
    pub swing_world: Vec3,
    /// Swings per second (Hz).
    pub frequency: f64,
    /// Phase at time zero.
    pub phase: f64,
}

impl PrescribedMotion for SineMotion {
    fn validate(&self) -> Result<(), Error> {
        self.middle.validate()?;
        check_fields!(self, finite: amplitude_world, swing_world, frequency, phase)
    }

    fn at(&self, t: f64) -> MotionSample {
        let rate = 2.0 * std::f64::consts::PI * self.frequency;
        let (sin, cos) = libm::sincos(rate * t + self.phase);
        // The axis of the swing is fixed, so ω and α are the derivatives of the rotation vector.
        let (u, u_dot, u_ddot) = (sin, rate * cos, -rate * rate * sin);
        MotionSample {
            pose: Pose {
                position: add(self.middle.position, scale(u, self.amplitude_world)),
                rotation: quat_mul(quat_exp(scale(u, self.swing_world)), self.middle.rotation),
            },
            velocity_world: scale(u_dot, self.amplitude_world),
            omega_world: scale(u_dot, self.swing_world),
            acceleration_world: scale(u_ddot, self.amplitude_world),
            alpha_world: scale(u_ddot, self.swing_world),
        }
    }
}

/// A motion given by a function of time.
pub struct MotionFn<F>(pub F);

impl<F> fmt::Debug for MotionFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MotionFn")
    }
}

impl<F: Fn(f64) -> MotionSample + Send + Sync + 'static> PrescribedMotion for MotionFn<F> {
    fn at(&self, t: f64) -> MotionSample {
        (self.0)(t)
    }
}

/// A rigid body whose motion is prescribed. It has no mass: nothing can push it.
///
/// ```
/// use linkwork::body::Spin;
/// use linkwork::prelude::*;
/// # fn main() -> Result<(), linkwork::Error> {
/// let mut world = World::new();
/// let drive = Spin {
///     start: Pose::at([0.0; 3]),
///     point_world: [0.0; 3],
///     axis_world: [0.0, 0.0, 1.0],
///     rate: 2.0,
/// };
/// world.add_body("drive", Kinematic::new(drive))?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Kinematic {
    motion: Arc<dyn PrescribedMotion>,
}

impl Kinematic {
    /// A body that moves like `motion`.
    pub fn new(motion: impl PrescribedMotion + 'static) -> Self {
        Self {
            motion: Arc::new(motion),
        }
    }

    /// Its motion.
    pub fn motion(&self) -> &dyn PrescribedMotion {
        &*self.motion
    }
}

impl Body for Kinematic {
    fn n_q(&self) -> usize {
        0
    }

    moved_by_nothing!();

    fn validate(&self) -> Result<(), Error> {
        self.motion.validate()
    }

    fn initial_q(&self, _q: &mut [f64]) {}

    fn center_of_mass(&self, _q: &[f64]) -> (f64, Vec3) {
        (0.0, [0.0; 3])
    }

    fn pose(&self, t: f64, _q: &[f64]) -> Option<Pose> {
        let pose = self.motion.at(t).pose;
        Some(Pose {
            rotation: quat_normalize(pose.rotation),
            ..pose
        })
    }

    fn q_from_pose(&self, _pose: &Pose, _q: &mut [f64]) -> Result<(), Error> {
        Err(Error::field(
            "pose",
            "is prescribed by the motion; replace the body by one with another motion",
        ))
    }

    fn offers(&self) -> &'static str {
        "points, frames and directions in space, points in the plane"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Point2(_) => check_plane_site(site),
            _ => check_space_site(site),
        }
    }

    fn connector(&self, site: &Site, t: f64, _q: &[f64], _v: &[f64], out: &mut ConnectorMut<'_>) {
        let sample = self.motion.at(t);
        let motion = RigidMotion {
            origin: sample.pose.position,
            // Quaternions given by users are of length one only to a few digits.
            rotation: quat_to_matrix(quat_normalize(sample.pose.rotation)),
            velocity: sample.velocity_world,
            omega: sample.omega_world,
            acceleration: sample.acceleration_world,
            alpha: sample.alpha_world,
        };
        let Site::Point2(p) = site else {
            motion.connector(site, [0.0; 3], out);
            return;
        };
        // The point (p, 0) seen from above: x and y of the same point in space.
        let r = mat_vec(&motion.rotation, [p[0], p[1], 0.0]);
        let r_dot = cross(motion.omega, r);
        let r_ddot = add(cross(motion.alpha, r), cross(motion.omega, r_dot));
        for k in 0..2 {
            out.x[k] = motion.origin[k] + r[k];
            out.x_dot[k] = motion.velocity[k] + r_dot[k];
            out.ell[k] = motion.acceleration[k] + r_ddot[k];
        }
    }
}
