//! Joints driven as a function of time: motors of position.
//!
//! ```text
//!     c = output − f(t)      ċ = d(output)/dt − ḟ      γ = γ(output) − f̈
//! ```
//!
//! A drive is one row and holds nothing else: combine it with the joint it drives (a hinge and an
//! [`AngleDrive`] are a servo motor, a prismatic pair and a [`LengthDrive`] a piston). Its
//! multiplier is the motor's torque or force.

use std::sync::Arc;

use super::axis_angle::AxisAngle;
use super::distance::distance_row;
use super::frame_pair::Displacement;
use super::planar_pair::{AlongRow, angle_row};
use super::{Constraint, DriveFunction, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::{column, neg};

/// A drive of one output of its two connectors. `$output` writes the output's row, then `f(t)` and its
/// derivatives are taken off it. Of `$n_angles` in space turns are counted.
macro_rules! drive {
    (
        $(#[$doc:meta])* $name:ident: $of_time:literal,
        $space:expr, $plane:expr, $unit:ident, $output:ident, $n_angles:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            #[doc = $of_time]
            pub function: Arc<dyn DriveFunction>,
        }

        impl $name {
            /// Driven by a function of its own.
            pub fn new(function: impl DriveFunction) -> Self {
                let function = Arc::new(function);
                Self { function }
            }
        }

        impl Constraint for $name {
            takes!($space, in_plane: $plane, rows: [$unit]);

            fn validate(&self) -> Result<(), Error> {
                self.function.validate()
            }

            fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let in_plane = inputs[0].kind.is_planar();
                $output(in_plane, inputs, out);
                let value = self.function.value(t);
                let turns = match in_plane || $n_angles == 0 {
                    true => 0.0,
                    false => out.full_turns(0, out.c[0], out.c_dot[0], value),
                };
                out.c[0] = out.c[0] - value + turns;
                out.c_dot[0] -= self.function.rate(t);
                out.gamma[0] -= self.function.acceleration(t);
            }

            fn n_angles(&self) -> usize {
                $n_angles
            }

            fn is_relative(&self) -> bool {
                true
            }
        }
    };
}

drive!(
    /// Drives the angle of frame b about x of frame a; in the plane, from frame a to frame b.
    ///
    /// Full turns are counted: a joint that cannot follow is wound back by all that it is behind.
    AngleDrive: "Angle in radians as a function of time.",
    [Frame3, Frame3], [Frame2, Frame2], Radian, turn_row, 1
);

drive!(
    /// Drives the position of a point along x of frame a.
    LengthDrive: "Position along x in meters as a function of time.",
    [Frame3, Point3], [Frame2, Point2], Meter, length_row, 0
);

drive!(
    /// Drives the distance between two points: a hydraulic cylinder with ball ends.
    ///
    /// The function must stay positive; see [`Distance`](super::Distance).
    DistanceDrive: "Distance in meters as a function of time.",
    [Point3, Point3], [Point2, Point2], Meter, apart_row, 0
);

pub(super) fn apart_row(_in_plane: bool, inputs: &[Input<'_>], out: &mut Rows<'_>) {
    distance_row(inputs, out);
}

/// The angle from frame a to frame b.
pub(super) fn turn_row(in_plane: bool, inputs: &[Input<'_>], out: &mut Rows<'_>) {
    if in_plane {
        return angle_row(0, inputs, out);
    }
    let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
    let angle = AxisAngle::new(&a, &b);
    out.c[0] = angle.theta;
    out.c_dot[0] = angle.theta_dot;
    out.gamma[0] = angle.gamma;
    out.dc_dx(0).set3(0, 3, neg(angle.g_world));
    out.dc_dx(1).set3(0, 3, angle.g_world);
}

/// `x_a·(p_b − p_a)`, as the translation rows of a frame pair.
pub(super) fn length_row(in_plane: bool, inputs: &[Input<'_>], out: &mut Rows<'_>) {
    if in_plane {
        return AlongRow::new(0, &inputs[0], &inputs[1]).write(out);
    }
    let a = FrameMotion::of(&inputs[0]);
    let displacement = Displacement::of(&a, inputs[1].position(), inputs[1].velocity());
    displacement.write(0, column(&a.rotation, 0), out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{InputMotion, evaluate};
    use crate::constraint::{Ramp, Sine, check_constraint};
    use crate::math::{mat_mul, rotation_exp};

    const SINE: Sine = Sine {
        amplitude: 0.4,
        frequency: 0.7,
        phase: 0.3,
        offset: 1.1,
    };

    #[test]
    fn every_drive_keeps_the_contract() {
        check_constraint(&AngleDrive::new(SINE), 1).unwrap();
        check_constraint(&LengthDrive::new(SINE), 2).unwrap();
        check_constraint(&DistanceDrive::new(SINE), 3).unwrap();
    }

    /// A hinge that follows its drive with a small lag, through five turns either way.
    #[test]
    fn angle_drive_passes_full_turns() {
        for rate in [1.0, -1.0] {
            let drive = AngleDrive::new(Ramp { start: 0.5, rate });
            let mut a = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
            a.rotation = rotation_exp([0.2, 0.9, -0.4]);
            let mut before = None;
            for step in 0..3200 {
                let t = f64::from(step) * 0.01;
                let mut b = a;
                let angle = 0.5 + rate * t - 0.1;
                b.rotation = mat_mul(&a.rotation, &rotation_exp([angle, 0.0, 0.0]));
                let rows = evaluate(&drive, t, &[a.at(0.0), b.at(0.0)]);
                assert!((rows.c[0] + 0.1).abs() < 1e-12, "{t}: {}", rows.c[0]);
                if let Some(before) = before.replace(rows.dc_dx.clone()) {
                    for (now, then) in rows.dc_dx.iter().zip(&before) {
                        assert!((now - then).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
