//! Viscous drag: a medium at rest that resists motion.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;

/// Drag on a frame, in space or in the plane: force `−linear·v` at its origin, torque `−angular·ω`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousDrag {
    /// Force per velocity, N·s/m.
    pub linear: f64,
    /// Torque per angular velocity, N·m·s/rad.
    pub angular: f64,
}

impl Behavior for ViscousDrag {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame2]
    }

    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_not_negative("linear", self.linear)?;
        Invalid::require_not_negative("angular", self.angular)
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
}
