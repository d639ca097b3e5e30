//! An oscillation: `offset + amplitude·sin(2π·frequency·t + phase)`.

use super::super::fields::{FREQUENCY, PHASE};
use super::*;

const AMPLITUDE: Field = Field::angle(
    "amplitude",
    "amplitude_deg",
    "Greatest deviation from \"offset\".",
)
.in_unit("")
.required();
const OFFSET: Field = Field::angle("offset", "offset_deg", "Mean value.")
    .in_unit("")
    .default("0");

pub(super) static TYPE: FunctionType = FunctionType {
    kind: Type {
        word: "sine",
        rank: 30,
        label: "sine",
        help: "offset + amplitude·sin(2π·frequency·t + phase).",
        fields: &[&[AMPLITUDE, FREQUENCY, PHASE, OFFSET]],
    },
    build: |fields| {
        Ok(Arc::new(Sine {
            amplitude: fields.need_angle(&AMPLITUDE)?,
            frequency: fields.need(&FREQUENCY)?,
            phase: fields.angle(&PHASE)?.unwrap_or(0.0),
            offset: fields.angle(&OFFSET)?.unwrap_or(0.0),
        }))
    },
    describe: |function| {
        let sine: &Sine = function.downcast_ref()?;
        let fields = Fields::default().with(&AMPLITUDE, sine.amplitude);
        let fields = fields.with(&FREQUENCY, sine.frequency);
        Some(fields.with(&PHASE, sine.phase).with(&OFFSET, sine.offset))
    },
};
