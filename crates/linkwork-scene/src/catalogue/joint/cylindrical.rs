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
    kind: Type {
        word: "cylindrical",
        rank: 40,
        label: "sliding hinge",
        help: "Free to slide along and turn about one axis.",
        fields: &[SIDES_AT, &[AXIS], CLOSES],
    },
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph {
        slides: true,
        rail: true,
        ..Glyph::holding("cylindrical")
    },
    palette: true,
    ..BLANK
};
