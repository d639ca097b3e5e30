//! A spring with a damper about a's x. It is an explicit force: not for great stiffness.

use super::super::fields::{TURN_DAMPING, TURN_STIFFNESS};
use super::*;

const REST_ANGLE: Field =
    Field::angle("rest_angle", "rest_angle_deg", "Angle at which it rests.").default("0");

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "torsion-spring",
        rank: 50,
        label: "torsion spring",
        help: "A spring with a damper about a's x. It is an explicit force: not for great stiffness.",
        fields: &[&[A, B, JOINT, TURN_STIFFNESS, TURN_DAMPING, REST_ANGLE]],
    },
    sides: Sides::Between,
    build: |fields, _| {
        Ok(Arc::new(TorsionSpring {
            stiffness: fields.need(&TURN_STIFFNESS)?,
            rest_angle: fields.angle(&REST_ANGLE)?.unwrap_or(0.0),
            damping: fields.or(&TURN_DAMPING, 0.0)?,
        }))
    },
    describe: |law, _| {
        let TorsionSpring {
            stiffness,
            rest_angle,
            damping,
        } = law.downcast_ref()?;
        let fields = Fields::default().with(&TURN_STIFFNESS, *stiffness);
        Some(
            fields
                .with(&TURN_DAMPING, *damping)
                .with(&REST_ANGLE, *rest_angle),
        )
    },
    sign: "spiral",
    palette: false,
};
