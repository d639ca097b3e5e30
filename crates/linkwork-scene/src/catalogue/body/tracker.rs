//! A body that follows goals set by commands.

use linkwork::prelude::*;

use super::super::fields::{POSE, Q};
use super::*;

pub(super) static TYPE: BodyType = BodyType {
    kind: Type {
        word: "tracker",
        rank: 160,
        label: "tracker",
        help: "A body that follows goals set by commands.",
        fields: &[POSE, &[Q]],
    },
    build: |_| plain(Tracker),
    describe: |body| {
        let body: &dyn std::any::Any = body;
        body.is::<Tracker>().then(Fields::default)
    },
    pose: PoseForm::Coordinates,
    draw: |_, like| Some(Part::at_origin(Shape::Sphere(0.015 * like.extent))),
    ..SPATIAL
};
