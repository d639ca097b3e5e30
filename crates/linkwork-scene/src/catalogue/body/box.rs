//! A block about its middle.

use super::*;

const BLOCK: Field = SIZE.required();

mirror!(Cuboid {
    size: BLOCK,
    mass: MASS
});

static PART: PartType = PartType {
    kind: Type::new(
        20,
        "box",
        "A block about its middle.",
        &[&[BLOCK, MASS, DENSITY], POSE],
    ),
    solid: Some(|fields| {
        let size: Vec3 = fields.need(&BLOCK)?;
        let mass = mass_of(fields, size[0] * size[1] * size[2])?;
        Ok(Cuboid { size, mass }.into())
    }),
    surface: |_| Ok(None),
    describe: |solid| match solid {
        Solid::Cuboid(own) => own.write(),
        _ => None,
    },
    shape: |fields| {
        let size = fields.get(&BLOCK).ok()??;
        Some(ShapeLook::Box { size })
    },
};

pub(super) static TYPE: BodyType = BodyType {
    size: edges,
    places: |fields| {
        let half = half_size(fields);
        let mut places = axis_ends("face", half);
        for corner in 0..8 {
            let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            places.push(("corner", [0, 1, 2].map(|k| sign(k) * half[k])));
        }
        places
    },
    offers: &[
        Offer::body(
            20,
            "plate",
            "A thin rectangle",
            [1.0, 0.6, 0.05],
            "M2 5 H14 V11 H2 Z",
        )
        .in_plane("planar-box"),
        Offer::body(
            40,
            "box",
            "A block",
            [1.0, 0.5, 0.5],
            "M2 6 L10 6 L10 14 L2 14 Z M2 6 L6 2 L14 2 L10 6 M14 2 L14 10 L10 14",
        )
        .in_plane("planar-box"),
    ],
    ..BodyType::solid(&PART, &[&[BLOCK, MASS, DENSITY], POSE, MOVING])
};
