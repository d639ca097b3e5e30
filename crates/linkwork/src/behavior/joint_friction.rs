//! Viscous friction in a joint: against turning about and sliding along x of frame a.
//!
//! The sliding force acts on both bodies where b is, so that it makes no couple: with
//! `d = p_b − p_a` the rate of sliding is `s = x_a·(ṗ_b − ṗ_a − ω_a × d)`, the force on b is
//! `F = −c·s·x_a`, and frame a receives `−F` and the torque `−d × F`. The power is `−c·s²`.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, check_fields};
use crate::math::{column, cross, dot, scale, sub};

/// Viscous friction between two frames, about and along x of frame a; in the plane, against turning
/// and along x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Torque per relative angular rate about x, N·m·s/rad.
    pub angular: f64,
    /// Force per relative velocity along x, N·s/m.
    pub linear: f64,
}

impl JointFriction {
    fn eval_in_plane(&self, a: &Input<'_>, b: &Input<'_>, out: &mut Forces<'_>) {
        let (sin, cos) = libm::sincos(a.x[2]);
        let d = [b.x[0] - a.x[0], b.x[1] - a.x[1]];
        let spin = a.x_dot[2];
        let slip = [
            b.x_dot[0] - a.x_dot[0] + spin * d[1],
            b.x_dot[1] - a.x_dot[1] - spin * d[0],
        ];
        let size = -self.linear * (cos * slip[0] + sin * slip[1]);
        let force = [size * cos, size * sin];
        let torque = -self.angular * (b.x_dot[2] - spin);
        let moment = d[0] * force[1] - d[1] * force[0];
        for k in 0..2 {
            out.on(0)[k] -= force[k];
            out.on(1)[k] += force[k];
        }
        out.on(0)[2] -= torque + moment;
        out.on(1)[2] += torque;
    }
}

impl Behavior for JointFriction {
    takes!([Frame3; 2], in_plane: [Frame2; 2]);

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, not_negative: angular, linear)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let [a, b] = [&inputs[0], &inputs[1]];
        if a.kind.is_planar() {
            return self.eval_in_plane(a, b, out);
        }
        let axis = column(&a.rotation(), 0);
        let torque = scale(-self.angular * dot(axis, sub(b.omega(), a.omega())), axis);
        let d = sub(b.position(), a.position());
        let slip = sub(sub(b.velocity(), a.velocity()), cross(a.omega(), d));
        let force = scale(-self.linear * dot(axis, slip), axis);
        let moment = cross(d, force);
        for k in 0..3 {
            out.on(0)[k] -= force[k];
            out.on(1)[k] += force[k];
            out.on(0)[3 + k] -= torque[k] + moment[k];
            out.on(1)[3 + k] += torque[k];
        }
    }

    fn changes_with_place(&self) -> bool {
        false
    }
}
