//! Every tolerance of this layer, with its unit and reason. The tests in parentheses, in
//! `crates/linkwork/tests/`, fail without it.

/// A solve with a larger relative residual is too coarse for RATTLE: its impulses would add energy (drags:
/// budget).
pub(super) const ROUGH: f64 = 1e-5;

/// No body moves farther after a goal than this multiple of the goal's own step (drags: reach).
pub(super) const REACH: f64 = 6.0;

/// Gaps larger than this, in bar lengths, are not left by steps: parts were joined that do not meet (edits).
pub(super) const OPEN: f64 = 1e-4;

/// Beyond the energy put in, a frame may gain this part of its kinetic energy and of the energy put in. At 1/60
/// s a regular frame gains less than a hundredth (motion: growth).
pub(super) const GAIN: f64 = 0.1;

/// Slower motion, in bar lengths a frame, does not count: joints are closed to a tolerance, and their gaps
/// become speeds (motion: growth).
pub(super) const STILL: f64 = 1e-6;

/// A gap of so many tolerances is one that closing left, where forces outpace the step (motion: growth).
pub(super) const CLOSED: f64 = 100.0;

/// Over this part of a frame, and of a bar length, rates are differences (motion: growth).
pub(super) const GLIMPSE: f64 = 1e-4;

/// Relative round-off of a sum of energies; also the shortest step of differences, in frames.
pub(super) const ROUND_OFF: f64 = 1e-9;
