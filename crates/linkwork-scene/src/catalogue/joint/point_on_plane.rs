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
    kind: Type::new(
        80,
        "point-on-plane",
        "A point of b slides in a plane of a, all turns are free.",
        &[SIDES_AT, &[NORMAL], CLOSES],
    )
    .called("point on a plane"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph::holding(Sign::Plate),
    ..BLANK
};
