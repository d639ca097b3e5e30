//! A ball.

use super::*;

mirror!(Sphere {
    radius: RADIUS,
    mass: MASS
});

static PART: PartType = PartType {
    kind: Type::new(30, "sphere", "A ball.", &[&[RADIUS, MASS, DENSITY], POSE]).called("ball"),
    solid: Some(|fields| {
        let radius = fields.need(&RADIUS)?;
        let mass = mass_of(fields, 4.0 / 3.0 * PI * radius * radius * radius)?;
        Ok(Sphere { radius, mass }.into())
    }),
    surface: |_| Ok(None),
    describe: |solid| match solid {
        Solid::Sphere(own) => own.write(),
        _ => None,
    },
    shape: |fields| Some(ShapeLook::ball(number(fields, &RADIUS)?)),
};

pub(super) static TYPE: BodyType = BodyType {
    size: |fields| Some([number(fields, &RADIUS)?; 3]),
    places: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(0.0);
        axis_ends("pole", [radius; 3])
    },
    offers: &[Offer::body(
        50,
        "ball",
        "A ball; in flat scenes a small disc",
        [0.5; 3],
        "M8 2 a6 6 0 1 0 0.01 0 M2 8 Q8 11 14 8",
    )
    .round()
    .in_plane("planar-disc")],
    ..BodyType::solid(&PART, &[&[RADIUS, MASS, DENSITY], POSE, MOVING])
};
