//! A constant torque about a's x, on b and against a.

use super::*;

const TORQUE: Field = Field::numbers("torque", "N·m", "Torque about a's x.").required();

mirror!(Motor { torque: TORQUE });

pub(super) static TYPE: BehaviorType = BehaviorType {
    sign: "motor",
    palette: true,
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
