//! Every number that the layer is steered by, with its unit and its reason. Each is broken by the tests
//! in parentheses, of `crates/linkwork/tests/`.

/// Impulses of a solve that leaves more than this part of the motion are too coarse for RATTLE: they
/// would pump energy into the step (drags: budget).
pub(super) const ROUGH: f64 = 1e-5;

/// After a goal no body goes further than so many times the goal's own step (drags: reach).
pub(super) const REACH: f64 = 6.0;

/// Gaps beyond this, in bar lengths, are more than any step leaves: somebody joined what does not meet
/// (edits).
pub(super) const OPEN: f64 = 1e-4;
