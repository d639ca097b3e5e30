//! The position of b along a's x stays within a range.

use super::bounded::{RANGE, limit_type, read_range, write_range};
use super::*;

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    ..limit_type!(
        LengthLimit,
        261,
        "length-limit",
        "length limit",
        "The position of b along a's x stays within a range: stops at its ends.",
        &[SIDES_AT, &[AXIS], RANGE],
        Glyph {
            sign: Sign::Nothing,
            slides: true,
            ..Glyph::MARK
        },
        framed_along_x
    )
};
