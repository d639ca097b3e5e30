//! A cylinder along x, about its middle.

use super::*;

mirror!(Cylinder {
    length: LENGTH,
    radius: RADIUS,
    mass: MASS
});

static PART: PartType = PartType {
    kind: Type::new(
        40,
        "cylinder",
        "A cylinder along x, about its middle.",
        &[&[LENGTH, RADIUS, MASS, DENSITY], POSE],
    ),
    solid: Some(|fields| {
        let (length, radius) = (length::<3>(fields)?, fields.need(&RADIUS)?);
        let mass = mass_of(fields, round(length, radius))?;
        Ok(Cylinder {
            radius,
            length,
            mass,
        }
        .into())
    }),
    surface: |_| Ok(None),
    describe: |solid| match solid {
        Solid::Cylinder(own) => own.write(),
        _ => None,
    },
    shape: |fields| {
        let (length, radius) = (number(fields, &LENGTH)?, number(fields, &RADIUS)?);
        Some(ShapeLook::Cylinder { length, radius })
    },
};

pub(super) static TYPE: BodyType = BodyType {
    size: |fields| {
        let radius = number(fields, &RADIUS).unwrap_or(1.0);
        Some([length::<3>(fields).ok()?, radius, radius])
    },
    places: |fields| along(0.5 * number(fields, &LENGTH).unwrap_or(0.0)),
    x: AxisOf::Bar,
    ..BodyType::solid(
        &PART,
        &[&[LENGTH, RADIUS, FROM, TO, MASS, DENSITY], POSE, MOVING],
    )
};
