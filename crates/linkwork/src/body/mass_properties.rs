//! Mass, centre of mass and inertia.

use crate::error::Invalid;
use crate::math::{Sym3, Vec3, sym_eigen};

/// Mass properties of a rigid body, in its body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Centre of mass, body coordinates.
    pub com_body: Vec3,
    /// Inertia about the centre of mass, body axes: `[xx, yy, zz, xy, xz, yz]`, where `xy` is the
    /// matrix entry (minus the product of inertia).
    pub inertia_body: Sym3,
}

impl MassProperties {
    /// `Ok` when mass and inertia are positive and the principal moments fulfil the triangle
    /// inequality, as those of every real distribution of mass do.
    pub fn validate(&self) -> Result<(), Invalid> {
        Invalid::require_positive("mass", self.mass)?;
        Invalid::require_finite("com_body", &self.com_body)?;
        Invalid::require_finite("inertia_body", &self.inertia_body)?;
        let (mut moments, _) = sym_eigen(&self.inertia_body);
        moments.sort_by(f64::total_cmp);
        let [small, middle, large] = moments;
        if small <= 1e-14 * large {
            return Err(Invalid::new(
                "inertia_body",
                format!(
                    "has principal moments {small:e}, {middle:e}, {large:e}; all must be positive \
                     (give a rod a radius)"
                ),
            ));
        }
        if small + middle < large * (1.0 - 1e-9) {
            return Err(Invalid::new(
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
