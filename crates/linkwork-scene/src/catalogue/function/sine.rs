//! offset + amplitude·sin(2π·frequency·t + phase).

use super::*;

const AMPLITUDE: Field = Field::angle(
    "amplitude",
    "amplitude_deg",
    "Greatest deviation from \"offset\".",
)
.in_unit("")
.required()
.lab(&InLab {
    hint: "± #",
    ..InLab::called("swing")
});
const OFFSET: Field = Field::angle("offset", "offset_deg", "Mean value.")
    .in_unit("")
    .default("0")
    .lab(&InLab::called("middle"));

mirror!(Sine {
    amplitude: AMPLITUDE,
    frequency: FREQUENCY,
    phase: PHASE,
    offset: OFFSET
});

pub(super) static TYPE: FunctionType = FunctionType::of::<Sine>(
    Type::new(
        30,
        "sine",
        "offset + amplitude·sin(2π·frequency·t + phase).",
        &[Sine::FIELDS],
    )
    .called("to and fro"),
);
