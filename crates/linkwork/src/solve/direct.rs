//! `Direct`: block LDLᵀ over the whole graph, exact for trees and loops.
//!
//! Cost: O(bodies) on a forest and on graphs of small treewidth (ladders, narrow meshes); the fill
//! of a minimum-degree order elsewhere. Where no pivot is lost, one solve is exact. Where rows
//! repeat each other the factor is in proximal form, `(A + μ)⁻¹`, and corrections
//!
//! ```text
//!     λ ← λ + (A + μ)⁻¹·(b − A·λ)
//! ```
//!
//! converge geometrically to the exact motion. When constraints contradict each other the motion
//! converges to the least-squares one, while `λ` grows by the same amount in every correction, along
//! a direction that moves nothing; that growth is the sign of contradiction and is taken out again.

use super::elimination::{Elimination, Order};
use super::residual::Checker;
use super::{Outcome, Solution};
use crate::assemble::System;
use crate::topology::Topology;

/// A relative residual that ends corrections.
const CONVERGED: f64 = 1e-12;
/// A motion that changes by less, relatively, has converged.
const RESTING: f64 = 1e-13;
/// At most so many corrections.
const MAX_CORRECTIONS: usize = 40;

/// The factor and workspace of `Direct`.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    elimination: Elimination,
    bodies_first: Option<Elimination>,
    use_bodies_first: bool,
    may_fall_back: bool,
    checker: Checker,
    primary: Vec<u32>,
    /// The right-hand side and the answer of a correction.
    force: Vec<f64>,
    rows: Vec<f64>,
    lambda_step: Vec<f64>,
    y_step: Vec<f64>,
}

impl Direct {
    pub(super) fn new(system: &System, topology: &Topology, order: Order) -> Self {
        Self {
            elimination: Elimination::new(system, topology, order),
            bodies_first: None,
            use_bodies_first: false,
            may_fall_back: order != Order::BodiesFirst,
            checker: Checker::new(system),
            primary: topology.primary(),
            force: vec![0.0; system.n_v()],
            rows: vec![0.0; system.n_rows()],
            lambda_step: vec![0.0; system.n_rows()],
            y_step: vec![0.0; system.n_v()],
        }
    }

    pub(super) fn n_operations(&self) -> usize {
        self.elimination.n_operations()
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.use_bodies_first = false;
        self.elimination.factor(system);
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        topology: &Topology,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) {
        self.correct(system, force, b, out);
        // An order that stalls is replaced by the one that is regular whenever J is.
        if out.outcome == Outcome::NotConverged && self.may_fall_back && !self.use_bodies_first {
            let mut other = self
                .bodies_first
                .take()
                .unwrap_or_else(|| Elimination::new(system, topology, Order::BodiesFirst));
            other.factor(system);
            self.bodies_first = Some(other);
            self.use_bodies_first = true;
            self.correct(system, force, b, out);
        }
    }

    fn correct(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) {
        let elimination = match (&mut self.bodies_first, self.use_bodies_first) {
            (Some(other), true) => other,
            _ => &mut self.elimination,
        };
        let checker = &mut self.checker;
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        elimination.solve(system, force, b, lambda, y);
        out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
        out.iterations = 1;
        out.outcome = Outcome::Exact;
        let worst = |residual: super::Residual| residual.rows_relative.max(residual.force_relative);
        let mut error = worst(out.residual);
        let mut stalled = 0;
        while error > CONVERGED {
            if out.iterations > MAX_CORRECTIONS || stalled > 2 {
                out.outcome = if error < 1e-9 {
                    Outcome::Exact
                } else {
                    Outcome::NotConverged
                };
                break;
            }
            self.force.copy_from_slice(&checker.force);
            self.rows.copy_from_slice(&checker.rows);
            let (rf, rb) = (Some(&self.force[..]), Some(&self.rows[..]));
            elimination.solve(system, rf, rb, &mut self.lambda_step, &mut self.y_step);
            let moved = add_step(y, &self.y_step, 1.0);
            add_step(lambda, &self.lambda_step, 1.0);
            out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
            out.iterations += 1;
            let now = worst(out.residual);
            if !elimination.is_proximal() && now >= error {
                // Round-off: the correction gained nothing.
                add_step(y, &self.y_step, -1.0);
                add_step(lambda, &self.lambda_step, -1.0);
                out.residual = checker.evaluate(system, &self.primary, force, b, lambda, y);
                out.outcome = if error < 1e-9 {
                    Outcome::Exact
                } else {
                    Outcome::NotConverged
                };
                break;
            }
            if moved <= RESTING && now > CONVERGED {
                if now > 1e-10 {
                    // Every solve, the first included, added the same empty push to λ.
                    add_step(lambda, &self.lambda_step, -(out.iterations as f64));
                    out.outcome = Outcome::LeastSquares;
                }
                break;
            }
            stalled = if now > 0.7 * error {
                stalled + usize::from(moved < 1e-9)
            } else {
                0
            };
            error = now;
        }
    }
}

/// `x ← x + factor·dx`; the largest change relative to the largest entry.
fn add_step(x: &mut [f64], dx: &[f64], factor: f64) -> f64 {
    let (mut change, mut size) = (0.0f64, f64::MIN_POSITIVE);
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += factor * dx;
        change = change.max(dx.abs());
        size = size.max(x.abs());
    }
    change / size
}
