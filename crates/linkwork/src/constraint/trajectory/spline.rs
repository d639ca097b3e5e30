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
//! Continuity of Ṗ gives a tridiagonal system for `a`, solved once when the spline is made. A curve
//! that goes round has no ends: the system is cyclic, and one correction of rank one makes it
//! tridiagonal (Sherman and Morrison).

use super::Trajectory;
use crate::error::Error;
use crate::math::{Vec3, add, scale, sub};

/// A smooth curve through given points at given times.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTrajectory {
    times: Vec<f64>,
    points: Vec<Vec3>,
    accelerations: Vec<Vec3>,
    repeats: bool,
}

impl SplineTrajectory {
    /// The spline through `(time, point)` pairs, at least two, with increasing times.
    pub fn new(knots: &[(f64, Vec3)]) -> Result<Self, Error> {
        let (times, points) = checked(knots)?;
        let accelerations = knot_accelerations(&times, &points);
        Ok(Self {
            times,
            points,
            accelerations,
            repeats: false,
        })
    }

    /// The closed curve through `(time, point)` pairs, at least four, the last point the first again:
    /// it goes round for ever, in the time between the two.
    pub fn periodic(knots: &[(f64, Vec3)]) -> Result<Self, Error> {
        let (times, points) = checked(knots)?;
        if points.len() < 4 {
            let problem = format!("has {} points; a closed curve takes four", points.len());
            return Err(Error::field("knots", problem));
        }
        if points.first() != points.last() {
            let problem = "does not end where it begins; repeat the first point at the end";
            return Err(Error::field("knots", problem));
        }
        let accelerations = cyclic_accelerations(&times, &points);
        Ok(Self {
            times,
            points,
            accelerations,
            repeats: true,
        })
    }

    /// Whether it goes round.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// The `(time, point)` pairs it goes through.
    pub fn knots(&self) -> impl Iterator<Item = (f64, Vec3)> {
        self.times.iter().copied().zip(self.points.iter().copied())
    }

    /// The interval that holds `t`, its length, and `u`; `u` lies outside 0..1 beyond the ends.
    fn locate(&self, t: f64) -> (usize, f64, f64) {
        let last = self.times.len() - 2;
        let (start, period) = (self.times[0], self.times[last + 1] - self.times[0]);
        let t = match self.repeats {
            true => t - period * ((t - start) / period).floor(),
            false => t,
        };
        let i = self.times.partition_point(|&knot| knot <= t);
        let i = i.saturating_sub(1).min(last);
        let h = self.times[i + 1] - self.times[i];
        (i, h, (t - self.times[i]) / h)
    }
}

fn checked(knots: &[(f64, Vec3)]) -> Result<(Vec<f64>, Vec<Vec3>), Error> {
    if knots.len() < 2 {
        let problem = format!("has {} points; give at least two", knots.len());
        return Err(Error::field("knots", problem));
    }
    for (time, point) in knots {
        Error::require_finite("knots", &[*time, point[0], point[1], point[2]])?;
    }
    if let Some(pair) = knots.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
        let (before, after) = (pair[0].0, pair[1].0);
        let problem = format!("has time {after} after {before}; give increasing times");
        return Err(Error::field("knots", problem));
    }
    Ok(knots.iter().copied().unzip())
}

/// The same equations on a ring: row i couples i − 1, i and i + 1, counted round.
///
/// The matrix is `T + u·vᵀ` with T tridiagonal, `u = (γ, 0, …, 0, h)`, `v = (1, 0, …, 0, h/γ)`, h the
/// entry in the corners: `a = y − z·(v·y)/(1 + v·z)` with `T·y = r`, `T·z = u`.
fn cyclic_accelerations(times: &[f64], points: &[Vec3]) -> Vec<Vec3> {
    let n = times.len() - 1;
    let h: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slope = |i: usize| scale(1.0 / h[i], sub(points[i + 1], points[i]));
    let before = |i: usize| (i + n - 1) % n;
    let mut diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (h[before(i)] + h[i])).collect();
    let mut right: Vec<Vec3> = (0..n)
        .map(|i| scale(6.0, sub(slope(i), slope(before(i)))))
        .collect();
    let corner = h[n - 1];
    let gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    let mut aside = vec![0.0; n];
    (aside[0], aside[n - 1]) = (gamma, corner);
    // Thomas, for both right-hand sides.
    for i in 1..n {
        let factor = h[i - 1] / diagonal[i - 1];
        diagonal[i] -= factor * h[i - 1];
        right[i] = sub(right[i], scale(factor, right[i - 1]));
        aside[i] -= factor * aside[i - 1];
    }
    for i in (0..n).rev() {
        if i + 1 < n {
            right[i] = sub(right[i], scale(h[i], right[i + 1]));
            aside[i] -= h[i] * aside[i + 1];
        }
        right[i] = scale(1.0 / diagonal[i], right[i]);
        aside[i] /= diagonal[i];
    }
    let along = add(right[0], scale(corner / gamma, right[n - 1]));
    let share = scale(
        1.0 / (1.0 + aside[0] + corner / gamma * aside[n - 1]),
        along,
    );
    let mut accelerations: Vec<Vec3> = (0..n)
        .map(|i| sub(right[i], scale(aside[i], share)))
        .collect();
    accelerations.push(accelerations[0]);
    accelerations
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
        if !self.repeats && !(0.0..=1.0).contains(&u) {
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
        if !self.repeats && !(0.0..=1.0).contains(&u) {
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
        assert!(invalid.to_string().contains("increasing"), "{invalid}");
        assert!(SplineTrajectory::new(&[(0.0, [f64::NAN; 3]), KNOTS[2]]).is_err());
    }
}
