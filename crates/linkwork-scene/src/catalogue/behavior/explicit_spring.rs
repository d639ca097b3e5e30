//! A spring with a damper as an explicit force. The joint spring may have any stiffness.

use super::*;

mirror!(Spring {
    stiffness: STIFFNESS,
    damping: DAMPING,
    rest_length: REST_LENGTH
});

pub(super) static TYPE: BehaviorType = BehaviorType {
    glyph: Glyph {
        link: Link::Coil,
        ..Glyph::holding(Sign::Nothing)
    },
    ..BehaviorType::of::<Spring>(
        Type::new(
            80,
            "explicit-spring",
            "A spring with a damper as an explicit force. The joint spring may have any stiffness.",
            &[&[A, B], Spring::FIELDS],
        )
        .called("explicit spring"),
        Sides::Between,
    )
};
