//! Slides along an axis as it turns about it.

use super::*;

use std::f64::consts::TAU;

const PITCH: Field = Field::number(
    "pitch",
    "m/rad",
    "Advance per radian; negative for a left-handed thread.",
)
.lab(&InLab::called("advance"));
const LEAD: Field =
    Field::number("lead", "m", "Advance per turn, in place of a pitch.").lab(&InLab {
        number: 0.01,
        ..InLab::start(Start::Number)
    });

pub(super) static TYPE: JointType = JointType {
    coordinates: &[Driven::Length],
    bounds: Some(beside::on_length),
    kind: Type::new(
        110,
        "screw",
        "Slides along an axis as it turns about it.",
        &[SIDES_AT, &[AXIS, PITCH, LEAD], ON_COORDINATE],
    ),
    build: |scene, entry| {
        let pitch = match (entry.fields.get(&PITCH)?, entry.fields.get::<f64>(&LEAD)?) {
            (Some(pitch), None) => pitch,
            (None, Some(lead)) => lead / TAU,
            (None, None) => return Err(Fault::missing("lead", "the advance per turn in m")),
            (Some(_), Some(_)) => return Err(Fault::at("lead", "is given beside \"pitch\"")),
        };
        let [a, b] = sides(scene, entry)?;
        let (a, b) = (
            as_frame(scene, entry, a, &AXIS)?,
            as_frame(scene, entry, b, &AXIS)?,
        );
        add_law(scene, entry, Arc::new(Screw { pitch }), vec![a, b])
    },
    describe: |held| {
        let Screw { pitch } = held.is()?;
        Some(Fields::default().with(&PITCH, *pitch))
    },
    glyph: Glyph {
        bearing: true,
        ..Glyph::sliding(Sign::Nut)
    },
    ..BLANK
};
