//! A thin disc of b rolls on the plane of a without slip; combine with disc-on-plane.

use super::super::fields::{AXIS_B, NORMAL, RADIUS, SIDES};
use super::*;

const AXLE: Field = AXIS_B.help("The axle of the disc, world.");

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "rolling-disc",
        rank: 210,
        label: "rolling disc",
        help: "A thin disc of b rolls on the plane of a without slip; combine with disc-on-plane.",
        fields: &[SIDES, &[NORMAL, AXLE, RADIUS]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &NORMAL)?,
            as_frame(scene, entry, b, &AXLE)?,
        );
        let radius = entry.fields.need(&RADIUS)?;
        add_law(scene, entry, RollingDisc { radius }, vec![a, b])
    },
    describe: |held| {
        let RollingDisc { radius } = held.is()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
    ..BLANK
};
