//! Pulls with a damped spring.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type::new(
        10,
        "force",
        "Pulls with a damped spring.",
        &[&[STIFFNESS, DAMPING]],
    )
    .called("pull"),
    build: |fields| {
        Ok(Drag::Force {
            stiffness: fields.need(&STIFFNESS)?,
            damping: fields.own(&DAMPING)?,
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
