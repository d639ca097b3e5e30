//! The rim of a thin disc of b stays on the plane of a.

use super::super::fields::{AXIS_B, NORMAL, RADIUS, SIDES};
use super::*;

const AXLE: Field = AXIS_B.help("The axle of the disc, world.");

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "disc-on-plane",
        rank: 190,
        label: "disc on a plane",
        help: "The rim of a thin disc of b stays on the plane of a.",
        fields: &[SIDES, &[NORMAL, AXLE, RADIUS]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &NORMAL)?,
            as_frame(scene, entry, b, &AXLE)?,
        );
        let radius = entry.fields.need(&RADIUS)?;
        add_law(scene, entry, DiscOnPlane { radius }, vec![a, b])
    },
    describe: |held| {
        let DiscOnPlane { radius } = held.is()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
    ..BLANK
};
