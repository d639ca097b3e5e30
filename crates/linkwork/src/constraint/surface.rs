//! Implicit surfaces, and a point that slides on one.
//!
//! A surface is `f(p) = 0` in its own frame, with gradient and Hessian. `f` is negative inside and
//! is the signed distance, or near the surface of its size: rows made of it are in meters.
//!
//! With `p = R_aᵀ·d`, `d = p_b − p_a`, and `w = R_aᵀ·(ḋ − ω_a × d)` the velocity in frame a:
//!
//! ```text
//!     c = f(p)     ċ = ∇f·w     γ = wᵀ·∇²f·w + ∇f·R_aᵀ·(ω_a × (ω_a × d) − 2·ω_a × ḋ)
//! ```

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::frame_pair::Displacement;
use super::{Constraint, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;
use crate::math::{Sym3, Vec3, cross, dot, mat_t_vec, mat_vec, neg, scale, sub, sym_vec};

mod built_in;

pub use built_in::{CylinderSurface, EllipsoidSurface, PlaneSurface, SphereSurface, TorusSurface};

/// A smooth surface `f(p) = 0`, `f` negative inside, in meters, in the surface's own frame.
///
/// Far from the surface there may be points where `f` is not smooth (the center of a sphere); all
/// three functions must stay finite there.
pub trait Surface: Any + fmt::Debug + Send + Sync {
    /// `f(p)`.
    fn value(&self, p: Vec3) -> f64;

    /// `∇f(p)`; points outwards.
    fn gradient(&self, p: Vec3) -> Vec3;

    /// `∇²f(p)`.
    fn hessian(&self, p: Vec3) -> Sym3;

    /// Whether the parameters make sense.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    /// A point on or near the surface on the side of `p`: where the search for a contact begins.
    ///
    /// A few Newton steps along the gradient unless the surface knows better.
    fn start_near(&self, p: Vec3) -> Vec3 {
        let mut q = p;
        for _ in 0..8 {
            let gradient = self.gradient(q);
            let square = dot(gradient, gradient);
            if square < 1e-24 {
                break;
            }
            q = sub(q, scale(self.value(q) / square, gradient));
        }
        q
    }
}

/// A point slides on a surface fixed to a frame: inputs frame (the surface), point.
#[derive(Clone, Debug)]
pub struct PointOnSurface {
    /// The surface, in the frame of the first input.
    pub surface: Arc<dyn Surface>,
}

impl PointOnSurface {
    /// On a surface of its own.
    pub fn new(surface: impl Surface) -> Self {
        let surface = Arc::new(surface);
        Self { surface }
    }
}

impl Constraint for PointOnSurface {
    takes!([Frame3, Point3], rows: [Meter]);

    fn validate(&self) -> Result<(), Error> {
        self.surface.validate()
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let a = FrameMotion::of(&inputs[0]);
        let Displacement { d, w, bend } =
            Displacement::of(&a, inputs[1].position(), inputs[1].velocity());
        let p = mat_t_vec(&a.rotation, d);
        let w = mat_t_vec(&a.rotation, w);
        let gradient = self.surface.gradient(p);
        let normal = mat_vec(&a.rotation, gradient);
        out.c[0] = self.surface.value(p);
        out.c_dot[0] = dot(gradient, w);
        out.gamma[0] = dot(w, sym_vec(&self.surface.hessian(p), w)) + dot(normal, bend);
        out.dc_dx(0).set3(0, 0, neg(normal));
        // −n·(ω_a × d) = −(d × n)·ω_a.
        out.dc_dx(0).set3(0, 3, neg(cross(d, normal)));
        out.dc_dx(1).set3(0, 0, normal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::Seeded;
    use crate::math::{norm, sym_full};

    fn surfaces() -> [Arc<dyn Surface>; 5] {
        [
            Arc::new(PlaneSurface),
            Arc::new(SphereSurface { radius: 0.7 }),
            Arc::new(CylinderSurface { radius: 0.6 }),
            Arc::new(EllipsoidSurface {
                semi_axes: [0.5, 0.8, 1.3],
            }),
            Arc::new(TorusSurface {
                major: 0.9,
                minor: 0.3,
            }),
        ]
    }

    #[test]
    fn gradient_and_hessian_are_derivatives() {
        let mut seeded = Seeded::new(1);
        for surface in surfaces() {
            for _ in 0..20 {
                let p = seeded.vector(1.5);
                let hessian = sym_full(&surface.hessian(p));
                for k in 0..3 {
                    let h = 1e-5;
                    let at = |s: f64| {
                        let mut q = p;
                        q[k] += s * h;
                        q
                    };
                    let slope = (surface.value(at(1.0)) - surface.value(at(-1.0))) / (2.0 * h);
                    let found = surface.gradient(p)[k];
                    assert!((slope - found).abs() < 1e-7, "{surface:?}: {slope} {found}");
                    let (on, back) = (surface.gradient(at(1.0)), surface.gradient(at(-1.0)));
                    for j in 0..3 {
                        let slope = (on[j] - back[j]) / (2.0 * h);
                        let found = hessian[j][k];
                        let size = 1.0 + found.abs();
                        assert!((slope - found).abs() < 1e-5 * size, "{surface:?} at {p:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn starts_lie_on_the_surface() {
        let mut seeded = Seeded::new(2);
        for surface in surfaces() {
            for _ in 0..20 {
                let p = seeded.vector(2.0);
                let value = surface.value(surface.start_near(p));
                assert!(value.abs() < 1e-9, "{surface:?} from {p:?}: {value}");
            }
            assert!(surface.value(surface.start_near([0.0; 3])).is_finite());
        }
    }

    #[test]
    fn a_point_on_any_surface_keeps_the_contract() {
        for surface in surfaces() {
            check_constraint(
                &PointOnSurface {
                    surface: surface.clone(),
                },
                11,
            )
            .unwrap_or_else(|violation| panic!("{surface:?}: {violation}"));
        }
    }

    #[test]
    fn finite_at_the_center() {
        for surface in surfaces() {
            let values = surface.hessian([0.0; 3]);
            assert!(values.iter().all(|value| value.is_finite()), "{surface:?}");
            assert!(norm(surface.gradient([0.0; 3])) > 0.5, "{surface:?}");
        }
    }

    #[test]
    fn impossible_dimensions_are_refused() {
        assert!(SphereSurface { radius: 0.0 }.validate().is_err());
        assert!(CylinderSurface { radius: -1.0 }.validate().is_err());
        let flat = EllipsoidSurface {
            semi_axes: [1.0, 0.0, 1.0],
        };
        assert!(flat.validate().is_err());
        let spindle = TorusSurface {
            major: 0.1,
            minor: 0.3,
        };
        assert_eq!(spindle.validate().unwrap_err().field_name(), Some("major"));
    }
}
