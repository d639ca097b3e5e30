//! A ball.

use linkwork::prelude::*;

use super::super::fields::{DENSITY, MASS, MOVING, POSE, RADIUS};
use super::*;

static PART: PartType = PartType {
    kind: Type::new(30, "sphere", "A ball.", &[&[RADIUS, MASS, DENSITY], POSE]).called("ball"),
    solid: |fields| {
        let radius = fields.need(&RADIUS)?;
        let mass = mass_of(fields, 4.0 / 3.0 * PI * radius * radius * radius)?;
        Ok(Sphere { radius, mass }.into())
    },
    shape: |fields| Some(Shape::Sphere(number(fields, &RADIUS)?)),
};

pub(super) static TYPE: BodyType = BodyType {
    kind: Type {
        fields: &[&[RADIUS, MASS, DENSITY], POSE, MOVING],
        ..PART.kind
    },
    build: |fields| rigid(&PART, fields),
    describe: |body| match solid_of(body)? {
        Solid::Sphere(sphere) => Some(
            Fields::default()
                .with(&RADIUS, sphere.radius)
                .with(&MASS, sphere.mass),
        ),
        _ => None,
    },
    size: |fields| Some([number(fields, &RADIUS)?; 3]),
    places: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(0.0);
        let mut places = Vec::new();
        for k in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut point = [0.0; 3];
                point[k] = sign * radius;
                places.push(("pole", point));
            }
        }
        places
    },
    draw: |fields, _| (PART.shape)(fields).map(Part::at_origin),
    part: Some(&PART),
    offers: &[Offer::body(
        50,
        "ball",
        "A ball; in flat scenes a small disc",
        [0.5; 3],
        "M8 2 a6 6 0 1 0 0.01 0 M2 8 Q8 11 14 8",
    )
    .round()
    .in_plane("planar-disc")],
    ..SPATIAL
};
