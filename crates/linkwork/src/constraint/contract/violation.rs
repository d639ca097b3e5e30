//! What a broken contract says.

use std::fmt;

use crate::connector::ConnectorKind;
use crate::error::Error;

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// An output that is not finite.
    Finite,
    /// `c` of a velocity constraint, which is left at zero.
    VelocityLevelValue,
    /// `c`, which may not depend on `ẋ`.
    Value,
    /// `ċ` against the difference of `c` along the motion.
    Rate,
    /// `ċ` against `Σ (∂c/∂x)·ẋ + ∂c/∂t`.
    RateFromJacobian,
    /// `ċ` of a velocity constraint, which is affine in `ẋ`.
    RateAffine,
    /// `∂c/∂x` (`∂ċ/∂ẋ` at velocity level) of one component of one input.
    Jacobian {
        /// Which input.
        input: usize,
        /// Which component of `ẋ`.
        component: usize,
    },
    /// `Σ (∂c/∂x)·ẍ + γ` against the difference of `ċ` along the motion.
    Acceleration,
    /// A force direction of a constraint that pushes elsewhere: all zero.
    Push,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite => f.write_str("an output (must be finite)"),
            Self::VelocityLevelValue => f.write_str("c (zero at velocity level)"),
            Self::Value => f.write_str("c (must not depend on the rates)"),
            Self::Rate => f.write_str("ċ (difference of c along the motion)"),
            Self::RateFromJacobian => f.write_str("ċ (Σ (∂c/∂x)·ẋ + ∂c/∂t)"),
            Self::RateAffine => f.write_str("ċ (affine in the rates)"),
            Self::Jacobian { input, component } => {
                write!(f, "∂c/∂x of input {input}, component {component}")
            }
            Self::Acceleration => f.write_str("Σ (∂c/∂x)·ẍ + γ (difference of ċ)"),
            Self::Push => f.write_str("length of the force direction (not zero)"),
        }
    }
}

/// A clause of the contract that does not hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConstraintViolation {
    /// `validate` refuses the parameters: there is nothing to check.
    Refused(Error),
    /// The motions are not of the kinds the constraint takes.
    Inputs {
        /// What it takes.
        expected: Vec<ConnectorKind>,
        /// What was given.
        found: Vec<ConnectorKind>,
    },
    /// A row changes so abruptly here that differences say nothing: a jump or a singularity.
    Rough {
        /// Which row.
        row: usize,
        /// What was to be compared.
        quantity: Quantity,
    },
    /// Two numbers disagree.
    Mismatch {
        /// Which row.
        row: usize,
        /// Which quantity.
        quantity: Quantity,
        /// What the differences say.
        expected: f64,
        /// What the constraint wrote.
        found: f64,
    },
}

impl fmt::Display for ConstraintViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(problem) => write!(f, "validate refuses it: {problem}"),
            Self::Inputs { expected, found } => {
                let list = |kinds: &[ConnectorKind]| {
                    let words: Vec<String> = kinds.iter().map(ToString::to_string).collect();
                    words.join(", ")
                };
                write!(
                    f,
                    "the motions are of kinds ({}), but the constraint takes ({})",
                    list(found),
                    list(expected)
                )
            }
            Self::Rough { row, quantity } => write!(
                f,
                "row {row}: {quantity}: changes too abruptly to be checked; choose motions away \
                 from its jumps and singularities"
            ),
            Self::Mismatch {
                row,
                quantity,
                expected,
                found,
            } => write!(
                f,
                "row {row}: {quantity}: expected {expected:e}, found {found:e}"
            ),
        }
    }
}

impl std::error::Error for ConstraintViolation {}
