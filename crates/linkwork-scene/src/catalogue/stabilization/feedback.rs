//! A feedback force (Witkin 1990).

use super::*;

const PULL: Field = Field::number("stiffness", "", "Force per row unit.").default("9");
const SLOWING: Field = Field::number("damping", "", "Force per row unit and second.").default("6");

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: told(30, Stabilization::FEEDBACK, &[&[PULL, SLOWING]]),
    build: |fields| {
        Ok(Stabilization::Feedback {
            stiffness: fields.own(&PULL)?,
            damping: fields.own(&SLOWING)?,
        })
    },
    describe: |rule| match rule {
        Stabilization::Feedback { stiffness, damping } => Some(
            Fields::default()
                .with(&PULL, stiffness)
                .with(&SLOWING, damping),
        ),
        _ => None,
    },
};
