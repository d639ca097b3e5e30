//! How far points are from the surface of a superquadric, to first order, and how that changes with the shape.
//!
//! ```text
//!     r = (g − 1)/s      s = |∇g| = n·∇g      ∂r = ∂g/s − r·∂s/s      ∂s = n·∂∇g
//! ```
//!
//! g is the gauge: of degree one, 1 on the surface. Without its last term ∂r is what moves the surface where the point
//! is, and is a better guide for large steps; with it, r is what it says, so that sums of r² have their slopes.

use super::deform::gauge;
use super::{N_COORDINATES, Slope, Superquadric};
use crate::math::{Vec3, norm};
use crate::shape::ShapeMap;
use crate::shape::number::{Jet, Number};

/// The point's coordinates come behind the numbers.
const N: usize = N_COORDINATES + 3;

/// How far a point is from the surface.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// Meters, negative inside.
    pub r: f64,
    /// How the surface moves at the point, `∂g/s`: by each number, then by the point, whose part is the normal.
    pub flat: [f64; N],
    /// `∂r`, in the same order.
    pub slopes: [f64; N],
}

impl Superquadric {
    /// The distance of a point from the surface to first order, negative inside: `(g − 1)/|∇g|`.
    pub fn distance(&self, q: &[f64], p: Vec3) -> f64 {
        let (g, gradient) = self.gauge(q, p);
        (g - 1.0) / norm(gradient)
    }

    /// The distances of points that are given in the frame of the body, in their order.
    pub fn each_distance(
        &self,
        q: &[f64],
        points: &mut dyn Iterator<Item = Vec3>,
        see: &mut dyn FnMut(&Distance),
    ) {
        let n = self.n_numbers();
        let lifted = self.form(|number| Slope {
            at: Jet::<N>::variable(q[number], number),
            along: Jet::constant(0.0),
        });
        for p in points {
            let gradient = self.gauge(q, p).1;
            let s = steepness(gradient);
            let p = std::array::from_fn(|k| Slope {
                at: Jet::variable(p[k], n + k),
                along: Jet::constant(gradient[k] / s),
            });
            let g = gauge(lifted.undeform(p), lifted.e);
            let r = (g.at.v - 1.0) / s;
            let flat = g.at.d.map(|d| d / s);
            see(&Distance {
                r,
                flat,
                slopes: std::array::from_fn(|k| flat[k] - r * g.along.d[k] / s),
            });
        }
    }

    /// The same with r and [`Distance::flat`] alone, which is faster.
    pub fn each_flat_distance(
        &self,
        q: &[f64],
        points: &mut dyn Iterator<Item = Vec3>,
        see: &mut dyn FnMut(f64, &[f64]),
    ) {
        let n = self.n_numbers();
        let form = self.form(|number| Jet::<N>::variable(q[number], number));
        for p in points {
            let p = std::array::from_fn(|k| Jet::variable(p[k], n + k));
            let g = gauge(form.undeform(p), form.e);
            let s = steepness([g.d[n], g.d[n + 1], g.d[n + 2]]);
            see((g.v - 1.0) / s, &g.d.map(|d| d / s));
        }
    }
}

/// The middle of a body is nowhere near its surface, and has no direction to it.
fn steepness(gradient: Vec3) -> f64 {
    norm(gradient).max(f64::MIN_POSITIVE)
}
