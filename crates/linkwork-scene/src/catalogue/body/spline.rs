//! A curve with control points: polylines, Bézier curves, B-splines and NURBS of the plane and of space.

use linkwork::body::{Elasticity, ShapeBody};
use linkwork::shape::{MAX_DEGREE, Spline};

use super::*;

const POINTS: Field = Field::new(
    "points",
    Form::Rows(2, 3),
    "Control points at birth, m: two numbers each in the plane, three in space.",
)
.required();
const DEGREE: Field = Field::new(
    "degree",
    Form::Count(MAX_DEGREE as u64),
    "1 to 5: 1 is a polyline; as many points as the degree and one more, open, are a Bézier curve.",
)
.default("3");
const CLOSED: Field = Field::new("closed", Form::Flag, "Whether its ends meet.").default("false");
const WEIGHTS: Field = Field::new(
    "weights",
    Form::List,
    "Weight of each point (NURBS); all equal when left out.",
);
const HEAVY: Field = MASS.required();
const MEMBRANE: Field = Field::number(
    "membrane",
    "N",
    "Tension, as of a taut string: energy per length.",
)
.not_negative()
.default("0");
const PLATE: Field = Field::number("plate", "N·m²", "Bending stiffness. Straight at rest.")
    .not_negative()
    .default("0");
const SLOWING: Field = Field::number(
    "damping",
    "s",
    "Damping time of membrane and plate: rates count like values times this.",
)
.not_negative()
.default("0");
const REACH: Field = Field::number(
    "reach",
    "m",
    "The length over which a pull moves it, in worlds without momentum.",
)
.not_negative()
.default("0");

fn spline_of(fields: &Fields) -> Result<Spline, Fault> {
    let rows: &[Vec<f64>] = fields.need(&POINTS)?;
    let n = rows.first().map_or(2, Vec::len);
    if let Some(at) = rows.iter().position(|row| row.len() != n) {
        let problem = format!("has {n} numbers first and {} at place {at}", rows[at].len());
        return Err(Fault::at("points", problem).hint("give two for each point, or three"));
    }
    let (degree, closed) = (fields.or(&DEGREE, 3usize)?, fields.or(&CLOSED, false)?);
    let number = |row: &Vec<f64>, k: usize| row.get(k).copied().unwrap_or(0.0);
    let spline = match n {
        2 => {
            let points: Vec<_> = rows
                .iter()
                .map(|row| [number(row, 0), number(row, 1)])
                .collect();
            Spline::in_plane(&points, degree, closed)
        }
        _ => {
            let points: Vec<Vec3> = rows
                .iter()
                .map(|row| [0, 1, 2].map(|k| number(row, k)))
                .collect();
            Spline::in_space(&points, degree, closed)
        }
    };
    Ok(match fields.get::<&[f64]>(&WEIGHTS)? {
        Some(weights) => spline.with_weights(weights.to_vec()),
        None => spline,
    })
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        180,
        "spline",
        "A curve with control points, of the plane or of space.",
        &[&[
            POINTS, DEGREE, CLOSED, WEIGHTS, HEAVY, MEMBRANE, PLATE, SLOWING, REACH, Q, V,
        ]],
    ),
    build: |fields| {
        let elasticity = Elasticity {
            membrane: fields.or(&MEMBRANE, 0.0)?,
            plate: fields.or(&PLATE, 0.0)?,
            damping: fields.or(&SLOWING, 0.0)?,
            reach: fields.or(&REACH, 0.0)?,
        };
        plain(ShapeBody::spline(
            spline_of(fields)?,
            fields.need(&HEAVY)?,
            elasticity,
        )?)
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let elasticity = own.elasticity();
        let map: &dyn std::any::Any = own.map().as_ref();
        let spline: &Spline = map.downcast_ref()?;
        let n = own.map().dimension();
        let points: Vec<Vec<f64>> = spline.points().iter().map(|x| x[..n].to_vec()).collect();
        let mut fields = Fields::default().with(&POINTS, points);
        fields = fields.unless(&DEGREE, spline.degree(), 3);
        fields = fields.unless(&CLOSED, spline.is_closed(), false);
        if let Some(weights) = spline.weights() {
            fields.set(&WEIGHTS, weights);
        }
        fields.set(&HEAVY, own.mass_given());
        fields = fields.unless(&MEMBRANE, elasticity.membrane, 0.0);
        fields = fields.unless(&PLATE, elasticity.plate, 0.0);
        fields = fields.unless(&SLOWING, elasticity.damping, 0.0);
        Some(fields.unless(&REACH, elasticity.reach, 0.0))
    },
    pose: PoseForm::Coordinates,
    motion: MotionForm::Coordinates,
    scalars: &[("length", ShapeBody::LENGTH), ("area", ShapeBody::AREA)],
    magnitudes: &["length", "area"],
    ..SPATIAL
};
