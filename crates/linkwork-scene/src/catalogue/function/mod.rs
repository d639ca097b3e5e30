//! Functions of time: an angle in radians (fields in `_deg`: degrees) or a length in meters.

use std::any::Any;
use std::sync::Arc;

use linkwork::constraint::DriveFunction;
use linkwork::constraint::{Constant, SplineTrajectory, Trajectory};
use linkwork::prelude::*;

use super::field::{InLab, Role};
use super::fields::*;
use super::mirror::{Mirror, mirror};
use super::{Field, Fields, Form, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a type of function.
pub struct FunctionType {
    pub(super) kind: Type,
    pub(crate) build: fn(&Fields) -> Result<Arc<dyn DriveFunction>, Fault>,
    describe: fn(&dyn Any) -> Option<Fields>,
}

impl FunctionType {
    /// The type of a struct of the engine's.
    const fn of<T: Mirror + DriveFunction>(kind: Type) -> Self {
        Self {
            kind,
            build: |fields| Ok(Arc::new(T::read(fields)?)),
            describe: |own| own.downcast_ref::<T>()?.write(),
        }
    }
}

pub(crate) static SORT: Sort = Sort {
    word: "function",
    help: "A function of time: an angle in radians (fields in \"_deg\": degrees) or a length in meters.",
    entry: "FunctionEntry",
    named: false,
    common: &[],
    types: || FunctionType::all().iter().map(|own| own.kind()).collect(),
};

law!(FunctionType, "function", SORT);

/// A function as a file has it; none if it is of a program's making.
pub(crate) fn describe(function: &dyn DriveFunction) -> Option<(&'static FunctionType, Fields)> {
    let mut all = FunctionType::all().iter();
    all.find_map(|kind| Some((*kind, (kind.describe)(function)?)))
}

/// What a drive's field says.
pub(crate) fn make(fields: &Fields, field: &Field) -> Result<Arc<dyn DriveFunction>, Fault> {
    fields.need_made(field, |law: &FunctionType, own| (law.build)(own))
}
