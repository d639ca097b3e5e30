//! Free to slide along and turn about one axis.

use super::super::fields::{AXIS, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let axis_world = axis(fields, &AXIS)?;
        Ok(Box::new(Cylindrical { axis_world }))
    },
    law: FramePair::cylindrical,
    in_plane: None,
    axes: &[AXIS],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        40,
        "cylindrical",
        "Free to slide along and turn about one axis.",
        &[SIDES_AT, &[AXIS], CLOSES],
    )
    .called("sliding hinge"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph {
        slides: true,
        rail: true,
        bearing: true,
        ..Glyph::holding(Sign::Sleeve)
    },
    joins: Some(60),
    ..BLANK
};
