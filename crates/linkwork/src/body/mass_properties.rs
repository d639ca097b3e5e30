//! Mass, center of mass and inertia.

use super::Pose;
use super::tolerances::FLAT;
use crate::error::{Error, check_fields};
use crate::math::{
    Sym3, Vec3, add, ascending, mat_vec, quat_normalize, quat_to_matrix, scale, sub, sym_eigen,
    sym_rotate,
};

/// Mass properties of a rigid body, in its body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Center of mass, body coordinates.
    pub com_body: Vec3,
    /// Inertia about the center of mass, body axes: `[xx, yy, zz, xy, xz, yz]`, where `xy` is the
    /// matrix entry (minus the product of inertia).
    pub inertia_body: Sym3,
}

impl MassProperties {
    /// A body whose center of mass is the origin of its frame and whose axes are principal.
    pub const fn centered(mass: f64, moments: Vec3) -> Self {
        Self {
            mass,
            com_body: [0.0; 3],
            inertia_body: [moments[0], moments[1], moments[2], 0.0, 0.0, 0.0],
        }
    }

    /// The same body described in another frame, in which its own frame stands at `pose`.
    pub fn placed(&self, pose: &Pose) -> Self {
        let rotation = quat_to_matrix(quat_normalize(pose.rotation));
        Self {
            mass: self.mass,
            com_body: add(pose.position, mat_vec(&rotation, self.com_body)),
            inertia_body: sym_rotate(&rotation, &self.inertia_body),
        }
    }

    /// Several parts welded into one body. Each part's frame stands at its pose in the frame of
    /// the whole. A part may be a point (no inertia), the whole may not.
    ///
    /// ```text
    ///     m = Σ mᵢ      c = Σ mᵢ·cᵢ/m      I = Σ Rᵢ·Iᵢ·Rᵢᵀ + mᵢ·(|rᵢ|²·1 − rᵢ·rᵢᵀ),  rᵢ = cᵢ − c
    /// ```
    pub fn combine(parts: &[(MassProperties, Pose)]) -> Result<Self, Error> {
        if parts.is_empty() {
            return Err(Error::field("parts", "is empty; give at least one"));
        }
        let (mut mass, mut first_moment) = (0.0, [0.0; 3]);
        for (part, pose) in parts {
            Error::require_positive("mass", &part.mass)?;
            Error::require_finite("com_body", &part.com_body)?;
            Error::require_finite("inertia_body", &part.inertia_body)?;
            pose.validate()?;
            mass += part.mass;
            first_moment = add(first_moment, scale(part.mass, part.placed(pose).com_body));
        }
        let com_body = scale(1.0 / mass, first_moment);
        let mut inertia_body = [0.0; 6];
        for (part, pose) in parts {
            let placed = part.placed(pose);
            let steiner = point_inertia(placed.mass, sub(placed.com_body, com_body));
            for k in 0..6 {
                inertia_body[k] += placed.inertia_body[k] + steiner[k];
            }
        }
        let whole = Self {
            mass,
            com_body,
            inertia_body,
        };
        whole.validate()?;
        Ok(whole)
    }

    /// `Ok` when mass and inertia are positive and the principal moments fulfil the triangle
    /// inequality, as those of every real distribution of mass do.
    pub fn validate(&self) -> Result<(), Error> {
        check_fields!(self, positive: mass; finite: com_body, inertia_body)?;
        let (moments, _) = sym_eigen(&self.inertia_body);
        let [small, middle, large] = ascending(&moments).map(|k| moments[k]);
        if small <= 1e-14 * large {
            return Err(Error::field(
                "inertia_body",
                format!(
                    "has principal moments {small:e}, {middle:e}, {large:e}; all must be positive \
                     (give a rod a radius)"
                ),
            ));
        }
        if small + middle < large * (1.0 - FLAT) {
            return Err(Error::field(
                "inertia_body",
                format!(
                    "has principal moments {small:e}, {middle:e}, {large:e}; no body has a moment \
                     greater than the sum of the other two"
                ),
            ));
        }
        Ok(())
    }
}

/// Inertia of a point mass at `r`: `m·(|r|²·1 − r·rᵀ)`.
fn point_inertia(mass: f64, r: Vec3) -> Sym3 {
    let [x, y, z] = r;
    [
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    ]
}

/// Inertia from the second moments `∫ρ·x·xᵀ` about the same point: `tr(C)·1 − C`.
pub(super) fn inertia_from_second_moments(c: &Sym3) -> Sym3 {
    [c[1] + c[2], c[0] + c[2], c[0] + c[1], -c[3], -c[4], -c[5]]
}
