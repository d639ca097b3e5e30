//! Patches: contact of surfaces that are flat within the resolution of penetration.
//!
//! The contact point of two nearly flat sides moves far for a small rotation, so that a body lying on one would
//! rock faster than steps can follow. But within `DEPTH` of the surfaces there is a patch, over which normal
//! forces can exert a moment: that of rolling friction with an arm of the patch's width.

use super::convex::Solid;
use crate::collide::tolerances::{DEPTH, FLAT_PATCH, TILT};
use crate::math::{Vec3, add, cross, dot, neg, norm, scale, sub, unit};

/// The extent of a patch in two tangential directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Patch {
    /// The directions, orthogonal, world.
    ways: [Vec3; 2],
    /// Meters; zero where it is not flat.
    pub(crate) arms: [f64; 2],
}

impl Patch {
    /// The patch of a superquadric b on a plane or a convex shape a, with the normal from a to b.
    pub(super) fn of(a: Option<&Solid<'_>>, b: &Solid<'_>, normal: Vec3) -> Self {
        let Some(along) = b.axis_across(normal) else {
            return Self::default();
        };
        let ways = [along, cross(normal, along)];
        let arms = ways.map(|t| {
            let of = |own: &Solid<'_>, n: Vec3| width(own, n, t).min(width(own, n, neg(t)));
            let own = of(b, neg(normal));
            let arm = a.map_or(own, |a| own.min(of(a, normal)));
            let least = 2.0 * DEPTH * FLAT_PATCH * b.size();
            if arm * arm > least { arm } else { 0.0 }
        });
        Self { ways, arms }
    }

    /// The direction in which it is wider.
    pub(crate) fn flattest(&self) -> Vec3 {
        self.ways[usize::from(self.arms[1] > self.arms[0])]
    }
}

/// Distance along t at which a surface with normal n is lower by the depth, by a power law of the tilt.
fn width(own: &Solid<'_>, n: Vec3, t: Vec3) -> f64 {
    let here = own.point(n);
    let tilted = |by: f64| unit(add(n, scale(by, t))).map_or(here, |n| own.point(n));
    let lower = |by: f64| dot(n, sub(here, tilted(by)));
    let (far, near) = (lower(TILT), lower(0.1 * TILT));
    let power = libm::log10(far / near);
    let by = TILT * libm::pow(DEPTH / far, 1.0 / power);
    match by.is_finite() {
        true => norm(sub(tilted(by.min(0.1)), here)),
        false => 0.0,
    }
}
