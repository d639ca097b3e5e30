//! Symmetric positive definite matrices of a fixed pattern: `A = L·Lᵀ`, column by column in a fixed order.
//!
//! The pattern of `L` is found once. Values of `A` lie where those of `L` will (zero where only `L` has an entry), so a
//! factor is made in place. Rows are told by their index in `A`, not by their place in the order: a solve permutes
//! nothing. A factor costs `Σ nⱼ²` operations over the columns' entries `nⱼ`, a solve `4·Σ nⱼ`.

use super::order::sort;

/// The order and the pattern of a factor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sparse {
    /// The index that goes k-th, and the place of each index.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Where the values of column k begin, the diagonal first; one more at the end.
    start: Vec<u32>,
    /// The index of each value's row, by ascending place within a column.
    index: Vec<u32>,
    /// For each place its entries left of the diagonal: column and value. Where those of each begin.
    left: Vec<(u32, u32)>,
    left_start: Vec<u32>,
}

impl Sparse {
    /// The factor of a matrix with the diagonal and these other entries, each named once or more, in this order of indices.
    pub(crate) fn new(n: usize, entries: &[(u32, u32)], order: Vec<u32>) -> Self {
        debug_assert_eq!(order.len(), n);
        let mut place = vec![0; n];
        for (at, &index) in order.iter().enumerate() {
            place[index as usize] = at as u32;
        }
        // Places of rows below the diagonal, column by column.
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        for &(i, j) in entries {
            let (a, b) = (place[i as usize], place[j as usize]);
            if a != b {
                columns[a.min(b) as usize].push(a.max(b));
            }
        }
        // Eliminating a column joins its rows: the first of them takes over the others.
        let mut keys = Vec::new();
        for k in 0..n {
            let mut column = std::mem::take(&mut columns[k]);
            keys.clear();
            keys.extend(column.iter().map(|&row| (u64::from(row), row)));
            sort(&mut keys);
            column.clear();
            column.extend(keys.iter().map(|&(_, row)| row));
            column.dedup();
            if let Some((&first, rest)) = column.split_first() {
                columns[first as usize].extend_from_slice(rest);
            }
            columns[k] = column;
        }
        let (mut start, mut index) = (vec![0], Vec::new());
        let mut of_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for (k, column) in columns.iter().enumerate() {
            index.push(order[k]);
            for &row in column {
                of_row[row as usize].push((k as u32, index.len() as u32));
                index.push(order[row as usize]);
            }
            start.push(index.len() as u32);
        }
        let (mut left, mut left_start) = (Vec::new(), vec![0]);
        for row in of_row {
            left.extend(row);
            left_start.push(left.len() as u32);
        }
        Self {
            order,
            place,
            start,
            index,
            left,
            left_start,
        }
    }

    /// Numbers of the matrix, and of its factor.
    pub(crate) fn n_values(&self) -> usize {
        self.index.len()
    }

    /// Numbers that a factor needs besides.
    pub(crate) fn n_work(&self) -> usize {
        self.order.len()
    }

    /// Where an entry is, if the pattern has it.
    pub(crate) fn position(&self, i: u32, j: u32) -> Option<u32> {
        let (a, b) = (self.place[i as usize], self.place[j as usize]);
        let (column, row) = (a.min(b), a.max(b));
        let start = self.start[column as usize];
        if row == column {
            return Some(start);
        }
        let rows = &self.index[start as usize + 1..self.start[column as usize + 1] as usize];
        let at = rows.partition_point(|&own| self.place[own as usize] < row);
        let found = rows
            .get(at)
            .is_some_and(|&own| self.place[own as usize] == row);
        found.then_some(start + 1 + at as u32)
    }

    /// Where the entries of a dense block over some indices are: its lower triangle, row by row.
    pub(crate) fn positions(&self, indices: &[u32], out: &mut Vec<u32>) {
        for (a, &i) in indices.iter().enumerate() {
            for &j in &indices[..=a] {
                let Some(position) = self.position(i, j) else {
                    unreachable!("patterns are made of all blocks that are added to them")
                };
                out.push(position);
            }
        }
    }

    /// `A ← A + w·rᵀ·r`, with the positions of the row's indices.
    pub(crate) fn add_square(positions: &[u32], row: &[f64], weight: f64, values: &mut [f64]) {
        let mut positions = positions.iter();
        for (a, r) in row.iter().enumerate() {
            let left = weight * r;
            for (r, &position) in row[..=a].iter().zip(&mut positions) {
                values[position as usize] += left * r;
            }
        }
    }

    /// The place of each diagonal value, in the order of the elimination, and whose it is.
    pub(crate) fn diagonal(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = self.start.iter().zip(&self.order);
        starts.map(|(&at, &index)| (at as usize, index as usize))
    }

    /// Each value's place, row and column.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.order.iter().enumerate().flat_map(move |(k, &column)| {
            let range = self.start[k] as usize..self.start[k + 1] as usize;
            range.map(move |p| (p, self.index[p] as usize, column as usize))
        })
    }

    /// Factors in place. A pivot that is not positive is replaced by a tiny one, as dense blocks do.
    pub(crate) fn factor(&self, values: &mut [f64], work: &mut [f64]) {
        for k in 0..self.order.len() {
            let range = self.start[k] as usize..self.start[k + 1] as usize;
            let own = &self.index[range.clone()];
            for (&i, value) in own.iter().zip(&values[range.clone()]) {
                work[i as usize] = *value;
            }
            let left = self.left_start[k] as usize..self.left_start[k + 1] as usize;
            for &(column, from) in &self.left[left] {
                let below = from as usize..self.start[column as usize + 1] as usize;
                let factor = values[from as usize];
                for (&i, value) in self.index[below.clone()].iter().zip(&values[below]) {
                    work[i as usize] -= factor * value;
                }
            }
            let pivot = work[own[0] as usize];
            let inverse = 1.0 / pivot.max(f64::MIN_POSITIVE).sqrt();
            for (value, &i) in values[range].iter_mut().zip(own) {
                *value = work[i as usize] * inverse;
            }
        }
    }

    /// `x ← A⁻¹·x` with a factor.
    pub(crate) fn solve(&self, values: &[f64], x: &mut [f64]) {
        let n = self.order.len();
        for k in 0..n {
            let (start, end) = (self.start[k] as usize, self.start[k + 1] as usize);
            let own = self.order[k] as usize;
            x[own] /= values[start];
            let s = x[own];
            for (&i, l) in self.index[start + 1..end]
                .iter()
                .zip(&values[start + 1..end])
            {
                x[i as usize] -= l * s;
            }
        }
        for k in (0..n).rev() {
            let (start, end) = (self.start[k] as usize, self.start[k + 1] as usize);
            let own = self.order[k] as usize;
            let mut s = x[own];
            for (&i, l) in self.index[start + 1..end]
                .iter()
                .zip(&values[start + 1..end])
            {
                s -= l * x[i as usize];
            }
            x[own] = s / values[start];
        }
    }

    /// `out ← A·y`.
    pub(crate) fn multiply(&self, values: &[f64], y: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for k in 0..self.order.len() {
            let (start, end) = (self.start[k] as usize, self.start[k + 1] as usize);
            let own = self.order[k] as usize;
            let mut sum = values[start] * y[own];
            for (&i, a) in self.index[start + 1..end]
                .iter()
                .zip(&values[start + 1..end])
            {
                out[i as usize] += a * y[own];
                sum += a * y[i as usize];
            }
            out[own] += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::small;

    /// A closed band with a chord, which is diagonally dominant.
    fn closed(n: u32) -> Vec<(u32, u32)> {
        let mut entries: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        entries.extend((0..n).map(|i| ((i + 2) % n, i)));
        entries.push((1, n / 2));
        entries
    }

    /// 0, n − 1, 1, n − 2, …
    fn folded(n: u32) -> Vec<u32> {
        (0..n)
            .map(|k| if k % 2 == 0 { k / 2 } else { n - 1 - k / 2 })
            .collect()
    }

    #[test]
    fn factors_agree_with_dense_ones_in_any_order() {
        let n = 23;
        let natural: Vec<u32> = (0..n).collect();
        let backward: Vec<u32> = (0..n).rev().collect();
        for order in [natural, backward, folded(n)] {
            let sparse = Sparse::new(n as usize, &closed(n), order);
            let n = n as usize;
            let mut values = vec![0.0; sparse.n_values()];
            for (i, j) in closed(n as u32) {
                let at = sparse.position(i, j).unwrap() as usize;
                values[at] = -0.3 - 0.01 * f64::from(i);
            }
            for (at, i) in sparse.diagonal() {
                values[at] = 5.0 + 0.1 * i as f64;
            }
            let mut positions = Vec::new();
            sparse.positions(&[3, 4, 5], &mut positions);
            Sparse::add_square(&positions, &[1.0, -2.0, 0.5], 0.7, &mut values);
            let mut dense = vec![0.0; n * n];
            for (at, i, j) in sparse.entries() {
                (dense[i * n + j], dense[j * n + i]) = (values[at], values[at]);
            }
            let y: Vec<f64> = (0..n).map(|i| libm::sin(i as f64)).collect();
            let mut out = vec![f64::NAN; n];
            sparse.multiply(&values, &y, &mut out);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| dense[i * n + j] * y[j]).sum();
                assert!((out[i] - sum).abs() < 1e-13);
            }
            sparse.factor(&mut values, &mut vec![0.0; sparse.n_work()]);
            small::cholesky(n, &mut dense);
            let (mut a, mut b) = (y.clone(), y);
            sparse.solve(&values, &mut a);
            small::cholesky_solve(n, &dense, &mut b);
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-14);
            }
        }
        assert_eq!(folded(5), [0, 4, 1, 3, 2]);
    }

    #[test]
    fn a_closed_band_folded_stays_a_band() {
        let n = 200;
        let ring: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let natural = Sparse::new(n as usize, &ring, (0..n).collect());
        let folded = Sparse::new(n as usize, &ring, folded(n));
        // The natural order carries a full last row along.
        assert_eq!(natural.n_values(), 3 * n as usize - 3);
        assert_eq!(folded.n_values(), 3 * n as usize - 3);
        assert_eq!(folded.position(0, n / 2), None);
    }
}
