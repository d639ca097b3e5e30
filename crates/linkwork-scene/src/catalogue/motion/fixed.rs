//! No motion.

use super::*;

pub(super) static TYPE: MotionType = MotionType {
    kind: Type {
        word: "fixed",
        rank: 10,
        label: "fixed",
        help: "Stays where it is.",
        fields: &[],
    },
    build: |_, start| Ok(Kinematic::new(FixedPose(start))),
    describe: |motion| {
        let FixedPose(start) = motion.downcast_ref()?;
        Some((Fields::default(), *start))
    },
};
