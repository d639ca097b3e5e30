//! Inertia on the position of b along a's x.

use super::*;

const REFLECTED: Field = Field::number("inertia", "kg", "Inertia on the position.")
    .required()
    .positive();

mirror!(LengthArmature { inertia: REFLECTED });

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    sides: framed_along_x,
    soft: true,
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        slides: true,
        ..Glyph::MARK
    },
    ..JointType::of::<LengthArmature>(
        Type::new(
            254,
            "length-armature",
            "A rotor that turns as b moves along a's x.",
            &[SIDES_AT, &[AXIS], LengthArmature::FIELDS],
        )
        .called("length armature"),
    )
};
