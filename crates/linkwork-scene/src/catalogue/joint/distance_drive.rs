//! The distance of two points is a function of time.

use super::*;

mirror!(DistanceDrive { function: FUNCTION });

pub(super) static TYPE: JointType = JointType {
    planar: true,
    glyph: Glyph {
        link: Link::Drive,
        ..Glyph::holding(Sign::Nothing)
    },
    drives: Some(Driven::Length),
    ..JointType::of::<DistanceDrive>(
        Type::new(
            250,
            "distance-drive",
            "The distance of two points is a function of time.",
            &[SIDES, DistanceDrive::FIELDS],
        )
        .called("distance drive"),
    )
};
