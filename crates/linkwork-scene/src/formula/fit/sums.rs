//! Sums over the rows of a table, and what they are as rows of the engine.
//!
//! ```text
//!     H = Σ w·JᵀJ      g = Σ w·Jᵀr      H = Rᵀ·R      c = R⁻ᵀ·g      ⇒  Rᵀ·R = H,  Rᵀ·c = g
//! ```
//!
//! R is Cholesky's, after numbers were scaled so that H has ones on its diagonal, the largest number first: units do
//! not matter. Where a pivot is lost, rows say nothing of a combination of numbers; it is held a little, and its slope
//! is kept as it is.

use linkwork::constraint::MAX_ROWS;

use super::MOST_PARTS;

/// What is left of a pivot at the least.
const LEAST_PIVOT: f64 = 1e-10;

/// Sums over rows; after [`Sums::root`], R in place of H.
pub(crate) struct Sums {
    n: usize,
    pub(crate) energy: f64,
    gradient: [f64; MAX_ROWS],
    matrix: [[f64; MAX_ROWS]; MAX_ROWS],
}

impl Sums {
    /// Of so many numbers.
    pub(crate) fn of(n: usize) -> Self {
        Self {
            n,
            energy: 0.0,
            gradient: [0.0; MAX_ROWS],
            matrix: [[0.0; MAX_ROWS]; MAX_ROWS],
        }
    }

    /// A row of the table: what is left there, its slopes, and the slopes that H is made of, which are the same but
    /// where steps are better with others.
    pub(crate) fn add(
        &mut self,
        r: &[f64; MOST_PARTS],
        slopes: &[[f64; MAX_ROWS]; MOST_PARTS],
        flat: &[[f64; MAX_ROWS]; MOST_PARTS],
        weight: f64,
    ) {
        for (r, (own, flat)) in r.iter().zip(slopes.iter().zip(flat)) {
            for (sum, slope) in self.gradient[..self.n].iter_mut().zip(own) {
                *sum += weight * slope * r;
            }
            let slopes = &flat[..self.n];
            for (i, &slope) in slopes.iter().enumerate().filter(|own| *own.1 != 0.0) {
                let slope = weight * slope;
                // The upper half.
                let row = &mut self.matrix[i][i..self.n];
                for (sum, other) in row.iter_mut().zip(&slopes[i..]) {
                    *sum += slope * other;
                }
            }
        }
    }

    /// An entry of R: the row of one number, the column of another.
    pub(crate) fn entry(&self, row: usize, column: usize) -> f64 {
        self.matrix[row][column]
    }

    /// Makes R of H, and c of g.
    pub(crate) fn root(&mut self, c: &mut [f64]) {
        let n = self.n;
        let mut size = [0.0; MAX_ROWS];
        for i in 0..n {
            size[i] = self.matrix[i][i].sqrt();
            for j in 0..i {
                self.matrix[i][j] = self.matrix[j][i];
            }
        }
        let order = order(&size[..n]);
        let scaled = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        for at in 0..n {
            let i = order[at];
            // A number that no row reads has a row of zeros.
            let mut pivot = if size[i] > 0.0 { 1.0 } else { 0.0 };
            let mut own = scaled(self.gradient[i], size[i]);
            for &k in &order[..at] {
                pivot -= self.matrix[k][i] * self.matrix[k][i];
                own -= self.matrix[k][i] * c[k];
            }
            let root = match size[i] > 0.0 {
                true => pivot.max(LEAST_PIVOT).sqrt(),
                false => 0.0,
            };
            for &j in &order[at + 1..n] {
                let mut entry = scaled(self.matrix[i][j], size[i] * size[j]);
                for &k in &order[..at] {
                    entry -= self.matrix[k][i] * self.matrix[k][j];
                }
                self.matrix[i][j] = scaled(entry, root);
            }
            for &j in &order[..at] {
                self.matrix[i][j] = 0.0;
            }
            self.matrix[i][i] = root;
            // What is not finite is told, not hidden.
            c[i] = match self.energy.is_finite() {
                true => scaled(own, root),
                false => f64::NAN,
            };
        }
        for row in &mut self.matrix[..n] {
            for (entry, size) in row.iter_mut().zip(&size[..n]) {
                *entry *= size;
            }
        }
    }
}

/// Numbers by what rows make of them, the most first: then the row of a number that does little has nothing in it of
/// one that does much, beside which it would be lost.
pub(super) fn order(size: &[f64]) -> [usize; MAX_ROWS] {
    let mut order = [0; MAX_ROWS];
    for i in 0..size.len() {
        let mut at = i;
        while at > 0 && size[order[at - 1]] < size[i] {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = i;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R of sums of random rows gives H and g back, in units that differ by 1e9, and where numbers cannot be told
    /// apart.
    #[test]
    fn roots_give_sums_back() {
        let n = 5;
        for is_singular in [false, true] {
            let mut sums = Sums::of(n);
            let scale = [1.0, 1e-6, 1e3, 1.0, 10.0];
            let (mut h, mut g) = ([[0.0; 5]; 5], [0.0; 5]);
            for k in 0..40 {
                let mut slopes = [[0.0; MAX_ROWS]; MOST_PARTS];
                let mut r = [0.0; MOST_PARTS];
                for part in 0..2 {
                    r[part] = libm::sin(1.3 * f64::from(k) + part as f64);
                    for i in 0..n {
                        slopes[part][i] = scale[i]
                            * libm::sin(f64::from(k * 7 + 1) * (0.3 + i as f64) + part as f64);
                    }
                    if is_singular {
                        slopes[part][3] = 2.0 * slopes[part][0];
                    }
                    for i in 0..n {
                        g[i] += 0.5 * slopes[part][i] * r[part];
                        for j in 0..n {
                            h[i][j] += 0.5 * slopes[part][i] * slopes[part][j];
                        }
                    }
                }
                sums.add(&r, &slopes, &slopes, 0.5);
            }
            let mut c = [0.0; 5];
            sums.root(&mut c);
            for i in 0..n {
                let at = |row: usize, column: usize| sums.entry(row, column);
                let back: f64 = (0..n).map(|k| at(k, i) * c[k]).sum();
                assert!(
                    (back - g[i]).abs() < 1e-9 * h[i][i].sqrt(),
                    "{back} {}",
                    g[i]
                );
                for j in 0..n {
                    let back: f64 = (0..n).map(|k| at(k, i) * at(k, j)).sum();
                    assert!((back - h[i][j]).abs() < 3e-10 * (h[i][i] * h[j][j]).sqrt());
                }
            }
        }
    }
}
