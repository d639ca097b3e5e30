//! Post-stabilization.

use super::super::fields::ITERATIONS;
use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type {
        word: "post",
        rank: 20,
        label: "post",
        help: "Post-stabilization.",
        fields: &[&[ITERATIONS]],
    },
    build: |fields| {
        let iterations = fields.or(&ITERATIONS, 10)?;
        Ok(Stabilization::Post { iterations })
    },
    describe: |rule| match rule {
        Stabilization::Post { iterations } => Some(Fields::default().with(&ITERATIONS, iterations)),
        _ => None,
    },
};
