//! A bar of the plane z = 0 along x.

use super::*;

mirror!(PlanarRod {
    length: LENGTH,
    mass: MASS
});

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
        Outline::Rod(own) => own.write(),
        _ => None,
    },
    size: |fields| Some([length::<2>(fields).ok()?, 1.0, 1.0]),
    places: |fields| along(0.5 * number(fields, &LENGTH).unwrap_or(0.0)),
    draw: |fields, like| {
        // Wide enough to be seen and held where it is all there is.
        let (length, (thin, uneven)) = (number(fields, &LENGTH)?, thickness(like));
        let width = thin.clamp(0.06 * length, 0.2 * length);
        let size = [length, width, uneven * width];
        Some(PartLook::at_origin(ShapeLook::Box { size }))
    },
    x: AxisOf::Bar,
    ..PLANAR
};
