//! Implicit surfaces, and a point that slides on one.
//!
//! A surface is `f(p) = 0` in its own frame, with gradient and Hessian. `f` is negative inside and
//! is the signed distance, or near the surface of its size: rows made of it are in metres.
//!
//! With `p = R_aᵀ·d`, `d = p_b − p_a`, and `w = R_aᵀ·(ḋ − ω_a × d)` the velocity in frame a:
//!
//! ```text
//!     c = f(p)     ċ = ∇f·w     γ = wᵀ·∇²f·w + ∇f·R_aᵀ·(ω_a × (ω_a × d) − 2·ω_a × ḋ)
//! ```

use std::fmt;
use std::sync::Arc;

use super::{Constraint, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Invalid;
use crate::math::{Sym3, Vec3, cross, dot, mat_t_vec, mat_vec, neg, norm, scale, sub, sym_vec};

/// A smooth surface `f(p) = 0`, `f` negative inside, in metres, in the surface's own frame.
///
/// Far from the surface there may be points where `f` is not smooth (the centre of a sphere); all
/// three functions must stay finite there.
pub trait Surface: fmt::Debug + Send + Sync {
    /// `f(p)`.
    fn value(&self, p: Vec3) -> f64;

    /// `∇f(p)`; points outwards.
    fn gradient(&self, p: Vec3) -> Vec3;

    /// `∇²f(p)`.
    fn hessian(&self, p: Vec3) -> Sym3;

    /// Whether the parameters make sense.
    fn validate(&self) -> Result<(), Invalid> {
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

impl<S: Surface + ?Sized> Surface for Arc<S> {
    fn value(&self, p: Vec3) -> f64 {
        (**self).value(p)
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        (**self).gradient(p)
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        (**self).hessian(p)
    }
    fn validate(&self) -> Result<(), Invalid> {
        (**self).validate()
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        (**self).start_near(p)
    }
}

/// The plane across x: `f = x`; inside is the half-space of negative x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaneSurface;

impl Surface for PlaneSurface {
    fn value(&self, p: Vec3) -> f64 {
        p[0]
    }
    fn gradient(&self, _p: Vec3) -> Vec3 {
        [1.0, 0.0, 0.0]
    }
    fn hessian(&self, _p: Vec3) -> Sym3 {
        [0.0; 6]
    }
}

/// The sphere about the origin: `f = |p| − radius`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereSurface {
    /// Radius.
    pub radius: f64,
}

impl Surface for SphereSurface {
    fn value(&self, p: Vec3) -> f64 {
        norm(p) - self.radius
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        norm_gradient(p)
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        let (r, n) = (norm(p).max(SMALLEST), norm_gradient(p));
        add_outer([1.0 / r, 1.0 / r, 1.0 / r, 0.0, 0.0, 0.0], -1.0 / r, n)
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_positive("radius", self.radius)
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        scale(self.radius, norm_gradient(p))
    }
}

/// The endless cylinder about x: `f = √(y² + z²) − radius`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderSurface {
    /// Radius.
    pub radius: f64,
}

impl Surface for CylinderSurface {
    fn value(&self, p: Vec3) -> f64 {
        norm([0.0, p[1], p[2]]) - self.radius
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        across_gradient(p)
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        across_hessian(p)
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_positive("radius", self.radius)
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        let n = across_gradient(p);
        [p[0], self.radius * n[1], self.radius * n[2]]
    }
}

/// The ellipsoid about the origin.
///
/// With `κ = |(x/s₀, y/s₁, z/s₂)|`, `f = s·(κ − 1)`, s the geometric mean of the semi-axes: zero on
/// the surface, smooth but for the centre, and `|∇f|` there between `s/s_max` and `s/s_min`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipsoidSurface {
    /// Semi-axes along x, y, z.
    pub semi_axes: Vec3,
}

impl EllipsoidSurface {
    fn mean(&self) -> f64 {
        libm::cbrt(self.semi_axes[0] * self.semi_axes[1] * self.semi_axes[2])
    }

    fn kappa(&self, p: Vec3) -> f64 {
        let s = self.semi_axes;
        norm([p[0] / s[0], p[1] / s[1], p[2] / s[2]])
    }
}

impl Surface for EllipsoidSurface {
    fn value(&self, p: Vec3) -> f64 {
        self.mean() * (self.kappa(p) - 1.0)
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        let kappa = self.kappa(p);
        if kappa < SMALLEST {
            return [1.0, 0.0, 0.0];
        }
        let (s, mean) = (self.semi_axes, self.mean());
        [0, 1, 2].map(|k| mean * p[k] / (s[k] * s[k] * kappa))
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        // s·(S⁻²/κ − (S⁻²p)(S⁻²p)ᵀ/κ³) = (s·S⁻² − ∇f·∇fᵀ/s)/κ.
        let (s, mean) = (self.semi_axes, self.mean());
        let kappa = self.kappa(p).max(SMALLEST);
        let n = self.gradient(p);
        let diagonal = [0, 1, 2].map(|k| mean / (s[k] * s[k] * kappa));
        let diagonal = [diagonal[0], diagonal[1], diagonal[2], 0.0, 0.0, 0.0];
        add_outer(diagonal, -1.0 / (mean * kappa), n)
    }
    fn validate(&self) -> Result<(), Invalid> {
        self.semi_axes
            .iter()
            .try_for_each(|&s| Invalid::require_positive("semi_axes", s))
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        let kappa = self.kappa(p);
        if kappa < SMALLEST {
            return [self.semi_axes[0], 0.0, 0.0];
        }
        scale(1.0 / kappa, p)
    }
}

/// The torus about x: `f = √((√(y² + z²) − major)² + x²) − minor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorusSurface {
    /// Radius of the centre line.
    pub major: f64,
    /// Radius of the tube, less than `major`.
    pub minor: f64,
}

impl TorusSurface {
    /// From the nearest point of the centre line to `p`.
    fn from_line(&self, p: Vec3) -> Vec3 {
        let across = across_gradient(p);
        sub(p, scale(self.major, across))
    }
}

impl Surface for TorusSurface {
    fn value(&self, p: Vec3) -> f64 {
        norm(self.from_line(p)) - self.minor
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        // The centre line's nearest point moves across the gradient: it does not contribute.
        norm_gradient(self.from_line(p))
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        // With e the radial direction and h = √(y²+z²) − major: the two principal curvatures of
        // the tube act in the plane of (x, e) and around x.
        let n = self.gradient(p);
        let tube = norm(self.from_line(p)).max(SMALLEST);
        let e = across_gradient(p);
        let in_plane = [-dot(n, e), n[0] * e[1], n[0] * e[2]];
        let around = across_hessian(p);
        let share = dot(n, e);
        add_outer(around.map(|h| share * h), 1.0 / tube, in_plane)
    }
    fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_positive("minor", self.minor)?;
        if self.major.is_finite() && self.major > self.minor {
            return Ok(());
        }
        Err(Invalid::new(
            "major",
            format!(
                "is {}; give a finite number greater than minor, {}",
                self.major, self.minor
            ),
        ))
    }
}

/// Below this length a direction is not defined and a fixed one is taken.
const SMALLEST: f64 = 1e-12;

/// `p/|p|`.
fn norm_gradient(p: Vec3) -> Vec3 {
    let r = norm(p);
    if r < SMALLEST {
        return [1.0, 0.0, 0.0];
    }
    scale(1.0 / r, p)
}

/// Gradient of `√(y² + z²)`.
fn across_gradient(p: Vec3) -> Vec3 {
    let r = norm([0.0, p[1], p[2]]);
    if r < SMALLEST {
        return [0.0, 1.0, 0.0];
    }
    [0.0, p[1] / r, p[2] / r]
}

/// Hessian of `√(y² + z²)`.
fn across_hessian(p: Vec3) -> Sym3 {
    let r = norm([0.0, p[1], p[2]]).max(SMALLEST);
    let n = across_gradient(p);
    add_outer([0.0, 1.0 / r, 1.0 / r, 0.0, 0.0, 0.0], -1.0 / r, n)
}

/// `m + s·a·aᵀ`.
fn add_outer(m: Sym3, s: f64, a: Vec3) -> Sym3 {
    [
        m[0] + s * a[0] * a[0],
        m[1] + s * a[1] * a[1],
        m[2] + s * a[2] * a[2],
        m[3] + s * a[0] * a[1],
        m[4] + s * a[0] * a[2],
        m[5] + s * a[1] * a[2],
    ]
}

/// A point slides on a surface fixed to a frame: inputs frame (the surface), point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOnSurface<S> {
    /// The surface, in the frame of the first input.
    pub surface: S,
}

impl<S: Surface> Constraint for PointOnSurface<S> {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Frame3, ConnectorKind::Point3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Invalid> {
        self.surface.validate()
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let a = FrameMotion::of(&inputs[0]);
        let d = sub(inputs[1].position(), a.position);
        let d_dot = sub(inputs[1].velocity(), a.velocity);
        let p = mat_t_vec(&a.rotation, d);
        let w = mat_t_vec(&a.rotation, sub(d_dot, cross(a.omega, d)));
        let bend = sub(
            cross(a.omega, cross(a.omega, d)),
            scale(2.0, cross(a.omega, d_dot)),
        );
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
pub(super) mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::Seeded;
    use crate::math::sym_full;

    pub(in crate::constraint) fn surfaces() -> [Arc<dyn Surface>; 5] {
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
    fn finite_at_the_centre() {
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
        assert_eq!(spindle.validate().unwrap_err().field, "major");
    }
}
