//! Every number by which a step is refused or judged, with its unit and reason.

/// Longest frame, seconds: a larger number is probably in milliseconds.
pub(super) const LONGEST: f64 = 100.0;

/// Shortest frame, seconds: the inverse square of a shorter one would dominate all other numbers.
pub(super) const SHORTEST: f64 = 1e-12;

/// Smallest tolerance of error control: round-off.
pub(super) const LEAST_TOLERANCE: f64 = 1e-15;

/// Constraints of lower priorities gave way if they are open by more than this many tolerances.
pub(super) const GIVES_WAY: f64 = 100.0;

/// Numbers of parts that are tried for a frame that gained energy nobody put in.
pub(super) const PARTS: [usize; 3] = [2, 4, 8];

/// Default tolerance of closed constraints, meters.
pub(super) const CLOSED: f64 = 1e-9;
