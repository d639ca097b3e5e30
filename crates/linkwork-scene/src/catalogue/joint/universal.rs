//! Free to turn about an axis fixed to a, and one fixed to b.

use super::*;

pub(super) static TYPE: JointType = JointType {
    glyph: Glyph {
        second_axis: true,
        ..Glyph::meeting(Sign::Cross)
    },
    bounds: Some(beside::on_cross),
    joins: Some(40),
    ..JointType::pair(
        Type::new(
            30,
            "universal",
            "Free to turn about an axis fixed to a, and one fixed to b.",
            &[SIDES_AT, &[AXIS, AXIS_B, LIMITS, DRY_FRICTION], CLOSES],
        )
        .called("universal joint"),
        Pair {
            join: |world, name, [a, b], axes| {
                let (axis_a_world, axis_b_world) = (axes[0], axes[1]);
                let joint = Universal {
                    axis_a_world,
                    axis_b_world,
                };
                world.join(name, joint, a, b)
            },
            law: FramePair::universal,
            in_plane: None,
            axes: &[AXIS, AXIS_B],
        },
    )
};
