//! An oscillation about the body's pose.

use super::*;

const AMPLITUDE: Field =
    Field::vector("amplitude", "m", "Amplitude of the origin's motion.").default("[0, 0, 0]");
const SWING: Field =
    Field::vector("swing", "rad", "Amplitude of the rotation: axis × angle.").default("[0, 0, 0]");

pub(super) static TYPE: MotionType = MotionType {
    kind: Type::new(
        30,
        "sine",
        "Oscillates about its pose.",
        &[&[AMPLITUDE, SWING, FREQUENCY, PHASE]],
    ),
    build: |fields, middle| {
        Ok(Kinematic::new(SineMotion {
            middle,
            amplitude_world: fields.own(&AMPLITUDE)?,
            swing_world: fields.own(&SWING)?,
            frequency: fields.own(&FREQUENCY)?,
            phase: fields.own(&PHASE)?,
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
