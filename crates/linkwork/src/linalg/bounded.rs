//! Impulses between bounds.
//!
//! ```text
//!     u = W·r + g      least ≤ r ≤ most      u = 0 inside,  u ≥ 0 where r = least,  u ≤ 0 where r = most
//! ```
//!
//! W is symmetric and not negative; rows may repeat each other. The residual of an answer, in the unit of u, covers all
//! conditions at once: with w the mobility of each row,
//!
//! ```text
//!     max  w·|r − P(r − u/w)|       P the nearest impulse between the bounds
//! ```
//!
//! Newton's method on the proximal problem: around a center r̄, with `ρ = κ/w`, impulses are `P(r̄ − ρ·u)`. Rows
//! inside their bounds are soft, of compliance 1/ρ; the others push with what bounds them. That problem is convex and
//! piecewise quadratic; along each step one goes to where it is least. Once little is left inside, the center
//! follows (Macklin et al. 2019; Castro et al. 2022). From the impulses of the last step, a step or two are enough.
//! Where they are not, because other rows push than did, κ begins small, so that bounds are found without haste, and
//! grows tenfold with each center.

use super::dense::{PANEL, cholesky, cholesky_solve, dot};
use super::tolerances::{
    BOUNDED_ENOUGH, BOUNDED_FIRST_STEPS, BOUNDED_INSIDE, BOUNDED_SOFTNESS, BOUNDED_STEPS,
    BOUNDED_STIFFNESS,
};

/// What the impulse of a row may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Bounds {
    /// Pushes and does not pull.
    pub(crate) const ONE_SIDED: Self = Self {
        least: 0.0,
        most: f64::INFINITY,
    };

    pub(crate) fn nearest(&self, r: f64) -> f64 {
        r.max(self.least).min(self.most)
    }
}

/// Rows, how they respond to each other, and their impulses.
#[derive(Debug, Default)]
pub(crate) struct BoundedRows {
    pub(crate) bounds: Vec<Bounds>,
    /// `W`, row-major.
    pub(crate) response: Vec<f64>,
    /// What each row could do if nothing held the bodies.
    pub(crate) mobility: Vec<f64>,
    /// `g`: rates without impulses.
    pub(crate) rate: Vec<f64>,
    /// Where to start, and the answer.
    pub(crate) impulse: Vec<f64>,
    /// `u` of the answer.
    pub(crate) left: Vec<f64>,
    /// κ.
    stiffness: f64,
    center: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    full: Vec<f64>,
    change: Vec<f64>,
    change_of_u: Vec<f64>,
    /// Rows that are inside their bounds.
    soft: Vec<usize>,
    a: Vec<f64>,
    x: Vec<f64>,
    reference: Vec<f64>,
    panel: Vec<f64>,
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoundedAnswer {
    /// What is left of the law, in the unit of u.
    pub(crate) residual: f64,
    pub(crate) steps: usize,
}

impl BoundedRows {
    pub(crate) fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Makes room for as many as `n` rows.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.size(n);
        for buffer in [&mut self.x, &mut self.reference] {
            buffer.reserve(n);
        }
        self.soft.reserve(n);
        self.a.reserve(n * n);
        self.panel.reserve(n * PANEL);
    }

    /// Makes room for `n` rows; what they are and how they respond is to be written.
    pub(crate) fn size(&mut self, n: usize) {
        self.bounds.resize(n, Bounds::ONE_SIDED);
        self.response.resize(n * n, 0.0);
        for buffer in [
            &mut self.mobility,
            &mut self.rate,
            &mut self.impulse,
            &mut self.left,
            &mut self.center,
            &mut self.r,
            &mut self.u,
            &mut self.full,
            &mut self.change,
            &mut self.change_of_u,
        ] {
            buffer.resize(n, 0.0);
        }
    }

    /// Finds impulses that obey the law, from those that are there.
    pub(crate) fn solve(&mut self) -> BoundedAnswer {
        for (r, bounds) in self.impulse.iter_mut().zip(&self.bounds) {
            *r = bounds.nearest(*r);
        }
        self.stiffness = BOUNDED_STIFFNESS;
        self.center.copy_from_slice(&self.impulse);
        self.r.copy_from_slice(&self.impulse);
        respond(&self.response, &self.r, Some(&self.rate), &mut self.u);
        self.left.copy_from_slice(&self.u);
        let mut answer = BoundedAnswer {
            residual: self.residual(&self.impulse, &self.u),
            steps: 0,
        };
        let speed = self.rate.iter().fold(0.0f64, |most, g| most.max(g.abs()));
        let enough = BOUNDED_ENOUGH * (0.1 * speed).max(1.0);
        // To round-off, while that costs no more than a step; else until it is enough.
        let round_off = f64::EPSILON * speed;
        while answer.residual > round_off && answer.steps < BOUNDED_STEPS {
            let before = answer.residual;
            answer.steps += 1;
            self.solve_linear();
            let part = self.part_of_step();
            for (r, change) in self.r.iter_mut().zip(&self.change) {
                *r += part * change;
            }
            respond(&self.response, &self.r, Some(&self.rate), &mut self.u);
            let mut inside = 0.0f64;
            for row in 0..self.len() {
                let error =
                    self.mobility[row] * (self.pushed(row, self.u[row]) - self.r[row]).abs();
                inside = inside.max(error);
            }
            // Between its bounds, the answer is legal.
            for (full, bounds) in self.full.iter_mut().zip(&self.bounds) {
                *full = bounds.nearest(*full);
            }
            respond(
                &self.response,
                &self.full,
                Some(&self.rate),
                &mut self.change_of_u,
            );
            let residual = self.residual(&self.full, &self.change_of_u);
            if residual < answer.residual {
                answer.residual = residual;
                self.impulse.copy_from_slice(&self.full);
                self.left.copy_from_slice(&self.change_of_u);
            }
            if inside <= BOUNDED_INSIDE * residual || inside < 0.1 * enough {
                for row in 0..self.len() {
                    self.center[row] = self.pushed(row, self.u[row]);
                }
                self.stiffness = (10.0 * self.stiffness).min(BOUNDED_STIFFNESS);
            }
            if before <= enough && answer.residual > 0.1 * before {
                break;
            }
            if answer.steps == BOUNDED_FIRST_STEPS {
                self.stiffness = BOUNDED_SOFTNESS;
            }
        }
        answer
    }

    /// `P(r̄ − ρ·u)` of a row.
    fn pushed(&self, row: usize, u: f64) -> f64 {
        let rho = self.stiffness / self.mobility[row];
        self.bounds[row].nearest(self.center[row] - rho * u)
    }

    /// What is left of the law; infinite if something is not finite.
    fn residual(&self, impulse: &[f64], u: &[f64]) -> f64 {
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for (row, bounds) in self.bounds.iter().enumerate() {
            let w = self.mobility[row];
            let error = w * (impulse[row] - bounds.nearest(impulse[row] - u[row] / w)).abs();
            worst = worst.max(error);
            sum += error + u[row].abs();
        }
        // A maximum forgets NaN; a sum does not.
        if sum.is_finite() {
            worst
        } else {
            f64::INFINITY
        }
    }

    /// The impulses of the linear problem: soft rows, with the others given.
    fn solve_linear(&mut self) {
        let n = self.len();
        self.soft.clear();
        for row in 0..n {
            let pushed = self.pushed(row, self.u[row]);
            let bounds = self.bounds[row];
            self.full[row] = pushed;
            if pushed > bounds.least && pushed < bounds.most {
                self.soft.push(row);
                self.full[row] = 0.0;
            }
        }
        respond(
            &self.response,
            &self.full,
            Some(&self.rate),
            &mut self.change_of_u,
        );
        let m = self.soft.len();
        self.a.clear();
        self.a.resize(m * m, 0.0);
        self.x.clear();
        self.reference.clear();
        for (i, &row) in self.soft.iter().enumerate() {
            let compliance = self.mobility[row] / self.stiffness;
            for (j, &other) in self.soft[..=i].iter().enumerate() {
                self.a[i * m + j] = self.response[row * n + other];
            }
            self.a[i * m + i] += compliance;
            self.reference.push(self.a[i * m + i]);
            self.x
                .push(compliance * self.center[row] - self.change_of_u[row]);
        }
        self.panel.resize(m * PANEL, 0.0);
        cholesky(
            m,
            &mut self.a,
            &self.reference,
            f64::EPSILON,
            &mut self.panel,
        );
        cholesky_solve(m, &self.a, &mut self.x);
        for (&row, &x) in self.soft.iter().zip(&self.x) {
            self.full[row] = x;
        }
    }

    /// How far to go: to where the augmented Lagrangian along the step is least. Its slope is monotone.
    fn part_of_step(&mut self) -> f64 {
        for (change, (full, r)) in self.change.iter_mut().zip(self.full.iter().zip(&self.r)) {
            *change = full - r;
        }
        respond(&self.response, &self.change, None, &mut self.change_of_u);
        let square = dot(&self.change, &self.change_of_u);
        let cross = dot(&self.r, &self.change_of_u);
        let slope = |t: f64| {
            let mut slope = cross + t * square;
            for (row, change) in self.change_of_u.iter().enumerate() {
                slope -= self.pushed(row, self.u[row] + t * change) * change;
            }
            slope
        };
        if slope(1.0) <= 1e-3 * slope(0.0).abs() {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-3 * high && high > 1e-6 {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}

/// `u ← W·r + g`.
fn respond(response: &[f64], r: &[f64], rate: Option<&[f64]>, u: &mut [f64]) {
    let n = r.len();
    for (row, u) in u.iter_mut().enumerate() {
        let own = dot(&response[row * n..(row + 1) * n], r);
        *u = own + rate.map_or(0.0, |rate| rate[row]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            let (a, c) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
            self.0 = self.0.wrapping_mul(a).wrapping_add(c);
            (self.0 >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
        }
    }

    const BOUNDS: [Bounds; 5] = [
        Bounds::ONE_SIDED,
        Bounds {
            least: -0.3,
            most: 0.2,
        },
        Bounds::ONE_SIDED,
        Bounds {
            least: -0.01,
            most: 0.01,
        },
        Bounds {
            least: 0.0,
            most: 0.0,
        },
    ];

    /// `W = A·Aᵀ` of `rank` columns, so that rows may repeat each other; every other row moves `ratio` times as much.
    /// Rates are such that impulses can answer them.
    fn rows(seed: u64, n: usize, rank: usize, ratio: f64) -> BoundedRows {
        let mut random = Random(seed);
        let mut a = vec![0.0; n * rank];
        for (at, a) in a.iter_mut().enumerate() {
            let scale = if at / rank % 2 == 1 { ratio } else { 1.0 };
            *a = scale * random.next();
        }
        let row = |i: usize| &a[i * rank..(i + 1) * rank];
        let load: Vec<f64> = (0..rank).map(|_| random.next()).collect();
        let mut out = BoundedRows::default();
        out.size(n);
        for i in 0..n {
            out.bounds[i] = BOUNDS[i % BOUNDS.len()];
            out.rate[i] = dot(row(i), &load);
            for j in 0..n {
                out.response[i * n + j] = dot(row(i), row(j));
            }
            out.mobility[i] = out.response[i * n + i];
        }
        out
    }

    #[test]
    fn bounds_are_obeyed_whatever_the_rank_and_the_masses() {
        for seed in 0..300 {
            for (n, rank) in [(1, 6), (2, 6), (4, 9), (10, 40), (10, 5), (16, 8), (40, 60)] {
                for ratio in [1.0, 10.0, 100.0] {
                    let mut rows = rows(seed, n, rank, ratio);
                    let answer = rows.solve();
                    let case = format!("{seed} {n} {rank} {ratio}: {answer:?}");
                    // Rows that repeat each other have impulses of any size, which cost digits.
                    assert!(answer.residual <= 3e-9 * ratio, "{case}");
                    for row in 0..n {
                        let (r, u, bounds) = (rows.impulse[row], rows.left[row], rows.bounds[row]);
                        assert!(r >= bounds.least && r <= bounds.most, "{case}");
                        // In words: what is inside rests, what is at a bound goes the way that keeps it there.
                        let near =
                            |bound: f64| (r - bound).abs() * rows.mobility[row] < 1e-9 * ratio;
                        let rests = u.abs() < 1e-8 * ratio;
                        let is_kept = near(bounds.least) && u > 0.0 || near(bounds.most) && u < 0.0;
                        assert!(rests || is_kept, "{case}: {r} {u}");
                    }
                }
            }
        }
    }

    /// Projected Gauss–Seidel, slow and simple, finds the same rates, which are unique.
    #[test]
    fn gauss_seidel_finds_the_same_rates() {
        for seed in 0..20 {
            let n = 5;
            let mut rows = rows(seed, n, 9, 1.0);
            rows.solve();
            let mut r = vec![0.0; n];
            for _ in 0..20_000 {
                for i in 0..n {
                    let u = rows.rate[i] + dot(&rows.response[i * n..(i + 1) * n], &r);
                    r[i] = rows.bounds[i].nearest(r[i] - u / rows.mobility[i]);
                }
            }
            for i in 0..n {
                let u = rows.rate[i] + dot(&rows.response[i * n..(i + 1) * n], &r);
                assert!(
                    (u - rows.left[i]).abs() < 1e-8,
                    "{seed}: {u} {}",
                    rows.left[i]
                );
            }
        }
    }

    #[test]
    fn what_is_solved_needs_nothing_more() {
        for seed in 0..20 {
            let mut rows = rows(seed, 8, 12, 1.0);
            rows.solve();
            let before = rows.impulse.clone();
            assert!(rows.solve().steps <= 1, "{seed}");
            for (now, before) in rows.impulse.iter().zip(&before) {
                assert!((now - before).abs() < 1e-9, "{seed}");
            }
        }
    }

    #[test]
    fn what_is_not_a_number_is_told() {
        let mut rows = rows(1, 4, 9, 1.0);
        rows.rate[2] = f64::NAN;
        assert_eq!(rows.solve().residual, f64::INFINITY);
    }
}
