//! Every number that steers closing and stabilizing, with its unit and its reason. Each is broken by
//! the tests in parentheses, of `crates/linkwork/tests/`.

/// At most so many corrections close what somebody joined: Newton's method needs four or five, and
/// truncated rotations a few more (assembly, drags).
pub(crate) const CLOSINGS: usize = 20;

/// Near a singular pose, where a mechanism can hardly move towards a goal, least squares alone would
/// throw it about: a step moves nothing by more than about `1/(2·√damping)` times as far as the goal
/// (drags: reach).
pub(crate) const LOWER_DAMPING: f64 = 1e-2;

/// Where each step is tried and shortened until it helps, less will do (drags: reach).
pub(crate) const TRIED_DAMPING: f64 = 1e-4;

/// Damping that holds lower priorities loosely while priority 0 closes: where the pose is almost
/// singular, a hand that moves would throw about what is held fast (drags: reach).
pub(super) const LOOSE_DAMPING: f64 = 1.0;

/// A lower priority that is off by this part of a bar is torn: no step that is cut short follows it (drags: hierarchy).
pub(super) const TORN: f64 = 1e-3;

/// With so much damping lower priorities hardly pull (drags: loops).
pub(super) const RELEASED_DAMPING: f64 = 1e6;

/// The damping that is tried where the way of least squares leads nowhere, besides the usual (drags:
/// reach).
pub(super) const MORE_DAMPING: [f64; 2] = [1e-2, LOOSE_DAMPING];

/// What is left of the damping where geometric stiffness damps by itself (drags: reach).
pub(super) const TAUT_DAMPING: f64 = 1e-6;

/// Each lower priority is brought nearer at most so often in a step (drags: reach) …
pub(super) const SETTLINGS: usize = 6;

/// … each time by at least `2^−HALVINGS` of the way that least squares ask for.
pub(super) const HALVINGS: usize = 5;

/// At most so many corrections close priority 0 again after a lower one moved (drags: reach).
pub(super) const SETTLE_CLOSINGS: usize = 12;

/// A correction turns no body by more, radians (Faure 1998, §3.4).
pub(crate) const MOST_TURN: f64 = 0.8;

/// So many corrections in a row may gain nothing: far from closed, gaps fall and rise (assembly).
pub(super) const PATIENCE: usize = 4;

/// A correction gains where it leaves less than this part (assembly).
pub(super) const GAINED: f64 = 0.9;

/// Round-off of a gap, relative to the size of the mechanism (motion: far from the origin).
pub(super) const GAP_ROUND_OFF: f64 = 1e-12;

/// A smaller gain of a lower priority to first order, relatively, is round-off (drags: reach).
pub(super) const LEAST_GAIN: f64 = 1e-14;

/// The same while something is held: what a hand stretches out is left short of straight by so
/// little, so that it remembers its side (drags: reach).
pub(super) const LEAST_GAIN_IN_HAND: f64 = 1e-12;

/// The part of the gain to first order that must be had where goals are out of reach. Half of it is
/// had where a parabola is lowest: a little more is had only before that, so that what is stretched
/// out comes to rest on the side it came from, and an elbow does not turn over (drags: reach).
pub(super) const ENOUGH_GAIN: f64 = 0.8;

/// Where a goal is out of reach, shorter steps are tried where tries promise at least this part: a parabola is not all there is (drags:
/// wild).
pub(super) const PROMISED_GAIN: f64 = 0.76;

/// A way along which priority 0 opens by more than this part is none, and the goal that asks for it is out
/// of reach (drags: wild).
pub(super) const STRAYED: f64 = 1e-5;

/// Where a step is cut short while goals move, joints may open by this part of what a goal comes
/// nearer (drags: budget).
pub(super) const OPENING_PER_APPROACH: f64 = 0.5;

/// How much more a square counts in the priorities above the one that settles: they may lose next to
/// nothing to second order. With more, the round-off of a goal out of reach would hide what is gained
/// (drags: loops).
pub(super) const WEIGHT_ABOVE: f64 = 1e6;

/// A smaller gain, relative to the priorities above, is their round-off (drags: loops).
pub(super) const ROUND_OFF_ABOVE: f64 = 1e-15;

/// Errors stall when a correction of all priorities alike leaves more than this part of their squares
/// (drags: budget).
pub(super) const STALLED: f64 = 0.97;

/// At most so many steps bring a lower priority nearer in a frame (drags: hierarchy) …
pub(super) const DESCENTS: usize = 20;

/// … each by at least this part of what its slope says (drags: hierarchy) …
pub(super) const ENOUGH_DESCENT: f64 = 0.1;

/// … or by the gradient, halved at most so often: it leads down, however short the step (drags: hierarchy).
pub(super) const GRADIENT_HALVINGS: usize = 20;

/// A step of which less than this part was taken was damped too little (drags: hierarchy) …
pub(super) const SHORT_PART: f64 = 0.3;

/// … so the next is damped by so much more …
pub(super) const STEEPER_DAMPING: f64 = 10.0;

/// … and by so much less after one that was long enough.
pub(super) const LESS_DAMPING: f64 = 0.3;

/// Where priority 0 is iterated with lower ones, its squares count so much more. With less, joints open further until it
/// is known what they hold; with more, bodies go ever shorter ways (drags: hierarchy).
pub(super) const EXACTNESS: f64 = 100.0;

/// What is held is taken for known where less than this part of the slope is left (drags: hierarchy).
pub(super) const LEFT_OF_SLOPE: f64 = 0.1;

/// Where goals rest and a frame leaves more than this part of the squares, hands are as near as they come: what is
/// open closes alone (drags: budget) …
pub(super) const SLOW: f64 = 0.998;

/// … unless what is open is more than this part of them: then they rise while joints close (drags: hierarchy).
pub(super) const WIDE: f64 = 0.1;

/// A step that is cut short, of springs or of a hand that pulls, opens joints by no more than this, in bar lengths;
/// else bodies wait. One that follows a hand and opens them further is told of (drags: hierarchy).
pub(crate) const OPENED: f64 = 0.01;

/// At most so many iterations bring all priorities down together in a frame (drags: hierarchy).
pub(super) const DESCENTS_OF_ALL: usize = 20_000;

/// What masses count in the scale of bodies, over the mobility of lower rows (drags: hierarchy).
pub(super) const RIDGE: f64 = 1e-4;

/// A direction that falls by less than this part of the steepest one is none (drags: hierarchy).
pub(super) const LEAST_ALONG: f64 = 1e-3;

/// Bodies with more coordinates are scaled one by one: their triangles would take too much room.
pub(super) const SMALL_BODY: usize = 12;
