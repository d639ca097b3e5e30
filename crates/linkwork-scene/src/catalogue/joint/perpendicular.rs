//! A direction of a and one of b are at a right angle.

use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        94,
        "perpendicular",
        "A direction of a and one of b are at a right angle.",
        &[SIDES, &[AXIS, AXIS_B]],
    ),
    build: |scene, entry| directed::add(scene, entry, Directions::Perpendicular),
    describe: |held| matches!(held.is()?, Directions::Perpendicular).then(Fields::default),
    joins: Some(110),
    ..DIRECTED
};
