//! What every body promises, checked at random coordinates and velocities.
//!
//! | promise                                   | checked against                                 |
//! |-------------------------------------------|-------------------------------------------------|
//! | `M` symmetric positive definite           | Cholesky; `solve ∘ multiply = 1` when opaque    |
//! | `L`, `ẋ`                                  | differences of `x` through `displace`           |
//! | `ℓ`                                       | differences of `ẋ` along `v̇ = 0`                |
//! | `columns`                                 | no other coordinate moves `x`                   |
//! | `displace`                                | `q ⊞ 0 = q`, the result passes `check_q`        |
//! | `momentum`                                | differences of mass × center of mass            |
//! | `uniform_field`                           | differences of the potential `−m·g·com`         |
//! | `internal_force` at rest                  | differences of `internal_energy`                |
//! | `internal_force` in motion                | no power out of nothing                         |
//! | `S`, `ṡ`, `γ` of strains                  | differences of `s` and of `ṡ` along `v̇ = 0`     |
//! | `pose`, `q_from_pose`                     | each other                                      |
//!
//! Differences are central and of fourth order, with a step of about 10⁻³: lengths are taken to lie
//! between a millimeter and a kilometer. A body without coordinates is moved through time instead.

use std::fmt;

use super::{Body, Pose};
use crate::connector::Site;

mod dynamics;
mod geometry;
mod probe;

use probe::Probe;

/// A promise a body does not keep.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyViolation {
    /// Which promise, in words.
    pub promise: String,
    /// The numbers that disagree, unless the promise is not about numbers.
    pub comparison: Option<Comparison>,
}

/// Two numbers that should agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// What the body says.
    pub given: f64,
    /// What the check found.
    pub found: f64,
    /// How far the two may lie apart.
    pub tolerance: f64,
}

impl fmt::Display for BodyViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken promise: {}", self.promise)?;
        let Some(numbers) = self.comparison else {
            return Ok(());
        };
        write!(
            f,
            "; the body says {:e}, the check finds {:e}, tolerance {:e}",
            numbers.given, numbers.found, numbers.tolerance
        )
    }
}

impl std::error::Error for BodyViolation {}

/// How many random states are tried.
const N_STATES: usize = 5;

/// Checks that a body keeps the promises of [`Body`], at `sites` and at random states drawn from
/// `seed`.
///
/// Whoever writes a body calls this in a test. An internal force that does work on its own, such
/// as a muscle, is a violation: that is the part of a behavior.
///
/// ```
/// use linkwork::body::check_body;
/// use linkwork::connector::Site;
/// use linkwork::prelude::*;
/// let sites = [Site::Point([0.0; 3])];
/// assert!(check_body(&Particle { mass: 2.0 }, &sites, 1).is_ok());
/// ```
pub fn check_body(body: &dyn Body, sites: &[Site], seed: u64) -> Result<(), BodyViolation> {
    if let Err(problem) = body.validate() {
        return Err(refused(format!("validate refuses the body: {problem}")));
    }
    let mut probe = Probe::new(body, seed);
    for _ in 0..N_STATES {
        probe.draw_state()?;
        probe.check_displace()?;
        probe.check_pose()?;
        probe.check_mass()?;
        probe.check_momentum()?;
        probe.check_uniform_field()?;
        probe.check_internal_force()?;
        probe.check_strains()?;
        for site in sites {
            probe.check_connector(site)?;
        }
    }
    Ok(())
}

/// A violation that is not about numbers.
fn refused(promise: impl Into<String>) -> BodyViolation {
    BodyViolation {
        promise: promise.into(),
        comparison: None,
    }
}

/// `Ok` when two numbers are finite and agree.
fn require(
    promise: impl Fn() -> String,
    given: f64,
    found: f64,
    tolerance: f64,
) -> Result<(), BodyViolation> {
    if given.is_finite() && found.is_finite() && (given - found).abs() <= tolerance {
        return Ok(());
    }
    Err(BodyViolation {
        promise: promise(),
        comparison: Some(Comparison {
            given,
            found,
            tolerance,
        }),
    })
}

/// [`require`] for each pair, with a tolerance that grows with the numbers of both vectors.
///
/// Fourth-order differences with a step of 10⁻³ leave 10⁻¹¹ of truncation and 10⁻¹³·`size` of
/// round-off, where `size` is that of the differenced values; mistakes are far larger than either.
fn require_all(
    promise: impl Fn(usize) -> String,
    given: &[f64],
    found: &[f64],
    size: f64,
) -> Result<(), BodyViolation> {
    let tolerance = 1e-7 * largest(given).max(largest(found)) + 1e-10 * (1e-3 + size);
    for (i, (&a, &b)) in given.iter().zip(found).enumerate() {
        require(|| promise(i), a, b, tolerance)?;
    }
    Ok(())
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |size, value| size.max(value.abs()))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// How far two poses are apart, quaternions taken up to sign.
fn pose_distance(a: &Pose, b: &Pose) -> f64 {
    let apart = |sign: f64| (0..4).map(move |k| (a.rotation[k] - sign * b.rotation[k]).abs());
    let turn = apart(1.0)
        .fold(0.0, f64::max)
        .min(apart(-1.0).fold(0.0, f64::max));
    (0..3)
        .map(|k| (a.position[k] - b.position[k]).abs())
        .fold(turn, f64::max)
}

#[cfg(test)]
mod tests;
