//! A shell of nodes that stretches and bends (Metaxas 1993, §3 and §6).

use linkwork::body::{SoftBody, SoftShape};

use super::soft::*;
use super::r#superquadric::{FORM, form_of, write_form};
use super::*;

const SHAPE: Field = Field::new(
    "shape",
    Form::Fields(FORM),
    "The superquadric whose surface it is, with \"rings\".",
);
const RINGS: Field = Field::new(
    "rings",
    Form::Fixed(2),
    "Of a shape: bands from pole to pole, and nodes of a parallel.",
)
.default("[10, 16]");
const SHEET: Field = Field::new(
    "size",
    Form::Fixed(2),
    "Of a rectangle of the plane z = 0: its sizes along x and y, m, with \"cells\".",
);
const CELLS: Field = Field::new(
    "cells",
    Form::Fixed(2),
    "Of a rectangle: the number of cells along x and y, two triangles each.",
);
const CORNERED: Field = Field::new(
    "triangles",
    Form::Triangles,
    "Of any surface: three of its \"vertices\" each, counter-clockwise as seen from outside.",
);
const THICKNESS: Field = Field::number("thickness", "m", "Thickness.")
    .positive()
    .required();

const DEFAULT_RINGS: [f64; 2] = [10.0, 16.0];

fn shape_of(fields: &Fields) -> Result<SoftShape, Fault> {
    one_of(fields, &[&SHAPE, &SHEET, &CORNERED])?;
    if let Some(form) = fields.get::<&Fields>(&SHAPE)? {
        return Ok(SoftShape::Rings {
            form: form_of(form).under(SHAPE.name)?,
            rings: whole(&RINGS, &fields.or(&RINGS, DEFAULT_RINGS)?)?,
        });
    }
    if let Some(size) = fields.get(&SHEET)? {
        return Ok(SoftShape::Sheet {
            size,
            cells: counts(fields, &CELLS)?,
        });
    }
    let vertices: &[Vec3] = fields.need(&CORNERS)?;
    let triangles: &[[u32; 3]] = fields.need(&CORNERED)?;
    Ok(SoftShape::Surface {
        vertices: vertices.to_vec(),
        triangles: triangles.to_vec(),
    })
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        210,
        "soft-shell",
        "A thin shell that stretches and bends, of triangles: a balloon, a skin, a strip.",
        &[
            &[
                SHAPE, RINGS, SHEET, CELLS, CORNERS, CORNERED, THICKNESS, YOUNG, POISSON, HEAVY,
                SLOWING,
            ],
            POSE,
            MOVING,
        ],
    ),
    build: |fields| {
        let shape = shape_of(fields)?;
        plain(SoftBody::shell(
            shape,
            fields.need(&THICKNESS)?,
            material(fields)?,
        )?)
    },
    describe: |body| {
        let own: &SoftBody = as_own(body)?;
        let thickness = own.thickness()?;
        let fields = Fields::default();
        let numbers = |counts: &[u32]| counts.iter().map(|&n| f64::from(n)).collect::<Vec<_>>();
        let fields = match own.shape() {
            SoftShape::Rings { form, rings } => fields
                .with(&SHAPE, Value::Fields(write_form(form)))
                .unless(&RINGS, numbers(rings), DEFAULT_RINGS.to_vec()),
            SoftShape::Sheet { size, cells } => {
                fields.with(&SHEET, *size).with(&CELLS, numbers(cells))
            }
            SoftShape::Surface {
                vertices,
                triangles,
            } => fields
                .with(&CORNERS, vertices.clone())
                .with(&CORNERED, triangles.clone()),
            _ => return None,
        };
        Some(write_material(fields.with(&THICKNESS, thickness), own))
    },
    motion: MotionForm::Nodes,
    scalars: SCALARS,
    magnitudes: &["volume"],
    // Rubber, such that it carries itself when it is blown up by an eighth: at a pressure p it grows by p·r/(2·E·h),
    // p/400 Pa.
    offers: &[Offer::body(
        47,
        "balloon",
        "A balloon of rubber; its inspector has a slider that blows it up",
        [1.0, 1.0, 1.0],
        "M8 1.5 C12.5 1.5 13 6 11 9 C10 10.5 9 11 8 11 C7 11 6 10.5 5 9 C3 6 3.5 1.5 8 1.5 Z M8 11 L7 12.5 H9 L8 11 M8 12.5 V15",
    )
    .round()
    .by_middle()
    .blown(Blown {
        thickness: 2e-4,
        young: 1e6,
        poisson: 0.45,
        density: 1100.0,
        damping: 2e-3,
        rings: [8.0, 8.0],
        pressure: [20.0, 250.0],
        lighter: 0.45,
    })],
    ..SPATIAL
};
