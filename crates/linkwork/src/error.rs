//! The error of the engine.
//!
//! Errors use the user's names, say what is wrong, then what to do. Numerical trouble is not an error:
//! it is data in a solution or a report.

use std::fmt;
use std::slice;

use crate::connector::{ConnectorKind, MAX_INPUTS};

/// The kind of object an error is about.
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
    /// A block.
    Block,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Item::Body => "body",
            Item::Constraint => "constraint",
            Item::Behavior => "behavior",
            Item::Grip => "grip",
            Item::Block => "block",
        })
    }
}

/// Why a part, an edit or a step was refused. The world is exactly as before.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A field that cannot be accepted. Returned by the `validate` methods of the traits; the world
    /// adds the label.
    Field {
        /// Name of the offending field, as the user writes it.
        field: &'static str,
        /// What is wrong with it and what would be accepted.
        problem: String,
    },
    /// A body, constraint, behavior, block or grip that cannot be accepted.
    Invalid {
        /// What was being added or changed.
        item: Item,
        /// Its label.
        label: String,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// The label is in use (labels are unique among bodies, among constraints, among behaviors, among blocks).
    DuplicateLabel {
        /// What was being added.
        item: Item,
        /// The label that is in use.
        label: String,
    },
    /// This world never issued the id, or the id belongs to another world.
    UnknownId {
        /// What the id should denote.
        item: Item,
        /// The id's number.
        number: u64,
        /// True when another world issued the id.
        foreign: bool,
        /// True when the object existed and was removed.
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
    /// The block has no such output.
    UnknownOutput {
        /// The label of what was being added.
        label: String,
        /// The block's label.
        block: String,
        /// Which output was asked for, from zero.
        output: usize,
        /// How many it has.
        outputs: usize,
    },
    /// The number of connectors is not the one the constraint, behavior or block takes.
    InputCount {
        /// The label of what was being added.
        label: String,
        /// How many it takes.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// More connectors than a law can take.
    TooManyInputs {
        /// The label of what was being added.
        label: String,
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
    /// A value is not finite, and cannot be attributed to one field.
    NotFinite {
        /// What was being computed, in words.
        what: &'static str,
        /// The label of the first body or constraint concerned.
        label: String,
    },
    /// A list of numbers does not have the length that fits this world.
    WrongLength {
        /// What the numbers are, in words.
        what: &'static str,
        /// How many fit this world.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    // Of a step or an assembly.
    /// An option of a step or an assembly is invalid.
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong with it and what would be accepted.
        problem: String,
    },
    /// The result of a step would not have been finite. The world keeps its last state.
    NonFinite {
        /// The first body that is not finite.
        body: Option<String>,
        /// Where it began: "blocks", "constraints", "forces" or "motion".
        stage: &'static str,
        /// A constraint it may come from.
        constraint: Option<String>,
        /// A behavior it may come from.
        behavior: Option<String>,
        /// A block or a constraint that was not finite first.
        block: Option<Box<BlockFault>>,
    },
    /// A frame would have needed more steps than anybody waits for. The world keeps its last state.
    TooFast {
        /// The fastest body when it was given up.
        body: Option<String>,
        /// The force on it that changes faster than steps can follow, if that is the reason.
        behavior: Option<String>,
        /// The spring that vibrates faster than steps can follow, if that is the reason.
        spring: Option<String>,
    },
    /// A step would have gained energy that nothing put in, also in shorter parts. The world keeps its last
    /// state.
    EnergyGrew {
        /// The body that would have moved with the most energy.
        body: Option<String>,
        /// How much, J; infinite if that is beyond all numbers.
        energy: f64,
        /// A behavior it may come from.
        behavior: Option<String>,
    },
    /// A required tolerance is not met.
    NotClosed {
        /// The worst constraint.
        constraint: Option<crate::world::ConstraintId>,
        /// Its error.
        error: f64,
        /// The tolerance.
        tolerance: f64,
    },
}

/// A block or a constraint that wrote what is not finite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockFault {
    /// Its label.
    pub label: String,
    /// Whether it is a constraint, not a block.
    pub is_constraint: bool,
    /// Why, if it knows ([`Block::blame`](crate::block::Block::blame),
    /// [`Constraint::blame`](crate::constraint::Constraint::blame)).
    pub why: Option<String>,
}

/// Numbers that are checked together: one number or an array. The trait is sealed.
pub trait Numbers: sealed::Numbers {}

impl<N: sealed::Numbers + ?Sized> Numbers for N {}

mod sealed {
    /// Only this module can implement it.
    pub trait Numbers {
        fn numbers(&self) -> &[f64];
    }
}

impl sealed::Numbers for f64 {
    fn numbers(&self) -> &[f64] {
        slice::from_ref(self)
    }
}

impl sealed::Numbers for [f64] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl sealed::Numbers for Vec<f64> {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl<const N: usize> sealed::Numbers for [f64; N] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

/// A number in a text: plain where that is short, else with an exponent.
pub(crate) struct Shown(pub(crate) f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        match size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) {
            true => write!(f, "{:e}", self.0),
            false => write!(f, "{}", self.0),
        }
    }
}

impl Error {
    /// An offending field and what is wrong with it.
    pub fn field(field: &'static str, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::Field { field, problem }
    }

    /// The field that cannot be accepted, if the error is about one.
    pub fn field_name(&self) -> Option<&'static str> {
        match self {
            Self::Field { field, .. } => Some(field),
            Self::Invalid { source, .. } => source.field_name(),
            _ => None,
        }
    }

    /// The same error, with the label of what it is about.
    pub(crate) fn of(self, item: Item, label: &str) -> Self {
        Self::Invalid {
            item,
            label: label.to_owned(),
            source: Box::new(self),
        }
    }

    /// `Ok` when all values are finite and positive.
    pub fn require_positive(
        field: &'static str,
        values: &(impl Numbers + ?Sized),
    ) -> Result<(), Self> {
        // Denormal numbers have no inverse.
        Self::require(
            field,
            values,
            |value| value.is_normal() && value > 0.0,
            |value| format!("is {value}; give a finite number greater than zero"),
        )
    }

    /// `Ok` when all values are finite and not negative.
    pub fn require_not_negative(
        field: &'static str,
        values: &(impl Numbers + ?Sized),
    ) -> Result<(), Self> {
        Self::require(
            field,
            values,
            |value| value.is_finite() && value >= 0.0,
            |value| format!("is {value}; give a finite number, zero or greater"),
        )
    }

    /// `Ok` when all values are finite.
    pub fn require_finite(
        field: &'static str,
        values: &(impl Numbers + ?Sized),
    ) -> Result<(), Self> {
        Self::require(field, values, f64::is_finite, |value| {
            format!("contains {value}; give finite numbers")
        })
    }

    fn require(
        field: &'static str,
        values: &(impl Numbers + ?Sized),
        is_good: impl Fn(f64) -> bool,
        problem: impl Fn(Shown) -> String,
    ) -> Result<(), Self> {
        match values.numbers().iter().find(|value| !is_good(**value)) {
            Some(value) => Err(Self::field(field, problem(Shown(*value)))),
            None => Ok(()),
        }
    }

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

/// Checks fields by their names: `check_fields!(self, positive: radius, mass; finite: offset)`.
macro_rules! check_fields {
    ($self:ident, $($rule:ident: $($field:ident),+);+) => {{
        $($(crate::error::check_fields!(@ $rule $self $field)?;)+)+
        Ok::<(), crate::error::Error>(())
    }};
    (@ positive $self:ident $field:ident) => {
        crate::error::Error::require_positive(stringify!($field), &$self.$field)
    };
    (@ not_negative $self:ident $field:ident) => {
        crate::error::Error::require_not_negative(stringify!($field), &$self.$field)
    };
    (@ finite $self:ident $field:ident) => {
        crate::error::Error::require_finite(stringify!($field), &$self.$field)
    };
}
pub(crate) use check_fields;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Field { field, problem } => write!(f, "{field} {problem}"),
            Error::Invalid {
                item,
                label,
                source,
            } => write!(f, "{item} \"{label}\": {source}"),
            Error::DuplicateLabel { item, label } => write!(
                f,
                "{item} \"{label}\": another {item} already has this label; choose a different one"
            ),
            Error::ForeignSnapshot => {
                f.write_str("the snapshot is of another world; restore one of this world")
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
                "{item} #{number} belongs to another world; use an id of this world"
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
                    "{item} #{number} does not exist; use an id of this world"
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
            Error::UnknownOutput {
                label,
                block,
                output,
                outputs,
            } => write!(
                f,
                "\"{label}\": block \"{block}\" has no output {output}; it has {outputs}, from 0"
            ),
            Error::InputCount {
                label,
                expected,
                given,
            } => write!(
                f,
                "\"{label}\": takes {expected} connectors, but {given} were given"
            ),
            Error::TooManyInputs { label, given } => write!(
                f,
                "\"{label}\": {given} connectors were given, but at most {MAX_INPUTS} can be taken; \
                 combine some by blocks first"
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
            Self::Option { option, problem } => write!(f, "step: {option} {problem}"),
            Self::NonFinite {
                body,
                stage,
                constraint,
                behavior,
                block,
            } => {
                write!(f, "step refused: ")?;
                match body {
                    Some(body) => write!(f, "body \"{body}\" is not finite")?,
                    None => write!(f, "the state is not finite")?,
                }
                match block {
                    Some(block) if block.is_constraint => {
                        write!(f, ", from constraint \"{}\"", block.label)?;
                    }
                    Some(block) => write!(f, ", from block \"{}\"", block.label)?,
                    None => write!(f, ", from its {stage}")?,
                }
                if let Some(why) = block.as_ref().and_then(|block| block.why.as_ref()) {
                    write!(f, ": {why}")?;
                }
                let is_told = block.as_ref().is_some_and(|own| own.is_constraint);
                if let Some(constraint) = constraint.as_ref().filter(|_| !is_told) {
                    write!(f, ", near constraint \"{constraint}\"")?;
                }
                write_too_stiff(f, behavior.as_deref())?;
                write!(f, "; the world keeps its last state")
            }
            Self::TooFast {
                body,
                behavior,
                spring,
            } => {
                let what = match (body, spring) {
                    (_, Some(spring)) => format!("spring \"{spring}\" vibrates"),
                    (Some(body), None) => format!("body \"{body}\" is"),
                    (None, None) => "the motion is".to_owned(),
                };
                write!(
                    f,
                    "step refused: {what} too fast for a frame of this length"
                )?;
                write_too_stiff(f, behavior.as_deref())?;
                write!(
                    f,
                    "; the world keeps its last state; take shorter frames, and check forces, masses and speeds"
                )
            }
            Self::EnergyGrew {
                body,
                energy,
                behavior,
            } => {
                let what = match body {
                    Some(body) => format!("body \"{body}\""),
                    None => "the world".to_owned(),
                };
                match energy.is_finite() {
                    true => write!(
                        f,
                        "step refused: {what} would have gained {energy:.1e} J that nothing put in"
                    )?,
                    false => write!(f, "step refused: the motion of {what} would not be finite")?,
                }
                write_too_stiff(f, behavior.as_deref())?;
                write!(
                    f,
                    "; the world keeps its last state; take shorter steps, and check stiffness, masses \
                     and speeds"
                )
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

fn write_too_stiff(f: &mut fmt::Formatter<'_>, behavior: Option<&str>) -> fmt::Result {
    let Some(behavior) = behavior else {
        return Ok(());
    };
    write!(
        f,
        ", under behavior \"{behavior}\" (if its force is too stiff for the step, use `World::add_spring`)"
    )
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Invalid { source, .. } => Some(source),
            _ => None,
        }
    }
}
