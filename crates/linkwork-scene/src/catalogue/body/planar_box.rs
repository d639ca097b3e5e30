//! A rectangle of the plane.

use super::*;

const EDGES: Field = SIZE.required();

mirror!(PlanarBox {
    size: EDGES,
    mass: MASS
});

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        110,
        "planar-box",
        "A rectangle of the plane.",
        &[&[EDGES, MASS, AREA_DENSITY], PLANAR_POSE, PLANAR_MOVING],
    )
    .called("plate"),
    build: |fields| {
        let size: [f64; 2] = fields.need(&EDGES)?;
        let mass = mass_of(fields, size[0] * size[1])?;
        plain(PlanarBox { size, mass }.body()?)
    },
    describe: |body| match planar_of(body)?.outline? {
        Outline::Box(own) => own.write(),
        _ => None,
    },
    size: edges,
    places: rectangle,
    draw: |fields, like| {
        let ([x, y], (thin, uneven)) = (fields.get::<[f64; 2]>(&EDGES).ok()??, thickness(like));
        let depth = uneven * thin.min(0.5 * x.min(y));
        let size = [x, y, depth];
        Some(PartLook::at_origin(ShapeLook::Box { size }))
    },
    ..PLANAR
};
