//! A bar along x, about its middle.

use linkwork::prelude::*;

use super::super::fields::{DENSITY, FROM, LENGTH, MASS, MOVING, POSE, RADIUS, TO};
use super::*;

static PART: PartType = PartType {
    kind: Type::new(
        10,
        "rod",
        "A bar along x, about its middle.",
        &[&[LENGTH, RADIUS, MASS, DENSITY], POSE],
    ),
    solid: |fields| {
        let (length, radius) = (length::<3>(fields)?, fields.need(&RADIUS)?);
        let mass = mass_of(fields, round(length, radius))?;
        Ok(Rod {
            length,
            radius,
            mass,
        }
        .into())
    },
    shape: |fields| {
        let (length, radius) = (number(fields, &LENGTH)?, number(fields, &RADIUS)?);
        Some(Shape::Cylinder { length, radius })
    },
};

pub(super) static TYPE: BodyType = BodyType {
    kind: Type {
        fields: &[&[LENGTH, RADIUS, FROM, TO, MASS, DENSITY], POSE, MOVING],
        ..PART.kind
    },
    build: |fields| rigid(&PART, fields),
    describe: |body| match solid_of(body)? {
        Solid::Rod(rod) => Some(
            Fields::default()
                .with(&LENGTH, rod.length)
                .with(&RADIUS, rod.radius)
                .with(&MASS, rod.mass),
        ),
        _ => None,
    },
    size: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(1.0);
        Some([length::<3>(fields).ok()?, radius, radius])
    },
    places: |fields| along(0.5 * number(fields, &LENGTH).unwrap_or(0.0)),
    draw: |fields, _| (PART.shape)(fields).map(Part::at_origin),
    part: Some(&PART),
    x: AxisOf::Bar,
    offers: &[Offer::body(
        10,
        "rod",
        "A straight bar",
        [1.0, 0.08, 0.08],
        "M2 13 L13 2 L14 3 L3 14 Z",
    )
    .in_plane("planar-rod")],
    ..SPATIAL
};
