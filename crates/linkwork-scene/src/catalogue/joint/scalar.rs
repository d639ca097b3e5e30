//! A number of body a, such as the area of a troid, has a value.

use super::super::fields::A;
use super::*;

const VALUE: Field = Field::number("value", "", "In the unit of the number.").required();

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "scalar",
        rank: 260,
        label: "held number",
        help: "A number of body a, such as the area of a troid, has a value.",
        fields: &[&[A, VALUE]],
    },
    build: |scene, entry| {
        let a = side(scene, entry)?;
        let value = entry.fields.need(&VALUE)?;
        add_law(scene, entry, ScalarEquals { value }, vec![a])
    },
    describe: |held| {
        let ScalarEquals { value } = held.is()?;
        Some(Fields::default().with(&VALUE, *value))
    },
    planar: true,
    glyph: Glyph {
        sign: "",
        ..Glyph::MARK
    },
    ..BLANK
};
