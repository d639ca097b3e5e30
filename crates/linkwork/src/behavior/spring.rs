//! Springs between two points.
//!
//! With `d = x_b − x_a`, `l = |d|`, `n = d/l`, the force on b is `−(k·(l − l₀) + c·ḋ·n)·n` and the
//! force on a its opposite. Where the points coincide there is no direction n, and no force.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::{Error, check_fields};

/// A spring with a damper between two points, in space or in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Force per stretch, N/m.
    pub stiffness: f64,
    /// Length at which it rests; zero for a rubber band that pulls the points together.
    pub rest_length: f64,
    /// Force per rate of stretch, N·s/m.
    pub damping: f64,
}

fn length(inputs: &[Input<'_>]) -> f64 {
    let ends = inputs[0].x.iter().zip(inputs[1].x);
    ends.map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt()
}

impl Behavior for Spring {
    takes!([Point3; 2], in_plane: [Point2; 2]);

    fn validate(&self) -> Result<(), Error> {
        check_fields!(self, not_negative: stiffness, rest_length, damping)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
        let length = length(inputs);
        if length == 0.0 {
            return;
        }
        let [a, b] = [&inputs[0], &inputs[1]];
        let n = a.x.len();
        let mut along = [0.0; 3];
        let mut rate = 0.0;
        for k in 0..n {
            along[k] = (b.x[k] - a.x[k]) / length;
            rate += along[k] * (b.x_dot[k] - a.x_dot[k]);
        }
        let tension = self.stiffness * (length - self.rest_length) + self.damping * rate;
        for k in 0..n {
            out.on(0)[k] += tension * along[k];
            out.on(1)[k] -= tension * along[k];
        }
    }

    fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
        let stretch = length(inputs) - self.rest_length;
        0.5 * self.stiffness * stretch * stretch
    }

    fn changes_with_place(&self) -> bool {
        self.stiffness > 0.0
    }

    fn changes_with_motion(&self) -> bool {
        self.damping > 0.0
    }
}
