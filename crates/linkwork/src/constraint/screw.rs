//! A screw: frame b moves along x of frame a as it turns about it.
//!
//! Rows: the four of the cylindrical pair, then, with `t_x = x_a·(p_b − p_a)` and θ the angle of
//! frame b about x of frame a,
//!
//! ```text
//!     c = t_x − pitch·(θ + 2π·k)
//! ```
//!
//! k are the full turns that were made, which are state: forced off its thread, however far, the row pulls
//! back to that thread. Where nobody has counted yet, k makes `|c|` smallest, as a nut dropped onto a
//! spindle would catch it.

use super::axis_angle::AxisAngle;
use super::frame_pair::Displacement;
use super::{Constraint, FrameMotion, FramePair, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::{column, cross, dot, neg, scale, sub};

/// Couples the translation along x of frame a with the rotation about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    /// Advance per radian; negative for a left-handed thread. A thread that advances `p` per turn
    /// has pitch `p/2π` here.
    pub pitch: f64,
}

impl Constraint for Screw {
    takes!([Frame3; 2], rows: [Meter, Meter, Radian, Radian, Meter]);

    fn validate(&self) -> Result<(), Error> {
        if self.pitch.is_finite() && self.pitch != 0.0 {
            return Ok(());
        }
        Err(Error::field(
            "pitch",
            format!(
                "is {}; give a finite number other than zero (without advance it is a hinge)",
                self.pitch
            ),
        ))
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
        FramePair::cylindrical().write_rows(&a, &b, true, out);

        let angle = AxisAngle::new(&a, &b);
        let x = column(&a.rotation, 0);
        let Displacement { d, w, bend } = Displacement::of(&a, b.position, b.velocity);
        let AxisAngle {
            theta, theta_dot, ..
        } = angle;
        let along = dot(x, d) / self.pitch;
        let turns = out.full_turns(0, theta, theta_dot, along);
        out.c[4] = self.pitch * (along - theta - turns);
        out.c_dot[4] = dot(x, w) - self.pitch * angle.theta_dot;
        out.gamma[4] = dot(x, bend) - self.pitch * angle.gamma;
        let turn = scale(self.pitch, angle.g_world);
        out.dc_dx(0).set3(4, 0, neg(x));
        out.dc_dx(0).set3(4, 3, sub(turn, cross(d, x)));
        out.dc_dx(1).set3(4, 0, x);
        out.dc_dx(1).set3(4, 3, neg(turn));
    }

    fn n_angles(&self) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::{InputMotion, Spread, check_constraint_within, evaluate};
    use crate::math::{add, mat_mul, mat_vec, rotation_exp};

    #[test]
    fn keeps_the_contract() {
        check_constraint(&Screw { pitch: 0.8 }, 0).unwrap();
        // A fine thread, within the reach of one branch: differences cannot cross a jump.
        let spread = Spread {
            distance: 0.03,
            turn: 0.5,
        };
        check_constraint_within(&Screw { pitch: -0.05 }, 1, spread).unwrap();
    }

    /// Ten turns either way: on the thread c stays zero, and a small advance is seen as such.
    #[test]
    fn many_turns() {
        for pitch in [0.02, -0.3] {
            let screw = Screw { pitch };
            let mut a = InputMotion::at_rest(ConnectorKind::Frame3, [0.3, 0.1, -0.2]);
            a.rotation = rotation_exp([0.5, -0.3, 1.0]);
            for step in -1000..=1000 {
                let angle = f64::from(step) * 0.0628;
                for ahead in [0.0, 0.003] {
                    let mut b = a;
                    let along = [pitch * angle + ahead, 0.0, 0.0];
                    b.place = add(a.place, mat_vec(&a.rotation, along));
                    b.rotation = mat_mul(&a.rotation, &rotation_exp([angle, 0.0, 0.0]));
                    let rows = evaluate(&screw, 0.0, &[a.at(0.0), b.at(0.0)]);
                    assert!((rows.c[4] - ahead).abs() < 1e-13, "{angle}: {}", rows.c[4]);
                    assert!(rows.c[..4].iter().all(|c| c.abs() < 1e-14));
                }
            }
        }
    }

    #[test]
    fn no_pitch_is_refused() {
        assert!(Screw { pitch: 0.0 }.validate().is_err());
        assert!(Screw { pitch: f64::NAN }.validate().is_err());
    }
}
