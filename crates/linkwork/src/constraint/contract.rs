//! The contract of a constraint, checked by differences: every built-in passes it, and a
//! constraint defined elsewhere calls the same functions in its tests.
//!
//! Inputs move along closed-form motions whose `x(s)`, `ẋ(s)` and `ẍ(s)` are exact
//! ([`InputMotion`]); time runs along, `t = t₀ + s`. Then, with differences of fourth order:
//!
//! ```text
//!     everything is finite; c and ∂c/∂x do not depend on ẋ
//!     position level                              velocity level
//!     ∂c/∂x  = difference of c in each input      ∂c/∂x  = difference of ċ in each ẋ
//!     ċ      = difference of c along the motion   c      = 0
//!     ċ      = Σ (∂c/∂x)·ẋ + ∂c/∂t                ċ is affine in ẋ
//!     difference of ċ along the motion = Σ (∂c/∂x)·ẍ + γ                   (both)
//! ```
//!
//! Two numbers agree when they differ by less than [`TOLERANCE`]` · (1 + the larger of them)`, in
//! SI units (give the constraint dimensions of about a meter), plus what the difference itself is
//! in doubt by. Where that is much, near a singularity or a jump, nothing can be said.

use super::{Constraint, Evaluation, Level};
use crate::connector::{ConnectorKind, Counter, Input, acts_in_plane};

mod law;
mod motion;
mod violation;

pub(crate) use law::{Law, moved_as};
pub use motion::{InputMotion, Seeded, Spread};
use motion::{Sample, nearer};
pub use violation::{ConstraintViolation, Quantity};

/// Relative tolerance of every comparison; the differences are good to about 1e-10.
pub const TOLERANCE: f64 = 1e-7;

/// A difference that is less certain than this cannot be judged.
const ROUGH: f64 = 1e-3;

/// Step of the differences: `h⁴` and round-off over `h` are then both far below [`TOLERANCE`].
const STEP: f64 = 1e-3;

/// Number of random motions `check_constraint` tries, each as drawn and once more brought onto the
/// constraint.
const N_MOTIONS: usize = 12;

/// Checks a constraint along random motions: positions within a meter and relative rotations up to
/// 2 rad, as drawn (far off the constraint) and brought onto it by Newton steps.
///
/// The same seed gives the same motions.
pub fn check_constraint(constraint: &dyn Constraint, seed: u64) -> Result<(), ConstraintViolation> {
    check_constraint_within(constraint, seed, Spread::default())
}

/// [`check_constraint`] with inputs spread less, or more.
pub fn check_constraint_within(
    constraint: &dyn Constraint,
    seed: u64,
    spread: Spread,
) -> Result<(), ConstraintViolation> {
    for kinds in [constraint.inputs(), constraint.inputs_in_plane()] {
        if !kinds.is_empty() {
            check_constraint_of(constraint, kinds, seed, spread)?;
        }
    }
    Ok(())
}

fn check_constraint_of(
    constraint: &dyn Constraint,
    kinds: &[ConnectorKind],
    seed: u64,
    spread: Spread,
) -> Result<(), ConstraintViolation> {
    constraint
        .validate()
        .map_err(ConstraintViolation::Refused)?;
    let eval = evaluation_of(constraint);
    let law = law_of(constraint, kinds, &eval);
    check_law(&law, seed, spread, constraint.level() == Level::Position)
}

/// Checks rows along random motions, as drawn and, if `brought`, once more where they are zero.
pub(crate) fn check_law(
    law: &Law<'_>,
    seed: u64,
    spread: Spread,
    brought: bool,
) -> Result<(), ConstraintViolation> {
    let mut seeded = Seeded::new(seed);
    // Random motions may come near a singularity or a jump, but not most of them.
    let mut n_rough = N_MOTIONS / 2;
    for _ in 0..N_MOTIONS {
        let motions = seeded.motions(&moved_as(law.kinds), spread);
        let t = seeded.between(-1.0, 1.0);
        let mut cases = vec![motions];
        if brought {
            cases.push(nearer(law, t, &cases[0]));
        }
        for motions in cases {
            match check_law_at(law, t, &motions) {
                Err(rough @ ConstraintViolation::Rough { .. }) => {
                    n_rough -= 1;
                    if n_rough == 0 {
                        return Err(rough);
                    }
                }
                verdict => verdict?,
            }
        }
    }
    Ok(())
}

/// Checks a constraint at time `t` along motions the caller chooses, one per input: for
/// constraints that make sense in special configurations only. A vector takes as many scalars.
pub fn check_constraint_at(
    constraint: &dyn Constraint,
    t: f64,
    motions: &[InputMotion],
) -> Result<(), ConstraintViolation> {
    constraint
        .validate()
        .map_err(ConstraintViolation::Refused)?;
    let given: Vec<ConnectorKind> = motions.iter().map(|motion| motion.kind).collect();
    let in_plane = acts_in_plane(constraint.inputs_in_plane(), &given);
    let eval = evaluation_of(constraint);
    let law = law_of(constraint, constraint.inputs_of(in_plane), &eval);
    check_law_at(&law, t, motions)
}

fn evaluation_of(constraint: &dyn Constraint) -> impl Fn(f64, &[Input<'_>]) -> Evaluation {
    |t, inputs| Evaluation::of(constraint, t, inputs, Counter::default())
}

fn law_of<'a>(
    constraint: &dyn Constraint,
    kinds: &'a [ConnectorKind],
    eval: &'a dyn Fn(f64, &[Input<'_>]) -> Evaluation,
) -> Law<'a> {
    Law {
        kinds,
        level: constraint.level(),
        pushes: constraint.pushes_elsewhere(),
        eval,
    }
}

/// Checks rows at time `t` along motions, one per input, or per number of a vector.
pub(crate) fn check_law_at(
    law: &Law<'_>,
    t: f64,
    motions: &[InputMotion],
) -> Result<(), ConstraintViolation> {
    let given: Vec<ConnectorKind> = motions.iter().map(|motion| motion.kind).collect();
    if given != moved_as(law.kinds) {
        return Err(ConstraintViolation::Inputs {
            expected: law.kinds.to_vec(),
            found: given,
        });
    }
    let check = Check {
        law,
        t,
        motions,
        here: law.evaluate(t, &sample(motions, 0.0)),
    };
    check.finite()?;
    match law.level {
        Level::Position => {
            check.value_without_rates()?;
            check.jacobian_of_value()?;
            check.rate()?;
        }
        Level::Velocity => {
            check.no_value()?;
            check.jacobian_of_rate()?;
        }
    }
    check.acceleration()?;
    check.push()
}

#[cfg(test)]
pub(super) fn evaluate(constraint: &dyn Constraint, t: f64, samples: &[Sample]) -> Evaluation {
    let kinds: Vec<ConnectorKind> = samples.iter().map(|sample| sample.kind).collect();
    let eval = evaluation_of(constraint);
    law_of(constraint, &kinds, &eval).evaluate(t, samples)
}

fn sample(motions: &[InputMotion], s: f64) -> Vec<Sample> {
    motions.iter().map(|motion| motion.at(s)).collect()
}

/// A number, and how far it may be off.
#[derive(Clone, Copy)]
struct Estimate {
    value: f64,
    doubt: f64,
}

/// Numbers known exactly.
fn exactly(values: &[f64]) -> Vec<Estimate> {
    let exact = |&value| Estimate { value, doubt: 0.0 };
    values.iter().map(exact).collect()
}

/// `f′(0)` to fourth order, component by component; the doubt is what a coarser step differs by,
/// some hundred times the error unless `f` jumps.
fn difference(f: impl Fn(f64) -> Vec<f64>) -> Vec<Estimate> {
    let slopes = |h: f64| -> Vec<f64> {
        let [back2, back, on, on2] = [-2.0, -1.0, 1.0, 2.0].map(|k| f(k * h));
        (0..on.len())
            .map(|i| (8.0 * (on[i] - back[i]) - (on2[i] - back2[i])) / (12.0 * h))
            .collect()
    };
    let (coarse, fine) = (slopes(STEP), slopes(0.25 * STEP));
    let estimate = |(coarse, fine): (f64, f64)| Estimate {
        value: fine,
        doubt: (coarse - fine).abs(),
    };
    coarse.into_iter().zip(fine).map(estimate).collect()
}

struct Check<'a> {
    law: &'a Law<'a>,
    t: f64,
    motions: &'a [InputMotion],
    here: Evaluation,
}

impl Check<'_> {
    fn compare(
        &self,
        quantity: Quantity,
        expected: &[Estimate],
        found: &[f64],
    ) -> Result<(), ConstraintViolation> {
        for (row, (estimate, &found)) in expected.iter().zip(found).enumerate() {
            let Estimate { value, doubt } = *estimate;
            let expected = value;
            let size = 1.0 + expected.abs().max(found.abs());
            if doubt > ROUGH * size {
                return Err(ConstraintViolation::Rough { row, quantity });
            }
            // Written so that NaN fails.
            let agrees = (expected - found).abs() <= TOLERANCE * size + doubt;
            if !agrees {
                return Err(ConstraintViolation::Mismatch {
                    row,
                    quantity,
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }

    /// `Σ (∂c/∂x)·d` for directions `d`, one per input.
    fn jacobian_times(&self, directions: &[[f64; 6]]) -> Vec<f64> {
        let n = self.here.c.len();
        let mut product = vec![0.0; n];
        let mut start = 0;
        for (motion, direction) in self.motions.iter().zip(directions) {
            let n_cols = motion.kind.n_x_dot();
            for (i, total) in product.iter_mut().enumerate() {
                for (j, component) in direction.iter().take(n_cols).enumerate() {
                    *total += self.here.dc_dx[start + i * n_cols + j] * component;
                }
            }
            start += n * n_cols;
        }
        product
    }

    fn finite(&self) -> Result<(), ConstraintViolation> {
        let n = self.here.c.len();
        let here = &self.here;
        for part in [&here.c, &here.c_dot, &here.gamma, &here.dc_dx, &here.push] {
            if let Some(at) = part.iter().position(|value| !value.is_finite()) {
                return Err(ConstraintViolation::Mismatch {
                    row: at % n,
                    quantity: Quantity::Finite,
                    expected: 0.0,
                    found: part[at],
                });
            }
        }
        Ok(())
    }

    fn value_without_rates(&self) -> Result<(), ConstraintViolation> {
        let mut at_rest = sample(self.motions, 0.0);
        for sample in &mut at_rest {
            sample.x_dot = [0.0; 6];
        }
        let rest = self.law.evaluate(self.t, &at_rest);
        self.compare(Quantity::Value, &exactly(&rest.c), &self.here.c)?;
        let mut start = 0;
        for (input, motion) in self.motions.iter().enumerate() {
            let n_cols = motion.kind.n_x_dot();
            for at in 0..self.here.c.len() * n_cols {
                let quantity = Quantity::Jacobian {
                    input,
                    component: at % n_cols,
                };
                let range = start + at..=start + at;
                self.compare(
                    quantity,
                    &exactly(&rest.dc_dx[range.clone()]),
                    &self.here.dc_dx[range],
                )?;
            }
            start += self.here.c.len() * n_cols;
        }
        Ok(())
    }

    fn no_value(&self) -> Result<(), ConstraintViolation> {
        let zero = vec![0.0; self.here.c.len()];
        self.compare(Quantity::VelocityLevelValue, &exactly(&zero), &self.here.c)
    }

    /// `∂c/∂x` against differences of `c` while one input moves in one direction.
    fn jacobian_of_value(&self) -> Result<(), ConstraintViolation> {
        for (input, motion) in self.motions.iter().enumerate() {
            for component in 0..motion.kind.n_x_dot() {
                let mut step = [0.0; 6];
                step[component] = 1.0;
                let expected = difference(|h| {
                    let mut samples = sample(self.motions, 0.0);
                    samples[input] = motion.displaced(&step.map(|d| d * h)).at(0.0);
                    self.law.evaluate(self.t, &samples).c
                });
                let mut directions = vec![[0.0; 6]; self.motions.len()];
                directions[input] = motion.rate_of_displacement(&step);
                let found = self.jacobian_times(&directions);
                let quantity = Quantity::Jacobian { input, component };
                self.compare(quantity, &expected, &found)?;
            }
        }
        Ok(())
    }

    /// `∂ċ/∂ẋ` against differences of `ċ` in `ẋ`; large ones, since `ċ` is affine.
    fn jacobian_of_rate(&self) -> Result<(), ConstraintViolation> {
        for (input, motion) in self.motions.iter().enumerate() {
            for component in 0..motion.kind.n_x_dot() {
                let rate_at = |change: f64| {
                    let mut samples = sample(self.motions, 0.0);
                    samples[input].x_dot[component] += change;
                    self.law.evaluate(self.t, &samples).c_dot
                };
                let (back, on) = (rate_at(-1.0), rate_at(1.0));
                let half = |f: fn(f64, f64) -> f64| -> Vec<Estimate> {
                    let halves: Vec<f64> =
                        on.iter().zip(&back).map(|(a, b)| 0.5 * f(*a, *b)).collect();
                    exactly(&halves)
                };
                self.compare(Quantity::RateAffine, &half(|a, b| a + b), &self.here.c_dot)?;
                let mut directions = vec![[0.0; 6]; self.motions.len()];
                directions[input][component] = 1.0;
                let found = self.jacobian_times(&directions);
                let quantity = Quantity::Jacobian { input, component };
                self.compare(quantity, &half(|a, b| a - b), &found)?;
            }
        }
        Ok(())
    }

    fn rate(&self) -> Result<(), ConstraintViolation> {
        let along = difference(|s| self.law.evaluate(self.t + s, &sample(self.motions, s)).c);
        self.compare(Quantity::Rate, &along, &self.here.c_dot)?;
        let frozen = sample(self.motions, 0.0);
        let mut expected = difference(|s| self.law.evaluate(self.t + s, &frozen).c);
        let rates: Vec<[f64; 6]> = frozen.iter().map(|sample| sample.x_dot).collect();
        for (total, part) in expected.iter_mut().zip(self.jacobian_times(&rates)) {
            total.value += part;
        }
        self.compare(Quantity::RateFromJacobian, &expected, &self.here.c_dot)
    }

    fn acceleration(&self) -> Result<(), ConstraintViolation> {
        let expected = difference(|s| {
            self.law
                .evaluate(self.t + s, &sample(self.motions, s))
                .c_dot
        });
        let accelerations: Vec<[f64; 6]> = sample(self.motions, 0.0)
            .iter()
            .map(|sample| sample.x_ddot)
            .collect();
        let mut found = self.jacobian_times(&accelerations);
        for (total, gamma) in found.iter_mut().zip(&self.here.gamma) {
            *total += gamma;
        }
        self.compare(Quantity::Acceleration, &expected, &found)
    }

    fn push(&self) -> Result<(), ConstraintViolation> {
        if !self.law.pushes {
            return Ok(());
        }
        let n = self.here.c.len();
        let mut squares = vec![0.0; n];
        let mut start = 0;
        for motion in self.motions {
            let n_cols = motion.kind.n_x_dot();
            for at in 0..n * n_cols {
                squares[at / n_cols] += self.here.push[start + at] * self.here.push[start + at];
            }
            start += n * n_cols;
        }
        match squares.iter().position(|&square| square <= 0.0) {
            None => Ok(()),
            Some(row) => Err(ConstraintViolation::Mismatch {
                row,
                quantity: Quantity::Push,
                expected: 1.0,
                found: 0.0,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
