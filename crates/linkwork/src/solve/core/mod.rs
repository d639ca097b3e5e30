//! The core: block LDLᵀ of everything but the branches, in a fill-reducing order.
//!
//! Bodies of low degree are eliminated first, through their mass matrices (closed form for rigid bodies). With
//! `W = M̂⁻¹` of those, and hub bodies `h` kept, the remaining matrix is
//!
//! ```text
//!     [ J·W·Jᵀ + C    J_h ] [ λ  ]   [ b − J·W·f̂ ]
//!     [   J_hᵀ      −M̂_h ] [ y_h ] = [   −f̂_h    ]
//! ```
//!
//! symmetric, with positive constraint pivots and negative hub pivots. If rows are redundant, or need a hub
//! that comes after them, a constraint pivot is lost; the factor then adds `μ` to the diagonal (proximal form),
//! which is regular in every order.

mod blocks;
mod couple;
mod solve;

use super::branch::Branches;
use super::branch::articulated::Articulated;
use super::mass::{Inverse, RigidInverse, factor_patterned, n_factor};
use super::tolerances::{LOST_PIVOT, LOST_SOFT_PIVOT, PROXIMAL, PROXIMAL_PIVOT};
use crate::linalg::small::{self, Pivot};
use crate::math::{Sym3, sym_inverse};
use crate::system::{MassBlock, System};
use crate::topology::{Core, CoreNode};
use blocks::Floor;
use couple::{Alike, JointPair, joint_pairs};
use solve::ball_node;

/// The factor of one core, and the workspace of its solves.
#[derive(Clone, Debug)]
pub(super) struct CoreFactor {
    plan: Core,
    /// Blocks of the matrix, then of its factor: inverse diagonal blocks and blocks of `L`.
    values: Vec<f64>,
    /// Diagonal before elimination, per row of a core vector, and the proximal term.
    reference: Vec<f64>,
    mu: Vec<f64>,
    /// With hubs: pivots up to this are lost.
    least: Vec<f64>,
    x: Vec<f64>,
    inverse: Vec<Inverse>,
    early_values: Vec<f64>,
    /// `W·Jᵀ` of one body's constraints, by columns, and where each constraint's begin.
    scratch: Vec<f64>,
    starts: Vec<usize>,
    /// The inverse of a diagonal block and a block, for sizes without compiled loops.
    inverse_block: Vec<f64>,
    block: Vec<f64>,
    /// Number of rows of every node if equal for all and without hubs, else `MIXED`.
    uniform: usize,
    /// Where each hub is among the nodes.
    hub_places: Vec<usize>,
    /// Joint and first row of every node, if all are ball joints.
    ball_nodes: Option<Vec<(u32, u32)>>,
    /// The pairs of ball joints or pins for each body's part of `CoreMatrix::couplings`, and the common kind of
    /// its joints.
    joint_pairs: Vec<JointPair>,
    alike: Vec<Alike>,
}

impl CoreFactor {
    /// Lays out the factor of a core (system indices).
    pub(super) fn new(system: &System, plan: Core) -> Self {
        let largest = plan.matrix.n_rows.iter().max().map_or(0, |&n| n as usize);
        let (mut n_scratch, mut n_starts) = (0, 0);
        let mut early_values = 0;
        let mut pairs = Vec::with_capacity(plan.matrix.couplings.len());
        let mut keys = Vec::new();
        let alike: Vec<Alike> = (0..plan.early.len())
            .map(|at| joint_pairs(system, &plan, at, &mut keys, &mut pairs))
            .collect();
        let mut inverse = Vec::with_capacity(plan.early.len());
        for (early, alike) in plan.early.iter().zip(&alike) {
            let block = &system.bodies[early.body as usize];
            let n = block.n_v as usize;
            let range = early.constraints.0 as usize..early.constraints.1 as usize;
            n_starts = n_starts.max(range.len());
            let rows: u32 = plan.early_constraints[range]
                .iter()
                .map(|&c| system.constraints[c as usize].n_rows)
                .sum();
            n_scratch = n_scratch.max(n * rows as usize);
            inverse.push(match block.mass {
                MassBlock::Rigid(_) if !early.has_children => {
                    Inverse::Rigid(RigidInverse::default())
                }
                MassBlock::Dense(_) if *alike == Alike::Pins => Inverse::Planar(Sym3::default()),
                MassBlock::Rigid(_) | MassBlock::Dense(_) => {
                    early_values += n * n;
                    Inverse::Dense {
                        offset: (early_values - n * n) as u32,
                    }
                }
                MassBlock::Patterned { pattern, .. } => {
                    let n = n_factor(system, pattern);
                    early_values += n;
                    Inverse::Patterned {
                        pattern,
                        offset: (early_values - n) as u32,
                        is_diagonal: false,
                    }
                }
                _ => Inverse::Own,
            });
        }
        Self {
            values: vec![0.0; plan.matrix.n_values as usize],
            inverse_block: vec![0.0; largest * largest],
            block: vec![0.0; largest * largest],
            reference: vec![0.0; plan.matrix.n_x as usize],
            mu: vec![0.0; plan.matrix.n_x as usize],
            least: match plan.hubs.is_empty() {
                true => Vec::new(),
                false => vec![0.0; plan.matrix.n_x as usize],
            },
            x: vec![0.0; plan.matrix.n_x as usize],
            inverse,
            early_values: vec![0.0; early_values],
            scratch: vec![0.0; n_scratch.max(largest * largest)],
            starts: Vec::with_capacity(n_starts),
            uniform: match plan.matrix.n_rows.first() {
                Some(&first)
                    if plan.hubs.is_empty() && plan.matrix.n_rows.iter().all(|&n| n == first) =>
                {
                    first as usize
                }
                _ => MIXED,
            },
            ball_nodes: plan
                .nodes
                .iter()
                .map(|node| ball_node(system, *node))
                .collect(),
            joint_pairs: pairs,
            alike,
            hub_places: hub_places(&plan),
            plan,
        }
    }

    /// Block operations of one factor: pivots, columns and updates.
    pub(super) fn n_operations(&self) -> usize {
        self.plan.matrix.couplings.len()
            + self.plan.matrix.block.len()
            + self.plan.matrix.update.len()
    }

    /// Fills the matrix from `system` and from the inertia of the branches.
    pub(super) fn assemble(&mut self, system: &System, branches: &Branches) {
        self.values.fill(0.0);
        // Inverses first, so that divisions of several bodies overlap and no product waits for one.
        for at in 0..self.plan.early.len() {
            self.invert_mass(system, branches, at);
        }
        for at in 0..self.plan.early.len() {
            self.couple(system, at);
        }
        for (&(hub, has_children), &place) in self.plan.hubs.iter().zip(&self.hub_places) {
            let n = self.plan.matrix.n_rows[place] as usize;
            let offset = self.plan.matrix.diagonal[place] as usize;
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
                let (n, offset) = (
                    self.plan.matrix.n_rows[place],
                    self.plan.matrix.diagonal[place],
                );
                for (i, row) in system.row_range(*c).enumerate() {
                    self.values[offset as usize + i * (n as usize + 1)] += system.compliance[row];
                }
            }
        }
        let (plan, values, reference) = (&*self.plan.matrix, &self.values, &mut self.reference);
        if self.uniform == 3 {
            blocks::references::<3, 9>(plan, values, reference);
            return;
        }
        for (place, &offset) in plan.diagonal.iter().enumerate() {
            let (n, x0) = (plan.n_rows[place] as usize, plan.x0[place] as usize);
            for i in 0..n {
                reference[x0 + i] = values[offset as usize + i * (n + 1)];
            }
        }
        if !self.plan.hubs.is_empty() {
            self.tell_lost(system);
        }
    }

    /// Sets the limits below which pivots are lost, with hubs. A pivot is never below the row's compliance `C`,
    /// because `J·W·Jᵀ` and the terms of hubs are positive. Beside light bodies an important `C` may be far
    /// below the usual limit, which is relative to the diagonal, while its pivot is good.
    fn tell_lost(&mut self, system: &System) {
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let CoreNode::Constraint(c) = node else {
                continue;
            };
            let x0 = self.plan.matrix.x0[place] as usize;
            for (i, row) in system.row_range(*c).enumerate() {
                let compliance = system.compliance[row];
                self.least[x0 + i] = match compliance > 0.0 {
                    true => LOST_SOFT_PIVOT * compliance,
                    false => LOST_PIVOT * self.reference[x0 + i],
                };
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
    ///
    /// `strength` is that of the proximal term relative to [`PROXIMAL`]; zero is none.
    pub(super) fn factor(&mut self, system: &System, strength: f64) -> Pivot {
        let proximal = strength > 0.0;
        self.mu.fill(0.0);
        if proximal {
            self.add_proximal(system, strength);
        }
        let reference = if proximal { &self.mu } else { &self.reference };
        // With the proximal term, a pivot below it is round-off.
        let floor = if proximal { PROXIMAL_PIVOT } else { LOST_PIVOT };
        let floor = Floor {
            reference,
            floor,
            carry_on: proximal,
        };
        let (plan, values) = (&*self.plan.matrix, &mut self.values);
        match self.uniform {
            1 => blocks::factor::<1, 1>(plan, values, &floor),
            2 => blocks::factor::<2, 4>(plan, values, &floor),
            3 => blocks::factor::<3, 9>(plan, values, &floor),
            5 => blocks::factor::<5, 25>(plan, values, &floor),
            _ => self.factor_any(proximal),
        }
    }

    /// The factor loop for blocks of any size.
    fn factor_any(&mut self, proximal: bool) -> Pivot {
        let (nodes, plan) = (&self.plan.nodes, &*self.plan.matrix);
        let mut updates = plan.update.iter();
        for j in 0..nodes.len() {
            let n = plan.n_rows[j] as usize;
            let diagonal = plan.diagonal[j] as usize;
            let x0 = plan.x0[j] as usize;
            let hub = matches!(nodes[j], CoreNode::Hub(_));
            let (sign, reference, floor) = match (hub, proximal) {
                (true, _) => (-1.0, &self.reference, f64::EPSILON),
                (false, true) => (1.0, &self.mu, PROXIMAL_PIVOT),
                (false, false) if self.least.is_empty() => (1.0, &self.reference, LOST_PIVOT),
                (false, false) => (1.0, &self.least, 1.0),
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
                    // Blocks follow those of their column, so the target is after the source.
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

    /// `A ← A + μ`, with `μ` equal for all rows once they are scaled to meters, so that
    /// contradictory rows are met in least squares.
    fn add_proximal(&mut self, system: &System, strength: f64) {
        let plan = &self.plan;
        let (mut sum, mut count) = (0.0, 0.0);
        for (place, node) in plan.nodes.iter().enumerate() {
            if let CoreNode::Constraint(c) = node {
                let row0 = system.constraints[*c as usize].row0 as usize;
                for i in 0..plan.matrix.n_rows[place] as usize {
                    let scale = system.row_scale[row0 + i];
                    sum += scale * scale * self.reference[plan.matrix.x0[place] as usize + i];
                    count += 1.0;
                }
            }
        }
        // Rows that depend on nothing have no size of their own.
        let mean = strength * PROXIMAL * if sum > 0.0 { sum / count } else { 1.0 };
        for (place, node) in plan.nodes.iter().enumerate() {
            let CoreNode::Constraint(c) = node else {
                continue;
            };
            let row0 = system.constraints[*c as usize].row0 as usize;
            let n = plan.matrix.n_rows[place] as usize;
            for i in 0..n {
                let scale = system.row_scale[row0 + i];
                let mu = mean / (scale * scale);
                self.mu[plan.matrix.x0[place] as usize + i] = mu;
                self.values[plan.matrix.diagonal[place] as usize + i * n + i] += mu;
            }
        }
    }

    /// Writes the proximal terms of the rows of this core.
    pub(super) fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        for (place, node) in self.plan.nodes.iter().enumerate() {
            if let CoreNode::Constraint(c) = node {
                let x0 = self.plan.matrix.x0[place] as usize;
                let own = &self.mu[x0..x0 + self.plan.matrix.n_rows[place] as usize];
                mu[system.row_range(*c)].copy_from_slice(own);
            }
        }
    }

    fn invert_mass(&mut self, system: &System, branches: &Branches, at: usize) {
        let early = &self.plan.early[at];
        match (&self.inverse[at], system.bodies[early.body as usize].mass) {
            (Inverse::Rigid(_), MassBlock::Rigid(rigid)) => {
                self.inverse[at] = Inverse::Rigid(RigidInverse::new(system, rigid));
            }
            (Inverse::Planar(_), _) => {
                let mut mass = [0.0; 9];
                body_mass(system, branches, early.body, early.has_children, &mut mass);
                let [xx, xy, xz, _, yy, yz, _, _, zz] = mass;
                self.inverse[at] = Inverse::Planar(sym_inverse(&[xx, yy, zz, xy, xz, yz]));
            }
            (Inverse::Dense { offset }, _) => {
                let n = system.bodies[early.body as usize].n_v as usize;
                let mass = &mut self.early_values[*offset as usize..][..n * n];
                body_mass(system, branches, early.body, early.has_children, mass);
                small::cholesky(n, mass);
            }
            (Inverse::Patterned { offset: to, .. }, MassBlock::Patterned { pattern, offset }) => {
                let values = &system.mass[offset as usize..];
                let added = branches.folded_dense(early.body);
                let storage = &mut self.early_values[*to as usize..];
                factor_patterned(system, pattern, (values, added), storage);
            }
            _ => {}
        }
    }

    /// Clears the loads that branches left on bodies of this core.
    pub(super) fn clear_loads(&self, system: &System, branches: &mut Branches) {
        let early = (self.plan.early.iter()).map(|early| (early.body, early.has_children));
        for (body, has_children) in early.chain(self.plan.hubs.iter().copied()) {
            if has_children {
                branches.clear_core_load(system, body);
            }
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

/// Nodes of different sizes, or hubs among them.
const MIXED: usize = 0;

/// A small body's mass with its children, `n_v × n_v`.
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
