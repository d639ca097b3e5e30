//! Every tolerance of the checks of edits, with its unit and reason.

/// A direction lies in the plane, or along its normal, if its unit vector is off by less: rounding of typed
/// digits.
pub(super) const IN_PLANE: f64 = 1e-9;

/// Two axes are perpendicular if the cosine of their angle is less: rounding of typed digits, rotated with a
/// body.
pub(super) const PERPENDICULAR: f64 = 1e-6;

/// Weights within a priority. Beyond this range least squares lose the lighter rows to rounding.
pub(super) const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// Bodies that overlap by less only touch, m.
pub(super) const BESIDE: f64 = 1e-9;
