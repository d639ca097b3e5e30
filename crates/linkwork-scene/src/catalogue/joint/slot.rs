//! A point of b slides along a line of a, all rotations are free.

use super::*;

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    planar: true,
    glyph: Glyph::sliding(Sign::Slot),
    joins: Some(70),
    ..JointType::pair(
        Type::new(
            70,
            "slot",
            "A point of b slides along a line of a, all rotations are free.",
            &[SIDES_AT, &[AXIS], CLOSES],
        )
        .called("pin in a slot"),
        Pair {
            join: |world, name, [a, b], axes| {
                let axis_world = axes[0];
                world.join(name, PointInSlot { axis_world }, a, b)
            },
            law: FramePair::point_in_slot,
            in_plane: Some(FramePair::point_in_slot),
            axes: &[AXIS],
        },
    )
};
