//! Ground of heights over a grid.

use super::*;
use linkwork::body::FixedPose;
use linkwork::collide::HeightField;

use crate::catalogue::Form;

/// Heights of a row, at the most; with as many rows there are more than the engine takes.
const MOST: usize = 500_000;

pub(super) const HEIGHTS: Field = Field::new(
    "heights",
    Form::Rows(2, MOST),
    "Heights along x, m: rows along y, with the heights of each along z. The first one is over the origin.",
)
.required();
pub(super) const SPACING: Field = Field::numbers(
    "spacing",
    "m",
    "Spacing of rows and of the heights in a row: one number, or one for each.",
)
.positive()
.required();

/// The field that an entry says.
fn field(fields: &Fields) -> Result<HeightField, Fault> {
    let heights: &[Vec<f64>] = fields.need(&HEIGHTS)?;
    let spacing = match *fields.need::<&[f64]>(&SPACING)? {
        [both] => [both; 2],
        [rows, columns] => [rows, columns],
        ref other => {
            let problem = format!("has {} numbers", other.len());
            return Err(
                Fault::at("spacing", problem).hint("give one, or one along y and one along z")
            );
        }
    };
    Ok(HeightField::new(heights.to_vec(), spacing)?)
}

static PART: PartType = PartType {
    kind: Type::new(
        65,
        "height-field",
        "Ground of heights over a grid, solid below. As a body it is fixed.",
        &[&[HEIGHTS, SPACING], POSE],
    ),
    solid: None,
    surface: |fields| Ok(Some(Shape::HeightField(Arc::new(field(fields)?)))),
    describe: |_| None,
    shape: |fields| {
        let field = field(fields).ok()?;
        Some(ShapeLook::Mesh {
            vertices: field.surface().vertices().to_vec(),
            triangles: field.surface().triangles().to_vec(),
        })
    },
};

/// A body that is one is told as any other that does not move, with what is drawn of it.
pub(super) static TYPE: BodyType = BodyType {
    build: |fields| {
        let own = field(fields)?;
        let own = Fields::default()
            .with(&HEIGHTS, own.rows().to_vec())
            .with(&SPACING, own.spacing().to_vec());
        let view = BodyView {
            draw: vec![Entry::new(&PART, own)],
            ..BodyView::default()
        };
        Ok((Arc::new(Kinematic::new(FixedPose(pose(fields)?))), view))
    },
    pose: PoseForm::Prescribed,
    ..BodyType::solid(&PART, &[&[HEIGHTS, SPACING], POSE])
};
