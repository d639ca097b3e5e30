//! Displacements (Faure 1998).

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type::new(
        50,
        "displacement",
        "Displacements (Faure 1998).",
        &[&[ITERATIONS]],
    ),
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
