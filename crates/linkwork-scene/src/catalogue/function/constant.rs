//! A value that stays.

use super::*;

const VALUE: Field = Field::angle("value", "value_deg", "Its value.")
    .in_unit("")
    .required();

pub(super) static TYPE: FunctionType = FunctionType {
    kind: Type {
        word: "constant",
        rank: 10,
        label: "constant",
        help: "A value that stays.",
        fields: &[&[VALUE]],
    },
    build: |fields| {
        let value = fields.need_angle(&VALUE)?;
        Ok(Arc::new(Constant { value }))
    },
    describe: |function| {
        let Constant { value } = function.downcast_ref()?;
        Some(Fields::default().with(&VALUE, *value))
    },
};
