//! The origin of a frame does not move along the frame's y.

use super::super::fields::A;
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "knife-edge",
        rank: 220,
        label: "knife edge",
        help: "The origin of a frame does not move along the frame's y.",
        fields: &[&[A]],
    },
    build: |scene, entry| {
        let a = side(scene, entry)?;
        add_law(scene, entry, KnifeEdge, vec![a])
    },
    describe: |held| held.is::<KnifeEdge>().map(|_| Fields::default()),
    planar: true,
    glyph: Glyph {
        sign: "knife-edge",
        slides: true,
        ..Glyph::MARK
    },
    ..BLANK
};
