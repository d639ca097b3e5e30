//! A spring with a damper about a's x. An explicit force: not for high stiffness.

use super::*;

const REST_ANGLE: Field =
    Field::angle("rest_angle", "rest_angle_deg", "Angle at which it rests.").default("0");

mirror!(TorsionSpring {
    stiffness: TURN_STIFFNESS,
    damping: TURN_DAMPING,
    rest_angle: REST_ANGLE
});

pub(super) static TYPE: BehaviorType = BehaviorType {
    glyph: Glyph::seated(Sign::Spiral),
    ..BehaviorType::of::<TorsionSpring>(
        Type::new(
            50,
            "torsion-spring",
            "A spring with a damper about a's x. An explicit force: not for high stiffness.",
            &[BETWEEN, TorsionSpring::FIELDS],
        )
        .called("torsion spring"),
        Sides::Between,
    )
};
