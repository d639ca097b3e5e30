//! A disc of the plane.

use super::*;

mirror!(PlanarDisc {
    radius: RADIUS,
    mass: MASS
});

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        120,
        "planar-disc",
        "A disc of the plane.",
        &[&[RADIUS, MASS, AREA_DENSITY], PLANAR_POSE, PLANAR_MOVING],
    )
    .called("disc"),
    build: |fields| {
        let radius = fields.need(&RADIUS)?;
        let mass = mass_of(fields, PI * radius * radius)?;
        plain(PlanarDisc { radius, mass }.body()?)
    },
    describe: |body| match planar_of(body)?.outline? {
        Outline::Disc(own) => own.write(),
        _ => None,
    },
    size: |fields| Some([number(fields, &RADIUS)?; 3]),
    places: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(0.0);
        ABOUT
            .map(|[s, t]| ("rim", [s * radius, t * radius, 0.0]))
            .to_vec()
    },
    draw: |fields, like| Some(flat_disc(number(fields, &RADIUS)?, [0.0; 2], like)),
    ..PLANAR
};
