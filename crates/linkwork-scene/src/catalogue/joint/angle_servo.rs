//! Turns b against a with so much torque.

use super::bounded::{SERVO, about_axis, read_servo, servo_type, write_servo};
use super::*;

pub(super) static TYPE: JointType = servo_type!(
    AngleServo,
    263,
    "angle-servo",
    "angle servo",
    "Turns b against a at a speed or to a position, with so much torque and no more. With neither: dry friction; with \
     \"least\" 0 and no \"most\": a clutch that turns one way.",
    &[SIDES_AT, &[AXIS], SERVO],
    Glyph::seated(Sign::Arrow),
    about_axis
);
