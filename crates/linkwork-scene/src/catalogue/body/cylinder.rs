//! A cylinder along x, about its middle.

use linkwork::prelude::*;

use super::super::fields::{DENSITY, FROM, LENGTH, MASS, MOVING, POSE, RADIUS, TO};
use super::*;

static PART: PartType = PartType {
    kind: Type::new(
        40,
        "cylinder",
        "A cylinder along x, about its middle.",
        &[&[LENGTH, RADIUS, MASS, DENSITY], POSE],
    ),
    solid: |fields| {
        let (length, radius) = (length::<3>(fields)?, fields.need(&RADIUS)?);
        let mass = mass_of(fields, round(length, radius))?;
        Ok(Cylinder {
            radius,
            length,
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
        Solid::Cylinder(cylinder) => Some(
            Fields::default()
                .with(&LENGTH, cylinder.length)
                .with(&RADIUS, cylinder.radius)
                .with(&MASS, cylinder.mass),
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
    ..SPATIAL
};
