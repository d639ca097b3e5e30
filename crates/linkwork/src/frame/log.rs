//! The log of a frame: which rungs were taken, why, and how often.

use crate::springs::SpringAt;
use crate::world::{BodyId, ConstraintId, World};

/// Why a frame was not taken in one whole step, or why a step was not taken at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Nothing hindered it.
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
    /// The budget was spent.
    Budget,
    /// The frame before was cut short: its iteration goes on.
    CutShort,
    /// The state was not finite; the frame was taken again from its start.
    NotFinite,
    /// Some body went further than it could by itself; the frame was taken again.
    Runaway,
    /// A composition of fourth order could not be closed at every priority.
    Open,
    /// The pose was singular, or nearly: rows that are apart elsewhere say the same there.
    Singular,
    /// The error of the step was across joints, where the projection after it takes it out: near singular poses, and
    /// where drives lead everything.
    Across,
    /// Some body that joints hold spins too fast for the step: it nutates by more than a radian.
    Spin,
    /// Some spring is too stiff for explicit steps; the report names it.
    Spring,
    /// Something hit a stop: a step ends there.
    Blow,
    /// Halving the steps of a frame with contact changed it by more than the tolerance.
    Unsettled,
    /// Springs or joints are damped, which no step that goes back in time can follow.
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

    /// In a few words.
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

/// How a part of a frame was taken: the rungs of [`Scheme::Interactive`], from the best to the
/// safest.
///
/// [`Scheme::Interactive`]: crate::integrate::Scheme::Interactive
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// The frame in one step.
    Whole,
    /// A part of the frame, after halving.
    Halved,
    /// A step whose joints and springs push along its middle: tension is faster than the step.
    Middle,
    /// An implicit step of `Precise`: vibration of stiff springs dies out, all else is as exact as ever.
    Stiff,
    /// A step over a singular pose: what its rows cannot tell apart was left as it was predicted. Under `Precise`, one
    /// that was judged by its error along joints alone.
    Over,
    /// The frame under the error control of `Precise`, in place of a scheme that does not fit it.
    Precise,
    /// The implicit step: robust, damping.
    Implicit,
    /// Faure's displacement: takes coarse solves, damping.
    Displacement,
    /// The whole ladder, in place of a scheme that could not close the frame.
    Ladder,
}

impl Rung {
    /// Every rung, the best first.
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

    /// What people read beside a count.
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

    /// What it is, in one line.
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

    /// Whether it is taken only where nothing better could be; such rungs damp.
    pub const fn is_last_resort(self) -> bool {
        matches!(self, Self::Implicit | Self::Displacement | Self::Ladder)
    }
}

/// Which rungs a step took, why, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rungs {
    taken: [[u32; Cause::ALL.len()]; Rung::ALL.len()],
}

impl Rungs {
    pub(crate) fn count(&mut self, rung: Rung, cause: Cause) {
        self.taken[rung as usize][cause as usize] += 1;
    }

    /// Rung, cause and how often, the best rung first; what was not taken is left out.
    pub fn iter(&self) -> impl Iterator<Item = (Rung, Cause, usize)> {
        let table = Rung::ALL.into_iter().zip(self.taken);
        table
            .flat_map(|(rung, counts)| {
                let causes = Cause::ALL.into_iter().zip(counts);
                causes.map(move |(cause, n)| (rung, cause, n as usize))
            })
            .filter(|(_, _, n)| *n > 0)
    }

    /// How often a rung was taken, whatever the cause.
    pub fn of(&self, rung: Rung) -> usize {
        let counts = &self.taken[rung as usize];
        counts.iter().map(|&n| n as usize).sum()
    }

    /// How often a rung was taken that damps.
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

    /// Its name; none if it is gone.
    pub fn label(self, world: &World) -> Option<&str> {
        match self {
            Self::Constraint(id) => Some(world.constraint_record(id).ok()?.label()),
            Self::Body(id) => world.body_label(id).ok(),
        }
    }
}

/// What is told of a frame's way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Log {
    pub(crate) substeps: usize,
    pub(crate) refused: usize,
    pub(crate) rungs: Rungs,
    /// The budget was too small to bring a lower priority nearer.
    pub(crate) is_starved: bool,
    /// The spring that made `Precise` take implicit steps.
    pub(crate) stiffest: Option<Stiffest>,
    /// Explicit forces act faster than the shortest step follows: what is gained, they put in, and nobody else.
    pub(crate) is_outpaced: bool,
    /// Blows at stops; what is left of the law of bounded rows, m/s; how far bodies are beyond stops, m.
    pub(crate) blows: usize,
    pub(crate) law_error: f64,
    pub(crate) overrun: f64,
    /// What prescribed bodies, motors and hands put in by bounded rows, and contacts that give way gave back, less what
    /// they took, J.
    pub(crate) supplied: f64,
    /// How far bodies were pushed out of what the frame began beyond, m.
    pub(crate) lifted: f64,
}
