//! A wheel whose axle is x.

use super::*;

const THICKNESS: Field = Field::number("thickness", "m", "Thickness along x.")
    .positive()
    .required()
    .lab(&InLab::measure(Measure::Along));

mirror!(Disc {
    radius: RADIUS,
    thickness: THICKNESS,
    mass: MASS
});

static PART: PartType = PartType {
    kind: Type::new(
        50,
        "disc",
        "A wheel whose axle is x.",
        &[&[RADIUS, THICKNESS, MASS, DENSITY], POSE],
    ),
    solid: Some(|fields| {
        let (radius, thickness) = (fields.need(&RADIUS)?, fields.need(&THICKNESS)?);
        let mass = mass_of(fields, round(thickness, radius))?;
        Ok(Disc {
            radius,
            thickness,
            mass,
        }
        .into())
    }),
    surface: |_| Ok(None),
    describe: |solid| match solid {
        Solid::Disc(own) => own.write(),
        _ => None,
    },
    shape: |fields| {
        let (length, radius) = (number(fields, &THICKNESS)?, number(fields, &RADIUS)?);
        Some(ShapeLook::Cylinder { length, radius })
    },
};

pub(super) static TYPE: BodyType = BodyType {
    size: |fields| {
        let radius = number(fields, &RADIUS)?;
        Some([number(fields, &THICKNESS)?, radius, radius])
    },
    places: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(0.0);
        ABOUT
            .map(|[s, t]| ("rim", [0.0, s * radius, t * radius]))
            .to_vec()
    },
    x: AxisOf::Wheel,
    offers: &[Offer::body(
        30,
        "disc",
        "A wheel",
        [0.1, 1.0, 1.0],
        "M8 2 a6 6 0 1 0 0.01 0 M8 7 a1 1 0 1 0 0.01 0",
    )
    .round()
    .in_plane("planar-disc")],
    ..BodyType::solid(&PART, &[&[RADIUS, THICKNESS, MASS, DENSITY], POSE, MOVING])
};
