//! Moves b along a's x with so much force.

use super::bounded::{SERVO, read_servo, servo_type, write_servo};
use super::*;

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    ..servo_type!(
        LengthServo,
        264,
        "length-servo",
        "length servo",
        "Moves b along a's x at a speed or to a position with a bounded force. With neither: dry friction.",
        &[SIDES_AT, &[AXIS], SERVO],
        Glyph {
            sign: Sign::Arrow,
            slides: true,
            ..Glyph::MARK
        },
        framed_along_x
    )
};
