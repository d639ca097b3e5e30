//! What is held goes where the goal is as far as the joints let it.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type::new(
        20,
        "follow",
        "What is held goes where the goal is as far as the joints let it.",
        &[],
    ),
    build: |_| Ok(Drag::Follow),
    describe: |drag| (drag == Drag::Follow).then(Fields::default),
};
