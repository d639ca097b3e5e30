//! Every number that steers closing and stabilizing, with its unit and its reason. Each is broken by
//! the tests in parentheses, of `crates/linkwork/tests/`.

/// The most corrections that close joints which somebody made between parts that do not meet. Newton's method needs
/// four or five, and a few more where rotations are truncated (assembly, drags).
pub(crate) const CLOSINGS: usize = 20;

/// The damping of lower priorities. Near a singular pose, where a mechanism can hardly move toward a goal, least
/// squares alone would give huge steps. With damping a step moves nothing by more than about `1/(2·√damping)` times the
/// distance to the goal (drags: reach).
pub(crate) const LOWER_DAMPING: f64 = 1e-2;

/// The same where each step is tried and shortened until it helps (drags: reach).
pub(crate) const TRIED_DAMPING: f64 = 1e-4;

/// The damping that holds lower priorities loosely while priority 0 closes. If they were held fast near a singular
/// pose, a moving hand would give huge steps (drags: reach).
pub(super) const LOOSE_DAMPING: f64 = 1.0;

/// A lower priority with an error above this is torn, in bar lengths: no step that is cut short follows it (drags:
/// hierarchy).
pub(super) const TORN: f64 = 1e-3;

/// The damping at which lower priorities have almost no effect (drags: loops).
pub(super) const RELEASED_DAMPING: f64 = 1e6;

/// Further values of damping that are tried where the direction of least squares does not help (drags: reach).
pub(super) const MORE_DAMPING: [f64; 2] = [1e-2, LOOSE_DAMPING];

/// The damping where geometric stiffness already damps (drags: reach).
pub(super) const TAUT_DAMPING: f64 = 1e-6;

/// The most steps of each lower priority in a step of the world (drags: reach) …
pub(super) const SETTLINGS: usize = 6;

/// … each at least `2^−HALVINGS` of the displacement of least squares.
pub(super) const HALVINGS: usize = 5;

/// The most corrections that close priority 0 again after a lower one moved (drags: reach).
pub(super) const SETTLE_CLOSINGS: usize = 12;

/// The largest rotation of a body by one correction, rad (Faure 1998, §3.4).
pub(crate) const MOST_TURN: f64 = 0.8;

/// How many corrections in a row may fail to reduce the gap: far from a closed pose, gaps rise and fall (assembly).
pub(super) const PATIENCE: usize = 4;

/// A correction helps if it leaves less than this part of the gap (assembly).
pub(super) const GAINED: f64 = 0.9;

/// Round-off of a gap, relative to the size of the mechanism (motion: far from the origin).
pub(super) const GAP_ROUND_OFF: f64 = 1e-12;

/// A first-order gain of a lower priority below this part is round-off (drags: reach).
pub(super) const LEAST_GAIN: f64 = 1e-14;

/// The same while something is held. A mechanism that a hand stretches out then stays so little short of straight that
/// it keeps its side (drags: reach).
pub(super) const LEAST_GAIN_IN_HAND: f64 = 1e-12;

/// The part of the first-order gain that a step must have where goals are out of reach. At the minimum of a parabola it
/// is one half. A larger part is had only before the minimum, so that what is stretched out comes to rest on the side
/// from which it came, and an elbow does not turn over (drags: reach).
pub(super) const ENOUGH_GAIN: f64 = 0.8;

/// Where a goal is out of reach, shorter steps are tried if the tries so far promise at least this part: the error is
/// not only a parabola (drags: wild).
pub(super) const PROMISED_GAIN: f64 = 0.76;

/// If priority 0 opens by more than this part of a displacement, the goal that asks for it is out of reach (drags:
/// wild).
pub(super) const STRAYED: f64 = 1e-5;

/// How far joints may open where a step is cut short while goals move, as a part of the approach to the goal (drags:
/// budget).
pub(super) const OPENING_PER_APPROACH: f64 = 0.5;

/// The weight of squares of higher priorities while a lower one settles: they may increase only by second-order
/// amounts. With more, the round-off of a goal out of reach would hide the gain (drags: loops).
pub(super) const WEIGHT_ABOVE: f64 = 1e6;

/// A gain below this part of the squares of higher priorities is their round-off (drags: loops).
pub(super) const ROUND_OFF_ABOVE: f64 = 1e-15;

/// Errors stall if a correction of all priorities alike leaves more than this part of their squares (drags: budget).
pub(super) const STALLED: f64 = 0.97;

/// The most descent steps of a lower priority in a frame (drags: hierarchy) …
pub(super) const DESCENTS: usize = 20;

/// … each must decrease the sum by at least this part of the decrease that its slope predicts (drags: hierarchy) …
pub(super) const ENOUGH_DESCENT: f64 = 0.1;

/// … or the gradient is taken, halved at most so often: it decreases the sum if the step is short enough (drags:
/// hierarchy).
pub(super) const GRADIENT_HALVINGS: usize = 20;

/// Newton's method with exact solves: where a step promises less than this part of the sum, the next one would gain its
/// square (drags: wild).
pub(super) const LAST_GAIN: f64 = 1e-6;

/// If less than this part of a step was taken, its damping was too small (drags: hierarchy) …
pub(super) const SHORT_PART: f64 = 0.3;

/// … and the damping of the next one is multiplied by this …
pub(super) const STEEPER_DAMPING: f64 = 10.0;

/// … or by this, if a larger part was taken.
pub(super) const LESS_DAMPING: f64 = 0.3;

/// The weight of squares of priority 0 where it is iterated together with lower ones. With less, joints open further
/// until their forces are known; with more, steps become ever shorter (drags: hierarchy).
pub(super) const EXACTNESS: f64 = 100.0;

/// The forces of priority 0 count as known when less than this part of the slope is left (drags: hierarchy) …
pub(super) const LEFT_OF_SLOPE: f64 = 0.1;

/// … or this, where hands alone give way: the sum begins with good forces there, and rough ones in their place lead it
/// up and down for thousands of iterations (drags: hierarchy).
pub(super) const LEFT_IN_HAND: f64 = 0.03;

/// If goals rest and a frame leaves more than this part of the squares, hands are as near as they come: open joints
/// close alone (drags: budget) …
pub(super) const SLOW: f64 = 0.998;

/// … unless the squares of open joints are more than this part of them: then the sum rises while joints close (drags:
/// hierarchy).
pub(super) const WIDE: f64 = 0.1;

/// The largest gap that a step of springs or of a pulling hand may open when its iteration is cut short, in bar
/// lengths. Otherwise bodies wait. A step that follows a hand and opens them further is reported as starved (drags:
/// hierarchy).
pub(crate) const OPENED: f64 = 0.01;

/// The most iterations that decrease the sum over all priorities in a frame (drags: hierarchy).
pub(super) const DESCENTS_OF_ALL: usize = 20_000;

/// The weight of masses in the scale of bodies, relative to the mobility of lower rows (drags: hierarchy).
pub(super) const RIDGE: f64 = 1e-4;

/// A direction whose slope is below this part of the steepest one is not used (drags: hierarchy).
pub(super) const LEAST_ALONG: f64 = 1e-3;

/// The most coordinates of a body that is scaled by a matrix. Larger ones are scaled coordinate by coordinate, because
/// their triangles would take too much memory.
pub(super) const SMALL_BODY: usize = 12;
