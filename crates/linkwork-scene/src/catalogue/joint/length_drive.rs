//! The position of b along a's x is a function of time.

use super::*;

mirror!(LengthDrive { function: FUNCTION });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| {
        let mut sides = framed(scene, entry, &[AXIS])?;
        let [x, y, _] = entry.fields.or(&AXIS, [1.0, 0.0, 0.0])?;
        sides[0] = scene.world.planar_frame_on(sides[0], libm::atan2(y, x))?;
        Ok(sides)
    },
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        link: Link::Drive,
        slides: true,
        ..Glyph::MARK
    },
    drives: Some(Driven::Length),
    ..JointType::of::<LengthDrive>(
        Type::new(
            240,
            "length-drive",
            "The position of b along a's x is a function of time.",
            &[SIDES_AT, &[AXIS], LengthDrive::FIELDS],
        )
        .called("length drive"),
    )
};
