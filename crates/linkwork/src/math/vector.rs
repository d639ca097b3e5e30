//! Three-vectors.

/// A three-vector.
pub type Vec3 = [f64; 3];

/// `a + b`.
#[inline(always)]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a − b`.
#[inline(always)]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `s·a`.
#[inline(always)]
pub fn scale(s: f64, a: Vec3) -> Vec3 {
    [s * a[0], s * a[1], s * a[2]]
}

/// `−a`.
#[inline(always)]
pub fn neg(a: Vec3) -> Vec3 {
    [-a[0], -a[1], -a[2]]
}

/// `a·b`.
#[inline(always)]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`.
#[inline(always)]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Euclidean length.
#[inline(always)]
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// `a/|a|`, or `None` when the length is zero or not finite.
pub fn unit(a: Vec3) -> Option<Vec3> {
    let length = norm(a);
    (length > 0.0 && length.is_finite()).then(|| scale(1.0 / length, a))
}

/// Two unit vectors that complete the unit vector `a` to a right-handed basis `(a, y, z)`.
///
/// The choice is deterministic; it jumps where the smallest component of `a` changes.
pub fn complete_basis(a: Vec3) -> (Vec3, Vec3) {
    complete_basis_by(a, axis_across(a))
}

/// The coordinate axis that is most across `a`.
pub(crate) fn axis_across(a: Vec3) -> Vec3 {
    let abs = a.map(f64::abs);
    if abs[0] <= abs[1] && abs[0] <= abs[2] {
        [1.0, 0.0, 0.0]
    } else if abs[1] <= abs[2] {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    }
}

/// The same basis by an axis that is across `a`: as `a` turns a little, so do the others.
pub(crate) fn complete_basis_by(a: Vec3, axis: Vec3) -> (Vec3, Vec3) {
    let z = cross(a, axis);
    let z = scale(1.0 / norm(z), z);
    (cross(z, a), z)
}
