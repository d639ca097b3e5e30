//! A ball of b rolls on the plane of a without slip; combine with ball-on-plane.

use super::*;

mirror!(RollingBall { radius: RADIUS });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[NORMAL, NORMAL]),
    ..JointType::of::<RollingBall>(
        Type::new(
            200,
            "rolling-ball",
            "A ball of b rolls on the plane of a without slip; combine with ball-on-plane.",
            &[SIDES, &[NORMAL], RollingBall::FIELDS],
        )
        .called("rolling ball"),
    )
};
