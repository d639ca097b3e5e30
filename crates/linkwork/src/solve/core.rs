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
use super::mass::Inverse;
use crate::assemble::{MassBlock, Side, System};
use crate::linalg::small::{self, LOST_PIVOT, Pivot};
use crate::math::{Sym3, Vec3, cross, sym_vec};
use crate::topology::{Core, CoreNode};

/// The proximal term, relative to the mean diagonal of the scaled matrix.
pub(super) const PROXIMAL: f64 = 1e-8;

/// The factor of one core, and the workspace of its solves.
#[derive(Clone, Debug)]
pub(super) struct CoreFactor {
    plan: Core,
    /// Blocks of the matrix; consumed by the factor.
    values: Vec<f64>,
    /// Inverse diagonal blocks and blocks of `L`, at the offsets of `values`.
    lower: Vec<f64>,
    /// Diagonal before elimination, per row of a core vector, and the proximal term.
    reference: Vec<f64>,
    mu: Vec<f64>,
    x: Vec<f64>,
    inverse: Vec<Inverse>,
    early_values: Vec<f64>,
    /// `W·Jᵀ` of one body's constraints, by columns.
    scratch: Vec<f64>,
    /// Loads of core bodies, in the world's layout.
    load: Vec<f64>,
}

impl CoreFactor {
    /// Lays out the factor of a core (system indices).
    pub(super) fn new(system: &System, plan: &Core) -> Self {
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
        Self {
            values: vec![0.0; plan.n_values as usize],
            lower: vec![0.0; plan.n_values as usize],
            reference: vec![0.0; plan.n_x as usize],
            mu: vec![0.0; plan.n_x as usize],
            x: vec![0.0; plan.n_x as usize],
            inverse,
            early_values: vec![0.0; early_values],
            scratch: vec![0.0; n_scratch],
            load: vec![0.0; system.n_v()],
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
        for at in 0..self.plan.hubs.len() {
            let (hub, _) = self.plan.hubs[at];
            let place = self
                .plan
                .nodes
                .iter()
                .position(|node| *node == CoreNode::Hub(hub));
            if let Some(place) = place {
                let n = self.plan.n_rows[place] as usize;
                let offset = self.plan.diagonal[place] as usize;
                let mut mass = std::mem::take(&mut self.scratch);
                mass.resize(mass.len().max(n * n), 0.0);
                body_mass(
                    system,
                    branches,
                    hub,
                    self.plan.hubs[at].1,
                    &mut mass[..n * n],
                );
                for (value, mass) in self.values[offset..offset + n * n].iter_mut().zip(&mass) {
                    *value = -mass;
                }
                self.scratch = mass;
            }
        }
        self.couple_hubs(system);
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let n = self.plan.n_rows[place] as usize;
            let (offset, x0) = (
                self.plan.diagonal[place] as usize,
                self.plan.x0[place] as usize,
            );
            if let CoreNode::Constraint(c) = node {
                let row0 = system.constraints[*c as usize].row0 as usize;
                for i in 0..n {
                    self.values[offset + i * n + i] += system.compliance[row0 + i];
                }
            }
            for i in 0..n {
                self.reference[x0 + i] = self.values[offset + i * n + i];
            }
        }
    }

    fn couple_hubs(&mut self, system: &System) {
        for edge in &self.plan.hub_edges {
            let n_v = system.bodies[edge.hub as usize].n_v as usize;
            let m = system.constraints[edge.constraint as usize].n_rows as usize;
            let side = system.side(edge.constraint, edge.hub);
            let block = &mut self.values[edge.offset as usize..edge.offset as usize + n_v * m];
            if edge.hub_is_row {
                let rows = &mut self.scratch;
                rows.resize(rows.len().max(n_v * m), 0.0);
                side.expand(n_v, &mut rows[..n_v * m]);
                for i in 0..m {
                    for k in 0..n_v {
                        block[k * m + i] += rows[i * n_v + k];
                    }
                }
            } else {
                side.expand(n_v, block);
            }
        }
    }

    /// Factors in place. Without the proximal term, gives up at the first lost pivot.
    pub(super) fn factor(&mut self, system: &System, proximal: bool) -> Pivot {
        self.mu.fill(0.0);
        if proximal {
            self.add_proximal(system);
        }
        let plan = &self.plan;
        let mut update = 0;
        for j in 0..plan.nodes.len() {
            let n = plan.n_rows[j] as usize;
            let diagonal = plan.diagonal[j] as usize;
            let x0 = plan.x0[j] as usize;
            let hub = matches!(plan.nodes[j], CoreNode::Hub(_));
            let (sign, floor) = match (hub, proximal) {
                (true, _) => (-1.0, f64::EPSILON),
                (false, true) => (1.0, 0.1 * PROXIMAL),
                (false, false) => (1.0, LOST_PIVOT),
            };
            // With the proximal term, no pivot can fall below it but by round-off.
            let reference = if proximal && !hub {
                &self.mu
            } else {
                &self.reference
            };
            let floor = if proximal && !hub { 0.1 } else { floor };
            let pivot = small::invert_block(
                n,
                sign,
                &self.values[diagonal..diagonal + n * n],
                &reference[x0..x0 + n],
                floor,
                &mut self.lower[diagonal..diagonal + n * n],
            );
            if pivot == Pivot::Lost && !proximal {
                return Pivot::Lost;
            }
            let (start, end) = (plan.column[j] as usize, plan.column[j + 1] as usize);
            for p in start..end {
                let row = plan.block_row[p] as usize;
                let m = plan.n_rows[row] as usize;
                let at = plan.block[p] as usize;
                // L_p = B_p·D⁻¹.
                let (head, tail) = self.lower.split_at_mut(at);
                let block = &self.values[at..at + m * n];
                let inverse = &head[diagonal..diagonal + n * n];
                small::multiply_symmetric(m, n, block, inverse, &mut tail[..m * n]);
                let lower = &self.lower[at..at + m * n];
                // T_pq ← T_pq − L_p·B_qᵀ, and D_p ← D_p − L_p·B_pᵀ.
                for q in start..p {
                    let k = plan.n_rows[plan.block_row[q] as usize] as usize;
                    let from = plan.block[q] as usize;
                    let target = plan.update[update] as usize;
                    update += 1;
                    // Blocks lie after their column's, so the target is after the source.
                    let (head, tail) = self.values.split_at_mut(target);
                    let block = &head[from..from + k * n];
                    small::subtract_product(m, k, n, lower, block, &mut tail[..m * k]);
                }
                let target = plan.diagonal[row] as usize;
                let (head, tail) = self.values.split_at_mut(at);
                let (block, diagonal) = (&tail[..m * n], &mut head[target..target + m * m]);
                small::subtract_product(m, m, n, lower, block, diagonal);
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
            for coupling in couplings {
                let (i, k) = (
                    constraints[coupling.row as usize],
                    constraints[coupling.col as usize],
                );
                let (side_i, side_k) = (system.side(i, early.body), system.side(k, early.body));
                let block = &mut self.values[coupling.offset as usize..];
                if let (Side::Ball { sign: s_i, r: r_i }, Side::Ball { sign: s_k, r: r_k }) =
                    (side_i, side_k)
                {
                    couple_balls(*inv_mass, inv_inertia, s_i * s_k, r_i, r_k, block);
                } else {
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

    /// Solves for the core: reads the branches' loads, writes `λ` and `y` of the core.
    pub(super) fn solve(
        &mut self,
        system: &System,
        branches: &Branches,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        let bodies = self.plan.early.len() + self.plan.hubs.len();
        for at in 0..bodies {
            let body = self.plan.early.get(at).map_or_else(
                || self.plan.hubs[at - self.plan.early.len()].0,
                |early| early.body,
            );
            let range = system.v_range(body);
            let load = &mut self.load[range.clone()];
            match force {
                Some(force) => load.copy_from_slice(&force[range]),
                None => load.fill(0.0),
            }
            branches.core_load(system, body, load);
        }
        self.right_hand_side(system, b, y);
        self.sweep();
        self.write_back(system, lambda, y);
    }

    /// `x ← (b − J·W·f̂, −f̂_h)`; `y ← W·f̂` for early bodies.
    fn right_hand_side(&mut self, system: &System, b: Option<&[f64]>, y: &mut [f64]) {
        for (at, early) in self.plan.early.iter().enumerate() {
            let range = system.v_range(early.body);
            let y = &mut y[range.clone()];
            y.copy_from_slice(&self.load[range]);
            self.inverse[at].apply(system, &self.early_values, early.body, y);
        }
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let x0 = self.plan.x0[place] as usize;
            let x = &mut self.x[x0..x0 + self.plan.n_rows[place] as usize];
            match node {
                CoreNode::Hub(hub) => {
                    for (x, load) in x.iter_mut().zip(&self.load[system.v_range(*hub)]) {
                        *x = -load;
                    }
                    y[system.v_range(*hub)].fill(0.0);
                }
                CoreNode::Constraint(_) => x.fill(0.0),
            }
        }
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let CoreNode::Constraint(c) = node else {
                continue;
            };
            let x0 = self.plan.x0[place] as usize;
            let x = &mut self.x[x0..x0 + self.plan.n_rows[place] as usize];
            // Hubs are at zero, so this is J·W·f̂ over early bodies.
            system.constraint_motion(*c, y, x);
            for (x, row) in x.iter_mut().zip(system.row_range(*c)) {
                *x = b.map_or(0.0, |b| b[row]) - *x;
            }
        }
    }

    /// `x ← (L·D·Lᵀ)⁻¹·x`.
    fn sweep(&mut self) {
        let plan = &self.plan;
        for j in 0..plan.nodes.len() {
            let n = plan.n_rows[j] as usize;
            let x0 = plan.x0[j] as usize;
            let (head, tail) = self.x.split_at_mut(x0 + n);
            let x = &head[x0..];
            for p in plan.column[j] as usize..plan.column[j + 1] as usize {
                let row = plan.block_row[p] as usize;
                let m = plan.n_rows[row] as usize;
                let lower = &self.lower[plan.block[p] as usize..][..m * n];
                let target = plan.x0[row] as usize - x0 - n;
                subtract(m, n, lower, x, &mut tail[target..target + m]);
            }
        }
        for j in (0..plan.nodes.len()).rev() {
            let n = plan.n_rows[j] as usize;
            let x0 = plan.x0[j] as usize;
            let (head, tail) = self.x.split_at_mut(x0 + n);
            let x = &mut head[x0..];
            let inverse = &self.lower[plan.diagonal[j] as usize..][..n * n];
            multiply_in_place(n, inverse, x);
            for p in plan.column[j] as usize..plan.column[j + 1] as usize {
                let row = plan.block_row[p] as usize;
                let m = plan.n_rows[row] as usize;
                let lower = &self.lower[plan.block[p] as usize..][..m * n];
                let from = plan.x0[row] as usize - x0 - n;
                subtract_transposed(m, n, lower, &tail[from..from + m], x);
            }
        }
    }

    /// `λ` and `y_h` from `x`; `y ← y + W·Jᵀ·λ` for early bodies.
    fn write_back(&mut self, system: &System, lambda: &mut [f64], y: &mut [f64]) {
        for (place, node) in self.plan.nodes.iter().enumerate() {
            let x0 = self.plan.x0[place] as usize;
            let x = &self.x[x0..x0 + self.plan.n_rows[place] as usize];
            match node {
                CoreNode::Constraint(c) => lambda[system.row_range(*c)].copy_from_slice(x),
                CoreNode::Hub(hub) => y[system.v_range(*hub)].copy_from_slice(x),
            }
        }
        for (at, early) in self.plan.early.iter().enumerate() {
            let range = system.v_range(early.body);
            let load = &mut self.load[range.clone()];
            load.fill(0.0);
            let list = early.constraints.0 as usize..early.constraints.1 as usize;
            for &c in &self.plan.early_constraints[list] {
                system
                    .side(c, early.body)
                    .apply_transposed(&lambda[system.row_range(c)], load);
            }
            self.inverse[at].apply(system, &self.early_values, early.body, load);
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

#[inline(always)]
fn subtract(m: usize, n: usize, a: &[f64], y: &[f64], x: &mut [f64]) {
    if m == 3 && n == 3 {
        small::subtract_matvec(3, 3, &a[..9], &y[..3], &mut x[..3]);
    } else {
        small::subtract_matvec(m, n, a, y, x);
    }
}

#[inline(always)]
fn subtract_transposed(m: usize, n: usize, a: &[f64], y: &[f64], x: &mut [f64]) {
    if m == 3 && n == 3 {
        small::subtract_matvec_transposed(3, 3, &a[..9], &y[..3], &mut x[..3]);
    } else {
        small::subtract_matvec_transposed(m, n, a, y, x);
    }
}

#[inline(always)]
fn multiply_in_place(n: usize, a: &[f64], x: &mut [f64]) {
    if n == 3 {
        let v = [x[0], x[1], x[2]];
        for i in 0..3 {
            x[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
        }
        return;
    }
    let mut copy = [0.0; 64];
    copy[..n].copy_from_slice(x);
    for (x, row) in x.iter_mut().zip(a.chunks_exact(n)) {
        *x = row.iter().zip(&copy).map(|(a, c)| a * c).sum();
    }
}

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

/// `block += ±(1/m·1 − [r_i]×·I⁻¹·[r_k]×)`: two ball joints on one rigid body.
#[inline(always)]
fn couple_balls(
    inv_mass: f64,
    inv_inertia: &Sym3,
    sign: f64,
    r_i: Vec3,
    r_k: Vec3,
    block: &mut [f64],
) {
    let block = &mut block[..9];
    // Column j: the spin that a unit force at r_k along axis j causes, seen at r_i.
    let arms = [
        [0.0, r_k[2], -r_k[1]],
        [-r_k[2], 0.0, r_k[0]],
        [r_k[1], -r_k[0], 0.0],
    ];
    for j in 0..3 {
        let spin = sym_vec(inv_inertia, arms[j]);
        let velocity = cross(spin, r_i);
        for i in 0..3 {
            block[3 * i + j] += sign * velocity[i];
        }
        block[3 * j + j] += sign * inv_mass;
    }
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
