//! What is held is at the goal; joints of lower priority, and at last those to the ground, give way.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type::new(
        30,
        "pin",
        "What is held is at the goal; joints of lower priority, and at last those to the ground, give way.",
        &[],
    ),
    build: |_| Ok(Drag::Pin),
    describe: |drag| (drag == Drag::Pin).then(Fields::default),
};
