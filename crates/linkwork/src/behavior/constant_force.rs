//! Forces that do not change: on a point, or with a torque on a frame.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::{Vec3, dot, mat_vec};

/// A constant force on a point, in space or in the plane. Its potential is zero at the world's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    /// Force, world axes. In the plane, z is not read.
    pub force_world: Vec3,
}

/// The axes in which a force is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// The world's: a weight.
    World,
    /// The connector's own frame, which turns with the body: a thruster.
    Frame,
}

/// A constant force at the origin of a frame in space, and a constant torque.
///
/// Only a force in world axes has a potential, zero at the world's origin; a torque has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantForce {
    /// Force at the frame's origin, N.
    pub force: Vec3,
    /// Torque, N·m.
    pub torque: Vec3,
    /// The axes of both.
    pub axes: Axes,
}

impl Behavior for PointForce {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point2]
    }

    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("force_world", &self.force_world)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let n = inputs[0].x_dot.len();
        out.on(0).copy_from_slice(&self.force_world[..n]);
    }

    fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
        let along = self.force_world.iter().zip(inputs[0].x);
        -along.map(|(force, x)| force * x).sum::<f64>()
    }
}

impl Behavior for ConstantForce {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3]
    }

    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_finite("force", &self.force)?;
        Invalid::require_finite("torque", &self.torque)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let in_world = |a: Vec3| match self.axes {
            Axes::World => a,
            Axes::Frame => mat_vec(&inputs[0].rotation(), a),
        };
        out.on(0)[..3].copy_from_slice(&in_world(self.force));
        out.on(0)[3..].copy_from_slice(&in_world(self.torque));
    }

    fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
        match self.axes {
            Axes::World => -dot(self.force, inputs[0].position()),
            Axes::Frame => 0.0,
        }
    }
}
