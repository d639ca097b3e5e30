//! A number of body a, such as the area of a troid, has a value.

use linkwork::constraint::RowUnit;

use super::*;

const VALUE: Field = Field::number("value", "", "In the unit of the number.").required();

impl Mirror for ScalarEquals {
    const FIELDS: &'static [Field] = &[VALUE];

    fn read(fields: &Fields) -> Result<Self, Fault> {
        Ok(Self::area(fields.own(&VALUE)?))
    }

    /// A file has words for areas only.
    fn write(&self) -> Option<Fields> {
        let is_area = self.unit == RowUnit::SquareMeter;
        is_area.then(|| Fields::default().with(&VALUE, self.value))
    }
}

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
