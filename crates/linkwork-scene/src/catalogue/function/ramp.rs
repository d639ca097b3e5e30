//! A value that grows evenly: `start + rate·t`.

use super::*;

const START: Field = Field::angle("start", "start_deg", "Value at t = 0.")
    .in_unit("")
    .default("0");
const RATE: Field = Field::angle("rate", "rate_deg", "The change per second.")
    .in_unit("")
    .required();

pub(super) static TYPE: FunctionType = FunctionType {
    kind: Type {
        word: "ramp",
        rank: 20,
        label: "ramp",
        help: "start + rate·t.",
        fields: &[&[START, RATE]],
    },
    build: |fields| {
        let start = fields.angle(&START)?.unwrap_or(0.0);
        let rate = fields.need_angle(&RATE)?;
        Ok(Arc::new(Ramp { start, rate }))
    },
    describe: |function| {
        let Ramp { start, rate } = function.downcast_ref()?;
        Some(Fields::default().with(&START, *start).with(&RATE, *rate))
    },
};
