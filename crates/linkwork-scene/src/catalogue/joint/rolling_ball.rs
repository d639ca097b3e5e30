//! A ball of b rolls on the plane of a without slip; combine with ball-on-plane.

use super::super::fields::{NORMAL, RADIUS, SIDES};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "rolling-ball",
        rank: 200,
        label: "rolling ball",
        help: "A ball of b rolls on the plane of a without slip; combine with ball-on-plane.",
        fields: &[SIDES, &[NORMAL, RADIUS]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &NORMAL)?,
            as_frame(scene, entry, b, &NORMAL)?,
        );
        let radius = entry.fields.need(&RADIUS)?;
        add_law(scene, entry, RollingBall { radius }, vec![a, b])
    },
    describe: |held| {
        let RollingBall { radius } = held.is()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
    ..BLANK
};
