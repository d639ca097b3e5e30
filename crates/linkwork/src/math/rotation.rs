//! Unit quaternions, rotation vectors, and the maps between them.
//!
//! A quaternion is `[w, x, y, z]`; a rotation vector is axis × angle. `exp` and `log` are the maps
//! between rotation vectors and rotations; `ω` is spatial: `Ṙ = [ω]×·R`.

use super::matrix::{Mat3, mat_mul, skew};
use super::vector::{Vec3, dot, norm, scale};

/// A quaternion `[w, x, y, z]`; a rotation when its length is one.
pub type Quat = [f64; 4];

/// No rotation.
pub const IDENTITY_QUAT: Quat = [1.0, 0.0, 0.0, 0.0];

/// The quaternion that others write `[x, y, z, w]`: glam, nalgebra, ROS, glTF.
pub const fn quat_from_xyzw([x, y, z, w]: [f64; 4]) -> Quat {
    [w, x, y, z]
}

/// A quaternion in the order `[x, y, z, w]`.
pub const fn quat_to_xyzw([w, x, y, z]: Quat) -> [f64; 4] {
    [x, y, z, w]
}

/// `p·q`: first `q`, then `p`.
#[inline(always)]
pub fn quat_mul(p: Quat, q: Quat) -> Quat {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

/// The inverse of a unit quaternion.
#[inline(always)]
pub fn quat_conjugate(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// `q/|q|`.
#[inline(always)]
pub fn quat_normalize(q: Quat) -> Quat {
    let s = 1.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    [q[0] * s, q[1] * s, q[2] * s, q[3] * s]
}

/// The rotation matrix of a unit quaternion.
#[inline(always)]
pub fn quat_to_matrix(q: Quat) -> Mat3 {
    let [w, x, y, z] = q;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    [
        [1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)],
        [2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)],
        [2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)],
    ]
}

/// The unit quaternion of a rotation matrix (the largest of the four components is divided by).
pub fn quat_from_matrix(m: &Mat3) -> Quat {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let q = if trace > 0.0 {
        [
            1.0 + trace,
            m[2][1] - m[1][2],
            m[0][2] - m[2][0],
            m[1][0] - m[0][1],
        ]
    } else if m[0][0] >= m[1][1] && m[0][0] >= m[2][2] {
        let x = 1.0 + m[0][0] - m[1][1] - m[2][2];
        [m[2][1] - m[1][2], x, m[0][1] + m[1][0], m[0][2] + m[2][0]]
    } else if m[1][1] >= m[2][2] {
        let y = 1.0 - m[0][0] + m[1][1] - m[2][2];
        [m[0][2] - m[2][0], m[0][1] + m[1][0], y, m[1][2] + m[2][1]]
    } else {
        let z = 1.0 - m[0][0] - m[1][1] + m[2][2];
        [m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], z]
    };
    quat_normalize(q)
}

/// `exp` of a rotation vector.
#[inline]
pub fn quat_exp(phi: Vec3) -> Quat {
    let square = dot(phi, phi);
    // cos(θ/2) and sin(θ/2)/θ; up to half a radian their series in u = (θ/2)² reach the last bit.
    let (cos, s) = if square < 0.25 {
        let u = 0.25 * square;
        let cos = 1.0
            - u * (1.0 / 2.0
                - u * (1.0 / 24.0
                    - u * (1.0 / 720.0
                        - u * (1.0 / 40_320.0
                            - u * (1.0 / 3_628_800.0 - u * (1.0 / 479_001_600.0))))));
        let s = 1.0
            - u * (1.0 / 6.0
                - u * (1.0 / 120.0
                    - u * (1.0 / 5040.0
                        - u * (1.0 / 362_880.0
                            - u * (1.0 / 39_916_800.0 - u * (1.0 / 6_227_020_800.0))))));
        (cos, 0.5 * s)
    } else {
        let angle = square.sqrt();
        (libm::cos(0.5 * angle), libm::sin(0.5 * angle) / angle)
    };
    [cos, s * phi[0], s * phi[1], s * phi[2]]
}

/// `log` of a unit quaternion: the rotation vector of length at most π.
pub fn quat_log(q: Quat) -> Vec3 {
    let q = if q[0] < 0.0 {
        [-q[0], -q[1], -q[2], -q[3]]
    } else {
        q
    };
    let v = [q[1], q[2], q[3]];
    let s = norm(v);
    // θ/sin(θ/2) with θ = 2·atan2(s, w).
    let k = if s < 1e-5 {
        2.0 * (1.0 + s * s / 6.0)
    } else {
        2.0 * libm::atan2(s, q[0]) / s
    };
    scale(k, v)
}

/// The rotation matrix of a rotation vector.
pub fn rotation_exp(phi: Vec3) -> Mat3 {
    quat_to_matrix(quat_exp(phi))
}

/// The rotation vector of a rotation matrix.
pub fn rotation_log(m: &Mat3) -> Vec3 {
    quat_log(quat_from_matrix(m))
}

/// `J_l⁻¹(φ)`, with `φ̇ = J_l⁻¹(φ)·ω` for `exp(φ) = R`, `Ṙ = [ω]×·R`.
///
/// `J_l⁻¹ = I − ½[φ]× + β(θ)·[φ]×²`, `β = (1 − (θ/2)·cot(θ/2))/θ²`. Singular at θ = 2π only.
pub fn left_jacobian_inverse(phi: Vec3) -> Mat3 {
    let s = skew(phi);
    let s2 = mat_mul(&s, &s);
    let (beta, _) = left_jacobian_beta(dot(phi, phi));
    let mut out = super::IDENTITY3;
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] += -0.5 * s[i][j] + beta * s2[i][j];
        }
    }
    out
}

/// `d/dt J_l⁻¹(φ)` for a given `φ̇`.
pub fn left_jacobian_inverse_rate(phi: Vec3, phi_dot: Vec3) -> Mat3 {
    let (s, s_dot) = (skew(phi), skew(phi_dot));
    let s2 = mat_mul(&s, &s);
    let (a, b) = (mat_mul(&s_dot, &s), mat_mul(&s, &s_dot));
    let (beta, dbeta) = left_jacobian_beta(dot(phi, phi));
    // β̇ = dβ/d(θ²) · 2φ·φ̇.
    let beta_dot = dbeta * 2.0 * dot(phi, phi_dot);
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = -0.5 * s_dot[i][j] + beta_dot * s2[i][j] + beta * (a[i][j] + b[i][j]);
        }
    }
    out
}

/// `β` of [`left_jacobian_inverse`] and `dβ/d(θ²)`, as functions of θ².
fn left_jacobian_beta(theta2: f64) -> (f64, f64) {
    if theta2 < 1e-2 {
        // β = 1/12 + θ²/720 + θ⁴/30240 + θ⁶/1209600 + …
        let b = 1.0 / 12.0
            + theta2
                * (1.0 / 720.0
                    + theta2
                        * (1.0 / 30240.0 + theta2 * (1.0 / 1_209_600.0 + theta2 / 47_900_160.0)));
        let db = 1.0 / 720.0
            + theta2 * (2.0 / 30240.0 + theta2 * (3.0 / 1_209_600.0 + theta2 * 4.0 / 47_900_160.0));
        return (b, db);
    }
    let theta = theta2.sqrt();
    let half = 0.5 * theta;
    let (sin, cos) = (libm::sin(half), libm::cos(half));
    let cot = cos / sin;
    let g = 1.0 - half * cot;
    // dg/dθ = −½·cot(θ/2) + (θ/4)/sin²(θ/2).
    let dg = -0.5 * cot + 0.25 * theta / (sin * sin);
    let beta = g / theta2;
    let dbeta_dtheta = dg / theta2 - 2.0 * g / (theta2 * theta);
    (beta, dbeta_dtheta / (2.0 * theta))
}
