//! The numbers that steer constraints, each with its unit, its reason, and the test that fails without
//! it. (Those that belong to a check of a contract are in `contract.rs`.)

/// Meters. Two points nearer than this have no direction between them: the row takes the first axis.
/// Test: `distance::coincident_points_give_finite_rows`.
pub(super) const COINCIDENT: f64 = 1e-12;

/// Meters. Below this length a gradient has no direction and a fixed one is taken.
/// Test: `surface::finite_at_the_center`.
pub(super) const NO_GRADIENT: f64 = 1e-12;

/// The sine of an angle, near 0 or π. Below it the direction of an arc or of a lean is noise, and
/// dividing by it would give infinite rows. Tests: `frame_pair::tests`,
/// `rolling::a_flat_disc_gives_finite_rows`.
pub(super) const SMALLEST_SINE: f64 = 1e-9;

/// The sine between the axes of a universal joint, below which they count as parallel: its row stays
/// exact down to round-off, so that only what is below it needs a fixed side. Test: `frame_pair::tests`.
pub(super) const PARALLEL_AXES: f64 = 1e-12;

/// The distance of unit vectors. A direction this near to the one that has no basis gets a fixed one, which is
/// square to it as well as digits allow. Test: `directions::finite_where_the_basis_is_singular`.
pub(super) const NO_BASIS: f64 = 1e-8;

/// A part of the largest entry. Surfaces whose curvatures differ by less along some direction touch along a line there:
/// joints that hold axes parallel leave angles of about 1e-9 rad between them, and the point where such axes are
/// nearest to each other says nothing. Gaps change by the square of it. Test:
/// `tangency::lines_of_contact_move_like_their_points`.
pub(super) const ALONG_A_LINE: f64 = 1e-7;

/// Steps of Newton's method for a contact pair; five or six are usual.
/// Test: `tangency::ellipsoid_gap_is_the_largest_separation`, as for the four below.
pub(super) const MAX_CONTACT_STEPS: usize = 60;

/// Radians. The largest turn of a normal in one step: Newton's method sees the curvature of one place.
pub(super) const MAX_NORMAL_TURN: f64 = 0.3;

/// Rounds in which the points walk towards each other when better starts fail (long thin bodies).
pub(super) const MAX_WALK: usize = 20;

/// Halvings of a step that does not reduce the error.
pub(super) const MAX_HALVINGS: usize = 6;

/// Radians, and meters over the size. A contact pair whose conditions hold to this has converged: ten
/// times round-off.
pub(super) const CONVERGED: f64 = 1e-13;

/// The same unit. A pair that only holds to this after all steps is taken as found.
pub(super) const FOUND: f64 = 1e-9;

/// A cone below this has no inside to speak of, rad.
pub(super) const NARROWEST: f64 = 1e-3;

/// Eigenvalues count at least as this part of the largest: along flat directions steps stay finite.
pub(super) const FLAT: f64 = 1e-8;

/// The least that the largest counts.
pub(super) const FLATTEST: f64 = 1e-12;
