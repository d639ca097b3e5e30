//! Free to slide along and turn about one axis.

use super::*;

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Angle, Driven::Length],
    glyph: Glyph {
        bearing: true,
        ..Glyph::sliding(Sign::Sleeve)
    },
    bounds: Some(beside::on_cylinder),
    joins: Some(60),
    ..JointType::pair(
        Type::new(
            40,
            "cylindrical",
            "Free to slide along and turn about one axis.",
            &[SIDES_AT, &[AXIS, LIMITS], CLOSES],
        )
        .called("sliding hinge"),
        Pair {
            join: |world, name, [a, b], axes| {
                let axis_world = axes[0];
                world.join(name, Cylindrical { axis_world }, a, b)
            },
            law: FramePair::cylindrical,
            in_plane: None,
            axes: &[AXIS],
        },
    )
};
