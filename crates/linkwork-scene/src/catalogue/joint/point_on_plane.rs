//! A point of b slides in a plane of a, all turns are free.

use super::super::fields::{NORMAL, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let normal_world = axis(fields, &NORMAL)?;
        Ok(Box::new(PointOnPlane { normal_world }))
    },
    law: FramePair::point_on_plane,
    in_plane: None,
    axes: &[NORMAL],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "point-on-plane",
        rank: 80,
        label: "point on a plane",
        help: "A point of b slides in a plane of a, all turns are free.",
        fields: &[SIDES_AT, &[NORMAL], CLOSES],
    },
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph::holding("point-on-plane"),
    ..BLANK
};
