//! A shell of nodes that stretches and bends (Metaxas 1993, §3 and §6).

use linkwork::body::{SoftBody, SoftShape};

use super::soft::*;
use super::r#superquadric::{FORM, form_of, write_form};
use super::*;

const SHAPE: Field = Field::new(
    "shape",
    Form::Fields(FORM),
    "The superquadric that it is the surface of, with \"rings\".",
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
    "Of a rectangle: how many parts along x and y, two triangles each.",
);
const CORNERED: Field = Field::new(
    "triangles",
    Form::Triangles,
    "Of any surface: three of its \"vertices\" each, counter-clockwise as seen from outside.",
);
const THICKNESS: Field = Field::number("thickness", "m", "How thick it is.")
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
    ..SPATIAL
};
