//! A relation between numbers of the scene, typed as a formula: an equation, an inequality, or a wish.

use super::*;
use crate::formula::{self, Relation};

const IS: Field = Field::new(
    "is",
    Form::Text,
    "left == right holds exactly; left <= right holds with a force that only pushes; left ~ right weight w is pulled by \
     w·(right − left); minimize E goes to where E is least, in worlds without momentum. Names are those of connectors, bodies (.x, .y, .z, .angle) and numbers (design.a); t is the time.",
)
.required();

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let (relation, connectors) = formula::relation(scene, entry.fields.need(&IS)?)?;
        let compliance = relation.compliance();
        let world = &mut scene.world;
        let id = world.add_shared_constraint(&entry.name, Arc::new(relation), &connectors)?;
        if compliance.iter().any(|alpha| *alpha > 0.0) {
            world.set_compliance(id, &compliance)?;
        }
        Ok(id)
    },
    describe: |held| {
        let relation: &Relation = held.is()?;
        Some(Fields::default().with(&IS, relation.text().to_owned()))
    },
    soft: true,
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            280,
            "formula",
            "A relation between numbers of the scene, as a formula.",
            &[&[IS]],
        ),
        ..BLANK
    }
};
