//! What is held goes where the goal is as far as the joints let it.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type {
        word: "follow",
        rank: 20,
        label: "follow",
        help: "What is held goes where the goal is as far as the joints let it.",
        fields: &[],
    },
    build: |_| Ok(Drag::Follow),
    describe: |drag| (drag == Drag::Follow).then(Fields::default),
};
