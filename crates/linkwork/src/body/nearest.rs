//! The rotation that carries points nearest to others.

use crate::linalg::eigen::diagonalize;
use crate::math::{Mat3, Quat};

/// The quaternion of the rotation R that makes `Σ m·|y − R·x|²` least, from `s = Σ m·x·yᵀ` of places about their means:
/// that with the largest eigenvalue of Horn's symmetric matrix. Also by which part of that eigenvalue the next one is
/// smaller: zero where points on a line do not say how they are turned about it.
pub fn nearest_turn(s: &Mat3) -> (Quat, f64) {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = *s;
    let mut matrix = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ];
    let mut vectors = [[0.0; 4]; 4];
    diagonalize(4, matrix.as_flattened_mut(), vectors.as_flattened_mut());
    let mut best = 0;
    for k in 1..4 {
        if matrix[k][k] > matrix[best][best] {
            best = k;
        }
    }
    let largest = matrix[best][best];
    let others = (0..4).filter(|k| *k != best).map(|k| matrix[k][k]);
    let next = others.fold(f64::NEG_INFINITY, f64::max);
    let mut quaternion = vectors[best];
    if quaternion[0] < 0.0 {
        quaternion = quaternion.map(|w| -w);
    }
    (
        quaternion,
        (largest - next) / largest.max(f64::MIN_POSITIVE),
    )
}
