//! A point of b stays on a surface of a.

use super::*;

mirror!(PointOnSurface { surface: SURFACE });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[AXIS]),
    glyph: Glyph {
        surface: true,
        ..Glyph::MARK
    },
    ..JointType::of::<PointOnSurface>(
        Type::new(
            130,
            "point-on-surface",
            "A point of b stays on a surface of a.",
            &[SIDES, &[AXIS], PointOnSurface::FIELDS],
        )
        .called("point on a surface"),
    )
};
