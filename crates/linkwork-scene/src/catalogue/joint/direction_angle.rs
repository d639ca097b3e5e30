//! The angle between a direction of a and one of b, from 0 to π, is a function of time.

use super::*;

use crate::catalogue::mirror::Member;

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        235,
        "direction-angle",
        "The angle between a direction of a and one of b, from 0 to π, is a function of time.",
        &[SIDES, &[AXIS, AXIS_B, FUNCTION]],
    )
    .called("angle of directions"),
    build: |scene, entry| {
        let function = Member::read(&entry.fields, &FUNCTION)?;
        directed::add(scene, entry, Directions::Angle(function))
    },
    describe: |held| match held.is()? {
        Directions::Angle(function) => Some(Fields::default().with(&FUNCTION, function.write()?)),
        _ => None,
    },
    drives: Some(Driven::Angle),
    ..DIRECTED
};
