//! Three-by-three matrices, row-major.

use super::vector::{Vec3, cross, dot};

/// A 3 × 3 matrix, row-major: `m[row][column]`.
pub type Mat3 = [[f64; 3]; 3];

/// The identity.
pub const IDENTITY3: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// `m·a`.
#[inline(always)]
pub fn mat_vec(m: &Mat3, a: Vec3) -> Vec3 {
    [dot(m[0], a), dot(m[1], a), dot(m[2], a)]
}

/// `mᵀ·a`.
#[inline(always)]
pub fn mat_t_vec(m: &Mat3, a: Vec3) -> Vec3 {
    [
        dot(column(m, 0), a),
        dot(column(m, 1), a),
        dot(column(m, 2), a),
    ]
}

/// `m·n`.
#[inline(always)]
pub fn mat_mul(m: &Mat3, n: &Mat3) -> Mat3 {
    let c = [column(n, 0), column(n, 1), column(n, 2)];
    [mat_row(m[0], &c), mat_row(m[1], &c), mat_row(m[2], &c)]
}

/// `mᵀ·n`.
#[inline(always)]
pub fn mat_t_mul(m: &Mat3, n: &Mat3) -> Mat3 {
    mat_mul(&transpose(m), n)
}

/// One row of a product whose right factor is given by columns.
#[inline(always)]
fn mat_row(row: Vec3, columns: &[Vec3; 3]) -> Vec3 {
    [
        dot(row, columns[0]),
        dot(row, columns[1]),
        dot(row, columns[2]),
    ]
}

/// `mᵀ`.
#[inline(always)]
pub fn transpose(m: &Mat3) -> Mat3 {
    [column(m, 0), column(m, 1), column(m, 2)]
}

/// Column `j` of `m`.
#[inline(always)]
pub fn column(m: &Mat3, j: usize) -> Vec3 {
    [m[0][j], m[1][j], m[2][j]]
}

/// `[a]×`, the matrix with `[a]×·b = a × b`.
#[inline(always)]
pub fn skew(a: Vec3) -> Mat3 {
    [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]]
}

/// Determinant.
#[inline(always)]
pub fn determinant(m: &Mat3) -> f64 {
    dot(m[0], cross(m[1], m[2]))
}
