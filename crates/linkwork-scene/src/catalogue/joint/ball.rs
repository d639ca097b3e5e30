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
    kind: Type::new(
        10,
        "ball",
        "Two points stay together, all turns are free. In the plane: a hinge.",
        &[SIDES_AT, CLOSES],
    ),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held).filter(|_| !held.in_plane),
    glyph: Glyph {
        link: Link::Gap,
        meets: true,
        ..Glyph::holding(Sign::Ball)
    },
    frames: Framed::Never,
    joins: Some(10),
    ..BLANK
};
