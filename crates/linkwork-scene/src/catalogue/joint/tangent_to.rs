//! Two directions of the plane are parallel: the tangent of a curve and another, or a direction of the world.

use linkwork::constraint::ParallelInPlane;

use super::*;

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let connectors = sides(scene, entry)?.to_vec();
        let law = Arc::new(ParallelInPlane);
        let world = &mut scene.world;
        Ok(world.add_shared_constraint(&entry.name, law, &connectors)?)
    },
    describe: |held| held.is::<ParallelInPlane>().map(|_| Fields::default()),
    planar: true,
    frames: Framed::Directed,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            310,
            "tangent-to",
            "Two directions of the plane are parallel: a curve's tangent and another's, or a direction of the ground. With a \
             pin at the same places it joins curves smoothly.",
            &[&[A, B]],
        )
        .called("tangent to"),
        ..BLANK
    }
};
