//! Viscous drag on a frame.

use super::super::fields::{ANGULAR, LINEAR};
use super::*;

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "drag",
        rank: 70,
        label: "drag",
        help: "Viscous drag on a frame.",
        fields: &[&[ON, LINEAR, ANGULAR]],
    },
    sides: Sides::On,
    build: |fields, _| {
        let (linear, angular) = (fields.or(&LINEAR, 0.0)?, fields.or(&ANGULAR, 0.0)?);
        Ok(Arc::new(ViscousDrag { linear, angular }))
    },
    describe: |law, _| {
        let ViscousDrag { linear, angular } = law.downcast_ref()?;
        Some(
            Fields::default()
                .with(&LINEAR, *linear)
                .with(&ANGULAR, *angular),
        )
    },
    sign: "",
    palette: false,
};
