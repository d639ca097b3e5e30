//! An energy, typed as a formula: it pushes down its slope.

use super::*;
use crate::formula::{self, Potential};

const IS: Field = Field::new(
    "is",
    Form::Text,
    "The energy in J, over names of the scene: \"50*(norm(bob - tip) - 1)^4\".",
)
.required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type::new(
        90,
        "potential",
        "An energy, as a formula, whose negative gradient is the force.",
        &[&[IS]],
    ),
    sides: Sides::Formula(|scene, fields| {
        let (law, connectors) = formula::potential(scene, fields.need(&IS)?)?;
        Ok((Arc::new(law), connectors))
    }),
    build: |_, _, _| Err(Fault::at("", "takes what its formula names")),
    describe: |law, _| {
        let own: &Potential = law.downcast_ref()?;
        Some(Fields::default().with(&IS, own.text().to_owned()))
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
