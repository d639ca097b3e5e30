//! A spring with a damper as an explicit force. The joint spring may be as stiff as you like.

use super::super::fields::{DAMPING, REST_LENGTH, STIFFNESS};
use super::*;

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "explicit-spring",
        rank: 80,
        label: "explicit spring",
        help: "A spring with a damper as an explicit force. The joint spring may be as stiff as you like.",
        fields: &[&[A, B, STIFFNESS, DAMPING, REST_LENGTH]],
    },
    sides: Sides::Between,
    build: |fields, _| {
        Ok(Arc::new(Spring {
            stiffness: fields.need(&STIFFNESS)?,
            rest_length: fields.or(&REST_LENGTH, 0.0)?,
            damping: fields.or(&DAMPING, 0.0)?,
        }))
    },
    describe: |law, _| {
        let Spring {
            stiffness,
            rest_length,
            damping,
        } = law.downcast_ref()?;
        let fields = Fields::default().with(&STIFFNESS, *stiffness);
        Some(
            fields
                .with(&DAMPING, *damping)
                .with(&REST_LENGTH, *rest_length),
        )
    },
    sign: "coil",
    palette: false,
};
