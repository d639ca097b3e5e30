//! Viscous friction about and along a's x.

use super::super::fields::{ANGULAR, LINEAR};
use super::*;

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "friction",
        rank: 60,
        label: "friction",
        help: "Viscous friction about and along a's x.",
        fields: &[&[A, B, JOINT, LINEAR, ANGULAR]],
    },
    sides: Sides::Between,
    build: |fields, _| {
        let (linear, angular) = (fields.or(&LINEAR, 0.0)?, fields.or(&ANGULAR, 0.0)?);
        Ok(Arc::new(JointFriction { angular, linear }))
    },
    describe: |law, _| {
        let JointFriction { angular, linear } = law.downcast_ref()?;
        Some(
            Fields::default()
                .with(&LINEAR, *linear)
                .with(&ANGULAR, *angular),
        )
    },
    sign: "friction",
    palette: false,
};
