//! A smooth curve through keyframes.

use super::super::Form;
use super::*;
use crate::track::rest::Resting;

const KEYFRAMES: Field = Field::new(
    "keyframes",
    Form::Rows(3, 4),
    "[time, x, y, z], or [time, x, y] in the plane; at least two, with increasing times.",
)
.required();
const REPEAT: Field = Field::new(
    "repeat",
    Form::Flag,
    "Whether the curve is periodic: the last keyframe equals the first.",
)
.default("false");
pub(super) const REST: Field = Field::new(
    "rest",
    Form::Flag,
    "Whether it is at rest before its first keyframe and after its last; it starts and stops with zero velocity.",
)
.default("false");

/// Fields of a curve that rests beyond its ends.
pub(super) fn resting(rows: Vec<Vec<f64>>) -> Fields {
    Fields::default().with(&KEYFRAMES, rows).with(&REST, true)
}

/// At most so many points are drawn.
const MOST: usize = 2000;

pub(super) static TYPE: PathType = PathType {
    kind: Type::new(
        30,
        "keyframes",
        "A smooth curve through keyframes, linear beyond its ends unless it repeats or rests.",
        &[&[KEYFRAMES, REPEAT, REST]],
    ),
    build: |fields| {
        let rows: &[Vec<f64>] = fields.need(&KEYFRAMES)?;
        let point = |row: &[f64]| [row[1], row[2], row.get(3).copied().unwrap_or(0.0)];
        let knots: Vec<(f64, Vec3)> = rows.iter().map(|row| (row[0], point(row))).collect();
        Ok(
            match (fields.or(&REPEAT, false)?, fields.or(&REST, false)?) {
                (true, true) => {
                    let problem = "a curve that goes round has no ends to rest at";
                    return Err(Fault::at(REST.name, problem).hint("give one of the two"));
                }
                (false, true) => Arc::new(Resting::new(&knots)?),
                (true, false) => Arc::new(SplineTrajectory::periodic(&knots)?),
                (false, false) => Arc::new(SplineTrajectory::new(&knots)?),
            },
        )
    },
    describe: |path| {
        let row = |&(t, [x, y, z]): &(f64, Vec3)| vec![t, x, y, z];
        if let Some(path) = path.downcast_ref::<Resting>() {
            return Some(resting(path.knots().iter().map(row).collect()));
        }
        let spline: &SplineTrajectory = path.downcast_ref()?;
        let rows: Vec<_> = spline.knots().map(|knot| row(&knot)).collect();
        let fields = Fields::default().with(&KEYFRAMES, rows);
        Some(fields.with_some(&REPEAT, spline.repeats().then_some(true)))
    },
    drawn: Drawn::At(|fields| {
        let rows: &[Vec<f64>] = fields.need(&KEYFRAMES).unwrap_or(&[]);
        let knots: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let n = (MOST / knots.len().max(1)).clamp(1, 16);
        let between = |pair: &[f64], k: usize| pair[0] + (pair[1] - pair[0]) * k as f64 / n as f64;
        let pairs = knots.windows(2);
        let times = pairs.flat_map(|pair| (0..n).map(move |k| between(pair, k)));
        times.chain(knots.last().copied()).collect()
    }),
};
