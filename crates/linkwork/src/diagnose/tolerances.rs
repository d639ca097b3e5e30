//! Every number that steers a diagnosis, with its unit and its reason.

/// At most so many displacement solves: Newton's method needs four or five, cut turns a few more.
pub(super) const MAX_ITERATIONS: usize = 60;

/// A turn is cut to this much per iteration, radians (Faure 1998, §3.4).
pub(super) const MAX_TURN: f64 = 0.8;

/// An error of this fraction of the bodies' size is closed.
pub(super) const CLOSED: f64 = 1e-9;

/// A displacement of this fraction of the bodies' size is none.
pub(super) const AT_REST: f64 = 1e-9;

/// How far away "nearby" is, in sizes of the bodies: far enough that a singular pose is left, near
/// enough that the mechanism still closes.
pub(super) const NEARBY: f64 = 0.05;

/// How often the map to the null space is applied: components of eigenvalue 10³·μ fall below 10⁻¹².
pub(super) const APPLICATIONS: usize = 4;

/// What is left of a random vector of length one when nothing new is in it.
pub(super) const NOTHING_NEW: f64 = 1e-6;

/// Entries below this fraction of the largest do not take part.
pub(super) const TAKES_PART: f64 = 1e-6;

/// A dependency is named by a row whose entry is larger: what is smaller is what rounding left.
pub(super) const NAMES: f64 = 1e-4;

/// A constraint contradicts others if its error is this fraction of the largest: least squares leave a
/// little everywhere.
pub(super) const STANDS_OUT: f64 = 1e-3;
