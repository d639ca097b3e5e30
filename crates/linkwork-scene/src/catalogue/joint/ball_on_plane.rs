//! A ball of b stays on the plane of a (its frame's x is the normal).

use super::*;

mirror!(BallOnPlane { radius: RADIUS });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[NORMAL, NORMAL]),
    ..JointType::of::<BallOnPlane>(
        Type::new(
            180,
            "ball-on-plane",
            "A ball of b stays on the plane of a (its frame's x is the normal).",
            &[SIDES, &[NORMAL], BallOnPlane::FIELDS],
        )
        .called("ball on a plane"),
    )
};
