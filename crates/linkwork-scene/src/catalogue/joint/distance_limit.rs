//! The distance of two points stays within a range.

use linkwork::constraint::DistanceLimit;

use super::bounded::{LOWER, RESTITUTION, UPPER, limit_type, read_range, write_range};
use super::*;

/// The lab makes ropes: no longer than their ends are apart.
const ROPE: &[Field] = &[
    LOWER.lab(&InLab {
        otherwise: "none",
        ..InLab::called("shortest")
    }),
    UPPER.lab(&InLab {
        otherwise: "none",
        ..InLab::start(Start::Gap)
    }),
    RESTITUTION,
];

pub(super) static TYPE: JointType = JointType {
    offers: &[Offer::link(
        15,
        "rope",
        "Press on one place, release on another: a string that holds when it is taut",
        "M2 13 C5 4 6 14 9 8 C11 4 12 8 14 3",
    )],
    ..LIMIT
};

const LIMIT: JointType = limit_type!(
    DistanceLimit,
    262,
    "distance-limit",
    "rope or strut",
    "The distance of two points stays within a range: a rope with \"upper\", a strut with \"lower\".",
    &[SIDES, ROPE],
    Glyph {
        link: Link::Bar,
        ..Glyph::holding(Sign::Nothing)
    },
    |scene: &Scene, entry: &Entry<JointType>| framed(scene, entry, &[])
);
