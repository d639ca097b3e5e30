//! A solid of nodes that deforms (Metaxas 1993, §3).

use linkwork::body::{SoftBody, SoftShape};

use super::soft::*;
use super::*;

const BLOCK: Field = Field::vector(
    "size",
    "m",
    "Of a block: its sizes along x, y and z, with \"cells\".",
);
const CELLS: Field = Field::new(
    "cells",
    Form::Fixed(3),
    "Of a block: the number of cells along x, y and z, six tetrahedra each.",
);
const TETRAHEDRA: Field = Field::new(
    "tetrahedra",
    Form::Rows(4, 4),
    "Of any solid: four of its \"vertices\" each; from the last the other three run clockwise.",
);

fn shape_of(fields: &Fields) -> Result<SoftShape, Fault> {
    one_of(fields, &[&BLOCK, &TETRAHEDRA])?;
    if let Some(size) = fields.get(&BLOCK)? {
        return Ok(SoftShape::Block {
            size,
            cells: counts(fields, &CELLS)?,
        });
    }
    let vertices: &[Vec3] = fields.need(&CORNERS)?;
    let rows: &[Vec<f64>] = fields.need(&TETRAHEDRA)?;
    let tetrahedra: Result<Vec<[u32; 4]>, Fault> =
        rows.iter().map(|row| whole(&TETRAHEDRA, row)).collect();
    Ok(SoftShape::Tetrahedra {
        vertices: vertices.to_vec(),
        tetrahedra: tetrahedra?,
    })
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        220,
        "soft-solid",
        "A solid that deforms, of tetrahedra: a rubber block, a beam.",
        &[
            &[
                BLOCK, CELLS, CORNERS, TETRAHEDRA, YOUNG, POISSON, HEAVY, SLOWING,
            ],
            POSE,
            MOVING,
        ],
    ),
    build: |fields| plain(SoftBody::solid(shape_of(fields)?, material(fields)?)?),
    describe: |body| {
        let own: &SoftBody = as_own(body)?;
        let fields = Fields::default();
        let fields = match own.shape() {
            SoftShape::Block { size, cells } => fields
                .with(&BLOCK, *size)
                .with(&CELLS, cells.map(f64::from)),
            SoftShape::Tetrahedra {
                vertices,
                tetrahedra,
            } => {
                let rows = tetrahedra.iter().map(|own| own.map(f64::from).to_vec());
                fields
                    .with(&CORNERS, vertices.clone())
                    .with(&TETRAHEDRA, rows.collect::<Vec<_>>())
            }
            _ => return None,
        };
        Some(write_material(fields, own))
    },
    motion: MotionForm::Nodes,
    scalars: SCALARS,
    magnitudes: &["volume"],
    ..SPATIAL
};
