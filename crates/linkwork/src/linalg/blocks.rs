//! A lower triangle for each of several groups of rows: `L` of `P = L·Lᵀ`, block by block. It turns `A·x = b`
//! into `L⁻¹·A·L⁻ᵀ·(Lᵀ·x) = L⁻¹·b`, which iterations solve sooner.

use std::ops::Range;

use super::tolerances::FLAT;

/// The triangles, or none: then rows are left as they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// Where each triangle begins, row-major in a square.
    at: Vec<usize>,
    values: Vec<f64>,
}

impl Blocks {
    /// Room for groups of rows that begin at these places.
    pub(crate) fn new(start: &[usize]) -> Self {
        let mut out = Self::default();
        let mut n_values = 0;
        for ends in start.windows(2) {
            out.at.push(n_values);
            n_values += (ends[1] - ends[0]) * (ends[1] - ends[0]);
        }
        out.values.resize(n_values, 0.0);
        out
    }

    /// Whether there are none.
    pub(crate) fn is_idle(&self) -> bool {
        self.at.is_empty()
    }

    /// The matrix of a group, to be filled and factored.
    pub(crate) fn block(&mut self, group: usize, n: usize) -> &mut [f64] {
        &mut self.values[self.at[group]..][..n * n]
    }

    /// Factors the matrix of a group. Directions in which it is flat count as if they were less so.
    pub(crate) fn factor(&mut self, group: usize, n: usize) {
        let p = self.block(group, n);
        let largest = (0..n).fold(0.0f64, |most, i| most.max(p[i * n + i]));
        let least = if largest > 0.0 { FLAT * largest } else { 1.0 };
        for i in 0..n {
            for j in 0..=i {
                let mut s = p[i * n + j];
                for k in 0..j {
                    s -= p[i * n + k] * p[j * n + k];
                }
                p[i * n + j] = if i == j {
                    s.max(least).sqrt()
                } else {
                    s / p[j * n + j]
                };
            }
        }
    }

    fn each<'a>(
        &'a self,
        start: &'a [usize],
    ) -> impl Iterator<Item = (&'a [f64], Range<usize>)> + 'a {
        let groups = start.windows(2).zip(&self.at);
        groups.map(|(ends, at)| (&self.values[*at..], ends[0]..ends[1]))
    }

    /// `r ← L⁻¹·r`.
    pub(crate) fn solve(&self, start: &[usize], r: &mut [f64]) {
        for (l, rows) in self.each(start) {
            let (n, r) = (rows.len(), &mut r[rows]);
            for i in 0..n {
                for k in 0..i {
                    r[i] -= l[i * n + k] * r[k];
                }
                r[i] /= l[i * n + i];
            }
        }
    }

    /// `x ← L⁻ᵀ·x`.
    pub(crate) fn solve_transposed(&self, start: &[usize], x: &mut [f64]) {
        for (l, rows) in self.each(start) {
            let (n, x) = (rows.len(), &mut x[rows]);
            for i in (0..n).rev() {
                for k in i + 1..n {
                    x[i] -= l[k * n + i] * x[k];
                }
                x[i] /= l[i * n + i];
            }
        }
    }

    /// `r ← L·r`.
    pub(crate) fn multiply(&self, start: &[usize], r: &mut [f64]) {
        for (l, rows) in self.each(start) {
            let (n, r) = (rows.len(), &mut r[rows]);
            for i in (0..n).rev() {
                r[i] *= l[i * n + i];
                for k in 0..i {
                    r[i] += l[i * n + k] * r[k];
                }
            }
        }
    }

    /// `x ← Lᵀ·x`.
    pub(crate) fn multiply_transposed(&self, start: &[usize], x: &mut [f64]) {
        for (l, rows) in self.each(start) {
            let (n, x) = (rows.len(), &mut x[rows]);
            for i in 0..n {
                x[i] *= l[i * n + i];
                for k in i + 1..n {
                    x[i] += l[k * n + i] * x[k];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_undo_each_other_and_make_a_block_the_identity() {
        let start = [0, 3, 4];
        let mut blocks = Blocks::new(&start);
        let p = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        blocks.block(0, 3).copy_from_slice(&p);
        blocks.block(1, 1)[0] = 9.0;
        (0..2).for_each(|group| blocks.factor(group, [3, 1][group]));
        let x = [1.0, -2.0, 0.5, 3.0];
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
        let mut y = x;
        blocks.multiply(&start, &mut y);
        blocks.solve(&start, &mut y);
        assert!(close(&x, &y));
        blocks.multiply_transposed(&start, &mut y);
        blocks.solve_transposed(&start, &mut y);
        assert!(close(&x, &y));
        // L⁻¹·P·L⁻ᵀ·x = x.
        blocks.solve_transposed(&start, &mut y);
        let mut product = [0.0; 4];
        for i in 0..3 {
            product[i] = (0..3).map(|k| p[i * 3 + k] * y[k]).sum();
        }
        product[3] = 9.0 * y[3];
        blocks.solve(&start, &mut product);
        assert!(close(&x, &product));
    }

    #[test]
    fn a_flat_block_has_no_pivot_that_vanishes() {
        let mut blocks = Blocks::new(&[0, 2, 3]);
        blocks.block(0, 2).copy_from_slice(&[1.0, 1.0, 1.0, 1.0]);
        (0..2).for_each(|group| blocks.factor(group, [2, 1][group]));
        let mut r = [1.0, -1.0, 2.0];
        blocks.solve(&[0, 2, 3], &mut r);
        assert!(r.iter().all(|r| r.is_finite()) && r[2] == 2.0);
    }
}
