//! Every tolerance of a diagnosis, with its unit and reason.

/// Largest number of displacement solves: Newton's method needs four or five, and a few more where rotations
/// are truncated.
pub(super) const MAX_ITERATIONS: usize = 60;

/// Rotations are truncated to this per iteration, radians (Faure 1998, §3.4).
pub(super) const MAX_TURN: f64 = 0.8;

/// A row counts as closed up to this error, relative to the bodies' size.
pub(super) const CLOSED: f64 = 1e-9;

/// Default tolerance of assembly and steps, meters: their results count as closed, and are closed further
/// before the diagnosis. Test: `what_assembly_closed_is_closed`.
pub(super) const LEFT_BY_STEPS: f64 = 1e-9;

/// Smallest displacement that counts, relative to the bodies' size.
pub(super) const AT_REST: f64 = 1e-9;

/// Distance of a nearby pose, in sizes of the bodies: far enough to leave a singular pose, near enough that the
/// mechanism still closes.
pub(super) const NEARBY: f64 = 0.05;

/// Applications of the map to the null space: components of eigenvalue 10³·μ fall below 10⁻¹².
pub(super) const APPLICATIONS: usize = 4;

/// A combination of rows of length one, in meters, whose `‖Jᵀ·n‖` is this part of a row's size repeats
/// itself. Three times the square root of [`CLOSED`]: near a singular pose errors are the square of the
/// distance from it, so that closing leaves as much. The map to the null space keeps what is below 5e-4.
/// Test: `long::a_pose_that_closes_only_where_it_is_flat_is_flat` (at 1e-6).
pub(super) const DEPENDENT: f64 = 1e-4;

/// Candidates whose `‖Jᵀ·n‖` is this part of a row's size, all together, have nothing else in them: where the
/// map to the null space leaves anything, it is this part times a thousand.
/// Test: `long::what_is_nearly_repeated_is_not_repeated` (at 1e-4).
pub(super) const CLEAN: f64 = 1e-11;

/// Where so many rows are tied together, [`DEPENDENT`] is halved, and falls with the square of more. The
/// least that `‖Jᵀ·n‖` can be where nothing is repeated was measured to be 9/rows² (a chain of hinges that
/// ends in a loop); this is a ninth of it.
/// Test: `long::what_is_nearly_repeated_is_not_repeated` (at 1000).
pub(super) const LONG: f64 = 100.0;

/// Where one constraint alone is left at a body, it holds the body if no combination of its rows is below this
/// part of a row's size: well above [`DEPENDENT`] and what the map to the null space keeps.
/// Test: `long::a_joint_that_repeats_itself_is_found_at_the_end_of_a_chain` (at 0).
pub(super) const HELD: f64 = 1e-3;

/// At most so many projections of one motion. Each halves what opens joints, or is the last.
/// Test: `long::a_long_arch_of_hinges_repeats_three_rows` (at 1).
pub(super) const MAX_PROJECTIONS: usize = 30;

/// The compliance of a row that is left out, in meters per newton over unit bodies: it holds nothing.
/// Test: `long::a_long_arch_of_hinges_repeats_three_rows` (at 0).
pub(super) const LEFT_OUT: f64 = 1e30;

/// Remaining length of a random unit vector that adds nothing new.
pub(super) const NOTHING_NEW: f64 = 1e-6;

/// Entries below this, relative to the largest, do not take part.
pub(super) const TAKES_PART: f64 = 1e-6;

/// A dependency is named by a row whose entry is a larger part of the largest: what is smaller is what rounding
/// left. The force at the end of a row of n hinges has a part of 1/n.
/// Test: `long::a_long_arch_of_hinges_repeats_three_rows` (at 1e-3).
pub(super) const NAMES: f64 = 1e-6;

/// A constraint contradicts others if its error is at least this, relative to the largest: least squares leave
/// small errors everywhere.
pub(super) const STANDS_OUT: f64 = 1e-3;

/// A force that moves its row by less than this part of what it could moves nothing of it (diagnosis: powerless).
pub(super) const POWERLESS: f64 = 1e-9;
/// Bodies closer than this touch, and limits are at their stops, m: steps leave less. Test:
/// `held::a_table_shares_its_weight` (at 0).
pub(super) const TOUCHES: f64 = 1e-6;

/// What is left of a row that joints and others hold, as a part of what it does to free bodies; and least part in a
/// load that is borne among what holds.
/// Test: `held::a_table_shares_its_weight` (at 0).
pub(super) const SHARES: f64 = 1e-8;

/// Largest number of rows that are compared: n solves and n³ operations, half a second.
pub(super) const MOST_HELD: usize = 800;
