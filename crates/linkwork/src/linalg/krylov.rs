//! Conjugate residuals for symmetric positive semidefinite operators.
//!
//! Minimizes `‖b − A·x‖` over growing Krylov spaces, so the residual never grows: on contradictory
//! systems, where conjugate gradients diverge, it ends at the least-squares residual. Where it is cut short,
//! rows may have weights: what is left is then as small as the last directions allow in the weighted norm
//! (Faure 1998, §5; Faure 1999, §6).

use super::blocks::Blocks;
use super::dense::dot;
use super::tolerances::{
    AIM, ASTRAY, GIVEN_UP, KEPT, MAX_RESTARTS, NOTHING, ROUND_OFF, STATIONARY,
};

/// What rows there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    /// Where the rows of each constraint begin, and where all end.
    pub(crate) start: &'a [usize],
    /// What each row counts; empty where all count alike.
    pub(crate) weight: &'a [f64],
    /// `L`: the iteration sees `L⁻¹·r`.
    pub(crate) blocks: &'a Blocks,
}

impl Layout<'_> {
    /// Whether what is left is to be small in another norm than that of the iteration.
    fn is_weighed(&self) -> bool {
        !self.weight.is_empty() || !self.blocks.is_idle()
    }

    /// Whether the error of every constraint is within the tolerance; false where one is no number. `own` is
    /// scratch.
    fn find_met(&self, r: &[f64], tolerance: f64, own: &mut [f64]) -> bool {
        own.copy_from_slice(r);
        self.blocks.multiply(self.start, own);
        squares(self.start, own).all(|square| square <= tolerance * tolerance)
    }
}

/// The square of the length of each constraint's own rows, which begin at `start`.
fn squares(start: &[usize], r: &[f64]) -> impl Iterator<Item = f64> {
    let own = |ends: &[usize]| r[ends[0]..ends[1]].iter().fold(0.0, |sum, r| sum + r * r);
    start.windows(2).map(own)
}

/// The largest error of a constraint.
pub(crate) fn largest(start: &[usize], r: &[f64]) -> f64 {
    let larger = |most, square| if square > most { square } else { most };
    squares(start, r).fold(0.0, larger).sqrt()
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) layout: Layout<'a>,
    /// The error of a constraint that is good enough (Faure 1999, §4.2).
    pub(crate) tolerance: f64,
    /// A size of the operator: what `‖A·r‖/‖r‖` is compared with to be called zero.
    pub(crate) operator_size: f64,
    /// At most so many products with the operator.
    pub(crate) max_iterations: usize,
    /// Whether others follow in the same step when these are spent: weights wait for the last.
    pub(crate) goes_on: bool,
}

/// Why it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The residual is below the tolerance.
    Converged,
    /// No direction reduces the residual any more: least squares.
    Stationary,
    /// The budget is used up.
    Budget,
    /// Round-off leaves more than the tolerance.
    Stalled,
}

/// Vectors of the iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConjugateResiduals {
    /// The direction `p` in which a solve went last when it was cut short, zero otherwise. The next one
    /// begins conjugate to it: several that are cut short converge like one that is not.
    pub(crate) direction: Vec<f64>,
    r: Vec<f64>,
    a_r: Vec<f64>,
    a_p: Vec<f64>,
    true_r: Vec<f64>,
    own: Vec<f64>,
    best: Vec<f64>,
    /// The last directions and their products, one after the other, where rows have weights.
    kept: Vec<f64>,
    n_kept: usize,
}

impl ConjugateResiduals {
    pub(crate) fn new(n: usize) -> Self {
        let zero = vec![0.0; n];
        Self {
            direction: zero.clone(),
            r: zero.clone(),
            a_r: zero.clone(),
            a_p: zero.clone(),
            true_r: zero.clone(),
            own: zero.clone(),
            best: zero,
            kept: Vec::new(),
            n_kept: 0,
        }
    }

    /// Makes room for directions, for rows with weights.
    pub(crate) fn keep_directions(&mut self) {
        self.kept.resize(2 * KEPT * self.r.len(), 0.0);
    }

    /// Makes room for `n` unknowns. No solve needs more than the largest before.
    pub(crate) fn resize(&mut self, n: usize) {
        for vector in [
            &mut self.direction,
            &mut self.r,
            &mut self.a_r,
            &mut self.a_p,
            &mut self.true_r,
            &mut self.own,
            &mut self.best,
        ] {
            vector.resize(n, 0.0);
        }
    }

    /// Solves `A·x = b` from the `x` given, verifies the result with the operator, and starts again
    /// from it where round-off spoiled it (Faure 1999, §3.3).
    ///
    /// Goes on from [`direction`](Self::direction), and leaves there what the next solve may go on
    /// from. `apply(v, out)` writes `A·v`; `is_spent(n)` says whether nothing is left to spend after `n`
    /// iterations. Returns iterations and why it stopped.
    pub(crate) fn solve(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        limits: Limits<'_>,
        mut is_spent: impl FnMut(usize) -> bool,
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) -> (usize, Stop) {
        let mut total = 0;
        let mut residual = std::mem::take(&mut self.true_r);
        let mut stop = Stop::Budget;
        let mut smallest = f64::INFINITY;
        let mut first = 0.0;
        self.n_kept = 0;
        if is_zero(&self.direction) {
            self.a_p.fill(0.0);
        } else {
            apply(&self.direction, &mut self.a_p);
        }
        for restart in 0.. {
            if is_zero(x) {
                residual.copy_from_slice(b);
            } else {
                apply(x, &mut residual);
                residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            }
            let size = norm(&residual);
            if limits
                .layout
                .find_met(&residual, limits.tolerance, &mut self.own)
            {
                stop = Stop::Converged;
                break;
            }
            if size.is_nan() || size >= smallest {
                // The recurrence went astray or gained nothing: what it started from was better.
                x.copy_from_slice(&self.best);
                self.n_kept = 0;
                if stop == Stop::Converged && smallest > ROUND_OFF * norm(b) {
                    stop = Stop::Stationary;
                }
                break;
            }
            if restart == 0 {
                first = size;
            }
            smallest = size;
            self.best.copy_from_slice(x);
            if restart > 0 && (restart > MAX_RESTARTS || stop != Stop::Converged) {
                // Nothing is to be gained by another start.
                if stop == Stop::Converged {
                    stop = Stop::Stalled;
                }
                break;
            }
            // Where the last solve stopped, the residual is at right angles to its direction. If it is
            // not, something else was changed, and there is nothing to go on with.
            let cosine = dot(&residual, &self.a_p) / (size * norm(&self.a_p));
            if restart > 0 || cosine.abs() > ASTRAY {
                self.a_p.fill(0.0);
            }
            let part = Limits {
                tolerance: AIM * limits.tolerance,
                max_iterations: limits.max_iterations.saturating_sub(total),
                ..limits
            };
            let is_spent = |iterations| is_spent(total + iterations);
            let (iterations, why) = self.improve(&residual, x, part, is_spent, &mut apply);
            total += iterations;
            stop = why;
        }
        let is_even = limits.layout.weight.is_empty();
        let is_last = is_even || !limits.goes_on || is_spent(total);
        let is_left = is_last && stop == Stop::Budget || (is_even && stop == Stop::Stationary);
        if is_left && limits.layout.is_weighed() {
            let gained = if is_even {
                f64::INFINITY
            } else {
                first * first - smallest * smallest
            };
            self.weigh(limits.layout, GIVEN_UP * gained, &residual, x);
        }
        if stop != Stop::Budget {
            self.direction.fill(0.0);
        } else if is_zero(&self.direction) {
            // Where it would have gone.
            self.direction.copy_from_slice(&residual);
        }
        self.true_r = residual;
        (total, stop)
    }

    /// Improves `x`, whose residual is `residual`, by the recurrence alone. The first step is made
    /// conjugate to the last direction, whose product is in `a_p`.
    fn improve(
        &mut self,
        residual: &[f64],
        x: &mut [f64],
        limits: Limits<'_>,
        mut is_spent: impl FnMut(usize) -> bool,
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) -> (usize, Stop) {
        self.r.copy_from_slice(residual);
        let (layout, tolerance) = (limits.layout, limits.tolerance);
        if layout.find_met(&self.r, tolerance, &mut self.own) {
            return (0, Stop::Converged);
        }
        let mut ap_ap = dot(&self.a_p, &self.a_p);
        for iteration in 1..=limits.max_iterations {
            if is_spent(iteration - 1) {
                return (iteration - 1, Stop::Budget);
            }
            apply(&self.r, &mut self.a_r);
            // A·r → 0 while r does not: r is orthogonal to everything A can reach.
            let least = STATIONARY * limits.operator_size * norm(&self.r);
            // p ← r + β·p with A·p at right angles to the last.
            let beta = if ap_ap > 0.0 {
                -dot(&self.a_r, &self.a_p) / ap_ap
            } else {
                0.0
            };
            if norm(&self.a_r) <= least || !beta.is_finite() {
                return (iteration - 1, Stop::Stationary);
            }
            for k in 0..x.len() {
                self.direction[k] = self.r[k] + beta * self.direction[k];
                self.a_p[k] = self.a_r[k] + beta * self.a_p[k];
            }
            ap_ap = dot(&self.a_p, &self.a_p);
            if beta != 0.0 && ap_ap <= NOTHING * dot(&self.a_r, &self.a_r) {
                // The direction that was handed over is the residual itself: there is nothing to go on with.
                self.direction.copy_from_slice(&self.r);
                self.a_p.copy_from_slice(&self.a_r);
                ap_ap = dot(&self.a_p, &self.a_p);
            }
            if ap_ap == 0.0 {
                return (iteration - 1, Stop::Stationary);
            }
            let alpha = dot(&self.r, &self.a_p) / ap_ap;
            for k in 0..x.len() {
                x[k] += alpha * self.direction[k];
                self.r[k] -= alpha * self.a_p[k];
            }
            if layout.is_weighed() {
                self.keep();
            }
            if layout.find_met(&self.r, tolerance, &mut self.own) {
                return (iteration, Stop::Converged);
            }
        }
        (limits.max_iterations, Stop::Budget)
    }
}

impl ConjugateResiduals {
    /// Keeps the last direction and its product, in place of the oldest.
    fn keep(&mut self) {
        let n = self.direction.len();
        let at = 2 * n * (self.n_kept % KEPT);
        self.kept[at..at + n].copy_from_slice(&self.direction);
        self.kept[at + n..at + 2 * n].copy_from_slice(&self.a_p);
        self.n_kept += 1;
    }

    /// Goes along the kept directions towards where `‖W·r‖` is smallest, but no farther than to where `‖r‖²`
    /// has grown by `most`: what is left falls from solve to solve, whatever the weights. `x` is the best so
    /// far, `residual` is what it leaves.
    fn weigh(&mut self, layout: Layout<'_>, most: f64, residual: &[f64], x: &mut [f64]) {
        let n = x.len();
        let weights = layout.weight.iter();
        let scale = |r: &mut [f64]| {
            layout.blocks.multiply(layout.start, r);
            r.iter_mut().zip(weights.clone()).for_each(|(r, w)| *r *= w);
        };
        let r = &mut self.a_r;
        r.copy_from_slice(residual);
        scale(r);
        for at in 0..self.n_kept.min(KEPT) {
            // A direction is made W·A-orthogonal to those before it.
            let (before, own) = self.kept.split_at_mut(2 * n * at);
            let (p, a_p) = own[..2 * n].split_at_mut(n);
            scale(a_p);
            let size = dot(a_p, a_p);
            for other in before.chunks_exact(2 * n) {
                let (q, a_q) = other.split_at(n);
                let beta = -dot(a_q, a_p) / dot(a_q, a_q).max(f64::MIN_POSITIVE);
                add(beta, q, p);
                add(beta, a_q, a_p);
            }
            let left = dot(a_p, a_p);
            if left <= NOTHING * size {
                a_p.fill(0.0);
                continue;
            }
            let alpha = dot(r, a_p) / left;
            add(alpha, p, x);
            add(-alpha, a_p, r);
        }
        r.iter_mut().zip(weights).for_each(|(r, w)| *r /= w);
        layout.blocks.solve(layout.start, r);
        let mut grown = 0.0;
        for (r, before) in r.iter().zip(residual) {
            grown += (r - before) * (r - before);
        }
        // At right angles to what is left: squares add up.
        let part = (most / grown).sqrt().min(1.0);
        for (x, best) in x.iter_mut().zip(&self.best) {
            *x = best + part * (*x - best);
        }
    }
}

/// `y ← y + a·x`.
fn add(a: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

fn is_zero(x: &[f64]) -> bool {
    x.iter().all(|x| *x == 0.0)
}

/// Euclidean length.
pub(crate) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of springs held at one end: its largest and smallest stiffness are far apart.
    fn apply(x: &[f64], out: &mut [f64]) {
        for k in 0..x.len() {
            let before = if k > 0 { x[k - 1] } else { 0.0 };
            let after = if k + 1 < x.len() { x[k + 1] } else { x[k] };
            out[k] = 2.0 * x[k] - before - after;
        }
    }

    /// Solves for the rest of `b` again and again with five iterations each; the rest that is left.
    fn solve_in_parts(n_parts: usize, goes_on: bool) -> f64 {
        let n = 60;
        let mut krylov = ConjugateResiduals::new(n);
        let mut rest: Vec<f64> = (0..n).map(|k| 1.0 / (1.0 + k as f64)).collect();
        let (mut x, mut product) = (vec![0.0; n], vec![0.0; n]);
        let start: Vec<usize> = (0..=n).collect();
        let layout = Layout {
            start: &start,
            weight: &[],
            blocks: &Blocks::default(),
        };
        let limits = Limits {
            layout,
            tolerance: 1e-12,
            operator_size: 4.0,
            max_iterations: 5,
            goes_on: false,
        };
        for _ in 0..n_parts {
            x.fill(0.0);
            if !goes_on {
                krylov.direction.fill(0.0);
            }
            krylov.solve(&rest, &mut x, limits, |_| false, apply);
            apply(&x, &mut product);
            rest.iter_mut().zip(&product).for_each(|(r, p)| *r -= p);
        }
        norm(&rest)
    }

    #[test]
    fn parts_that_go_on_converge_like_a_whole() {
        // In exact arithmetic n iterations are enough.
        assert!(solve_in_parts(13, true) < 1e-9);
        assert!(solve_in_parts(13, false) > 1e-2);
    }
}
