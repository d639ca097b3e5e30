//! The bodies move as one.

use super::*;

pub(super) static TYPE: JointType = JointType {
    planar: true,
    glyph: Glyph::meeting(Sign::Seam),
    joins: Some(30),
    ..JointType::pair(
        Type::new(90, "weld", "The bodies move as one.", &[SIDES_AT, CLOSES]),
        Pair {
            join: |world, name, [a, b], _| world.join(name, Weld, a, b),
            law: FramePair::weld,
            in_plane: Some(FramePair::weld),
            axes: &[],
        },
    )
};
