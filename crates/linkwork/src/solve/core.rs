//! The core: block LDLᵀ of what the branches leave, in a fill-reducing order.
//!
//! Bodies of low degree are eliminated first, through their mass matrices (closed form for rigid
//! bodies). With `W = M̂⁻¹` of those and hub bodies `h` kept, what remains is
//!
//! ```text
//!     [ J·W·Jᵀ + C    J_h ] [ λ  ]   [ b − J·W·f̂ ]
//!     [   J_hᵀ      −M̂_h ] [ y_h ] = [   −f̂_h    ]
//! ```
//!
//! symmetric, with constraint pivots positive and hub pivots negative. Where rows repeat each other
//! a constraint pivot is lost; the factor then adds `μ` to the diagonal (proximal form), in which
//! every order exists.

use super::articulated::Articulated;
use super::branch::Branches;
use super::core_blocks::{self, Floor};
use super::mass::Inverse;
use crate::assemble::{JacobianKind, MassBlock, Side, System};
use crate::linalg::small::{self, LOST_PIVOT, Pivot};
use crate::math::{Sym3, Vec3, cross, neg, scale, sub, sym_vec};
use crate::topology::{Core, CoreNode, NONE};

/// The proximal term, relative to the mean diagonal of the scaled matrix.
pub(super) const PROXIMAL: f64 = 1e-8;

/// The factor of one core, and the workspace of its solves.
#[derive(Clone, Debug)]
pub(super) struct CoreFactor {
    plan: Core,
    /// Blocks of the matrix, then of its factor: inverse diagonal blocks and blocks of `L`.
    values: Vec<f64>,
    /// Diagonal before elimination, per row of a core vector, and the proximal term.
    reference: Vec<f64>,
    mu: Vec<f64>,
    x: Vec<f64>,
    inverse: Vec<Inverse>,
    early_values: Vec<f64>,
    /// `W·Jᵀ` of one body's constraints, by columns.
    scratch: Vec<f64>,
    /// One diagonal block's inverse and one block, for sizes that are not compiled.
    inverse_block: Vec<f64>,
    block: Vec<f64>,
    /// Rows of every node, if they are all alike; and no hub is among them; else `MIXED`.
    uniform: usize,
    /// Where each hub is among the nodes.
    hub_places: Vec<usize>,
    /// Joint and first row of every node, if all are ball joints.
    ball_nodes: Option<Vec<(u32, u32)>>,
    /// For each of `Core::couplings`, the ball joints it is of; and whether all of a body's are.
    ball_pairs: Vec<BallPair>,
    all_balls: Vec<bool>,
}

impl CoreFactor {
    /// Lays out the factor of a core (system indices).
    pub(super) fn new(system: &System, plan: &Core) -> Self {
        let largest = plan.n_rows.iter().max().map_or(0, |&n| n as usize);
        let mut n_scratch = 0;
        let mut early_values = 0;
        let mut inverse = Vec::with_capacity(plan.early.len());
        for early in &plan.early {
            let block = &system.bodies[early.body as usize];
            let n = block.n_v as usize;
            let range = early.constraints.0 as usize..early.constraints.1 as usize;
            let rows: u32 = plan.early_constraints[range]
                .iter()
                .map(|&c| system.constraints[c as usize].n_rows)
                .sum();
            n_scratch = n_scratch.max(n * rows as usize);
            inverse.push(match block.mass {
                MassBlock::Rigid(_) if !early.has_children => Inverse::Rigid {
                    inv_mass: 0.0,
                    inv_inertia: [0.0; 6],
                },
                MassBlock::Rigid(_) | MassBlock::Dense(_) => {
                    early_values += n * n;
                    Inverse::Dense {
                        offset: (early_values - n * n) as u32,
                    }
                }
                _ => Inverse::Own,
            });
        }
        let mut pairs = Vec::with_capacity(plan.couplings.len());
        let all_balls = (0..plan.early.len())
            .map(|at| ball_pairs(system, plan, at, &mut pairs))
            .collect();
        Self {
            values: vec![0.0; plan.n_values as usize],
            inverse_block: vec![0.0; largest * largest],
            block: vec![0.0; largest * largest],
            reference: vec![0.0; plan.n_x as usize],
            mu: vec![0.0; plan.n_x as usize],
            x: vec![0.0; plan.n_x as usize],
            inverse,
            early_values: vec![0.0; early_values],
            scratch: vec![0.0; n_scratch.max(largest * largest)],
            uniform: match plan.n_rows.first() {
                Some(&first) if plan.hubs.is_empty() && plan.n_rows.iter().all(|&n| n == first) => {
                    first as usize
                }
                _ => MIXED,
            },
            ball_nodes: plan
                .nodes
                .iter()
                .map(|node| ball_node(system, *node))
                .collect(),
            ball_pairs: pairs,
            all_balls,
            hub_places: hub_places(plan),
            plan: plan.clone(),
        }
    }

    /// Whether the order relies on the proximal term from the start.
    pub(super) fn needs_proximal(&self) -> bool {
        self.plan.needs_proximal
    }

    /// Block operations of one factor: pivots, columns and updates.
    pub(super) fn n_operations(&self) -> usize {
        self.plan.couplings.len() + self.plan.block.len() + self.plan.update.len()
    }

    /// Bodies of this core.
    fn bodies(&self) -> impl Iterator<Item = u32> {
        let early = self.plan.early.iter().map(|early| early.body);
        early.chain(self.plan.hubs.iter().map(|&(hub, _)| hub))
    }

    /// Fills the matrix from `system` and from what the branches folded in.
    pub(super) fn assemble(&mut self, system: &System, branches: &Branches) {
        self.values.fill(0.0);
        for at in 0..self.plan.early.len() {
            self.invert_mass(system, branches, at);
            self.couple(system, at);
        }
        for (&(hub, has_children), &place) in self.plan.hubs.iter().zip(&self.hub_places) {
            let n = self.plan.n_rows[place] as usize;
            let offset = self.plan.diagonal[place] as usize;
            let block = &mut self.values[offset..offset + n * n];
            body_mass(system, branches, hub, has_children, block);
            block.iter_mut().for_each(|value| *value = -*value);
        }
        self.couple_hubs(system);
        if system.has_soft_rows {
            for (place, node) in self.plan.nodes.iter().enumerate() {
                let CoreNode::Constraint(c) = node else {
                    continue;
                };
                let (n, offset) = (self.plan.n_rows[place], self.plan.diagonal[place]);
                for (i, row) in system.row_range(*c).enumerate() {
                    self.values[offset as usize + i * (n as usize + 1)] += system.compliance[row];
                }
            }
        }
        let (plan, values, reference) = (&self.plan, &self.values, &mut self.reference);
        if self.uniform == 3 {
            core_blocks::references::<3, 9>(plan, values, reference);
            return;
        }
        for (place, &offset) in plan.diagonal.iter().enumerate() {
            let (n, x0) = (plan.n_rows[place] as usize, plan.x0[place] as usize);
            for i in 0..n {
                reference[x0 + i] = values[offset as usize + i * (n + 1)];
            }
        }
    }

    fn couple_hubs(&mut self, system: &System) {
        for edge in &self.plan.hub_edges {
            let n_v = system.bodies[edge.hub as usize].n_v as usize;
            let m = system.constraints[edge.constraint as usize].n_rows as usize;
            let side = system.side(edge.constraint, edge.hub);
            let block = &mut self.values[edge.offset as usize..edge.offset as usize + n_v * m];
            if edge.constraint_is_first {
                side.expand(n_v, block);
            } else {
                let rows = &mut self.scratch;
                side.expand(n_v, &mut rows[..n_v * m]);
                for i in 0..m {
                    for k in 0..n_v {
                        block[k * m + i] = rows[i * n_v + k];
                    }
                }
            }
        }
    }

    /// Factors in place. Without the proximal term, gives up at the first lost pivot.
    pub(super) fn factor(&mut self, system: &System, proximal: bool) -> Pivot {
        self.mu.fill(0.0);
        if proximal {
            self.add_proximal(system);
        }
        let reference = if proximal { &self.mu } else { &self.reference };
        // With the proximal term, no pivot can fall below it but by round-off.
        let floor = if proximal { 0.1 } else { LOST_PIVOT };
        let floor = Floor {
            reference,
            floor,
            carry_on: proximal,
        };
        let (plan, values) = (&self.plan, &mut self.values);
        match self.uniform {
            1 => core_blocks::factor::<1, 1>(plan, values, &floor),
            2 => core_blocks::factor::<2, 4>(plan, values, &floor),
            3 => core_blocks::factor::<3, 9>(plan, values, &floor),
            5 => core_blocks::factor::<5, 25>(plan, values, &floor),
            _ => self.factor_any(proximal),
        }
    }

    /// The factor loop for blocks of any size.
    fn factor_any(&mut self, proximal: bool) -> Pivot {
        let plan = &self.plan;
        let mut updates = plan.update.iter();
        for j in 0..plan.nodes.len() {
            let n = plan.n_rows[j] as usize;
            let diagonal = plan.diagonal[j] as usize;
            let x0 = plan.x0[j] as usize;
            let hub = matches!(plan.nodes[j], CoreNode::Hub(_));
            let (sign, reference, floor) = match (hub, proximal) {
                (true, _) => (-1.0, &self.reference, f64::EPSILON),
                (false, true) => (1.0, &self.mu, 0.1),
                (false, false) => (1.0, &self.reference, LOST_PIVOT),
            };
            let inverse = &mut self.inverse_block[..n * n];
            let pivot = small::invert_block(
                n,
                sign,
                &self.values[diagonal..diagonal + n * n],
                &reference[x0..x0 + n],
                floor,
                inverse,
            );
            if pivot == Pivot::Lost && !proximal {
                return Pivot::Lost;
            }
            self.values[diagonal..diagonal + n * n].copy_from_slice(inverse);
            let (start, end) = (plan.column[j] as usize, plan.column[j + 1] as usize);
            for p in start..end {
                let row = plan.block_row[p] as usize;
                let m = plan.n_rows[row] as usize;
                let at = plan.block[p] as usize;
                let block = &mut self.block[..m * n];
                block.copy_from_slice(&self.values[at..at + m * n]);
                // Blocks hold Bᵀ: T_pqᵀ ← T_pqᵀ − L_q·B_pᵀ for the blocks of L above this one.
                for (q, target) in (start..p).zip(&mut updates) {
                    let k = plan.n_rows[plan.block_row[q] as usize] as usize;
                    let (from, target) = (plan.block[q] as usize, *target as usize);
                    // Blocks lie after their column's, so the target is after the source.
                    let (head, tail) = self.values.split_at_mut(target);
                    let lower = &head[from..from + k * n];
                    small::subtract_transposed_product(k, m, lower, block, &mut tail[..m * k]);
                }
                // L_pᵀ = D⁻¹·B_pᵀ, and D_p ← D_p − B_p·L_pᵀ.
                let target = plan.diagonal[row] as usize;
                let (head, tail) = self.values.split_at_mut(at);
                let lower = &mut tail[..m * n];
                small::multiply(n, m, inverse, block, lower);
                let diagonal = &mut head[target..target + m * m];
                small::subtract_transposed_product(m, m, block, lower, diagonal);
            }
        }
        Pivot::Regular
    }

    /// `A ← A + μ`, with `μ` equal for all rows once they are scaled to metres, so that
    /// contradictory rows are met in least squares.
    fn add_proximal(&mut self, system: &System) {
        let plan = &self.plan;
        let (mut sum, mut count) = (0.0, 0.0);
        for (place, node) in plan.nodes.iter().enumerate() {
            if let CoreNode::Constraint(c) = node {
                let row0 = system.constraints[*c as usize].row0 as usize;
                for i in 0..plan.n_rows[place] as usize {
                    let scale = system.row_scale[row0 + i];
                    sum += scale * scale * self.reference[plan.x0[place] as usize + i];
                    count += 1.0;
                }
            }
        }
        // Rows that depend on nothing have no size of their own.
        let mean = PROXIMAL * if sum > 0.0 { sum / count } else { 1.0 };
        for (place, node) in plan.nodes.iter().enumerate() {
            let CoreNode::Constraint(c) = node else {
                continue;
            };
            let row0 = system.constraints[*c as usize].row0 as usize;
            let n = plan.n_rows[place] as usize;
            for i in 0..n {
                let scale = system.row_scale[row0 + i];
                let mu = mean / (scale * scale);
                self.mu[plan.x0[place] as usize + i] = mu;
                self.values[plan.diagonal[place] as usize + i * n + i] += mu;
            }
        }
    }

    /// Writes the proximal terms of the rows of this core.
    pub(super) fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        for (place, node) in self.plan.nodes.iter().enumerate() {
            if let CoreNode::Constraint(c) = node {
                let x0 = self.plan.x0[place] as usize;
                let own = &self.mu[x0..x0 + self.plan.n_rows[place] as usize];
                mu[system.row_range(*c)].copy_from_slice(own);
            }
        }
    }

    fn invert_mass(&mut self, system: &System, branches: &Branches, at: usize) {
        let early = &self.plan.early[at];
        match (&self.inverse[at], system.bodies[early.body as usize].mass) {
            (Inverse::Rigid { .. }, MassBlock::Rigid(rigid)) => {
                self.inverse[at] = Inverse::of_rigid(system, rigid);
            }
            (Inverse::Dense { offset }, _) => {
                let n = system.bodies[early.body as usize].n_v as usize;
                let mass = &mut self.early_values[*offset as usize..][..n * n];
                body_mass(system, branches, early.body, early.has_children, mass);
                small::cholesky(n, mass);
            }
            _ => {}
        }
    }

    /// Adds `J_i·W·J_kᵀ` for every pair of constraints on an early body.
    fn couple(&mut self, system: &System, at: usize) {
        let early = &self.plan.early[at];
        let n_v = system.bodies[early.body as usize].n_v as usize;
        let first = early.constraints.0 as usize;
        let constraints = &self.plan.early_constraints[first..early.constraints.1 as usize];
        let couplings =
            &self.plan.couplings[early.couplings.0 as usize..early.couplings.1 as usize];
        if let Inverse::Rigid {
            inv_mass,
            inv_inertia,
        } = &self.inverse[at]
        {
            if self.all_balls[at] {
                let pairs = early.couplings.0 as usize..early.couplings.1 as usize;
                let mass = (*inv_mass, inv_inertia);
                couple_balls(system, mass, &self.ball_pairs[pairs], &mut self.values);
                return;
            }
            for coupling in couplings {
                let i = constraints[coupling.row as usize];
                let k = constraints[coupling.col as usize];
                let block = &mut self.values[coupling.offset as usize..];
                let (side_i, side_k) = (system.side(i, early.body), system.side(k, early.body));
                couple_rigid(
                    *inv_mass,
                    inv_inertia,
                    &side_i,
                    &side_k,
                    system,
                    (i, k),
                    block,
                );
            }
            return;
        }
        // W·Jᵀ by columns, then J_i times each.
        let mut start = 0;
        let mut starts = [0usize; 64];
        for (place, &c) in constraints.iter().enumerate() {
            let m = system.constraints[c as usize].n_rows as usize;
            if let Some(slot) = starts.get_mut(place) {
                *slot = start;
            }
            let part = &mut self.scratch[start * n_v..(start + m) * n_v];
            system.side(c, early.body).expand(n_v, part);
            for column in part.chunks_exact_mut(n_v) {
                self.inverse[at].apply(system, &self.early_values, early.body, column);
            }
            start += m;
        }
        let start_of = |place: usize| {
            starts.get(place).copied().unwrap_or_else(|| {
                let before = &constraints[..place];
                before
                    .iter()
                    .map(|&c| system.constraints[c as usize].n_rows as usize)
                    .sum()
            })
        };
        for coupling in couplings {
            let (i, k) = (
                constraints[coupling.row as usize],
                constraints[coupling.col as usize],
            );
            let m_i = system.constraints[i as usize].n_rows as usize;
            let m_k = system.constraints[k as usize].n_rows as usize;
            let side = system.side(i, early.body);
            let from = start_of(coupling.col as usize);
            let mut column = [0.0; 64];
            for j in 0..m_k {
                let p = &self.scratch[(from + j) * n_v..(from + j + 1) * n_v];
                let column = &mut column[..m_i];
                column.fill(0.0);
                side.apply(p, column);
                for (row, value) in column.iter().enumerate() {
                    self.values[coupling.offset as usize + row * m_k + j] += value;
                }
            }
        }
    }

    /// Solves for the core: reads the branches' loads, writes `λ` and `y` of the core. `load` is
    /// scratch over velocities, zero on this core's bodies.
    pub(super) fn solve(
        &mut self,
        system: &System,
        branches: &Branches,
        load: &mut [f64],
        force: Option<&[f64]>,
        b: Option<&[f64]>,
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
            if let (
                Inverse::Rigid {
                    inv_mass,
                    inv_inertia,
                },
                Some(force),
            ) = (inverse, force)
            {
                // Nothing hangs on it, so its load is the force itself.
                let (f, y) = (&force[v0..v0 + 6], &mut y[v0..v0 + 6]);
                let spin = sym_vec(inv_inertia, [f[3], f[4], f[5]]);
                for k in 0..3 {
                    y[k] = inv_mass * f[k];
                    y[3 + k] = spin[k];
                }
                continue;
            }
            let y = &mut y[system.v_range(early.body)];
            match force {
                Some(force) => y.copy_from_slice(&force[system.v_range(early.body)]),
                None => y.fill(0.0),
            }
            if early.has_children {
                branches.core_load(system, early.body, y);
            }
            inverse.apply(system, &self.early_values, early.body, y);
        }
        for &(hub, has_children) in &self.plan.hubs {
            let range = system.v_range(hub);
            let load = &mut load[range.clone()];
            match force {
                Some(force) => load.copy_from_slice(&force[range.clone()]),
                None => load.fill(0.0),
            }
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
            let x0 = self.plan.x0[place] as usize;
            let x = &mut self.x[x0..x0 + self.plan.n_rows[place] as usize];
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
        let (plan, values, x) = (&self.plan, &self.values, &mut self.x);
        match self.uniform {
            1 => core_blocks::sweep::<1, 1>(plan, values, x),
            2 => core_blocks::sweep::<2, 4>(plan, values, x),
            3 => core_blocks::sweep::<3, 9>(plan, values, x),
            5 => core_blocks::sweep::<5, 25>(plan, values, x),
            _ => self.sweep_any(),
        }
    }

    fn sweep_any(&mut self) {
        let plan = &self.plan;
        let size = |place: usize| plan.n_rows[place] as usize;
        for j in 0..plan.nodes.len() {
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
                for (x, l) in x.iter().zip(lower.chunks_exact(m)) {
                    target.iter_mut().zip(l).for_each(|(t, l)| *t -= l * x);
                }
            }
        }
        let mut copy = [0.0; super::MAX_ROWS];
        for j in (0..plan.nodes.len()).rev() {
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
                for (x, l) in x.iter_mut().zip(lower.chunks_exact(m)) {
                    *x -= l.iter().zip(other).map(|(l, o)| l * o).sum::<f64>();
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
                let x0 = self.plan.x0[place] as usize;
                let x = &self.x[x0..x0 + self.plan.n_rows[place] as usize];
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
            if let Inverse::Rigid {
                inv_mass,
                inv_inertia,
            } = inverse
            {
                let (f, y) = (&load[v0..v0 + 6], &mut y[v0..v0 + 6]);
                let spin = sym_vec(inv_inertia, [f[3], f[4], f[5]]);
                for k in 0..3 {
                    y[k] += inv_mass * f[k];
                    y[3 + k] += spin[k];
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

    /// Empties the branches' loads of this core's bodies.
    pub(super) fn clear_loads(&self, system: &System, branches: &mut Branches) {
        for body in self.bodies() {
            branches.clear_core_load(system, body);
        }
    }
}

/// Where each hub is among the nodes.
fn hub_places(plan: &Core) -> Vec<usize> {
    let place = |hub: u32| {
        plan.nodes
            .iter()
            .position(|node| *node == CoreNode::Hub(hub))
    };
    plan.hubs
        .iter()
        .filter_map(|&(hub, _)| place(hub))
        .collect()
}

/// Joint and first row of a node that is a ball joint.
fn ball_node(system: &System, node: CoreNode) -> Option<(u32, u32)> {
    let CoreNode::Constraint(c) = node else {
        return None;
    };
    let constraint = &system.constraints[c as usize];
    match constraint.jacobian {
        JacobianKind::Ball(joint) => Some((joint, constraint.row0)),
        _ => None,
    }
}

/// Nodes of different sizes, or hubs among them.
const MIXED: usize = 0;

/// A small body's mass with what its children folded in, `n_v × n_v`.
fn body_mass(system: &System, branches: &Branches, body: u32, has_children: bool, out: &mut [f64]) {
    match system.bodies[body as usize].mass {
        MassBlock::Rigid(at) => {
            let rigid = &system.rigid[at as usize];
            let mut inertia = Articulated::rigid(rigid.mass, &rigid.inertia_world, [0.0; 3]);
            if has_children {
                inertia.add(branches.folded(body));
            }
            inertia.expand(out);
        }
        MassBlock::Dense(offset) => {
            out.copy_from_slice(&system.mass[offset as usize..][..out.len()]);
            if let Some(folded) = branches.folded_dense(body) {
                out.iter_mut()
                    .zip(folded)
                    .for_each(|(out, folded)| *out += folded);
            }
        }
        _ => unreachable!("only small bodies are expanded"),
    }
}

/// `block += ±(1/m·1 − [r_i]×·I⁻¹·[r_k]×)`: ball joints on one rigid body, all pairs.
#[inline(always)]
fn couple_balls(
    system: &System,
    (inv_mass, inv_inertia): (f64, &Sym3),
    pairs: &[BallPair],
    values: &mut [f64],
) {
    let i = inv_inertia;
    let rows = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    let mut known = NONE;
    let mut y = [[0.0; 3]; 3];
    for pair in pairs {
        if pair.later != known {
            // Y = I⁻¹·[r]×, row by row.
            known = pair.later;
            let r = BallPair::arm(system, known);
            y = [cross(rows[0], r), cross(rows[1], r), cross(rows[2], r)];
        }
        let offset = pair.offset as usize;
        let block = &mut values[offset..offset + 9];
        let mut r = BallPair::arm(system, pair.first);
        if pair.first == pair.later {
            // The lower triangle of a diagonal block is enough.
            block[0] += r[2] * y[1][0] - r[1] * y[2][0] + inv_mass;
            block[3] += r[0] * y[2][0] - r[2] * y[0][0];
            block[4] += r[0] * y[2][1] - r[2] * y[0][1] + inv_mass;
            block[6] += r[1] * y[0][0] - r[0] * y[1][0];
            block[7] += r[1] * y[0][1] - r[0] * y[1][1];
            block[8] += r[1] * y[0][2] - r[0] * y[1][2] + inv_mass;
            continue;
        }
        let mut push = inv_mass;
        if (pair.first ^ pair.later) & 1 == 1 {
            r = neg(r);
            push = -push;
        }
        // −[r]×·Y, row by row.
        for j in 0..3 {
            block[j] += r[2] * y[1][j] - r[1] * y[2][j];
            block[3 + j] += r[0] * y[2][j] - r[2] * y[0][j];
            block[6 + j] += r[1] * y[0][j] - r[0] * y[1][j];
        }
        block[0] += push;
        block[4] += push;
        block[8] += push;
    }
}

/// Two ball joints of one body and where their block is: twice the joint's index, plus one where the
/// body is side b.
#[derive(Clone, Copy, Debug)]
struct BallPair {
    first: u32,
    later: u32,
    offset: u32,
}

impl BallPair {
    #[inline(always)]
    fn arm(system: &System, joint: u32) -> Vec3 {
        let ball = &system.balls[(joint >> 1) as usize];
        if joint & 1 == 1 { ball.r_b } else { ball.r_a }
    }
}

/// The pairs of an early body's constraints, if all are ball joints.
fn ball_pairs(system: &System, plan: &Core, at: usize, out: &mut Vec<BallPair>) -> bool {
    let early = &plan.early[at];
    let joint = |place: u32| {
        let c = plan.early_constraints[(early.constraints.0 + place) as usize];
        match system.constraints[c as usize].jacobian {
            JacobianKind::Ball(ball) => {
                Some(2 * ball + u32::from(system.balls[ball as usize].b == early.body))
            }
            _ => None,
        }
    };
    let couplings = &plan.couplings[early.couplings.0 as usize..early.couplings.1 as usize];
    let mut all = true;
    for coupling in couplings {
        let (first, later) = (joint(coupling.row), joint(coupling.col));
        all &= first.is_some() && later.is_some();
        let (first, later) = (first.unwrap_or(NONE), later.unwrap_or(NONE));
        out.push(BallPair {
            first,
            later,
            offset: coupling.offset,
        });
    }
    all
}

/// `block += J_i·W·J_kᵀ`: any two constraints on one rigid body.
fn couple_rigid(
    inv_mass: f64,
    inv_inertia: &Sym3,
    side_i: &Side<'_>,
    side_k: &Side<'_>,
    system: &System,
    (i, k): (u32, u32),
    block: &mut [f64],
) {
    let m_i = system.constraints[i as usize].n_rows as usize;
    let m_k = system.constraints[k as usize].n_rows as usize;
    let mut unit = [0.0; 32];
    let mut column = [0.0; 32];
    for j in 0..m_k {
        let mut p = [0.0; 6];
        unit[j] = 1.0;
        side_k.apply_transposed(&unit[..m_k], &mut p);
        unit[j] = 0.0;
        let spin = sym_vec(inv_inertia, [p[3], p[4], p[5]]);
        let p = [
            inv_mass * p[0],
            inv_mass * p[1],
            inv_mass * p[2],
            spin[0],
            spin[1],
            spin[2],
        ];
        let column = &mut column[..m_i];
        column.fill(0.0);
        side_i.apply(&p, column);
        for (row, value) in column.iter().enumerate() {
            block[row * m_k + j] += value;
        }
    }
}
