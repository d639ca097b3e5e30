//! Viscous drag: a medium at rest that resists motion.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;

/// Drag on a frame in space: force `−linear·v` at its origin, torque `−angular·ω`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousDrag {
    /// Force per velocity, N·s/m.
    pub linear: f64,
    /// Torque per angular velocity, N·m·s/rad.
    pub angular: f64,
}

/// Drag on a frame in the plane: force `−linear·v` at its origin, torque `−angular·θ̇`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarDrag {
    /// Force per velocity, N·s/m.
    pub linear: f64,
    /// Torque per angular rate, N·m·s/rad.
    pub angular: f64,
}

macro_rules! drag {
    ($name:ident, $kind:ident, $n_linear:literal) => {
        impl Behavior for $name {
            fn inputs(&self) -> &[ConnectorKind] {
                &[ConnectorKind::$kind]
            }

            fn validate(&self) -> Result<(), Invalid> {
                Invalid::require_not_negative("linear", self.linear)?;
                Invalid::require_not_negative("angular", self.angular)
            }

            fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
                for (k, rate) in inputs[0].x_dot.iter().enumerate() {
                    let resistance = if k < $n_linear {
                        self.linear
                    } else {
                        self.angular
                    };
                    out.on(0)[k] = -resistance * rate;
                }
            }
        }
    };
}

drag!(ViscousDrag, Frame3, 3);
drag!(PlanarDrag, Frame2, 2);
