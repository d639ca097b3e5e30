//! A smooth curve through keyframes.

use super::super::Form;
use super::*;

const KEYFRAMES: Field = Field::new(
    "keyframes",
    Form::Rows(2, 2),
    "[time, value] pairs, at least two, with increasing times.",
)
.required();

/// A function through keyframes: a spline of one number.
#[derive(Clone, Debug, PartialEq)]
struct Keyframes(SplineTrajectory);

impl DriveFunction for Keyframes {
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
    kind: Type {
        word: "keyframes",
        rank: 40,
        label: "keyframes",
        help: "A smooth curve through keyframes, straight on beyond its ends.",
        fields: &[&[KEYFRAMES]],
    },
    build: |fields| {
        let rows: &[Vec<f64>] = fields.need(&KEYFRAMES)?;
        let knots: Vec<_> = rows
            .iter()
            .map(|row| (row[0], [row[1], 0.0, 0.0]))
            .collect();
        Ok(Arc::new(Keyframes(SplineTrajectory::new(&knots)?)))
    },
    describe: |function| {
        let Keyframes(spline) = function.downcast_ref()?;
        let rows: Vec<_> = spline.knots().map(|(t, x)| vec![t, x[0]]).collect();
        Some(Fields::default().with(&KEYFRAMES, rows))
    },
};
