//! How a hand holds.

use linkwork::prelude::*;

use super::fields::*;
use super::{Entry, Fields, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a way to hold.
pub struct DragType {
    pub(super) kind: Type,
    build: fn(&Fields) -> Result<Drag, Fault>,
    describe: fn(Drag) -> Option<Fields>,
}

pub(crate) static SORT: Sort = Sort {
    word: "drag",
    help: "How a hand holds.",
    entry: "DragEntry",
    named: false,
    common: &[],
    types: || DragType::all().iter().map(|own| own.kind()).collect(),
};

law!(DragType, "drag", SORT);

impl Entry<DragType> {
    /// How a hand holds.
    pub(crate) fn make(&self) -> Result<Drag, Fault> {
        (self.kind.build)(&self.fields)
    }
}

/// A way to hold as a file has it.
pub(crate) fn describe(drag: Drag) -> Option<Entry<DragType>> {
    let mut all = DragType::all().iter();
    all.find_map(|kind| Some(Entry::new(*kind, (kind.describe)(drag)?)))
}
