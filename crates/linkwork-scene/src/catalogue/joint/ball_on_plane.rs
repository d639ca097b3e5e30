//! A ball of b stays on the plane of a (its frame's x is the normal).

use super::super::fields::{NORMAL, RADIUS, SIDES};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "ball-on-plane",
        rank: 180,
        label: "ball on a plane",
        help: "A ball of b stays on the plane of a (its frame's x is the normal).",
        fields: &[SIDES, &[NORMAL, RADIUS]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &NORMAL)?,
            as_frame(scene, entry, b, &NORMAL)?,
        );
        let radius = entry.fields.need(&RADIUS)?;
        add_law(scene, entry, BallOnPlane { radius }, vec![a, b])
    },
    describe: |held| {
        let BallOnPlane { radius } = held.is()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
    ..BLANK
};
