//! A smooth curve near many samples: least squares with few knots.
//!
//! Samples of a hand tremble. A spline through all of them shakes what it leads: 1 mm at 60 Hz is 10 m/s². Here the
//! curve is a cubic spline with knots at equal times `h` apart,
//!
//! ```text
//!     x(t) = Σ c_k·B((t − t_k)/h),   Σ_samples |x(t_s) − x_s|² = least
//! ```
//!
//! with B the uniform cubic B-spline. The coefficients beyond the ends follow from what the curve does there: straight
//! on, x″ = 0, `c_{−1} = 2c₀ − c₁`; at rest, x′ = 0, `c_{−1} = c₁`. The matrix has a band of seven. At a knot
//! `x_k = (c_{k−1} + 4c_k + c_{k+1})/6`, and the spline through these with the same ends is this curve again.

use linkwork::math::{Vec3, add, scale, sub};

use crate::fault::Fault;

/// The most knots a second.
pub const MOST_KNOTS: f64 = 10.0;
/// The least number of samples.
const LEAST: usize = 5;
/// Weight of c_{k−1} − 2c_k + c_{k+1} against a sample: it decides only where there are no samples.
const STIFFNESS: f64 = 1e-9;

/// What a curve does before its first knot and after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It goes straight on.
    Straight,
    /// It rests.
    Rest,
}

/// Knots of the curve that is nearest to samples with increasing times: so many a second, and at most half as many
/// as there are samples.
pub fn fit(
    samples: &[(f64, Vec3)],
    per_second: f64,
    ends: Ends,
) -> Result<Vec<(f64, Vec3)>, Fault> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return Err(Fault::at("", "there are no samples"));
    };
    if samples.len() < LEAST || samples.windows(2).any(|pair| pair[1].0 <= pair[0].0) {
        let problem = format!("{} samples are too few to make a path of", samples.len());
        return Err(Fault::at("", problem).hint("lead the point for a longer time"));
    }
    let per_second = per_second.clamp(0.1, MOST_KNOTS);
    let lasts = last.0 - first.0;
    // Whole numbers far below 2⁵³.
    let wanted = (lasts * per_second + 1e-9).floor() as usize;
    let n = wanted.clamp(2, (samples.len() - 1) / 2);
    let h = lasts / n as f64;
    let mut system = System::new(n, ends);
    for (time, point) in samples {
        let along = (time - first.0) / h;
        let i = (along.floor() as usize).min(n - 1);
        system.add(i, weights(along - i as f64), *point, 1.0);
    }
    for k in 1..n {
        system.add(k, [1.0, -2.0, 1.0, 0.0], [0.0; 3], STIFFNESS);
    }
    let c = system.solve();
    let at = |k: usize| {
        let [before, after] = system.beside(&c, k);
        scale(1.0 / 6.0, add(add(before, after), scale(4.0, c[k])))
    };
    Ok((0..=n)
        .map(|k| {
            (
                if k == n {
                    last.0
                } else {
                    first.0 + h * k as f64
                },
                at(k),
            )
        })
        .collect())
}

/// What c_{i−1}, c_i, c_{i+1} and c_{i+2} count at i + u.
fn weights(u: f64) -> [f64; 4] {
    let w = 1.0 - u;
    let (u2, u3) = (u * u, u * u * u);
    [
        w * w * w / 6.0,
        (3.0 * u3 - 6.0 * u2 + 4.0) / 6.0,
        (-3.0 * u3 + 3.0 * u2 + 3.0 * u + 1.0) / 6.0,
        u3 / 6.0,
    ]
}

/// Normal equations for c₀ … c_n.
struct System {
    ends: Ends,
    /// `band[i][k]` is entry (i, i − k).
    band: Vec<[f64; 4]>,
    right: Vec<Vec3>,
}

impl System {
    fn new(n: usize, ends: Ends) -> Self {
        Self {
            ends,
            band: vec![[0.0; 4]; n + 1],
            right: vec![[0.0; 3]; n + 1],
        }
    }

    /// The coefficients before and after one.
    fn beside(&self, c: &[Vec3], k: usize) -> [Vec3; 2] {
        let beyond = |end: usize, inside: usize| match self.ends {
            Ends::Straight => sub(scale(2.0, c[end]), c[inside]),
            Ends::Rest => c[inside],
        };
        let last = c.len() - 1;
        [
            if k == 0 { beyond(0, 1) } else { c[k - 1] },
            if k == last {
                beyond(last, last - 1)
            } else {
                c[k + 1]
            },
        ]
    }

    /// Asks that c_{i−1} … c_{i+2} with these weights are a point.
    fn add(&mut self, i: usize, weights: [f64; 4], point: Vec3, counts: f64) {
        let last = self.band.len() - 1;
        // c_{−1} and c_{n+1} are sums of two others.
        let mut row: Vec<(usize, f64)> = Vec::with_capacity(6);
        let mut put = |at: usize, weight: f64| match row.iter_mut().find(|own| own.0 == at) {
            Some(own) => own.1 += weight,
            None => row.push((at, weight)),
        };
        for (k, weight) in (0..).zip(weights) {
            let (end, inside) = match (i + k).checked_sub(1) {
                None => (0, 1),
                Some(at) if at > last => (last, last - 1),
                Some(at) => {
                    put(at, weight);
                    continue;
                }
            };
            match self.ends {
                Ends::Straight => {
                    put(end, 2.0 * weight);
                    put(inside, -weight);
                }
                Ends::Rest => put(inside, weight),
            }
        }
        for &(a, of_a) in &row {
            self.right[a] = add(self.right[a], scale(counts * of_a, point));
            for &(b, of_b) in row.iter().filter(|own| own.0 <= a) {
                self.band[a][a - b] += counts * of_a * of_b;
            }
        }
    }

    /// Cholesky within the band.
    fn solve(&self) -> Vec<Vec3> {
        let (mut l, mut c) = (self.band.clone(), self.right.clone());
        let n = l.len();
        for i in 0..n {
            for k in (0..=i.min(3)).rev() {
                let j = i - k;
                let mut sum = l[i][k];
                for m in (k + 1)..=i.min(3) {
                    if m - k <= 3 {
                        sum -= l[i][m] * l[j][m - k];
                    }
                }
                // The stiffness keeps it above zero.
                l[i][k] = if k == 0 { sum.sqrt() } else { sum / l[j][0] };
            }
            for k in 1..=i.min(3) {
                c[i] = sub(c[i], scale(l[i][k], c[i - k]));
            }
            c[i] = scale(1.0 / l[i][0], c[i]);
        }
        for i in (0..n).rev() {
            for k in 1..=3.min(n - 1 - i) {
                c[i] = sub(c[i], scale(l[i + k][k], c[i + k]));
            }
            c[i] = scale(1.0 / l[i][0], c[i]);
        }
        c
    }
}

#[cfg(test)]
mod tests {
    use linkwork::constraint::{SplineTrajectory, Trajectory};
    use linkwork::math::norm;

    use super::super::rest::Resting;
    use super::*;

    fn sampled(seconds: f64, at: impl Fn(f64) -> Vec3) -> Vec<(f64, Vec3)> {
        let n = (60.0 * seconds).round() as u32;
        (0..=n)
            .map(|k| f64::from(k) / 60.0)
            .map(|t| (t, at(t)))
            .collect()
    }

    /// Between −1 and 1, the same on every run.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn rms_acceleration(path: &dyn Trajectory, seconds: f64) -> f64 {
        let times = (0..1000).map(|k| seconds * (f64::from(k) + 0.5) / 1000.0);
        let squares = times.map(|t| norm(path.acceleration(t)).powi(2));
        (squares.sum::<f64>() / 1000.0).sqrt()
    }

    #[test]
    fn a_straight_line_is_kept_to_the_last_digits() {
        let line = |t: f64| [1.0 + 2.0 * t, -3.0 * t, 0.5];
        let knots = fit(&sampled(3.0, line), 10.0, Ends::Straight).unwrap();
        assert_eq!(knots.len(), 31);
        let path = SplineTrajectory::new(&knots).unwrap();
        for k in -20..=350 {
            let t = f64::from(k) / 100.0;
            assert!(norm(sub(path.position(t), line(t))) < 1e-9, "{t}");
        }
    }

    #[test]
    fn a_hand_that_trembles_does_not_shake_what_it_leads() {
        let mut seed = 7;
        let mut tremble = || 1e-3 * noise(&mut seed) * 3f64.sqrt();
        // One millimeter in each direction, root mean square.
        let mut samples = sampled(5.0, |_| [0.0; 3]);
        samples
            .iter_mut()
            .for_each(|own| own.1 = [tremble(), tremble(), tremble()]);
        let through = SplineTrajectory::new(&samples).unwrap();
        let shaken = rms_acceleration(&through, 5.0);
        assert!(shaken > 10.0, "{shaken}");
        for (per_second, most) in [(10.0, 0.4), (5.0, 0.1), (2.0, 0.02)] {
            for ends in [Ends::Straight, Ends::Rest] {
                let knots = fit(&samples, per_second, ends).unwrap();
                assert_eq!(knots.len() as f64, 5.0 * per_second + 1.0);
                let led = match ends {
                    Ends::Straight => {
                        rms_acceleration(&SplineTrajectory::new(&knots).unwrap(), 5.0)
                    }
                    Ends::Rest => rms_acceleration(&Resting::new(&knots).unwrap(), 5.0),
                };
                assert!(led < most, "{per_second} a second, {ends:?}: {led}");
            }
        }
    }

    #[test]
    fn a_circle_stays_one() {
        let circle = |t: f64| {
            let angle = std::f64::consts::PI * t;
            [angle.cos(), angle.sin(), 0.0]
        };
        let knots = fit(&sampled(4.0, circle), 10.0, Ends::Straight).unwrap();
        let path = SplineTrajectory::new(&knots).unwrap();
        for k in 100..=300 {
            let t = f64::from(k) / 100.0;
            assert!(norm(sub(path.position(t), circle(t))) < 1e-4, "{t}");
            let speed = norm(path.velocity(t));
            assert!((speed - std::f64::consts::PI).abs() < 1e-2, "{t}: {speed}");
        }
    }

    #[test]
    fn what_sets_off_and_stops_is_followed_to_its_ends() {
        // From rest to rest in two seconds.
        let swing = |t: f64| [1.0 - (std::f64::consts::FRAC_PI_2 * t).cos(), 0.0, 0.0];
        let knots = fit(&sampled(2.0, swing), 10.0, Ends::Rest).unwrap();
        let path = Resting::new(&knots).unwrap();
        for k in 0..=200 {
            let t = f64::from(k) / 100.0;
            assert!(norm(sub(path.position(t), swing(t))) < 1e-5, "{t}");
        }
    }

    #[test]
    fn gaps_are_bridged_and_too_little_is_refused() {
        let mut samples = sampled(4.0, |t| [t, 0.0, 0.0]);
        samples.retain(|own| own.0 < 1.0 || own.0 > 3.0);
        let knots = fit(&samples, 10.0, Ends::Straight).unwrap();
        assert!(
            knots.iter().all(|(t, x)| (x[0] - t).abs() < 1e-5),
            "{knots:?}"
        );
        assert!(fit(&samples[..4], 10.0, Ends::Rest).is_err());
        assert!(fit(&[], 10.0, Ends::Rest).is_err());
        // Never more knots than samples can carry.
        assert_eq!(fit(&samples[..9], 10.0, Ends::Rest).unwrap().len(), 3);
    }
}
