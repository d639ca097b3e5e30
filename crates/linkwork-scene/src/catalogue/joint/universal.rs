//! Free to turn about an axis fixed to a, and one fixed to b.

use super::super::fields::{AXIS, AXIS_B, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let (axis_a_world, axis_b_world) = (axis(fields, &AXIS)?, axis(fields, &AXIS_B)?);
        Ok(Box::new(Universal {
            axis_a_world,
            axis_b_world,
        }))
    },
    law: FramePair::universal,
    in_plane: None,
    axes: &[AXIS, AXIS_B],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        30,
        "universal",
        "Free to turn about an axis fixed to a, and one fixed to b.",
        &[SIDES_AT, &[AXIS, AXIS_B], CLOSES],
    )
    .called("universal joint"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph {
        link: Link::Gap,
        meets: true,
        second_axis: true,
        ..Glyph::holding(Sign::Cross)
    },
    joins: Some(40),
    ..BLANK
};
