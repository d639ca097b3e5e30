//! Free to slide along one axis.

use super::super::fields::{AXIS, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let axis_world = axis(fields, &AXIS)?;
        Ok(Box::new(Prismatic { axis_world }))
    },
    law: FramePair::prismatic,
    in_plane: Some(FramePair::prismatic),
    axes: &[AXIS],
    planar_axes: &[AXIS],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        50,
        "prismatic",
        "Free to slide along one axis.",
        &[SIDES_AT, &[AXIS, DRIVE], CLOSES],
    )
    .called("slider"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        slides: true,
        rail: true,
        ..Glyph::holding(Sign::Block)
    },
    drive: Some(Drive {
        kind: "length-drive",
        law: |function| Arc::new(LengthDrive { function }),
    }),
    joins: Some(50),
    ..BLANK
};
