//! Every number that steers this layer, with its reason and the test of `tests/agreement` that fails
//! without it. None has a unit: they are counts, or relative to what their text says.

/// A residual that ends corrections, relative to motion and force. A thousand times below [`EXACT`], so
/// that what is called exact is not exact by a hair; lower only costs solves.
/// Test: `redundancy::a_repeated_joint_changes_nothing` (at 1e-7).
pub(super) const CONVERGED: f64 = 1e-12;

/// A residual that ends corrections of a response: bounded rows see an error of this part of what they do, and joints
/// none, because the impulses that are found are solved for like any load. A factor with a proximal term takes a
/// correction less.
/// Test: `contact` of `linkwork-scene`, `a_walker_walks` (at 1e-4).
pub(super) const RESPONDED: f64 = 1e-9;

/// A residual above this, relative to motion and force, is not round-off: rows contradict each other, or
/// the factor is no good.
/// Tests: `redundancy::a_closure_told_two_things_meets_them_halfway` (at 1e-4), `random::forests` (at
/// 1e-15).
pub(super) const EXACT: f64 = 1e-9;

/// A force error that could move any body by more, relative to the motion, is corrected while it helps:
/// light bodies among heavy ones.
/// Test: `mass_ratio::growing_and_shrinking_masses` (at 1).
pub(super) const BALANCED: f64 = 1e-10;

/// A correction that leaves more than this part of the error has stalled. Near one, because proximal
/// corrections converge slowly where masses differ.
/// Test: `mass_ratio::growing_and_shrinking_masses` (at 0.1).
pub(super) const STALLED: f64 = 0.9;

/// At most so many corrections: an end for those that gain a little each time.
/// Test: `redundancy::a_repeated_joint_changes_nothing` (at 1).
pub(super) const MAX_CORRECTIONS: usize = 40;

/// So many turns of inverse iteration clean a contradiction of what can be met, by a factor of about
/// [`PROXIMAL`] each. One is enough for what the tests have; the others are for rows that nearly repeat.
/// Test: `redundancy::a_closure_told_two_things_meets_them_halfway` (at 0).
pub(super) const CONTRADICTION_TURNS: usize = 5;

/// How often what is left of a contradiction is looked for again.
/// Test: `redundancy::bars_too_far_apart_meet_in_least_squares` (at 0).
pub(super) const MAX_PASSES: usize = 40;

/// A scalar pivot below this part of its row's diagonal before elimination is lost: the row repeats
/// others. Well above round-off, well below what bad conditioning leaves.
/// Test: `orders::rings_with_collinear_bars` (at 0).
pub(super) const LOST_PIVOT: f64 = 1e-11;

/// A pivot of a soft row below this part of the row's compliance is lost to round-off: without it no pivot is below the
/// compliance. Asked where there are hubs.
/// Test: `hubs::soft_rows_before_their_hub_take_few_corrections` (at 1e9).
pub(super) const LOST_SOFT_PIVOT: f64 = 0.5;

/// The proximal term, relative to the mean diagonal of the scaled matrix: half the digits, so that
/// neither round-off nor the number of corrections is large.
/// Tests: `random::loopy_graphs` (at 1e-14 and 1e-2).
pub(super) const PROXIMAL: f64 = 1e-8;

/// A proximal term that lets heavy bodies move among light ones, relative to [`PROXIMAL`].
/// Test: `redundancy::redundant_rows_between_very_different_masses` (at 1).
pub(super) const WEAK_PROXIMAL: f64 = 1e-4;

/// With a proximal term no pivot is below the term but by round-off: it is raised to this part of the
/// term.
/// Test: `redundancy::a_closure_told_two_things_meets_them_halfway` (at 10).
pub(super) const PROXIMAL_PIVOT: f64 = 0.1;

/// Directions that a priority cannot move, relative to what it could without those above.
/// Test: `priorities::lower_priorities_do_not_disturb_higher_ones` (at 1e-17).
pub(super) const BLOCKED: f64 = 1e-10;

/// A response that leaves more than this part of the motion is too coarse for lower priorities to be built
/// on. Seen only where budgets cut iterations short: no test of agreement.
pub(super) const ROUGH: f64 = 1e-3;

/// The cross product of two rotation rows whose square is below this has no direction; rows of length
/// about one.
/// Test: `typed::typed_pools_and_traits_give_the_same_motion` (at 1e9). Zero only fails where two rows
/// are exactly parallel.
pub(super) const PARALLEL: f64 = 1e-20;

/// Errors of rows below this part of the motion are so small that a better estimate of its size would not
/// change the verdict. Saves time; no test.
pub(super) const TINY_ERROR: f64 = 1e-13;

/// A relative residual above this, and above [`VERIFIED_TIMES`] the tolerance of an iteration, is no exact
/// answer whatever the method says.
/// Tests: `verdicts::a_blocked_push_is_not_exact` (at 1e9), `random::forests` (at 0).
pub(super) const VERIFIED: f64 = 1e-7;

/// How much larger the residual may be than the tolerance of an iteration, which is relative to the motion
/// without constraints: that may be the larger one. No test of agreement; they iterate to round-off.
pub(super) const VERIFIED_TIMES: f64 = 1e3;

/// A step of a sweep costs as much as so many products of two numbers: what decides between products and
/// responses for the matrix of loops. Measured, `bench/README.md`.
/// Test: `solve::forest::tests::many_loops_on_long_ways_take_responses` (at 1e9).
pub(super) const PRODUCTS_PER_STEP: usize = 32;

/// So often what damping left of lower priorities is asked for again where they are to be met. With a damping of 1e-2
/// it leaves 3e-8 of what has a hundredth of the largest mobility; near singular poses forces are at most 25 times as
/// large.
/// Test: `motion` of `tests`, `led` (at 4).
pub(super) const DAMPED_REPEATS: usize = 24;

/// The least ratio of masses across a joint of a core: half of the digits remain.
pub(super) const TOO_LIGHT: f64 = 1e-8;

/// Moments of an articulated inertia that differ by more are eliminated axis by axis: through its inverse, so much of
/// the round-off of the largest would show in what is left.
/// Test: `motion` of `tests`, `taut` (at 1e30).
pub(super) const THIN: f64 = 1e7;
