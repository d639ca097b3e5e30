//! A point mass.

use linkwork::prelude::*;

use super::super::fields::{MASS, POSITION, Q, V, VELOCITY};
use super::*;

const HEAVY: Field = MASS.required();

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        90,
        "particle",
        "A point mass.",
        &[&[HEAVY, POSITION, VELOCITY, Q, V]],
    ),
    build: |fields| {
        let mass = fields.need(&HEAVY)?;
        plain(Particle { mass })
    },
    describe: |body| {
        let body: &dyn std::any::Any = body;
        let Particle { mass } = body.downcast_ref()?;
        Some(Fields::default().with(&HEAVY, *mass))
    },
    pose: PoseForm::Position,
    motion: MotionForm::Velocity,
    draw: |_, like| Some(PartLook::at_origin(ShapeLook::ball(0.015 * like.extent))),
    palette: true,
    ..SPATIAL
};
