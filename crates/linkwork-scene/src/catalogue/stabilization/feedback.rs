//! A feedback force (Witkin 1990).

use super::*;

const PULL: Field = Field::number("stiffness", "", "Force per row unit.").required();
const SLOWING: Field = Field::number("damping", "", "Force per row unit and second.").required();

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type {
        word: "feedback",
        rank: 30,
        label: "feedback",
        help: "A feedback force (Witkin 1990).",
        fields: &[&[PULL, SLOWING]],
    },
    build: |fields| {
        Ok(Stabilization::Feedback {
            stiffness: fields.need(&PULL)?,
            damping: fields.need(&SLOWING)?,
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
