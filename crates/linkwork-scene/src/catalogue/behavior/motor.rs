//! A constant torque about a's x, on b and against a.

use super::*;

const TORQUE: Field = Field::numbers("torque", "N·m", "Torque about a's x.").required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "motor",
        rank: 40,
        label: "motor",
        help: "A constant torque about a's x, on b and against a.",
        fields: &[&[A, B, JOINT, TORQUE]],
    },
    sides: Sides::Between,
    build: |fields, _| {
        let torque = fields.need(&TORQUE)?;
        Ok(Arc::new(Motor { torque }))
    },
    describe: |law, _| {
        let Motor { torque } = law.downcast_ref()?;
        Some(Fields::default().with(&TORQUE, *torque))
    },
    sign: "motor",
    palette: true,
};
