//! Every number that steers the schemes, with its unit and its reason. Each is broken by the tests in
//! parentheses, of `crates/linkwork/tests/`.

/// The most corrections of a RATTLE step. Each reduces the error by a factor of ten or more; if these do not suffice,
/// the step is too long (motion: whips).
pub(super) const MAX_CORRECTIONS: usize = 12;

/// Relative round-off of a coordinate (motion: far from the origin).
pub(super) const ROUND_OFF: f64 = 1e-15;

/// The largest closure error of a prediction, in bar lengths. Beyond it the linearization does not hold over the step,
/// and the try is refused (motion: whips).
pub(super) const PREDICTION: f64 = 1e-3;

/// The part of `PREDICTION` that a prediction may use where a step is judged from both of its ends. The energy error
/// that remains there is random in sign, and its sum grows more slowly (motion: both_ends, rotors).
pub(super) const BOTH_ENDS: f64 = 0.5;

/// The part of its limit that a prediction may use when the step is halved: the velocity error of a prediction grows
/// with 1/h, and so does its energy error (bench: library, `swinging-lamp`).
pub(super) const SHORTER: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Two halves are joined if a step of twice the length would use at most this part of its limit. With 1, frames would
/// be split and joined at the same places. A smaller part makes the frame lose a little energy where round-off would
/// otherwise make it gain some (motion: both_ends).
pub(super) const JOINED: f64 = 0.9;

/// The same where steps are judged only from their start (motion: whips).
pub(super) const CAUTIOUSLY: f64 = 0.7;

/// How many times as fast tension may be at the end of a step as at its start, for the same reason as `JOINED` (motion:
/// both_ends).
pub(super) const AT_END: f64 = 1.03;

/// A step is also judged from its other end if its prediction uses more than this part of its limit. What is well below
/// the limit at one end does not exceed it at the other (motion: both_ends).
pub(super) const NEAR_ALARM: f64 = 0.1;

/// At the last depth the limits are this many times as large. Beyond them the last resort is taken, which damps
/// (motion: whips).
pub(super) const LENIENCE: f64 = 10.0;

/// The largest gap that the corrections of a guarded step may leave, in bar lengths (motion: conservation).
pub(super) const GAP: f64 = 1e-6;

/// A frame is split at most `2^MAX_DEPTH` times, whatever the options say: 65,536 parts.
pub(super) const MAX_DEPTH: u8 = 16;

/// The largest nutation of a body in the shortest sub-step, rad. If a body nutates faster, that sub-step may be halved
/// once more (motion: rotors).
pub(super) const NUTATION: f64 = 1.0;

/// The tolerance to which the parts of a composition of fourth order are closed, in bar lengths: round-off (motion:
/// orders).
pub(super) const TIGHT: f64 = 1e-13;

/// The closure error of a prediction beyond which a part of a composition of fourth order does not follow the motion,
/// in bar lengths. With ten times as much, chains gain 1 % of their energy in a minute. With a third, swings that five
/// parts follow well are split (bench: library).
pub(super) const WHIP: f64 = 1e-4;

/// A frame is split into at most `2^WHIP_DEPTH` compositions, 160 steps.
pub(super) const WHIP_DEPTH: u8 = 5;

/// Where rows of a loop are redundant, closing stops short of round-off by this factor (motion: orders).
pub(super) const SHORT: f64 = 1e4;

/// The smallest error that the step control asks for: below it round-off of the slopes decides (motion: singular).
pub(super) const LEAST_ERROR: f64 = 1e-12;

/// If projection reduces the error of a try on the constraints by this factor, the try is judged by what remains
/// (motion: singular).
pub(super) const REMOVED: f64 = 30.0;

/// A spring with h·ω (rad) or a decay h/τ above this in a frame of h is too stiff for explicit steps, which would need
/// as many of them (motion: stiff).
pub(super) const STIFF: f64 = 100.0;

/// A spring that is a force is too fast for error control where h·ω (rad) is above this: twice `STIFF`, because what is
/// measured is an estimate (motion: absurd).
pub(super) const STIFF_FORCE: f64 = 200.0;

/// A damper that is a force slows down too fast for error control where h·c/m is above this: explicit steps, which
/// are stable below 3.3, would be thousands in a frame (motion: growth).
pub(super) const STIFF_DAMPER: f64 = 1e4;

/// The iterations of an implicit step end when they change less than this part of the tolerance (motion: stiff).
pub(super) const NEWTON: f64 = 0.03;

/// The most such iterations. Each reduces the error by a factor of three or more; if these do not suffice, the step is
/// too long (motion: stiff).
pub(super) const NEWTON_ITERATIONS: usize = 16;

/// How often the error estimate is filtered by the implicit operator of the springs: 1e-12 of the error of a spring at
/// the limit `STIFF` remains (motion: stiff).
pub(super) const FILTERS: usize = 3;

/// The most iterations of a step along its middle; if they do not converge, the step is too long (motion: taut).
pub(super) const MIDDLE_ITERATIONS: usize = 12;

/// The same where one factor serves several iterations, each of which then converges more slowly (solids: soft).
pub(super) const MIDDLE_KEPT_ITERATIONS: usize = 24;

/// A factor is kept while each iteration shrinks the correction to this part or less. A new factor costs as much as
/// about three iterations (bench: shells).
pub(super) const MIDDLE_KEEPS: f64 = 0.25;

/// The iterations of a step along its middle end when the correction is below this, in bar lengths (motion: taut).
pub(super) const MIDDLE_REST: f64 = 1e-10;

/// β, the part of the stiffness that damps the velocities that a step along its middle adds: a mode keeps `1/(1 +
/// β·(h·ω)²/4)` of them. Modes that the step resolves are hardly changed; modes with h·ω > 10, whose velocities only
/// alternate, die out (motion: taut).
pub(super) const MIDDLE_FILTER: f64 = 0.01;

/// A step is halved if explicit forces act with h·ω above this, rad. RATTLE is stable below 2, and the energy of a
/// spring oscillates by `(h·ω)²/4` of itself; an oscillation of a tenth would fail the energy check (motion: growth).
pub(super) const FORCES: f64 = 0.5;

/// The largest h·c/m of dampers that are explicit forces: RATTLE is stable below 2 (import: robots, whose joints are
/// damped by up to that; motion: growth).
pub(super) const DAMPED: f64 = 1.6;

/// If h·ω of explicit forces exceeds this in the shortest step, they gain energy, and all that a frame gains counts as
/// an error (motion: growth).
pub(super) const OUTPACED: f64 = 2.0;

/// Halves are joined if the whole stays below this. With one limit for both, the step at a spring near the limit would
/// change with round-off, and the spring's energy with it (motion: growth).
pub(super) const FORCES_JOINED: f64 = 0.4;

/// The limit of `FORCES` for a composition of fourth order; beyond it `Precise` takes the frame. The energy of a spring
/// oscillates by `(h·ω)⁴/120` of itself, here a third of a hundredth (motion: growth).
pub(super) const FORCES_COMPOSED: f64 = 0.8;

/// The displacement by which forces are differenced, in bar lengths: large against round-off, small against the
/// curvature of forces (motion: growth).
pub(super) const GLANCE: f64 = 1e-5;

/// How many power iterations estimate the fastest ω of the forces, each along the change of force of the one before.
/// The second is exact for one spring, and a little low for many (motion: growth).
pub(super) const GLANCES: usize = 2;

/// The part of the kinetic energy that a step along its middle may lose where nothing drives the joints and there are
/// no springs (motion: taut).
pub(super) const MIDDLE_LOSS: f64 = 1e-4;

/// If a body turns too fast even for a step with this part of h² (h of the frame, where frames end at blows), shorter
/// sub-steps would not help. Then the limit applies to it with everything that its joints carry along (motion:
/// armatures).
pub(super) const HOPELESS: f64 = 1.0 / 4096.0;

/// If corrections no longer shrink and are below this, they are round-off, in bar lengths (motion: taut).
pub(super) const MIDDLE_STALL: f64 = 1e-7;

/// A goal that is further away than this when a step begins is out of reach, in bar lengths (drags: wild).
pub(super) const OUT_OF_REACH: f64 = 0.1;

/// A hand that moves further than this in a frame leaps, in bar lengths: nothing follows it within the frame (motion:
/// growth).
pub(super) const LEAP: f64 = 1.0;

/// What a hand pulls taut is at rest if no body moves further in a step than this, in bar lengths. Then a step that
/// damps loses nothing (drags: wild).
pub(super) const AT_REST: f64 = 1e-3;

/// The most iterations of an implicit step (motion: springs).
pub(super) const IMPLICIT_ITERATIONS: usize = 20;

/// How far the numbers of a shape change at most in the flight of an implicit step: as corrections, by what counts like
/// a turn of a radian (solids: what_spins_too_fast_keeps_its_momenta).
pub(super) const SHAPE_WAY: f64 = 0.5;

/// An implicit step of first order ends when its correction is below this, in bar lengths (drags).
pub(super) const IMPLICIT_REST: f64 = 1e-10;

/// A row is driven if its rate differs from `J·v` by more than this part (motion: drives).
pub(super) const DRIVEN: f64 = 1e-6;

/// A gain below this part of the kinetic energy is round-off (motion: conservation).
pub(super) const GAINED: f64 = 1e-12;

/// The length of the first step of a search for a minimum, s.
pub(super) const FIRST_STRIDE: f64 = 1.0 / 60.0;

/// The factor between steps of a search for a minimum: longer after one that helped, shorter after one that did not
/// (formulas: objectives).
pub(super) const BOLDER: f64 = 10.0;

/// The longest step at stops, the longest step elsewhere, and the shortest, s.
pub(super) const BOLD: f64 = 10.0;
pub(super) const BOLDEST: f64 = 1e6;
pub(super) const TIMID: f64 = 1e-12;

/// A search ends after so many steps in which neither the slope nor the stored energy has decreased.
pub(super) const PATIENT: usize = 40;

/// At stops, the longest step becomes a tenth after so many of them (formulas: objectives).
pub(super) const VAIN: usize = 4;

/// A decrease by this part of the stored energy counts as progress. Along a narrow valley the slope stays above 0.9 of
/// itself for more steps than `PATIENT` (fits: valley).
pub(super) const FALLS: f64 = 1e-3;

/// How far everything is pushed aside to test whether a minimum is one, in bar lengths; the most such tests; and after
/// how many steps the energy must be lower (formulas: objectives).
pub(super) const KICK: f64 = 1e-3;
pub(super) const KICKS: usize = 3;
pub(super) const KICKED_STEPS: usize = 12;

/// How often a step towards a minimum that fails is taken again, each time with a tenth of its length (formulas:
/// objectives).
pub(super) const FLOW_TRIES: usize = 8;

/// How often a displacement towards a minimum is halved (formulas: objectives).
pub(super) const FLOW_HALVINGS: usize = 12;

/// The relative round-off of the stored energy: an increase below it counts as none (formulas: objectives).
pub(super) const FLOW_ROUND_OFF: f64 = 1e-14;

/// The most rounds in which stops are found that a step would pass (formulas: objectives).
pub(super) const FLOW_ROUNDS: usize = 4;

/// A first-order frame in which bodies would turn too far is split into at most `2^FLOW_DEPTH` parts
/// (drags).
pub(super) const FLOW_DEPTH: u8 = 6;

/// The shortest step of `Precise` is its frame divided by this; it is taken whatever its error is (motion: orders).
pub(super) const MOST_STEPS: f64 = 1e6;

/// The least number of corrections of a step with solves that are cut short. The second closes what the forest holds,
/// and takes no iterations (papers: motion, at 1/8 s).
pub(super) const COARSE: usize = 2;

/// The iterations that each of the first two corrections of such a step may take; every later one may take twice as
/// many as the one before. Iterations on multipliers before bodies are in place are lost (papers: motion).
pub(super) const FEW: usize = 2;

/// Joints whose gap is below this count as closed there, in bar lengths: the gap does not become speed (papers:
/// motion).
pub(super) const NEARLY: f64 = 0.05;

/// A frame of `Precise` that needs more tries is refused. A body that turns by 2,400 rad in a frame needs 39,000 at the
/// usual tolerance and 153,000 at 1e-12 (motion: absurd).
pub(super) const MOST_TRIES: u32 = 250_000;

/// The same of a frame of implicit steps: a spring that vibrates so far that frames show it is followed by steps that
/// get as short as explicit ones. What holds a weight needs some hundreds in its first frame (motion: stiff).
pub(super) const MOST_STIFF: u32 = 2000;

/// A frame with more steps that were too inexact at their shortest is refused too (motion: absurd).
pub(super) const MOST_FAILED: u32 = 1000;

/// The part of its speed that a frame keeps when it was cut short. Without this the energy that each may gain would add
/// up (drags: budget).
pub(super) const KEPT: f64 = 0.9;

/// In a frame that was cut short, no body moves more than this many times as far as it would by itself (drags: budget).
pub(super) const FAR: f64 = 10.0;

/// The largest gap at the end of a frame that was cut short, in bar lengths (drags: wild) …
pub(super) const END_GAP: f64 = 1e-7;

/// … beyond it, at most so many corrections close it: from a place nearby Newton's method needs four or five (drags:
/// wild).
pub(super) const END_CLOSINGS: usize = 6;

/// A place within this is nearby, and hands move at most this far in such a frame, in bar lengths (drags: wild).
pub(super) const END_WAY: f64 = 0.25;

/// How many parts of that way are tried, each a quarter of the one before; then hands stay (drags: wild).
pub(super) const END_PARTS: usize = 3;

/// A stop whose gap is below this takes part in a step, m (motion: bounds).
pub(super) const NEAR: f64 = 1e-6;

/// A stop whose gap is below this touches, m (motion: bounds).
pub(super) const TOUCHES: f64 = 1e-9;

/// A gap below this is zero, m: round-off of coordinates of some meters. Divided by the step and multiplied by the
/// stiffness of the proximal term (`linalg`, 1e6), it would otherwise change the shares of redundant contacts (contact:
/// surfaces).
pub(super) const SAME_PLACE: f64 = 1e-12;

/// A touching pair does not approach if its speed is below this, m/s. In stacks impulses meet the law only to this, and
/// between bodies that fall together no acceleration shows the approach (scene contact: restitution).
pub(super) const LEFT: f64 = 1e-6;

/// If a step passed a stop by more than this, the stop should have taken part, m (motion: bounds).
pub(super) const LATE: f64 = 1e-9;

/// How many corrections of a step update the rates that friction holds. Each multiplies their error by the angle of the
/// turn of a body, rad; if these do not suffice, the step is too long (contact: superquadrics).
pub(super) const DRIFTS: usize = 3;

/// The least implicit part of a compliant row in the second half of a step. A spring that turns by 1e-3 rad in a step
/// loses 1e-9 of its energy by it, and the numbers of its row stay comparable with the others (contact: soft).
pub(super) const LEAST_BLEND: f64 = 1e-3;

/// The part of the kinetic energy that stops may seem to add in a step; more is an alarm (contact: throws) …
pub(super) const PUT_IN: f64 = 1e-3;

/// … in addition to their impulse times this speed, m/s: bodies that lean against each other move a little where
/// impulses are not exact (contact: a stack rests).
pub(super) const LEANS: f64 = 1e-3;

/// The most blows that are located in a frame; after them there is no rebound (motion: bounds).
pub(super) const BLOWS: usize = 8;

/// The most steps of a frame that are cut short because something would pass through something; then it waits for the
/// next frame. A body that slides along a surface far faster than it is thick needs so many. See
/// `nothing_passes_through_thin_walls`.
pub(super) const CUTS: usize = 256;

/// How often a step is shortened before it is refused.
pub(super) const MAX_CUTS: usize = 8;

/// The most batches of a blow, which travel through the bodies that touch (motion: bounds).
pub(super) const BATCHES: usize = 40;

/// In a blow, rows slower than this part of the fastest do not approach (motion: bounds).
pub(super) const APPROACH: f64 = 1e-6;

/// The most corrections that move bodies back from beyond a stop. Newton's method needs fewer; if not, the conditions
/// contradict each other (motion: bounds).
pub(super) const PUSHES: usize = 12;

/// A correction helps if it removes this part of what its linearization removes: a whole one may leave 3/4, a half one
/// 7/8 (motion: pushed) …
pub(super) const PUSH_HELPS: f64 = 0.25;

/// … one that does not help is shortened down to this part, then given up (motion: pushed).
pub(super) const LEAST_PUSH: f64 = 1e-3;

/// How many parts a frame of the exact schemes has where there are bounds (motion: bounds).
pub(super) const FINE: f64 = 8.0;

/// Islands with more bounded rows than the first are solved body by body. Where joints are in the island, they become
/// rows of that problem, and the limit is the second (contact: islands) …
pub(super) const FEW_ROWS: usize = 6;
pub(super) const FEW_ROWS_OF_JOINTS: usize = 24;
/// … or more than one bounded row for so many rows of joints, up to the second number. A robot has few limits,
/// frictions and contacts beside its joints, and as rows of the problem joints cost digits and time (motion: bounds).
pub(super) const JOINTS_A_ROW: usize = 4;
pub(super) const MOST_ROWS_OF_JOINTS: usize = 128;

/// A step that leaves more of the law of bounded rows than this, m/s, is halved: what a run is judged by (import:
/// a light hub).
pub(super) const UNLAWFUL: f64 = 1e-6;

/// An island with joints that leaves more than this of its law by bodies, m/s, is solved on the factor instead, if it
/// has at most so many rows: W is dense then. So is one that takes more steps than that by bodies (import: a light
/// hub).
pub(super) const MISSED: f64 = 1e-7;
pub(super) const MOST_ROWS_ON_FACTOR: usize = 256;
pub(super) const STEPS_BY_BODIES: usize = 60;

/// A row of a small island is scaled by its mobility with the joints released, but by at most this many times its
/// mobility with the joints held. Links that are points (1e-10 of a robot's size) could turn 1e18 times as easily as
/// what they carry (import: points) …
pub(super) const LIGHT: f64 = 1e3;
/// … or, if that is more, by this part of the largest mobility in the island: a row that nothing can move stays
/// comparable with the others.
pub(super) const HELD: f64 = 1e-6;

/// The deceleration with which a hand that leads something from far away brakes, m/s²: half of its strength,
/// `system/hands.rs` (contact: hands).
pub(super) const BRAKE: f64 = 500.0;

/// The most parts of a frame of `Precise` near bounds. The parts are of second order, so the frame is exact to 1e-9
/// where things turn by 0.1 rad in it (contact: precise).
pub(super) const FINEST: f64 = 256.0;

/// Halving settles a frame if it reduces the error to this part or less; a method of second order reduces it to a
/// quarter (contact: precise).
pub(super) const SETTLES: f64 = 0.7;

/// A contact whose friction changes by more than this part within a frame may have begun to slip or to stick (contact:
/// precise).
pub(super) const CHANGES: f64 = 0.01;

/// How often halving may fail to reduce the error: where slipping ends, the errors of short steps are irregular
/// (contact: precise).
pub(super) const STALLS: u32 = 2;

/// A contact slips if its speed exceeds this part of the tolerance per second, in the unit of the tolerance. Where
/// slipping begins or ceases is located to within that speed (contact: slipping) …
pub(super) const SLOW: f64 = 0.1;

/// … and if it is this many times faster than the remaining error of the law (contact: slipping).
pub(super) const UNSEEN: f64 = 10.0;

/// An impulse above this part of its bound is at its bound (contact: slipping).
pub(super) const AT_BOUND: f64 = 1.0 - 1e-6;

/// The rates of contacts that stick are wrong by this part of what a frame changes of rates: responses are exact to
/// 1e-9 (contact: slipping).
pub(super) const NOISE: f64 = 4e-9;

/// Times closer than this part of a frame are the same: round-off (contact: slipping).
pub(super) const MOMENT: f64 = 1e-12;

/// The most tries of a frame that end where something begins or ceases to slip; the rest of the frame is taken without
/// (contact: slipping).
pub(super) const MOST_CHANGES: usize = 64;

/// If differences of iterates are this close to dependent, relative to the largest, the oldest is dropped (`mixing`).
pub(super) const SINGULAR: f64 = 1e-14;

/// A mixed step that is so many times as long as the plain one is not taken (`mixing`).
pub(super) const MIXED_FAR: f64 = 8.0;
