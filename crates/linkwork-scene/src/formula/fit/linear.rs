//! Rows that are affine in what is sought are reduced once, when the fit is made.
//!
//! ```text
//!     Σ w·½·|J_k·x + r_k|² = ½·|R·x + d|² + rest
//! ```
//!
//! R is triangular, and found row by row with Givens's rotations: no normal equations, no loss of digits. From then on
//! any number of rows costs what R costs.

use linkwork::constraint::MAX_ROWS;

use super::sums::order;

/// All rows at once.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    n: usize,
    /// R and, in the last column, d; row after row, columns in the order of the numbers.
    root: Vec<f64>,
    /// What no numbers can make smaller.
    rest: f64,
}

/// Goes through all rows: slopes, and the difference where all numbers are zero.
pub(super) type Through<'t> = &'t dyn Fn(&mut dyn FnMut(&[f64; MAX_ROWS], f64));

impl Linear {
    /// Of rows over n numbers, each of which counts w. None if something is not finite.
    pub(super) fn of(n: usize, w: f64, through: Through<'_>) -> Option<Self> {
        let mut size = [0.0; MAX_ROWS];
        let mut is_finite = true;
        through(&mut |slopes, r| {
            is_finite &= r.is_finite();
            for (size, slope) in size.iter_mut().zip(&slopes[..n]) {
                *size += slope * slope;
            }
        });
        if !is_finite || size.iter().any(|own| !own.is_finite()) {
            return None;
        }
        // A number that does little must not be lost in the row of one that does much.
        let order = order(&size[..n]);
        let wide = n + 1;
        let mut own = vec![0.0; n * wide];
        let (mut rest, weight) = (0.0, w.sqrt());
        through(&mut |slopes, r| {
            let mut row = [0.0; MAX_ROWS + 1];
            for (to, &from) in row.iter_mut().zip(&order[..n]) {
                *to = weight * slopes[from];
            }
            row[n] = weight * r;
            for k in 0..n {
                if row[k] == 0.0 {
                    continue;
                }
                let line = &mut own[k * wide..(k + 1) * wide];
                let length = libm::hypot(line[k], row[k]);
                let (c, s) = (line[k] / length, row[k] / length);
                for j in k..wide {
                    let (above, below) = (line[j], row[j]);
                    line[j] = c * above + s * below;
                    row[j] = c * below - s * above;
                }
            }
            rest += 0.5 * row[n] * row[n];
        });
        let mut root = vec![0.0; n * wide];
        for k in 0..n {
            // The row of a number stands where the number does.
            let to = &mut root[order[k] * wide..(order[k] + 1) * wide];
            for (j, &column) in order[..n].iter().enumerate().skip(k) {
                to[column] = own[k * wide + j];
            }
            to[n] = own[k * wide + n];
        }
        Some(Self { n, root, rest })
    }

    /// An entry of R.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        self.root[row * (self.n + 1) + column]
    }

    /// Writes `c = R·x + d`; the energy.
    pub(super) fn eval(&self, x: &[f64], c: &mut [f64]) -> f64 {
        let mut energy = self.rest;
        for (c, line) in c.iter_mut().zip(self.root.chunks_exact(self.n + 1)) {
            let sum: f64 = line.iter().zip(x).map(|(entry, x)| entry * x).sum();
            *c = sum + line[self.n];
            energy += 0.5 * *c * *c;
        }
        energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_squares_are_kept() {
        let slope = |k: usize, i: usize| {
            libm::sin((k * 7 + 1) as f64 * (0.3 + i as f64)) * [1.0, 1e-6, 1e3][i]
        };
        let rest = |k: usize| libm::cos(1.3 * k as f64);
        let through: Through<'_> = &|each| {
            for k in 0..30 {
                let mut slopes = [0.0; MAX_ROWS];
                for i in 0..3 {
                    slopes[i] = slope(k, i);
                }
                each(&slopes, rest(k));
            }
        };
        let linear = Linear::of(3, 2.0, through).unwrap();
        for x in [[0.0; 3], [0.3, -2e5, 1e-3], [1.0, 1e6, 2e-3]] {
            let mut c = [0.0; 3];
            let energy = linear.eval(&x, &mut c);
            let (mut wanted, mut slopes) = (0.0, [0.0; 3]);
            for k in 0..30 {
                let r = rest(k) + (0..3).map(|i| slope(k, i) * x[i]).sum::<f64>();
                wanted += r * r;
                for (i, own) in slopes.iter_mut().enumerate() {
                    *own += 2.0 * r * slope(k, i);
                }
            }
            assert!(
                (energy - wanted).abs() < 1e-13 * (1.0 + wanted),
                "{energy} {wanted}"
            );
            for (i, wanted) in slopes.iter().enumerate() {
                let own: f64 = (0..3).map(|k| linear.entry(k, i) * c[k]).sum();
                let size = [1.0, 1e-6, 1e3][i];
                assert!((own - wanted).abs() < 1e-11 * size, "{own} {wanted}");
            }
        }
    }
}
