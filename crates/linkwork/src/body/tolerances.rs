//! The tolerances of bodies, each with its unit, reason, and the test that fails without it.

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

/// A jointed body whose momentum rotates by more than this in the body frame, radians, is rotated in closed
/// form. Joints keep errors of smaller rotations from accumulating (motion: rotors).
pub(super) const FAR_JOINTED: f64 = 0.5;

/// The same for a free body, whose energy oscillates by the square of the rotation: by 1e-7 (motion: rotors).
pub(super) const FAR_ALONE: f64 = 1e-3;

/// Largest excess of a latitude over a pole, for files with few digits.
pub(super) const PAST_POLE: f64 = 1e-3;

/// Largest rotation in a part of a flight, radians.
pub(super) const MOST_TURN: f64 = 0.25;

/// Largest number of parts of a flight.
pub(super) const MOST_PARTS: f64 = 64.0;

/// Corrections of a part of a flight end below this, relative to the flight.
pub(super) const CLOSED: f64 = 1e-15;

/// The floor of M, as a part of the length at which all mass would act.
pub(super) const FLOOR: f64 = 1e-5;

/// The change of a shape's number that counts like a rotation by one radian.
pub(super) const LIKE_A_RADIAN: f64 = 0.5;

/// ψ is integrated over parts of τ that are no longer than this: the integrand's poles are π/2 away.
pub(super) const PART: f64 = 0.5;

/// The most such parts. A period has at most 150; without one (about the middle axis) the integrand is constant except
/// for a few parts. For a turn of 1e18 in a flight, no digit of the phase is left.
pub(super) const MOST_PARTS_OF_TURN: f64 = 1e3;

/// The least of twice the area of a triangle, or six times the volume of a tetrahedron, relative to a power of its
/// longest edge: below it the element is flat.
pub(super) const FLAT_ELEMENT: f64 = 1e-9;

/// A point further from the surface than this part of the longest edge is none of its matter.
pub(super) const REACH: f64 = 0.25;

/// By how much a latitude is changed to find the way to the pole, radians.
pub(super) const LATITUDE: f64 = 1e-6;

/// A point is inside a tetrahedron, but for round-off of its weights.
pub(super) const INSIDE: f64 = -1e-9;
