//! Where bodies are and how they move: the ways to write it.

use linkwork::body::Body;
use linkwork::math::{
    Quat, Vec3, add, complete_basis, cross, norm, quat_exp, quat_from_matrix, quat_mul, scale, sub,
    transpose, unit,
};
use linkwork::prelude::*;

use super::super::fields::{
    ANGLE, ANGULAR_VELOCITY, EULER, FROM, POSITION, Q, QUATERNION, SPIN, TURN_AXIS, V, VALUES,
    VELOCITY,
};
use super::{BodyType, ends, planar_of, point};
use crate::catalogue::{Entry, Field, Fields};
use crate::fault::{Fault, Under};
use crate::format::numbers::exactly;

/// How the pose of a body is written, so that reading it gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoseForm {
    /// Position and quaternion, if these give the coordinates back, else the coordinates.
    Pose,
    /// Position and angle.
    PlanarPose,
    /// The position alone.
    Position,
    /// The coordinates as the engine keeps them.
    Coordinates,
    /// The numbers it is.
    Numbers,
    /// It follows from a motion.
    Prescribed,
}

/// How the velocity of a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MotionForm {
    /// Velocity of the center of mass and angular velocity.
    Twist,
    /// Velocity and spin.
    PlanarTwist,
    /// The velocity alone.
    Velocity,
    /// The velocities as the engine keeps them.
    Coordinates,
    /// Velocity and angular velocity that all nodes begin with; then those of each node.
    Nodes,
}

impl Entry<BodyType> {
    /// Writes where a body is.
    pub(crate) fn write_pose(&mut self, body: &dyn Body, q: &[f64]) {
        let fields = &mut self.fields;
        match self.kind.pose {
            PoseForm::Prescribed => {}
            PoseForm::Position => fields.set(&POSITION, q),
            PoseForm::PlanarPose => {
                fields.set(&POSITION, &q[..2]);
                if q[2].to_bits() != 0 {
                    fields.set(&ANGLE, q[2]);
                }
            }
            PoseForm::Coordinates => fields.set(&Q, q),
            PoseForm::Numbers => fields.set(&VALUES, q),
            PoseForm::Pose => {
                let mut again = vec![0.0; q.len()];
                body.initial_q(&mut again);
                let same = |a: &[f64]| a.iter().zip(q).all(|(a, b)| a.to_bits() == b.to_bits());
                let pose = body.pose(0.0, q);
                match pose.filter(|pose| body.q_from_pose(pose, &mut again).is_ok() && same(&again))
                {
                    Some(pose) => {
                        fields.set(&POSITION, pose.position);
                        if pose.rotation != [1.0, 0.0, 0.0, 0.0]
                            || pose.rotation[1..].iter().any(|w| w.is_sign_negative())
                        {
                            fields.set(&QUATERNION, pose.rotation);
                        }
                    }
                    None => fields.set(&Q, q),
                }
            }
        }
    }

    /// Writes how a body moves, if it does.
    pub(crate) fn write_motion(&mut self, body: &dyn Body, q: &[f64], v: &[f64]) {
        let fields = &mut self.fields;
        if v.iter().all(|v| v.to_bits() == 0) {
            return;
        }
        match self.kind.motion {
            MotionForm::Velocity => fields.set(&VELOCITY, v),
            MotionForm::PlanarTwist => {
                fields.set(&VELOCITY, &v[..2]);
                fields.set(&SPIN, v[2]);
            }
            MotionForm::Coordinates | MotionForm::Nodes => fields.set(&V, v),
            // Of what deforms, all of it; and of what keeps the velocity of another point than its center.
            MotionForm::Twist if v.len() > 6 || lag(body, q, v, &v[..3]).is_some() => {
                fields.set(&V, v);
            }
            MotionForm::Twist => {
                fields.set(&VELOCITY, &v[..3]);
                fields.set(&ANGULAR_VELOCITY, &v[3..6]);
            }
        }
    }
}

/// The fields that say where a body is and how it moves, as a scene is described.
pub(crate) const POSE_FIELDS: [&str; 9] = [
    POSITION.name,
    ANGLE.name,
    QUATERNION.name,
    Q.name,
    VALUES.name,
    VELOCITY.name,
    ANGULAR_VELOCITY.name,
    SPIN.name,
    V.name,
];

/// Whether an entry says nothing of a motion.
pub(crate) fn at_rest(fields: &Fields) -> bool {
    [V, VELOCITY, ANGULAR_VELOCITY, SPIN]
        .iter()
        .all(|field| !fields.has(field))
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

/// The fields that turn something.
const TURNS: [Field; 4] = [QUATERNION, TURN_AXIS, ANGLE, EULER];

fn is_turned(fields: &Fields) -> bool {
    TURNS.iter().any(|field| fields.has(field))
}

/// The rotation that is given; `None` when none is.
pub(crate) fn rotation(fields: &Fields) -> Result<Option<Quat>, Fault> {
    let by = fields.get_angle(&ANGLE)?;
    let (quaternion, axis, degrees) = (
        fields.get(&QUATERNION)?,
        fields.get::<Vec3>(&TURN_AXIS)?,
        fields.get(&EULER)?,
    );
    let ways = [
        quaternion.is_some(),
        axis.is_some() || by.is_some(),
        degrees.is_some(),
    ];
    if ways.iter().filter(|way| **way).count() > 1 {
        let hint = "give one of \"quaternion\", \"axis\" with \"angle\", \"euler_deg\"";
        return Err(Fault::at("", "is turned in more than one way").hint(hint));
    }
    match (axis, by) {
        (Some(axis), Some(by)) => {
            let Some(axis) = unit(axis) else {
                return Err(
                    Fault::at("axis", "has no direction").hint("give a vector other than zero")
                );
            };
            Ok(Some(quat_exp(scale(by, axis))))
        }
        (Some(_), None) => Err(Fault::missing(
            "angle",
            "by how much it is turned about \"axis\"",
        )),
        (None, Some(_)) => Err(Fault::missing("axis", "the axis it is turned about")),
        (None, None) => Ok(quaternion.or(degrees.map(euler))),
    }
}

/// The pose that is given; where it is not said, at the origin and not turned.
pub(crate) fn pose(fields: &Fields) -> Result<Pose, Fault> {
    let mut pose = Pose::at(point::<3>(fields, &POSITION)?.unwrap_or([0.0; 3]));
    if let Some(rotation) = rotation(fields)? {
        pose.rotation = rotation;
    }
    Ok(pose)
}

/// Puts a body where its entry says.
pub(crate) fn place(world: &mut World, id: BodyId, entry: &Entry<BodyType>) -> Result<(), Fault> {
    let (fields, planar) = (&entry.fields, entry.kind.planar);
    let is_posed = fields.has(&POSITION) || fields.has(&FROM) || is_turned(fields);
    if let Some(q) = fields.get::<&[f64]>(&Q)? {
        if is_posed {
            return Err(Fault::at("q", "is given beside a pose").hint("give one of the two"));
        }
        return world.set_q(id, q).under("q");
    }
    if entry.kind.pose == PoseForm::Numbers
        && let Some(values) = fields.get::<&[f64]>(&VALUES)?
    {
        return world.set_q(id, values).under("values");
    }
    if entry.kind.pose == PoseForm::Prescribed || !is_posed {
        return Ok(());
    }
    let ends = if planar {
        ends::<2>(fields)?
    } else {
        ends::<3>(fields)?
    };
    if let Some((from, to)) = ends {
        if fields.has(&POSITION) || is_turned(fields) {
            let problem = "is given beside a pose, which follows from \"from\" and \"to\"";
            return Err(Fault::at("from", problem));
        }
        let Some(x) = unit(sub(to, from)) else {
            return Err(Fault::at("to", "is where \"from\" is"));
        };
        let middle = scale(0.5, add(from, to));
        if planar {
            return put_in_plane(world, id, middle, libm::atan2(x[1], x[0]));
        }
        let (y, z) = complete_basis(x);
        let pose = Pose {
            position: middle,
            rotation: quat_from_matrix(&transpose(&[x, y, z])),
        };
        world.set_pose(id, pose)?;
        return Ok(());
    }
    if planar {
        let position = point::<2>(fields, &POSITION)?.unwrap_or([0.0; 3]);
        return put_in_plane(
            world,
            id,
            position,
            fields.get_angle(&ANGLE)?.unwrap_or(0.0),
        );
    }
    world.set_pose(id, pose(fields)?)?;
    Ok(())
}

/// A pose does not count turns; the angle of a body of the plane does.
fn put_in_plane(world: &mut World, id: BodyId, position: Vec3, angle: f64) -> Result<(), Fault> {
    world.set_pose(id, Pose::in_plane([position[0], position[1]], angle))?;
    if let Some(planar) = planar_of(world.body_record(id)?.body()) {
        let (sin, cos) = libm::sincos(angle);
        let [x, y] = planar.com_body;
        let lever = [cos * x - sin * y, sin * x + cos * y];
        let q = [position[0] + lever[0], position[1] + lever[1], angle];
        world.set_q(id, &q)?;
    }
    Ok(())
}

/// Sets a body moving as its entry says.
pub(crate) fn set_motion(
    world: &mut World,
    id: BodyId,
    entry: &Entry<BodyType>,
) -> Result<(), Fault> {
    let fields = &entry.fields;
    let parts = [VELOCITY, ANGULAR_VELOCITY, SPIN]
        .iter()
        .any(|field| fields.has(field));
    if let Some(v) = fields.get::<&[f64]>(&V)? {
        if parts {
            return Err(Fault::at("v", "is given beside a velocity").hint("give one of the two"));
        }
        return world.set_v(id, v).under("v");
    }
    if !parts {
        return Ok(());
    }
    let mut v = match entry.kind.motion {
        MotionForm::Velocity => fields.or(&VELOCITY, [0.0; 3])?.to_vec(),
        MotionForm::PlanarTwist | MotionForm::Coordinates => {
            let [x, y] = fields.or(&VELOCITY, [0.0; 2])?;
            vec![x, y, fields.or(&SPIN, 0.0)?]
        }
        MotionForm::Twist => {
            let linear: Vec3 = fields.or(&VELOCITY, [0.0; 3])?;
            let angular: Vec3 = fields.or(&ANGULAR_VELOCITY, [0.0; 3])?;
            let mut v = [linear, angular].concat();
            // What deforms begins without changing its shape.
            v.resize(world.v(id)?.len(), 0.0);
            v
        }
        MotionForm::Nodes => {
            let linear: Vec3 = fields.or(&VELOCITY, [0.0; 3])?;
            let angular: Vec3 = fields.or(&ANGULAR_VELOCITY, [0.0; 3])?;
            let origin = world.pose(id)?.map_or([0.0; 3], |pose| pose.position);
            let nodes = world.q(id)?.as_chunks::<3>().0.iter();
            let each = nodes.flat_map(|x| add(linear, cross(angular, sub(*x, origin))));
            each.collect()
        }
    };
    world.set_v(id, &v)?;
    let linear: Vec3 = match entry.kind.motion {
        MotionForm::Twist | MotionForm::Nodes => fields.or(&VELOCITY, [0.0; 3])?,
        _ => return Ok(()),
    };
    let lag = lag(world.body_record(id)?.body(), world.q(id)?, &v, &linear);
    if let Some(lag) = lag {
        // A shift moves all matter alike: of a frame its origin, of nodes each.
        let n_moved = match entry.kind.motion {
            MotionForm::Nodes => v.len(),
            _ => 3,
        };
        for (k, v) in v[..n_moved].iter_mut().enumerate() {
            *v += lag[k % 3];
        }
        world.set_v(id, &v)?;
    }
    Ok(())
}

/// What a center of mass lacks of a velocity, beyond round-off: bodies that deform keep the velocity of the origin of
/// their frame, or of nodes, and turn about it.
fn lag(body: &dyn Body, q: &[f64], v: &[f64], linear: &[f64]) -> Option<Vec3> {
    if body.as_rigid().is_some() {
        return None;
    }
    let (mass, _) = body.center_of_mass(q);
    let moves = scale(1.0 / mass, body.momentum(q, v).linear);
    let lag = sub([linear[0], linear[1], linear[2]], moves);
    let speed = v.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    (mass > 0.0 && norm(lag) > 1e-12 * speed).then_some(lag)
}

/// The coordinates of a body that is put somewhere, and its number of velocities.
pub(crate) fn put(
    world: &World,
    id: BodyId,
    position: &[f64],
    quaternion: Option<[f64; 4]>,
    angle: Option<f64>,
) -> Result<(Vec<f64>, usize), Fault> {
    if id == GROUND {
        return Err(Fault::at("body", "the ground stays where it is"));
    }
    // On a copy: whether it fits shows when it is done.
    let mut world = world.clone();
    if crate::build::connector::is_planar(&world, id) {
        let [x, y] = exactly("position", position)?;
        let q = world.q(id)?;
        let now = if q.len() == 3 { q[2] } else { 0.0 };
        put_in_plane(&mut world, id, [x, y, 0.0], angle.unwrap_or(now))?;
    } else {
        let mut pose = Pose::at(exactly("position", position)?);
        let now = world.pose(id)?.map(|pose| pose.rotation);
        if let Some(rotation) = quaternion.or(now) {
            pose.rotation = rotation;
        }
        world.set_pose(id, pose)?;
    }
    Ok((world.q(id)?.to_vec(), world.v(id)?.len()))
}
