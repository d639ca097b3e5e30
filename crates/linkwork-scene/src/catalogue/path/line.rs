//! A straight line at constant speed: `start + velocity·t`.

use super::*;

const START: Field = Field::vector("start", "m", "Position at t = 0.").required();
const VELOCITY: Field = Field::vector("velocity", "m/s", "Velocity.").required();

pub(super) static TYPE: PathType = PathType {
    kind: Type {
        word: "line",
        rank: 10,
        label: "line",
        help: "start + velocity·t.",
        fields: &[&[START, VELOCITY]],
    },
    build: |fields| {
        Ok(Arc::new(LineTrajectory {
            start_world: fields.need(&START)?,
            velocity_world: fields.need(&VELOCITY)?,
        }))
    },
    describe: |path| {
        let line: &LineTrajectory = path.downcast_ref()?;
        let fields = Fields::default().with(&START, line.start_world);
        Some(fields.with(&VELOCITY, line.velocity_world))
    },
    drawn: Drawn::Straight,
};
