//! Joints driven as a function of time: motors of position.
//!
//! ```text
//!     c = output − f(t)      ċ = d(output)/dt − ḟ      γ = γ(output) − f̈
//! ```
//!
//! A drive is one row and holds nothing else: combine it with the joint it drives (a hinge and an
//! [`AngleDrive`] are a servo motor, a prismatic pair and a [`LengthDrive`] a piston). Its
//! multiplier is the motor's torque or force.

use super::axis_angle::{AxisAngle, nearest_branch};
use super::distance::distance_row;
use super::planar_pair::AlongRow;
use super::{Constraint, DriveFunction, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::{column, cross, dot, neg, scale, sub};

/// Drives the angle of frame b about x of frame a.
///
/// The angle of a rotation matrix is known up to whole turns; the row takes the nearest:
/// `c` is `θ − f(t)` brought to between −π and π. The drive passes smoothly through any number of
/// turns while the joint follows within half a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleDrive<F> {
    /// Angle in radians as a function of time.
    pub function: F,
}

/// Drives the position of a point along x of frame a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthDrive<F> {
    /// Position along x in metres as a function of time.
    pub function: F,
}

/// Drives the distance between two points in space: a hydraulic cylinder with ball ends.
///
/// The function must stay positive; see [`Distance`](super::Distance).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceDrive<F> {
    /// Distance in metres as a function of time.
    pub function: F,
}

/// Drives the angle between two frames in the plane: `θ_b − θ_a = f(t)`, turns counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarAngleDrive<F> {
    /// Angle in radians as a function of time.
    pub function: F,
}

/// Drives the position of a point along x of a frame in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarLengthDrive<F> {
    /// Position along x in metres as a function of time.
    pub function: F,
}

/// Drives the distance between two points in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarDistanceDrive<F> {
    /// Distance in metres as a function of time.
    pub function: F,
}

/// Inputs, unit and validation are all alike; the output is written by `$output`, then `f(t)` and
/// its derivatives are taken off the row.
macro_rules! drive {
    ($name:ident, $a:ident, $b:ident, $unit:ident, $output:expr) => {
        impl<F: DriveFunction> Constraint for $name<F> {
            fn inputs(&self) -> &[ConnectorKind] {
                &[ConnectorKind::$a, ConnectorKind::$b]
            }

            fn rows(&self) -> &[RowUnit] {
                &[RowUnit::$unit]
            }

            fn validate(&self) -> Result<(), Invalid> {
                self.function.validate()
            }

            fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let output: fn(&[Input<'_>], &mut Rows<'_>) = $output;
                output(inputs, out);
                out.c[0] -= self.function.value(t);
                out.c_dot[0] -= self.function.rate(t);
                out.gamma[0] -= self.function.acceleration(t);
            }
        }
    };
}

drive!(LengthDrive, Frame3, Point3, Meter, length_row);
drive!(DistanceDrive, Point3, Point3, Meter, distance_row::<3>);
drive!(
    PlanarDistanceDrive,
    Point2,
    Point2,
    Meter,
    distance_row::<2>
);
drive!(PlanarAngleDrive, Frame2, Frame2, Radian, planar_angle_row);
drive!(PlanarLengthDrive, Frame2, Point2, Meter, planar_length_row);

impl<F: DriveFunction> Constraint for AngleDrive<F> {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3, ConnectorKind::Frame3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Radian]
    }

    fn validate(&self) -> Result<(), Invalid> {
        self.function.validate()
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
        let angle = AxisAngle::new(&a, &b);
        out.c[0] = nearest_branch(angle.theta - self.function.value(t));
        out.c_dot[0] = angle.theta_dot - self.function.rate(t);
        out.gamma[0] = angle.gamma - self.function.acceleration(t);
        out.dc_dx(0).set3(0, 3, neg(angle.g_world));
        out.dc_dx(1).set3(0, 3, angle.g_world);
    }
}

/// `x_a·(p_b − p_a)`, as the translation rows of a frame pair.
fn length_row(inputs: &[Input<'_>], out: &mut Rows<'_>) {
    let a = FrameMotion::of(&inputs[0]);
    let x = column(&a.rotation, 0);
    let d = sub(inputs[1].position(), a.position);
    let d_dot = sub(inputs[1].velocity(), a.velocity);
    let bend = sub(
        cross(a.omega, cross(a.omega, d)),
        scale(2.0, cross(a.omega, d_dot)),
    );
    out.c[0] = dot(x, d);
    out.c_dot[0] = dot(x, sub(d_dot, cross(a.omega, d)));
    out.gamma[0] = dot(x, bend);
    out.dc_dx(0).set3(0, 0, neg(x));
    out.dc_dx(0).set3(0, 3, neg(cross(d, x)));
    out.dc_dx(1).set3(0, 0, x);
}

fn planar_angle_row(inputs: &[Input<'_>], out: &mut Rows<'_>) {
    out.c[0] = inputs[1].x[2] - inputs[0].x[2];
    out.c_dot[0] = inputs[1].x_dot[2] - inputs[0].x_dot[2];
    out.dc_dx(0).set(0, 2, -1.0);
    out.dc_dx(1).set(0, 2, 1.0);
}

fn planar_length_row(inputs: &[Input<'_>], out: &mut Rows<'_>) {
    let row = AlongRow::new(0, &inputs[0], &inputs[1]);
    out.c[0] = row.c;
    out.c_dot[0] = row.c_dot;
    out.gamma[0] = row.gamma;
    out.dc_dx(0).set3(0, 0, row.d_frame);
    out.dc_dx(1).row_mut(0)[..2].copy_from_slice(&row.d_point);
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
        check_constraint(&AngleDrive { function: SINE }, 1).unwrap();
        check_constraint(&LengthDrive { function: SINE }, 2).unwrap();
        check_constraint(&DistanceDrive { function: SINE }, 3).unwrap();
        check_constraint(&PlanarAngleDrive { function: SINE }, 4).unwrap();
        check_constraint(&PlanarLengthDrive { function: SINE }, 5).unwrap();
        check_constraint(&PlanarDistanceDrive { function: SINE }, 6).unwrap();
    }

    /// A hinge that follows its drive with a small lag, through five turns either way.
    #[test]
    fn angle_drive_passes_full_turns() {
        for rate in [1.0, -1.0] {
            let drive = AngleDrive {
                function: Ramp { start: 0.5, rate },
            };
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
