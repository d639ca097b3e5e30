//! Two smooth surfaces touch, and may slide and roll on each other.
//!
//! Inputs: the frame of surface a, the frame of surface b. One row, the gap `g` between them along
//! their common normal, positive when they are apart:
//!
//! ```text
//!     f_a(x_a) = 0     f_b(x_b) = 0     x_b − x_a = g·n     n = n_a(x_a) = −n_b(x_b)
//! ```
//!
//! The contact pair `(x_a, x_b)` is found anew at each evaluation, from a start that depends on the
//! two frames only: a constraint has no memory (see `contact.rs`). Between two convex surfaces that
//! do not overlap the pair is unique; where they overlap, the pair of largest `g` is meant, and
//! overlaps must stay small against the radii of curvature. Surfaces that are not convex (a torus)
//! touch at the pair nearest to the start.
//!
//! With `v_a`, `v_b` the velocities of the *material* points at `x_a`, `x_b`, the contact points
//! themselves move at `ẋ_a = v_a + σ_a`, `ẋ_b = v_b + σ_b`, the slidings σ in the tangent plane:
//! they do not change the gap. With `r` the arms from the frames' origins:
//!
//! ```text
//!     ċ = n·(v_b − v_a)
//!     γ = n·(ω_b × ṙ_b − ω_a × ṙ_a) + ṅ·(v_b − v_a),      ṅ = ω_a × n + S_a·σ_a
//! ```
//!
//! where σ_a, σ_b follow from differentiating the contact equations (Montana's kinematics of
//! contact, for implicit surfaces): S = (1 − n·nᵀ)·∇²f/|∇f| turns a sliding into the rate of the
//! normal.

use std::sync::Arc;

use super::contact::{Contact, Placed};
use super::{Constraint, FrameMotion, RowUnit, Rows, Surface};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::{add, cross, dot, neg, sub};

/// Two surfaces, each in its own frame, touch.
#[derive(Clone, Debug)]
pub struct Tangency {
    /// The surface in the frame of the first input.
    pub surface_a: Arc<dyn Surface>,
    /// The surface in the frame of the second input.
    pub surface_b: Arc<dyn Surface>,
}

impl Tangency {
    /// Of two surfaces of its own.
    pub fn new(surface_a: impl Surface, surface_b: impl Surface) -> Self {
        Self {
            surface_a: Arc::new(surface_a),
            surface_b: Arc::new(surface_b),
        }
    }
}

impl Constraint for Tangency {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3, ConnectorKind::Frame3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Invalid> {
        self.surface_a.validate()?;
        self.surface_b.validate()
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
        let contact = Contact::find(
            &Placed::new(&*self.surface_a, &a),
            &Placed::new(&*self.surface_b, &b),
        );
        let n = contact.a.normal;
        let (r_a, r_b) = (sub(contact.a.x, a.position), sub(contact.b.x, b.position));
        let v_a = add(a.velocity, cross(a.omega, r_a));
        let v_b = add(b.velocity, cross(b.omega, r_b));
        let v = sub(v_b, v_a);

        out.c[0] = contact.gap;
        out.c_dot[0] = dot(n, v);
        let (sliding_a, sliding_b, n_dot) = contact.sliding(a.omega, b.omega, v);
        // ṙ = ẋ − velocity of the origin = ω × r + σ.
        let r_a_dot = add(cross(a.omega, r_a), sliding_a);
        let r_b_dot = add(cross(b.omega, r_b), sliding_b);
        let bend = sub(cross(b.omega, r_b_dot), cross(a.omega, r_a_dot));
        out.gamma[0] = dot(n, bend) + dot(n_dot, v);

        out.dc_dx(0).set3(0, 0, neg(n));
        out.dc_dx(0).set3(0, 3, neg(cross(r_a, n)));
        out.dc_dx(1).set3(0, 0, n);
        out.dc_dx(1).set3(0, 3, cross(r_b, n));
    }
}

#[cfg(test)]
mod tests;
