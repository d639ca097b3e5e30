//! A joint whose coordinate is a function of another joint's: mimic joints of robots, and rotors.
//!
//! Inputs: two frames of the leading joint, two of the one that follows. With `x` and `y` the
//! coordinates of the two pairs, each from its first frame to its second,
//!
//! ```text
//!     c = y − P(x)      ċ = ẏ − P′(x)·ẋ      c̈ = ÿ − P′(x)·ẍ − P″(x)·ẋ²
//!     P(x) = coefficient₀ + coefficient₁·x + coefficient₂·x² + …
//! ```
//!
//! Unlike a gear ([`SpinRelation`](super::SpinRelation)) it is a condition on positions, and the
//! two joints need no common carrier.
//!
//! Angles are counted over full turns. Where nobody has counted yet, x is within half a turn of zero and y
//! nearest to P(x); if y is no angle in space and P is linear, x is where P is nearest to y.

use super::axis_angle::AxisAngle;
use super::frame_pair::Displacement;
use super::{Constraint, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{Vec3, column, cross, dot, neg, scale};

/// A coordinate of two frames, from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointCoordinate {
    /// The angle about x of the first frame, in space.
    Angle,
    /// The displacement along x of the first frame, in space.
    Length,
    /// The angle in the plane, turns counted.
    PlanarAngle,
}

/// Makes one joint's coordinate a polynomial of another's.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    leading: JointCoordinate,
    following: JointCoordinate,
    coefficients: Vec<f64>,
    kinds: [ConnectorKind; 4],
}

impl Coupling {
    /// `y = Σ coefficients[k]·xᵏ` with `x` the coordinate of `leading` (inputs 0 and 1) and `y` that
    /// of `following` (inputs 2 and 3).
    pub fn new(leading: JointCoordinate, following: JointCoordinate, coefficients: &[f64]) -> Self {
        let [x, y] = [leading, following].map(JointCoordinate::kind);
        Self {
            leading,
            following,
            coefficients: coefficients.to_vec(),
            kinds: [x, x, y, y],
        }
    }

    /// `θ_following = ratio·θ_leading + offset`, of two hinges.
    pub fn of_angles(ratio: f64, offset: f64) -> Self {
        Self::new(
            JointCoordinate::Angle,
            JointCoordinate::Angle,
            &[offset, ratio],
        )
    }

    /// The coordinate of inputs 0 and 1.
    pub fn leading(&self) -> JointCoordinate {
        self.leading
    }

    /// The coordinate of inputs 2 and 3.
    pub fn following(&self) -> JointCoordinate {
        self.following
    }

    /// The polynomial, constant first.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// `P`, `P′`, `P″` at `x`, by Horner's rule.
    fn polynomial(&self, x: f64) -> [f64; 3] {
        let mut p = [0.0; 3];
        for &coefficient in self.coefficients.iter().rev() {
            p[2] = p[2] * x + 2.0 * p[1];
            p[1] = p[1] * x + p[0];
            p[0] = p[0] * x + coefficient;
        }
        p
    }

    /// Where x is expected whose turns nobody has counted.
    fn expected(&self, y: f64) -> f64 {
        match (self.following, self.coefficients.as_slice()) {
            (JointCoordinate::Angle, _) => 0.0,
            (_, [offset, slope]) if *slope != 0.0 => (y - offset) / slope,
            _ => 0.0,
        }
    }
}

impl JointCoordinate {
    fn kind(self) -> ConnectorKind {
        match self {
            Self::Angle | Self::Length => ConnectorKind::Frame3,
            Self::PlanarAngle => ConnectorKind::Frame2,
        }
    }
}

/// A coordinate and how it moves: `ẋ = Σ d·(rate of each frame)`, `ẍ` likewise plus `γ`.
struct Value {
    x: f64,
    x_dot: f64,
    gamma: f64,
    /// What multiplies the velocity of the second frame's origin; the first frame's is opposite.
    along: Vec3,
    /// What multiplies the angular velocities of the two frames.
    about: [Vec3; 2],
}

impl Value {
    fn of(coordinate: JointCoordinate, a: &Input<'_>, b: &Input<'_>) -> Self {
        if coordinate == JointCoordinate::PlanarAngle {
            return Self {
                x: b.x[2] - a.x[2],
                x_dot: b.x_dot[2] - a.x_dot[2],
                gamma: 0.0,
                along: [0.0; 3],
                about: [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]],
            };
        }
        let (a, b) = (FrameMotion::of(a), FrameMotion::of(b));
        if coordinate == JointCoordinate::Angle {
            let angle = AxisAngle::new(&a, &b);
            return Self {
                x: angle.theta,
                x_dot: angle.theta_dot,
                gamma: angle.gamma,
                along: [0.0; 3],
                about: [neg(angle.g_world), angle.g_world],
            };
        }
        let x = column(&a.rotation, 0);
        let Displacement { d, w, bend } = Displacement::of(&a, b.position, b.velocity);
        Self {
            x: dot(x, d),
            x_dot: dot(x, w),
            gamma: dot(x, bend),
            along: x,
            about: [neg(cross(d, x)), [0.0; 3]],
        }
    }

    /// Adds `factor·∂x/∂(rates)` to the columns of inputs `first` and `first + 1`.
    fn write(&self, factor: f64, first: usize, out: &mut Rows<'_>) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let kind = out.kinds[first + side];
            let mut row = out.dc_dx(first + side);
            if kind == ConnectorKind::Frame2 {
                row.set(0, 2, factor * self.about[side][2]);
            } else {
                row.set3(0, 0, scale(factor * sign, self.along));
                row.set3(0, 3, scale(factor, self.about[side]));
            }
        }
    }
}

impl Constraint for Coupling {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        match self.following {
            JointCoordinate::Length => &[RowUnit::Meter],
            JointCoordinate::Angle | JointCoordinate::PlanarAngle => &[RowUnit::Radian],
        }
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("coefficients", &self.coefficients)?;
        if (2..=5).contains(&self.coefficients.len()) {
            return Ok(());
        }
        Err(Error::field(
            "coefficients",
            format!(
                "are {}; give two to five: offset, ratio, and those of higher powers",
                self.coefficients.len()
            ),
        ))
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let x = Value::of(self.leading, &inputs[0], &inputs[1]);
        let y = Value::of(self.following, &inputs[2], &inputs[3]);
        let is_angle = |coordinate| coordinate == JointCoordinate::Angle;
        let (mut turns, mut more) = (0.0, 0.0);
        if is_angle(self.leading) {
            turns = out.full_turns(0, x.x, x.x_dot, self.expected(y.x));
        }
        // Full turns of a linear P apart: nothing of the rest is lost to them.
        if let [_, slope] = self.coefficients[..] {
            (more, turns) = (slope * turns, 0.0);
        }
        let [p, slope, bend] = self.polynomial(x.x + turns);
        out.c[0] = y.x - p - more;
        if is_angle(self.following) {
            let first = usize::from(is_angle(self.leading));
            out.c[0] += out.full_turns(first, y.x, y.x_dot, p + more);
        }
        out.c_dot[0] = y.x_dot - slope * x.x_dot;
        out.gamma[0] = y.gamma - slope * x.gamma - bend * x.x_dot * x.x_dot;
        x.write(-slope, 0, out);
        y.write(1.0, 2, out);
    }

    fn n_angles(&self) -> usize {
        let angles = [self.leading, self.following];
        angles
            .iter()
            .filter(|x| **x == JointCoordinate::Angle)
            .count()
    }

    /// The link between two joints of a chain is in both.
    fn allows_same_body(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::{InputMotion, evaluate};
    use crate::math::{mat_mul, rotation_exp};
    use JointCoordinate::{Angle, Length, PlanarAngle};

    #[test]
    fn every_coupling_keeps_the_contract() {
        for (seed, coupling) in (0..).zip([
            Coupling::of_angles(1.0, 0.0),
            Coupling::of_angles(-2.0, 0.3),
            Coupling::new(Length, Length, &[0.1, 0.5]),
            Coupling::new(Length, Angle, &[0.1, 0.7]),
            Coupling::new(Angle, Length, &[0.0, 2.0]),
            Coupling::new(PlanarAngle, Angle, &[0.0, 1.0]),
            Coupling::new(PlanarAngle, Length, &[0.0, 1.0]),
            Coupling::new(Length, Length, &[0.1, 0.5, -0.3, 0.2, 0.1]),
        ]) {
            check_constraint(&coupling, seed).unwrap_or_else(|v| panic!("{coupling:?}: {v}"));
        }
    }

    /// A rotor that counts its turns follows a hinge that does not, through many of them.
    #[test]
    fn many_turns() {
        let coupling = Coupling::new(PlanarAngle, Angle, &[0.0, 1.0]);
        let still = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
        for step in -300..=300 {
            let angle = f64::from(step) * 0.1;
            let mut hinge = still;
            hinge.rotation = mat_mul(&still.rotation, &rotation_exp([angle, 0.0, 0.0]));
            let ground = InputMotion::at_rest(ConnectorKind::Frame2, [0.0; 3]);
            let mut rotor = ground;
            rotor.place[2] = angle - 0.01;
            let inputs = [ground, rotor, still, hinge].map(|motion| motion.at(0.0));
            let rows = evaluate(&coupling, 0.0, &inputs);
            assert!((rows.c[0] - 0.01).abs() < 1e-12, "{angle}: {}", rows.c[0]);
        }
    }

    #[test]
    fn wrong_coefficients_are_refused() {
        for coefficients in [&[][..], &[1.0], &[0.0; 6], &[0.0, f64::NAN]] {
            assert!(
                Coupling::new(Angle, Angle, coefficients)
                    .validate()
                    .is_err()
            );
        }
    }
}
