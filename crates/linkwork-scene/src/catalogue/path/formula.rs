//! A formula of the time t.

use super::*;
use crate::catalogue::Form;
use crate::formula::PathFormula;

const IS: Field = Field::new(
    "is",
    Form::Text,
    "The point, of the time t in seconds: \"[cos(t), sin(2*t)]\", in the plane or in space.",
)
.required();

pub(super) static TYPE: PathType = PathType {
    kind: Type::new(40, "formula", "A formula of the time t.", &[&[IS]]),
    build: |fields| Ok(Arc::new(PathFormula::new(fields.need(&IS)?)?)),
    describe: |own| {
        let own = own.downcast_ref::<PathFormula>()?;
        Some(Fields::default().with(&IS, own.text().to_owned()))
    },
    drawn: Drawn::At(|_| (0..=120).map(|k| f64::from(k) / 12.0).collect()),
};
