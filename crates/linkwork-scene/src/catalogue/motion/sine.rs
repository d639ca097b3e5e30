//! An oscillation about the body's pose.

use super::super::fields::{FREQUENCY, PHASE};
use super::*;

const AMPLITUDE: Field =
    Field::vector("amplitude", "m", "How far the origin moves to either side.")
        .default("[0, 0, 0]");
const SWING: Field = Field::vector(
    "swing",
    "rad",
    "How far the body turns to either side: axis × angle.",
)
.default("[0, 0, 0]");

pub(super) static TYPE: MotionType = MotionType {
    kind: Type {
        word: "sine",
        rank: 30,
        label: "sine",
        help: "Swings about its pose.",
        fields: &[&[AMPLITUDE, SWING, FREQUENCY, PHASE]],
    },
    build: |fields, middle| {
        Ok(Kinematic::new(SineMotion {
            middle,
            amplitude_world: fields.or(&AMPLITUDE, [0.0; 3])?,
            swing_world: fields.or(&SWING, [0.0; 3])?,
            frequency: fields.need(&FREQUENCY)?,
            phase: fields.angle(&PHASE)?.unwrap_or(0.0),
        }))
    },
    describe: |motion| {
        let sine: &SineMotion = motion.downcast_ref()?;
        let fields = Fields::default().with(&AMPLITUDE, sine.amplitude_world);
        let fields = fields
            .with(&SWING, sine.swing_world)
            .with(&FREQUENCY, sine.frequency);
        Some((fields.with(&PHASE, sine.phase), sine.middle))
    },
};
