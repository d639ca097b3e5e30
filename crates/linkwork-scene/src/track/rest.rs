//! A smooth curve that rests beyond its ends: it sets off gently and stops gently.
//!
//! The cubic spline whose velocity is zero at both ends is one half of the closed spline that goes there and back the
//! same way: by symmetry it stands still where it turns.

use linkwork::constraint::{SplineTrajectory, Trajectory};
use linkwork::math::{Vec3, add, scale};
use linkwork::prelude::Error;

/// A smooth curve through timed points, at rest before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resting {
    knots: Vec<(f64, Vec3)>,
    there_and_back: SplineTrajectory,
}

impl Resting {
    /// The curve through `(time, point)` pairs, at least two, with increasing times.
    pub(crate) fn new(knots: &[(f64, Vec3)]) -> Result<Self, Error> {
        // What is wrong with the points is said as of any curve.
        SplineTrajectory::new(knots)?;
        let mut way = knots.to_vec();
        if let [(t0, p0), (t1, p1)] = knots {
            // A closed curve takes more points; this one is on the curve.
            way.insert(1, (0.5 * (t0 + t1), scale(0.5, add(*p0, *p1))));
        }
        let end = knots[knots.len() - 1].0;
        let back = way.iter().rev().skip(1).map(|(t, p)| (end + (end - t), *p));
        let closed: Vec<_> = way.iter().copied().chain(back).collect();
        Ok(Self {
            knots: knots.to_vec(),
            there_and_back: SplineTrajectory::periodic(&closed)?,
        })
    }

    /// The `(time, point)` pairs it goes through.
    pub(crate) fn knots(&self) -> &[(f64, Vec3)] {
        &self.knots
    }

    /// The end that it rests at.
    fn rests_at(&self, t: f64) -> Option<Vec3> {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        match t {
            t if t <= first.0 => Some(first.1),
            t if t >= last.0 => Some(last.1),
            _ => None,
        }
    }
}

impl Trajectory for Resting {
    fn position(&self, t: f64) -> Vec3 {
        let rest = self.rests_at(t);
        rest.unwrap_or_else(|| self.there_and_back.position(t))
    }

    fn velocity(&self, t: f64) -> Vec3 {
        match self.rests_at(t) {
            Some(_) => [0.0; 3],
            None => self.there_and_back.velocity(t),
        }
    }

    fn acceleration(&self, t: f64) -> Vec3 {
        match self.rests_at(t) {
            Some(_) => [0.0; 3],
            None => self.there_and_back.acceleration(t),
        }
    }
}

#[cfg(test)]
mod tests {
    use linkwork::math::{norm, sub};

    use super::*;

    #[test]
    fn two_points_are_a_gentle_step() {
        let path = Resting::new(&[(1.0, [0.0; 3]), (3.0, [2.0, 0.0, 0.0])]).unwrap();
        for (t, x) in [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (3.0, 2.0), (9.0, 2.0)] {
            assert!((path.position(t)[0] - x).abs() < 1e-14, "{t}");
        }
        // 2·(3u² − 2u³)
        assert!((path.position(1.5)[0] - 2.0 * (3.0 / 16.0 - 2.0 / 64.0)).abs() < 1e-14);
        assert!((path.velocity(2.0)[0] - 1.5).abs() < 1e-13);
    }

    #[test]
    fn it_stands_still_at_its_ends() {
        let knots = [
            (0.0, [0.0, 1.0, 0.0]),
            (0.3, [1.0, 0.0, 2.0]),
            (1.0, [0.0, 3.0, 0.0]),
            (1.2, [-1.0, 0.0, 0.0]),
        ];
        let path = Resting::new(&knots).unwrap();
        for (t, point) in knots {
            assert!(norm(sub(path.position(t), point)) < 1e-14);
        }
        for t in [1e-9, 1.2 - 1e-9] {
            assert!(norm(path.velocity(t)) < 1e-6, "{t}");
        }
        let (h, t) = (1e-6, 0.7);
        let slope = scale(0.5 / h, sub(path.position(t + h), path.position(t - h)));
        assert!(norm(sub(slope, path.velocity(t))) < 1e-6);
    }
}
