//! The origin of a frame does not move along the frame's y.

use super::*;

mirror!(KnifeEdge {});

pub(super) static TYPE: JointType = JointType {
    sides: side,
    planar: true,
    glyph: Glyph {
        sign: Sign::Blade,
        slides: true,
        ..Glyph::MARK
    },
    ..JointType::of::<KnifeEdge>(
        Type::new(
            220,
            "knife-edge",
            "The origin of a frame does not move along the frame's y.",
            &[&[A]],
        )
        .called("knife edge"),
    )
};
