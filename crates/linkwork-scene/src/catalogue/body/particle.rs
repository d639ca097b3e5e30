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
    draw: |_, like| Some(Part::at_origin(Shape::Sphere(0.015 * like.extent))),
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
