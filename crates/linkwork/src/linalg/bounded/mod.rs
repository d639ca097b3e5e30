//! Impulses in bounds: limits, servos, friction, contacts.
//!
//! Joints, springs and masses are eliminated: of them only the response W of the rows to each other and the rates g
//! without impulses are left (Baraff 1996, §8).
//!
//! ```text
//!     u = W·r + g      r ∈ K,  u + s·n ∈ K*,  r ⊥ u + s·n,  s = μ·‖u_t‖       each set K of its own rows
//! ```
//!
//! For a row between bounds: u = 0 inside, and at a bound u goes the way that keeps it there. For a cone: Signorini's
//! condition, Coulomb's cone and greatest dissipation, by De Saxcé's shift (De Saxcé, Feng 1998; Acary et al. 2011).
//! Moments against rolling and spinning have cones of their own about the same normal (`cones`). W
//! is symmetric and not negative; rows may repeat each other. The residual of an answer, in the unit of u, covers all
//! conditions at once and decides: with w the mobility of each set,
//!
//! ```text
//!     max  w·‖r − P_K(r − (u + s·n)/w)‖       P the nearest impulse of the set
//! ```
//!
//! Methods, in the order in which they are tried, each where those before it fail:
//!
//! 1. `newton`: Newton's method on the proximal problem, from the last impulses. Exact in a step or two where the same
//!    rows push as before; `semismooth` after it, on the law itself, where contacts slide.
//! 2. The same from no impulses, with centers that follow, where it is not known who touches, sticks and slides.
//! 3. `complementarity`: Lemke's method. Sure in the plane, where the law is a linear complementarity problem.
//! 4. `path`: from rows that give way along a curve to the law. Nearly sure in space; many dense factors.
//! 5. `sweeps`: Gauss–Seidel, in place of both where dense factors would be too large.
//!
//! What is left of the law is always told. Where `pivots` is set, the method of the papers (`pivoting`) replaces all of
//! these.

mod bodies;
mod complementarity;
mod cones;
mod law;
mod linear;
mod newton;
mod path;
mod pivoting;
mod semismooth;
mod set;
mod sweeps;

use super::tolerances::{
    BOUNDED_COLD, BOUNDED_DENSE, BOUNDED_ENOUGH, BOUNDED_FAIR, BOUNDED_PATH_ROWS, BOUNDED_ROUNDS,
    BOUNDED_SWEEPS,
};
use law::{Law, Response};

pub(crate) use bodies::{Bodies, MOST_V, inverse};
pub(crate) use cones::Cones;
pub(crate) use law::Group;
pub(crate) use set::Set;

/// Rows, how they respond to each other, and their impulses.
#[derive(Debug, Default)]
pub(crate) struct BoundedProblem {
    pub(crate) groups: Vec<Group>,
    /// `W`, row-major, unless it is known by bodies.
    pub(crate) response: Vec<f64>,
    pub(crate) bodies: Bodies,
    is_by_bodies: bool,
    /// Groups at the end without bounds.
    n_free: usize,
    /// `g`: rates without impulses.
    pub(crate) rate: Vec<f64>,
    /// Where to start, and the answer.
    pub(crate) impulse: Vec<f64>,
    /// `u` of the answer.
    pub(crate) left: Vec<f64>,
    /// By the pivoting of the papers, of which W must be dense.
    pub(crate) pivots: bool,
    /// W of a small problem, however it is known.
    dense: Vec<f64>,
    complementarity: complementarity::Complementarity,
    newton: newton::Newton,
    path: path::Path,
    pivoting: pivoting::Pivoting,
    semismooth: semismooth::Semismooth,
    sweeps: sweeps::Sweeps,
}

/// Where Newton's method begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// With the impulses of the last step.
    Last,
    /// With no impulses and a small κ.
    Nothing,
    /// Where it ended.
    Further,
}

/// The best impulses so far, and how they came about.
#[derive(Debug)]
struct Answer<'a> {
    impulse: &'a mut [f64],
    left: &'a mut [f64],
    residual: f64,
    /// A residual to aim at; one that is not worth slow methods; and one that is round-off.
    enough: f64,
    fair: f64,
    round_off: f64,
    steps: usize,
    iterations: usize,
}

impl Answer<'_> {
    /// Puts impulses into their sets, and takes them if less is left of the law; what is. Their rates go into `u`.
    fn take(&mut self, law: &mut Law<'_>, tried: &mut [f64], u: &mut [f64]) -> f64 {
        law.project(tried);
        law.rates(tried, u);
        let residual = law.residual(tried, u);
        if residual < self.residual {
            self.residual = residual;
            self.impulse.copy_from_slice(tried);
            self.left.copy_from_slice(u);
        }
        residual
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            residual: self.residual,
            steps: self.steps,
            iterations: self.iterations,
        }
    }
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// What is left of the law, in the unit of u.
    pub(crate) residual: f64,
    /// Steps of Newton's methods, or pivots.
    pub(crate) steps: usize,
    /// Sweeps of Gauss–Seidel.
    pub(crate) iterations: usize,
}

impl BoundedProblem {
    /// Makes room for `n` rows; what they are and how they respond is to be written.
    pub(crate) fn size(&mut self, n: usize) {
        self.response.resize(n * n, 0.0);
        self.is_by_bodies = false;
        self.size_rows(n);
    }

    /// Makes room for `n` rows that respond as `bodies` tells.
    pub(crate) fn size_by_bodies(&mut self, n: usize) {
        self.response.clear();
        self.is_by_bodies = true;
        self.bodies.clear();
        self.size_rows(n);
    }

    pub(crate) fn is_by_bodies(&self) -> bool {
        self.is_by_bodies
    }

    /// Adds a row whose impulse has no bounds and whose rate is zero without bounded ones: of a joint. It comes after
    /// those that have bounds, and its impulse is found anew in each solve.
    pub(crate) fn add_free_row(&mut self, mobility: f64) {
        let start = self.rate.len();
        for buffer in [&mut self.rate, &mut self.impulse, &mut self.left] {
            buffer.push(0.0);
        }
        self.groups.push(Group {
            set: Set::FREE,
            start,
            n: 1,
            mobility: mobility.max(f64::MIN_POSITIVE),
        });
        self.n_free += 1;
    }

    fn size_rows(&mut self, n: usize) {
        self.groups.clear();
        self.n_free = 0;
        for buffer in [&mut self.rate, &mut self.impulse, &mut self.left] {
            buffer.resize(n, 0.0);
        }
    }

    /// Finds impulses that obey the law, from those that are there. `is_over` is asked, with the number of steps and
    /// sweeps so far, whether to leave it at the best there is.
    pub(crate) fn solve(&mut self, is_over: &mut dyn FnMut(usize) -> bool) -> Outcome {
        let mut law = Law {
            groups: &self.groups,
            response: match self.is_by_bodies {
                true => Response::Bodies(&mut self.bodies),
                false => Response::Dense(&self.response),
            },
            rate: &self.rate,
        };
        let law = &mut law;
        self.newton.size(law.n_rows());
        let n_bounded = law.groups.len() - self.n_free;
        if self.n_free > 0 {
            let first = law.groups[n_bounded].start;
            self.impulse[first..].fill(0.0);
            law.project(&mut self.impulse);
            self.newton.hold_free(law, n_bounded, &mut self.impulse);
        }
        let speed = self.rate.iter().fold(0.0f64, |most, g| most.max(g.abs()));
        let mut answer = Answer {
            impulse: &mut self.impulse,
            left: &mut self.left,
            residual: f64::INFINITY,
            enough: BOUNDED_ENOUGH * (0.1 * speed).max(1.0),
            fair: BOUNDED_FAIR * (0.1 * speed).max(1.0),
            round_off: f64::EPSILON * speed,
            steps: 0,
            iterations: 0,
        };
        if self.pivots {
            self.pivoting.solve(law, &mut answer, is_over);
            return answer.outcome();
        }
        law.project(answer.impulse);
        law.rates(answer.impulse, answer.left);
        answer.residual = law.residual(answer.impulse, answer.left);
        let has_cones = law
            .groups
            .iter()
            .any(|group| matches!(group.set, Set::Cone { .. } | Set::Cones(_)));
        // From nothing, a stiff step would go by way of impulses that are far larger than the answer, and leave their
        // round-off where rows repeat each other: the law itself is tried first.
        let is_cold = has_cones && answer.residual > BOUNDED_COLD * speed;
        if is_cold {
            self.semismooth.solve(law, &mut answer);
        }
        if !is_cold || answer.residual > answer.enough {
            // To round-off, while that costs no more than a step; else until it is enough.
            self.newton.solve(law, Start::Last, &mut answer);
            if has_cones {
                self.semismooth.solve(law, &mut answer);
            }
        }
        if answer.residual > answer.enough && !is_over(answer.steps) {
            self.newton.solve(law, Start::Nothing, &mut answer);
        }
        // Rows between bounds only: pivoting ends, and is exact.
        if !has_cones && answer.residual > answer.enough && !is_over(answer.steps) {
            self.pivoting.solve(law, &mut answer, is_over);
        }
        let is_interval = |group: &Group| matches!(group.set, Set::Nothing | Set::Between { .. });
        if !self.is_by_bodies && law.groups.iter().all(is_interval) {
            // What is left then contradicts itself. Every further center would add to impulses that push against each
            // other.
            self.semismooth.solve(law, &mut answer);
            return answer.outcome();
        }
        // Updates of center and shift converge slowly; between rounds the law itself is tried.
        for _ in 0..BOUNDED_ROUNDS {
            self.semismooth.solve(law, &mut answer);
            if answer.residual <= answer.enough || is_over(answer.steps) {
                break;
            }
            self.newton.solve(law, Start::Further, &mut answer);
        }
        // From no impulses. What is fair is not worth many large factors.
        let is_small = law.n_rows() <= BOUNDED_DENSE;
        if is_small && answer.residual > answer.enough {
            law.write_response(&mut self.dense);
            if !is_over(answer.steps) {
                self.complementarity.solve(law, &self.dense, &mut answer);
                self.semismooth.solve(law, &mut answer);
            }
            let aim = match law.n_rows() <= BOUNDED_PATH_ROWS {
                true => answer.enough,
                false => answer.fair,
            };
            if answer.residual > aim && !is_over(answer.steps) {
                // The last digits too: by bodies a step holds rows a little softly.
                let mut law = Law {
                    groups: law.groups,
                    response: Response::Dense(&self.dense),
                    rate: law.rate,
                };
                self.path.solve(&mut law, &self.dense, &mut answer, is_over);
                self.semismooth.solve(&mut law, &mut answer);
            }
        }
        for round in 0..if is_small { 0 } else { BOUNDED_SWEEPS } {
            let aim = if round < BOUNDED_SWEEPS - 1 {
                answer.enough
            } else {
                answer.fair
            };
            // At least one round, however late it is.
            let is_late = round > 0 && is_over(answer.steps + answer.iterations);
            if answer.residual <= aim || is_late {
                break;
            }
            if round == 0 {
                self.sweeps.begin(law, &answer);
            }
            self.sweeps.solve(law, 50 << round, &mut answer);
            self.semismooth.solve(law, &mut answer);
        }
        answer.outcome()
    }
}

#[cfg(test)]
mod tests;
