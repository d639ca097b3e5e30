//! Every number that steers this layer. All are relative and have no unit.

/// A relative residual that ends corrections.
pub(super) const CONVERGED: f64 = 1e-12;

/// A relative residual above this is not round-off.
pub(super) const EXACT: f64 = 1e-9;

/// A force error that could move any body by more, relatively, is corrected while it helps.
pub(super) const BALANCED: f64 = 1e-10;

/// A correction that leaves more than this part of the error has gained nothing.
pub(super) const STALLED: f64 = 0.9;

/// At most so many corrections.
pub(super) const MAX_CORRECTIONS: usize = 40;

/// So many turns clean a contradiction of what can be met.
pub(super) const CONTRADICTION_TURNS: usize = 5;

/// How often what is left of a contradiction is looked for again.
pub(super) const MAX_PASSES: usize = 40;

/// A scalar pivot below this fraction of its row's original diagonal is lost.
pub(super) const LOST_PIVOT: f64 = 1e-11;

/// The proximal term, relative to the mean diagonal of the scaled matrix.
pub(super) const PROXIMAL: f64 = 1e-8;

/// A proximal term for very different masses, relative to the usual one.
pub(super) const WEAK_PROXIMAL: f64 = 1e-4;

/// With a proximal term, a pivot below this part of the term is round-off.
pub(super) const PROXIMAL_PIVOT: f64 = 0.1;

/// Directions a level cannot move, relative to what it could without the levels above.
pub(super) const BLOCKED: f64 = 1e-10;

/// A response that leaves more than this part of the motion is too coarse to build on.
pub(super) const ROUGH: f64 = 1e-3;

/// The cross product of two rows of a joint whose square is below this has no direction.
pub(super) const PARALLEL: f64 = 1e-20;

/// Errors of rows below this part of the motion are not worth a better estimate of its size.
pub(super) const TINY_ERROR: f64 = 1e-13;

/// A residual above this, and above [`VERIFIED_TIMES`] the tolerance of an iteration, is not an exact
/// answer whatever the method says.
pub(super) const VERIFIED: f64 = 1e-7;

/// How much larger the residual of the whole may be than the tolerance of an iteration, which is
/// relative to the motion without constraints.
pub(super) const VERIFIED_TIMES: f64 = 1e3;
