//! A sheet of the plane that deforms linearly.

use super::*;
use crate::export::outline::{triangles, twice_area};
use linkwork::math::{sym_eigen, transpose};

const HEAVY: Field = MASS.required();
const AREA: Field = Field::number("area", "m²", "Area at rest.").positive();
const SECOND_MOMENTS: Field = Field::vector(
    "second_moments",
    "kg·m²",
    "Second moments of mass about the center of mass: [xx, yy, xy].",
)
.lab(&InLab::role(Role::Kept));
const STRETCH: Field = Field::number("stiffness", "N/m", "Resistance to strain.")
    .not_negative()
    .default("0")
    .lab(&InLab::start(Start::Stiffness));
const AREA_STRETCH: Field =
    Field::number("area_stiffness", "N/m", "Resistance to a change of area.")
        .not_negative()
        .default("0")
        .lab(&InLab::start(Start::Stiffness));
const SLOWING: Field = Field::number("damping", "N·s/m", "Resistance to the rate of strain.")
    .not_negative()
    .default("0")
    .lab(&InLab::start(Start::Damping));

const OUTLINE: Field = Field::new(
    "outline",
    Form::Rows(2, 2),
    "Corners of its outline, m, in place of its size: they give its area, center and second moments.",
)
.lab(&InLab::role(Role::Kept));

/// The corners it is cut out along.
fn cut(fields: &Fields) -> Result<Option<Vec<[f64; 2]>>, Fault> {
    let rows: Option<&[Vec<f64>]> = fields.get(&OUTLINE)?;
    Ok(rows.map(|rows| rows.iter().map(|row| [row[0], row[1]]).collect()))
}

fn sheet_of(fields: &Fields) -> Result<Sheet, Fault> {
    let mass = fields.need(&HEAVY)?;
    if let Some(corners) = cut(fields)? {
        let mut others = [SIZE, COM, AREA, SECOND_MOMENTS].into_iter();
        if let Some(other) = others.find(|own| fields.has(own)) {
            let problem = format!("says what \"{}\" says too", other.name);
            return Err(Fault::at("outline", problem).hint("give one of them"));
        }
        return Ok(Sheet::polygon(&corners, mass)?);
    }
    if let Some(size) = fields.get(&SIZE)? {
        return Ok(Sheet::rectangle(size, mass)?);
    }
    let what = "[x, y] in m (or \"area\" and \"second_moments\")";
    let moments = fields.get(&SECOND_MOMENTS)?;
    Ok(Sheet {
        mass,
        com_body: fields.or(&COM, [0.0; 2])?,
        second_moments_body: moments.ok_or_else(|| Fault::missing("size", what))?,
        area: fields.need(&AREA)?,
    })
}

fn shape(fields: &Fields) -> Option<ShapeLook> {
    let Some(corners) = cut(fields).ok()? else {
        let corners = corners(&sheet_of(fields).ok()?);
        return Some(ShapeLook::Quad { corners });
    };
    Some(ShapeLook::Mesh {
        triangles: triangles(&corners),
        vertices: corners.iter().map(|own| [own[0], own[1], 0.0]).collect(),
    })
}

/// Its corners, counter-clockwise: those it was cut out along, or those of a rectangle.
pub(crate) fn outline(troid: &Troid) -> Vec<[f64; 2]> {
    let Some(outline) = &troid.outline else {
        return corners(&troid.sheet).to_vec();
    };
    let mut outline = outline.to_vec();
    if twice_area(&outline) < 0.0 {
        outline.reverse();
    }
    outline
}

/// The rectangle with the same second moments, about its principal axes: `S = m·edge²/12`.
pub(super) fn corners(sheet: &Sheet) -> [[f64; 2]; 4] {
    let [xx, yy, xy] = sheet.second_moments_body;
    let (moments, axes) = sym_eigen(&[xx, yy, 0.0, xy, 0.0, 0.0]);
    let axes = transpose(&axes);
    // One of the three axes is z; the other two are those of the sheet.
    let mut in_plane = (0..3).filter(|&k| axes[k][2].abs() < 0.5).map(|k| {
        let half = 0.5 * (12.0 * moments[k].max(0.0) / sheet.mass).sqrt();
        [half * axes[k][0], half * axes[k][1]]
    });
    let (a, b) = (in_plane.next(), in_plane.next());
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    // Counter-clockwise.
    let b = if a[0] * b[1] < a[1] * b[0] {
        [-b[0], -b[1]]
    } else {
        b
    };
    let corner = |(s, t): (f64, f64)| [0, 1].map(|k| sheet.com_body[k] + s * a[k] + t * b[k]);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner)
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        140,
        "troid",
        "A sheet of the plane that deforms linearly.",
        &[
            &[
                SIZE,
                OUTLINE,
                HEAVY,
                COM,
                AREA,
                SECOND_MOMENTS,
                STRETCH,
                AREA_STRETCH,
                SLOWING,
            ],
            PLANAR_POSE,
            &[Q, V],
        ],
    )
    .called("elastic sheet"),
    build: |fields| {
        plain(Troid {
            outline: cut(fields)?.map(Into::into),
            sheet: sheet_of(fields)?,
            stiffness: fields.or(&STRETCH, 0.0)?,
            area_stiffness: fields.or(&AREA_STRETCH, 0.0)?,
            damping: fields.or(&SLOWING, 0.0)?,
        })
    },
    describe: |body| {
        let troid: &Troid = as_own(body)?;
        let sheet = &troid.sheet;
        // A rectangle has second moments m·w²/12; it is one if its size gives the same bits.
        let [xx, yy, _] = sheet.second_moments_body;
        let size = [xx, yy].map(|moment| (12.0 * moment / sheet.mass).sqrt());
        let is_rectangle = Sheet::rectangle(size, sheet.mass).as_ref() == Ok(sheet);
        let mut fields = Fields::default();
        let is_cut = troid.outline.is_some();
        if let Some(outline) = &troid.outline {
            let rows: Vec<Vec<f64>> = outline.iter().map(|own| own.to_vec()).collect();
            fields.set(&OUTLINE, rows);
        } else if is_rectangle {
            fields.set(&SIZE, size);
        }
        fields.set(&HEAVY, sheet.mass);
        if !is_rectangle && !is_cut {
            fields.set(&COM, sheet.com_body);
            fields.set(&AREA, sheet.area);
            fields.set(&SECOND_MOMENTS, sheet.second_moments_body);
        }
        let fields = fields.unless(&STRETCH, troid.stiffness, 0.0);
        let fields = fields.unless(&AREA_STRETCH, troid.area_stiffness, 0.0);
        Some(fields.unless(&SLOWING, troid.damping, 0.0))
    },
    pose: PoseForm::Coordinates,
    motion: MotionForm::Coordinates,
    size: edges,
    places: rectangle,
    scalars: &[("area", Troid::AREA)],
    magnitudes: &["area"],
    draw: |fields, _| Some(PartLook::at_origin(shape(fields)?)),
    offers: &[Offer::body(
        70,
        "troid",
        "An elastic sheet of the plane",
        [1.0, 0.8, 0.0],
        "M3 4 Q8 2 13 5 Q12 9 14 13 Q8 11 2 13 Q4 8 3 4 Z",
    )
    .yielding(1.0 / 15.0, 0.075)],
    ..PLANAR
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_the_rectangles_they_were() {
        let corners = corners(&Sheet::rectangle([0.4, 0.2], 3.0).unwrap());
        for [x, y] in corners {
            assert!((x.abs() - 0.2).abs() < 1e-6, "{corners:?}");
            assert!((y.abs() - 0.1).abs() < 1e-6, "{corners:?}");
        }
    }
}
