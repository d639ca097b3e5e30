//! Plane, sphere, cylinder, ellipsoid, torus.

use super::Surface;
use crate::constraint::tolerances::NO_GRADIENT;
use crate::error::{Error, Shown};
use crate::math::{Sym3, Vec3, dot, norm, scale, sub};

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
        let (r, n) = (norm(p).max(NO_GRADIENT), norm_gradient(p));
        add_outer([1.0 / r, 1.0 / r, 1.0 / r, 0.0, 0.0, 0.0], -1.0 / r, n)
    }
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("radius", &self.radius)
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
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("radius", &self.radius)
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        let n = across_gradient(p);
        [p[0], self.radius * n[1], self.radius * n[2]]
    }
}

/// The ellipsoid about the origin.
///
/// With `κ = |(x/s₀, y/s₁, z/s₂)|`, `f = s·(κ − 1)`, s the geometric mean of the semi-axes: zero on
/// the surface, smooth but for the center, and `|∇f|` there between `s/s_max` and `s/s_min`.
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
        if kappa < NO_GRADIENT {
            return [1.0, 0.0, 0.0];
        }
        let (s, mean) = (self.semi_axes, self.mean());
        [0, 1, 2].map(|k| mean * p[k] / (s[k] * s[k] * kappa))
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        // s·(S⁻²/κ − (S⁻²p)(S⁻²p)ᵀ/κ³) = (s·S⁻² − ∇f·∇fᵀ/s)/κ.
        let (s, mean) = (self.semi_axes, self.mean());
        let kappa = self.kappa(p).max(NO_GRADIENT);
        let n = self.gradient(p);
        let diagonal = [0, 1, 2].map(|k| mean / (s[k] * s[k] * kappa));
        let diagonal = [diagonal[0], diagonal[1], diagonal[2], 0.0, 0.0, 0.0];
        add_outer(diagonal, -1.0 / (mean * kappa), n)
    }
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("semi_axes", &self.semi_axes)
    }
    fn start_near(&self, p: Vec3) -> Vec3 {
        let kappa = self.kappa(p);
        if kappa < NO_GRADIENT {
            return [self.semi_axes[0], 0.0, 0.0];
        }
        scale(1.0 / kappa, p)
    }
}

/// The torus about x: `f = √((√(y² + z²) − major)² + x²) − minor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorusSurface {
    /// Radius of the center line.
    pub major: f64,
    /// Radius of the tube, less than `major`.
    pub minor: f64,
}

impl TorusSurface {
    /// From the nearest point of the center line to `p`.
    fn off_line(&self, p: Vec3) -> Vec3 {
        let across = across_gradient(p);
        sub(p, scale(self.major, across))
    }
}

impl Surface for TorusSurface {
    fn value(&self, p: Vec3) -> f64 {
        norm(self.off_line(p)) - self.minor
    }
    fn gradient(&self, p: Vec3) -> Vec3 {
        // The center line's nearest point moves across the gradient: it does not contribute.
        norm_gradient(self.off_line(p))
    }
    fn hessian(&self, p: Vec3) -> Sym3 {
        // With e the radial direction and h = √(y²+z²) − major: the two principal curvatures of
        // the tube act in the plane of (x, e) and around x.
        let n = self.gradient(p);
        let tube = norm(self.off_line(p)).max(NO_GRADIENT);
        let e = across_gradient(p);
        let in_plane = [-dot(n, e), n[0] * e[1], n[0] * e[2]];
        let around = across_hessian(p);
        let share = dot(n, e);
        add_outer(around.map(|h| share * h), 1.0 / tube, in_plane)
    }
    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("minor", &self.minor)?;
        if self.major.is_finite() && self.major > self.minor {
            return Ok(());
        }
        Err(Error::field(
            "major",
            format!(
                "is {}; give a finite number greater than minor, {}",
                Shown(self.major),
                Shown(self.minor)
            ),
        ))
    }
}

/// `p/|p|`.
fn norm_gradient(p: Vec3) -> Vec3 {
    let r = norm(p);
    if r < NO_GRADIENT {
        return [1.0, 0.0, 0.0];
    }
    scale(1.0 / r, p)
}

/// Gradient of `√(y² + z²)`.
fn across_gradient(p: Vec3) -> Vec3 {
    let r = norm([0.0, p[1], p[2]]);
    if r < NO_GRADIENT {
        return [0.0, 1.0, 0.0];
    }
    [0.0, p[1] / r, p[2] / r]
}

/// Hessian of `√(y² + z²)`.
fn across_hessian(p: Vec3) -> Sym3 {
    let r = norm([0.0, p[1], p[2]]).max(NO_GRADIENT);
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
