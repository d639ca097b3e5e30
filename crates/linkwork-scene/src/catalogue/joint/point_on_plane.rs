//! A point of b slides in a plane of a, all rotations are free.

use super::*;

pub(super) static TYPE: JointType = JointType {
    glyph: Glyph::holding(Sign::Plate),
    ..JointType::pair(
        Type::new(
            80,
            "point-on-plane",
            "A point of b slides in a plane of a, all rotations are free.",
            &[SIDES_AT, &[NORMAL], CLOSES],
        )
        .called("point on a plane"),
        Pair {
            join: |world, name, [a, b], axes| {
                let normal_world = axes[0];
                world.join(name, PointOnPlane { normal_world }, a, b)
            },
            law: FramePair::point_on_plane,
            in_plane: None,
            axes: &[NORMAL],
        },
    )
};
