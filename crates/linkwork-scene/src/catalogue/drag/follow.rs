//! Brings the grip to the goal as far as the joints allow.

use super::*;

pub(super) static TYPE: DragType = DragType {
    kind: Type::new(
        20,
        "follow",
        "Brings the grip to the goal as far as the joints allow.",
        &[],
    ),
    build: |_| Ok(Drag::Follow),
    describe: |drag| (drag == Drag::Follow).then(Fields::default),
};
