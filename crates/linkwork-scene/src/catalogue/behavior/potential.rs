//! An energy, typed as a formula: it pushes down its slope.

use super::*;
use crate::formula::{self, FormulaForce};

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
        let (law, connectors) = formula::force(scene, None, fields.need(&IS)?)?;
        Ok((Arc::new(law), connectors))
    }),
    build: |_, _, _| Err(Fault::at("", "takes what its formula names")),
    describe: |law, _| {
        let own: &FormulaForce = law.downcast_ref()?;
        let fields = || Fields::default().with(&IS, own.text().to_owned());
        own.is_energy().then(fields)
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
