//! A bar of the plane z = 0 along x.

use linkwork::prelude::*;

use super::super::fields::{FROM, LENGTH, LINE_DENSITY, MASS, PLANAR_MOVING, PLANAR_POSE, TO};
use super::*;

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        100,
        "planar-rod",
        "A bar of the plane z = 0 along x.",
        &[
            &[LENGTH, FROM, TO, MASS, LINE_DENSITY],
            PLANAR_POSE,
            PLANAR_MOVING,
        ],
    )
    .called("rod"),
    build: |fields| {
        let length = length::<2>(fields)?;
        let mass = mass_of(fields, length)?;
        plain(PlanarRod { length, mass }.body()?)
    },
    describe: |body| match planar_of(body)?.outline? {
        Outline::Rod(rod) => Some(
            Fields::default()
                .with(&LENGTH, rod.length)
                .with(&MASS, rod.mass),
        ),
        _ => None,
    },
    size: |fields| Some([length::<2>(fields).ok()?, 1.0, 1.0]),
    places: |fields| along(0.5 * number(fields, &LENGTH).unwrap_or(0.0)),
    draw: |fields, like| {
        // Wide enough to be seen and held where it is all there is.
        let (length, (thin, uneven)) = (number(fields, &LENGTH)?, thickness(like));
        let width = thin.clamp(0.06 * length, 0.2 * length);
        Some(Part::at_origin(Shape::Cuboid([
            length,
            width,
            uneven * width,
        ])))
    },
    x: AxisOf::Bar,
    ..PLANAR
};
