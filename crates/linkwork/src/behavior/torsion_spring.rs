//! Springs that turn two frames.
//!
//! In space the angle φ from frame a to frame b is the twist about x: the rotation left of
//! `R = R_aᵀ·R_b` when the smallest rotation that tilts the axes has been taken out,
//!
//! ```text
//!     φ = atan2(R₃₂ − R₂₃, R₂₂ + R₃₃)      φ̇ = g·(ω_b − ω_a)      g = (x_a + x_b)/(1 + x_a·x_b)
//! ```
//!
//! On a hinge both axes are x and so is g. The torque on b is `−(k·(φ − φ₀) + c·φ̇)·g`, on a its
//! opposite.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Counter, Input, takes};
use crate::error::{Error, check_fields};
use crate::math::{Vec3, add, column, dot, mat_t_mul, scale, sub};

/// A torsion spring with a damper about x of two frames in space, or between two frames in the plane.
///
/// It counts full turns from where it began: it can be wound up, and its rest may be several turns away. In space it
/// begins within half a turn of where the frames agree, in the plane at the angle of b less that of a. It goes to its
/// rest as far as that is, which need not be the short way. The axes x of the frames must not point against each other;
/// there the twist is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsionSpring {
    /// Torque per angle, N·m/rad.
    pub stiffness: f64,
    /// Angle from frame a to frame b, about x, at which it rests.
    pub rest_angle: f64,
    /// Torque per angular rate, N·m·s/rad.
    pub damping: f64,
}

impl TorsionSpring {
    /// The deflection from rest over full turns.
    fn deflection(&self, inputs: &[Input<'_>], turns: &mut Counter<'_>) -> f64 {
        if inputs[0].kind.is_planar() {
            return inputs[1].x[2] - inputs[0].x[2] - self.rest_angle;
        }
        let r = mat_t_mul(&inputs[0].rotation(), &inputs[1].rotation());
        let (sin, cos) = (r[2][1] - r[1][2], r[1][1] + r[2][2]);
        // φ − φ₀ inside the arctangent: what is counted are turns away from rest.
        let (sin_rest, cos_rest) = libm::sincos(self.rest_angle);
        let within = libm::atan2(
            sin * cos_rest - cos * sin_rest,
            cos * cos_rest + sin * sin_rest,
        );
        // Where nobody has counted, φ is what the pose shows, within half a turn, and the rest is meant as it is
        // written.
        let begun = libm::atan2(sin, cos) - self.rest_angle;
        within + turns.full_turns(0, within, twist_rate(inputs), begun)
    }
}

/// `g = ∂φ/∂ω`, bounded within 8° of where the axes point against each other, so that the damper
/// stays finite there.
fn twist_gradient(inputs: &[Input<'_>]) -> Vec3 {
    let axis_a = column(&inputs[0].rotation(), 0);
    let axis_b = column(&inputs[1].rotation(), 0);
    scale(
        1.0 / (1.0 + dot(axis_a, axis_b)).max(1e-2),
        add(axis_a, axis_b),
    )
}

/// `φ̇ = g·(ω_b − ω_a)`.
fn twist_rate(inputs: &[Input<'_>]) -> f64 {
    let spin = sub(inputs[1].omega(), inputs[0].omega());
    dot(twist_gradient(inputs), spin)
}

impl Behavior for TorsionSpring {
    takes!([Frame3; 2], in_plane: [Frame2; 2]);

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, not_negative: stiffness; finite: rest_angle; not_negative: damping)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let deflection = self.deflection(inputs, &mut out.turns);
        if inputs[0].kind.is_planar() {
            let rate = inputs[1].x_dot[2] - inputs[0].x_dot[2];
            let torque = self.stiffness * deflection + self.damping * rate;
            out.on(0)[2] += torque;
            out.on(1)[2] -= torque;
            return;
        }
        let gradient = twist_gradient(inputs);
        let rate = twist_rate(inputs);
        let torque = self.stiffness * deflection + self.damping * rate;
        for k in 0..3 {
            out.on(0)[3 + k] += torque * gradient[k];
            out.on(1)[3 + k] -= torque * gradient[k];
        }
    }

    fn energy(&self, t: f64, inputs: &[Input<'_>]) -> f64 {
        self.energy_over_turns(t, inputs, &mut Counter::default())
    }

    fn n_angles(&self) -> usize {
        1
    }

    fn energy_over_turns(&self, _t: f64, inputs: &[Input<'_>], turns: &mut Counter<'_>) -> f64 {
        let deflection = self.deflection(inputs, turns);
        0.5 * self.stiffness * deflection * deflection
    }

    fn changes_with_place(&self) -> bool {
        self.stiffness > 0.0
    }

    fn changes_with_motion(&self) -> bool {
        self.damping > 0.0
    }
}
