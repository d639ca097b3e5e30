//! A body that follows a goal: a hand, a tracker, a cursor.
//!
//! It has a pose but no mass, and no force moves it. Its input is positions only: during a step it moves along
//! a straight line, and rotates at a constant rate, to its goal; the velocity of that line is what its joint
//! follows. Goals from noisy devices are not differentiated further.

use super::rigid::{RigidMotion, check_space_site};
use super::{Body, Momentum, Pose, moved_by_nothing};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::{
    Quat, Vec3, quat_conjugate, quat_exp, quat_log, quat_mul, quat_normalize, quat_to_matrix, scale,
};

/// A body that follows a goal; see [`World::set_goal`](crate::world::World::set_goal). What holds a number follows
/// one: `Site::Scalar(0)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracker;

/// Offsets in the coordinates of a tracker.
const GOAL: usize = 7;
const VELOCITY: usize = 14;
const OMEGA: usize = 17;
/// A number: now, goal, rate. In the plane it is the angle, which counts turns.
const ANGLE: usize = 20;
const N_Q: usize = 23;

fn three(q: &[f64], at: usize) -> Vec3 {
    [q[at], q[at + 1], q[at + 2]]
}

fn rotation(q: &[f64], at: usize) -> Quat {
    [q[at + 3], q[at + 4], q[at + 5], q[at + 6]]
}

/// The angle about z of a rotation, in (−π, π].
fn angle_about_z(rotation: Quat) -> f64 {
    2.0 * libm::atan2(rotation[3], rotation[0])
}

impl Tracker {
    /// Writes a goal into a tracker's coordinates.
    pub(crate) fn aim(q: &mut [f64], goal: &Pose) {
        q[GOAL..GOAL + 3].copy_from_slice(&goal.position);
        q[GOAL + 3..GOAL + 7].copy_from_slice(&quat_normalize(goal.rotation));
        // The turn nearest to the present one.
        let turn = std::f64::consts::TAU;
        let wanted = angle_about_z(goal.rotation);
        q[ANGLE + 1] = wanted + turn * ((q[ANGLE] - wanted) / turn).round();
    }

    /// Writes a number to follow into a tracker's coordinates.
    pub(crate) fn aim_at_number(q: &mut [f64], goal: f64) {
        q[ANGLE + 1] = goal;
    }

    /// The number that a tracker is at.
    pub(crate) fn number(q: &[f64]) -> f64 {
        q[ANGLE]
    }

    /// Puts a tracker at a pose, its goal too; the angle in the plane counts turns.
    pub(crate) fn put(q: &mut [f64], pose: &Pose, angle: f64) {
        q.fill(0.0);
        for at in [0, GOAL] {
            q[at..at + 3].copy_from_slice(&pose.position);
            q[at + 3..at + 7].copy_from_slice(&quat_normalize(pose.rotation));
        }
        q[ANGLE] = angle;
        q[ANGLE + 1] = angle;
    }
}

impl Body for Tracker {
    fn n_q(&self) -> usize {
        N_Q
    }

    moved_by_nothing!();

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn initial_q(&self, q: &mut [f64]) {
        Self::put(q, &Pose::at([0.0; 3]), 0.0);
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        (0.0, three(q, 0))
    }

    /// `velocity = (goal − place)/dt`.
    fn begin_step(&self, q: &mut [f64], dt: f64) {
        for k in 0..3 {
            q[VELOCITY + k] = (q[GOAL + k] - q[k]) / dt;
        }
        let turn = quat_mul(rotation(q, GOAL), quat_conjugate(rotation(q, 0)));
        q[OMEGA..OMEGA + 3].copy_from_slice(&scale(1.0 / dt, quat_log(turn)));
        q[ANGLE + 2] = (q[ANGLE + 1] - q[ANGLE]) / dt;
    }

    fn free_flight(&self, q: &mut [f64], _v: &mut [f64], h: f64, _dq: &mut [f64]) {
        for k in 0..3 {
            q[k] += h * q[VELOCITY + k];
        }
        let turn = quat_exp(scale(h, three(q, OMEGA)));
        let now = quat_normalize(quat_mul(turn, rotation(q, 0)));
        q[3..7].copy_from_slice(&now);
        q[ANGLE] += h * q[ANGLE + 2];
    }

    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        Some(Pose {
            position: three(q, 0),
            rotation: rotation(q, 0),
        })
    }

    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        pose.validate()?;
        Self::put(q, pose, angle_about_z(pose.rotation));
        Ok(())
    }

    fn offers(&self) -> &'static str {
        "points, frames and directions in space, points and frames in the plane, and one number"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Point2([0.0, 0.0]) => Ok(Some(ConnectorKind::Point2)),
            Site::Frame2 {
                origin: [0.0, 0.0],
                angle: 0.0,
            } => Ok(Some(ConnectorKind::Frame2)),
            Site::Scalar(0) => Ok(Some(ConnectorKind::Scalar)),
            Site::Point2(_) | Site::Frame2 { .. } => Err(Error::field(
                "site",
                "is away from the tracker; in the plane use its origin",
            )),
            _ => check_space_site(site),
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], _v: &[f64], out: &mut ConnectorMut<'_>) {
        match site {
            Site::Scalar(_) => {
                out.x[0] = q[ANGLE];
                out.x_dot[0] = q[ANGLE + 2];
            }
            Site::Point2(_) | Site::Frame2 { .. } => {
                out.x[..2].copy_from_slice(&q[..2]);
                out.x_dot[..2].copy_from_slice(&q[VELOCITY..VELOCITY + 2]);
                if out.x.len() > 2 {
                    out.x[2] = q[ANGLE];
                    out.x_dot[2] = q[ANGLE + 2];
                }
            }
            _ => {
                let motion = RigidMotion {
                    origin: three(q, 0),
                    rotation: quat_to_matrix(rotation(q, 0)),
                    velocity: three(q, VELOCITY),
                    omega: three(q, OMEGA),
                    acceleration: [0.0; 3],
                    alpha: [0.0; 3],
                };
                motion.connector(site, [0.0; 3], out);
            }
        }
    }
}
