//! Displacements (Faure 1998).

use super::super::fields::ITERATIONS;
use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type {
        word: "displacement",
        rank: 50,
        label: "displacement",
        help: "Displacements (Faure 1998).",
        fields: &[&[ITERATIONS]],
    },
    build: |fields| {
        let iterations = fields.or(&ITERATIONS, 10)?;
        Ok(Stabilization::Displacement { iterations })
    },
    describe: |rule| match rule {
        Stabilization::Displacement { iterations } => {
            Some(Fields::default().with(&ITERATIONS, iterations))
        }
        _ => None,
    },
};
