//! A circle at constant speed.

use super::*;

const CENTER: Field = Field::vector("center", "m", "Center.").required();
const ABOUT: Field = AXIS.help("Axis of the circle.").default("[0, 0, 1]");

mirror!(CircleTrajectory {
    center_world: CENTER,
    axis_world: ABOUT,
    radius: RADIUS,
    frequency: FREQUENCY,
    phase: PHASE
});

pub(super) static TYPE: PathType = PathType::of::<CircleTrajectory>(
    Type::new(
        20,
        "circle",
        "A circle at constant speed.",
        &[CircleTrajectory::FIELDS],
    ),
    Drawn::At(|fields| {
        let period = 1.0 / fields.or(&FREQUENCY, 1.0).unwrap_or(1.0);
        (0..=96).map(|k| f64::from(k) / 96.0 * period).collect()
    }),
);
