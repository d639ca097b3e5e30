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

/// A frame may gain this part of its kinetic energy and of what was put in, beyond what was put in: at
/// 1/60 s a regular frame gains less than a hundredth (motion: growth).
pub(super) const GAIN: f64 = 0.1;

/// Motion that goes less far in a frame, in bar lengths, is none: joints are closed to a tolerance, and what
/// they leave open becomes speed (motion: growth).
pub(super) const STILL: f64 = 1e-6;

/// A gap of so many tolerances is one that closing left, where forces outpace the step (motion: growth).
pub(super) const CLOSED: f64 = 100.0;

/// Over this part of a frame, and of a bar length, rates are differences (motion: growth).
pub(super) const GLIMPSE: f64 = 1e-4;

/// What of a sum of energies is round-off, and of a frame too short for differences.
pub(super) const ROUND_OFF: f64 = 1e-9;
