//! Every number that steers the schemes, with its unit and its reason. Each is broken by the tests in
//! parentheses, of `crates/linkwork/tests/`.

/// At most so many corrections of a RATTLE step: they converge by a factor of ten or more each, or
/// the step is too long (motion: whips).
pub(super) const MAX_CORRECTIONS: usize = 12;

/// Relative round-off of a coordinate (motion: far from the origin).
pub(super) const ROUND_OFF: f64 = 1e-15;

/// The closure error of a prediction that refuses a try, in bar lengths: beyond it the step is not
/// what was linearized (motion: whips).
pub(super) const PREDICTION: f64 = 1e-3;

/// Of this a prediction may be off this part where steps are judged from both ends: what is left there is chance, and walks
/// less far (motion: both_ends, rotors).
pub(super) const BOTH_ENDS: f64 = 0.5;

/// Of half the step a prediction may be off this part: its error in velocities grows with 1/h, that in energy too
/// (bench: library, `swinging-lamp`).
pub(super) const SHORTER: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Steps are joined where twice the step would leave this part of what it may. With one, frames would be split and joined
/// at the same places; less loses a little, where chance would gain (motion: both_ends).
pub(super) const JOINED: f64 = 0.9;

/// The same, where steps are judged from their start alone (motion: whips).
pub(super) const CAUTIOUSLY: f64 = 0.7;

/// For the same reason tension may be so much faster at the end of a step than at its start (motion: both_ends).
pub(super) const AT_END: f64 = 1.03;

/// Steps whose prediction is off by more than this part of what it may be are judged from their other end too: what is
/// well below an alarm at one end is not above it at the other (motion: both_ends).
pub(super) const NEAR_ALARM: f64 = 0.1;

/// At the last depth so many times as much is accepted before the last resort, which damps (motion:
/// whips).
pub(super) const LENIENCE: f64 = 10.0;

/// What may be left after the corrections of a guarded step, in bar lengths (motion: conservation).
pub(super) const GAP: f64 = 1e-6;

/// A frame is split at most `2^MAX_DEPTH` times, whatever the options say: 65,536 parts.
pub(super) const MAX_DEPTH: u8 = 16;

/// A body that nutates by more than this in the shortest sub-step, radians, spins too fast for the step; it is
/// granted sub-steps of half that length (motion: rotors).
pub(super) const NUTATION: f64 = 1.0;

/// How closed the parts of a fourth-order composition are, in bar lengths: to round-off (motion:
/// orders).
pub(super) const TIGHT: f64 = 1e-13;

/// The closure error of a prediction beyond which a part of a composition of fourth order does not follow the
/// motion, in bar lengths: at ten times as much, chains gain a hundredth of their energy in a minute, at a third
/// as much, swings that five parts follow well are split (bench: library).
pub(super) const WHIP: f64 = 1e-4;

/// A frame is split into at most `2^WHIP_DEPTH` compositions, 160 steps.
pub(super) const WHIP_DEPTH: u8 = 5;

/// Loops whose rows repeat each other stop short of round-off by this factor (motion: orders).
pub(super) const SHORT: f64 = 1e4;

/// No step can be made more exact than this: round-off of its slopes (motion: singular).
pub(super) const LEAST_ERROR: f64 = 1e-12;

/// A try is judged by what remains of its error on the constraints if that is so much smaller
/// (motion: singular).
pub(super) const REMOVED: f64 = 30.0;

/// A spring that acts faster than this in a frame, radians or times as much as it decays by, is too stiff for
/// explicit steps: it would need as many (motion: stiff).
pub(super) const STIFF: f64 = 100.0;

/// Iterations of an implicit step end when they change less than this part of the tolerance (motion: stiff).
pub(super) const NEWTON: f64 = 0.03;

/// At most so many of them: they converge by a factor of three or more each, or the step is too long (motion:
/// stiff).
pub(super) const NEWTON_ITERATIONS: usize = 16;

/// So often is an error filtered by what springs undo in a frame: a spring at the limit of `STIFF` keeps
/// 1e-12 of it (motion: stiff).
pub(super) const FILTERS: usize = 3;

/// At most so many iterations of a step along its middle: they converge, or the step is too long
/// (motion: taut).
pub(super) const MIDDLE_ITERATIONS: usize = 12;

/// So many where a factor is kept for several iterations, which then converge by less each (solids: soft).
pub(super) const MIDDLE_KEPT_ITERATIONS: usize = 24;

/// A factor is kept as long as what iterations move shrinks to this part or less each: a new one costs as much as
/// some three iterations (bench: shells).
pub(super) const MIDDLE_KEEPS: f64 = 0.25;

/// A step along its middle ends when it moves nothing further, in bar lengths (motion: taut).
pub(super) const MIDDLE_REST: f64 = 1e-10;

/// What part β of the stiffness damps the velocities that a step along its middle adds: a mode keeps
/// `1/(1 + β·(h·ω)²/4)` of them. What the step resolves is not touched; modes of h·ω > 10, whose velocities
/// only alternate, die out (motion: taut).
pub(super) const MIDDLE_FILTER: f64 = 0.01;

/// A step in which explicit forces act faster than this, h·ω in radians, is halved. RATTLE needs less than two, and the energy of a spring goes
/// up and down by `(h·ω)²/4` of it: a tenth would be blamed (motion: growth).
pub(super) const FORCES: f64 = 0.5;

/// Dampers that are forces may slow down by this in a step, h·c/m: RATTLE needs less than two (import: robots, where joints are
/// damped by up to that; motion: growth).
pub(super) const DAMPED: f64 = 1.6;

/// Where the shortest step is longer than this, its explicit forces gain energy, and all that a frame gains is blamed (motion: growth).
pub(super) const OUTPACED: f64 = 2.0;

/// Halves are joined again where the whole stays below this: with one limit for both, a spring that acts as fast as that would have steps
/// that change with round-off, and a part of its energy with each (motion: growth).
pub(super) const FORCES_JOINED: f64 = 0.4;

/// The same of a composition of fourth order, which is then taken by `Precise`: the energy of a spring goes up and down by `(h·ω)⁴/120`
/// of it, a third of a hundredth here (motion: growth).
pub(super) const FORCES_COMPOSED: f64 = 0.8;

/// So far bodies are displaced to ask how forces change, in bar lengths: far enough for differences, and too little to see their
/// curvature (motion: growth).
pub(super) const GLANCE: f64 = 1e-5;

/// So often, each time along what the forces of the last time do: the second is exact for one spring, and somewhat
/// below the fastest of many (motion: growth).
pub(super) const GLANCES: usize = 2;

/// The part of the kinetic energy that a step along its middle may lose, where nothing drives the joints
/// and there are no springs (motion: taut).
pub(super) const MIDDLE_LOSS: f64 = 1e-4;

/// Where a body turns too fast for a step of this part of h² too (h of the frame, where frames end at blows), all that its joints let move is weighed with
/// it: shorter sub-steps would not do (motion: armatures).
pub(super) const HOPELESS: f64 = 1.0 / 4096.0;

/// What stops to shrink below this is round-off, in bar lengths (motion: taut).
pub(super) const MIDDLE_STALL: f64 = 1e-7;

/// A goal that is further away than this where a step begins, in bar lengths, is out of reach (drags: wild).
pub(super) const OUT_OF_REACH: f64 = 0.1;

/// A hand that goes further in a frame, in bar lengths, leaps: nothing follows it within the frame (motion: growth).
pub(super) const LEAP: f64 = 1.0;

/// What a hand pulls taut rests if no body goes further in a step than this, in bar lengths: then nothing is lost
/// by a step that damps (drags: wild).
pub(super) const AT_REST: f64 = 1e-3;

/// At most so many iterations of an implicit step (motion: springs).
pub(super) const IMPLICIT_ITERATIONS: usize = 20;

/// A first-order implicit step ends when it moves nothing further, in bar lengths (drags).
pub(super) const IMPLICIT_REST: f64 = 1e-10;

/// A row whose rate differs from `J·v` by more than this part is driven (motion: drives).
pub(super) const DRIVEN: f64 = 1e-6;

/// An implicit step that gained less than this part of the kinetic energy gained nothing but
/// round-off (motion: conservation).
pub(super) const GAINED: f64 = 1e-12;

/// Over which the first step of a search for a minimum flows, s.
pub(super) const FIRST_STRIDE: f64 = 1.0 / 60.0;

/// A step that helped is followed by one so much bolder; one that did not, by one as much more timid
/// (formulas: objectives).
pub(super) const BOLDER: f64 = 10.0;

/// The boldest steps at stops, the boldest and the most timid, s.
pub(super) const BOLD: f64 = 10.0;
pub(super) const BOLDEST: f64 = 1e6;
pub(super) const TIMID: f64 = 1e-12;

/// After so many steps in which the slope is not smaller and nothing falls, a search ends.
pub(super) const PATIENT: usize = 40;

/// What falls by this part of what is stored goes down: along a narrow valley slopes stay above nine tenths of themselves for
/// more steps than `PATIENT` (fits: valley).
pub(super) const FALLS: f64 = 1e-3;

/// How far everything is pushed aside where nothing goes down any more, in bar lengths; how often, and after how many
/// steps it must be deeper (formulas: objectives).
pub(super) const KICK: f64 = 1e-3;
pub(super) const KICKS: usize = 3;
pub(super) const KICKED_STEPS: usize = 12;

/// A frame towards a minimum that leads nowhere is tried so often, each time over a tenth (formulas: objectives).
pub(super) const FLOW_TRIES: usize = 8;

/// A step towards a minimum is halved so often (formulas: objectives).
pub(super) const FLOW_HALVINGS: usize = 12;

/// What is smaller but for round-off is smaller, relative (formulas: objectives).
pub(super) const FLOW_ROUND_OFF: f64 = 1e-14;

/// So often stops are looked for that a step would pass (formulas: objectives).
pub(super) const FLOW_ROUNDS: usize = 4;

/// A first-order frame in which bodies would turn too far is split into at most `2^FLOW_DEPTH` parts
/// (drags).
pub(super) const FLOW_DEPTH: u8 = 6;

/// No step of `Precise` is shorter than this part of its frame; that one is taken whatever its error is (motion:
/// orders).
pub(super) const MOST_STEPS: f64 = 1e6;

/// A step with solves that are cut short makes at least so many corrections: the second closes what the forest
/// holds, which takes no iterations (papers: motion, at 1/8 s).
pub(super) const COARSE: usize = 2;

/// The first two corrections of such a step may take so many iterations each, every other twice as many as the
/// one before: what is spent on multipliers before bodies are in place is lost (papers: motion).
pub(super) const FEW: usize = 2;

/// Joints that are open by no more than so much of a bar hold: what they lack does not become speed (papers:
/// motion).
pub(super) const NEARLY: f64 = 0.05;
/// A frame of `Precise` that needs more tries is refused. A body that turns by 2,400 rad in a frame needs 39,000
/// at the usual tolerance and 153,000 at 1e-12 (motion: absurd).
pub(super) const MOST_TRIES: u32 = 250_000;

/// So is one with more steps that were too inexact at their shortest (motion: absurd).
pub(super) const MOST_FAILED: u32 = 1000;

/// What a frame that was cut short keeps of its speed: if all of them gained what they may, it would
/// add up (drags: budget).
pub(super) const KEPT: f64 = 0.9;

/// Nothing goes further in a frame that was cut short than so many times as far as it could by itself
/// (drags: budget).
pub(super) const FAR: f64 = 10.0;

/// A frame that was cut short may end open by this, in bar lengths (drags: wild) …
pub(super) const END_GAP: f64 = 1e-7;

/// … and else is closed by at most so many corrections: from a place nearby Newton's method needs four
/// or five (drags: wild).
pub(super) const END_CLOSINGS: usize = 6;

/// So near is nearby, and so far hands go in such a frame, in bar lengths (drags: wild).
pub(super) const END_WAY: f64 = 0.25;

/// So many parts of that way are tried, each a quarter of the one before, and then none (drags: wild).
pub(super) const END_PARTS: usize = 3;

/// A stop nearer than this takes part in a step, meters (motion: bounds).
pub(super) const NEAR: f64 = 1e-6;

/// A stop nearer than this touches, meters (motion: bounds).
pub(super) const TOUCHES: f64 = 1e-9;

/// A stop that is off by less is where it may be, meters: round-off of places of some meters. Divided by the step and multiplied by the stiffness
/// of the proximal term (`linalg`, 1e6) it would be shared among contacts that repeat each other (contact: surfaces).
pub(super) const SAME_PLACE: f64 = 1e-12;

/// What touches and is slower than this does not approach, m/s: impulses leave so much of the law where much rests on each other, and what rests on
/// something that falls like itself has no acceleration to tell it by (scene contact: restitution).
pub(super) const LEFT: f64 = 1e-6;

/// A stop that a step passed by more than this should have taken part, meters (motion: bounds).
pub(super) const LATE: f64 = 1e-9;

/// So many corrections of a step renew what the flight changes of the rates that friction holds: it converges by the angle that
/// a body turns by, or the step is too long (contact: superquadrics).
pub(super) const DRIFTS: usize = 3;

/// What gives way is at least so much implicit in the second half of a step: that damps a spring which turns by a thousandth of a radian in a step by
/// 1e-9 of its energy, and keeps the numbers of its row in sight of the others (contact: soft).
pub(super) const LEAST_BLEND: f64 = 1e-3;

/// Stops may seem to put in this part of the kinetic energy in a step: more is an alarm (contact: throws) …
pub(super) const PUT_IN: f64 = 1e-3;

/// … and what they push with times this speed, m/s: what leans against something moves a little where impulses are not
/// exact (contact: a stack rests).
pub(super) const LEANS: f64 = 1e-3;

/// So many blows are located in a frame; what hits oftener comes to rest (motion: bounds).
pub(super) const BLOWS: usize = 8;

/// Steps of a frame that are cut short because something would pass through something. Then it waits for the next frame:
/// what slides along a surface far faster than it is thick takes so many. See `nothing_passes_through_thin_walls`.
pub(super) const CUTS: usize = 256;

/// Times that a step is made shorter before it is refused.
pub(super) const MAX_CUTS: usize = 8;

/// At most so many batches of a blow: they wander through what touches (motion: bounds).
pub(super) const BATCHES: usize = 40;

/// Rows slower than this part of the fastest do not approach in a blow (motion: bounds).
pub(super) const APPROACH: f64 = 1e-6;

/// At most so often what is beyond a stop is pushed back: Newton's method, or what is wanted contradicts itself
/// (motion: bounds).
pub(super) const PUSHES: usize = 12;

/// A push that helps leaves less by this part of what it promised: a whole one may leave three quarters, half of it seven eighths (motion:
/// pushed) …
pub(super) const PUSH_HELPS: f64 = 0.25;

/// … and what does not help down to this part of its way is left where it is (motion: pushed).
pub(super) const LEAST_PUSH: f64 = 1e-3;

/// Frames of the exact schemes are taken in so many parts where there are bounds (motion: bounds).
pub(super) const FINE: f64 = 8.0;

/// Islands with more bounded rows are solved by bodies; where joints are among them, with more than the second: there
/// joints become rows of the problem (contact: islands) …
pub(super) const FEW_ROWS: usize = 6;
pub(super) const FEW_ROWS_OF_JOINTS: usize = 24;
/// … or with more than one for so many rows of joints, up to the second. Limits, friction and contacts of a robot are few beside its joints, and those cost
/// digits and time as rows of the problem (motion: bounds).
pub(super) const JOINTS_A_ROW: usize = 4;
pub(super) const MOST_ROWS_OF_JOINTS: usize = 128;

/// A row of a small island is judged by what it could do alone if nothing held its bodies, but by no more than so many times what it does with what
/// joints hold to them: links that are points (1e-10 of a robot's size) could turn 1e18 times as easily as what they carry (import: points) …
pub(super) const LIGHT: f64 = 1e3;
/// … where that is more than this part of what the row that moves most does: a row that nothing can move stays in sight of the others.
pub(super) const HELD: f64 = 1e-6;

/// What a hand brakes with that leads something from far away, m/s²: half of its strength, `system/hands.rs` (contact: hands).
pub(super) const BRAKE: f64 = 500.0;

/// A frame of `Precise` near bounds is taken in at most so many parts: of second order, they are then exact to 1e-9 where
/// things turn by a tenth of a radian in a frame (contact: precise).
pub(super) const FINEST: f64 = 256.0;

/// Halving settles a frame if it leaves less than this part of the error; of second order, it leaves a quarter (contact: precise).
pub(super) const SETTLES: f64 = 0.7;

/// A contact whose friction changes by more than this part within a frame may have begun to slip, or to stick (contact: precise).
pub(super) const CHANGES: f64 = 0.01;

/// So often halving may leave more: where slipping ends, errors of short steps are irregular (contact: precise).
pub(super) const STALLS: u32 = 2;

/// What slips slower than this part of the tolerance does not slip, in its own unit a second: so much may a change of what slips be off by
/// (contact: slipping) …
pub(super) const SLOW: f64 = 0.1;

/// … and what is not so many times faster than what is left of the law does not show (contact: slipping).
pub(super) const UNSEEN: f64 = 10.0;

/// What pushes with this part of what it can pushes with all of it (contact: slipping).
pub(super) const AT_BOUND: f64 = 1.0 - 1e-6;

/// By this part of what a frame changes of rates those that stick may be off: responses are exact to 1e-9 (contact: slipping).
pub(super) const NOISE: f64 = 4e-9;

/// In this part of a frame nothing happens: round-off of times (contact: slipping).
pub(super) const MOMENT: f64 = 1e-12;

/// At most so many tries of a frame are cut short because something begins or ceases to slip; the rest is taken as it comes
/// (contact: slipping).
pub(super) const MOST_CHANGES: usize = 64;
