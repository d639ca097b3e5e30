//! Path following: rows give way at first, and harden along a curve that ends at the law.
//!
//! ```text
//!     F(r, θ) = r − P_K(r − (u + s·n)/(w·(1 + σ))) = 0      u = (W + σ·w)·r + g,  θ = ln σ
//! ```
//!
//! While σ is large, sets do not feel each other and their impulses are known. From there the answers lie on a curve of
//! smooth pieces. Where friction jams, the curve turns back to larger σ and only then goes on: so steps follow the
//! curve, not σ. With the tangent t, a step is predicted along t and corrected by Newton's method across it (Allgower,
//! Georg 1990):
//!
//! ```text
//!     y ← y + h·t      F′·dy = −F,  t·dy = 0      F′ = (1 − P′·(1 − (1 + n·∂s/∂u)·(W + σ·w)/(w·(1 + σ))), ∂F/∂θ)
//! ```
//!
//! Where something begins to touch, to stick or to slide, the curve has a kink. The determinant of F′ and t keeps its
//! sign along the whole curve, also there: it tells which way to go on. (Lemke's method is the same idea where all
//! pieces are straight.) Near the end `σ·w·(r − r̄)` takes the place of `σ·w·r`, and the center r̄ follows: that leaves
//! the law itself, whatever σ is.
//!
//! Impulses are in units of 1/√w, so that light and heavy bodies compare. A step costs two or three dense factors, and
//! a curve some hundred steps: it is the last method, and the surest one.

use super::Answer;
use super::law::{Group, Law};
use super::linear::Linear;
use super::set::{MOST_ROWS, Set};
use crate::linalg::dense::dot;
use crate::linalg::tolerances::{
    BOUNDED_CENTER_GAIN, BOUNDED_CENTERS, BOUNDED_CORRECTIONS, BOUNDED_HARD, BOUNDED_JAM,
    BOUNDED_KINK, BOUNDED_KINKS, BOUNDED_ON_CURVE, BOUNDED_PATH_END, BOUNDED_PATH_NEAR,
    BOUNDED_PATH_START, BOUNDED_PATH_STEPS, BOUNDED_PATH_TURN,
};

/// The buffers of a solve. Points of the curve are impulses and θ.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Impulses are so many times those of a point.
    unit: Vec<f64>,
    /// Rates are so many times theirs, over the unit of the row.
    speed: f64,
    /// W in these units, row-major.
    response: Vec<f64>,
    center: Vec<f64>,
    /// The point reached, and the one that is tried.
    here: Vec<f64>,
    there: Vec<f64>,
    /// Of the point reached, and of the last one that was factored.
    tangent: Vec<f64>,
    turned: Vec<f64>,
    kept: Vec<f64>,
    /// The sign of the determinant.
    sense: f64,
    impulse: Vec<f64>,
    rate: Vec<f64>,
    /// F, and its matrix.
    left: Vec<f64>,
    a: Vec<f64>,
    lu: Lu,
    step: Vec<f64>,
}

impl Path {
    /// Looks for impulses from none. `is_over` is asked after each step, with the number of steps so far.
    pub(super) fn solve(
        &mut self,
        law: &mut Law<'_>,
        response: &[f64],
        answer: &mut Answer<'_>,
        is_over: &mut dyn FnMut(usize) -> bool,
    ) {
        if !self.begin(law, response, answer) {
            return;
        }
        let n = law.n_rows();
        let most = answer.steps + BOUNDED_PATH_STEPS;
        let (mut h, mut kinks) = (0.5f64, 0);
        let (mut next, mut last) = (BOUNDED_PATH_NEAR, f64::INFINITY);
        while answer.steps < most && !is_over(answer.steps) {
            h = h.min(BOUNDED_PATH_TURN / self.tangent[n].abs());
            self.predict(h);
            let before = answer.steps;
            if !self.correct(law, &mut answer.steps, None) {
                h *= 0.3;
                if h > BOUNDED_KINK {
                    continue;
                }
                // Right before a kink: the tangent is that of the other side.
                kinks += 1;
                self.predict(h * libm::pow(10.0, f64::from(kinks)));
                answer.steps += 1;
                self.fill(law);
                if kinks > BOUNDED_KINKS || !self.turn() {
                    return;
                }
                self.tangent.copy_from_slice(&self.turned);
                h = 1e4 * BOUNDED_KINK;
                continue;
            }
            std::mem::swap(&mut self.here, &mut self.there);
            self.tangent.copy_from_slice(&self.turned);
            kinks = 0;
            if answer.steps - before <= BOUNDED_CORRECTIONS / 2 {
                h *= 2.0;
            }
            let sigma = libm::exp(self.here[n]);
            let is_end = sigma < BOUNDED_PATH_END;
            if sigma < next || is_end {
                next = 0.05 * sigma;
                let left = self.harden(law, answer);
                // What jams has no answer: impulses grow as fast as σ falls, and as much is left of the law.
                let jams = left > BOUNDED_JAM * last;
                if answer.residual <= answer.enough || jams || is_end {
                    return;
                }
                last = left;
            }
        }
    }

    /// The first point, where sets are nearly alone, and the tangent there. False if there is nothing to follow.
    fn begin(&mut self, law: &Law<'_>, response: &[f64], answer: &mut Answer<'_>) -> bool {
        let n = law.n_rows();
        self.unit.clear();
        for group in law.groups {
            let unit = 1.0 / group.mobility.sqrt();
            self.unit.extend((0..group.n).map(|_| unit));
        }
        let rates = law.rate.iter().zip(&self.unit);
        let size = rates.fold(0.0f64, |most, (g, unit)| most.max((g * unit).abs()));
        if !(size > 0.0 && size.is_finite()) {
            return false;
        }
        self.response.clear();
        for (row, response) in response.chunks_exact(n).enumerate() {
            let own = self.unit[row];
            let units = response.iter().zip(&self.unit);
            self.response.extend(units.map(|(w, unit)| w * own * unit));
        }
        self.unit.iter_mut().for_each(|unit| *unit *= size);
        self.speed = size * size;
        for buffer in [
            &mut self.here,
            &mut self.there,
            &mut self.tangent,
            &mut self.turned,
            &mut self.kept,
            &mut self.step,
        ] {
            buffer.clear();
            buffer.resize(n + 1, 0.0);
        }
        for buffer in [
            &mut self.center,
            &mut self.impulse,
            &mut self.rate,
            &mut self.left,
        ] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        for group in law.groups {
            let mut r = [0.0; MOST_ROWS];
            for (r, row) in r.iter_mut().zip(group.rows()) {
                *r = -law.rate[row] / (BOUNDED_PATH_START * group.mobility);
            }
            push_alone(&group.set, &mut r[..group.n]);
            for (r, row) in r.into_iter().zip(group.rows()) {
                self.there[row] = r / self.unit[row];
            }
        }
        self.there[n] = libm::log(BOUNDED_PATH_START);
        self.tangent[n] = 1.0;
        self.sense = 0.0;
        if !self.correct(law, &mut answer.steps, None) {
            return false;
        }
        std::mem::swap(&mut self.here, &mut self.there);
        // The tangent was turned to where σ falls.
        self.sense = -self.lu.sign;
        self.tangent.copy_from_slice(&self.turned);
        true
    }

    fn predict(&mut self, h: f64) {
        let along = self.here.iter().zip(&self.tangent);
        for (there, (here, t)) in self.there.iter_mut().zip(along) {
            *there = here + h * t;
        }
    }

    /// Newton's method from the point that is tried, across the tangent, and the tangent there: until it is near the
    /// curve, or no more than `enough` is left of its law, m/s. False if it does not end near, or not soon.
    fn correct(&mut self, law: &Law<'_>, n_steps: &mut usize, enough: Option<f64>) -> bool {
        let n = law.n_rows();
        let (mut last, theta) = (f64::INFINITY, self.there[n]);
        for turn in 0..BOUNDED_CORRECTIONS {
            *n_steps += 1;
            let left = self.fill(law);
            if !left.is_finite() || turn > 2 && left > 10.0 * last {
                return false;
            }
            let is_near = match enough {
                None => left <= BOUNDED_ON_CURVE,
                Some(enough) => self.left_in_speed() <= enough,
            };
            if is_near {
                return self.turn();
            }
            last = left;
            self.lu.factor(n + 1, &mut self.a);
            self.lu.solve(&self.a, &self.left, &mut self.step);
            for (there, step) in self.there.iter_mut().zip(&self.step) {
                *there -= step;
            }
            if (self.there[n] - theta).abs() > BOUNDED_PATH_TURN {
                return false;
            }
        }
        false
    }

    /// The tangent from the matrix that was filled; false if that is singular.
    fn turn(&mut self) -> bool {
        let n = self.here.len();
        self.lu.factor(n, &mut self.a);
        self.left.fill(0.0);
        self.left[n - 1] = 1.0;
        self.lu.solve(&self.a, &self.left, &mut self.turned);
        let length = dot(&self.turned, &self.turned).sqrt();
        let length = match self.lu.sign == self.sense {
            true => length,
            false => -length,
        };
        self.turned.iter_mut().for_each(|t| *t /= length);
        length.is_finite()
    }

    /// Moves the center at this σ, until the law is obeyed or comes no nearer; the point stays. Returns the residual of
    /// the law at the point, m/s.
    fn harden(&mut self, law: &mut Law<'_>, answer: &mut Answer<'_>) -> f64 {
        let n = law.n_rows();
        self.kept.copy_from_slice(&self.tangent);
        self.tangent.fill(0.0);
        self.tangent[n] = 1.0;
        self.there.copy_from_slice(&self.here);
        self.write_impulses();
        let first = answer.take(law, &mut self.impulse, &mut self.rate);
        let mut last = f64::INFINITY;
        for _ in 0..BOUNDED_CENTERS {
            self.center.copy_from_slice(&self.there[..n]);
            self.correct(law, &mut answer.steps, Some(BOUNDED_HARD * answer.enough));
            self.write_impulses();
            let left = answer.take(law, &mut self.impulse, &mut self.rate);
            let falls = left < BOUNDED_CENTER_GAIN * last;
            if left <= answer.enough || !falls {
                break;
            }
            last = left;
        }
        self.center.fill(0.0);
        self.tangent.copy_from_slice(&self.kept);
        first
    }

    /// The largest part of F, m/s.
    fn left_in_speed(&self) -> f64 {
        let left = self.left.iter().zip(&self.unit);
        left.fold(0.0f64, |most, (left, unit)| most.max((left / unit).abs())) * self.speed
    }

    fn write_impulses(&mut self) {
        let own = self.unit.iter().zip(&self.there);
        for (impulse, (unit, there)) in self.impulse.iter_mut().zip(own) {
            *impulse = unit * there;
        }
    }

    /// F and the matrix of a correction, at the point that is tried. The largest part of F.
    fn fill(&mut self, law: &Law<'_>) -> f64 {
        let n = law.n_rows();
        let sigma = libm::exp(self.there[n]);
        self.write_impulses();
        let rows = self.response.chunks_exact(n.max(1));
        for (k, response) in rows.enumerate() {
            let gives = sigma * (self.there[k] - self.center[k]);
            let own = dot(response, &self.there[..n]) + gives;
            self.rate[k] = law.rate[k] + self.speed / self.unit[k] * own;
        }
        self.left.resize(n + 1, 0.0);
        self.left[n] = 0.0;
        self.a.clear();
        self.a.resize((n + 1) * (n + 1), 0.0);
        let mut linear = Linear::default();
        for group in law.groups {
            let (rows, m) = (group.rows(), group.n);
            let own = Group {
                mobility: group.mobility * (1.0 + sigma),
                ..*group
            };
            linear.fill(&own, (&self.impulse, &self.rate));
            let Linear { slope, p, left } = &linear;
            for (k, row) in rows.enumerate() {
                self.left[row] = left[k] / self.unit[row];
                let out = &mut self.a[row * (n + 1)..(row + 1) * (n + 1)];
                out[row] = 1.0;
                for from in 0..m {
                    out[group.start + from] -= p[k][from];
                    // The row itself; and of the normal one, what the shift adds.
                    let part = (p[k][from] + p[k][0] * slope[from]) / (1.0 + sigma);
                    if part == 0.0 {
                        continue;
                    }
                    let from = group.start + from;
                    let response = &self.response[from * n..(from + 1) * n];
                    for (out, w) in out.iter_mut().zip(response) {
                        *out += part * w;
                    }
                    out[from] += part * sigma;
                    out[n] += part * sigma * (self.there[from] - self.center[from]);
                }
            }
        }
        self.a[n * (n + 1)..].copy_from_slice(&self.tangent);
        let left = self.left.iter();
        // A maximum forgets NaN; a sum does not.
        let (worst, sum) = left.fold((0.0f64, 0.0), |(worst, sum), left| {
            (worst.max(left.abs()), sum + left)
        });
        if sum.is_finite() { worst } else { sum }
    }
}

/// What rows that respond to themselves alone push with, of what would stop them.
fn push_alone(set: &Set, r: &mut [f64]) {
    let n = r.len();
    if set.slips(n).next().is_none() {
        set.project(r);
        return;
    }
    r[0] = r[0].max(0.0);
    for (rows, mu) in set.slips(n) {
        let most = mu * r[0];
        Set::Ball { most }.project(&mut r[rows]);
    }
}

/// `L·U` with row pivots, in place.
#[derive(Debug, Default)]
struct Lu {
    order: Vec<usize>,
    /// Of the determinant.
    sign: f64,
}

impl Lu {
    fn factor(&mut self, n: usize, a: &mut [f64]) {
        self.order.clear();
        self.order.extend(0..n);
        self.sign = 1.0;
        for k in 0..n {
            let size = |row: usize| a[row * n + k].abs();
            let best = (k + 1..n).fold(k, |best, row| match size(row) > size(best) {
                true => row,
                false => best,
            });
            if best != k {
                self.order.swap(k, best);
                self.sign = -self.sign;
                let (above, below) = a.split_at_mut(best * n);
                above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let own = &above[k * n..];
            if own[k] < 0.0 {
                self.sign = -self.sign;
            }
            for row in below.chunks_exact_mut(n) {
                let part = row[k] / own[k];
                row[k] = part;
                if part != 0.0 {
                    for (row, own) in row[k + 1..].iter_mut().zip(&own[k + 1..]) {
                        *row -= part * own;
                    }
                }
            }
        }
    }

    fn solve(&self, a: &[f64], b: &[f64], x: &mut [f64]) {
        let n = self.order.len();
        for k in 0..n {
            x[k] = b[self.order[k]] - dot(&a[k * n..k * n + k], &x[..k]);
        }
        for k in (0..n).rev() {
            let own = &a[k * n..(k + 1) * n];
            x[k] = (x[k] - dot(&own[k + 1..], &x[k + 1..])) / own[k];
        }
    }
}
