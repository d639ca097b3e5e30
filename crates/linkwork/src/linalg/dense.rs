//! Larger dense matrices: Cholesky for the normal equations, pivoted QR for least squares.

use super::small::Pivot;
use super::tolerances::{LEAST_PROXIMAL, PROXIMAL_FLOOR};

/// Cholesky of a symmetric positive definite matrix in place, row-major, lower triangle.
///
/// A pivot below `floor` times its row's `reference` is replaced by that: rows that repeat others
/// then get no multiplier of their own. Returns how many were.
///
/// Panel by panel: the rows of a panel are factored, then everything behind it is updated in tiles.
/// `panel` is scratch of at least `n × PANEL`.
pub(crate) fn cholesky(
    n: usize,
    a: &mut [f64],
    reference: &[f64],
    floor: f64,
    panel: &mut [f64],
) -> usize {
    let mut n_lost = 0;
    for k0 in (0..n).step_by(PANEL) {
        let k1 = n.min(k0 + PANEL);
        for i in k0..n {
            let (above, rest) = a.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in k0..k1.min(i) {
                let pivot_row = &above[j * n..j * n + n];
                let s = row[j] - dot(&row[k0..j], &pivot_row[k0..j]);
                row[j] = s / pivot_row[j];
            }
            if i < k1 {
                let mut d = row[i] - dot(&row[k0..i], &row[k0..i]);
                if d.is_nan() || d <= floor * reference[i] {
                    d = (floor * reference[i]).max(f64::MIN_POSITIVE);
                    n_lost += 1;
                }
                row[i] = d.sqrt();
            }
            // A short last panel has nothing behind it; a full one is copied for the update.
            if i >= k1 {
                panel[i * PANEL..(i + 1) * PANEL].copy_from_slice(&row[k0..k1]);
            }
        }
        update_behind(n, k1, a, panel);
    }
    n_lost
}

/// Columns that are factored together.
pub(crate) const PANEL: usize = 32;
/// Rows and columns of a tile.
const TILE: usize = 4;

/// `A ← A − P·Pᵀ` on the lower triangle from row and column `k` on, `P` being the panel.
fn update_behind(n: usize, k: usize, a: &mut [f64], panel: &[f64]) {
    let row_of = |i: usize| &panel[i * PANEL..(i + 1) * PANEL];
    for i0 in (k..n).step_by(TILE) {
        for j0 in (k..(i0 + TILE).min(n)).step_by(TILE) {
            if i0 + TILE > n || j0 + TILE > n {
                for i in i0..n.min(i0 + TILE) {
                    for j in j0..=i.min(j0 + TILE - 1) {
                        a[i * n + j] -= dot(row_of(i), row_of(j));
                    }
                }
                continue;
            }
            // Two lanes of sums for each entry of the tile.
            let mut sums = [[[0.0f64; 2]; TILE]; TILE];
            let rows: [&[f64]; TILE] = std::array::from_fn(|t| row_of(i0 + t));
            let columns: [&[f64]; TILE] = std::array::from_fn(|t| row_of(j0 + t));
            for p in (0..PANEL).step_by(2) {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        sum[0] += row[p] * column[p];
                        sum[1] += row[p + 1] * column[p + 1];
                    }
                }
            }
            for (t, sums) in sums.iter().enumerate() {
                let start = (i0 + t) * n + j0;
                for (a, sum) in a[start..start + TILE].iter_mut().zip(sums) {
                    *a -= sum[0] + sum[1];
                }
            }
        }
    }
}

/// `x ← (L·Lᵀ)⁻¹·x`.
pub(crate) fn cholesky_solve(n: usize, l: &[f64], x: &mut [f64]) {
    for i in 0..n {
        let row = &l[i * n..i * n + i];
        x[i] = (x[i] - dot(row, &x[..i])) / l[i * n + i];
    }
    for i in (0..n).rev() {
        x[i] /= l[i * n + i];
        let value = x[i];
        for (x, l) in x[..i].iter_mut().zip(&l[i * n..i * n + i]) {
            *x -= l * value;
        }
    }
}

/// A dot product in four independent sums: fixed order, several additions in flight.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let (a_rest, b_rest) = (a8.remainder(), b8.remainder());
    for (a, b) in a8.zip(b8) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let mut s =
        ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    for (a, b) in a_rest.iter().zip(b_rest) {
        s += a * b;
    }
    s
}

/// Householder QR with column pivoting of an `n × n` matrix: least squares for any rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct PivotedQr {
    n: usize,
    /// Column-major: R above the diagonal, Householder vectors below.
    qr: Vec<f64>,
    tau: Vec<f64>,
    order: Vec<usize>,
    rank: usize,
}

impl PivotedQr {
    /// Factors the row-major matrix `a`; columns of norm below `tolerance` are dropped.
    pub(crate) fn factor(&mut self, n: usize, a: &[f64], tolerance: f64) {
        self.n = n;
        self.qr.resize(n * n, 0.0);
        self.tau.resize(n, 0.0);
        self.order.clear();
        self.order.extend(0..n);
        for i in 0..n {
            for j in 0..n {
                self.qr[j * n + i] = a[i * n + j];
            }
        }
        self.rank = n;
        for k in 0..n {
            let norm2 =
                |j: usize, qr: &[f64]| dot(&qr[j * n + k..j * n + n], &qr[j * n + k..j * n + n]);
            let mut best = k;
            let mut best_norm = norm2(k, &self.qr);
            for j in k + 1..n {
                let norm = norm2(j, &self.qr);
                if norm > best_norm {
                    (best, best_norm) = (j, norm);
                }
            }
            let norm = best_norm.sqrt();
            if norm <= tolerance || norm == 0.0 {
                self.rank = k;
                return;
            }
            if best != k {
                self.order.swap(k, best);
                for i in 0..n {
                    self.qr.swap(k * n + i, best * n + i);
                }
            }
            // H = 1 − τ·v·vᵀ with v₀ = 1 maps the column onto its first entry.
            let alpha = self.qr[k * n + k];
            let beta = if alpha > 0.0 { -norm } else { norm };
            let v0 = alpha - beta;
            self.tau[k] = -v0 / beta;
            for i in k + 1..n {
                self.qr[k * n + i] /= v0;
            }
            self.qr[k * n + k] = beta;
            for j in k + 1..n {
                let (left, right) = self.qr.split_at_mut(j * n);
                let v = &left[k * n + k + 1..k * n + n];
                let column = &mut right[..n];
                let s = self.tau[k] * (column[k] + dot(v, &column[k + 1..]));
                column[k] -= s;
                for (c, v) in column[k + 1..].iter_mut().zip(v) {
                    *c -= s * v;
                }
            }
        }
    }

    /// How many columns were kept.
    pub(crate) fn rank(&self) -> usize {
        self.rank
    }

    /// A least-squares solution of `A·x = b`; `b` is consumed.
    pub(crate) fn solve(&self, b: &mut [f64], x: &mut [f64]) {
        let n = self.n;
        for k in 0..self.rank {
            let v = &self.qr[k * n + k + 1..k * n + n];
            let s = self.tau[k] * (b[k] + dot(v, &b[k + 1..n]));
            b[k] -= s;
            for (b, v) in b[k + 1..n].iter_mut().zip(v) {
                *b -= s * v;
            }
        }
        x[..n].fill(0.0);
        for k in (0..self.rank).rev() {
            let mut s = b[k];
            for j in k + 1..self.rank {
                s -= self.qr[j * n + k] * x[self.order[j]];
            }
            x[self.order[k]] = s / self.qr[k * n + k];
        }
    }
}

/// A symmetric positive semidefinite matrix and its Cholesky factor, with a proximal term where rows
/// repeat each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SemidefiniteFactor {
    n: usize,
    /// The matrix, row-major; scaled on both sides once it is factored.
    pub(crate) a: Vec<f64>,
    l: Vec<f64>,
    /// The proximal term in `l`; zero where no pivot was lost.
    mu: f64,
    reference: Vec<f64>,
    panel: Vec<f64>,
}

impl SemidefiniteFactor {
    /// Room for an `n × n` matrix.
    pub(crate) fn new(n: usize) -> Self {
        Self {
            n,
            a: vec![0.0; n * n],
            l: vec![0.0; n * n],
            mu: 0.0,
            reference: vec![0.0; n],
            panel: vec![0.0; n * PANEL],
        }
    }

    /// Factors what is in `a`, after scaling rows and columns. `reference` is what the diagonal
    /// would be if nothing held the rows: a pivot is lost below the part `floor` of that.
    pub(crate) fn factor(&mut self, scale: &[f64], reference: &[f64], floor: f64) -> Pivot {
        let n = self.n;
        for i in 0..n {
            for j in 0..n {
                self.a[i * n + j] *= scale[i] * scale[j];
            }
            self.reference[i] = reference[i] * scale[i] * scale[i];
        }
        self.l.copy_from_slice(&self.a);
        self.mu = 0.0;
        match cholesky(n, &mut self.l, &self.reference, floor, &mut self.panel) {
            0 => Pivot::Regular,
            _ => Pivot::Lost,
        }
    }

    /// Factors the same again with a proximal term, relative to the mean diagonal.
    pub(crate) fn factor_proximal(&mut self, proximal: f64) {
        let n = self.n;
        if n == 0 {
            return;
        }
        self.l.copy_from_slice(&self.a);
        let mean = (0..n).map(|i| self.a[i * n + i]).sum::<f64>() / n as f64;
        // Clear of round-off also where every row is blocked and nothing else is left.
        // Rows that depend on nothing have no size of their own.
        let size = self.reference.iter().fold(0.0f64, |s, r| s.max(r.abs()));
        let round_off = if size > 0.0 {
            LEAST_PROXIMAL * size
        } else {
            1.0
        };
        self.mu = (proximal * mean).max(round_off);
        for i in 0..n {
            self.l[i * n + i] += self.mu;
        }
        let floor = PROXIMAL_FLOOR;
        cholesky(n, &mut self.l, &self.reference, floor, &mut self.panel);
    }

    /// The proximal term in the factor.
    pub(crate) fn mu(&self) -> f64 {
        self.mu
    }

    /// `x ← (A + μ)⁻¹·x`, scaled as the matrix is.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        cholesky_solve(self.n, &self.l, x);
    }
}
