//! A constant force along a's x, on b and against a.

use linkwork::behavior::Thrust;

use super::*;

const FORCE: Field = Field::number("force", "N", "Force along a's x.").required();

mirror!(Thrust { force: FORCE });

pub(super) static TYPE: BehaviorType = BehaviorType {
    glyph: Glyph::seated(Sign::Arrow),
    ..BehaviorType::of::<Thrust>(
        Type::new(
            41,
            "thrust",
            "A constant force along a's x, on b and against a.",
            &[BETWEEN, Thrust::FIELDS],
        ),
        Sides::Between,
    )
};
