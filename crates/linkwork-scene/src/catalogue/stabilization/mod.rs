//! What keeps joints closed beside an integrator of the papers.

use linkwork::stabilize::Stabilization;

use super::fields::*;
use super::{Field, Fields, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a stabilization.
pub struct StabilizationType {
    pub(super) kind: Type,
    pub(crate) build: fn(&Fields) -> Result<Stabilization, Fault>,
    describe: fn(Stabilization) -> Option<Fields>,
}

pub(crate) static SORT: Sort = Sort {
    word: "stabilization",
    help: "A stabilization of the papers, with numbers.",
    entry: "StabilizationEntry",
    named: false,
    common: &[],
    types: || {
        StabilizationType::all()
            .iter()
            .map(|own| own.kind())
            .collect()
    },
};

/// A type in the engine's words.
const fn told(rank: u32, rule: Stabilization, fields: &'static [&'static [Field]]) -> Type {
    Type::new(rank, rule.name(), rule.about(), fields)
}

law!(StabilizationType, "stabilization", SORT);

/// A stabilization as a file has it.
pub(crate) fn describe(rule: Stabilization) -> Option<(&'static StabilizationType, Fields)> {
    let mut all = StabilizationType::all().iter();
    all.find_map(|kind| Some((*kind, (kind.describe)(rule)?)))
}
