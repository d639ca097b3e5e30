//! `Direct`: block LDLᵀ over the whole graph, exact for trees and loops.
//!
//! It factors `H` itself (Baraff 1996, eq. 8; Faure 1999, eq. 5; Metaxas 1993, eq. 21 with the other
//! sign of λ): branches leaf by leaf in `branch`, what lies on loops in `core`.
//!
//! Cost: O(bodies) on a forest and on graphs of small treewidth (ladders, narrow meshes); the fill
//! of a minimum-degree order elsewhere. Where no pivot is lost, one solve is exact. Where rows
//! repeat each other the factor is in proximal form, `(A + μ)⁻¹`, and corrections
//!
//! ```text
//!     λ ← λ + (A + μ)⁻¹·(b − A·λ)
//! ```
//!
//! converge geometrically to the exact motion. When constraints contradict each other they stall,
//! and `λ` grows by the same amount in every correction, along a direction that moves nothing. Then
//! the part of `b` that no motion can meet is found and left out: what remains is the least-squares
//! motion, with finite `λ`.

use super::elimination::{Elimination, Order};
use super::residual::Checker;
use super::{Meter, Outcome, Solution};
use crate::assemble::System;
use crate::topology::Topology;

/// A relative residual that ends corrections.
const CONVERGED: f64 = 1e-12;
/// A force error that could move any body by more, relatively, is corrected while it helps.
const BALANCED: f64 = 1e-10;
/// So many turns clean a contradiction of what can be met.
const TURNS: usize = 5;
/// How often what is left of a contradiction is looked for again.
const MAX_PASSES: usize = 40;
/// A relative residual above this is not round-off.
const EXACT: f64 = 1e-9;
/// A proximal term for very different masses, relative to the usual one.
const WEAKER: f64 = 1e-4;
/// At most so many corrections.
const MAX_CORRECTIONS: usize = 40;

/// The factor and workspace of `Direct`.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    elimination: Elimination,
    bodies_first: Option<Elimination>,
    use_bodies_first: bool,
    /// A solve had to change the factor.
    altered: bool,
    may_fall_back: bool,
    checker: Checker,
    primary: Vec<u32>,
    /// The right-hand side and the answer of a correction.
    force: Vec<f64>,
    rows: Vec<f64>,
    lambda_step: Vec<f64>,
    y_step: Vec<f64>,
    /// The proximal term of each row, and a right-hand side that can be met.
    mu: Vec<f64>,
    target: Vec<f64>,
}

impl Direct {
    pub(super) fn new(system: &System, topology: &Topology, order: Order) -> Self {
        Self {
            elimination: Elimination::new(system, topology, order),
            bodies_first: None,
            use_bodies_first: false,
            altered: false,
            may_fall_back: order != Order::BodiesFirst,
            checker: Checker::new(system),
            primary: topology.primary(),
            force: vec![0.0; system.n_v()],
            rows: vec![0.0; system.n_rows()],
            lambda_step: vec![0.0; system.n_rows()],
            y_step: vec![0.0; system.n_v()],
            mu: vec![0.0; system.n_rows()],
            target: vec![0.0; system.n_rows()],
        }
    }

    pub(super) fn n_operations(&self) -> usize {
        self.elimination.n_operations()
    }

    pub(super) fn is_altered(&self) -> bool {
        self.altered
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.use_bodies_first = false;
        self.altered = false;
        self.elimination.factor(system);
    }

    /// Once nothing is left to spend, what the factor gives by itself will do.
    pub(super) fn solve(
        &mut self,
        system: &System,
        topology: &Topology,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        out.iterations = 0;
        self.correct(system, force, b, meter, out);
        // An order that stalls is replaced by the one that is regular whenever J is.
        let is_stalled = out.outcome == Outcome::NotConverged && meter.ended().is_none();
        if is_stalled && self.may_fall_back && !self.use_bodies_first {
            let mut other = self
                .bodies_first
                .take()
                .unwrap_or_else(|| Elimination::new(system, topology, Order::BodiesFirst));
            other.factor(system);
            self.bodies_first = Some(other);
            self.use_bodies_first = true;
            self.altered = true;
            self.correct(system, force, b, meter, out);
        }
    }

    fn correct(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let mut error = self.refine(system, force, b, out);
        out.outcome = Outcome::exact_if(error <= EXACT);
        if error <= EXACT || meter.is_spent(out.iterations) {
            return;
        }
        // Round-off can pass for a pivot: then no correction converges, but proximal ones do.
        if !self.elimination().is_proximal() {
            self.altered = true;
            self.elimination().factor_proximal(system, 1.0);
            error = self.refine(system, force, b, out);
        }
        // Very different masses: a weaker term lets the heavy bodies move.
        let goes_on = error > EXACT && !meter.is_spent(out.iterations);
        if goes_on && self.elimination().is_proximal() {
            self.altered = true;
            self.elimination().factor_proximal(system, WEAKER);
            error = self.refine(system, force, b, out);
            if error > EXACT {
                self.elimination().factor_proximal(system, 1.0);
                error = self.refine(system, force, b, out);
            }
        }
        out.outcome = Outcome::exact_if(error <= EXACT);
        // Without b nothing need move: there is no contradiction.
        let Some(b) = b else { return };
        if out.outcome == Outcome::Exact || !self.elimination().is_proximal() {
            return;
        }
        // Either the rows contradict each other, or the order stalls. What no motion can meet is
        // taken off the right-hand side, as far as it is known; what is left can be met.
        let mut target = std::mem::take(&mut self.target);
        target.copy_from_slice(b);
        for _ in 0..MAX_PASSES {
            if meter.is_spent(out.iterations) || !self.find_contradiction(system, out) {
                break;
            }
            for (target, w) in target.iter_mut().zip(&self.rows) {
                *target -= w;
            }
            let before = error;
            error = self.refine(system, force, Some(&target), out);
            if error <= EXACT {
                out.outcome = Outcome::LeastSquares;
            }
            if error <= CONVERGED || error > 0.9 * before {
                break;
            }
        }
        self.target = target;
        let (lambda, y) = (&out.lambda, &out.motion);
        out.residual = self
            .checker
            .evaluate(system, &self.primary, force, Some(b), lambda, y);
    }

    fn elimination(&mut self) -> &mut Elimination {
        match (&mut self.bodies_first, self.use_bodies_first) {
            (Some(other), true) => other,
            _ => &mut self.elimination,
        }
    }

    /// Solves and corrects until the residual converges or stalls; returns the relative residual.
    fn refine(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) -> f64 {
        let elimination = match (&mut self.bodies_first, self.use_bodies_first) {
            (Some(other), true) => other,
            _ => &mut self.elimination,
        };
        let checker = &mut self.checker;
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        elimination.solve(system, force, b, lambda, y);
        out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
        out.iterations += 1;
        let worst = |residual: super::Residual| residual.rows_relative.max(residual.force_relative);
        let mut error = worst(out.residual);
        let mut unbalanced = checker.motion_relative;
        let (mut corrections, mut stalled) = (0, 0);
        while (error > CONVERGED || unbalanced > BALANCED)
            && corrections < MAX_CORRECTIONS
            && stalled < 2
        {
            self.force.copy_from_slice(&checker.force);
            self.rows.copy_from_slice(&checker.rows);
            let (rf, rb) = (Some(&self.force[..]), Some(&self.rows[..]));
            elimination.solve(system, rf, rb, &mut self.lambda_step, &mut self.y_step);
            add_step(y, &self.y_step, 1.0);
            add_step(lambda, &self.lambda_step, 1.0);
            out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
            out.iterations += 1;
            corrections += 1;
            let now = worst(out.residual);
            let was_unbalanced = std::mem::replace(&mut unbalanced, checker.motion_relative);
            if error <= CONVERGED {
                // Light bodies among heavy ones: go on while it helps.
                if now > CONVERGED || unbalanced > 0.5 * was_unbalanced {
                    return now;
                }
                continue;
            }
            if !elimination.is_proximal() && now >= error {
                // Round-off: the correction gained nothing.
                add_step(y, &self.y_step, -1.0);
                add_step(lambda, &self.lambda_step, -1.0);
                out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
                return error;
            }
            stalled = if now > 0.9 * error { stalled + 1 } else { 0 };
            error = now;
        }
        error
    }

    /// Finds the part `w` of the last residual that no motion can meet, and leaves it in `rows`.
    /// Inverse iteration,
    ///
    /// ```text
    ///     w ← μ·(A + μ)⁻¹·w
    /// ```
    ///
    /// keeps what `A` cannot reach (to a few digits) and shrinks the rest by `μ/(σ² + μ)`
    /// each time. The residual itself would not do: its reachable part is the round-off of the large
    /// multipliers of contradictory rows. False when nothing is left.
    fn find_contradiction(&mut self, system: &System, out: &mut Solution) -> bool {
        let elimination = match (&mut self.bodies_first, self.use_bodies_first) {
            (Some(other), true) => other,
            _ => &mut self.elimination,
        };
        elimination.proximal_terms(system, &mut self.mu);
        self.rows.copy_from_slice(&self.checker.rows);
        let size = scaled_size(system, &self.rows);
        for _ in 0..TURNS {
            let rows = Some(&self.rows[..]);
            elimination.solve(system, None, rows, &mut self.lambda_step, &mut self.y_step);
            out.iterations += 1;
            for row in 0..self.rows.len() {
                self.rows[row] = self.mu[row] * self.lambda_step[row];
            }
        }
        // The size that leaves least of the residual: w is at right angles to what can be met.
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

/// The largest entry of a vector over rows, in metres.
fn scaled_size(system: &System, rows: &[f64]) -> f64 {
    rows.iter()
        .zip(&system.row_scale)
        .fold(f64::MIN_POSITIVE, |s, (r, scale)| s.max(scale * r.abs()))
}

/// `x ← x + factor·dx`.
fn add_step(x: &mut [f64], dx: &[f64], factor: f64) {
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += factor * dx;
    }
}
