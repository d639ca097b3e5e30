//! Semismooth Newton method on the proximal problem, an augmented Lagrangian (Macklin et al. 2019; Castro et al. 2022).
//!
//! Around a center r̄, with `ρ = κ/w` and a fixed shift s, the impulses are `P_K(z)`, `z = r̄ − ρ·(u + s·n)`. The
//! derivative of P_K has eigenvalues ε (`set`). Each eigenvector e with ε > 0 is a soft row of compliance 1/(ρ·ε).
//! Where ε = 0 the impulse is given, and the row is absent:
//!
//! ```text
//!     (E·W·Eᵀ + 1/(ρ·ε))·x = E·(W·r + …)      one dense factor a step
//! ```
//!
//! This problem is convex, and a line search finds the minimum along each step: the slope is monotone. When the
//! residual of the proximal problem is small beside that of the law, center and shift are updated. From the impulses of
//! the last step, one or two Newton steps are enough. If other rows push than did, κ begins small and grows tenfold
//! with each center, so that the set of active rows changes little by little.

use super::bodies::Bodies;
use super::law::{Group, Law, Response};
use super::set::{MOST_ROWS, Row, axis};
use super::{Answer, Start};
use crate::linalg::dense::{PANEL, cholesky, cholesky_solve, dot};
use crate::linalg::tolerances::{
    BOUNDED_FIRST_STEPS, BOUNDED_HELD, BOUNDED_INSIDE, BOUNDED_MORE_STEPS, BOUNDED_SOFTNESS,
    BOUNDED_STEPS, BOUNDED_STIFFNESS,
};

/// A direction in which a group's impulse is sought.
#[derive(Clone, Copy, Debug)]
struct Direction {
    group: usize,
    /// Among the rows of the group.
    e: Row,
    /// `1/(ρ·ε)`.
    compliance: f64,
    /// ε = 1.
    is_whole: bool,
}

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Newton {
    /// κ.
    stiffness: f64,
    center: Vec<f64>,
    shift: Vec<f64>,
    /// The impulses reached, and their rates.
    r: Vec<f64>,
    u: Vec<f64>,
    directions: Vec<Direction>,
    /// `P_K(z)`.
    pushed: Vec<f64>,
    full: Vec<f64>,
    change: Vec<f64>,
    change_of_u: Vec<f64>,
    turned: Vec<f64>,
    /// K of each group, row by row, and where that begins.
    stiffnesses: Vec<f64>,
    first_stiffness: Vec<usize>,
    a: Vec<f64>,
    x: Vec<f64>,
    answer: Vec<f64>,
    reference: Vec<f64>,
    panel: Vec<f64>,
}

impl Newton {
    /// Makes room for `n` rows.
    pub(super) fn size(&mut self, n: usize) {
        for buffer in [
            &mut self.center,
            &mut self.r,
            &mut self.u,
            &mut self.pushed,
            &mut self.full,
            &mut self.change,
            &mut self.change_of_u,
        ] {
            buffer.resize(n, 0.0);
        }
    }

    /// Improves an answer: by a few steps from the last impulses, or by many from none.
    pub(super) fn solve(&mut self, law: &mut Law<'_>, start: Start, answer: &mut Answer<'_>) {
        let (left, mut steps) = match start {
            Start::Last => (BOUNDED_FIRST_STEPS, 0),
            Start::Nothing => (BOUNDED_STEPS, 0),
            Start::Further => (BOUNDED_MORE_STEPS, 0),
        };
        match start {
            Start::Last => {
                self.stiffness = BOUNDED_STIFFNESS;
                self.center.copy_from_slice(answer.impulse);
                self.r.copy_from_slice(answer.impulse);
                law.rates(&self.r, &mut self.u);
                self.update_shift(law);
            }
            Start::Nothing => self.stiffness = BOUNDED_SOFTNESS,
            Start::Further => {}
        }
        let (mut inner, mut stalls) = (f64::INFINITY, 0);
        while answer.residual > answer.round_off && steps < left && stalls < 2 {
            let (before, inner_before) = (answer.residual, inner);
            steps += 1;
            answer.steps += 1;
            self.linearize(law);
            self.solve_linear(law, false);
            let part = self.line_search(law);
            for (r, change) in self.r.iter_mut().zip(&self.change) {
                *r += part * change;
            }
            law.rates(&self.r, &mut self.u);
            inner = self.inner_residual(law);
            let residual = answer.take(law, &mut self.full, &mut self.change_of_u);
            // Round-off: no step around this center makes progress.
            let stalls_inside = inner > 0.9 * inner_before && part < 1e-5;
            stalls = match answer.residual < 0.9 * before || !stalls_inside {
                true => 0,
                false => stalls + 1,
            };
            let is_near = inner <= BOUNDED_INSIDE * residual || inner < 0.1 * answer.enough;
            if is_near || stalls_inside {
                inner = f64::INFINITY;
                self.center.copy_from_slice(&self.pushed);
                self.update_shift(law);
                self.stiffness = (10.0 * self.stiffness).min(BOUNDED_STIFFNESS);
            }
            if before <= answer.enough && answer.residual > 0.1 * before {
                break;
            }
        }
    }

    /// Solves for the impulses of rows without bounds (from the group `first` on), those of the others given. This is a
    /// linear problem; a few updates of the center remove its proximal term.
    pub(super) fn hold_free(&mut self, law: &mut Law<'_>, first: usize, impulse: &mut [f64]) {
        self.stiffness = BOUNDED_STIFFNESS;
        self.r.copy_from_slice(impulse);
        self.shift.clear();
        self.shift.resize(law.groups.len(), 0.0);
        self.directions.clear();
        for (at, group) in law.groups.iter().enumerate().skip(first) {
            self.directions.push(Direction {
                group: at,
                e: axis(0),
                compliance: group.mobility / self.stiffness,
                is_whole: true,
            });
        }
        for turn in 0..BOUNDED_FIRST_STEPS {
            self.center.copy_from_slice(&self.r);
            self.pushed.copy_from_slice(&self.r);
            self.solve_linear(law, turn > 0);
            self.r.copy_from_slice(&self.full);
        }
        impulse.copy_from_slice(&self.r);
    }

    /// Takes the shift of the present rates.
    fn update_shift(&mut self, law: &Law<'_>) {
        self.shift.clear();
        let shifts = law.groups.iter();
        let shifts = shifts.map(|group| group.set.shift(&self.u[group.rows()]));
        self.shift.extend(shifts);
    }

    /// `z` of a group at rates `u`.
    fn z(&self, law: &Law<'_>, at: usize, u: impl Fn(usize) -> f64) -> [f64; MOST_ROWS] {
        let group = &law.groups[at];
        let rho = self.stiffness / group.mobility;
        Law::step_of(group, (&self.center, u), (self.shift[at], rho))
    }

    /// Projects, and lists the directions in which the projection varies.
    fn linearize(&mut self, law: &Law<'_>) {
        self.directions.clear();
        for (at, group) in law.groups.iter().enumerate() {
            let mut z = self.z(law, at, |row| self.u[row]);
            let (directions, stiffness) = (&mut self.directions, self.stiffness);
            group.set.eigenframe(&z[..group.n], |e, epsilon| {
                if epsilon > BOUNDED_HELD {
                    directions.push(Direction {
                        group: at,
                        e,
                        compliance: group.mobility / (stiffness * epsilon),
                        is_whole: epsilon == 1.0,
                    });
                }
            });
            let rows = group.rows();
            group.set.project(&mut z[..rows.len()]);
            self.pushed[rows.clone()].copy_from_slice(&z[..rows.len()]);
        }
    }

    /// Solves the linear problem: impulses along the listed directions, the others given. `is_factored`: the directions
    /// are those of the last solve.
    fn solve_linear(&mut self, law: &mut Law<'_>, is_factored: bool) {
        // What is given: all that was pushed, but for the directions that vary.
        self.full.copy_from_slice(&self.pushed);
        for own in &self.directions {
            let rows = law.groups[own.group].rows();
            let direction = &own.e;
            let along = dot(&direction[..rows.len()], &self.pushed[rows.clone()]);
            for (row, e) in rows.zip(direction) {
                self.full[row] -= along * e;
            }
        }
        law.rates(&self.full, &mut self.change_of_u);
        // x = p − ρ·ε·(u(x) − u); where ε = 1 that is x = r̄ − ρ·(u(x) + s·n), which keeps its digits.
        self.x.clear();
        for own in &self.directions {
            let rows = law.groups[own.group].rows();
            let direction = &own.e;
            let (mut x, shift) = (0.0, self.shift[own.group] * direction[0]);
            for (row, &e) in rows.zip(direction) {
                if e == 0.0 {
                    continue;
                }
                x -= e * self.change_of_u[row];
                x += e * match own.is_whole {
                    true => own.compliance * self.center[row],
                    false => own.compliance * self.pushed[row] + self.u[row],
                };
            }
            self.x.push(if own.is_whole { x - shift } else { x });
        }
        match &mut law.response {
            Response::Dense(response) => self.solve_dense(law.groups, response),
            Response::Bodies(bodies) => self.solve_by_bodies(law.groups, bodies, is_factored),
        }
        for (own, x) in self.directions.iter().zip(&self.x) {
            let rows = law.groups[own.group].rows();
            for (row, e) in rows.zip(&own.e) {
                self.full[row] += x * e;
            }
        }
    }

    /// `x ← (E·W·Eᵀ + c)⁻¹·x`, with W as it is.
    fn solve_dense(&mut self, groups: &[Group], response: &[f64]) {
        let (n, m) = (self.r.len(), self.directions.len());
        self.turned.clear();
        self.turned.resize(m * n, 0.0);
        for (at, own) in self.directions.iter().enumerate() {
            let direction = &own.e;
            let turned = &mut self.turned[at * n..(at + 1) * n];
            for (row, &e) in groups[own.group].rows().zip(direction) {
                if e == 0.0 {
                    continue;
                }
                // W·Eᵀ, column by column as rows: W is symmetric.
                for (turned, w) in turned.iter_mut().zip(&response[row * n..(row + 1) * n]) {
                    *turned += e * w;
                }
            }
        }
        self.a.clear();
        self.a.resize(m * m, 0.0);
        for at in 0..m {
            let turned = &self.turned[at * n..(at + 1) * n];
            for (other, own) in self.directions[..=at].iter().enumerate() {
                let rows = groups[own.group].rows();
                self.a[at * m + other] = dot(&own.e[..rows.len()], &turned[rows]);
            }
            self.a[at * m + at] += self.directions[at].compliance;
        }
        self.reference.clear();
        self.reference.extend((0..m).map(|at| self.a[at * m + at]));
        self.panel.resize(m * PANEL, 0.0);
        cholesky(
            m,
            &mut self.a,
            &self.reference,
            f64::EPSILON,
            &mut self.panel,
        );
        cholesky_solve(m, &self.a, &mut self.x);
    }

    /// The same by bodies: `x = c⁻¹·(b − E·G·y)`, `(M + Gᵀ·K·G)·y = Gᵀ·K·b`, K the sum of c⁻¹·eᵀ·e of each group.
    fn solve_by_bodies(&mut self, groups: &[Group], bodies: &mut Bodies, is_factored: bool) {
        self.first_stiffness.clear();
        let mut end = 0;
        for group in groups {
            self.first_stiffness.push(end);
            end += group.n * group.n;
        }
        self.stiffnesses.clear();
        self.stiffnesses.resize(end, 0.0);
        self.a.clear();
        self.a.resize(self.r.len(), 0.0);
        for (own, b) in self.directions.iter().zip(&self.x) {
            let group = &groups[own.group];
            let direction = &own.e;
            let inverse = 1.0 / (own.compliance + bodies.compliance(group.start));
            let stiffness = &mut self.stiffnesses[self.first_stiffness[own.group]..];
            for (k, row) in group.rows().enumerate() {
                self.a[row] += inverse * b * direction[k];
                for other in 0..group.n {
                    stiffness[k * group.n + other] += inverse * direction[k] * direction[other];
                }
            }
        }
        if !is_factored {
            bodies.factor(&self.stiffnesses);
        }
        let n = self.r.len();
        self.turned.resize(2 * n, 0.0);
        self.answer.clear();
        self.answer.resize(self.x.len(), 0.0);
        // Twice: the second time for what the first one left, since b − E·G·y is small beside b.
        for again in [false, true] {
            let (moved, along) = self.turned.split_at_mut(n);
            if again {
                along.fill(0.0);
                for (own, x) in self.directions.iter().zip(&self.answer) {
                    let group = &groups[own.group];
                    let direction = &own.e;
                    for (row, e) in group.rows().zip(direction) {
                        along[row] += e * x;
                    }
                }
                bodies.respond(along, moved);
                self.a.fill(0.0);
                for (at, own) in self.directions.iter().enumerate() {
                    let group = &groups[own.group];
                    let direction = &own.e;
                    let left = self.x[at]
                        - own.compliance * self.answer[at]
                        - dot(&direction[..group.n], &moved[group.rows()]);
                    self.x[at] = left;
                    let inverse = 1.0 / (own.compliance + bodies.compliance(group.start));
                    for (row, e) in group.rows().zip(direction) {
                        self.a[row] += inverse * left * e;
                    }
                }
            }
            bodies.solve(&self.a, moved);
            for (at, own) in self.directions.iter().enumerate() {
                let group = &groups[own.group];
                let direction = &own.e[..group.n];
                let inverse = 1.0 / (own.compliance + bodies.compliance(group.start));
                self.answer[at] += inverse * (self.x[at] - dot(direction, &moved[group.rows()]));
            }
        }
        std::mem::swap(&mut self.x, &mut self.answer);
    }

    /// What part of the step leads to the minimum of the augmented Lagrangian along it.
    fn line_search(&mut self, law: &mut Law<'_>) -> f64 {
        for (change, (full, r)) in self.change.iter_mut().zip(self.full.iter().zip(&self.r)) {
            *change = full - r;
        }
        law.respond(&self.change, &mut self.change_of_u);
        let square = dot(&self.change, &self.change_of_u);
        let cross = dot(&self.r, &self.change_of_u);
        let slope = |t: f64| {
            let mut slope = cross + t * square;
            for (at, group) in law.groups.iter().enumerate() {
                let rows = group.rows();
                let mut z = self.z(law, at, |row| self.u[row] + t * self.change_of_u[row]);
                group.set.project(&mut z[..rows.len()]);
                slope -= dot(&z[..rows.len()], &self.change_of_u[rows]);
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

    /// The residual of the proximal problem, m/s. Notes `P_K(z)` at these rates.
    fn inner_residual(&mut self, law: &Law<'_>) -> f64 {
        let mut worst = 0.0f64;
        for (at, group) in law.groups.iter().enumerate() {
            let mut z = self.z(law, at, |row| self.u[row]);
            let rows = group.rows();
            group.set.project(&mut z[..rows.len()]);
            for (row, z) in rows.zip(z) {
                worst = worst.max(group.mobility * (z - self.r[row]).abs());
                self.pushed[row] = z;
            }
        }
        worst
    }
}
