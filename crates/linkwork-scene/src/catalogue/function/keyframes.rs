//! A smooth curve through keyframes.

use super::super::Form;
use super::*;
use crate::track::rest::Resting;

const KEYFRAMES: Field = Field::new(
    "keyframes",
    Form::Rows(2, 2),
    "[time, value] pairs, at least two, with increasing times.",
)
.required();
const REST: Field = Field::new(
    "rest",
    Form::Flag,
    "Whether it is at rest before its first keyframe and after its last; it starts and stops with zero velocity.",
)
.default("false");

/// A function through keyframes: a spline of one number.
#[derive(Clone, Debug, PartialEq)]
struct Keyframes<T>(T);

impl<T: Trajectory> DriveFunction for Keyframes<T> {
    fn value(&self, t: f64) -> f64 {
        self.0.position(t)[0]
    }
    fn rate(&self, t: f64) -> f64 {
        self.0.velocity(t)[0]
    }
    fn acceleration(&self, t: f64) -> f64 {
        self.0.acceleration(t)[0]
    }
}

pub(super) static TYPE: FunctionType = FunctionType {
    kind: Type::new(
        40,
        "keyframes",
        "A smooth curve through keyframes, linear beyond its ends unless it rests.",
        &[&[KEYFRAMES, REST]],
    ),
    build: |fields| {
        let rows: &[Vec<f64>] = fields.need(&KEYFRAMES)?;
        let knots: Vec<_> = rows
            .iter()
            .map(|row| (row[0], [row[1], 0.0, 0.0]))
            .collect();
        Ok(match fields.or(&REST, false)? {
            true => Arc::new(Keyframes(Resting::new(&knots)?)),
            false => Arc::new(Keyframes(SplineTrajectory::new(&knots)?)),
        })
    },
    describe: |function| {
        let row = |t: f64, x: [f64; 3]| vec![t, x[0]];
        if let Some(Keyframes(path)) = function.downcast_ref::<Keyframes<Resting>>() {
            let rows: Vec<_> = path.knots().iter().map(|own| row(own.0, own.1)).collect();
            return Some(Fields::default().with(&KEYFRAMES, rows).with(&REST, true));
        }
        let Keyframes(spline): &Keyframes<SplineTrajectory> = function.downcast_ref()?;
        let rows: Vec<_> = spline.knots().map(|(t, x)| row(t, x)).collect();
        Some(Fields::default().with(&KEYFRAMES, rows))
    },
};
