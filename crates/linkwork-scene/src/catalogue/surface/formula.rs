//! A formula of x, y and z.

use super::*;
use crate::catalogue::Form;
use crate::formula::SurfaceFormula;

const IS: Field = Field::new(
    "is",
    Form::Text,
    "A function of x, y and z in the frame, zero on the surface and negative inside: \"x^2 + y^2/4 + z^2 - 1\"; or left == right.",
)
.required();

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type::new(
        60,
        "formula",
        "The zero set of a formula of x, y and z.",
        &[&[IS]],
    ),
    build: |fields| Ok(Arc::new(SurfaceFormula::new(fields.need(&IS)?)?)),
    describe: |own| {
        let own = own.downcast_ref::<SurfaceFormula>()?;
        Some(Fields::default().with(&IS, own.text().to_owned()))
    },
    is_formula: true,
};
