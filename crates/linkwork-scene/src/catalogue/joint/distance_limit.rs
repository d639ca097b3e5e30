//! The distance of two points stays within a range.

use linkwork::constraint::DistanceLimit;

use super::bounded::{RANGE, limit_type, read_range, write_range};
use super::*;

pub(super) static TYPE: JointType = limit_type!(
    DistanceLimit,
    262,
    "distance-limit",
    "rope or strut",
    "The distance of two points stays within a range: a rope with \"upper\", a strut with \"lower\".",
    &[SIDES, RANGE],
    Glyph::holding(Sign::Nothing),
    |scene: &Scene, entry: &Entry<JointType>| framed(scene, entry, &[])
);
