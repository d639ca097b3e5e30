//! Every public error of the engine.
//!
//! Errors name what the user named, say what is wrong, then what to do. Numerical trouble is not an
//! error: it is data in a solution or a report.

use std::fmt;

use crate::connector::ConnectorKind;

/// A field of a body, constraint or behavior that cannot be accepted.
///
/// Returned by the `validate` methods of the traits; the world adds the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Name of the offending field, as the user writes it.
    pub field: &'static str,
    /// What is wrong with it and what would be accepted.
    pub problem: String,
}

impl Invalid {
    /// An offending field and what is wrong with it.
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self {
            field,
            problem: problem.into(),
        }
    }

    /// `Ok` when `value` is finite and positive.
    pub fn require_positive(field: &'static str, value: f64) -> Result<(), Self> {
        // Denormal numbers have no inverse.
        if value.is_normal() && value > 0.0 {
            return Ok(());
        }
        Err(Self::new(
            field,
            format!("is {value}; give a finite number greater than zero"),
        ))
    }

    /// `Ok` when `value` is finite and not negative.
    pub fn require_not_negative(field: &'static str, value: f64) -> Result<(), Self> {
        if value.is_finite() && value >= 0.0 {
            return Ok(());
        }
        Err(Self::new(
            field,
            format!("is {value}; give a finite number, zero or greater"),
        ))
    }

    /// `Ok` when every value is finite.
    pub fn require_finite(field: &'static str, values: &[f64]) -> Result<(), Self> {
        match values.iter().find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => Err(Self::new(
                field,
                format!("contains {value}; give finite numbers"),
            )),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.problem)
    }
}

impl std::error::Error for Invalid {}

/// What kind of thing an error speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// A body.
    Body,
    /// A constraint.
    Constraint,
    /// A behavior.
    Behavior,
    /// A grip.
    Grip,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Item::Body => "body",
            Item::Constraint => "constraint",
            Item::Behavior => "behavior",
            Item::Grip => "grip",
        })
    }
}

/// Why an edit was refused. The world is exactly as before.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A field is out of range.
    Invalid {
        /// What was being added or changed.
        item: Item,
        /// Its label.
        label: String,
        /// The offending field.
        field: &'static str,
        /// What is wrong with it and what would be accepted.
        problem: String,
    },
    /// The label is taken (labels are unique among bodies, among constraints, among behaviors).
    DuplicateLabel {
        /// What was being added.
        item: Item,
        /// The label that is taken.
        label: String,
    },
    /// The id was never given out by this world, or belongs to another world.
    UnknownId {
        /// What the id should denote.
        item: Item,
        /// The id's number.
        number: u64,
        /// True when the id was given out by another world.
        foreign: bool,
        /// True when the thing existed and was removed.
        removed: bool,
    },
    /// The snapshot is of another world.
    ForeignSnapshot,
    /// Two connectors of a joint sit on one body.
    SameBody {
        /// The constraint's label.
        label: String,
        /// The body's label.
        body: String,
    },
    /// Every connector sits on a body without coordinates: nothing could move.
    NothingToMove {
        /// What was being added.
        item: Item,
        /// Its label.
        label: String,
    },
    /// The body has no connector of this kind.
    UnsupportedSite {
        /// The label of what was being added.
        label: String,
        /// The body's label.
        body: String,
        /// The site that was asked for, in words.
        site: String,
        /// What the body offers, in words.
        offers: &'static str,
    },
    /// The number of connectors is not the one the constraint or behavior takes.
    InputCount {
        /// The label of what was being added.
        label: String,
        /// How many it takes.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A connector is of the wrong kind.
    InputKind {
        /// The label of what was being added.
        label: String,
        /// Which connector, from zero.
        input: usize,
        /// The kind it takes.
        expected: ConnectorKind,
        /// The kind that was given.
        given: ConnectorKind,
    },
    /// Something is not finite that must be, and could not be attributed to one field.
    NotFinite {
        /// What was being computed, in words.
        what: &'static str,
        /// The label of the body or constraint at which it was first seen.
        label: String,
    },
    /// A list of numbers does not have the length this world gives it.
    WrongLength {
        /// What the numbers are, in words.
        what: &'static str,
        /// How many this world has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
}

impl Error {
    /// `Ok` when `given` is the `expected` length.
    pub(crate) fn require_length(
        what: &'static str,
        given: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if given == expected {
            return Ok(());
        }
        Err(Self::WrongLength {
            what,
            expected,
            given,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid {
                item,
                label,
                field,
                problem,
            } => {
                write!(f, "{item} \"{label}\": {field} {problem}")
            }
            Error::DuplicateLabel { item, label } => write!(
                f,
                "{item} \"{label}\": another {item} already has this label; choose a different one"
            ),
            Error::ForeignSnapshot => {
                f.write_str("the snapshot is of another world; restore one that this world took")
            }
            Error::UnknownId {
                item: Item::Body,
                number: 0,
                ..
            } => f.write_str("the ground cannot be removed, moved or changed; choose another body"),
            Error::UnknownId {
                item,
                number,
                foreign: true,
                ..
            } => write!(
                f,
                "{item} #{number} belongs to another world; use an id this world gave out"
            ),
            Error::UnknownId {
                item,
                number,
                removed: true,
                ..
            } => write!(
                f,
                "{item} #{number} was removed; add it again or restore what `remove` returned"
            ),
            Error::UnknownId { item, number, .. } => {
                write!(
                    f,
                    "{item} #{number} does not exist; use an id this world gave out"
                )
            }
            Error::SameBody { label, body } => write!(
                f,
                "constraint \"{label}\": both connectors sit on body \"{body}\"; \
                 a joint needs two different bodies"
            ),
            Error::NothingToMove { item, label } => write!(
                f,
                "{item} \"{label}\": every connector sits on the ground or on a body with \
                 prescribed motion; attach at least one to a body that can move"
            ),
            Error::UnsupportedSite {
                label,
                body,
                site,
                offers,
            } => write!(
                f,
                "\"{label}\": body \"{body}\" has no {site}; it offers {offers}"
            ),
            Error::InputCount {
                label,
                expected,
                given,
            } => write!(
                f,
                "\"{label}\": takes {expected} connectors, but {given} were given"
            ),
            Error::InputKind {
                label,
                input,
                expected,
                given,
            } => write!(
                f,
                "\"{label}\": connector {input} must be a {expected}, but a {given} was given"
            ),
            Error::NotFinite { what, label } => write!(
                f,
                "{what} of \"{label}\" is not finite; check its position, velocity and parameters"
            ),
            Error::WrongLength {
                what,
                expected,
                given,
            } => write!(
                f,
                "{what}: this world has {expected} numbers, but {given} were given; \
                 compute them again after an edit"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Why a step was refused. The world keeps the state it had, and goes on after an edit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// An option makes no sense.
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong with it and what would be accepted.
        problem: String,
    },
    /// The result would not have been finite.
    NonFinite {
        /// The first body that is not.
        body: Option<String>,
        /// Where it began: "constraints", "forces" or "motion".
        stage: &'static str,
        /// A constraint it may come from.
        constraint: Option<String>,
        /// A behavior it may come from.
        behavior: Option<String>,
    },
    /// A tolerance that was required is not met.
    NotClosed {
        /// The worst constraint.
        constraint: Option<crate::world::ConstraintId>,
        /// Its error.
        error: f64,
        /// The tolerance.
        tolerance: f64,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { option, problem } => write!(f, "step: {option} {problem}"),
            Self::NonFinite {
                body,
                stage,
                constraint,
                behavior,
            } => {
                write!(f, "step refused: ")?;
                match body {
                    Some(body) => write!(f, "body \"{body}\" is not finite")?,
                    None => write!(f, "the state is not finite")?,
                }
                write!(f, ", from its {stage}")?;
                if let Some(constraint) = constraint {
                    write!(f, ", near constraint \"{constraint}\"")?;
                }
                if let Some(behavior) = behavior {
                    write!(
                        f,
                        ", under behavior \"{behavior}\" (a force that is too stiff for the step? \
                         springs of `World::add_spring` are not)"
                    )?;
                }
                write!(f, "; the world keeps its last state")
            }
            Self::NotClosed {
                error, tolerance, ..
            } => write!(
                f,
                "the constraints are open by {error:e}, more than {tolerance:e}"
            ),
        }
    }
}

impl std::error::Error for StepError {}
