//! Viscous friction about and along a's x.

use super::*;

mirror!(JointFriction {
    linear: LINEAR,
    angular: ANGULAR
});

pub(super) static TYPE: BehaviorType = BehaviorType {
    glyph: Glyph::seated(Sign::Washer),
    ..BehaviorType::of::<JointFriction>(
        Type::new(
            60,
            "friction",
            "Viscous friction about and along a's x.",
            &[BETWEEN, JointFriction::FIELDS],
        ),
        Sides::Between,
    )
};
