//! Newton's method on the proximal problem.
//!
//! Around a center r̄, with `ρ = κ/w`, the impulses are `P_K(z)`, `z = r̄ − ρ·(u + s·n)`. In the eigenframe of the
//! projection's derivative each direction e with ε > 0 is a soft row of compliance 1/(ρ·ε); where ε = 0 its impulse is
//! given, and the row is absent:
//!
//! ```text
//!     (E·W·Eᵀ + 1/(ρ·ε))·x = E·(W·r + …)      one dense factor a step
//! ```
//!
//! The problem is convex; along each step one goes to where it is least: the slope of the augmented Lagrangian is
//! monotone. Once little is left inside, center and shift follow (Macklin et al. 2019; Castro et al. 2022). From the
//! impulses of the last step, a step or two are enough. Where they are not, because other rows push than did, κ begins
//! small, so that bounds are found without haste, and grows tenfold with each center.

use super::law::Law;
use super::set::{Eigenframe, MOST_ROWS};
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
    /// Which direction of the group's eigenframe.
    of_group: usize,
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
    frames: Vec<Eigenframe>,
    directions: Vec<Direction>,
    /// `P_K(z)`.
    pushed: Vec<f64>,
    full: Vec<f64>,
    change: Vec<f64>,
    change_of_u: Vec<f64>,
    turned: Vec<f64>,
    a: Vec<f64>,
    x: Vec<f64>,
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

    /// Improves the impulses of an answer: a few steps from those of the last step, or many, whoever pushed before.
    pub(super) fn solve(&mut self, law: &Law<'_>, start: Start, answer: &mut Answer<'_>) {
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
                self.follow(law);
            }
            Start::Nothing => self.stiffness = BOUNDED_SOFTNESS,
            Start::Further => {}
        }
        while answer.residual > answer.round_off && steps < left {
            let before = answer.residual;
            steps += 1;
            answer.steps += 1;
            self.linearize(law);
            self.solve_linear(law);
            let part = self.part_of_step(law);
            for (r, change) in self.r.iter_mut().zip(&self.change) {
                *r += part * change;
            }
            law.rates(&self.r, &mut self.u);
            let inside = self.left_inside(law);
            let residual = answer.take(law, &mut self.full, &mut self.change_of_u);
            if inside <= BOUNDED_INSIDE * residual || inside < 0.1 * answer.enough {
                self.center.copy_from_slice(&self.pushed);
                self.follow(law);
                self.stiffness = (10.0 * self.stiffness).min(BOUNDED_STIFFNESS);
            }
            if before <= answer.enough && answer.residual > 0.1 * before {
                break;
            }
        }
    }

    /// The shift follows the rates.
    fn follow(&mut self, law: &Law<'_>) {
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

    /// Projects, and finds who varies.
    fn linearize(&mut self, law: &Law<'_>) {
        self.frames.clear();
        self.directions.clear();
        for (at, group) in law.groups.iter().enumerate() {
            let mut z = self.z(law, at, |row| self.u[row]);
            let frame = group.set.eigenframe(&z[..group.n]);
            for of_group in 0..group.n {
                let epsilon = frame.1[of_group];
                if epsilon > BOUNDED_HELD {
                    self.directions.push(Direction {
                        group: at,
                        of_group,
                        compliance: group.mobility / (self.stiffness * epsilon),
                        is_whole: epsilon == 1.0,
                    });
                }
            }
            self.frames.push(frame);
            let rows = group.rows();
            group.set.project(&mut z[..rows.len()]);
            self.pushed[rows.clone()].copy_from_slice(&z[..rows.len()]);
        }
    }

    /// The impulses of the linear problem: those that vary, and what is given of the others.
    fn solve_linear(&mut self, law: &Law<'_>) {
        let (n, m) = (law.n_rows(), self.directions.len());
        // What is given: all that was pushed, but for the directions that vary.
        self.full.copy_from_slice(&self.pushed);
        for &Direction {
            group, of_group, ..
        } in &self.directions
        {
            let rows = law.groups[group].rows();
            let direction = &self.frames[group].0[of_group];
            let along = dot(&direction[..rows.len()], &self.pushed[rows.clone()]);
            for (row, e) in rows.zip(direction) {
                self.full[row] -= along * e;
            }
        }
        law.rates(&self.full, &mut self.change_of_u);
        // x = p − ρ·ε·(u(x) − u); where ε = 1 that is x = r̄ − ρ·(u(x) + s·n), which keeps its digits.
        self.x.clear();
        self.turned.clear();
        self.turned.resize(m * n, 0.0);
        for (at, own) in self.directions.iter().enumerate() {
            let rows = law.groups[own.group].rows();
            let direction = &self.frames[own.group].0[own.of_group];
            let turned = &mut self.turned[at * n..(at + 1) * n];
            let (mut x, shift) = (0.0, self.shift[own.group] * direction[0]);
            for (row, &e) in rows.zip(direction) {
                if e == 0.0 {
                    continue;
                }
                // W·Eᵀ, column by column as rows: W is symmetric.
                for (turned, w) in turned.iter_mut().zip(law.response_of(row)) {
                    *turned += e * w;
                }
                x -= e * self.change_of_u[row];
                x += e * match own.is_whole {
                    true => own.compliance * self.center[row],
                    false => own.compliance * self.pushed[row] + self.u[row],
                };
            }
            self.x.push(if own.is_whole { x - shift } else { x });
        }
        self.a.clear();
        self.a.resize(m * m, 0.0);
        for at in 0..m {
            let turned = &self.turned[at * n..(at + 1) * n];
            for (
                other,
                &Direction {
                    group, of_group, ..
                },
            ) in self.directions[..=at].iter().enumerate()
            {
                let rows = law.groups[group].rows();
                let direction = &self.frames[group].0[of_group][..rows.len()];
                self.a[at * m + other] = dot(direction, &turned[rows]);
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
        for (
            &Direction {
                group, of_group, ..
            },
            x,
        ) in self.directions.iter().zip(&self.x)
        {
            let rows = law.groups[group].rows();
            let direction = &self.frames[group].0[of_group];
            for (row, e) in rows.zip(direction) {
                self.full[row] += x * e;
            }
        }
    }

    /// How far to go: to where the augmented Lagrangian along the step is least.
    fn part_of_step(&mut self, law: &Law<'_>) -> f64 {
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

    /// What is left of the proximal problem, m/s. Notes what is pushed at these rates.
    fn left_inside(&mut self, law: &Law<'_>) -> f64 {
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
