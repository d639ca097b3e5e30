//! The numbers that decide what a body accepts, each with its unit, its reason, and the test that fails
//! without it.

/// Deviation of a quaternion's length from one, a pure number. Quaternions from files and devices have
/// three digits; what is further off is a mistake. Test: `edits`, `bad_input::positions_and_velocities`.
pub(super) const MAX_QUATERNION_DEVIATION: f64 = 1e-3;

/// How far a pose may leave the plane: meters, and components of a unit quaternion. Round-off of poses
/// that were turned and turned back. Test: `edits`, `bad_input::positions_and_velocities`.
pub(super) const OUT_OF_PLANE: f64 = 1e-9;

/// Deviation of a frame's axes or of a direction from length one and right angles, a pure number.
/// Rotations enter products of many frames, so that more than round-off would be seen as an open joint.
/// Test: `edits`, `bad_input::constraints`.
pub(super) const NOT_ORTHONORMAL: f64 = 1e-9;

/// Relative slack of the triangle inequality of principal moments. A flat body meets it with equality
/// but for round-off. Test: `body::tests::shapes`.
pub(super) const FLAT: f64 = 1e-9;

/// Beyond this turn of the momentum in the body, radians, a body among joints is turned in closed form:
/// joints keep shorter turns from adding up (motion: rotors).
pub(super) const FAR_JOINTED: f64 = 0.5;

/// The same for a body by itself, whose energy oscillates by the square of the turn: to 1e-7 (motion: rotors).
pub(super) const FAR_ALONE: f64 = 1e-3;
