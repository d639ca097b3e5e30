//! A thin disc of b rolls on the plane of a without slip; combine with disc-on-plane.

use super::*;

const AXLE: Field = AXIS_B.help("The axle of the disc, world.");

mirror!(RollingDisc { radius: RADIUS });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[NORMAL, AXLE]),
    ..JointType::of::<RollingDisc>(
        Type::new(
            210,
            "rolling-disc",
            "A thin disc of b rolls on the plane of a without slip; combine with disc-on-plane.",
            &[SIDES, &[NORMAL, AXLE], RollingDisc::FIELDS],
        )
        .called("rolling disc"),
    )
};
