//! A uniform field. The one of the world is called gravity.

use super::*;

const ACCELERATION: Field = Field::vector("acceleration", "m/s²", "Acceleration.").required();

mirror!(Gravity {
    acceleration_world: ACCELERATION
});

pub(super) static TYPE: BehaviorType = BehaviorType::of::<Gravity>(
    Type::new(
        10,
        "gravity",
        "A uniform field. The one of the world is called gravity.",
        &[Gravity::FIELDS],
    ),
    Sides::Everywhere,
);

/// The entry of a gravity.
pub(super) fn entry(acceleration: [f64; 3]) -> Entry<BehaviorType> {
    Entry::new(&TYPE, Fields::default().with(&ACCELERATION, acceleration))
}
