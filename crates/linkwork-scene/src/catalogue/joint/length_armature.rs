//! Inertia on the position of b along a's x.

use super::*;

const REFLECTED: Field = Field::number("inertia", "kg", "Inertia on the position.")
    .required()
    .positive();

mirror!(LengthArmature { inertia: REFLECTED });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| {
        let mut sides = framed(scene, entry, &[AXIS])?;
        let [x, y, _] = entry.fields.or(&AXIS, [1.0, 0.0, 0.0])?;
        sides[0] = scene.world.planar_frame_on(sides[0], libm::atan2(y, x))?;
        Ok(sides)
    },
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
