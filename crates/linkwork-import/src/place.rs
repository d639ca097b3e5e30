//! Poses: one after the other, back, and of points.

use linkwork::body::Pose;
use linkwork::math::{
    IDENTITY_QUAT, Mat3, Quat, Vec3, add, complete_basis, cross, mat_vec, neg, quat_conjugate,
    quat_exp, quat_from_matrix, quat_mul, quat_normalize, quat_to_matrix, scale, transpose, unit,
};

/// Nowhere else.
pub(crate) const HERE: Pose = Pose {
    position: [0.0; 3],
    rotation: IDENTITY_QUAT,
};

/// The rotation as a matrix.
pub(crate) fn matrix(pose: &Pose) -> Mat3 {
    quat_to_matrix(pose.rotation)
}

/// A vector in the outer frame.
pub(crate) fn turn(pose: &Pose, vector: Vec3) -> Vec3 {
    mat_vec(&matrix(pose), vector)
}

/// A point in the outer frame.
pub(crate) fn point(pose: &Pose, point: Vec3) -> Vec3 {
    add(pose.position, turn(pose, point))
}

/// The pose that `inner`, given in the frame of `outer`, has outside.
pub(crate) fn then(outer: &Pose, inner: &Pose) -> Pose {
    Pose {
        position: point(outer, inner.position),
        rotation: quat_normalize(quat_mul(outer.rotation, inner.rotation)),
    }
}

/// The pose of the outer frame in the inner one.
pub(crate) fn back(pose: &Pose) -> Pose {
    let rotation = quat_conjugate(pose.rotation);
    Pose {
        position: neg(mat_vec(&quat_to_matrix(rotation), pose.position)),
        rotation,
    }
}

/// Turned by `angle` about `axis` (unit) through `center`.
pub(crate) fn about(center: Vec3, axis: Vec3, angle: f64) -> Pose {
    turned_about(center, quat_exp(scale(angle, axis)))
}

/// Turned about `center`.
pub(crate) fn turned_about(center: Vec3, rotation: Quat) -> Pose {
    let turned = mat_vec(&quat_to_matrix(rotation), center);
    Pose {
        position: add(center, neg(turned)),
        rotation,
    }
}

/// A frame whose x is `axis` (unit).
pub(crate) fn frame_along(origin: Vec3, axis: Vec3) -> Pose {
    let (y, _) = complete_basis(axis);
    frame_of(origin, axis, y)
}

/// A frame whose x and y are these (unit, perpendicular).
pub(crate) fn frame_of(origin: Vec3, x: Vec3, y: Vec3) -> Pose {
    let z = cross(x, y);
    Pose {
        position: origin,
        rotation: quat_normalize(quat_from_matrix(&transpose(&[x, y, z]))),
    }
}

/// The smallest rotation that takes z to `direction`; none for a vector of no length.
pub(crate) fn from_z(direction: Vec3) -> Option<Quat> {
    let [x, y, z] = unit(direction)?;
    // Axis z × direction = (−y, x, 0), of length sin.
    let sin = (x * x + y * y).sqrt();
    let angle = libm::atan2(sin, z);
    let axis = unit([-y, x, 0.0]).unwrap_or([1.0, 0.0, 0.0]);
    Some(quat_exp(scale(angle, axis)))
}
