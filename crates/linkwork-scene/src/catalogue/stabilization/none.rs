//! None: constraints drift.

use super::*;

pub(super) static TYPE: StabilizationType = StabilizationType {
    kind: Type {
        word: "none",
        rank: 10,
        label: "none",
        help: "None: constraints drift.",
        fields: &[],
    },
    build: |_| Ok(Stabilization::None),
    describe: |rule| (rule == Stabilization::None).then(Fields::default),
};
