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
    kind: Type {
        word: "weld",
        rank: 90,
        label: "weld",
        help: "The bodies move as one.",
        fields: &[SIDES_AT, CLOSES],
    },
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        link: "gap",
        meets: true,
        ..Glyph::holding("weld")
    },
    palette: true,
    ..BLANK
};
