//! A motor: a constant torque between two frames.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::column;

/// Turns frame b against frame a: about x of frame a in space, about z in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Torque on b, N·m; a receives the opposite.
    pub torque: f64,
}

impl Behavior for Motor {
    takes!([Frame3; 2], in_plane: [Frame2; 2]);

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("torque", &self.torque)
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

    fn changes_with_place(&self) -> bool {
        false
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}
