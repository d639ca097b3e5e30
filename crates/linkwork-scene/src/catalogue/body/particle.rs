//! A point mass.

use super::*;

const HEAVY: Field = MASS.required();

mirror!(Particle { mass: HEAVY });

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        90,
        "particle",
        "A point mass.",
        &[&[HEAVY, POSITION, VELOCITY, Q, V]],
    ),
    build: |fields| plain(Particle::read(fields)?),
    describe: |body| as_own::<Particle>(body)?.write(),
    pose: PoseForm::Position,
    motion: MotionForm::Velocity,
    draw: |_, like| Some(PartLook::at_origin(ShapeLook::ball(0.015 * like.extent))),
    offers: &[Offer::body(
        60,
        "particle",
        "A heavy point",
        [0.1; 3],
        "M8 6 a2 2 0 1 0 0.01 0",
    )
    .round()
    .by_middle()
    .in_plane("planar-disc")],
    ..SPATIAL
};
