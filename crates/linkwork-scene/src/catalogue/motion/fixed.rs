//! No motion.

use super::*;

pub(super) static TYPE: MotionType = MotionType {
    kind: Type::new(10, "fixed", "Stays where it is.", &[]),
    build: |_, start| Ok(Kinematic::new(FixedPose(start))),
    describe: |motion| {
        let FixedPose(start) = motion.downcast_ref()?;
        Some((Fields::default(), *start))
    },
};
