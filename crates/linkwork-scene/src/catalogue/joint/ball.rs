//! Two points stay together, all turns are free. In the plane: a hinge.

use super::super::fields::SIDES_AT;
use super::*;

const PAIR: Pair = Pair {
    joint: |_| Ok(Box::new(Ball)),
    law: FramePair::ball,
    in_plane: Some(FramePair::ball),
    axes: &[],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "ball",
        rank: 10,
        label: "ball",
        help: "Two points stay together, all turns are free. In the plane: a hinge.",
        fields: &[SIDES_AT, CLOSES],
    },
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held).filter(|_| !held.in_plane),
    glyph: Glyph {
        link: "gap",
        meets: true,
        ..Glyph::holding("ball")
    },
    palette: true,
    ..BLANK
};
