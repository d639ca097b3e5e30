//! A circle at constant speed.

use super::super::fields::{AXIS, FREQUENCY, PHASE, RADIUS};
use super::*;

const CENTER: Field = Field::vector("center", "m", "Center.").required();
const ABOUT: Field = AXIS.help("Axis of the circle.").default("[0, 0, 1]");

pub(super) static TYPE: PathType = PathType {
    kind: Type {
        word: "circle",
        rank: 20,
        label: "circle",
        help: "A circle at constant speed.",
        fields: &[&[CENTER, ABOUT, RADIUS, FREQUENCY, PHASE]],
    },
    build: |fields| {
        Ok(Arc::new(CircleTrajectory {
            center_world: fields.need(&CENTER)?,
            axis_world: fields.or(&ABOUT, [0.0, 0.0, 1.0])?,
            radius: fields.need(&RADIUS)?,
            frequency: fields.need(&FREQUENCY)?,
            phase: fields.angle(&PHASE)?.unwrap_or(0.0),
        }))
    },
    describe: |path| {
        let circle: &CircleTrajectory = path.downcast_ref()?;
        let fields = Fields::default().with(&CENTER, circle.center_world);
        let fields = fields
            .with(&ABOUT, circle.axis_world)
            .with(&RADIUS, circle.radius);
        Some(
            fields
                .with(&FREQUENCY, circle.frequency)
                .with(&PHASE, circle.phase),
        )
    },
    drawn: Drawn::At(|fields| {
        let period = 1.0 / fields.or(&FREQUENCY, 1.0).unwrap_or(1.0);
        (0..=96).map(|k| f64::from(k) / 96.0 * period).collect()
    }),
};
