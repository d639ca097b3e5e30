//! Baumgarte's.

use super::*;

const ALPHA: Field = Field::number("alpha", "1/s", "Decay of rates.").required();
const BETA: Field = Field::number("beta", "1/s", "Decay of errors.").required();

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type {
        word: "baumgarte",
        rank: 40,
        label: "baumgarte",
        help: "Baumgarte's.",
        fields: &[&[ALPHA, BETA]],
    },
    build: |fields| {
        Ok(Stabilization::Baumgarte {
            alpha: fields.need(&ALPHA)?,
            beta: fields.need(&BETA)?,
        })
    },
    describe: |rule| match rule {
        Stabilization::Baumgarte { alpha, beta } => {
            Some(Fields::default().with(&ALPHA, alpha).with(&BETA, beta))
        }
        _ => None,
    },
};
