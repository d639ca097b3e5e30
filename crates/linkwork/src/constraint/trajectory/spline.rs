//! A cubic spline through timed points, twice continuously differentiable.
//!
//! Natural: the acceleration is zero at both ends, and beyond them the point moves straight on, so
//! the acceleration is continuous at all times. On the interval `[t_i, t_{i+1}]` of length `h`,
//! with `u = (t − t_i)/h`, `w = 1 − u` and the accelerations `a` at the knots:
//!
//! ```text
//!     P = w·p_i + u·p_{i+1} + h²/6·((w³ − w)·a_i + (u³ − u)·a_{i+1})
//! ```
//!
//! Continuity of Ṗ gives a tridiagonal system for `a`, solved once when the spline is made.

use super::Trajectory;
use crate::error::Invalid;
use crate::math::{Vec3, add, scale, sub};

/// A smooth curve through given points at given times.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTrajectory {
    times: Vec<f64>,
    points: Vec<Vec3>,
    accelerations: Vec<Vec3>,
}

impl SplineTrajectory {
    /// The spline through `(time, point)` pairs, at least two, with increasing times.
    pub fn new(knots: &[(f64, Vec3)]) -> Result<Self, Invalid> {
        if knots.len() < 2 {
            let problem = format!("has {} points; give at least two", knots.len());
            return Err(Invalid::new("knots", problem));
        }
        for (time, point) in knots {
            Invalid::require_finite("knots", &[*time, point[0], point[1], point[2]])?;
        }
        if let Some(pair) = knots.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            let (before, after) = (pair[0].0, pair[1].0);
            let problem = format!("has time {after} after {before}; give increasing times");
            return Err(Invalid::new("knots", problem));
        }
        let times: Vec<f64> = knots.iter().map(|(time, _)| *time).collect();
        let points: Vec<Vec3> = knots.iter().map(|(_, point)| *point).collect();
        let accelerations = knot_accelerations(&times, &points);
        Ok(Self {
            times,
            points,
            accelerations,
        })
    }

    /// The `(time, point)` pairs it goes through.
    pub fn knots(&self) -> impl Iterator<Item = (f64, Vec3)> {
        self.times.iter().copied().zip(self.points.iter().copied())
    }

    /// The interval that holds `t`, its length, and `u`; `u` lies outside 0..1 beyond the ends.
    fn locate(&self, t: f64) -> (usize, f64, f64) {
        let last = self.times.len() - 2;
        let i = self.times.partition_point(|&knot| knot <= t);
        let i = i.saturating_sub(1).min(last);
        let h = self.times[i + 1] - self.times[i];
        (i, h, (t - self.times[i]) / h)
    }
}

/// `h_{i−1}·a_{i−1} + 2(h_{i−1} + h_i)·a_i + h_i·a_{i+1} = 6·(slope_i − slope_{i−1})`, ends zero.
fn knot_accelerations(times: &[f64], points: &[Vec3]) -> Vec<Vec3> {
    let n = times.len();
    let h: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slope: Vec<Vec3> = (0..n - 1)
        .map(|i| scale(1.0 / h[i], sub(points[i + 1], points[i])))
        .collect();
    let mut accelerations = vec![[0.0; 3]; n];
    let mut diagonal = vec![1.0; n];
    // Thomas: eliminate downwards (the system is diagonally dominant), then substitute back.
    for i in 1..n - 1 {
        let factor = if i > 1 {
            h[i - 1] / diagonal[i - 1]
        } else {
            0.0
        };
        diagonal[i] = 2.0 * (h[i - 1] + h[i]) - factor * h[i - 1];
        let right = scale(6.0, sub(slope[i], slope[i - 1]));
        accelerations[i] = sub(right, scale(factor, accelerations[i - 1]));
    }
    for i in (1..n - 1).rev() {
        let rest = sub(accelerations[i], scale(h[i], accelerations[i + 1]));
        accelerations[i] = scale(1.0 / diagonal[i], rest);
    }
    accelerations
}

impl Trajectory for SplineTrajectory {
    fn position(&self, t: f64) -> Vec3 {
        let (i, h, u) = self.locate(t);
        if !(0.0..=1.0).contains(&u) {
            let end = if u < 0.0 { i } else { i + 1 };
            let away = t - self.times[end];
            return add(self.points[end], scale(away, self.velocity(t)));
        }
        let w = 1.0 - u;
        let line = add(scale(w, self.points[i]), scale(u, self.points[i + 1]));
        let bend = add(
            scale(w * w * w - w, self.accelerations[i]),
            scale(u * u * u - u, self.accelerations[i + 1]),
        );
        add(line, scale(h * h / 6.0, bend))
    }

    fn velocity(&self, t: f64) -> Vec3 {
        let (i, h, u) = self.locate(t);
        let u = u.clamp(0.0, 1.0);
        let w = 1.0 - u;
        let slope = scale(1.0 / h, sub(self.points[i + 1], self.points[i]));
        let bend = add(
            scale(1.0 - 3.0 * w * w, self.accelerations[i]),
            scale(3.0 * u * u - 1.0, self.accelerations[i + 1]),
        );
        add(slope, scale(h / 6.0, bend))
    }

    fn acceleration(&self, t: f64) -> Vec3 {
        let (i, _, u) = self.locate(t);
        if !(0.0..=1.0).contains(&u) {
            return [0.0; 3];
        }
        add(
            scale(1.0 - u, self.accelerations[i]),
            scale(u, self.accelerations[i + 1]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::norm;

    const KNOTS: [(f64, Vec3); 5] = [
        (-1.0, [0.0, 0.0, 0.0]),
        (0.0, [1.0, 0.0, 2.0]),
        (0.5, [1.0, 1.0, 0.0]),
        (2.0, [0.0, 1.0, -1.0]),
        (2.2, [0.3, 0.2, 0.1]),
    ];

    #[test]
    fn passes_its_points_smoothly() {
        let spline = SplineTrajectory::new(&KNOTS).unwrap();
        let h = 1e-9;
        for (time, point) in KNOTS {
            assert!(norm(sub(spline.position(time), point)) < 1e-15);
            for f in [
                Trajectory::position,
                Trajectory::velocity,
                Trajectory::acceleration,
            ] as [fn(&SplineTrajectory, f64) -> Vec3; 3]
            {
                let jump = sub(f(&spline, time + h), f(&spline, time - h));
                assert!(norm(jump) < 1e-6, "at {time}: {jump:?}");
            }
        }
    }

    #[test]
    fn two_points_are_a_line_and_the_ends_go_straight_on() {
        let line = SplineTrajectory::new(&[(0.0, [0.0; 3]), (2.0, [2.0, 4.0, 0.0])]).unwrap();
        for t in [-1.0, 0.5, 3.0] {
            assert!(norm(sub(line.position(t), [t, 2.0 * t, 0.0])) < 1e-15);
        }
    }

    #[test]
    fn disorder_is_refused() {
        assert!(SplineTrajectory::new(&KNOTS[..1]).is_err());
        let back = [KNOTS[1], KNOTS[0]];
        let invalid = SplineTrajectory::new(&back).unwrap_err();
        assert!(
            invalid.problem.contains("increasing"),
            "{}",
            invalid.problem
        );
        assert!(SplineTrajectory::new(&[(0.0, [f64::NAN; 3]), KNOTS[2]]).is_err());
    }
}
