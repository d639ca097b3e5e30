//! Dense linear algebra of the tests' own: nothing of the engine is used to judge it.

/// Singular values of a row-major matrix, largest first, by one-sided Jacobi rotations.
pub(crate) fn singular_values(matrix: &[f64], n_cols: usize) -> Vec<f64> {
    // Rotate rows against each other until all are orthogonal: their lengths are the values.
    let mut rows: Vec<Vec<f64>> = matrix.chunks(n_cols).map(<[f64]>::to_vec).collect();
    let n_rows = rows.len();
    for _sweep in 0..60 {
        let mut rotated = false;
        for p in 0..n_rows {
            for q in p + 1..n_rows {
                let (pp, qq) = (dot(&rows[p], &rows[p]), dot(&rows[q], &rows[q]));
                let pq = dot(&rows[p], &rows[q]);
                if pq.abs() <= 1e-15 * (pp * qq).sqrt() || pq == 0.0 {
                    continue;
                }
                rotated = true;
                let zeta = (qq - pp) / (2.0 * pq);
                let sign = if zeta >= 0.0 { 1.0 } else { -1.0 };
                let t = sign / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cos = 1.0 / (1.0 + t * t).sqrt();
                let sin = t * cos;
                for k in 0..n_cols {
                    let (a, b) = (rows[p][k], rows[q][k]);
                    rows[p][k] = cos * a - sin * b;
                    rows[q][k] = sin * a + cos * b;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let mut values: Vec<f64> = rows.iter().map(|row| dot(row, row).sqrt()).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// The rank of a row-major matrix: how many singular values stand above a gap.
///
/// Panics when there is no clear gap, because then the question has no answer.
pub(crate) fn rank(matrix: &[f64], n_cols: usize) -> usize {
    let values = singular_values(matrix, n_cols);
    let Some(&largest) = values.first() else {
        return 0;
    };
    let rank = values
        .iter()
        .filter(|&&value| value > 1e-9 * largest)
        .count();
    if let Some(below) = values.get(rank) {
        assert!(
            *below < 1e-3 * values[rank - 1].min(largest * 1e-6),
            "no gap in the singular values {values:?}"
        );
    }
    rank
}

/// Solves a square row-major system by Gaussian elimination with row pivoting.
pub(crate) fn solve_dense(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let (mut a, mut x) = (matrix.to_vec(), right.to_vec());
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))
            .unwrap();
        assert!(a[pivot * n + k] != 0.0, "singular");
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
        }
        x.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] /= a[k * n + k];
    }
    x
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `A·x` for a row-major matrix.
pub(crate) fn multiply(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks(x.len()).map(|row| dot(row, x)).collect()
}

/// `Aᵀ·y` for a row-major matrix.
pub(crate) fn multiply_transposed(matrix: &[f64], y: &[f64]) -> Vec<f64> {
    let n = matrix.len() / y.len();
    let mut out = vec![0.0; n];
    for (row, y) in matrix.chunks(n).zip(y) {
        for (out, value) in out.iter_mut().zip(row) {
            *out += y * value;
        }
    }
    out
}

pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, value| m.max(value.abs()))
}

/// Numbers between −1 and 1, the same ones each time (a 64-bit xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }
}

#[test]
fn rank_and_solve_know_what_they_do() {
    // Two rows of three are independent, the third is their sum.
    let matrix = [1.0, 2.0, 3.0, 0.0, 1.0, -1.0, 1.0, 3.0, 2.0];
    assert_eq!(rank(&matrix, 3), 2);
    let values = singular_values(&[3.0, 0.0, 0.0, 0.0, 0.0, 4.0], 3);
    assert!((values[0] - 4.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
    let a = [0.0, 2.0, 1.0, 1.0, -1.0, 0.0, 3.0, 0.0, 2.0];
    let x = solve_dense(&a, &multiply(&a, &[1.0, -2.0, 0.5]));
    assert!(largest(&[x[0] - 1.0, x[1] + 2.0, x[2] - 0.5]) < 1e-14);
}
