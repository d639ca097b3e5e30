//! A solid that is stretched and sheared as a whole.

use linkwork::body::{Matter, ShapeBody};
use linkwork::shape::N_COORDINATES;

use super::superquadric::{
    DRAG, FORM, POISSON, YIELD, YOUNG, displacement_of, extent, form_of, matter_of, write_form,
    write_matter,
};
use super::*;

/// The place of a number behind the coordinates of the shape.
const fn own(k: u32) -> u32 {
    N_COORDINATES as u32 + k
}

/// As soft as jelly, Pa.
const JELLY: f64 = 1e4;
const STIFF: Field = YOUNG.default("10000");

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        205,
        "affine",
        "An elastic solid that is stretched and sheared as a whole; a box, a ball or any other superquadric at birth.",
        &[
            FORM,
            &[MASS, DENSITY, STIFF, POISSON, DRAG, YIELD],
            POSE,
            MOVING,
        ],
    ),
    build: |fields| {
        let form = form_of(fields)?;
        let matter = Matter {
            displacement: Some(displacement_of(fields, None, fields.or(&YOUNG, JELLY)?)?),
            ..matter_of(fields, form.volume())?
        };
        plain(ShapeBody::superquadric(form, matter)?)
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let (map, matter) = own.as_superquadric()?;
        let is_affine = matter.displacement?.modes.is_none();
        is_affine.then(|| write_matter(write_form(map.born()), matter))
    },
    size: extent,
    scalars: &[
        ("stretch1", own(0)),
        ("stretch2", own(1)),
        ("stretch3", own(2)),
        ("shear12", own(3)),
        ("shear13", own(4)),
        ("shear23", own(5)),
        ("volume", ShapeBody::VOLUME),
    ],
    magnitudes: &["volume"],
    deforms: true,
    ..SPATIAL
};
