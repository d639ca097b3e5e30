//! Moves two points apart with so much force.

use linkwork::constraint::DistanceServo;

use super::bounded::{SERVO, read_servo, servo_type, write_servo};
use super::*;

pub(super) static TYPE: JointType = servo_type!(
    DistanceServo,
    265,
    "distance-servo",
    "distance servo",
    "Moves two points apart at a speed or to a distance with a bounded force. With neither: dry friction.",
    &[SIDES, SERVO],
    Glyph::holding(Sign::Arrow),
    |scene: &Scene, entry: &Entry<JointType>| framed(scene, entry, &[])
);
