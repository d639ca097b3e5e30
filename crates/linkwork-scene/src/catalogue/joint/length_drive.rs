//! The position of b along a's x is a function of time.

use super::*;

mirror!(LengthDrive { function: FUNCTION });

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    sides: framed_along_x,
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
