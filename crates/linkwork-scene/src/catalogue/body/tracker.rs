//! A body that follows goals set by commands.

use linkwork::prelude::*;

use super::super::fields::{POSE, Q};
use super::*;

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        160,
        "tracker",
        "A body that follows goals set by commands.",
        &[POSE, &[Q]],
    ),
    build: |_| plain(Tracker),
    describe: |body| {
        let body: &dyn std::any::Any = body;
        body.is::<Tracker>().then(Fields::default)
    },
    pose: PoseForm::Coordinates,
    draw: |_, like| Some(PartLook::at_origin(ShapeLook::ball(0.015 * like.extent))),
    ..SPATIAL
};
