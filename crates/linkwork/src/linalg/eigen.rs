//! Eigenvalues of small symmetric matrices by Jacobi's rotations.

use super::tolerances::{MAX_SWEEPS, OFF_DIAGONAL};

/// Turns a symmetric `n × n` matrix into its eigenvalues, and says which vectors they belong to.
///
/// Row `i` of `vectors` becomes the eigenvector, of length one, of the eigenvalue on place `i` of the diagonal
/// of `a`. Deterministic, accurate to round-off of the largest eigenvalue. Cost: a few sweeps of `3·n³`.
pub(crate) fn diagonalize(n: usize, a: &mut [f64], vectors: &mut [f64]) {
    vectors.fill(0.0);
    vectors.iter_mut().step_by(n + 1).for_each(|v| *v = 1.0);
    for _ in 0..MAX_SWEEPS {
        let size: f64 = a.iter().step_by(n + 1).map(|d| d.abs()).sum();
        let off = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let off: f64 = off.map(|(i, j)| a[i * n + j].abs()).sum();
        if off <= OFF_DIAGONAL * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(n, (p, q), a, vectors);
            }
        }
    }
}

/// The rotation of rows and columns `p` and `q` that makes their common entry zero.
fn rotate(n: usize, (p, q): (usize, usize), a: &mut [f64], vectors: &mut [f64]) {
    let entry = a[p * n + q];
    if entry == 0.0 {
        return;
    }
    // t = tan of its angle, the smaller root.
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * entry);
    let t = 1.0 / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta < 0.0 { -t } else { t };
    let cos = 1.0 / (t * t + 1.0).sqrt();
    let sin = t * cos;
    for row in a.chunks_exact_mut(n) {
        (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
    }
    for matrix in [a, vectors] {
        let (head, tail) = matrix.split_at_mut(q * n);
        for (x, y) in head[p * n..p * n + n].iter_mut().zip(&mut tail[..n]) {
            (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dense::dot;
    use super::*;

    #[test]
    fn a_string_of_masses_has_its_frequencies() {
        // 2 on the diagonal, −1 beside it: 4·sin²(k·π/(2·(n + 1))).
        let n = 9;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = 2.0;
            if i > 0 {
                a[i * n + i - 1] = -1.0;
                a[(i - 1) * n + i] = -1.0;
            }
        }
        let whole = a.clone();
        let mut vectors = vec![0.0; n * n];
        diagonalize(n, &mut a, &mut vectors);
        let mut values: Vec<f64> = a.iter().step_by(n + 1).copied().collect();
        for (value, v) in values.iter().zip(vectors.chunks_exact(n)) {
            for (row, own) in whole.chunks_exact(n).zip(v) {
                assert!((dot(row, v) - value * own).abs() < 1e-14);
            }
            assert!((dot(v, v) - 1.0).abs() < 1e-14);
        }
        values.sort_by(f64::total_cmp);
        for (k, value) in values.iter().enumerate() {
            let angle = (k + 1) as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64);
            assert!((value - 4.0 * libm::sin(angle) * libm::sin(angle)).abs() < 1e-14);
        }
    }
}
