//! The troid: a sheet of the plane that deforms linearly (Witkin 1990, §5.4).
//!
//! A material point X is at `x = t + A·X`. The coordinates are `q = (t, a₁₁, a₁₂, a₂₁, a₂₂)` and
//! `v = q̇`, so x is linear in q, `ℓ` of a point is zero and the mass matrix is constant: with
//! `s = ∫ρ·X` and `S = ∫ρ·X·Xᵀ`, both components of x have the same 3 × 3 mass
//!
//! ```text
//!     [ m  sᵀ ]      over (t₁, a₁₁, a₁₂) and over (t₂, a₂₁, a₂₂)
//!     [ s  S  ]
//! ```
//!
//! Rigid motion is free, because everything elastic is a function of the Green strain
//! `E = ½·(AᵀA − 1)` and of `det A`. Per rest area:
//!
//! ```text
//!     energy       ½·k·‖E‖² + ½·k_area·(det A − 1)²      −∂/∂A = −k·A·E − k_area·(det A − 1)·cof A
//!     dissipation  ½·c·‖Ė‖²,  Ė = sym(AᵀȦ)               −∂/∂Ȧ = −c·A·Ė
//! ```
//!
//! The entries of E and `det A − 1` are its strains: a sheet may be as stiff as one likes.

#![allow(non_snake_case)] // M, S: the letters of the trait.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use super::{Body, Deformed, Momentum, Pose, Sheet, Strain};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::{Error, check_fields};
use crate::math::Vec3;

/// Three of the Green strain and one of the area.
const N_STRAINS: usize = 4;

/// An affine sheet with an elastic pull to its rest shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Troid {
    /// Its mass and area.
    pub sheet: Sheet,
    /// The corners it was cut out along, body coordinates, if it was: what is drawn of it.
    pub outline: Option<Arc<[[f64; 2]]>>,
    /// Resistance to strain, N/m: the modulus of a sheet. Zero lets it deform freely.
    pub stiffness: f64,
    /// Resistance to a change of area, N/m.
    pub area_stiffness: f64,
    /// Resistance to the rate of strain, N·s/m. Rigid motion is not damped.
    pub damping: f64,
}

/// A 2 × 2 matrix, row-major.
type Mat2 = [f64; 4];

/// `½·(Aᵀ·B + Bᵀ·A)` as `[xx, yy, xy]`.
fn sym_product(a: Mat2, b: Mat2) -> [f64; 3] {
    [
        a[0] * b[0] + a[2] * b[2],
        a[1] * b[1] + a[3] * b[3],
        0.5 * (a[0] * b[1] + a[2] * b[3] + a[1] * b[0] + a[3] * b[2]),
    ]
}

/// `A·S` with S symmetric, `[xx, yy, xy]`.
fn mul_sym(a: Mat2, s: [f64; 3]) -> Mat2 {
    [
        a[0] * s[0] + a[1] * s[2],
        a[0] * s[2] + a[1] * s[1],
        a[2] * s[0] + a[3] * s[2],
        a[2] * s[2] + a[3] * s[1],
    ]
}

fn determinant(a: Mat2) -> f64 {
    a[0] * a[3] - a[1] * a[2]
}

/// `∂det A/∂A`.
fn cofactor(a: Mat2) -> Mat2 {
    [a[3], -a[2], -a[1], a[0]]
}

fn green_strain(a: Mat2) -> [f64; 3] {
    let [xx, yy, xy] = sym_product(a, a);
    [0.5 * (xx - 1.0), 0.5 * (yy - 1.0), 0.5 * xy]
}

fn deformation(q: &[f64]) -> Mat2 {
    [q[2], q[3], q[4], q[5]]
}

/// `t + A·X`, for positions and (with rates) velocities.
fn affine(q: &[f64], x: [f64; 2]) -> [f64; 2] {
    [
        q[0] + q[2] * x[0] + q[3] * x[1],
        q[1] + q[4] * x[0] + q[5] * x[1],
    ]
}

impl Troid {
    /// The scalar output `troid.scalar(Troid::AREA)`: its present area, negative when turned over.
    pub const AREA: u32 = 0;

    /// Second moments about the origin of the body frame: `S + m·com·comᵀ`.
    fn second_moments_about_origin(&self) -> [f64; 3] {
        let [xx, yy, xy] = self.sheet.second_moments_body;
        let (m, [x, y]) = (self.sheet.mass, self.sheet.com_body);
        [xx + m * x * x, yy + m * y * y, xy + m * x * y]
    }
}

impl Body for Troid {
    fn n_q(&self) -> usize {
        6
    }

    fn n_v(&self) -> usize {
        6
    }

    fn validate(&self) -> Result<(), Error> {
        self.sheet.validate()?;
        if let Some(outline) = &self.outline {
            Error::require_finite("outline", outline.as_flattened())?;
        }
        check_fields!(self, not_negative: stiffness, area_stiffness, damping)
    }

    fn initial_q(&self, q: &mut [f64]) {
        q.copy_from_slice(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        let (m, [x, y]) = (self.sheet.mass, self.sheet.com_body);
        let [xx, yy, xy] = self.second_moments_about_origin();
        let block = [[m, m * x, m * y], [m * x, xx, xy], [m * y, xy, yy]];
        M.fill(0.0);
        for columns in [[0, 2, 3], [1, 4, 5]] {
            for i in 0..3 {
                for j in 0..3 {
                    M[columns[i] * 6 + columns[j]] = block[i][j];
                }
            }
        }
    }

    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        for i in 0..self.n_strains() {
            let mut gradient = [0.0; 6];
            let push = self.strain(i, q, v, &mut gradient).push();
            for (f, s) in f.iter_mut().zip(gradient) {
                *f += s * push;
            }
        }
    }

    fn internal_energy(&self, q: &[f64]) -> f64 {
        let energy = |i| {
            let strain = self.strain(i, q, &[0.0; 6], &mut [0.0; 6]);
            0.5 * strain.stiffness * strain.value * strain.value
        };
        (0..self.n_strains()).map(energy).sum()
    }

    fn n_strains(&self) -> usize {
        let resists = self.stiffness + self.area_stiffness + self.damping > 0.0;
        if resists { N_STRAINS } else { 0 }
    }

    /// `E₁₁`, `E₂₂`, `√2·E₁₂`, whose squares sum up to ‖E‖², and `det A − 1`.
    fn strain(&self, i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        let (a, a_dot, area) = (deformation(q), deformation(v), self.sheet.area);
        if i == 3 {
            let gradient = cofactor(a);
            S[2..].copy_from_slice(&gradient);
            return Strain {
                value: determinant(a) - 1.0,
                rate: (0..4).map(|k| gradient[k] * a_dot[k]).sum(),
                gamma: 2.0 * determinant(a_dot),
                stiffness: area * self.area_stiffness,
                damping: 0.0,
            };
        }
        let scale = if i == 2 { SQRT_2 } else { 1.0 };
        // ∂E₁₁/∂A = A·e₁·e₁ᵀ, ∂E₂₂/∂A = A·e₂·e₂ᵀ, ∂E₁₂/∂A = ½·A·(e₁·e₂ᵀ + e₂·e₁ᵀ).
        let gradient = match i {
            0 => [a[0], 0.0, a[2], 0.0],
            1 => [0.0, a[1], 0.0, a[3]],
            _ => [0.5 * a[1], 0.5 * a[0], 0.5 * a[3], 0.5 * a[2]],
        };
        for k in 0..4 {
            S[2 + k] = scale * gradient[k];
        }
        Strain {
            value: scale * green_strain(a)[i],
            rate: scale * sym_product(a, a_dot)[i],
            gamma: scale * sym_product(a_dot, a_dot)[i],
            stiffness: area * self.stiffness,
            damping: area * self.damping,
        }
    }

    fn uniform_field(&self, _q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        // m·g·∂(t + A·com)/∂q.
        let (m, [x, y]) = (self.sheet.mass, self.sheet.com_body);
        let force = [m * acceleration_world[0], m * acceleration_world[1]];
        let per_coordinate = [
            force[0],
            force[1],
            force[0] * x,
            force[0] * y,
            force[1] * x,
            force[1] * y,
        ];
        for k in 0..6 {
            f[k] += per_coordinate[k];
        }
    }

    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        let [x, y] = affine(q, self.sheet.com_body);
        (self.sheet.mass, [x, y, 0.0])
    }

    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let m = self.sheet.mass;
        let [x, y] = affine(q, self.sheet.com_body);
        let [x_dot, y_dot] = affine(v, self.sheet.com_body);
        // About the center of mass: ∫ρ·(A·X) × (Ȧ·X) = Σ (A·S)₁·Ȧ₂ − (A·S)₂·Ȧ₁.
        let (moment, rate) = (
            mul_sym(deformation(q), self.sheet.second_moments_body),
            deformation(v),
        );
        let spin =
            moment[0] * rate[2] + moment[1] * rate[3] - moment[2] * rate[0] - moment[3] * rate[1];
        Momentum {
            linear: [m * x_dot, m * y_dot, 0.0],
            angular: [0.0, 0.0, m * (x * y_dot - y * x_dot) + spin],
        }
    }

    /// A turn by θ changes A by `√2·θ`; a strain counts likewise.
    fn turn_of(&self, dq: &[f64]) -> f64 {
        let squares: f64 = dq[2..].iter().map(|a| a * a).sum();
        (0.5 * squares).sqrt()
    }

    fn scale_turn(&self, dq: &mut [f64], factor: f64) {
        dq[2..].iter_mut().for_each(|a| *a *= factor);
    }

    /// The origin of the body frame and the rotation nearest to A.
    fn pose(&self, _t: f64, q: &[f64]) -> Option<Pose> {
        let angle = libm::atan2(q[4] - q[3], q[2] + q[5]);
        Some(Pose::in_plane([q[0], q[1]], angle))
    }

    /// Undeformed, at the pose.
    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        let (position, angle) = pose.to_plane()?;
        let (sin, cos) = libm::sincos(angle);
        q.copy_from_slice(&[position[0], position[1], cos, -sin, sin, cos]);
        Ok(())
    }

    /// `X = A⁻¹·R·p`: the pose has the rotation nearest to A.
    fn material_site(&self, q: &[f64], site: Site) -> Result<Site, Error> {
        let (Site::Point2([x, y]), Some(pose)) = (site, self.pose(0.0, q)) else {
            return Ok(site);
        };
        let (_, angle) = pose.to_plane()?;
        let (sin, cos) = libm::sincos(angle);
        let (x, y) = (cos * x - sin * y, sin * x + cos * y);
        let a = deformation(q);
        let by = determinant(a);
        let born = [(a[3] * x - a[1] * y) / by, (a[0] * y - a[2] * x) / by];
        let problem = "is on a sheet that is flattened to a line";
        match born.iter().all(|x| x.is_finite()) {
            true => Ok(Site::Point2(born)),
            false => Err(Error::field("point", problem)),
        }
    }

    fn deformed(&self, q: &[f64]) -> Option<Deformed> {
        let [a, b, c, d] = deformation(q);
        Some(Deformed::Affine {
            linear: [[a, b, 0.0], [c, d, 0.0], [0.0, 0.0, 1.0]],
            origin: [q[0], q[1], 0.0],
        })
    }

    fn gyration_radius(&self) -> Option<f64> {
        // Of a square sheet of this area.
        Some((self.sheet.area / 6.0).sqrt())
    }

    fn offers(&self) -> &'static str {
        "points in the plane and its area (scalar output 0)"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        match site {
            Site::Point2(p) => {
                Error::require_finite("point", p)?;
                Ok(Some(ConnectorKind::Point2))
            }
            Site::Scalar(Self::AREA) => Ok(Some(ConnectorKind::Scalar)),
            _ => Ok(None),
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        match site {
            Site::Point2(p) => {
                out.x.copy_from_slice(&affine(q, *p));
                out.x_dot.copy_from_slice(&affine(v, *p));
                out.L.set(0, 0, 1.0);
                out.L.set(0, 2, p[0]);
                out.L.set(0, 3, p[1]);
                out.L.set(1, 1, 1.0);
                out.L.set(1, 4, p[0]);
                out.L.set(1, 5, p[1]);
            }
            Site::Scalar(Self::AREA) => {
                // x = area·det A,  L = area·cof A,  ℓ = 2·area·det Ȧ: the determinant is bilinear.
                let (a, a_dot, area) = (deformation(q), deformation(v), self.sheet.area);
                let gradient = cofactor(a);
                out.x[0] = area * determinant(a);
                out.ell[0] = 2.0 * area * determinant(a_dot);
                for k in 0..4 {
                    out.L.set(0, 2 + k, area * gradient[k]);
                    out.x_dot[0] += area * gradient[k] * a_dot[k];
                }
            }
            _ => unreachable!("the world checks a site's kind before it is used"),
        }
    }
}
