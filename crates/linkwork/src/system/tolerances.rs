//! Every tolerance of this layer, with its unit and reason.

/// Distances to parts of a skin are equal if they differ by less than this, relative to its longest edge.
pub(super) const SAME: f64 = 1e-9;

/// A body that moves by less than this part of its thickness in a step cannot pass through anything.
pub(super) const SLOW: f64 = 0.25;

/// A body whose surface moves by more than this many thicknesses in a step spins: the poses at both ends do not
/// determine its path.
pub(super) const MANY: f64 = 4.0;

/// Bound on the speed of any point of a solid that deforms, relative to the fastest sample point.
pub(super) const BETWEEN: f64 = 1.5;

/// Features closer than this are candidates for contact even at rest, m.
pub(super) const REACH: f64 = 1e-3;

/// Largest acceleration by a hand of the mass that hangs on it, m/s²: a hundred times gravity. A body thrown
/// from rest is a quarter of a meter away after a frame of 1/60 s (contact: hands).
pub(super) const STRENGTH: f64 = 1e3;

/// Smallest sine of the angle between a reference axis and a normal. Below, a new axis is chosen: none was
/// chosen yet, or the normal has rotated far.
pub(super) const LEAST_ACROSS: f64 = 0.1;

/// Largest addition of soft rows to the mass, relative to it: half of the digits remain.
pub(super) const MOST_STIFF: f64 = 1e8;

/// Longest step for which this holds, s.
pub(super) const LONGEST: f64 = 1.0;
