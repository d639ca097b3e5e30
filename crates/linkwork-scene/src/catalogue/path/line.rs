//! start + velocity·t.

use super::*;

const START: Field = Field::vector("start", "m", "Position at t = 0.").required();
const VELOCITY: Field = Field::vector("velocity", "m/s", "Velocity.").required();

mirror!(LineTrajectory {
    start_world: START,
    velocity_world: VELOCITY
});

pub(super) static TYPE: PathType = PathType::of::<LineTrajectory>(
    Type::new(10, "line", "start + velocity·t.", &[LineTrajectory::FIELDS]),
    Drawn::Straight,
);
