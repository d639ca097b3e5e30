//! Refinement of a factor's answers with the true residual. All methods that factor use it.
//!
//! A factor is that of `A + μ` in place of `A = J·M⁻¹·Jᵀ + C`, where `μ` is zero unless a pivot was lost.
//! Corrections with the true residual,
//!
//! ```text
//!     λ ← λ + (A + μ)⁻¹·(b − A·λ)
//! ```
//!
//! converge geometrically to the exact motion. If constraints contradict each other they stall, and `λ` grows
//! by the same amount in every correction, along a direction without effect on the motion. Then the part of `b`
//! that no motion can meet is computed and left out. The result is the least-squares motion, with finite `λ`.

use super::residual::Checker;
use super::tolerances::{
    BALANCED, CONTRADICTION_TURNS, CONVERGED, EXACT, MAX_CORRECTIONS, MAX_PASSES, RESPONDED,
    STALLED, WEAK_PROXIMAL,
};
use super::{Care, Meter, Outcome, Residual, Solution};
use crate::system::System;

/// A factor of some rows of `H`, exact but for round-off and for its proximal term.
pub(crate) trait RowFactor {
    /// Solves `H·(y, λ) = (force, −b)`; `None` is zero. Writes all of `y`, and the factored rows of `λ`.
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    );

    /// Whether it has a proximal term, whose error corrections remove.
    fn is_proximal(&self) -> bool;

    /// Whether its rows are exact to round-off, so that only forces need corrections: for trees without lost
    /// pivots.
    fn keeps_rows(&self) -> bool {
        false
    }

    /// Factors again with a proximal term. A `strength` below one is for masses so different that the usual
    /// term would block the heavy ones.
    fn factor_proximal(&mut self, system: &System, strength: f64);

    /// Writes the proximal term of each row, or zero.
    fn proximal_terms(&self, system: &System, mu: &mut [f64]);
}

/// Corrects the answers of a factor; its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Refinement {
    /// The constraints that were factored.
    constraints: Vec<u32>,
    /// Whether a solve changed the factor.
    altered: bool,
    /// Residual of the rows and force error at which corrections end.
    enough: [f64; 2],
    /// Whether contradictions are left out before other factors are tried.
    leaves_out_first: bool,
    /// Whether solves are responses. These are compared with their own motion alone: a kept response must be that of
    /// any step that asks for it, and the velocities of the moment are not a part of it.
    is_response: bool,
    checker: Checker,
    /// The right-hand side and the answer of a correction.
    force: Vec<f64>,
    rows: Vec<f64>,
    lambda_step: Vec<f64>,
    y_step: Vec<f64>,
    /// The proximal term of each row, and a right-hand side that can be met.
    mu: Vec<f64>,
    target: Vec<f64>,
}

/// A system, a load on its bodies, and what its rows must be.
type Given<'a> = (&'a System, Option<&'a [f64]>, Option<&'a [f64]>);

impl Refinement {
    pub(super) fn new(system: &System, constraints: Vec<u32>) -> Self {
        // Reserved but not written: most factors are never corrected.
        let over_v = || Vec::with_capacity(system.n_v());
        let over_rows = || Vec::with_capacity(system.n_rows());
        Self {
            constraints,
            altered: false,
            enough: [CONVERGED, BALANCED],
            leaves_out_first: false,
            is_response: false,
            checker: Checker::new(system),
            force: over_v(),
            rows: over_rows(),
            lambda_step: over_rows(),
            y_step: over_v(),
            mu: over_rows(),
            target: over_rows(),
        }
    }

    /// Notes a new factor.
    pub(super) fn begin(&mut self) {
        self.altered = false;
    }

    /// Whether a solve changed the factor, so that a fresh one would answer with other bits.
    pub(super) fn is_altered(&self) -> bool {
        self.altered
    }

    /// Sets the accuracy.
    pub(super) fn aim(&mut self, care: Care) {
        self.enough = match care {
            Care::Full => [CONVERGED, BALANCED],
            Care::Response | Care::Correction => [RESPONDED; 2],
        };
        self.leaves_out_first = care == Care::Correction;
        self.is_response = care == Care::Response;
    }

    /// Notes that the factor was changed.
    pub(super) fn alter(&mut self) {
        self.altered = true;
    }

    /// Solves and corrects; `out` has the outcome. If the budget is used up, the factor's own answer is the
    /// result. Adds its solves to `out.iterations`.
    pub(super) fn solve(
        &mut self,
        factor: &mut dyn RowFactor,
        given: Given<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let mut error = self.correct(factor, given, out);
        out.outcome = Outcome::exact_if(error <= EXACT);
        if error <= EXACT || meter.out_of_budget(out.iterations) {
            return;
        }
        // If round-off was taken for a pivot, corrections converge only with the proximal term.
        if !factor.is_proximal() {
            error = self.correct_proximal(factor, 1.0, given, out);
        }
        if self.leaves_out_first && error > EXACT && factor.is_proximal() {
            self.leave_out(factor, given, (meter, error), out);
            if out.outcome == Outcome::LeastSquares {
                return;
            }
        }
        // For very different masses, a weaker term lets the heavy bodies move.
        let goes_on = error > EXACT && !meter.out_of_budget(out.iterations);
        if goes_on && factor.is_proximal() {
            error = self.correct_proximal(factor, WEAK_PROXIMAL, given, out);
            if error > EXACT {
                error = self.correct_proximal(factor, 1.0, given, out);
            }
        }
        out.outcome = Outcome::exact_if(error <= EXACT);
        if out.outcome != Outcome::Exact && factor.is_proximal() {
            self.leave_out(factor, given, (meter, error), out);
        }
    }

    /// Either the rows contradict each other, or the order stalls. Subtracts the known part that no motion can
    /// meet from the right-hand side.
    fn leave_out(
        &mut self,
        factor: &mut dyn RowFactor,
        given: Given<'_>,
        (meter, mut error): (&mut Meter<'_>, f64),
        out: &mut Solution,
    ) {
        let (system, force, b) = given;
        // Without b there is no contradiction.
        let Some(b) = b else { return };
        let mut target = std::mem::take(&mut self.target);
        target.clear();
        target.extend_from_slice(b);
        for _ in 0..MAX_PASSES {
            if meter.out_of_budget(out.iterations) || !self.find_contradiction(factor, system, out)
            {
                break;
            }
            add_step(&mut target, &self.rows, -1.0);
            let before = error;
            error = self.correct(factor, (system, force, Some(&target)), out);
            if error <= EXACT {
                out.outcome = Outcome::LeastSquares;
            }
            if error <= CONVERGED || error > STALLED * before {
                break;
            }
        }
        self.target = target;
        self.measure(given, out);
    }

    fn correct_proximal(
        &mut self,
        factor: &mut dyn RowFactor,
        strength: f64,
        given: Given<'_>,
        out: &mut Solution,
    ) -> f64 {
        self.altered = true;
        factor.factor_proximal(given.0, strength);
        self.correct(factor, given, out)
    }

    /// The true residual of `out`; returns it, relative.
    fn measure(&mut self, (system, force, b): Given<'_>, out: &mut Solution) -> f64 {
        let (lambda, y) = (&out.lambda, &out.motion);
        let natural_size = match self.is_response {
            true => 0.0,
            false => system.natural_size,
        };
        out.residual = self.checker.evaluate(
            (system, natural_size),
            &self.constraints,
            force,
            b,
            lambda,
            y,
        );
        let Residual {
            rows_relative,
            force_relative,
            ..
        } = out.residual;
        rows_relative.max(force_relative)
    }

    /// Solves and corrects until the residual converges or stalls; returns the relative residual.
    fn correct(&mut self, factor: &mut dyn RowFactor, given: Given<'_>, out: &mut Solution) -> f64 {
        let (system, force, b) = given;
        factor.solve(system, force, b, &mut out.lambda, &mut out.motion);
        out.iterations += 1;
        let is_kept = factor.keeps_rows();
        let left = |error: f64| if is_kept { 0.0 } else { error };
        let mut error = left(self.measure(given, out));
        let mut unbalanced = self.checker.motion_relative;
        let (mut corrections, mut stalled) = (0, 0);
        let [converged, balanced] = self.enough;
        while (error > converged || unbalanced > balanced)
            && corrections < MAX_CORRECTIONS
            && stalled < 2
        {
            self.make_room(system);
            self.force.copy_from_slice(&self.checker.force);
            self.rows.copy_from_slice(&self.checker.rows);
            let (rf, rb) = (Some(&self.force[..]), Some(&self.rows[..]));
            factor.solve(system, rf, rb, &mut self.lambda_step, &mut self.y_step);
            self.add(1.0, out);
            out.iterations += 1;
            corrections += 1;
            let now = left(self.measure(given, out));
            let was_unbalanced = std::mem::replace(&mut unbalanced, self.checker.motion_relative);
            if error <= converged {
                // Light bodies among heavy ones: continue while it helps.
                if now > converged || unbalanced > 0.5 * was_unbalanced {
                    return now;
                }
                continue;
            }
            if !factor.is_proximal() && now >= error {
                // Round-off: the correction gained nothing.
                self.add(-1.0, out);
                self.measure(given, out);
                return error;
            }
            stalled = if now > STALLED * error {
                stalled + 1
            } else {
                0
            };
            error = now;
        }
        error
    }

    /// Sizes the buffers of corrections.
    fn make_room(&mut self, system: &System) {
        for over_v in [&mut self.force, &mut self.y_step] {
            over_v.resize(system.n_v(), 0.0);
        }
        for over_rows in [&mut self.rows, &mut self.lambda_step, &mut self.mu] {
            over_rows.resize(system.n_rows(), 0.0);
        }
    }

    /// Adds a multiple of the last correction.
    fn add(&self, times: f64, out: &mut Solution) {
        add_step(&mut out.motion, &self.y_step, times);
        add_step(&mut out.lambda, &self.lambda_step, times);
    }

    /// Computes the part `w` of the last residual that no motion can meet, in `rows`. Inverse iteration,
    ///
    /// ```text
    ///     w ← μ·(A + μ)⁻¹·w
    /// ```
    ///
    /// keeps the part outside the range of `A` (to a few digits) and reduces the rest by `μ/(σ² + μ)` each
    /// time. The residual itself is not enough: it contains round-off of the large multipliers of contradictory
    /// rows. Returns false if nothing remains.
    fn find_contradiction(
        &mut self,
        factor: &mut dyn RowFactor,
        system: &System,
        out: &mut Solution,
    ) -> bool {
        self.make_room(system);
        factor.proximal_terms(system, &mut self.mu);
        self.rows.copy_from_slice(&self.checker.rows);
        let size = scaled_size(system, &self.rows);
        for _ in 0..CONTRADICTION_TURNS {
            let rows = Some(&self.rows[..]);
            factor.solve(system, None, rows, &mut self.lambda_step, &mut self.y_step);
            out.iterations += 1;
            for row in 0..self.rows.len() {
                self.rows[row] = self.mu[row] * self.lambda_step[row];
            }
        }
        // The size that minimizes the residual: w is orthogonal to what can be met.
        let (mut along, mut square) = (0.0, f64::MIN_POSITIVE);
        for row in 0..self.rows.len() {
            let (w, scale) = (
                self.rows[row],
                system.row_scale[row] * system.row_scale[row],
            );
            along += scale * w * self.checker.rows[row];
            square += scale * w * w;
        }
        self.rows.iter_mut().for_each(|w| *w *= along / square);
        scaled_size(system, &self.rows) > EXACT * size
    }
}

/// The largest entry of a vector over rows, in meters.
fn scaled_size(system: &System, rows: &[f64]) -> f64 {
    rows.iter()
        .zip(&system.row_scale)
        .fold(f64::MIN_POSITIVE, |s, (r, scale)| s.max(scale * r.abs()))
}

/// `x ← x + times·dx`.
fn add_step(x: &mut [f64], dx: &[f64], times: f64) {
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += times * dx;
    }
}
