//! Every number that steers this layer, with its reason and the test of `tests/agreement` that fails
//! without it. None has a unit: they are counts, or relative to what their text says.

/// How often a wrong result of an iteration is taken as a new start.
/// Test: `mass_ratio::alternating_masses` (at 0).
pub(super) const MAX_RESTARTS: usize = 20;

/// A verified residual below this, relative to the right-hand side, is as good as badly scaled rows
/// allow when the tolerance asks for more.
/// Test: `mass_ratio::alternating_masses` (at 0).
pub(super) const ROUND_OFF: f64 = 1e-9;

/// A residual that the operator shrinks to this, relative to its size, is orthogonal to everything it
/// can reach; what is left of `A·r` is round-off, and a step along it would be too.
/// Tests: `faure::more_budget_never_makes_a_contradiction_worse` (at 0), `random::forests` (at 1e-3).
pub(super) const STATIONARY: f64 = 1e-11;

/// The cosine between residual and direction above which a direction is forgotten (Powell's restart).
/// Saves iterations that go on from another pose; no test of agreement.
pub(super) const ASTRAY: f64 = 0.2;

/// A square this much smaller is round-off: the direction of the last solve was named, not taken. No test
/// of agreement.
pub(super) const NOTHING: f64 = 1e-20;

/// So many directions are kept where rows have weights: more than the rows of a few constraints, and as dear
/// as so many iterations.
/// Test: `weights::heavy_constraints_are_met_first` (at 2).
pub(super) const KEPT: usize = 16;

/// What of the fall of the residual's square may be given up for weights. With less, little is left to weights
/// where iterations gain little; with all of it, precision would not be recovered by those that follow.
/// Test: `weights::precision_is_recovered_whatever_the_weights` (at 1).
pub(super) const GIVEN_UP: f64 = 0.5;

/// A direction in which a block is flat counts at least so much of its largest entry, where it scales an
/// iteration: what cannot move there must not be all that the iteration sees.
/// Test: `blocks::a_flat_block_has_no_pivot_that_vanishes` (at 0).
pub(super) const FLAT: f64 = 1e-6;

/// An iteration aims for this part of its tolerance, so that the verification does not fail by a hair.
/// Saves restarts; no test.
pub(super) const AIM: f64 = 0.9;

/// The least proximal term, relative to the largest diagonal entry without constraints: clear of
/// round-off where every row is blocked.
/// Test: `redundancy::a_repeated_joint_changes_nothing` (at 1e-3).
pub(super) const LEAST_PROXIMAL: f64 = 1e-14;

/// With a proximal term, a pivot below this part of its row's diagonal without constraints is round-off.
/// Test: `redundancy::bars_too_far_apart_meet_in_least_squares` (at 1).
pub(super) const PROXIMAL_FLOOR: f64 = 1e-16;

/// At most so many sweeps of Jacobi's rotations, which converge quadratically: an end if numbers are not
/// finite. Test: `linalg::eigen` (at 1).
pub(super) const MAX_SWEEPS: usize = 32;

/// Entries beside the diagonal, all together, that change no digit of the largest eigenvalue.
/// Test: `linalg::eigen` (at 1e-6).
pub(super) const OFF_DIAGONAL: f64 = 1e-17;

/// Impulses between bounds obey their law if no more than this is left of it, m/s: above round-off where light bodies
/// carry heavy ones, below all that can be seen.
pub(super) const BOUNDED_ENOUGH: f64 = 1e-9;

/// Where Newton's methods do not get there, this is fair, m/s: a hundredth of what users are told of.
pub(super) const BOUNDED_FAIR: f64 = 1e-7;

/// Impulses that leave more than this part of the rates without any are none to start from (contact: surfaces).
pub(super) const BOUNDED_COLD: f64 = 0.1;

/// How stiff the proximal term of bounded rows is, relative to their own mobility: smaller ones need many steps where
/// masses differ a hundredfold, larger ones lose digits.
pub(super) const BOUNDED_STIFFNESS: f64 = 1e6;

/// At most so many steps: they end after finitely many, few in practice.
pub(super) const BOUNDED_STEPS: usize = 60;

/// The center of the proximal term is moved when what is left around it is less than this part of the residual.
pub(super) const BOUNDED_INSIDE: f64 = 0.3;

/// So many steps are tried with full stiffness from the last impulses, and the stiffness with which bounds are sought
/// afterwards.
pub(super) const BOUNDED_FIRST_STEPS: usize = 3;
pub(super) const BOUNDED_SOFTNESS: f64 = 1.0;

/// Directions along which a projection varies less than this are held.
pub(super) const BOUNDED_HELD: f64 = 1e-9;

/// Steps of Newton's method on the law of friction itself: they converge at once, or not at all.
pub(super) const BOUNDED_LAST_STEPS: usize = 24;

/// How often such a step is halved before it is given up.
pub(super) const BOUNDED_HALVINGS: usize = 12;

/// By bodies, rows that hold give way by this part of their own mobility in such a step: they may repeat each other.
pub(super) const BOUNDED_GIVE: f64 = 1e-6;

/// A pivot of that method's matrix, whose entries are about one, below this is none: rows repeat each other.
pub(super) const BOUNDED_SINGULAR: f64 = 1e-11;

/// Where Newton's methods fail, dense methods are tried up to so many rows.
pub(super) const BOUNDED_DENSE: usize = 200;

/// Lemke's method: at most so many pivots for each variable; what falls slower than this, of a response of about one,
/// does not fall; and what reaches zero within this part of the largest rate does so together: round-off makes the
/// first one too small for some problems, and a loose one passes what is not a tie.
pub(super) const BOUNDED_PIVOTS: usize = 8;
pub(super) const BOUNDED_PIVOT: f64 = 1e-11;
pub(super) const BOUNDED_TIES: [f64; 2] = [1e-13, 1e-10];

/// Path following: the softness σ of rows, as a multiple of their own mobility. At the start they nearly respond to
/// themselves alone; below the second value the law is tried by moving centers; the last is round-off. At most so many
/// factors in all: a curve takes 100 to 600.
/// Test: `bounded::tests::hard::paths_lead_to_the_law_in_space`.
pub(super) const BOUNDED_PATH_START: f64 = 1e3;
pub(super) const BOUNDED_PATH_NEAR: f64 = 1e-5;
pub(super) const BOUNDED_PATH_END: f64 = 1e-10;
pub(super) const BOUNDED_PATH_STEPS: usize = 1500;

/// Above so many rows a path is followed only if the law is not fair (`falling-humanoid` took twice as long).
pub(super) const BOUNDED_PATH_ROWS: usize = 80;

/// A point is on the curve if no more than this is left, relative to the largest rate.
pub(super) const BOUNDED_ON_CURVE: f64 = 1e-6;

/// ln σ changes by no more than this in a step: where rows repeat each other, longer ones lead far away.
pub(super) const BOUNDED_PATH_TURN: f64 = 2.0;

/// At most so many Newton steps of a correction. If half of them are enough, the next step is twice as long.
pub(super) const BOUNDED_CORRECTIONS: usize = 10;

/// If steps have to be shorter than this, there is a kink. So many tries are made to see its other side.
pub(super) const BOUNDED_KINK: f64 = 1e-7;
pub(super) const BOUNDED_KINKS: i32 = 5;

/// The center moves at most so often, as long as each time leaves less than this part of the law. Each time the
/// proximal problem is solved to this part of what is enough.
pub(super) const BOUNDED_CENTERS: usize = 12;
pub(super) const BOUNDED_CENTER_GAIN: f64 = 0.3;
pub(super) const BOUNDED_HARD: f64 = 0.1;

/// Rows jam if σ falls by twenty and leaves more than this part of the law that was left before.
/// Test: `bounded::tests::hard::what_jams_is_given_up`.
pub(super) const BOUNDED_JAM: f64 = 0.9;

/// So many rounds of Gauss–Seidel, the first of 50 sweeps, each twice as long as the one before, and how far each group
/// goes of the way that is safe by itself.
pub(super) const BOUNDED_SWEEPS: usize = 6;
pub(super) const BOUNDED_RELAXATION: f64 = 1.0;

/// How many rounds of steps, each with a try at the law itself, and how many steps a round has.
pub(super) const BOUNDED_ROUNDS: usize = 20;
pub(super) const BOUNDED_MORE_STEPS: usize = 20;

/// At most so many rows are driven, each by at most so many pivots, and so many more for each row there is: friction
/// can go round in circles.
/// Test: `bounded::tests::pivoting::pivoting_with_friction_ends` (at 0 and 0).
pub(super) const PIVOTS_AT_LEAST: usize = 10;
pub(super) const PIVOTS_A_ROW: usize = 2;

/// Rows are driven to this part of what is enough.
/// Test: `bounded::tests::pivoting::pivoting_finds_the_same_rates` (at 1e6).
pub(super) const PIVOT_AIM: f64 = 0.1;

/// A row that repeats those that hold their rates has a pivot of round-off: this part of its own mobility.
/// Test: `bounded::tests::pivoting::pivoting_finds_the_same_rates` (at 0).
pub(super) const PIVOT_LOST: f64 = 1e-11;

/// A panel may have this many zeros for each of its values: one wide panel with some zeros is faster than many narrow
/// ones.
pub(super) const ZEROS: f64 = 0.2;
