//! Results of a forward sweep at its steps, for products of responses (Baraff 1996, §10).
//!
//! A step has the pivot `D`, and the sweep gives it `e`: the load along its free directions, or in the literal
//! form the body's load and its rows. Then, without a backward sweep,
//!
//! ```text
//!     f_aᵀ·M̂⁻¹·f_b = Σ e_aᵀ·D⁻¹·e_b      over the steps on the ways of both to their roots
//! ```

use super::{Branches, StepKind};
use crate::math::sym_vec;
use crate::system::System;
use crate::topology::NONE;

impl Branches {
    /// Adds the steps on the paths of `heads` to their roots, ascending.
    pub(in crate::solve) fn add_path(&self, heads: &mut [u32], path: &mut Vec<u32>) {
        loop {
            let at = heads.iter().fold(NONE, |first, &head| first.min(head));
            if at == NONE {
                return;
            }
            path.push(at);
            for head in heads.iter_mut().filter(|head| **head == at) {
                *head = self.steps[at as usize].parent_step;
            }
        }
    }

    /// Number of results of a forward sweep at a step.
    pub(in crate::solve) fn n_left(&self, step: u32) -> usize {
        match self.steps[step as usize].kind {
            StepKind::Ball { .. } => 3,
            StepKind::Frame { pivot, .. } => self.frames[pivot as usize].n_free as usize,
            StepKind::Pin { .. } => 1,
            StepKind::Generic { pivot } => self.generic.n_left(pivot),
        }
    }

    /// Writes the results of the last forward sweep at a step, `e`, and `D⁻¹·e`.
    pub(in crate::solve) fn left(
        &self,
        system: &System,
        step: u32,
        e: &mut [f64],
        by_d: &mut [f64],
    ) {
        let step = &self.steps[step as usize];
        let load = &self.load[step.body as usize];
        match step.kind {
            StepKind::Ball { pivot, .. } => {
                let torque = [load[3], load[4], load[5]];
                e.copy_from_slice(&torque);
                by_d.copy_from_slice(&sym_vec(&self.balls[pivot as usize].c_inv, torque));
            }
            StepKind::Frame { pivot, .. } => {
                let first = self.frames[pivot as usize].first_free as usize;
                for k in 0..e.len() {
                    e[k] = self.free_load[first + k];
                    by_d[k] = e[k] * self.free[first + k].inv_d;
                }
            }
            StepKind::Pin { pivot, .. } => {
                [e[0], by_d[0]] = self.pins[pivot as usize].left(step, &self.force);
            }
            StepKind::Generic { pivot } => {
                let load = if step.rigid == NONE {
                    &self.force[system.v_range(step.body)]
                } else {
                    load
                };
                self.generic.left(pivot, load, e, by_d);
            }
        }
    }
}
