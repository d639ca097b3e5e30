//! The baseline: faer's sparse Cholesky of the normal equations, with everything in its favor.
//!
//! ```text
//!     A·λ = b − J·M⁻¹·f,    A = J·M⁻¹·Jᵀ + C
//! ```
//!
//! Patterns, the order (AMD) and the symbolic factor are computed once and never timed, memory is
//! allocated beforehand, and one thread is used. `J` and `M` are read from the [`System`] once:
//! assembling means forming `A` and the right-hand side from their numbers.

#![allow(non_snake_case)] // A, J, M, W = M⁻¹, Y = W·Jᵀ: the letters of the papers.

use std::collections::BTreeMap;
use std::hint::black_box;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, Mat, Par, Side};
use linkwork::system::{Motion, System};

use crate::timing::Candidate;

/// Whether the baseline is there.
pub(crate) const IS_THERE: bool = true;

/// Velocities that `M` couples.
struct MassBlock {
    columns: Vec<usize>,
    /// Dense, row-major, and its inverse.
    M: Vec<f64>,
    W: Vec<f64>,
}

/// One row of `J` against one block: `n` numbers at `at` of `J` and `Y`.
struct Part {
    block: usize,
    at: usize,
}

/// A number of `A` is the sum of such products.
struct Product {
    j_at: usize,
    y_at: usize,
    n: usize,
}

/// The normal equations of one instant and faer's factor of them.
pub(crate) struct FaerBaseline {
    blocks: Vec<MassBlock>,
    /// Parts of each active row; `J` and `Y` in the layout of the parts.
    rows: Vec<Vec<Part>>,
    J: Vec<f64>,
    Y: Vec<f64>,
    force: Vec<f64>,
    b: Vec<f64>,
    compliance: Vec<f64>,
    row_scale: Vec<f64>,
    /// Where each number of `A` finds its products, and which of them are on the diagonal.
    products: Vec<Product>,
    first_product: Vec<usize>,
    diagonal: Vec<usize>,
    A: SparseColMat<usize, f64>,
    symbolic: SymbolicCholesky<usize>,
    L_values: Vec<f64>,
    memory: MemBuffer,
    right_hand_side: Vec<f64>,
    lambda: Mat<f64>,
    failed: bool,
}

impl FaerBaseline {
    /// Reads the system of accelerations and does all that need not be repeated.
    pub(crate) fn new(system: &System) -> Result<Self, String> {
        let (blocks, block_of) = mass_blocks(system);
        let active: Vec<usize> = (system.active_rows().iter().enumerate())
            .filter_map(|(row, level)| level.map(|_| row))
            .collect();
        let mut all_b = vec![0.0; system.n_rows()];
        system.right_hand_side(Motion::Acceleration, &mut all_b);

        let (rows, J) = jacobian_parts(system, &active, &blocks, &block_of);
        let pattern = lower_products(&rows, &blocks);
        let triplets: Vec<_> = pattern
            .keys()
            .map(|&(k, i)| Triplet::new(i, k, 0.0))
            .collect();
        let n = active.len();
        let A = SparseColMat::try_new_from_triplets(n, n, &triplets)
            .map_err(|error| format!("faer refused the pattern of A: {error:?}"))?;
        // Keys are (column, row), ascending: the order of the values of A.
        let diagonal = (pattern.keys().enumerate())
            .filter_map(|(at, (k, i))| (k == i).then_some(at))
            .collect();
        let mut first_product = vec![0];
        let mut products = vec![];
        for list in pattern.into_values() {
            products.extend(list);
            first_product.push(products.len());
        }

        let ordering = SymmetricOrdering::Amd;
        let symbolic =
            factorize_symbolic_cholesky(A.symbolic(), Side::Lower, ordering, Default::default())
                .map_err(|error| format!("faer's symbolic factor failed: {error:?}"))?;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let of_active = |values: &[f64]| active.iter().map(|&row| values[row]).collect();
        Ok(Self {
            Y: vec![0.0; J.len()],
            blocks,
            rows,
            J,
            force: system.force().to_vec(),
            b: of_active(&all_b),
            compliance: of_active(system.compliance()),
            row_scale: of_active(system.row_scale()),
            products,
            first_product,
            diagonal,
            A,
            L_values: vec![0.0; symbolic.len_val()],
            memory: MemBuffer::new(scratch),
            symbolic,
            right_hand_side: vec![0.0; n],
            lambda: Mat::zeros(n, 1),
            failed: false,
        })
    }

    /// The larger relative residual of rows and forces, measured as the engine does; none if the
    /// matrix was not positive definite.
    pub(crate) fn residual(&self) -> Option<f64> {
        if self.failed {
            return None;
        }
        // M·y = f + Jᵀ·λ holds by construction of y, so only the rows can be wrong.
        let mut f = self.force.clone();
        for (i, parts) in self.rows.iter().enumerate() {
            for part in parts {
                let columns = &self.blocks[part.block].columns;
                for (j, &column) in self.J[part.at..].iter().zip(columns) {
                    f[column] += j * self.lambda[(i, 0)];
                }
            }
        }
        let mut y = vec![0.0; f.len()];
        for block in &self.blocks {
            let n = block.columns.len();
            for (row, &i) in block.W.chunks_exact(n).zip(&block.columns) {
                y[i] = row.iter().zip(&block.columns).map(|(w, &j)| w * f[j]).sum();
            }
        }
        let mut largest_row = 0.0f64;
        let mut size = y
            .iter()
            .fold(f64::MIN_POSITIVE, |size, y| size.max(y.abs()));
        for (i, parts) in self.rows.iter().enumerate() {
            let motion: f64 = parts.iter().map(|part| self.part_dot(part, &y)).sum();
            let error = self.b[i] - motion - self.compliance[i] * self.lambda[(i, 0)];
            largest_row = largest_row.max((self.row_scale[i] * error).abs());
            size = size.max((self.row_scale[i] * self.b[i]).abs());
        }
        let residual = largest_row / size;
        residual.is_finite().then_some(residual)
    }

    /// `J·y` of one row's part.
    fn part_dot(&self, part: &Part, y: &[f64]) -> f64 {
        let columns = &self.blocks[part.block].columns;
        let pairs = self.J[part.at..].iter().zip(columns);
        pairs.map(|(j, &column)| j * y[column]).sum()
    }
}

impl Candidate for FaerBaseline {
    fn assemble(&mut self) {
        for block in &mut self.blocks {
            invert(block);
        }
        // Y ← W·Jᵀ and right-hand side ← b − Yᵀ·f.
        for (i, parts) in self.rows.iter().enumerate() {
            let mut sum = self.b[i];
            for part in parts {
                let block = &self.blocks[part.block];
                let n = block.columns.len();
                let J = &self.J[part.at..part.at + n];
                let Y = &mut self.Y[part.at..part.at + n];
                for (k, row) in block.W.chunks_exact(n).enumerate() {
                    Y[k] = dot(row, J);
                    sum -= Y[k] * self.force[block.columns[k]];
                }
            }
            self.right_hand_side[i] = sum;
        }
        // A ← J·Y + C.
        let values = self.A.val_mut();
        for (value, range) in values.iter_mut().zip(self.first_product.windows(2)) {
            *value = self.products[range[0]..range[1]]
                .iter()
                .map(|p| dot(&self.J[p.j_at..p.j_at + p.n], &self.Y[p.y_at..p.y_at + p.n]))
                .sum();
        }
        for (&at, compliance) in self.diagonal.iter().zip(&self.compliance) {
            values[at] += compliance;
        }
    }

    fn factor(&mut self) {
        let factor = self.symbolic.factorize_numeric_llt(
            &mut self.L_values,
            self.A.as_ref(),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut self.memory),
            Default::default(),
        );
        self.failed = factor.is_err();
    }

    fn solve(&mut self) {
        for (i, value) in self.right_hand_side.iter().enumerate() {
            self.lambda[(i, 0)] = *value;
        }
        if !self.failed {
            LltRef::new(&self.symbolic, &self.L_values).solve_in_place_with_conj(
                Conj::No,
                self.lambda.as_mut(),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
        }
        black_box(&self.lambda);
    }
}

/// The blocks `M` falls into, and for each velocity its block and place there.
fn mass_blocks(system: &System) -> (Vec<MassBlock>, Vec<(usize, usize)>) {
    let triplets = system.mass_triplets();
    // A block's leader is its first velocity: M is symmetric, so one pass over the columns in
    // ascending order suffices when each block is a clique, as those of bodies are.
    let mut leader: Vec<usize> = (0..system.n_v()).collect();
    for &(i, j, _) in &triplets {
        leader[j] = leader[j].min(i);
    }
    let mut place = vec![(usize::MAX, 0); system.n_v()];
    let mut blocks: Vec<MassBlock> = vec![];
    for j in 0..system.n_v() {
        let block = if leader[j] == j {
            blocks.len()
        } else {
            place[leader[j]].0
        };
        if block == blocks.len() {
            let (columns, M, W) = (vec![], vec![], vec![]);
            blocks.push(MassBlock { columns, M, W });
        }
        place[j] = (block, blocks[block].columns.len());
        blocks[block].columns.push(j);
    }
    for block in &mut blocks {
        let n = block.columns.len();
        block.M = vec![0.0; n * n];
        block.W = vec![0.0; n * n];
    }
    for (i, j, value) in triplets {
        let ((block, row), (_, column)) = (place[i], place[j]);
        let n = blocks[block].columns.len();
        blocks[block].M[row * n + column] = value;
    }
    (blocks, place)
}

/// The active rows of `J`, block by block.
fn jacobian_parts(
    system: &System,
    active: &[usize],
    blocks: &[MassBlock],
    place: &[(usize, usize)],
) -> (Vec<Vec<Part>>, Vec<f64>) {
    let mut by_row: BTreeMap<usize, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
    for (i, j, value) in system.jacobian_triplets() {
        let (block, at) = place[j];
        let zeros = || vec![0.0; blocks[block].columns.len()];
        by_row
            .entry(i)
            .or_default()
            .entry(block)
            .or_insert_with(zeros)[at] += value;
    }
    let mut J = vec![];
    let mut rows = vec![];
    for row in active {
        let mut parts = vec![];
        for (block, values) in by_row.remove(row).unwrap_or_default() {
            parts.push(Part { block, at: J.len() });
            J.extend(values);
        }
        rows.push(parts);
    }
    (rows, J)
}

/// Which products make each number of the lower triangle of `A`, by (column, row).
fn lower_products(
    rows: &[Vec<Part>],
    blocks: &[MassBlock],
) -> BTreeMap<(usize, usize), Vec<Product>> {
    let mut on_block: Vec<Vec<(usize, usize)>> = vec![vec![]; blocks.len()];
    for (i, parts) in rows.iter().enumerate() {
        for part in parts {
            on_block[part.block].push((i, part.at));
        }
    }
    let mut pattern: BTreeMap<(usize, usize), Vec<Product>> = BTreeMap::new();
    for (block, touching) in blocks.iter().zip(&on_block) {
        let n = block.columns.len();
        for (place, &(i, j_at)) in touching.iter().enumerate() {
            for &(k, y_at) in &touching[..=place] {
                let product = Product { j_at, y_at, n };
                pattern.entry((k, i)).or_default().push(product);
            }
        }
    }
    pattern
}

/// `W ← M⁻¹`, by Gauss–Jordan without pivoting: `M` is positive definite and small.
fn invert(block: &mut MassBlock) {
    let n = block.columns.len();
    let (M, W) = (&block.M, &mut block.W);
    W.copy_from_slice(M);
    for p in 0..n {
        let inverse = 1.0 / W[p * n + p];
        W[p * n + p] = 1.0;
        for j in 0..n {
            W[p * n + j] *= inverse;
        }
        for i in (0..n).filter(|&i| i != p) {
            let factor = W[i * n + p];
            W[i * n + p] = 0.0;
            for j in 0..n {
                W[i * n + j] -= factor * W[p * n + j];
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use linkwork::simulator::SolveOptions;

    use super::*;
    use crate::solve::{Velocities, scene, stir};
    use linkwork::prelude::*;

    fn assembled(world: &World) -> Simulator {
        let mut simulator = Simulator::new();
        simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
        simulator
    }

    #[test]
    fn triplets_are_the_whole_matrices() {
        for name in ["chain-hinge:3", "ladder:2,2", "hub:4"] {
            let simulator = assembled(&scene(name, Velocities::Random).unwrap());
            let system = simulator.system();
            let n = system.n_v();
            let dense = |n_rows: usize, triplets: Vec<(usize, usize, f64)>| {
                let mut out = vec![0.0; n_rows * n];
                for (i, j, value) in triplets {
                    out[i * n + j] += value;
                }
                out
            };
            assert_eq!(dense(n, system.mass_triplets()), system.mass_matrix());
            let J = dense(system.n_rows(), system.jacobian_triplets());
            assert_eq!(J, system.jacobian_matrix());
        }
    }

    #[test]
    fn the_baseline_finds_the_engines_multipliers() {
        for name in ["chain-hinge:5", "ladder3:2,3", "grid:2,2"] {
            let world = scene(name, Velocities::Random).unwrap();
            let mut simulator = assembled(&world);
            let mut faer = FaerBaseline::new(simulator.system()).unwrap();
            faer.run();
            assert!(faer.residual().unwrap() < 1e-12);
            let lambda = &simulator.accelerations(&world, Method::Direct).lambda;
            let size = lambda.iter().fold(0.0f64, |size, l| size.max(l.abs()));
            for (i, lambda) in lambda.iter().enumerate() {
                assert!(
                    (faer.lambda[(i, 0)] - lambda).abs() < 1e-11 * size,
                    "{name}: {i}"
                );
            }
        }
    }

    #[test]
    fn a_joint_twice_is_too_much_for_cholesky() {
        let mut world = scene("chain:1", Velocities::Rest).unwrap();
        let bar = world.find_body("bar 0").unwrap();
        world
            .join("again", Ball, GROUND.at([0.0; 3]), bar.at([-0.5, 0.0, 0.0]))
            .unwrap();
        stir(&mut world, Velocities::Random).unwrap();
        let mut faer = FaerBaseline::new(assembled(&world).system()).unwrap();
        faer.run();
        assert_eq!(faer.residual(), None);
    }
}
