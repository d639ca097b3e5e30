//! Two points stay together, all turns are free. In the plane: a hinge.

use super::*;

/// Only limits need it: what is joined begins without.
const LIMITED_ABOUT: Field = AXIS.lab(&InLab::PLAIN);

pub(super) static TYPE: JointType = JointType {
    glyph: Glyph::meeting(Sign::Ball),
    frames: Framed::Never,
    bounds: Some(beside::on_ball),
    joins: Some(10),
    ..JointType::pair(
        Type::new(
            10,
            "ball",
            "Two points stay together, all rotations are free. In the plane: a hinge. Limits need an axis.",
            &[SIDES_AT, &[LIMITED_ABOUT, LIMITS], CLOSES],
        ),
        Pair {
            join: |world, name, [a, b], _| world.join(name, Ball, a, b),
            law: FramePair::ball,
            in_plane: Some(FramePair::ball),
            axes: &[],
        },
    )
};
