//! None: constraints drift.

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: told(10, Stabilization::None, &[]),
    build: |_| Ok(Stabilization::None),
    describe: |rule| (rule == Stabilization::None).then(Fields::default),
};
