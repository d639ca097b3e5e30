//! A point of b slides along a line of a, all turns are free.

use super::super::fields::{AXIS, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let axis_world = axis(fields, &AXIS)?;
        Ok(Box::new(PointInSlot { axis_world }))
    },
    law: FramePair::point_in_slot,
    in_plane: Some(FramePair::point_in_slot),
    axes: &[AXIS],
    planar_axes: &[AXIS],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        70,
        "slot",
        "A point of b slides along a line of a, all turns are free.",
        &[SIDES_AT, &[AXIS], CLOSES],
    )
    .called("pin in a slot"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        slides: true,
        rail: true,
        ..Glyph::holding(Sign::Slot)
    },
    joins: Some(70),
    ..BLANK
};
