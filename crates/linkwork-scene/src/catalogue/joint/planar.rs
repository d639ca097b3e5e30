//! Free to slide in a plane and turn about its normal.

use super::*;

pub(super) static TYPE: JointType = JointType {
    glyph: Glyph::holding(Sign::Foot),
    ..JointType::pair(
        Type::new(
            60,
            "planar",
            "Free to slide in a plane and turn about its normal.",
            &[SIDES_AT, &[NORMAL], CLOSES],
        )
        .called("planar joint"),
        Pair {
            join: |world, name, [a, b], axes| {
                let normal_world = axes[0];
                world.join(name, PlanarSlide { normal_world }, a, b)
            },
            law: FramePair::planar,
            in_plane: None,
            axes: &[NORMAL],
        },
    )
};
