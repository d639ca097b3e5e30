//! None: constraints drift.

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type::new(10, "none", "None: constraints drift.", &[]),
    build: |_| Ok(Stabilization::None),
    describe: |rule| (rule == Stabilization::None).then(Fields::default),
};
