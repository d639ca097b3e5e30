//! A blade, skate or wheel that moves along itself but not across: Chaplygin's sleigh.
//!
//! One input, a frame at the contact whose y is across the blade; the ground is at rest.
//!
//! ```text
//!     ċ = y·v      γ = (ω × y)·v
//! ```

use super::{Constraint, Level, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::{column, cross, dot};

/// The origin of a frame, in space or in the plane, does not move along the frame's y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnifeEdge;

impl Constraint for KnifeEdge {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame2]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn level(&self) -> Level {
        Level::Velocity
    }

    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        if inputs[0].kind.is_planar() {
            let (sin, cos) = (libm::sin(inputs[0].x[2]), libm::cos(inputs[0].x[2]));
            let v = inputs[0].x_dot;
            out.c_dot[0] = -sin * v[0] + cos * v[1];
            // ẏ = −θ̇·x.
            out.gamma[0] = -v[2] * (cos * v[0] + sin * v[1]);
            out.dc_dx(0).set3(0, 0, [-sin, cos, 0.0]);
            return;
        }
        let across = column(&inputs[0].rotation(), 1);
        let velocity = inputs[0].velocity();
        out.c_dot[0] = dot(across, velocity);
        out.gamma[0] = dot(cross(inputs[0].omega(), across), velocity);
        out.dc_dx(0).set3(0, 0, across);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;

    #[test]
    fn keeps_the_contract() {
        check_constraint(&KnifeEdge, 1).unwrap();
    }
}
