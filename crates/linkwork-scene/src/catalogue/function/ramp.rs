//! start + rate·t.

use super::*;

const START: Field = Field::angle("start", "start_deg", "Value at t = 0.")
    .in_unit("")
    .default("0")
    .lab(&InLab::role(Role::Kept));
const RATE: Field = Field::angle("rate", "rate_deg", "The change per second.")
    .in_unit("")
    .required()
    .lab(&InLab {
        hint: "#/s",
        ..InLab::called("speed")
    });

mirror!(Ramp {
    start: START,
    rate: RATE
});

pub(super) static TYPE: FunctionType = FunctionType::of::<Ramp>(
    Type::new(20, "ramp", "start + rate·t.", &[Ramp::FIELDS]).called("steady"),
);
