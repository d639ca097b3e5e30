//! Timed curves in the world.

use std::any::Any;
use std::sync::Arc;

use linkwork::constraint::{CircleTrajectory, LineTrajectory, SplineTrajectory, Trajectory};
use linkwork::math::Vec3;

use super::fields::*;
use super::mirror::{Mirror, mirror};
use super::{Field, Fields, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a type of path.
pub struct PathType {
    pub(super) kind: Type,
    pub(crate) build: fn(&Fields) -> Result<Arc<dyn Trajectory>, Fault>,
    describe: fn(&dyn Any) -> Option<Fields>,
    /// How it is drawn.
    pub(crate) drawn: Drawn,
}

/// Where a path is drawn.
pub(crate) enum Drawn {
    /// It has no end: a piece of it, straight.
    Straight,
    /// At the times of these fields.
    At(fn(&Fields) -> Vec<f64>),
}

impl PathType {
    /// The type of a struct of the engine's.
    const fn of<T: Mirror + Trajectory>(kind: Type, drawn: Drawn) -> Self {
        Self {
            kind,
            build: |fields| Ok(Arc::new(T::read(fields)?)),
            describe: |own| own.downcast_ref::<T>()?.write(),
            drawn,
        }
    }
}

pub(crate) static SORT: Sort = Sort {
    word: "path",
    help: "A timed curve in the world.",
    entry: "PathEntry",
    named: false,
    common: &[],
    types: || PathType::all().iter().map(|own| own.kind()).collect(),
};

law!(PathType, "path", SORT);

/// A path as a file has it; none if it is of a program's making.
pub(crate) fn describe(path: &dyn Trajectory) -> Option<(&'static PathType, Fields)> {
    let mut all = PathType::all().iter();
    all.find_map(|kind| Some((*kind, (kind.describe)(path)?)))
}

/// What a curve through keyframes says that rests beyond its ends.
pub(crate) fn resting(rows: Vec<Vec<f64>>) -> Fields {
    keyframes::resting(rows)
}

/// What a field says.
pub(crate) fn make(fields: &Fields, field: &Field) -> Result<Arc<dyn Trajectory>, Fault> {
    fields.need_made(field, |law: &PathType, own| (law.build)(own))
}
