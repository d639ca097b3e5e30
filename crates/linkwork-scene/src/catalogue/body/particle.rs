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
    palette: true,
    ..SPATIAL
};
