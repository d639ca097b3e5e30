//! The angle from a to b stays within a range.

use super::bounded::{RANGE, about_axis, limit_type, read_range, write_range};
use super::*;

pub(super) static TYPE: JointType = limit_type!(
    AngleLimit,
    260,
    "angle-limit",
    "angle limit",
    "The angle from a to b stays within a range, over full turns: stops at its ends.",
    &[SIDES_AT, &[AXIS], RANGE],
    Glyph::seated(Sign::Nothing),
    about_axis
);
