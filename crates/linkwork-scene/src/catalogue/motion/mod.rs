//! Prescribed motions of kinematic bodies, whose pose is that at t = 0 (of a sine: the middle).

use std::any::Any;

use linkwork::body::PrescribedMotion;
use linkwork::body::{FixedPose, MotionSample, SineMotion, Spin};
use linkwork::constraint::Trajectory;
use linkwork::prelude::*;

use super::field::{InLab, Role};
use super::fields::*;
use super::{Field, Fields, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a type of motion.
pub struct MotionType {
    pub(super) kind: Type,
    /// The body that moves so, from its pose.
    pub(crate) build: fn(&Fields, Pose) -> Result<Kinematic, Fault>,
    /// The fields, and the pose it starts from.
    describe: fn(&dyn Any) -> Option<(Fields, Pose)>,
}

pub(crate) static SORT: Sort = Sort {
    word: "motion",
    help: "A prescribed motion of a kinematic body, whose pose is that at t = 0 (of a sine: the middle).",
    entry: "MotionEntry",
    named: false,
    common: &[],
    types: || MotionType::all().iter().map(|own| own.kind()).collect(),
};

law!(MotionType, "motion", SORT);

/// A motion as a file has it, and the pose it starts from; none if it is of a program's making.
pub(crate) fn describe(
    motion: &dyn PrescribedMotion,
) -> Option<((&'static MotionType, Fields), Pose)> {
    MotionType::all().iter().find_map(|kind| {
        let (fields, start) = (kind.describe)(motion)?;
        Some(((*kind, fields), start))
    })
}
