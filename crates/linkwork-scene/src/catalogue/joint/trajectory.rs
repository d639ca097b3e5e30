//! A point of a follows a path.

use super::*;

mirror!(PointOnTrajectory { trajectory: PATH });

pub(super) static TYPE: JointType = JointType {
    sides: side,
    planar: true,
    glyph: Glyph {
        sign: Sign::Lead,
        ..Glyph::MARK
    },
    ..JointType::of::<PointOnTrajectory>(Type::new(
        150,
        "trajectory",
        "A point of a follows a path.",
        &[&[A], PointOnTrajectory::FIELDS],
    ))
};
