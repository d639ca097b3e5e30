//! Two points stay a distance apart.

use super::*;

mirror!(Distance { length: DISTANCE });

pub(super) static TYPE: JointType = JointType {
    // What is soft is a spring.
    describe: |held| match held.spring() {
        Some(_) => None,
        None => held.is::<Distance>()?.write(),
    },
    planar: true,
    glyph: Glyph {
        link: Link::Bar,
        ..Glyph::holding(Sign::Nothing)
    },
    frames: Framed::Never,
    joins: Some(90),
    ..JointType::of::<Distance>(Type::new(
        100,
        "distance",
        "Two points stay a distance apart.",
        &[SIDES, Distance::FIELDS],
    ))
};
