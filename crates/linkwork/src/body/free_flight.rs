//! Free flight of a rigid body.
//!
//! ```text
//!     x ← x + h·ẋ      L stays      R ← exp(h·L/I_m)·R·e₁(h/2)·e₃(h)·e₁(h/2)
//!     e_k(t) = exp(t·m_k·(1/I_k − 1/I_m)·axis_k),  m = Rᵀ·L turned back after each
//! ```
//!
//! with I₁ ≤ I_m ≤ I₃ the principal moments. The kinetic energy is split into a sphere and two
//! single axes, each of whose flows is a rotation: second order, symplectic, reversible, exact for
//! bodies with two equal moments, and L is conserved to round-off however fast the body spins. A body
//! that turns too far in h for this is turned in closed form (`torque_free`).

use super::tolerances::{FAR_ALONE, FAR_JOINTED};
use super::torque_free::turn_freely;
use crate::math::{
    IDENTITY3, Quat, Sym3, Vec3, ascending, determinant, mat_t_vec, mat_vec, norm, quat_conjugate,
    quat_exp, quat_from_matrix, quat_mul, quat_normalize, quat_to_matrix, scale, sym_eigen,
};

/// Principal moments and axes of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PrincipalInertia {
    moments: Vec3,
    /// The axes of the smallest, the middle and the largest moment.
    order: [usize; 3],
    /// From principal to body components; `None` when they are the same.
    rotation: Option<Quat>,
    /// Rotations beyond this are computed in closed form, radians.
    far: f64,
}

impl PrincipalInertia {
    pub(crate) fn of(inertia_body: &Sym3) -> Self {
        let i = inertia_body;
        let (moments, rotation) = if i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0 {
            ([i[0], i[1], i[2]], None)
        } else {
            let (moments, mut axes) = sym_eigen(inertia_body);
            if determinant(&axes) < 0.0 {
                axes.iter_mut().for_each(|row| row[2] = -row[2]);
            }
            let same = axes == IDENTITY3;
            (moments, (!same).then(|| quat_from_matrix(&axes)))
        };
        let order = ascending(&moments);
        Self {
            moments,
            order,
            rotation,
            far: FAR_JOINTED,
        }
    }

    /// The axis of the smallest moment, in components of the body.
    pub(crate) fn least_axis(&self) -> Vec3 {
        let mut axis = [0.0; 3];
        axis[self.order[0]] = 1.0;
        match self.rotation {
            Some(rotation) => mat_vec(&quat_to_matrix(rotation), axis),
            None => axis,
        }
    }

    /// The same for a body that no joint touches.
    pub(crate) fn alone(self) -> Self {
        Self {
            far: FAR_ALONE,
            ..self
        }
    }
}

/// Moves a rigid body's `q` and `v` by free flight for `h` seconds.
#[inline]
pub(crate) fn rigid_free_flight(inertia: &PrincipalInertia, q: &mut [f64], v: &mut [f64], h: f64) {
    for k in 0..3 {
        q[k] += h * v[k];
    }
    let mut rotation = [q[3], q[4], q[5], q[6]];
    if let Some(principal) = inertia.rotation {
        rotation = quat_mul(rotation, principal);
    }
    let matrix = quat_to_matrix(rotation);
    let omega = mat_t_vec(&matrix, [v[3], v[4], v[5]]);
    let moments = inertia.moments;
    let mut m = [
        moments[0] * omega[0],
        moments[1] * omega[1],
        moments[2] * omega[2],
    ];
    let momentum_world = mat_vec(&matrix, m);
    let [low, middle, high] = inertia.order;
    let inv_middle = 1.0 / moments[middle];
    let (low_rate, high_rate) = (
        1.0 / moments[low] - inv_middle,
        1.0 / moments[high] - inv_middle,
    );
    let fastest = norm(m) * low_rate.max(-high_rate);
    if low_rate != 0.0 && high_rate != 0.0 && h.abs() * fastest > inertia.far {
        let mut matrix = matrix;
        turn_freely(moments, inertia.order, &mut matrix, &mut m, h);
        let turned = quat_normalize(quat_from_matrix(&matrix));
        return store(inertia, turned, m, q, v);
    }
    let mut about = |axis: usize, rate: f64, t: f64| {
        let turn = turn_about(axis, t * m[axis] * rate);
        rotation = quat_mul(rotation, turn);
        m = turn_back(turn, axis, m);
    };
    if high_rate == 0.0 {
        about(low, low_rate, h);
    } else if low_rate == 0.0 {
        about(high, high_rate, h);
    } else {
        about(low, low_rate, 0.5 * h);
        about(high, high_rate, h);
        about(low, low_rate, 0.5 * h);
    }
    let turn = quat_exp(scale(h * inv_middle, momentum_world));
    store(inertia, quat_normalize(quat_mul(turn, rotation)), m, q, v);
}

/// Writes a rotation of the principal axes and the momentum in them as coordinates and velocities.
#[inline(always)]
fn store(inertia: &PrincipalInertia, rotation: Quat, m: Vec3, q: &mut [f64], v: &mut [f64]) {
    let moments = inertia.moments;
    let omega = [m[0] / moments[0], m[1] / moments[1], m[2] / moments[2]];
    let omega_world = mat_vec(&quat_to_matrix(rotation), omega);
    v[3..6].copy_from_slice(&omega_world);
    let rotation = match inertia.rotation {
        Some(principal) => quat_mul(rotation, quat_conjugate(principal)),
        None => rotation,
    };
    q[3..7].copy_from_slice(&rotation);
}

/// A rotation about one axis.
#[inline(always)]
fn turn_about(axis: usize, angle: f64) -> Quat {
    let mut phi = [0.0; 3];
    phi[axis] = angle;
    quat_exp(phi)
}

/// `m` in components that were turned about one axis: `exp(−θ·axis)·m`.
#[inline(always)]
fn turn_back(turn: Quat, axis: usize, m: Vec3) -> Vec3 {
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let (w, s) = (turn[0], turn[1 + axis]);
    // cos θ and sin θ from the half angle.
    let (cos, sin) = (1.0 - 2.0 * s * s, 2.0 * w * s);
    let mut out = m;
    out[a] = cos * m[a] + sin * m[b];
    out[b] = cos * m[b] - sin * m[a];
    out
}
