//! A thrust: a constant force between two frames.
//!
//! It acts on both bodies where b is, so that it makes no couple: with `d = p_b − p_a` frame b receives `F = f·x_a`,
//! and frame a `−F` and the torque `−d × F`.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::{column, cross, scale, sub};

/// Pushes frame b along x of frame a, in space and in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thrust {
    /// Force on b, N; a receives the opposite.
    pub force: f64,
}

impl Behavior for Thrust {
    takes!([Frame3; 2], in_plane: [Frame2; 2]);

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("force", &self.force)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let [a, b] = [&inputs[0], &inputs[1]];
        if a.kind.is_planar() {
            let (sin, cos) = libm::sincos(a.x[2]);
            let d = [b.x[0] - a.x[0], b.x[1] - a.x[1]];
            let force = [self.force * cos, self.force * sin];
            for k in 0..2 {
                out.on(0)[k] -= force[k];
                out.on(1)[k] += force[k];
            }
            out.on(0)[2] -= d[0] * force[1] - d[1] * force[0];
            return;
        }
        let force = scale(self.force, column(&a.rotation(), 0));
        let moment = cross(sub(b.position(), a.position()), force);
        for k in 0..3 {
            out.on(0)[k] -= force[k];
            out.on(1)[k] += force[k];
            out.on(0)[3 + k] -= moment[k];
        }
    }

    fn changes_with_place(&self) -> bool {
        false
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}
