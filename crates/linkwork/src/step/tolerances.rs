//! Every number by which a step is refused or judged, with its unit and its reason.

/// No frame is longer, seconds: what is meant is probably milliseconds.
pub(super) const LONGEST: f64 = 100.0;

/// No frame is as short, seconds: its inverse square would swamp everything else.
pub(super) const SHORTEST: f64 = 1e-12;

/// Error control cannot ask for less than round-off.
pub(super) const LEAST_TOLERANCE: f64 = 1e-15;

/// Constraints of lower priorities that are open by more than so many tolerances gave way: what is
/// closer was reached, or nearly so.
pub(super) const GIVES_WAY: f64 = 100.0;

/// Into how many parts a frame is split that gained energy nobody put in, one try after the other.
pub(super) const PARTS: [usize; 3] = [2, 4, 8];

/// Constraints are closed to this, meters.
pub(super) const CLOSED: f64 = 1e-9;
