//! A constant torque about a's x, on b and against a.

use super::*;

const TORQUE: Field = Field::numbers("torque", "N·m", "Torque about a's x.")
    .required()
    .lab(&InLab::start(Start::Torque));

mirror!(Motor { torque: TORQUE });

pub(super) static TYPE: BehaviorType = BehaviorType {
    glyph: Glyph::seated(Sign::Arrow),
    offers: &[Offer::link(
        30,
        "motor",
        "Press on a hinge: it turns at a steady speed",
        "M8 2 a6 6 0 1 0 0.01 0 M5.5 10.5 V5.5 L8 8.5 L10.5 5.5 V10.5",
    )],
    ..BehaviorType::of::<Motor>(
        Type::new(
            40,
            "motor",
            "A constant torque about a's x, on b and against a.",
            &[BETWEEN, Motor::FIELDS],
        ),
        Sides::Between,
    )
};
