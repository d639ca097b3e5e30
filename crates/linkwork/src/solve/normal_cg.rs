//! `NormalCg`: the normal equations iterated with `J`, `M⁻¹` and `Jᵀ` in turn (Faure 1998, eq. 13;
//! Faure 1999, eq. 6: Gleicher's way).
//!
//! Cost: O(n) per iteration, and as many iterations as the longest chain needs.

use super::levels::damp_levels;
use super::normal::Normal;
use super::{Ask, Krylov, Lower, Meter, Solution, gather, scatter};
use crate::assemble::System;
use crate::linalg::krylov::{ConjugateResiduals, Limits, norm};
use crate::topology::Topology;

/// Conjugate residuals on `A`, applied as `J`, `M⁻¹`, `Jᵀ` in turn.
#[derive(Clone, Debug, Default)]
pub(super) struct NormalCg {
    normal: Normal,
    krylov: ConjugateResiduals,
    /// Largest diagonal entry of the scaled `A`.
    operator_size: f64,
    /// Of each row, scaled.
    damping: Vec<f64>,
}

impl NormalCg {
    pub(super) fn new(system: &System, topology: &Topology, lower: &[u32]) -> Self {
        let normal = Normal::new(system, topology, lower);
        Self {
            krylov: ConjugateResiduals::new(normal.n),
            operator_size: 0.0,
            damping: vec![0.0; normal.n],
            normal,
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        let normal = &mut self.normal;
        normal.inverse.factor(system);
        self.operator_size = 0.0;
        for (&c, &start) in normal.constraints.iter().zip(&normal.start) {
            for i in 0..system.constraints[c as usize].n_rows as usize {
                let scale = normal.scale[start + i];
                let entry = normal.inverse.mobility(system, c, i, &mut normal.y);
                self.operator_size = self.operator_size.max(scale * scale * entry);
                self.damping[start + i] = scale * scale * entry;
            }
        }
        let layout = (&normal.constraints[..], &normal.start[..]);
        damp_levels(system, layout, &mut self.damping);
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        options: &Krylov,
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let (force, b) = (ask.force, ask.b);
        let normal = &mut self.normal;
        normal.join(ask.lower == Lower::Joined);
        let n = normal.n;
        normal.right_hand_side(system, force, b);
        let tolerance = options.tolerance * norm(&normal.b[..n]);
        let (start, scale) = (&normal.start, &normal.scale[..n]);
        let constraints = &normal.constraints[..normal.n_used];
        let layout = (constraints, scale);
        gather(system, layout, ask.warm, &mut normal.x[..n]);
        self.krylov.resize(n);
        let direction = &mut self.krylov.direction;
        gather(system, layout, ask.direction.as_deref(), direction);
        let (inverse, damping, y) = (&normal.inverse, &self.damping, &mut normal.y);
        let mut lambda = [0.0; super::MAX_ROWS];
        let mut apply = |x: &[f64], out: &mut [f64]| {
            y.fill(0.0);
            for (&c, &start) in constraints.iter().zip(start) {
                let n = system.constraints[c as usize].n_rows as usize;
                for i in 0..n {
                    lambda[i] = scale[start + i] * x[start + i];
                }
                system.add_constraint_force(c, &lambda[..n], y);
            }
            inverse.apply_all(system, y);
            for (&c, &start) in constraints.iter().zip(start) {
                let range = system.row_range(c);
                let out = &mut out[start..start + range.len()];
                system.constraint_motion(c, y, out);
                for (i, row) in range.enumerate() {
                    let soft = system.compliance[row] * scale[start + i] * x[start + i];
                    out[i] = (out[i] + soft) * scale[start + i] + damping[start + i] * x[start + i];
                }
            }
        };
        let limits = Limits {
            tolerance,
            operator_size: self.operator_size,
            max_iterations: options.max_iterations,
        };
        let (b, x) = (&normal.b[..n], &mut normal.x[..n]);
        let is_spent = |iterations| meter.is_spent(iterations);
        let (iterations, stop) = self.krylov.solve(b, x, limits, is_spent, &mut apply);
        if let Some(direction) = ask.direction {
            scatter(system, layout, &self.krylov.direction, direction);
        }
        out.iterations = iterations;
        out.outcome = stop.into();
        normal.finish(system, force, ask.b, out);
    }
}
