//! A force, typed as a formula.

use super::*;
use crate::formula::{self, FormulaForce};

const IS: Field = Field::new(
    "is",
    Form::Text,
    "The force in N, over names of the scene: \"[-3*bob.x, 0, sin(t)]\"; on a number, one number.",
)
.required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type::new(
        91,
        "force-law",
        "A force on a point or a number, as a formula.",
        &[&[ON, IS]],
    ),
    sides: Sides::OnByFormula(|scene, fields| {
        let on = resolve(scene, fields.need(&ON)?).under("on")?;
        let (law, connectors) = formula::force(scene, Some(on), fields.need(&IS)?)?;
        Ok((Arc::new(law), connectors))
    }),
    build: |_, _, _| Err(Fault::at("", "takes what its formula names")),
    describe: |law, _| {
        let own: &FormulaForce = law.downcast_ref()?;
        let fields = || Fields::default().with(&IS, own.text().to_owned());
        (!own.is_energy()).then(fields)
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
