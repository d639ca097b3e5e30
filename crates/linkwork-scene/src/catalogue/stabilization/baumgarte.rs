//! Baumgarte's.

use super::*;

const ALPHA: Field = Field::number("alpha", "1/s", "Decay of rates.").default("12");
const BETA: Field = Field::number("beta", "1/s", "Decay of errors.").default("12");

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: told(40, Stabilization::BAUMGARTE, &[&[ALPHA, BETA]]),
    build: |fields| {
        Ok(Stabilization::Baumgarte {
            alpha: fields.own(&ALPHA)?,
            beta: fields.own(&BETA)?,
        })
    },
    describe: |rule| match rule {
        Stabilization::Baumgarte { alpha, beta } => {
            Some(Fields::default().with(&ALPHA, alpha).with(&BETA, beta))
        }
        _ => None,
    },
};
