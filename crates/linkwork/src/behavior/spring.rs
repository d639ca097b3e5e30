//! Springs between two points.
//!
//! With `d = x_b − x_a`, `l = |d|`, `n = d/l`, the force on b is `−(k·(l − l₀) + c·ḋ·n)·n` and the
//! force on a its opposite. Where the points coincide there is no direction n, and no force.

use super::{Behavior, Forces};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;

/// A spring with a damper between two points in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Force per stretch, N/m.
    pub stiffness: f64,
    /// Length at which it rests; zero for a rubber band that pulls the points together.
    pub rest_length: f64,
    /// Force per rate of stretch, N·s/m.
    pub damping: f64,
}

/// A spring with a damper between two points in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarSpring {
    /// Force per stretch, N/m.
    pub stiffness: f64,
    /// Length at which it rests; zero for a rubber band that pulls the points together.
    pub rest_length: f64,
    /// Force per rate of stretch, N·s/m.
    pub damping: f64,
}

fn length<const N: usize>(inputs: &[Input<'_>]) -> f64 {
    let stretch = |k: usize| inputs[1].x[k] - inputs[0].x[k];
    (0..N).map(|k| stretch(k) * stretch(k)).sum::<f64>().sqrt()
}

/// Writes both forces, of `N` components each; `tension` is given length and rate of length.
fn pull<const N: usize>(
    inputs: &[Input<'_>],
    out: &mut Forces<'_>,
    tension: impl Fn(f64, f64) -> f64,
) {
    let length = length::<N>(inputs);
    if length == 0.0 {
        return;
    }
    let mut along = [0.0; N];
    let mut rate = 0.0;
    for k in 0..N {
        along[k] = (inputs[1].x[k] - inputs[0].x[k]) / length;
        rate += along[k] * (inputs[1].x_dot[k] - inputs[0].x_dot[k]);
    }
    let tension = tension(length, rate);
    for k in 0..N {
        out.on(0)[k] += tension * along[k];
        out.on(1)[k] -= tension * along[k];
    }
}

macro_rules! spring {
    ($name:ident, $kind:ident, $n:literal) => {
        impl Behavior for $name {
            fn inputs(&self) -> &[ConnectorKind] {
                &[ConnectorKind::$kind, ConnectorKind::$kind]
            }

            fn validate(&self) -> Result<(), Invalid> {
                Invalid::require_not_negative("stiffness", self.stiffness)?;
                Invalid::require_not_negative("rest_length", self.rest_length)?;
                Invalid::require_not_negative("damping", self.damping)
            }

            fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Forces<'_>) {
                pull::<$n>(inputs, out, |length, rate| {
                    self.stiffness * (length - self.rest_length) + self.damping * rate
                });
            }

            fn energy(&self, _t: f64, inputs: &[Input<'_>]) -> f64 {
                let stretch = length::<$n>(inputs) - self.rest_length;
                0.5 * self.stiffness * stretch * stretch
            }
        }
    };
}

spring!(Spring, Point3, 3);
spring!(PlanarSpring, Point2, 2);
