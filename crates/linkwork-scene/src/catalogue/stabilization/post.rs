//! Post-stabilization.

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: told(20, Stabilization::POST, &[&[ITERATIONS]]),
    build: |fields| {
        let iterations = fields.own(&ITERATIONS)?;
        Ok(Stabilization::Post { iterations })
    },
    describe: |rule| match rule {
        Stabilization::Post { iterations } => Some(Fields::default().with(&ITERATIONS, iterations)),
        _ => None,
    },
};
