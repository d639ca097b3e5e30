//! Inertia on the distance of two points.

use super::*;

const REFLECTED: Field = Field::number("inertia", "kg", "Inertia on the distance.")
    .required()
    .positive();

mirror!(Inerter { inertia: REFLECTED });

pub(super) static TYPE: JointType = JointType {
    soft: true,
    planar: true,
    glyph: Glyph::holding(Sign::Nothing),
    ..JointType::of::<Inerter>(Type::new(
        256,
        "inerter",
        "Its force is proportional to the second rate of the distance.",
        &[SIDES, Inerter::FIELDS],
    ))
};
