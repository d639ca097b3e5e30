//! Every number by which a world decides what it accepts, with its unit and its reason.

/// A direction lies in the plane, or across it, if its unit vector is off by less: what rounding of
/// typed digits leaves.
pub(super) const IN_PLANE: f64 = 1e-9;

/// Two axes are perpendicular if the cosine of their angle is less: typed digits, turned with a body.
pub(super) const PERPENDICULAR: f64 = 1e-6;

/// Weights within a priority: beyond, least squares lose the lighter rows to rounding.
pub(super) const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// What overlaps by less is beside each other, m.
pub(super) const BESIDE: f64 = 1e-9;
