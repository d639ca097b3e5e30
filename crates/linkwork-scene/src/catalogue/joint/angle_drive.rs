//! The angle from a to b is a function of time.

use super::*;

mirror!(AngleDrive { function: FUNCTION });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| {
        let frames = framed(scene, entry, &[AXIS, AXIS])?.into_iter();
        let frames = frames.map(|own| Ok(scene.world.planar_frame_on(own, 0.0)?));
        frames.collect()
    },
    planar: true,
    glyph: Glyph::seated(Sign::Arrow),
    drives: Some(Driven::Angle),
    ..JointType::of::<AngleDrive>(
        Type::new(
            230,
            "angle-drive",
            "The angle from a to b is a function of time.",
            &[SIDES_AT, &[AXIS], AngleDrive::FIELDS],
        )
        .called("angle drive"),
    )
};
