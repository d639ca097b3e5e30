//! Inertia on the angle from a to b.

use super::*;

const REFLECTED: Field = Field::number("inertia", "kg·m²", "Inertia on the angle.")
    .required()
    .positive();

mirror!(AngleArmature { inertia: REFLECTED });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| {
        let frames = framed(scene, entry, &[AXIS, AXIS])?.into_iter();
        let frames = frames.map(|own| Ok(scene.world.planar_frame_on(own, 0.0)?));
        frames.collect()
    },
    soft: true,
    planar: true,
    glyph: Glyph::seated(Sign::Nothing),
    ..JointType::of::<AngleArmature>(
        Type::new(
            252,
            "angle-armature",
            "A rotor that turns with the angle from a to b.",
            &[SIDES_AT, &[AXIS], AngleArmature::FIELDS],
        )
        .called("angle armature"),
    )
};
