//! The bodies move as one.

use super::super::fields::SIDES_AT;
use super::*;

const PAIR: Pair = Pair {
    joint: |_| Ok(Box::new(Weld)),
    law: FramePair::weld,
    in_plane: Some(FramePair::weld),
    axes: &[],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(90, "weld", "The bodies move as one.", &[SIDES_AT, CLOSES]),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        link: Link::Gap,
        meets: true,
        ..Glyph::holding(Sign::Seam)
    },
    joins: Some(30),
    ..BLANK
};
