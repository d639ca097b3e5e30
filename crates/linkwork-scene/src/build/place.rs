//! Where things are: positions and the ways to write a rotation.

use linkwork::math::{Quat, Vec3, quat_exp, quat_mul, scale, unit};
use linkwork::prelude::*;

use super::angle;
use crate::fault::Fault;
use crate::format::{BodyEntry, Numbers, PartEntry};

/// The fields that turn something.
#[derive(Clone, Copy, Default)]
pub(crate) struct Turn {
    pub(super) quaternion: Option<Quat>,
    pub(super) axis: Option<Vec3>,
    pub(super) angle: Option<f64>,
    pub(super) angle_deg: Option<f64>,
    pub(super) euler_deg: Option<Vec3>,
}

impl From<&BodyEntry> for Turn {
    fn from(entry: &BodyEntry) -> Self {
        Self {
            quaternion: entry.quaternion,
            axis: entry.axis,
            angle: entry.angle,
            angle_deg: entry.angle_deg,
            euler_deg: entry.euler_deg,
        }
    }
}

impl From<&PartEntry> for Turn {
    fn from(entry: &PartEntry) -> Self {
        Self {
            quaternion: entry.quaternion,
            axis: entry.axis,
            angle: entry.angle,
            angle_deg: entry.angle_deg,
            euler_deg: entry.euler_deg,
        }
    }
}

/// Turns about the fixed axes x, then y, then z: `R = R_z·R_y·R_x`.
pub(crate) fn euler(degrees: Vec3) -> Quat {
    let [x, y, z] = degrees.map(f64::to_radians);
    let turn = |axis: usize, by: f64| {
        let mut vector = [0.0; 3];
        vector[axis] = by;
        quat_exp(vector)
    };
    quat_mul(turn(2, z), quat_mul(turn(1, y), turn(0, x)))
}

impl Turn {
    /// The rotation that is given; `None` when none is.
    pub(crate) fn rotation(&self) -> Result<Option<Quat>, Fault> {
        let by = angle("angle", self.angle, self.angle_deg)?;
        let ways = [
            self.quaternion.is_some(),
            self.axis.is_some() || by.is_some(),
            self.euler_deg.is_some(),
        ];
        if ways.iter().filter(|way| **way).count() > 1 {
            let hint = "give one of \"quaternion\", \"axis\" with \"angle\", \"euler_deg\"";
            return Err(Fault::at("", "is turned in more than one way").hint(hint));
        }
        Ok(match (self.quaternion, self.axis, by, self.euler_deg) {
            (Some(quaternion), ..) => Some(quaternion),
            (_, _, _, Some(degrees)) => Some(euler(degrees)),
            (_, Some(axis), Some(by), _) => {
                let Some(axis) = unit(axis) else {
                    return Err(
                        Fault::at("axis", "has no direction").hint("give a vector other than zero")
                    );
                };
                Some(quat_exp(scale(by, axis)))
            }
            (_, Some(_), None, _) => {
                return Err(Fault::missing(
                    "angle",
                    "by how much it is turned about \"axis\"",
                ));
            }
            (_, None, Some(_), _) => {
                return Err(Fault::missing("axis", "the axis it is turned about"));
            }
            _ => None,
        })
    }
}

/// The pose of a position and a rotation; where it is not said, at the origin and not turned.
pub(super) fn pose(position: Option<Vec3>, turn: &Turn) -> Result<Pose, Fault> {
    let mut pose = Pose::at(position.unwrap_or([0.0; 3]));
    if let Some(rotation) = turn.rotation()? {
        pose.rotation = rotation;
    }
    Ok(pose)
}

/// A list that must have a certain length.
pub(super) fn exactly<const N: usize>(field: &str, numbers: &Numbers) -> Result<[f64; N], Fault> {
    numbers.0.as_slice().try_into().map_err(|_| {
        let problem = format!("has {} numbers", numbers.0.len());
        Fault::at(field, problem).hint(format!("give {N}"))
    })
}
