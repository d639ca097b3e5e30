//! The log of a frame: rungs taken, with causes and counts.

use crate::springs::SpringAt;
use crate::world::{BodyId, ConstraintId, World};

/// Why a frame was not taken in one whole step, or why a step was not taken at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// None: the regular rung.
    Regular,
    /// Joints would have opened too far before any correction.
    Prediction,
    /// Joint forces turn some body faster than the step can follow.
    Stiffness,
    /// Corrections left joints open.
    Gap,
    /// A shape changes, or a spring its length, faster than the step can follow: a body spins too fast, or folds.
    Shape,
    /// A solve ended far from its tolerance.
    Rough,
    /// The budget was used up.
    Budget,
    /// The frame before was cut short; its iteration continues.
    CutShort,
    /// The state was not finite; the frame was taken again from its start.
    NotFinite,
    /// A body moved farther than physically possible; the frame was taken again.
    Runaway,
    /// A composition of fourth order could not be closed at every priority.
    Open,
    /// The pose was singular, or nearly: rows that are independent elsewhere are dependent there.
    Singular,
    /// The error of the step was in constrained directions, where the projection after it removes it: near
    /// singular poses, and where drives determine all motion.
    Across,
    /// A jointed body spins too fast for the step: it nutates by more than a radian.
    Spin,
    /// A spring is too stiff for explicit steps; the report names it.
    Spring,
    /// An impact, at which a step ends.
    Blow,
    /// Halving the steps of a frame with contact changed it by more than the tolerance.
    Unsettled,
    /// Springs or joints are damped, and a step backward in time would amplify.
    Damping,
    /// Forces of behaviors change faster than the step can follow.
    Forces,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 19] = [
        Self::Regular,
        Self::Prediction,
        Self::Stiffness,
        Self::Gap,
        Self::Shape,
        Self::Rough,
        Self::Budget,
        Self::CutShort,
        Self::NotFinite,
        Self::Runaway,
        Self::Open,
        Self::Singular,
        Self::Across,
        Self::Spin,
        Self::Spring,
        Self::Blow,
        Self::Unsettled,
        Self::Damping,
        Self::Forces,
    ];

    /// The cause in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regular => "regular",
            Self::Prediction => "joints would open",
            Self::Stiffness => "joint forces turn too fast",
            Self::Gap => "corrections left a gap",
            Self::Shape => "a shape or a spring changes too fast",
            Self::Rough => "rough solve",
            Self::Budget => "budget spent",
            Self::CutShort => "last frame cut short",
            Self::NotFinite => "not finite",
            Self::Runaway => "went too far",
            Self::Open => "could not close",
            Self::Singular => "singular pose",
            Self::Across => "error across joints",
            Self::Spin => "spin too fast for the step",
            Self::Spring => "spring too stiff for explicit steps",
            Self::Blow => "something hit a stop",
            Self::Unsettled => "not settled by halving",
            Self::Damping => "something damps",
            Self::Forces => "forces change too fast",
        }
    }
}

/// How a part of a frame was stepped: the rungs of [`Scheme::Interactive`], from the most exact to the safest.
///
/// [`Scheme::Interactive`]: crate::integrate::Scheme::Interactive
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// The frame in one step.
    Whole,
    /// A part of the frame, after halving.
    Halved,
    /// A step along its middle: vibration under tension is faster than the step.
    Middle,
    /// An implicit step of `Precise`: vibration of stiff springs dies out, everything else is equally exact.
    Stiff,
    /// A step over a singular pose, which keeps the prediction in the directions of dependent rows. Under
    /// `Precise`, a step judged by its error in free directions alone.
    Over,
    /// The frame under the error control of `Precise`, in place of another scheme.
    Precise,
    /// The implicit step: robust, damps.
    Implicit,
    /// Faure's displacement: tolerates coarse solves, damps.
    Displacement,
    /// The whole ladder, in place of a scheme that could not close the frame.
    Ladder,
}

impl Rung {
    /// Every rung, the most exact first.
    pub const ALL: [Self; 9] = [
        Self::Whole,
        Self::Halved,
        Self::Middle,
        Self::Stiff,
        Self::Over,
        Self::Precise,
        Self::Implicit,
        Self::Displacement,
        Self::Ladder,
    ];

    /// The rung in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Halved => "halved",
            Self::Middle => "middle",
            Self::Stiff => "stiff",
            Self::Over => "over",
            Self::Precise => "precise",
            Self::Implicit => "implicit",
            Self::Displacement => "displacement",
            Self::Ladder => "ladder",
        }
    }

    /// The label beside a count.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Middle => "pushed along the middle",
            Self::Stiff => "implicit, for stiff springs",
            Self::Over => "stepped over",
            Self::Precise => "under error control",
            Self::Ladder => "safer steps",
            Self::Whole | Self::Halved | Self::Implicit | Self::Displacement => self.name(),
        }
    }

    /// A description in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Whole => "the frame in one step",
            Self::Halved => "a part of the frame, after halving",
            Self::Middle => "a step of taut, light parts, pushed along its middle",
            Self::Stiff => {
                "an implicit step of order 5, in which vibration of stiff springs dies out"
            }
            Self::Over => "a step over a singular pose, or judged by its error along joints alone",
            Self::Precise => {
                "the frame under error control, since the chosen scheme does not fit it"
            }
            Self::Implicit => "the implicit step, which damps",
            Self::Displacement => "a displacement with coarse solves, which damps",
            Self::Ladder => "the frame by safer steps, since the chosen scheme could not close it",
        }
    }

    /// Whether it is a last resort; such rungs damp.
    pub const fn is_last_resort(self) -> bool {
        matches!(self, Self::Implicit | Self::Displacement | Self::Ladder)
    }
}

/// The rungs that a step took, with causes and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rungs {
    taken: [[u32; Cause::ALL.len()]; Rung::ALL.len()],
}

impl Rungs {
    pub(crate) fn count(&mut self, rung: Rung, cause: Cause) {
        self.taken[rung as usize][cause as usize] += 1;
    }

    /// Each rung that was taken, with cause and count, the most exact first.
    pub fn iter(&self) -> impl Iterator<Item = (Rung, Cause, usize)> {
        let table = Rung::ALL.into_iter().zip(self.taken);
        table
            .flat_map(|(rung, counts)| {
                let causes = Cause::ALL.into_iter().zip(counts);
                causes.map(move |(cause, n)| (rung, cause, n as usize))
            })
            .filter(|(_, _, n)| *n > 0)
    }

    /// Count of a rung, for all causes.
    pub fn of(&self, rung: Rung) -> usize {
        let counts = &self.taken[rung as usize];
        counts.iter().map(|&n| n as usize).sum()
    }

    /// Count of damping rungs.
    pub fn last_resorts(&self) -> usize {
        let last = Rung::ALL.into_iter().filter(|rung| rung.is_last_resort());
        last.map(|rung| self.of(rung)).sum()
    }
}

/// A spring between bodies, or a body with springs inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stiffest {
    /// The spring.
    Constraint(ConstraintId),
    /// The body.
    Body(BodyId),
}

impl Stiffest {
    pub(crate) fn of(world: &World, at: SpringAt) -> Self {
        match at {
            SpringAt::Constraint(at) => Self::Constraint(world.constraints()[at as usize].id()),
            SpringAt::Body(at) => Self::Body(world.bodies()[at as usize].id()),
        }
    }

    /// Its label; `None` if it was removed.
    pub fn label(self, world: &World) -> Option<&str> {
        match self {
            Self::Constraint(id) => Some(world.constraint_record(id).ok()?.label()),
            Self::Body(id) => world.body_label(id).ok(),
        }
    }
}

/// The log of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Log {
    pub(crate) substeps: usize,
    pub(crate) refused: usize,
    pub(crate) rungs: Rungs,
    /// The budget was too small to reduce the error of a lower priority.
    pub(crate) is_starved: bool,
    /// The spring that made `Precise` take implicit steps.
    pub(crate) stiffest: Option<Stiffest>,
    /// Explicit forces are faster than the shortest step. Their work is then no account of the energy gained.
    pub(crate) is_outpaced: bool,
    /// A body and the behavior on it that is too fast for error control, by their places in the world.
    pub(crate) outruns: Option<(usize, usize)>,
    /// Blows at stops; what is left of the law of bounded rows, m/s; how far bodies are beyond stops, m.
    pub(crate) blows: usize,
    pub(crate) law_error: f64,
    pub(crate) overrun: f64,
    /// Energy that prescribed bodies, motors and hands put in through bounded rows and that soft contacts
    /// returned, less what they took, J.
    pub(crate) supplied: f64,
    /// Push-out of penetrations that existed at the start of the frame, m.
    pub(crate) lifted: f64,
}
