//! A smooth curve through keyframes.

use super::super::Form;
use super::*;

const KEYFRAMES: Field = Field::new(
    "keyframes",
    Form::Rows(3, 4),
    "[time, x, y, z], or [time, x, y] in the plane; at least two, with increasing times.",
)
.required();
const REPEAT: Field = Field::new(
    "repeat",
    Form::Flag,
    "Whether the curve goes round: the last keyframe is the first again.",
)
.default("false");

/// At most so many points are drawn.
const MOST: usize = 2000;

pub(super) static TYPE: PathType = PathType {
    kind: Type {
        word: "keyframes",
        rank: 30,
        label: "keyframes",
        help: "A smooth curve through keyframes, straight on beyond its ends unless it repeats.",
        fields: &[&[KEYFRAMES, REPEAT]],
    },
    build: |fields| {
        let rows: &[Vec<f64>] = fields.need(&KEYFRAMES)?;
        let point = |row: &[f64]| [row[1], row[2], row.get(3).copied().unwrap_or(0.0)];
        let knots: Vec<(f64, Vec3)> = rows.iter().map(|row| (row[0], point(row))).collect();
        Ok(Arc::new(match fields.or(&REPEAT, false)? {
            true => SplineTrajectory::periodic(&knots)?,
            false => SplineTrajectory::new(&knots)?,
        }))
    },
    describe: |path| {
        let spline: &SplineTrajectory = path.downcast_ref()?;
        let rows: Vec<_> = spline
            .knots()
            .map(|(t, [x, y, z])| vec![t, x, y, z])
            .collect();
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
