//! A number of body a, such as the area of a troid, has a value.

use super::*;

const VALUE: Field = Field::number("value", "", "In the unit of the number.").required();

mirror!(ScalarEquals { value: VALUE });

pub(super) static TYPE: JointType = JointType {
    sides: side,
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType::of::<ScalarEquals>(
        Type::new(
            260,
            "scalar",
            "A number of body a, such as the area of a troid, has a value.",
            &[&[A], ScalarEquals::FIELDS],
        )
        .called("held number"),
    )
};
