//! A uniform field. The world's own is called gravity.

use super::*;

const ACCELERATION: Field = Field::vector("acceleration", "m/s²", "Acceleration.").required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "gravity",
        rank: 10,
        label: "gravity",
        help: "A uniform field. The world's own is called gravity.",
        fields: &[&[ACCELERATION]],
    },
    sides: Sides::Everywhere,
    build: |fields, _| {
        let acceleration_world = fields.need(&ACCELERATION)?;
        Ok(Arc::new(Gravity { acceleration_world }))
    },
    describe: |law, _| {
        let Gravity { acceleration_world } = law.downcast_ref()?;
        Some(Fields::default().with(&ACCELERATION, *acceleration_world))
    },
    sign: "",
    palette: false,
};

/// The entry of a gravity.
pub(super) fn entry(acceleration: [f64; 3]) -> Entry<BehaviorType> {
    Entry::new(&TYPE, Fields::default().with(&ACCELERATION, acceleration))
}
