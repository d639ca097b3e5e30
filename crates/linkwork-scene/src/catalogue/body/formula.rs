//! A curve or a point that a formula of named numbers makes.

use linkwork::body::{MaterialPoint, ShapeBody};

use super::*;
use crate::formula::ShapeFormula;

const NAMES: Field = Field::new(
    "names",
    Form::Texts,
    "Its numbers: what moves it. Other formulas read number a of the body \"egg\" as egg.a.",
)
.required();
const START_VALUES: Field = Field::new(
    "values",
    Form::List,
    "What the numbers are at birth; one for each name.",
)
.required();
const CURVE: Field = Field::new(
    "curve",
    Form::Text,
    "Where point u is, in the plane or in space: \"[cx, cy] + turn([a*cos(u), b*sin(u)], phi)\". Without \"u\" in it, and \
     without the field \"u\", the body is one point.",
)
.required();
const RANGE: Field = Field::new(
    "u",
    Form::Texts,
    "Where u begins and ends, as formulas: [\"0\", \"tau\"].",
);
const CLOSED: Field = Field::new("closed", Form::Flag, "Whether its ends meet.").default("false");
const SPREAD: Field = Field::new(
    "by_length",
    Form::Flag,
    "Whether mass lies evenly along the length at birth, or evenly in u.",
)
.default("true");
const HEAVY: Field = MASS.required();

/// Parts of a curve over which mass lies, and points in each.
const CLOSED_PARTS: (usize, usize) = (32, 1);
const OPEN_PARTS: (usize, usize) = (8, 4);

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        190,
        "formula",
        "A curve or a point that a formula of named numbers makes.",
        &[&[
            NAMES,
            START_VALUES,
            CURVE,
            RANGE,
            CLOSED,
            SPREAD,
            HEAVY,
            Q,
            V,
        ]],
    )
    .called("formula"),
    build: |fields| {
        let names: &[String] = fields.need(&NAMES)?;
        let values: &[f64] = fields.need(&START_VALUES)?;
        let text: &str = fields.need(&CURVE)?;
        let range: Option<&[String]> = fields.get(&RANGE)?;
        let closed = fields.or(&CLOSED, false)?;
        let map = ShapeFormula::new(text, (names, values), range, closed)?;
        let mass: f64 = fields.need(&HEAVY)?;
        let parts = if closed { CLOSED_PARTS } else { OPEN_PARTS };
        let points = MaterialPoint::along(&map, mass, parts, fields.or(&SPREAD, true)?)?;
        plain(ShapeBody::new(Arc::new(map), points)?.given(mass, fields.or(&SPREAD, true)?))
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let map: &dyn std::any::Any = own.map().as_ref();
        let formula: &ShapeFormula = map.downcast_ref()?;
        let mut fields = Fields::default()
            .with(&NAMES, formula.names().to_vec())
            .with(&START_VALUES, formula.values().to_vec())
            .with(&CURVE, formula.text().to_owned());
        if let Some(range) = formula.range() {
            fields.set(&RANGE, range.to_vec());
        }
        fields = fields.unless(&CLOSED, formula.is_closed(), false);
        fields = fields.unless(&SPREAD, own.is_by_length(), true);
        Some(fields.with(&HEAVY, own.mass_given()))
    },
    pose: PoseForm::Coordinates,
    motion: MotionForm::Coordinates,
    scalars: &[("length", ShapeBody::LENGTH), ("area", ShapeBody::AREA)],
    ..SPATIAL
};
