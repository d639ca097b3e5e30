//! An independent reference: the equations of a system as dense matrices, solved by a Jacobi
//! singular value decomposition, priority by priority.
//!
//! With `M = L·Lᵀ`, `a = M⁻¹·f`, `z = Lᵀ·(y − a)` and rows scaled to meters, `S`,
//!
//! ```text
//!     B = S·[J·L⁻ᵀ  √C]      r = S·(b − J·a)      z = B⁺·r      λ = S·(B·Bᵀ)⁺·r
//! ```
//!
//! is the motion of `H`: exact where the rows can be met, least squares where they contradict each
//! other. A lower priority does the same in what the priorities above leave free.

use linkwork::system::System;

/// Singular values below this, relative to the largest, count as zero.
const RANK: f64 = 1e-10;

/// A row-major matrix.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) data: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(rows: usize, cols: usize) -> Self {
        Self {
            rows,
            cols,
            data: vec![0.0; rows * cols],
        }
    }

    pub(crate) fn new(rows: usize, cols: usize, data: Vec<f64>) -> Self {
        assert_eq!(data.len(), rows * cols);
        Self { rows, cols, data }
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.cols + j]
    }

    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.cols + j] = value;
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| dot(self.row(i), x)).collect()
    }

    pub(crate) fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.cols];
        for i in 0..self.rows {
            for (out, a) in out.iter_mut().zip(self.row(i)) {
                *out += a * x[i];
            }
        }
        out
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |s, a| s.max(a.abs()))
}

pub(crate) fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The lower triangle `L` of `M = L·Lᵀ`.
pub(crate) fn cholesky(m: &Matrix) -> Matrix {
    let n = m.rows;
    let mut l = Matrix::zero(n, n);
    for i in 0..n {
        for j in 0..=i {
            let s = m.at(i, j) - dot(&l.row(i)[..j], &l.row(j)[..j]);
            if i == j {
                assert!(s > 0.0, "the mass must be positive definite");
                l.set(i, i, s.sqrt());
            } else {
                let value = s / l.at(j, j);
                l.set(i, j, value);
            }
        }
    }
    l
}

/// `L⁻¹·x`.
fn forward(l: &Matrix, x: &[f64]) -> Vec<f64> {
    let mut out = x.to_vec();
    for i in 0..l.rows {
        out[i] = (out[i] - dot(&l.row(i)[..i], &out[..i])) / l.at(i, i);
    }
    out
}

/// `L⁻ᵀ·x`.
fn backward(l: &Matrix, x: &[f64]) -> Vec<f64> {
    let mut out = x.to_vec();
    for i in (0..l.rows).rev() {
        out[i] /= l.at(i, i);
        for j in 0..i {
            out[j] -= l.at(i, j) * out[i];
        }
    }
    out
}

/// Gauss elimination with partial pivoting: `A·x = b`.
pub(crate) fn lu_solve(a: &Matrix, b: &[f64]) -> Vec<f64> {
    let n = a.rows;
    let (mut a, mut x) = (a.clone(), b.to_vec());
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a.at(i, k).abs().total_cmp(&a.at(j, k).abs()))
            .unwrap_or(k);
        assert!(a.at(pivot, k) != 0.0, "singular at column {k}");
        for j in 0..n {
            let (p, q) = (a.at(k, j), a.at(pivot, j));
            a.set(k, j, q);
            a.set(pivot, j, p);
        }
        x.swap(k, pivot);
        for i in k + 1..n {
            let factor = a.at(i, k) / a.at(k, k);
            if factor != 0.0 {
                for j in k..n {
                    let value = a.at(i, j) - factor * a.at(k, j);
                    a.set(i, j, value);
                }
                x[i] -= factor * x[k];
            }
        }
    }
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|j| a.at(i, j) * x[j]).sum();
        x[i] = (x[i] - s) / a.at(i, i);
    }
    x
}

/// `B = Σ σ_k·u_k·v_kᵀ`, the zero ones left out.
#[derive(Clone, Debug)]
pub(crate) struct Svd {
    pub(crate) sigma: Vec<f64>,
    u: Vec<Vec<f64>>,
    pub(crate) v: Vec<Vec<f64>>,
    /// The largest one that was left out, relative to the largest.
    pub(crate) left_out: f64,
}

impl Svd {
    /// One-sided Jacobi over the rows of `b`; `reference` is what a singular value is compared with
    /// to be called zero.
    pub(crate) fn new(b: &Matrix, reference: f64) -> Self {
        let m = b.rows;
        // Rows w_i = (Uᵀ·B)_i, turned until they are orthogonal.
        let mut w: Vec<Vec<f64>> = (0..m).map(|i| b.row(i).to_vec()).collect();
        let mut u: Vec<Vec<f64>> = (0..m)
            .map(|i| (0..m).map(|j| f64::from(i == j)).collect())
            .collect();
        for _ in 0..60 {
            let mut turned = false;
            for p in 0..m {
                for q in p + 1..m {
                    let (a, c, g) = (dot(&w[p], &w[p]), dot(&w[q], &w[q]), dot(&w[p], &w[q]));
                    if g == 0.0 || g.abs() <= 1e-16 * (a * c).sqrt() {
                        continue;
                    }
                    turned = true;
                    let zeta = (c - a) / (2.0 * g);
                    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                    let cos = 1.0 / (1.0 + t * t).sqrt();
                    turn(&mut w, p, q, cos, cos * t);
                    turn(&mut u, p, q, cos, cos * t);
                }
            }
            if !turned {
                break;
            }
        }
        let mut out = Self {
            sigma: vec![],
            u: vec![],
            v: vec![],
            left_out: 0.0,
        };
        for (w, u) in w.into_iter().zip(u) {
            let sigma = norm(&w);
            if sigma > RANK * reference {
                out.v.push(w.iter().map(|x| x / sigma).collect());
                out.u.push(u);
                out.sigma.push(sigma);
            } else {
                out.left_out = out.left_out.max(sigma / reference);
            }
        }
        out
    }

    pub(crate) fn rank(&self) -> usize {
        self.sigma.len()
    }

    pub(crate) fn largest(&self) -> f64 {
        self.sigma.iter().fold(0.0, |s, x| s.max(*x))
    }

    pub(crate) fn smallest(&self) -> f64 {
        self.sigma.iter().fold(f64::INFINITY, |s, x| s.min(*x))
    }

    /// `Σ v_k·σ_k^power·(u_k·r)`.
    fn apply(&self, power: i32, r: &[f64], into_v: bool) -> Vec<f64> {
        let basis = if into_v { &self.v } else { &self.u };
        let n = basis.first().map_or(0, Vec::len);
        let mut out = vec![0.0; n];
        for k in 0..self.rank() {
            let s = dot(&self.u[k], r) * self.sigma[k].powi(power);
            for (out, x) in out.iter_mut().zip(&basis[k]) {
                *out += s * x;
            }
        }
        out
    }
}

fn turn(rows: &mut [Vec<f64>], p: usize, q: usize, cos: f64, sin: f64) {
    for k in 0..rows[p].len() {
        let (a, b) = (rows[p][k], rows[q][k]);
        rows[p][k] = cos * a - sin * b;
        rows[q][k] = sin * a + cos * b;
    }
}

/// The matrices of a system.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    pub(crate) n_v: usize,
    /// Rows that take part, by priority, as indices into the world's rows.
    pub(crate) priorities: Vec<Vec<usize>>,
    pub(crate) mass: Matrix,
    pub(crate) jacobian: Matrix,
    pub(crate) compliance: Vec<f64>,
    /// Scale of every row of the world, weights included.
    pub(crate) scale: Vec<f64>,
    cholesky: Matrix,
    /// Velocities of bodies that do not take part.
    resting: Vec<bool>,
    /// Per priority: its scaled rows, and the decomposition of what the priorities above leave of them.
    factors: Vec<(Matrix, Svd)>,
}

/// Rows with some directions projected out, twice against round-off.
fn without(matrix: &Matrix, taken: &[Vec<f64>]) -> Matrix {
    let mut free = matrix.clone();
    for _ in 0..2 {
        for i in 0..free.rows {
            for v in taken {
                let along = dot(free.row(i), v);
                for j in 0..free.cols {
                    let value = free.at(i, j) - along * v[j];
                    free.set(i, j, value);
                }
            }
        }
    }
    free
}

/// The answer of the reference, and what its accuracy depends on.
pub(crate) struct Answer {
    pub(crate) y: Vec<f64>,
    /// Multipliers of priority 0; meaningful where its rows have full rank.
    pub(crate) lambda: Vec<f64>,
    pub(crate) full_rank: bool,
    /// Largest error of the rows of each priority, in meters.
    pub(crate) left: Vec<f64>,
    /// Singular values of priority 0 and the nearest to zero that was kept or dropped.
    pub(crate) sigma_max: f64,
    pub(crate) sigma_min: f64,
    pub(crate) dropped: f64,
    sizes: f64,
    residual: f64,
}

impl Dense {
    pub(crate) fn of(system: &System, weight: impl Fn(usize) -> f64) -> Self {
        let n_v = system.n_v();
        let active = system.active_rows();
        let mut priorities: Vec<(u8, Vec<usize>)> = Vec::new();
        for (row, priority) in active.iter().enumerate() {
            let Some(priority) = *priority else { continue };
            match priorities.iter_mut().find(|(known, _)| *known == priority) {
                Some((_, rows)) => rows.push(row),
                None => priorities.push((priority, vec![row])),
            }
        }
        if priorities.iter().all(|(priority, _)| *priority != 0) {
            priorities.push((0, vec![]));
        }
        priorities.sort_by_key(|(priority, _)| *priority);
        let mut mass = Matrix::new(n_v, n_v, system.mass_matrix());
        // Parts of what is disabled stay zero; give them a mass so that nothing divides by zero.
        let resting: Vec<bool> = (0..n_v).map(|i| mass.at(i, i) == 0.0).collect();
        for i in 0..n_v {
            if resting[i] {
                mass.set(i, i, 1.0);
            }
        }
        let scale = (0..system.n_rows()).map(|row| system.row_scale()[row] * weight(row));
        let mut out = Self {
            n_v,
            priorities: priorities.into_iter().map(|(_, rows)| rows).collect(),
            jacobian: Matrix::new(system.n_rows(), n_v, system.jacobian_matrix()),
            compliance: system.compliance().to_vec(),
            scale: scale.collect(),
            cholesky: cholesky(&mass),
            mass,
            resting,
            factors: vec![],
        };
        out.factor();
        out
    }

    /// The same equations with their rows in other priorities.
    pub(crate) fn with_priorities(&self, priorities: &[Vec<usize>]) -> Self {
        let mut out = Self {
            priorities: priorities.to_vec(),
            ..self.clone()
        };
        out.factor();
        out
    }

    fn factor(&mut self) {
        self.factors.clear();
        let mut taken: Vec<Vec<f64>> = vec![];
        for priority in 0..self.priorities.len() {
            let matrix = self.scaled(&self.priorities[priority]);
            let size = (0..matrix.rows)
                .map(|i| norm(matrix.row(i)))
                .fold(f64::MIN_POSITIVE, f64::max);
            let svd = Svd::new(&without(&matrix, &taken), size);
            taken.extend(svd.v.iter().cloned());
            self.factors.push((matrix, svd));
        }
    }

    /// `M⁻¹·f`.
    pub(crate) fn accelerate(&self, force: &[f64]) -> Vec<f64> {
        backward(&self.cholesky, &forward(&self.cholesky, force))
    }

    /// `S·[J·L⁻ᵀ  √C]` of some rows.
    fn scaled(&self, rows: &[usize]) -> Matrix {
        let soft: Vec<usize> = (0..self.compliance.len())
            .filter(|&row| self.compliance[row] > 0.0)
            .collect();
        let mut b = Matrix::zero(rows.len(), self.n_v + soft.len());
        for (i, &row) in rows.iter().enumerate() {
            let part = forward(&self.cholesky, self.jacobian.row(row));
            for (j, value) in part.iter().enumerate() {
                b.set(i, j, self.scale[row] * value);
            }
            if let Some(at) = soft.iter().position(|&s| s == row) {
                let root = self.compliance[row].sqrt();
                b.set(i, self.n_v + at, self.scale[row] * root);
            }
        }
        b
    }

    /// Solves priority by priority for a load and for what the rows must be.
    pub(crate) fn solve(&self, force: &[f64], b: &[f64]) -> Answer {
        let a = self.accelerate(force);
        let mut z = vec![0.0; self.factors[0].0.cols];
        let mut answer = Answer {
            y: vec![],
            lambda: vec![0.0; self.compliance.len()],
            full_rank: true,
            left: vec![],
            sigma_max: 0.0,
            sigma_min: f64::INFINITY,
            dropped: 0.0,
            sizes: norm(&self.weigh(&a)),
            residual: 0.0,
        };
        let right = |row: &usize| self.scale[*row] * (b[*row] - dot(self.jacobian.row(*row), &a));
        let mut lambda_norm = 0.0;
        for (priority, (matrix, svd)) in self.factors.iter().enumerate() {
            let r: Vec<f64> = self.priorities[priority].iter().map(right).collect();
            let open = difference(&r, &matrix.times(&z));
            for (z, step) in z.iter_mut().zip(svd.apply(-1, &open, true)) {
                *z += step;
            }
            if priority == 0 {
                let mu = svd.apply(-2, &open, false);
                lambda_norm = norm(&mu);
                for (&row, mu) in self.priorities[0].iter().zip(&mu) {
                    answer.lambda[row] = self.scale[row] * mu;
                }
                answer.full_rank = svd.rank() == matrix.rows;
            }
            answer.sigma_max = answer.sigma_max.max(svd.largest());
            answer.sigma_min = answer.sigma_min.min(svd.smallest());
            answer.dropped = answer.dropped.max(svd.left_out);
            if svd.rank() > 0 {
                answer.sizes += norm(&r) / svd.largest();
            }
        }
        for (priority, (matrix, _)) in self.factors.iter().enumerate() {
            let r: Vec<f64> = self.priorities[priority].iter().map(right).collect();
            let left = difference(&r, &matrix.times(&z));
            answer.residual += norm(&left);
            answer.left.push(largest(&left));
        }
        let step = backward(&self.cholesky, &z[..self.n_v]);
        answer.y = a;
        for (y, step) in answer.y.iter_mut().zip(step) {
            *y += step;
        }
        for (y, resting) in answer.y.iter_mut().zip(&self.resting) {
            if *resting {
                *y = 0.0;
            }
        }
        answer.sizes += norm(&z) + answer.sigma_max * lambda_norm;
        answer
    }

    /// `Lᵀ·y`: its length is the length of a motion in the metric of the mass.
    fn weigh(&self, y: &[f64]) -> Vec<f64> {
        self.cholesky.transposed_times(y)
    }

    /// The length of a motion in the metric of the mass.
    pub(crate) fn length(&self, y: &[f64]) -> f64 {
        norm(&self.weigh(y))
    }

    /// How far a motion is from the answer, relative to what a stable solver in double precision
    /// that stops at a residual of 1e-13 may be off; a value above one is wrong.
    ///
    /// ```text
    ///     ‖δz‖ ≤ c·κ·(‖a‖ + ‖z‖ + ‖r‖/σ + σ·‖λ‖ + max|y|/σ)      κ = σ/σ_min
    /// ```
    pub(crate) fn motion_error(&self, answer: &Answer, y: &[f64]) -> f64 {
        self.length(&difference(y, &answer.y)) / self.motion_bound(answer)
    }

    fn motion_bound(&self, answer: &Answer) -> f64 {
        if answer.sigma_max == 0.0 {
            return 1e-12 * answer.sizes + f64::MIN_POSITIVE;
        }
        let condition = answer.sigma_max / answer.sigma_min;
        let sizes = answer.sizes + largest(&answer.y) / answer.sigma_max;
        // What is left of contradictory rows is told from what can still be met by a proximal term
        // of relative size 1e-8: eight digits are safe, and all but two of the others come back.
        let left = condition * condition * answer.residual / answer.sigma_max;
        let bound = condition * (1e-12 * sizes + 1e-10 * left) + f64::MIN_POSITIVE;
        // Lower priorities are solved on a matrix of responses, each of them as good as a solve.
        if self.priorities.len() > 1 {
            condition * bound
        } else {
            bound
        }
    }

    /// The same for the multipliers of priority 0: `‖δλ‖ ≤ ‖δz‖/σ_min`.
    pub(crate) fn lambda_error(&self, answer: &Answer, lambda: &[f64]) -> f64 {
        let off: f64 = self.priorities[0]
            .iter()
            .map(|&row| ((lambda[row] - answer.lambda[row]) / self.scale[row]).powi(2))
            .sum::<f64>()
            .sqrt();
        off / (self.motion_bound(answer) / answer.sigma_min)
    }
}

impl Answer {
    /// Whether the rank of priority 0 is beyond doubt.
    pub(crate) fn rank_is_clear(&self) -> bool {
        self.dropped < 1e-12 && self.sigma_min > 1e-4 * self.sigma_max
    }
}

/// `H·(y, λ) = (f, −b)` by Gauss elimination, for all rows at once: hard rows of full rank.
/// `push` are the force directions, `n_rows × n_v`; `J` for ordinary rows.
pub(crate) fn solve_kkt(
    dense: &Dense,
    rows: &[usize],
    push: &Matrix,
    force: &[f64],
    b: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let (n, m) = (dense.n_v, rows.len());
    let mut h = Matrix::zero(n + m, n + m);
    for i in 0..n {
        for j in 0..n {
            h.set(i, j, dense.mass.at(i, j));
        }
    }
    for (k, &row) in rows.iter().enumerate() {
        for j in 0..n {
            h.set(n + k, j, -dense.jacobian.at(row, j));
            h.set(j, n + k, -push.at(row, j));
        }
        h.set(n + k, n + k, -dense.compliance[row]);
    }
    let mut right = force.to_vec();
    right.extend(rows.iter().map(|&row| -b[row]));
    let x = lu_solve(&h, &right);
    (x[..n].to_vec(), x[n..].to_vec())
}
