//! Solving with the core's factor: free motion, multipliers, constrained motion.

use super::super::branch::Branches;
use super::super::mass::Inverse;
use super::super::rows::copy_or_zero;
use super::{CoreFactor, blocks};
use crate::math::{scale, sub};
use crate::system::{JacobianKind, System};
use crate::topology::CoreNode;

impl CoreFactor {
    /// Solves for the core: reads the branches' loads, writes `λ` and `y` of the core. `load` is
    /// scratch over velocities, zero on this core's bodies.
    pub(in crate::solve) fn solve(
        &mut self,
        system: &System,
        branches: &Branches,
        load: &mut [f64],
        (force, b): (Option<&[f64]>, Option<&[f64]>),
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        self.free_motion(system, branches, force, load, y);
        self.right_hand_side(system, b, load, y);
        self.sweep();
        self.write_back(system, load, lambda, y);
    }

    /// `y ← W·f̂` for early bodies; hubs stay at rest and their loads go to `load`.
    fn free_motion(
        &self,
        system: &System,
        branches: &Branches,
        force: Option<&[f64]>,
        load: &mut [f64],
        y: &mut [f64],
    ) {
        for (early, inverse) in self.plan.early.iter().zip(&self.inverse) {
            let v0 = system.bodies[early.body as usize].v0 as usize;
            if let (Inverse::Rigid(inverse), Some(force)) = (inverse, force) {
                // Without children the load is the force itself.
                y[v0..v0 + 6].copy_from_slice(&inverse.times(&force[v0..v0 + 6]));
                continue;
            }
            let range = system.v_range(early.body);
            let y = &mut y[range.clone()];
            copy_or_zero(force.map(|force| &force[range]), y);
            if early.has_children {
                branches.core_load(system, early.body, y);
            }
            inverse.apply(system, &self.early_values, early.body, y);
        }
        for &(hub, has_children) in &self.plan.hubs {
            let range = system.v_range(hub);
            let load = &mut load[range.clone()];
            copy_or_zero(force.map(|force| &force[range.clone()]), load);
            if has_children {
                branches.core_load(system, hub, load);
            }
            y[range].fill(0.0);
        }
    }

    /// `x ← (b − J·y, −f̂_h)` for the free motion `y`.
    fn right_hand_side(&mut self, system: &System, b: Option<&[f64]>, load: &[f64], y: &[f64]) {
        if let Some(joints) = &self.ball_nodes {
            let (x, _) = self.x.as_chunks_mut::<3>();
            for (x, &(joint, row0)) in x.iter_mut().zip(joints) {
                let motion = system.balls[joint as usize].motion(y);
                *x = match b {
                    Some(b) => {
                        let b = &b[row0 as usize..row0 as usize + 3];
                        sub([b[0], b[1], b[2]], motion)
                    }
                    None => scale(-1.0, motion),
                };
            }
            return;
        }
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let x0 = self.plan.matrix.x0[place] as usize;
            let x = &mut self.x[x0..x0 + self.plan.matrix.n_rows[place] as usize];
            match node {
                CoreNode::Hub(hub) => {
                    for (x, load) in x.iter_mut().zip(&load[system.v_range(*hub)]) {
                        *x = -load;
                    }
                }
                CoreNode::Constraint(c) => {
                    system.constraint_motion(*c, y, x);
                    for (x, row) in x.iter_mut().zip(system.row_range(*c)) {
                        *x = b.map_or(0.0, |b| b[row]) - *x;
                    }
                }
            }
        }
    }

    /// `x ← (L·D·Lᵀ)⁻¹·x`.
    fn sweep(&mut self) {
        let (plan, values, x) = (&*self.plan.matrix, &self.values, &mut self.x);
        match self.uniform {
            1 => blocks::sweep::<1, 1>(plan, values, x),
            2 => blocks::sweep::<2, 4>(plan, values, x),
            3 => blocks::sweep::<3, 9>(plan, values, x),
            5 => blocks::sweep::<5, 25>(plan, values, x),
            _ => self.sweep_any(),
        }
    }

    fn sweep_any(&mut self) {
        let plan = &*self.plan.matrix;
        let size = |place: usize| plan.n_rows[place] as usize;
        for j in 0..plan.n_rows.len() {
            let n = size(j);
            let x0 = plan.x0[j] as usize;
            let (head, tail) = self.x.split_at_mut(x0 + n);
            let x = &head[x0..x0 + n];
            for p in plan.column[j] as usize..plan.column[j + 1] as usize {
                let row = plan.block_row[p] as usize;
                let m = size(row);
                let lower = &self.values[plan.block[p] as usize..][..m * n];
                let target = plan.x0[row] as usize - x0 - n;
                let target = &mut tail[target..target + m];
                match (m, n) {
                    (5, 5) => take_off(5, &lower[..25], &x[..5], &mut target[..5]),
                    _ => take_off(m, lower, x, target),
                }
            }
        }
        let mut copy = [0.0; crate::system::MAX_ROWS];
        for j in (0..plan.n_rows.len()).rev() {
            let n = size(j);
            let x0 = plan.x0[j] as usize;
            let (head, tail) = self.x.split_at_mut(x0 + n);
            let x = &mut head[x0..x0 + n];
            let inverse = &self.values[plan.diagonal[j] as usize..][..n * n];
            for k in 0..n {
                copy[k] = x[k];
            }
            for (x, row) in x.iter_mut().zip(inverse.chunks_exact(n)) {
                let mut sum = 0.0;
                for (a, c) in row.iter().zip(&copy[..n]) {
                    sum += a * c;
                }
                *x = sum;
            }
            for p in plan.column[j] as usize..plan.column[j + 1] as usize {
                let row = plan.block_row[p] as usize;
                let m = size(row);
                let lower = &self.values[plan.block[p] as usize..][..m * n];
                let from = plan.x0[row] as usize - x0 - n;
                let other = &tail[from..from + m];
                match (m, n) {
                    (5, 5) => take_off_transposed(5, &lower[..25], &other[..5], &mut x[..5]),
                    _ => take_off_transposed(m, lower, other, x),
                }
            }
        }
    }

    /// `λ` and `y_h` from `x`; `y ← y + W·Jᵀ·λ` for early bodies.
    fn write_back(&self, system: &System, load: &mut [f64], lambda: &mut [f64], y: &mut [f64]) {
        if let Some(joints) = &self.ball_nodes {
            let (x, _) = self.x.as_chunks::<3>();
            for (x, &(joint, row0)) in x.iter().zip(joints) {
                lambda[row0 as usize..row0 as usize + 3].copy_from_slice(x);
                system.balls[joint as usize].add_force(*x, load);
            }
        } else {
            for (place, node) in self.plan.nodes.iter().enumerate() {
                let x0 = self.plan.matrix.x0[place] as usize;
                let x = &self.x[x0..x0 + self.plan.matrix.n_rows[place] as usize];
                match node {
                    CoreNode::Constraint(c) => {
                        lambda[system.row_range(*c)].copy_from_slice(x);
                        system.add_constraint_force(*c, x, load);
                    }
                    CoreNode::Hub(hub) => y[system.v_range(*hub)].copy_from_slice(x),
                }
            }
        }
        for (early, inverse) in self.plan.early.iter().zip(&self.inverse) {
            let v0 = system.bodies[early.body as usize].v0 as usize;
            if let Inverse::Rigid(inverse) = inverse {
                let added = inverse.times(&load[v0..v0 + 6]);
                for (y, added) in y[v0..v0 + 6].iter_mut().zip(added) {
                    *y += added;
                }
                continue;
            }
            let range = system.v_range(early.body);
            let load = &mut load[range.clone()];
            inverse.apply(system, &self.early_values, early.body, load);
            for (y, load) in y[range].iter_mut().zip(load) {
                *y += *load;
            }
        }
    }
}

/// `target ← target − Lᵀ·x` with L by rows of `m`. Hinges among others have blocks of five: the loops of a size that is
/// known are unrolled.
#[inline(always)]
fn take_off(m: usize, lower: &[f64], x: &[f64], target: &mut [f64]) {
    for (x, l) in x.iter().zip(lower.chunks_exact(m)) {
        target.iter_mut().zip(l).for_each(|(t, l)| *t -= l * x);
    }
}

/// `x ← x − L·other`.
#[inline(always)]
fn take_off_transposed(m: usize, lower: &[f64], other: &[f64], x: &mut [f64]) {
    for (x, l) in x.iter_mut().zip(lower.chunks_exact(m)) {
        *x -= l.iter().zip(other).map(|(l, o)| l * o).sum::<f64>();
    }
}

/// Joint and first row of a node that is a ball joint.
pub(super) fn ball_node(system: &System, node: CoreNode) -> Option<(u32, u32)> {
    let CoreNode::Constraint(c) = node else {
        return None;
    };
    let constraint = &system.constraints[c as usize];
    match constraint.jacobian {
        JacobianKind::Ball(joint) => Some((joint, constraint.row0)),
        _ => None,
    }
}
