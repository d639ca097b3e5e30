//! What the normal-equation methods share: `A·λ = b − J·M⁻¹·f`, `A = J·M⁻¹·Jᵀ + C`.

use super::Solution;
use super::levels::weight;
use super::mass::MassInverse;
use super::residual::Checker;
use crate::assemble::System;
use crate::topology::Topology;

/// What both forms share: the rows, numbered without gaps, and the inverse masses.
#[derive(Clone, Debug, Default)]
pub(super) struct Normal {
    /// Primary constraints, then those of lower levels that may join them.
    pub(super) constraints: Vec<u32>,
    pub(super) start: Vec<usize>,
    n_primary: usize,
    /// Constraints and rows that a solve is for.
    pub(super) n_used: usize,
    pub(super) n: usize,
    pub(super) inverse: MassInverse,
    pub(super) scale: Vec<f64>,
    /// Constraints of each body, as places in `constraints`.
    pub(super) at_body: Vec<Vec<u32>>,
    pub(super) y: Vec<f64>,
    pub(super) b: Vec<f64>,
    pub(super) x: Vec<f64>,
    checker: Checker,
}

impl Normal {
    pub(super) fn new(system: &System, topology: &Topology, lower: &[u32]) -> Self {
        let mut constraints = topology.primary();
        let n_primary = constraints.len();
        constraints.extend_from_slice(lower);
        let mut at_body = vec![Vec::new(); system.bodies.len()];
        let mut start = Vec::with_capacity(constraints.len() + 1);
        let mut scale = Vec::new();
        for (place, &c) in constraints.iter().enumerate() {
            start.push(scale.len());
            let weight = weight(system, c);
            scale.extend(
                system
                    .row_range(c)
                    .map(|row| system.row_scale[row] * weight),
            );
            system.for_each_side(c, false, |body, _| {
                at_body[body as usize].push(place as u32);
            });
        }
        let n = scale.len();
        start.push(n);
        Self {
            n_primary,
            n_used: constraints.len(),
            constraints,
            start,
            n,
            inverse: MassInverse::new(system),
            scale,
            at_body,
            y: vec![0.0; system.n_v()],
            b: vec![0.0; n],
            x: vec![0.0; n],
            checker: Checker::new(system),
        }
    }

    /// What the next solve is for: all constraints, or the primary ones alone.
    pub(super) fn join(&mut self, joins: bool) {
        self.n_used = if joins {
            self.constraints.len()
        } else {
            self.n_primary
        };
        self.n = self.start[self.n_used];
    }

    /// `b ← scale·(b − J·M⁻¹·f)`.
    pub(super) fn right_hand_side(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
    ) {
        match force {
            Some(force) => {
                self.y.copy_from_slice(force);
                self.inverse.apply_all(system, &mut self.y);
            }
            None => self.y.fill(0.0),
        }
        for (&c, &start) in self.constraints[..self.n_used].iter().zip(&self.start) {
            let range = system.row_range(c);
            let out = &mut self.b[start..start + range.len()];
            system.constraint_motion(c, &self.y, out);
            for (i, row) in range.enumerate() {
                out[i] = (b.map_or(0.0, |b| b[row]) - out[i]) * self.scale[start + i];
            }
        }
    }

    /// `λ` from the scaled unknowns, `y = M⁻¹·(f + Jᵀ·λ)`, and the residual.
    pub(super) fn finish(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) {
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        match force {
            Some(force) => y.copy_from_slice(force),
            None => y.fill(0.0),
        }
        for (&c, &start) in self.constraints[..self.n_used].iter().zip(&self.start) {
            let range = system.row_range(c);
            for (i, row) in range.clone().enumerate() {
                lambda[row] = self.scale[start + i] * self.x[start + i];
            }
            system.add_constraint_force(c, &lambda[range], y);
        }
        self.inverse.apply_all(system, y);
        out.residual = self.checker.evaluate(
            system,
            &self.constraints[..self.n_used],
            force,
            b,
            lambda,
            y,
        );
    }
}
