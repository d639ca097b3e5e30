//! Every number that the layer is steered by, with its unit and its reason.

/// A vector shorter than this has no direction.
pub(super) const NOTHING: f64 = 1e-30;

/// A point nearer to an axis than this is on it: powers below one would enlarge round-off.
pub(super) const ON_AXIS: f64 = 1e-15;

/// The largest taper of a solid: at 1 one of its ends would have no width.
pub(super) const MOST_TAPER: f64 = 0.98;

/// Exponents differ from 1 by less than this: outside, a solid has edges or no width.
pub(super) const EXPONENT_RANGE: f64 = 0.9;

/// A combination of polynomials whose moment is below this part of the largest has no mass.
pub(super) const NO_MASS: f64 = 1e-10;

/// Newton's method for a point of a displaced solid ends at a step below this, in units of the primitive.
pub(super) const FOUND: f64 = 1e-14;
