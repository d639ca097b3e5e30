//! Names for dependencies: the redundant row, and the rows that it repeats.

use super::tolerances::{NAMES, TAKES_PART};

/// A dependency, named by its last row.
pub(super) struct Group {
    pub(super) pivot: usize,
    /// The other rows that take part.
    pub(super) rows: Vec<usize>,
}

/// Transforms a basis of dependencies such that each has a row of its own: the last one possible, because the
/// row that was added last is called redundant.
pub(super) fn echelon(mut basis: Vec<Vec<f64>>) -> Vec<Group> {
    let n_rows = basis.first().map_or(0, Vec::len);
    let mut sizes: Vec<f64> = basis.iter().map(|vector| largest(vector)).collect();
    let mut pivots: Vec<usize> = Vec::new();
    let mut next = 0;
    for row in (0..n_rows).rev() {
        if next == basis.len() {
            break;
        }
        let best = (next..basis.len())
            .max_by(|&i, &j| basis[i][row].abs().total_cmp(&basis[j][row].abs()));
        let Some(best) = best.filter(|&best| basis[best][row].abs() > NAMES * sizes[best]) else {
            continue;
        };
        basis.swap(next, best);
        sizes.swap(next, best);
        let pivot = basis[next][row];
        basis[next].iter_mut().for_each(|value| *value /= pivot);
        let pivot_row = basis[next].clone();
        for (other, vector) in basis.iter_mut().enumerate() {
            let factor = vector[row];
            if other != next && factor != 0.0 {
                vector
                    .iter_mut()
                    .zip(&pivot_row)
                    .for_each(|(v, p)| *v -= factor * p);
                sizes[other] = largest(vector);
            }
        }
        pivots.push(row);
        next += 1;
    }
    basis
        .iter()
        .zip(&pivots)
        .map(|(vector, &pivot)| {
            let least = TAKES_PART * largest(vector);
            let rows = (0..n_rows)
                .filter(|&row| row != pivot && vector[row].abs() > least)
                .collect();
            Group { pivot, rows }
        })
        .collect()
}

/// The rows that take part in any dependency.
pub(super) fn involved_rows(basis: &[Vec<f64>]) -> Vec<usize> {
    let n_rows = basis.first().map_or(0, Vec::len);
    let least: Vec<f64> = basis.iter().map(|n| TAKES_PART * largest(n)).collect();
    (0..n_rows)
        .filter(|&row| {
            basis
                .iter()
                .zip(&least)
                .any(|(n, least)| n[row].abs() > *least)
        })
        .collect()
}

/// The largest entry, without its sign.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}
