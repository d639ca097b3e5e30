//! A curve, a surface or a point that a formula of named numbers makes.

use linkwork::body::{MaterialPoint, ShapeBody};

use super::*;
use crate::formula::ShapeFormula;

const NAMES: Field = Field::new(
    "names",
    Form::Texts,
    "Names of its numbers, which move it. Other formulas read number a of the body \"egg\" as egg.a.",
)
.required();
const START_VALUES: Field = Field::new(
    "values",
    Form::List,
    "The numbers at birth; one for each name.",
)
.required();
const CURVE: Field = Field::new(
    "curve",
    Form::Text,
    "The point at u, in the plane or in space: \"[cx, cy] + turn([a*cos(u), b*sin(u)], phi)\". Without \"u\" in it, and without the field \"u\", the body is one point.",
);
const SURFACE: Field = Field::new(
    "surface",
    Form::Text,
    "In place of \"curve\": the point at (u, v), in space: \"[u, v, h*(u^2 - v^2)]\".",
);
const RANGE: Field = Field::new(
    "u",
    Form::Texts,
    "The range of u, as formulas: [\"0\", \"tau\"].",
);
const CLOSED: Field = Field::new("closed", Form::Flag, "Whether its ends meet.").default("false");
const SECOND_RANGE: Field = Field::new(
    "range_v",
    Form::Texts,
    "Of a surface: the range of v, as formulas.",
);
const SECOND_CLOSED: Field = Field::new(
    "closed_v",
    Form::Flag,
    "Of a surface: whether its ends along v meet.",
)
.default("false");
const SPREAD: Field = Field::new(
    "by_length",
    Form::Flag,
    "Whether mass is uniform along the length or over the area at birth; else in u and v.",
)
.default("true");
const HEAVY: Field = MASS.required();

/// Parts of a curve over which mass lies, and points in each.
const CLOSED_PARTS: (usize, usize) = (32, 1);
const OPEN_PARTS: (usize, usize) = (8, 4);
/// The same of a surface, along each parameter.
const CLOSED_STRIPS: (usize, usize) = (16, 1);
const OPEN_STRIPS: (usize, usize) = (5, 2);

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        190,
        "formula",
        "A curve, a surface or a point that a formula of named numbers makes.",
        &[&[
            NAMES,
            START_VALUES,
            CURVE,
            SURFACE,
            RANGE,
            CLOSED,
            SECOND_RANGE,
            SECOND_CLOSED,
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
        let (text, is_surface) = match (fields.get(&CURVE)?, fields.get(&SURFACE)?) {
            (Some(curve), None) => (curve, false),
            (None, Some(surface)) => (surface, true),
            (None, None) => return Err(Fault::missing("curve", "where point u is")),
            (Some::<&str>(_), Some::<&str>(_)) => {
                let fault = Fault::at("surface", "stands beside \"curve\"");
                return Err(fault.hint("leave one of them out"));
            }
        };
        let parameters = [(&RANGE, &CLOSED), (&SECOND_RANGE, &SECOND_CLOSED)];
        let mut ranges = Vec::new();
        for (at, (range, closed)) in parameters.into_iter().enumerate() {
            let closed = fields.or(closed, false)?;
            let given: Option<&[String]> = fields.get(range)?;
            match given {
                Some(_) if at == 1 && !is_surface => {
                    let fault = Fault::at("range_v", "is of a surface, but this is a curve");
                    return Err(fault.hint("write the formula as \"surface\", or leave it out"));
                }
                Some(range) => ranges.push((range.to_vec(), closed)),
                None if closed || is_surface => {
                    return Err(Fault::missing(range.name, "where it begins and ends"));
                }
                None => {}
            }
        }
        let by_size = fields.or(&SPREAD, true)?;
        let parts = ranges.iter().map(|own| match (own.1, is_surface) {
            (true, false) => CLOSED_PARTS,
            (false, false) => OPEN_PARTS,
            (true, true) => CLOSED_STRIPS,
            (false, true) => OPEN_STRIPS,
        });
        let parts: Vec<(usize, usize)> = parts.collect();
        let map = ShapeFormula::new(text, (names, values), ranges)?;
        let mass: f64 = fields.need(&HEAVY)?;
        let points = match parts[..] {
            [along, across] => MaterialPoint::over(&map, mass, [along, across], by_size)?,
            _ => {
                let parts = parts.first().copied().unwrap_or(OPEN_PARTS);
                MaterialPoint::along(&map, mass, parts, by_size)?
            }
        };
        plain(ShapeBody::new(Arc::new(map), points)?.given(mass, by_size))
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let map: &dyn std::any::Any = own.map().as_ref();
        let formula: &ShapeFormula = map.downcast_ref()?;
        let text = match formula.ranges().len() {
            2 => &SURFACE,
            _ => &CURVE,
        };
        let mut fields = Fields::default()
            .with(&NAMES, formula.names().to_vec())
            .with(&START_VALUES, formula.values().to_vec())
            .with(text, formula.text().to_owned());
        let parameters = [(&RANGE, &CLOSED), (&SECOND_RANGE, &SECOND_CLOSED)];
        for ((range, closed), (text, is_closed)) in parameters.into_iter().zip(formula.ranges()) {
            fields.set(range, text.clone());
            fields = fields.unless(closed, *is_closed, false);
        }
        fields = fields.unless(&SPREAD, own.is_by_length(), true);
        Some(fields.with(&HEAVY, own.mass_given()))
    },
    pose: PoseForm::Coordinates,
    motion: MotionForm::Coordinates,
    scalars: &[("length", ShapeBody::LENGTH), ("area", ShapeBody::AREA)],
    magnitudes: &["length", "area"],
    ..SPATIAL
};
