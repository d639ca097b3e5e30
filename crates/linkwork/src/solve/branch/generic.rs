//! The literal form of a branch step, for any body and any constraint (Baraff 1996, §7.3):
//!
//! ```text
//!     M̂·y = f̂ + Jᵀ·λ        J·y + J_p·y_p + C·λ = b
//!     Ŝ = J·M̂⁻¹·Jᵀ + C      λ = Ŝ⁻¹·(b − J·M̂⁻¹·f̂ − J_p·y_p)
//!     M̂_p ← M̂_p + J_pᵀ·Ŝ⁻¹·J_p     f̂_p ← f̂_p + J_pᵀ·Ŝ⁻¹·(b − J·M̂⁻¹·f̂)
//! ```

use crate::linalg::small::{self, Pivot};
use crate::solve::mass::{Inverse, factor_patterned, n_factor};
use crate::solve::tolerances::LOST_PIVOT;
use crate::system::{MassBlock, System};
use crate::topology::{Branch, NONE};

/// The source of a pivot's load.
#[derive(Clone, Copy, Debug)]
pub(super) enum Load {
    /// The force array, in the world's layout.
    Force,
    /// A rigid body's load at its center of mass.
    Rigid([f64; 6]),
}

/// One step; offsets are into `GenericPivots::values`.
#[derive(Clone, Copy, Debug)]
struct GenericPivot {
    body: u32,
    parent: u32,
    constraint: u32,
    n: usize,
    m: usize,
    n_parent: usize,
    /// Cholesky factor of `M̂`, `n × n` or patterned; unused when the body keeps its own factor.
    chol: usize,
    n_chol: usize,
    small: bool,
    pattern: u32,
    /// `M̂⁻¹·Jᵀ` by columns: m rows of n.
    z: usize,
    s_inv: usize,
    /// `J_p`, `m × n_parent`, and `J_pᵀ·Ŝ⁻¹·J_p`.
    j_parent: usize,
    share: usize,
    /// `M̂⁻¹·f̂` (n), `Ŝ⁻¹·(b − J·M̂⁻¹·f̂)` (m), what the parent's load gets (n_parent), scratch (m).
    free: usize,
    rows: usize,
    load: usize,
    scratch: usize,
    /// The proximal term of the last factor, for a row of scale one.
    mu: f64,
}

/// All generic steps of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct GenericPivots {
    pivots: Vec<GenericPivot>,
    values: Vec<f64>,
    /// Inertia of children of bodies that are not rigid: offset and length, by body; the list may end early.
    folded: Vec<(usize, usize)>,
}

impl GenericPivots {
    /// Lays out the step of a branch.
    pub(super) fn add(&mut self, system: &System, branch: &Branch) -> u32 {
        let block = &system.bodies[branch.body as usize];
        let n = block.n_v as usize;
        let m = match branch.constraint {
            NONE => 0,
            constraint => system.constraints[constraint as usize].n_rows as usize,
        };
        let mut n_parent = 0;
        if branch.parent != NONE {
            let parent = &system.bodies[branch.parent as usize];
            n_parent = parent.n_v as usize;
            if !matches!(parent.mass, MassBlock::Rigid(_)) {
                self.make_place(system, branch.parent);
            }
        }
        let small = matches!(block.mass, MassBlock::Rigid(_) | MassBlock::Dense(_));
        let (pattern, n_chol) = match block.mass {
            MassBlock::Patterned { pattern, .. } => (pattern, n_factor(system, pattern)),
            _ => (NONE, if small { n * n } else { 0 }),
        };
        let pivot = GenericPivot {
            body: branch.body,
            parent: branch.parent,
            constraint: branch.constraint,
            n,
            m,
            n_parent,
            chol: self.reserve(n_chol),
            n_chol,
            small,
            pattern,
            z: self.reserve(n * m),
            s_inv: self.reserve(m * m),
            j_parent: self.reserve(m * n_parent),
            share: self.reserve(n_parent * n_parent),
            free: self.reserve(n),
            rows: self.reserve(m),
            load: self.reserve(n_parent),
            scratch: self.reserve(m * m + m),
            mu: 0.0,
        };
        self.pivots.push(pivot);
        self.pivots.len() as u32 - 1
    }

    fn reserve(&mut self, n: usize) -> usize {
        let at = self.values.len();
        self.values.resize(at + n, 0.0);
        at
    }

    /// Offset of the inertia of a body's children, if the body is not rigid and has children.
    pub(super) fn place_of(&self, body: u32) -> Option<usize> {
        let &(offset, n) = self.folded.get(body as usize)?;
        (n > 0).then_some(offset)
    }

    /// The same, allocated if necessary.
    pub(super) fn make_place(&mut self, system: &System, body: u32) -> usize {
        if let Some(offset) = self.place_of(body) {
            return offset;
        }
        let block = &system.bodies[body as usize];
        let n = match block.mass {
            MassBlock::Patterned { pattern, .. } => {
                system.patterns[pattern as usize].sparse.n_values()
            }
            _ => (block.n_v * block.n_v) as usize,
        };
        let offset = self.reserve(n);
        self.folded.resize(system.bodies.len(), (0, 0));
        self.folded[body as usize] = (offset, n);
        offset
    }

    /// The numbers of all steps, for other steps that fold into the same bodies.
    pub(super) fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    pub(super) fn n_v(&self, pivot: u32) -> usize {
        self.pivots[pivot as usize].n
    }

    /// Whether the masses of all steps are positive definite; opaque ones always are.
    pub(super) fn are_positive(&self) -> bool {
        let small = self.pivots.iter().filter(|pivot| pivot.small);
        let mut diagonals = small.flat_map(|pivot| {
            let chol = &self.values[pivot.chol..pivot.chol + pivot.n * pivot.n];
            chol.iter().step_by(pivot.n + 1)
        });
        diagonals.all(|&d| d > 0.0)
    }

    /// The inertia of children of a body that is not rigid.
    pub(super) fn folded(&self, body: u32) -> Option<&[f64]> {
        let &(offset, n) = self.folded.get(body as usize)?;
        (n > 0).then(|| &self.values[offset..offset + n])
    }

    pub(super) fn clear_folded(&mut self) {
        for &(offset, n) in &self.folded {
            self.values[offset..offset + n].fill(0.0);
        }
    }

    /// What the step adds to its parent's mass matrix.
    pub(super) fn parent_share(&self, pivot: u32) -> &[f64] {
        let pivot = &self.pivots[pivot as usize];
        &self.values[pivot.share..pivot.share + pivot.n_parent * pivot.n_parent]
    }

    /// Adds the step's share to a parent that is not rigid.
    pub(super) fn fold_into_parent(&mut self, parent: u32, pivot: u32) {
        let GenericPivot {
            share, n_parent, ..
        } = self.pivots[pivot as usize];
        let (offset, n) = self.folded[parent as usize];
        debug_assert_eq!(n, n_parent * n_parent);
        for k in 0..n {
            self.values[offset + k] += self.values[share + k];
        }
    }

    /// Factors a step. `rigid` is the inertia of a rigid body with its children.
    ///
    /// `mu` is the proximal term relative to the largest scaled diagonal of `Ŝ`.
    pub(super) fn factor(
        &mut self,
        system: &System,
        pivot: u32,
        rigid: Option<&[f64]>,
        mu: f64,
    ) -> Pivot {
        let p = self.pivots[pivot as usize];
        if p.small {
            let own = match (rigid, system.bodies[p.body as usize].mass) {
                (Some(rigid), _) => rigid,
                (None, MassBlock::Dense(offset)) => &system.mass[offset as usize..][..p.n * p.n],
                _ => unreachable!("small bodies are rigid or dense"),
            };
            self.values[p.chol..p.chol + p.n * p.n].copy_from_slice(own);
            if rigid.is_none()
                && let Some(&(from, n)) = self.folded.get(p.body as usize)
            {
                for k in 0..n {
                    self.values[p.chol + k] += self.values[from + k];
                }
            }
            small::cholesky(p.n, &mut self.values[p.chol..p.chol + p.n * p.n]);
        }
        if let MassBlock::Patterned { pattern, offset } = system.bodies[p.body as usize].mass {
            // Absorbed rows are already folded in; they are laid out before the steps.
            let (head, tail) = self.values.split_at_mut(p.chol);
            let added = self.folded.get(p.body as usize).filter(|(_, n)| *n > 0);
            let added = added.map(|&(from, n)| &head[from..from + n]);
            let values = &system.mass[offset as usize..];
            factor_patterned(system, pattern, (values, added), &mut tail[..p.n_chol]);
        }
        if p.constraint == NONE {
            return Pivot::Regular;
        }
        let side = system.side(p.constraint, p.body);
        side.expand(p.n, &mut self.values[p.z..p.z + p.n * p.m]);
        for i in 0..p.m {
            self.solve_mass(system, &p, p.z + i * p.n);
        }
        // Ŝ by columns, then the pivot.
        let row0 = system.constraints[p.constraint as usize].row0 as usize;
        let (m, s) = (p.m, p.scratch);
        for j in 0..m {
            let (head, tail) = self.values.split_at_mut(s);
            let column = &mut tail[m * m..m * m + m];
            column.fill(0.0);
            side.apply(&head[p.z + j * p.n..p.z + (j + 1) * p.n], column);
            for i in 0..m {
                tail[i * m + j] = tail[m * m + i];
            }
            tail[j * m + j] += system.compliance[row0 + j];
        }
        let scale = &system.row_scale[row0..row0 + m];
        self.pivots[pivot as usize].mu = 0.0;
        if mu > 0.0 {
            let largest = (0..m)
                .map(|i| scale[i] * scale[i] * self.values[s + i * m + i])
                .fold(0.0, f64::max);
            // Rows that do not depend on any body have no size.
            let largest = if largest == 0.0 { 1.0 } else { largest };
            self.pivots[pivot as usize].mu = mu * largest;
            for i in 0..m {
                self.values[s + i * m + i] += mu * largest / (scale[i] * scale[i]);
            }
        }
        for i in 0..m {
            self.values[s + m * m + i] = self.values[s + i * m + i];
        }
        let (head, tail) = self.values.split_at_mut(s);
        let result = small::invert_block(
            m,
            1.0,
            &tail[..m * m],
            &tail[m * m..m * m + m],
            LOST_PIVOT,
            &mut head[p.s_inv..p.s_inv + m * m],
        );
        if p.parent != NONE {
            self.share_with_parent(system, &p);
        }
        result
    }

    /// Writes the proximal terms of the rows of all steps.
    pub(super) fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        for pivot in self.pivots.iter().filter(|pivot| pivot.constraint != NONE) {
            for row in system.row_range(pivot.constraint) {
                mu[row] = pivot.mu / (system.row_scale[row] * system.row_scale[row]);
            }
        }
    }

    fn share_with_parent(&mut self, system: &System, p: &GenericPivot) {
        let side = system.side(p.constraint, p.parent);
        side.expand(
            p.n_parent,
            &mut self.values[p.j_parent..p.j_parent + p.m * p.n_parent],
        );
        let (m, n) = (p.m, p.n_parent);
        self.values[p.share..p.share + n * n].fill(0.0);
        for i in 0..m {
            for k in 0..m {
                let s = self.values[p.s_inv + i * m + k];
                for a in 0..n {
                    let left = s * self.values[p.j_parent + i * n + a];
                    for b in 0..n {
                        self.values[p.share + a * n + b] +=
                            left * self.values[p.j_parent + k * n + b];
                    }
                }
            }
        }
    }

    /// `x ← M̂⁻¹·x` for the n numbers at `at`.
    fn solve_mass(&mut self, system: &System, p: &GenericPivot, at: usize) {
        if p.small {
            let (chol, x) = self.values.split_at_mut(at);
            let chol = &chol[p.chol..p.chol + p.n * p.n];
            small::cholesky_solve(p.n, chol, &mut x[..p.n]);
            return;
        }
        let (chol, x) = self.values.split_at_mut(at);
        let x = &mut x[..p.n];
        match p.pattern {
            NONE => Inverse::Own.apply(system, &[], p.body, x),
            pattern => {
                let sparse = &system.patterns[pattern as usize].sparse;
                sparse.solve(&chol[p.chol..p.chol + sparse.n_values()], x);
            }
        }
    }

    /// Forward sweep of a step; returns the contribution to its parent's load.
    pub(super) fn forward(
        &mut self,
        system: &System,
        pivot: u32,
        load: Load,
        force: &[f64],
        b: Option<&[f64]>,
    ) -> &[f64] {
        let p = self.pivots[pivot as usize];
        let free = &mut self.values[p.free..p.free + p.n];
        match load {
            Load::Force => free.copy_from_slice(&force[system.v_range(p.body)]),
            Load::Rigid(load) => free.copy_from_slice(&load),
        }
        self.solve_mass(system, &p, p.free);
        if p.constraint == NONE {
            return &[];
        }
        let side = system.side(p.constraint, p.body);
        let range = system.row_range(p.constraint);
        let (head, tail) = self.values.split_at_mut(p.scratch);
        let g = &mut tail[..p.m];
        g.fill(0.0);
        side.apply(&head[p.free..p.free + p.n], g);
        for (i, row) in range.enumerate() {
            g[i] = b.map_or(0.0, |b| b[row]) - g[i];
        }
        for i in 0..p.m {
            let s = &head[p.s_inv + i * p.m..p.s_inv + (i + 1) * p.m];
            head[p.rows + i] = s.iter().zip(&*g).map(|(s, g)| s * g).sum();
        }
        head[p.load..p.load + p.n_parent].fill(0.0);
        for i in 0..p.m {
            for k in 0..p.n_parent {
                head[p.load + k] += head[p.j_parent + i * p.n_parent + k] * head[p.rows + i];
            }
        }
        &self.values[p.load..p.load + p.n_parent]
    }

    /// Number of results of a forward sweep: those of the body, and of its rows.
    pub(super) fn n_left(&self, pivot: u32) -> usize {
        let p = &self.pivots[pivot as usize];
        p.n + p.m
    }

    /// These results for a load `f̂` and rows `g = J·M̂⁻¹·f̂` without `b`: `(f̂, g)`, and `(M̂⁻¹·f̂, −Ŝ⁻¹·g)`.
    pub(super) fn left(&self, pivot: u32, load: &[f64], e: &mut [f64], by_d: &mut [f64]) {
        let p = &self.pivots[pivot as usize];
        e[..p.n].copy_from_slice(load);
        by_d[..p.n].copy_from_slice(&self.values[p.free..p.free + p.n]);
        by_d[p.n..].copy_from_slice(&self.values[p.rows..p.rows + p.m]);
        for i in 0..p.m {
            e[p.n + i] = -self.values[p.scratch + i];
        }
    }

    /// Backward sweep of a step: writes its multipliers and motion.
    pub(super) fn backward(
        &mut self,
        system: &System,
        pivot: u32,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        let p = self.pivots[pivot as usize];
        if p.constraint == NONE {
            y[system.v_range(p.body)].copy_from_slice(&self.values[p.free..p.free + p.n]);
            return;
        }
        let (head, tail) = self.values.split_at_mut(p.scratch);
        let g = &mut tail[..p.m];
        g.fill(0.0);
        if p.parent != NONE {
            let y_parent = &y[system.v_range(p.parent)];
            for i in 0..p.m {
                let row = &head[p.j_parent + i * p.n_parent..p.j_parent + (i + 1) * p.n_parent];
                g[i] = row.iter().zip(y_parent).map(|(j, y)| j * y).sum();
            }
        }
        let lambda = &mut lambda[system.row_range(p.constraint)];
        let y = &mut y[system.v_range(p.body)];
        y.copy_from_slice(&head[p.free..p.free + p.n]);
        for i in 0..p.m {
            let s = &head[p.s_inv + i * p.m..p.s_inv + (i + 1) * p.m];
            let reaction: f64 = s.iter().zip(&*g).map(|(s, g)| s * g).sum();
            lambda[i] = head[p.rows + i] - reaction;
            for k in 0..p.n {
                y[k] += head[p.z + i * p.n + k] * lambda[i];
            }
        }
    }
}
