//! A body that follows goals set by commands.

use super::*;

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        160,
        "tracker",
        "A body that follows goals set by commands.",
        &[POSE, &[Q]],
    ),
    build: |_| plain(Tracker),
    describe: |body| as_own::<Tracker>(body).map(|_| Fields::default()),
    pose: PoseForm::Coordinates,
    draw: |_, like| Some(PartLook::at_origin(ShapeLook::ball(0.015 * like.extent))),
    ..SPATIAL
};
