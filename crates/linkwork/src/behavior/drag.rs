//! Viscous drag: a medium at rest that resists motion.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, check_fields};

/// Drag on a frame, in space or in the plane: force `−linear·v` at its origin, torque `−angular·ω`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousDrag {
    /// Force per velocity, N·s/m.
    pub linear: f64,
    /// Torque per angular velocity, N·m·s/rad.
    pub angular: f64,
}

impl Behavior for ViscousDrag {
    takes!([Frame3], in_plane: [Frame2]);

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, not_negative: linear, angular)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let n_linear = inputs[0].kind.n_position();
        for (k, rate) in inputs[0].x_dot.iter().enumerate() {
            let resistance = if k < n_linear {
                self.linear
            } else {
                self.angular
            };
            out.on(0)[k] = -resistance * rate;
        }
    }

    fn changes_with_place(&self) -> bool {
        false
    }
}
