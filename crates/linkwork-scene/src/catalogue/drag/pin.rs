//! Keeps the grip at the goal; joints of lower priority give way, last those to the ground.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type::new(
        30,
        "pin",
        "Keeps the grip at the goal; joints of lower priority give way, last those to the ground.",
        &[],
    ),
    build: |_| Ok(Drag::Pin),
    describe: |drag| (drag == Drag::Pin).then(Fields::default),
};
