//! Inner loops of the core for blocks of a single size: fixed arrays, and indices that are computed, not looked
//! up. `N` is the number of rows of a node and `B = N²` that of numbers in a block.
//!
//! With blocks of one size, node `j`'s diagonal block is block `j` of the storage and the
//! off-diagonal blocks follow in the order of the plan, transposed as the plan says. Only the lower
//! triangles of diagonal blocks are kept up to date.

use crate::linalg::small::{self, Pivot};
use crate::topology::CoreMatrix;

/// The limits of pivots; see `small::invert_block`.
pub(super) struct Floor<'a> {
    pub(super) reference: &'a [f64],
    pub(super) floor: f64,
    /// Carry on after a lost pivot.
    pub(super) carry_on: bool,
}

/// Copies the diagonals before anything is subtracted from them.
pub(super) fn references<const N: usize, const B: usize>(
    plan: &CoreMatrix,
    values: &[f64],
    reference: &mut [f64],
) {
    let (values, _) = values.as_chunks::<B>();
    let (reference, _) = reference.as_chunks_mut::<N>();
    for (block, reference) in values[..plan.n_rows.len()].iter().zip(reference) {
        for i in 0..N {
            reference[i] = block[i * (N + 1)];
        }
    }
}

/// Factors in place: diagonal blocks become their inverses, off-diagonal ones blocks of `L`.
pub(super) fn factor<const N: usize, const B: usize>(
    plan: &CoreMatrix,
    values: &mut [f64],
    floor: &Floor<'_>,
) -> Pivot {
    let n_nodes = plan.n_rows.len();
    let (values, _) = values.as_chunks_mut::<B>();
    let (diagonals, blocks) = values.split_at_mut(n_nodes);
    let (reference, _) = floor.reference.as_chunks::<N>();
    let mut updates = plan.update.iter();
    for j in 0..n_nodes {
        let mut inverse = [0.0; B];
        let pivot = small::invert_block(
            N,
            1.0,
            &diagonals[j],
            &reference[j],
            floor.floor,
            &mut inverse,
        );
        if pivot == Pivot::Lost && !floor.carry_on {
            return Pivot::Lost;
        }
        diagonals[j] = inverse;
        let (start, end) = (plan.column[j] as usize, plan.column[j + 1] as usize);
        // The updates of a column go to later ones.
        let (done, later) = blocks.split_at_mut(end);
        let column = &mut done[start..];
        for (p, &row) in plan.block_row[start..end].iter().enumerate() {
            // Blocks hold Bᵀ: T_pqᵀ ← T_pqᵀ − L_q·B_pᵀ for the blocks of L above this one.
            let block = column[p];
            for (l, target) in column[..p].iter().zip(&mut updates) {
                let target = *target as usize / B - n_nodes - end;
                subtract::<N, B>(&mut later[target], l, &block);
            }
            // L_pᵀ = D⁻¹·B_pᵀ, and D_p ← D_p − B_p·L_pᵀ.
            let l = multiply::<N, B>(&inverse, &block);
            subtract_lower::<N, B>(&mut diagonals[row as usize], &block, &l);
            column[p] = l;
        }
    }
    Pivot::Regular
}

/// `x ← (L·D·Lᵀ)⁻¹·x`.
pub(super) fn sweep<const N: usize, const B: usize>(
    plan: &CoreMatrix,
    values: &[f64],
    x: &mut [f64],
) {
    let n_nodes = plan.n_rows.len();
    let (lower, _) = values.as_chunks::<B>();
    let (x, _) = x.as_chunks_mut::<N>();
    let (inverses, lower) = lower.split_at(n_nodes);
    let column = |j: usize| {
        let range = plan.column[j] as usize..plan.column[j + 1] as usize;
        lower[range.clone()].iter().zip(&plan.block_row[range])
    };
    for j in 0..n_nodes {
        let x_j = x[j];
        for (l, &row) in column(j) {
            let target = &mut x[row as usize];
            for k in 0..N {
                for i in 0..N {
                    target[i] -= l[k * N + i] * x_j[k];
                }
            }
        }
    }
    for j in (0..n_nodes).rev() {
        let mut x_j = times::<N, B>(&inverses[j], &x[j]);
        for (l, &row) in column(j) {
            let s = times::<N, B>(l, &x[row as usize]);
            for k in 0..N {
                x_j[k] -= s[k];
            }
        }
        x[j] = x_j;
    }
}

/// `a·x`. Sums begin with their first product: adding it to zero would cost an addition.
#[inline(always)]
fn times<const N: usize, const B: usize>(a: &[f64; B], x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = a[i * N] * x[0];
        for k in 1..N {
            y[i] += a[i * N + k] * x[k];
        }
    }
    y
}

#[inline(always)]
fn multiply<const N: usize, const B: usize>(a: &[f64; B], b: &[f64; B]) -> [f64; B] {
    let mut c = [0.0; B];
    for i in 0..N {
        for j in 0..N {
            c[i * N + j] = a[i * N] * b[j];
        }
        for k in 1..N {
            for j in 0..N {
                c[i * N + j] += a[i * N + k] * b[k * N + j];
            }
        }
    }
    c
}

/// `c ← c − aᵀ·b`.
#[inline(always)]
fn subtract<const N: usize, const B: usize>(c: &mut [f64; B], a: &[f64; B], b: &[f64; B]) {
    for i in 0..N {
        for k in 0..N {
            for j in 0..N {
                c[i * N + j] -= a[k * N + i] * b[k * N + j];
            }
        }
    }
}

/// The lower triangle of `c ← c − aᵀ·b`, for a product that is symmetric.
#[inline(always)]
fn subtract_lower<const N: usize, const B: usize>(c: &mut [f64; B], a: &[f64; B], b: &[f64; B]) {
    for i in 0..N {
        for k in 0..N {
            for j in 0..=i {
                c[i * N + j] -= a[k * N + i] * b[k * N + j];
            }
        }
    }
}
