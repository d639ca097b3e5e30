//! Pulls with a damped spring.

use super::super::fields::{DAMPING, STIFFNESS};
use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type {
        word: "force",
        rank: 10,
        label: "pull",
        help: "Pulls with a damped spring.",
        fields: &[&[STIFFNESS, DAMPING]],
    },
    build: |fields| {
        Ok(Drag::Force {
            stiffness: fields.need(&STIFFNESS)?,
            damping: fields.or(&DAMPING, 0.0)?,
        })
    },
    describe: |drag| match drag {
        Drag::Force { stiffness, damping } => Some(
            Fields::default()
                .with(&STIFFNESS, stiffness)
                .with(&DAMPING, damping),
        ),
        _ => None,
    },
};
