//! A surface of a and a surface of b touch.

use super::super::fields::{AXIS, SIDES, SURFACE};
use super::*;
use crate::catalogue::surface;

const SURFACE_B: Field = Field::new(
    "surface_b",
    Form::Entry(&surface::SORT),
    "The surface of b.",
)
.required();

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "tangency",
        rank: 140,
        label: "tangency",
        help: "A surface of a and a surface of b touch.",
        fields: &[SIDES, &[AXIS, SURFACE, SURFACE_B]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &AXIS)?,
            as_frame(scene, entry, b, &AXIS)?,
        );
        let law = Tangency {
            surface_a: surface::make(&entry.fields, &SURFACE)?,
            surface_b: surface::make(&entry.fields, &SURFACE_B)?,
        };
        add_law(scene, entry, law, vec![a, b])
    },
    describe: |held| {
        let tangency: &Tangency = held.is()?;
        let fields = Fields::default().with(&SURFACE, surface::describe(&*tangency.surface_a)?);
        Some(fields.with(&SURFACE_B, surface::describe(&*tangency.surface_b)?))
    },
    ..BLANK
};
