//! Free to slide in a plane and turn about its normal.

use super::super::fields::{NORMAL, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let normal_world = axis(fields, &NORMAL)?;
        Ok(Box::new(PlanarSlide { normal_world }))
    },
    law: FramePair::planar,
    in_plane: None,
    axes: &[NORMAL],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        60,
        "planar",
        "Free to slide in a plane and turn about its normal.",
        &[SIDES_AT, &[NORMAL], CLOSES],
    )
    .called("planar joint"),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    glyph: Glyph::holding(Sign::Foot),
    ..BLANK
};
