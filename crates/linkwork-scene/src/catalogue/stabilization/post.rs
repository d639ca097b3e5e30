//! Post-stabilization.

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type::new(20, "post", "Post-stabilization.", &[&[ITERATIONS]]),
    build: |fields| {
        let iterations = fields.own(&ITERATIONS)?;
        Ok(Stabilization::Post { iterations })
    },
    describe: |rule| match rule {
        Stabilization::Post { iterations } => Some(Fields::default().with(&ITERATIONS, iterations)),
        _ => None,
    },
};
