//! Forces that do not change: on a point, a direction or a number, or with a torque on a frame.
//!
//! A force f on an output x has the potential −f·x and is the generalized force Lᵀ·f, whatever the output is
//! (Witkin 1990, eq. 8). On a direction d that is the torque d × f, never one about d, which does not move it: a
//! torque about a direction acts on a frame along it ([`ConstantForce`] in its own axes, [`Motor`](super::Motor)).

use std::slice;

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, check_fields};
use crate::math::{Vec3, dot, mat_vec};

/// A constant force on a point, in space or in the plane. Its potential is zero at the world's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    /// Force, world axes. In the plane, z is not read.
    pub force_world: Vec3,
}

/// A constant force on a scalar or a direction. Its potential is `−force·x`.
///
/// On a direction d, N·m, it turns it towards the force with the torque `d × force`, as a field turns a needle.
/// On a scalar it is what its work per unit is: on the area of a sheet a pressure, N/m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputForce {
    on: ConnectorKind,
    force: Vec3,
}

impl OutputForce {
    /// A pressure, or another force on a scalar.
    pub fn on_scalar(force: f64) -> Self {
        Self {
            on: ConnectorKind::Scalar,
            force: [force, 0.0, 0.0],
        }
    }

    /// A force that turns a direction.
    pub fn on_direction(force_world: Vec3) -> Self {
        Self {
            on: ConnectorKind::Direction3,
            force: force_world,
        }
    }

    /// The force, as many numbers as the output has.
    pub fn force(&self) -> &[f64] {
        &self.force[..self.on.n_x()]
    }
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
    takes!([Point3], in_plane: [Point2]);

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("force_world", &self.force_world)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        push(&self.force_world, inputs, out);
    }

    fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
        potential(&self.force_world, inputs)
    }

    fn changes_with_place(&self) -> bool {
        false
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}

impl Behavior for OutputForce {
    fn inputs(&self) -> &[ConnectorKind] {
        slice::from_ref(&self.on)
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("force", &self.force)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        push(&self.force, inputs, out);
    }

    fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
        potential(&self.force, inputs)
    }

    fn changes_with_place(&self) -> bool {
        false
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}

fn push(force: &Vec3, inputs: &[Input<'_>], out: &mut Forces<'_>) {
    let n = inputs[0].x_dot.len();
    out.on(0).copy_from_slice(&force[..n]);
}

/// `−f·x`.
fn potential(force: &Vec3, inputs: &[Input<'_>]) -> f64 {
    let along = force.iter().zip(inputs[0].x);
    -along.map(|(force, x)| force * x).sum::<f64>()
}

impl Behavior for ConstantForce {
    takes!([Frame3]);

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, finite: force, torque)
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

    fn changes_with_place(&self) -> bool {
        false
    }

    fn changes_with_motion(&self) -> bool {
        false
    }
}
