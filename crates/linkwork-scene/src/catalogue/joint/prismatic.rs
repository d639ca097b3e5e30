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
    kind: Type {
        word: "prismatic",
        rank: 50,
        label: "slider",
        help: "Free to slide along one axis.",
        fields: &[SIDES_AT, &[AXIS, DRIVE], CLOSES],
    },
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        slides: true,
        rail: true,
        ..Glyph::holding("prismatic")
    },
    drive: Some(|function| Arc::new(LengthDrive { function })),
    palette: true,
    ..BLANK
};
