//! Viscous drag on a frame.

use super::*;

mirror!(ViscousDrag {
    linear: LINEAR,
    angular: ANGULAR
});

pub(super) static TYPE: BehaviorType = BehaviorType::of::<ViscousDrag>(
    Type::new(
        70,
        "drag",
        "Viscous drag on a frame.",
        &[&[ON], ViscousDrag::FIELDS],
    ),
    Sides::On,
);
