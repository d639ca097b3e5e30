//! Impulses in bounds: limits, servos, friction, contacts.
//!
//! Joints, springs and masses are eliminated: of them only the response W of the rows to each other and the rates g
//! without impulses are left.
//!
//! ```text
//!     u = W·r + g      r ∈ K,  u + s·n ∈ K*,  r ⊥ u + s·n,  s = μ·‖u_t‖       each set K of its own rows
//! ```
//!
//! For a row between bounds: u = 0 inside, and at a bound u goes the way that keeps it there. For a cone: Signorini's
//! condition, Coulomb's cone and greatest dissipation, by De Saxcé's shift (De Saxcé, Feng 1998; Acary et al. 2011). W
//! is symmetric and not negative; rows may repeat each other. The residual of an answer, in the unit of u, covers all
//! conditions at once and decides: with w the mobility of each set,
//!
//! ```text
//!     max  w·‖r − P_K(r − (u + s·n)/w)‖       P the nearest impulse of the set
//! ```
//!
//! Newton's method from the last impulses is exact in a step or two where everything lasts (`newton`). Where contacts
//! slide, their directions turn with the answer: that is Newton's method on the law itself (`semismooth`). Where it is
//! not known who touches, sticks and slides, the proximal problem is solved from nothing; and where its center creeps,
//! alternating directions find out (`admm`). Whatever is left is said.

mod admm;
mod law;
mod newton;
mod semismooth;
mod set;

use super::tolerances::{BOUNDED_ENOUGH, BOUNDED_ROUGH, BOUNDED_ROUNDS};
use law::Law;

pub(crate) use law::Group;
pub(crate) use set::Set;

/// Rows, how they respond to each other, and their impulses.
#[derive(Debug, Default)]
pub(crate) struct BoundedProblem {
    pub(crate) groups: Vec<Group>,
    /// `W`, row-major.
    pub(crate) response: Vec<f64>,
    /// `g`: rates without impulses.
    pub(crate) rate: Vec<f64>,
    /// Where to start, and the answer.
    pub(crate) impulse: Vec<f64>,
    /// `u` of the answer.
    pub(crate) left: Vec<f64>,
    newton: newton::Newton,
    semismooth: semismooth::Semismooth,
    admm: admm::Admm,
}

/// Where Newton's method begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// With the impulses of the last step.
    Last,
    /// Whoever pushed before: κ begins small.
    Nothing,
    /// Where it is.
    Further,
}

/// The best impulses so far, and how they came about.
#[derive(Debug)]
struct Answer<'a> {
    impulse: &'a mut [f64],
    left: &'a mut [f64],
    residual: f64,
    /// What is enough; below round-off there is nothing to gain.
    enough: f64,
    round_off: f64,
    steps: usize,
    iterations: usize,
}

impl Answer<'_> {
    /// Puts impulses into their sets, and takes them if less is left of the law; what is. Their rates go into `u`.
    fn take(&mut self, law: &Law<'_>, tried: &mut [f64], u: &mut [f64]) -> f64 {
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
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// What is left of the law, in the unit of u.
    pub(crate) residual: f64,
    /// Steps of Newton's methods.
    pub(crate) steps: usize,
    /// Iterations of alternating directions.
    pub(crate) iterations: usize,
}

impl BoundedProblem {
    /// Makes room for `n` rows; what they are and how they respond is to be written.
    pub(crate) fn size(&mut self, n: usize) {
        self.groups.clear();
        self.response.resize(n * n, 0.0);
        for buffer in [&mut self.rate, &mut self.impulse, &mut self.left] {
            buffer.resize(n, 0.0);
        }
        self.newton.size(n);
    }

    /// Finds impulses that obey the law, from those that are there.
    pub(crate) fn solve(&mut self) -> Outcome {
        let law = Law {
            groups: &self.groups,
            response: &self.response,
            rate: &self.rate,
        };
        let speed = self.rate.iter().fold(0.0f64, |most, g| most.max(g.abs()));
        let mut answer = Answer {
            impulse: &mut self.impulse,
            left: &mut self.left,
            residual: f64::INFINITY,
            enough: BOUNDED_ENOUGH * (0.1 * speed).max(1.0),
            round_off: f64::EPSILON * speed,
            steps: 0,
            iterations: 0,
        };
        law.project(answer.impulse);
        law.rates(answer.impulse, answer.left);
        answer.residual = law.residual(answer.impulse, answer.left);
        let has_cones = law
            .groups
            .iter()
            .any(|group| matches!(group.set, Set::Cone { .. }));
        // To round-off, while that costs no more than a step; else until it is enough.
        self.newton.solve(&law, Start::Last, &mut answer);
        if has_cones {
            self.semismooth.solve(&law, &mut answer);
        }
        if answer.residual > answer.enough {
            self.newton.solve(&law, Start::Nothing, &mut answer);
        }
        if has_cones {
            // Center and shift creep; on the way the law itself is tried.
            for _ in 0..BOUNDED_ROUNDS {
                self.semismooth.solve(&law, &mut answer);
                if answer.residual <= answer.enough {
                    break;
                }
                self.newton.solve(&law, Start::Further, &mut answer);
            }
            if answer.residual > answer.enough {
                self.admm.begin(&law, &answer);
            }
            for rough in BOUNDED_ROUGH {
                if answer.residual <= answer.enough {
                    break;
                }
                self.admm.solve(&law, rough, &mut answer);
                self.semismooth.solve(&law, &mut answer);
            }
        }
        Outcome {
            residual: answer.residual,
            steps: answer.steps,
            iterations: answer.iterations,
        }
    }
}

#[cfg(test)]
mod tests;
