//! A constant value.

use super::*;

const VALUE: Field = Field::angle("value", "value_deg", "Its value.")
    .in_unit("")
    .required()
    .lab(&InLab::called(""));

mirror!(Constant { value: VALUE });

pub(super) static TYPE: FunctionType = FunctionType::of::<Constant>(
    Type::new(10, "constant", "A constant value.", &[Constant::FIELDS]).called("held still"),
);
