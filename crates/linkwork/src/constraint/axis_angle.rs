//! The angle between two frames about the axis x of the first, for screws and drives.
//!
//! With `u = R_aᵀ·y_b` and `ρ² = u_y² + u_z²`:
//!
//! ```text
//!     θ = atan2(u_z, u_y)      θ̇ = g·(ω_b − ω_a),   R_aᵀ·g = (1, −u_x·u_y/ρ², −u_x·u_z/ρ²)
//! ```
//!
//! On a hinge `u_x = 0` and `g` is the axis. θ is within a turn; full turns are counted (`connector::Turns`). Singular
//! when y of frame b lies along x of frame a, a right angle away from a hinge.

use super::FrameMotion;
use crate::math::{Vec3, add, column, cross, mat_t_vec, mat_vec, neg, sub};

/// The angle and how it moves: `θ̇ = g·(ω_b − ω_a)`, `θ̈ = g·(ω̇_b − ω̇_a) + γ`.
pub(super) struct AxisAngle {
    pub(super) theta: f64,
    pub(super) theta_dot: f64,
    pub(super) gamma: f64,
    pub(super) g_world: Vec3,
}

impl AxisAngle {
    pub(super) fn new(a: &FrameMotion, b: &FrameMotion) -> Self {
        let u = mat_t_vec(&a.rotation, column(&b.rotation, 1));
        let w = mat_t_vec(&a.rotation, sub(b.omega, a.omega));
        // u̇ = w × u, and ẇ lacks (ω̇_b − ω̇_a) here: what is left of it is −ω_a × ω_b.
        let w_dot = mat_t_vec(&a.rotation, neg(cross(a.omega, b.omega)));
        let u_dot = cross(w, u);
        let u_ddot = add(cross(w_dot, u), cross(w, u_dot));
        let rho2 = (u[1] * u[1] + u[2] * u[2]).max(1e-18);
        let theta_dot = (u[1] * u_dot[2] - u[2] * u_dot[1]) / rho2;
        let growth = (u[1] * u_dot[1] + u[2] * u_dot[2]) / rho2;
        let g = [1.0, -u[0] * u[1] / rho2, -u[0] * u[2] / rho2];
        Self {
            theta: libm::atan2(u[2], u[1]),
            theta_dot,
            gamma: (u[1] * u_ddot[2] - u[2] * u_ddot[1]) / rho2 - 2.0 * growth * theta_dot,
            g_world: mat_vec(&a.rotation, g),
        }
    }
}
