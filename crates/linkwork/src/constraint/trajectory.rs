//! A point follows a timed curve.
//!
//! The motion paths of Witkin 1990, §5.4: the wanted acceleration is the ∂²c/∂t² term.
//!
//! ```text
//!     c = p − P(t)      ċ = ṗ − Ṗ      γ = −P̈
//! ```

use std::any::Any;
use std::f64::consts::TAU;
use std::fmt;
use std::sync::Arc;

use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, check_fields};
use crate::math::{Vec3, add, complete_basis, norm, scale, unit};

mod spline;

pub use spline::SplineTrajectory;

/// A curve in the world as a function of time, with a continuous acceleration.
pub trait Trajectory: Any + fmt::Debug + Send + Sync {
    /// Position at time `t`, world coordinates.
    fn position(&self, t: f64) -> Vec3;

    /// Velocity at time `t`.
    fn velocity(&self, t: f64) -> Vec3;

    /// Acceleration at time `t`.
    fn acceleration(&self, t: f64) -> Vec3;

    /// Whether the parameters make sense.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// A straight line at constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineTrajectory {
    /// Position at t = 0.
    pub start_world: Vec3,
    /// Velocity.
    pub velocity_world: Vec3,
}

impl Trajectory for LineTrajectory {
    fn position(&self, t: f64) -> Vec3 {
        add(self.start_world, scale(t, self.velocity_world))
    }
    fn velocity(&self, _t: f64) -> Vec3 {
        self.velocity_world
    }
    fn acceleration(&self, _t: f64) -> Vec3 {
        [0.0; 3]
    }
    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, finite: start_world, velocity_world)
    }
}

/// A circle at constant speed, counter-clockwise about its axis.
///
/// Angle zero lies along the first vector of [`complete_basis`] of the axis: x in the plane of x
/// and y when the axis is z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircleTrajectory {
    /// Center.
    pub center_world: Vec3,
    /// Axis, any length but zero.
    pub axis_world: Vec3,
    /// Radius.
    pub radius: f64,
    /// Turns per second.
    pub frequency: f64,
    /// Angle at t = 0, radians.
    pub phase: f64,
}

impl CircleTrajectory {
    /// `radius·(cos φ·e₁ + sin φ·e₂)`, φ the angle at time `t` plus `ahead`.
    fn spoke(&self, t: f64, ahead: f64) -> Vec3 {
        let axis = unit(self.axis_world).unwrap_or([0.0, 0.0, 1.0]);
        let (e1, e2) = complete_basis(axis);
        let angle = TAU * self.frequency * t + self.phase + ahead;
        scale(
            self.radius,
            add(scale(libm::cos(angle), e1), scale(libm::sin(angle), e2)),
        )
    }
}

impl Trajectory for CircleTrajectory {
    fn position(&self, t: f64) -> Vec3 {
        add(self.center_world, self.spoke(t, 0.0))
    }
    fn velocity(&self, t: f64) -> Vec3 {
        scale(TAU * self.frequency, self.spoke(t, 0.25 * TAU))
    }
    fn acceleration(&self, t: f64) -> Vec3 {
        let speed = TAU * self.frequency;
        scale(-speed * speed, self.spoke(t, 0.0))
    }
    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, finite: center_world, frequency, phase; positive: radius)?;
        Error::require_positive("axis_world length", &norm(self.axis_world))
    }
}

/// A point is where the trajectory is; in the plane, where its x and y are.
#[derive(Clone, Debug)]
pub struct PointOnTrajectory {
    /// Where the point is at each time. In the plane, z is not read.
    pub trajectory: Arc<dyn Trajectory>,
}

impl PointOnTrajectory {
    /// On a trajectory of its own.
    pub fn new(trajectory: impl Trajectory) -> Self {
        let trajectory = Arc::new(trajectory);
        Self { trajectory }
    }
}

impl Constraint for PointOnTrajectory {
    takes!([Point3], in_plane: [Point2], rows: [Meter; 3], rows_in_plane: [Meter; 2]);

    fn validate(&self) -> Result<(), Error> {
        self.trajectory.validate()
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let position = self.trajectory.position(t);
        let velocity = self.trajectory.velocity(t);
        let acceleration = self.trajectory.acceleration(t);
        for k in 0..out.n_rows() {
            out.c[k] = inputs[0].x[k] - position[k];
            out.c_dot[k] = inputs[0].x_dot[k] - velocity[k];
            out.gamma[k] = -acceleration[k];
            out.dc_dx(0).set(k, k, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;

    fn ring() -> SplineTrajectory {
        let turn = TAU / 12.0;
        let knots: Vec<_> = (0..=12)
            .map(|k| f64::from(k % 12) * turn)
            .zip(0..)
            .map(|(angle, k)| (0.25 * f64::from(k), [angle.cos(), angle.sin(), 0.3]))
            .collect();
        SplineTrajectory::periodic(&knots).unwrap()
    }

    /// A closed spline through points of a circle is nearly the circle, smooth where it closes, and
    /// goes round for ever.
    #[test]
    fn a_closed_spline_goes_round() {
        let ring = ring();
        for t in [0.0, 0.4, 1.7, 2.999, 3.0, 3.4, -0.7, 300.25] {
            let angle = TAU * t / 3.0;
            let x = ring.position(t);
            let off = (x[0] - angle.cos()).hypot(x[1] - angle.sin());
            assert!(off < 2e-3 && (x[2] - 0.3).abs() < 1e-15, "{t}: {off}");
            let speed = norm(ring.velocity(t)) / (TAU / 3.0);
            assert!((speed - 1.0).abs() < 5e-3, "{t}: {speed}");
        }
        for of in [
            Trajectory::position,
            Trajectory::velocity,
            Trajectory::acceleration,
        ] {
            let (before, after) = (of(&ring, 3.0 - 1e-9), of(&ring, 3.0 + 1e-9));
            assert!(norm(crate::math::sub(before, after)) < 1e-7);
        }
        let open = [
            (0.0, [0.0; 3]),
            (1.0, [1.0; 3]),
            (2.0, [0.5; 3]),
            (3.0, [0.1; 3]),
        ];
        let refused = SplineTrajectory::periodic(&open).unwrap_err().to_string();
        assert!(
            refused.contains("does not end where it begins"),
            "{refused}"
        );
    }

    fn trajectories() -> [Arc<dyn Trajectory>; 4] {
        let spline = SplineTrajectory::new(&[
            (-1.5, [0.0, 0.3, 0.1]),
            (-0.2, [0.5, 0.1, -0.4]),
            (0.1, [0.6, 0.3, 0.2]),
            (0.9, [-0.2, 0.8, 0.5]),
            (1.6, [0.1, 0.2, 0.3]),
        ]);
        [
            Arc::new(LineTrajectory {
                start_world: [0.1, 0.2, 0.3],
                velocity_world: [1.0, -0.5, 0.2],
            }),
            Arc::new(CircleTrajectory {
                center_world: [0.3, 0.0, -0.1],
                axis_world: [0.2, 1.0, 0.4],
                radius: 0.5,
                frequency: 0.4,
                phase: 0.3,
            }),
            Arc::new(spline.unwrap()),
            Arc::new(ring()),
        ]
    }

    #[test]
    fn following_keeps_the_contract() {
        for (seed, trajectory) in (0..).zip(trajectories()) {
            let name = format!("{trajectory:?}");
            let constraint = PointOnTrajectory { trajectory };
            check_constraint(&constraint, seed).unwrap_or_else(|v| panic!("{name}: {v}"));
        }
    }

    #[test]
    fn a_circle_stays_on_its_circle() {
        let circle = CircleTrajectory {
            center_world: [0.0; 3],
            axis_world: [0.0, 0.0, 2.0],
            radius: 0.5,
            frequency: 1.0,
            phase: 0.0,
        };
        let quarter = circle.position(0.25);
        assert!((norm(quarter) - 0.5).abs() < 1e-15 && quarter[2].abs() < 1e-15);
        let start = circle.position(0.0);
        assert!((start[0].abs() - 0.5).abs() < 1e-15, "{start:?}");
        let flat = CircleTrajectory {
            axis_world: [0.0; 3],
            ..circle
        };
        assert_eq!(
            flat.validate().unwrap_err().field_name(),
            Some("axis_world length")
        );
    }
}
