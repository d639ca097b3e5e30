//! A body whose motion is prescribed.

use super::*;
use crate::catalogue::{Form, MotionType, motion};

const MOTION: Field = Field::new(
    "motion",
    Form::Entry(&motion::SORT),
    "How it moves, such as {\"type\": \"fixed\"}.",
)
.required();

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        150,
        "kinematic",
        "A body whose motion is prescribed.",
        &[&[MOTION], POSE],
    )
    .called("kinematic body"),
    build: |fields| {
        let start = pose(fields)?;
        let make = |law: &MotionType, own: &Fields| (law.build)(own, start);
        let kinematic = fields.need_made(&MOTION, make)?;
        plain(kinematic)
    },
    describe: |body| {
        let kinematic: &Kinematic = as_own(body)?;
        let (motion, start) = motion::describe(kinematic.motion())?;
        let fields = Fields::default().with(&MOTION, motion);
        Some(
            fields
                .with(&POSITION, start.position)
                .with(&QUATERNION, start.rotation),
        )
    },
    pose: PoseForm::Prescribed,
    draw: |_, like| Some(PartLook::at_origin(ShapeLook::cube(0.03 * like.extent))),
    ..SPATIAL
};
