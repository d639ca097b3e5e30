//! A direction of a and one of b point the same way.

use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        92,
        "parallel",
        "A direction of a and one of b point the same way.",
        &[SIDES, &[AXIS]],
    ),
    build: |scene, entry| directed::add(scene, entry, Directions::Parallel),
    describe: |held| matches!(held.is()?, Directions::Parallel).then(Fields::default),
    glyph: Glyph {
        sign: Sign::Blade,
        ..Glyph::MARK
    },
    joins: Some(100),
    ..DIRECTED
};
