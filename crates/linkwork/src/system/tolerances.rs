//! Every number that the layer is steered by, with its unit and its reason.

/// Distances to parts of a skin are equal if they differ by less than this part of its longest edge.
pub(super) const SAME: f64 = 1e-9;

/// A body that moves by less than this part of its thickness in a step passes through nothing.
pub(super) const SLOW: f64 = 0.25;

/// A body whose surface moves by more than so many of its thicknesses in a step spins: places at both ends of the step
/// do not tell its way.
pub(super) const MANY: f64 = 4.0;

/// The fastest point of a solid that deforms is at most so many times as fast as the fastest of the points that are
/// looked at.
pub(super) const BETWEEN: f64 = 1.5;

/// Parts whose distance is below this are candidates for contact even if nothing moves, m.
pub(super) const REACH: f64 = 1e-3;

/// The acceleration that a hand can give the mass that it leads, m/s²: a hundred times gravity. Thrown by it from rest,
/// a body is a quarter of a meter away after a frame of 1/60 s (contact: hands).
pub(super) const STRENGTH: f64 = 1e3;

/// An axis with a smaller sine to a normal is not across it: it was not chosen yet, or the normal has turned far.
pub(super) const LEAST_ACROSS: f64 = 0.1;

/// The most that soft rows may add to the mass, relative to it: half of the digits remain.
pub(super) const MOST_STIFF: f64 = 1e8;

/// The longest step for which that must hold, s.
pub(super) const LONGEST: f64 = 1.0;
