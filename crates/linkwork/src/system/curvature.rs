//! Curvature of rows: how directions of constraint forces change with positions.
//!
//! A search for a minimum on `c(q) = 0` needs the second derivatives of the Lagrangian, `H − Σ λ·∂²c`. The
//! positive part of the second term is added to the masses:
//!
//! ```text
//!     K = (−Σ λ·∂²c/∂x²)₊ = Σ σ·u·uᵀ      M̃ = M + m·Σ σ·(Lᵀ·u)·(Lᵀ·u)ᵀ, body by body
//! ```
//!
//! On one body this is exact. Over m bodies it is a bound, `K ≤ m·diag(K)`. The curvature of `x(q)` is in
//! `geometric_stiffness`.

use super::connectors::with_inputs;
use super::fill::Filler;
use super::layout::{GenericConstraint, Layout};
use super::numbers::{MassBlock, System};
use crate::linalg::MatMut;
use crate::linalg::eigen::diagonalize;
use crate::math::Sym3;
use crate::world::{State, World};

/// Constraints over more numbers are skipped: their eigenvalues would take longer than the step.
const MOST_NUMBERS: usize = 64;

/// Buffers for the curvature of one constraint.
#[derive(Debug, Default)]
pub(crate) struct Curvature {
    matrix: Vec<f64>,
    vectors: Vec<f64>,
    /// `Lᵀ·u` over the velocities of one body, and the bodies of a constraint.
    row: Vec<f64>,
    bodies: Vec<u32>,
    is_any: bool,
}

impl Curvature {
    /// Sizes the buffers for a world; empty without objectives.
    pub(crate) fn size(&mut self, world: &World, layout: &Layout, system: &System) {
        let mut most = 0;
        for generic in curved(world, layout) {
            let record = &world.constraints()[generic.record as usize];
            most = most.max(record.inputs().iter().map(|kind| kind.n_x_dot()).sum());
            self.bodies.reserve(generic.block_of_side.len());
        }
        self.is_any = most > 0 && layout.has_objectives;
        let most = most.min(MOST_NUMBERS);
        self.matrix.resize(most * most, 0.0);
        self.vectors.resize(most * most, 0.0);
        let widest = system.bodies.iter().map(|own| own.n_v).max();
        self.row.resize(widest.unwrap_or(0) as usize, 0.0);
    }

    /// Whether a world has such curvature.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }
}

/// Constraints with known curvature whose forces are not those of springs.
fn curved<'l>(world: &'l World, layout: &'l Layout) -> impl Iterator<Item = &'l GenericConstraint> {
    let all = layout.generic_constraints.iter();
    all.chain(&layout.bounded_constraints).filter(|generic| {
        let record = &world.constraints()[generic.record as usize];
        let is_hard = record.compliance.iter().all(|alpha| *alpha == 0.0);
        is_hard && record.constraint.is_curved()
    })
}

impl Filler {
    /// Adds the curvature of all rows for forces `lambda`, at the filled state.
    pub(crate) fn stiffen_rows(
        &self,
        (world, state): (&World, &State),
        layout: &Layout,
        lambda: &[f64],
        room: &mut Curvature,
        system: &mut System,
    ) {
        for generic in curved(world, layout) {
            let record = &world.constraints()[generic.record as usize];
            let own = &lambda[record.row_range()];
            let n: usize = record.inputs().iter().map(|kind| kind.n_x_dot()).sum();
            if n > MOST_NUMBERS || own.iter().all(|lambda| *lambda == 0.0) {
                continue;
            }
            let matrix = &mut room.matrix[..n * n];
            matrix.fill(0.0);
            with_inputs(&generic.slots, layout, &self.x, &self.x_dot, |inputs| {
                let mut out = MatMut::new(matrix, n);
                record.constraint.curvature(state.t, inputs, own, &mut out);
            });
            if !matrix.iter().all(|entry| entry.is_finite()) {
                continue;
            }
            matrix.iter_mut().for_each(|entry| *entry = -*entry);
            diagonalize(n, matrix, &mut room.vectors[..n * n]);
            self.add_positive(layout, generic, n, room, system);
        }
    }

    /// Adds `m·Σ σ·(Lᵀ·u)·(Lᵀ·u)ᵀ` of the positive σ to the masses.
    fn add_positive(
        &self,
        layout: &Layout,
        generic: &GenericConstraint,
        n: usize,
        room: &mut Curvature,
        system: &mut System,
    ) {
        room.bodies.clear();
        for &slot in &generic.slots {
            for side in layout.sides_of(&layout.slots[slot as usize]) {
                if !room.bodies.contains(&side.body) {
                    room.bodies.push(side.body);
                }
            }
        }
        let m = room.bodies.len() as f64;
        for k in 0..n {
            let value = room.matrix[k * n + k];
            if value <= 0.0 {
                continue;
            }
            for &body in &room.bodies {
                let n_v = system.bodies[body as usize].n_v as usize;
                let row = &mut room.row[..n_v];
                self.to_velocities(layout, generic, &room.vectors[k * n..][..n], body, row);
                add_square(system, body, m * value, row);
            }
        }
    }

    /// `Lᵀ·u` over the velocities of one body.
    fn to_velocities(
        &self,
        layout: &Layout,
        generic: &GenericConstraint,
        u: &[f64],
        body: u32,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        let mut start = 0;
        for &slot in &generic.slots {
            let slot = &layout.slots[slot as usize];
            let own = &u[start..start + slot.kind.n_x_dot()];
            start += own.len();
            for side in layout.sides_of(slot).iter().filter(|own| own.body == body) {
                let n_cols = side.n_cols as usize;
                let columns = layout.columns_of(side);
                let place = |k: usize| columns.map_or(k, |columns| columns[k] as usize);
                for (i, u) in own.iter().enumerate() {
                    if side.is_identity {
                        out[place(i)] += u;
                        continue;
                    }
                    let row = &self.L[side.l0 as usize + i * n_cols..][..n_cols];
                    for (k, l) in row.iter().enumerate() {
                        out[place(k)] += u * l;
                    }
                }
            }
        }
    }
}

/// `M ← M + w·g·gᵀ` of one body, or an upper bound if its block cannot store that.
fn add_square(system: &mut System, body: u32, w: f64, g: &[f64]) {
    let n = g.len();
    match system.bodies[body as usize].mass {
        MassBlock::Dense(offset) => {
            let rows = system.mass[offset as usize..][..n * n].chunks_exact_mut(n);
            for (row, a) in rows.zip(g) {
                row.iter_mut().zip(g).for_each(|(m, b)| *m += w * a * b);
            }
        }
        // (a + b)² ≤ 2a² + 2b²
        MassBlock::Rigid(at) => {
            let rigid = &mut system.rigid[at as usize];
            let along: f64 = g[..3].iter().map(|g| g * g).sum();
            rigid.mass += 2.0 * w * along;
            rigid.inv_mass = 1.0 / rigid.mass;
            let inertia: &mut Sym3 = &mut rigid.inertia_world;
            let places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            for (entry, (i, j)) in inertia.iter_mut().zip(places) {
                *entry += 2.0 * w * g[3 + i] * g[3 + j];
            }
        }
        // The row sums are an upper bound.
        MassBlock::Diagonal(offset) => {
            let sum: f64 = g.iter().map(|g| g.abs()).sum();
            let mass = &mut system.mass[offset as usize..][..n];
            mass.iter_mut()
                .zip(g)
                .for_each(|(m, g)| *m += w * g.abs() * sum);
        }
        // Likewise: g may have entries outside the pattern.
        MassBlock::Patterned { pattern, offset } => {
            system.masses_are_own = false;
            let sum: f64 = g.iter().map(|g| g.abs()).sum();
            let sparse = &system.patterns[pattern as usize].sparse;
            for (k, g) in g.iter().enumerate().filter(|(_, g)| **g != 0.0) {
                if let Some(at) = sparse.position(k as u32, k as u32) {
                    system.mass[(offset + at) as usize] += w * g.abs() * sum;
                }
            }
        }
        // Opaque masses cannot be changed.
        MassBlock::Opaque { .. } => {}
    }
}
