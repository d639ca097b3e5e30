//! The rim of a thin disc of b stays on the plane of a.

use super::*;

const AXLE: Field = AXIS_B.help("The axle of the disc, world.");

mirror!(DiscOnPlane { radius: RADIUS });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[NORMAL, AXLE]),
    ..JointType::of::<DiscOnPlane>(
        Type::new(
            190,
            "disc-on-plane",
            "The rim of a thin disc of b stays on the plane of a.",
            &[SIDES, &[NORMAL, AXLE], DiscOnPlane::FIELDS],
        )
        .called("disc on a plane"),
    )
};
