//! A motor: a constant torque between two frames.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::column;

/// Turns frame b against frame a: about x of frame a in space, about z in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Torque on b, N·m; a receives the opposite.
    pub torque: f64,
}

impl Behavior for Motor {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3, ConnectorKind::Frame3]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame2; 2]
    }

    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("torque", &[self.torque])
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        if inputs[0].kind.is_planar() {
            out.on(0)[2] -= self.torque;
            out.on(1)[2] += self.torque;
            return;
        }
        let axis = column(&inputs[0].rotation(), 0);
        for k in 0..3 {
            out.on(0)[3 + k] -= self.torque * axis[k];
            out.on(1)[3 + k] += self.torque * axis[k];
        }
    }
}
