//! A formula of the time t.

use super::*;
use crate::formula::TimeFormula;

const IS: Field = Field::new(
    "is",
    Form::Text,
    "The formula, of the time t in seconds: \"0.1*sin(tau*t)\", \"30deg*min(t, 2)\".",
)
.required();

pub(super) static TYPE: FunctionType = FunctionType {
    kind: Type::new(50, "formula", "A formula of the time t.", &[&[IS]]),
    build: |fields| Ok(Arc::new(TimeFormula::new(fields.need(&IS)?)?)),
    describe: |own| {
        let own = own.downcast_ref::<TimeFormula>()?;
        Some(Fields::default().with(&IS, own.text().to_owned()))
    },
};
