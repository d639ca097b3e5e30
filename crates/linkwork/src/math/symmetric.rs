//! Symmetric three-by-three matrices in packed form: inertias and Schur complements.

use super::matrix::{Mat3, mat_mul};
use super::vector::{Vec3, dot};

/// A symmetric 3 × 3 matrix: `[xx, yy, zz, xy, xz, yz]`.
pub type Sym3 = [f64; 6];

/// `s·a`.
#[inline(always)]
pub fn sym_vec(s: &Sym3, a: Vec3) -> Vec3 {
    [
        dot([s[0], s[3], s[4]], a),
        dot([s[3], s[1], s[5]], a),
        dot([s[4], s[5], s[2]], a),
    ]
}

/// The full matrix.
#[inline(always)]
pub fn sym_full(s: &Sym3) -> Mat3 {
    [[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]]
}

/// The packed form of a matrix known to be symmetric (its upper triangle is read).
#[inline(always)]
pub fn sym_pack(m: &Mat3) -> Sym3 {
    [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]]
}

/// `R·s·Rᵀ`.
#[inline(always)]
pub fn sym_rotate(r: &Mat3, s: &Sym3) -> Sym3 {
    let t = mat_mul(r, &sym_full(s));
    [
        dot(t[0], r[0]),
        dot(t[1], r[1]),
        dot(t[2], r[2]),
        dot(t[0], r[1]),
        dot(t[0], r[2]),
        dot(t[1], r[2]),
    ]
}

/// `R·diag(d)·Rᵀ`.
#[inline(always)]
pub fn sym_rotate_diagonal(r: &Mat3, d: Vec3) -> Sym3 {
    let t = [
        [r[0][0] * d[0], r[0][1] * d[1], r[0][2] * d[2]],
        [r[1][0] * d[0], r[1][1] * d[1], r[1][2] * d[2]],
        [r[2][0] * d[0], r[2][1] * d[1], r[2][2] * d[2]],
    ];
    [
        dot(t[0], r[0]),
        dot(t[1], r[1]),
        dot(t[2], r[2]),
        dot(t[0], r[1]),
        dot(t[0], r[2]),
        dot(t[1], r[2]),
    ]
}

/// Whether `s` is positive definite: by its leading minors.
pub(crate) fn sym_is_positive(s: &Sym3) -> bool {
    let [a, b, c, ab, ac, bc] = *s;
    let second = a * b - ab * ab;
    let third = c * second - (a * bc * bc - 2.0 * ab * ac * bc + b * ac * ac);
    a > 0.0 && second > 0.0 && third > 0.0
}

/// `s⁻¹` through the adjugate.
///
/// Not finite when `s` is singular: the callers guard, because only they know the scale.
#[inline(always)]
pub fn sym_inverse(s: &Sym3) -> Sym3 {
    let [a, b, c, d, e, f] = *s;
    let c00 = b * c - f * f;
    let c01 = e * f - d * c;
    let c02 = d * f - e * b;
    let inv_det = 1.0 / (a * c00 + d * c01 + e * c02);
    [
        c00 * inv_det,
        (a * c - e * e) * inv_det,
        (a * b - d * d) * inv_det,
        c01 * inv_det,
        c02 * inv_det,
        (d * e - a * f) * inv_det,
    ]
}

/// The places of three numbers, from the smallest to the largest; equals stay in their order.
pub(crate) fn ascending(values: &Vec3) -> [usize; 3] {
    let mut order = [0, 1, 2];
    for (i, k) in [(0, 1), (1, 2), (0, 1)] {
        if values[order[i]] > values[order[k]] {
            order.swap(i, k);
        }
    }
    order
}

/// Eigenvalues and eigenvectors (columns of the rotation) by cyclic Jacobi sweeps.
///
/// Deterministic, accurate to round-off; the eigenvectors form a right-handed basis.
pub fn sym_eigen(s: &Sym3) -> (Vec3, Mat3) {
    let mut a = sym_full(s);
    let mut v = super::IDENTITY3;
    for _sweep in 0..32 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        let size = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
        if off <= 1e-17 * size {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            // The rotation that annihilates a[p][q]: t = tan of its angle, the smaller root.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let t = if theta == 0.0 { 1.0 } else { t };
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            for k in 0..3 {
                (a[k][p], a[k][q]) = (cos * a[k][p] - sin * a[k][q], sin * a[k][p] + cos * a[k][q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (cos * a[p][k] - sin * a[q][k], sin * a[p][k] + cos * a[q][k]);
            }
            for row in &mut v {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
        }
    }
    if super::determinant(&v) < 0.0 {
        for row in &mut v {
            row[2] = -row[2];
        }
    }
    ([a[0][0], a[1][1], a[2][2]], v)
}
