//! Free to turn about one axis. In the plane: a pin.

use super::super::fields::{AXIS, SIDES_AT};
use super::pair::axis;
use super::*;

const PAIR: Pair = Pair {
    joint: |fields| {
        let axis_world = axis(fields, &AXIS)?;
        Ok(Box::new(Hinge { axis_world }))
    },
    law: FramePair::hinge,
    in_plane: Some(FramePair::ball),
    axes: &[AXIS],
    planar_axes: &[],
};

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        20,
        "hinge",
        "Free to turn about one axis. In the plane: a pin.",
        &[SIDES_AT, &[AXIS, DRIVE], CLOSES],
    ),
    build: |scene, entry| PAIR.add(scene, entry),
    describe: |held| PAIR.describe(held),
    planar: true,
    glyph: Glyph {
        link: Link::Gap,
        meets: true,
        bearing: true,
        ..Glyph::holding(Sign::Pin)
    },
    drive: Some(Drive {
        kind: "angle-drive",
        law: |function| Arc::new(AngleDrive { function }),
    }),
    frames: Framed::InSpace,
    joins: Some(20),
    ..BLANK
};
