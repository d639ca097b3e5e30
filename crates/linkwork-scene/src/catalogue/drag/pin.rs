//! What is held is at the goal; joints of lower priority, and at last those to the ground, give way.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type {
        word: "pin",
        rank: 30,
        label: "pin",
        help: "What is held is at the goal; joints of lower priority, and at last those to the ground, give way.",
        fields: &[],
    },
    build: |_| Ok(Drag::Pin),
    describe: |drag| (drag == Drag::Pin).then(Fields::default),
};
