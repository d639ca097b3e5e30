//! Displacements (Faure 1998).

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: told(50, Stabilization::DISPLACEMENT, &[&[ITERATIONS]]),
    build: |fields| {
        let iterations = fields.own(&ITERATIONS)?;
        Ok(Stabilization::Displacement { iterations })
    },
    describe: |rule| match rule {
        Stabilization::Displacement { iterations } => {
            Some(Fields::default().with(&ITERATIONS, iterations))
        }
        _ => None,
    },
};
