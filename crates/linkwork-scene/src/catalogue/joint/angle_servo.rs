//! Turns b against a with so much torque.

use super::bounded::{SERVO, about_axis, read_servo, servo_type, write_servo};
use super::*;

pub(super) static TYPE: JointType = servo_type!(
    AngleServo,
    263,
    "angle-servo",
    "angle servo",
    "Turns b against a at a speed or to a position with a bounded torque. With neither: dry friction; with \"least\" 0 and no \"most\": a one-way clutch.",
    &[SIDES_AT, &[AXIS], SERVO],
    Glyph::seated(Sign::Arrow),
    about_axis
);
