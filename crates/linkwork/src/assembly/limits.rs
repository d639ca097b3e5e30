//! Limits that push-out could not satisfy: a descent during which joints may open.
//!
//! Push-out (`integrate::bounds`) is Newton's method with joints held closed. Its steps are unbounded where a
//! loop is stretched straight, and it cannot reach the other branch of a loop, because no path with closed
//! joints leads there. The descent therefore treats violated limits like open joints and reduces both together:
//!
//! ```text
//!     φ(q) = ½·‖S·c‖² + ½·Σ min(gap, 0)²      over joints and limits of priority 0
//! ```
//!
//! Whenever φ has decreased enough, push-out is tried again. Joints come first: if no pose satisfies the
//! limits, the result is the pose with closed joints that violates its stops least.

use super::descent::{Descent, Tried};
use super::perturb::perturb;
use super::tolerances::{AIM, HAND_BACK, MAX_VAIN};
use super::{AssemblyOutcome, AssemblyProgress, Finish, Progress};
use crate::equations::{Motion, Soft};
use crate::frame::Frame;
use crate::system::BoundedRow;
use crate::world::State;

/// Descends to limits that pushing back, from `start` to the state, did not meet; `push` closes joints and pushes back
/// again. True if the state is a better one then.
///
/// It ends: a descent that comes nearer takes an iteration, of which there are `max_iterations`, and at most
/// `MAX_VAIN + 1` do not.
pub(crate) fn meet_limits(
    frame: &mut Frame<'_, '_>,
    ended: &mut Finish,
    (start, max_iterations): (&State, usize),
    push: &mut dyn FnMut(&mut Frame<'_, '_>),
    progress: &mut Progress<'_>,
) -> bool {
    let is_closed = matches!(
        ended.outcome,
        AssemblyOutcome::Assembled | AssemblyOutcome::GaveWay
    );
    let mut best = Left::of(frame);
    let tolerance = frame.tolerance;
    if !is_closed || best.limits <= tolerance {
        return false;
    }
    let mut best_state = frame.state.clone();
    let mut is_better = false;
    frame.state.clone_from(start);
    let mut way = Way::new(frame, ended, max_iterations);
    let mut vain = 0;
    loop {
        let ending = way.descend(frame, progress);
        let reached = frame.state.clone();
        // Pushing may pass limits that were met.
        for is_pushed in [false, true] {
            if is_pushed {
                push(frame);
            }
            let left = Left::of(frame);
            if left.joints <= tolerance && left.stops < best.stops {
                (best, is_better) = (left, true);
                best_state.clone_from(frame.state);
            }
        }
        if best.limits <= tolerance || matches!(ending, Ending::Over) {
            break;
        }
        frame.state.clone_from(&reached);
        if matches!(ending, Ending::Smallest) {
            if vain == MAX_VAIN {
                break;
            }
            way.descent.begin(frame);
            perturb(frame, vain, true);
            vain += 1;
            way.ended.restarts += 1;
        }
    }
    if best.limits > tolerance && way.ended.iterations >= max_iterations {
        way.ended.outcome = AssemblyOutcome::Failed;
    }
    frame.state.clone_from(&best_state);
    is_better
}

/// What a pose violates, meters.
#[derive(Clone, Copy, Debug)]
struct Left {
    joints: f64,
    limits: f64,
    /// Largest violation of a limit, or penetration.
    stops: f64,
}

impl Left {
    fn of(frame: &mut Frame<'_, '_>) -> Self {
        let probe = frame.fill_probe(Motion::Displacement, Soft::Explicit);
        let most = |is_meant: fn(&BoundedRow) -> bool| {
            let rows = probe.bounded.iter().filter(|row| is_meant(row));
            let hard = rows.filter(|row| row.is_hard_stop(probe));
            hard.map(|row| -row.gap(probe)).fold(0.0, f64::max)
        };
        Self {
            joints: probe.gap(),
            limits: most(BoundedRow::is_limit),
            stops: most(BoundedRow::is_stop),
        }
    }
}

/// How a descent ended.
enum Ending {
    /// φ has decreased by the factor `HAND_BACK`.
    Nearer,
    /// φ is stationary.
    Smallest,
    /// No iterations are left, or the caller stopped the assembly.
    Over,
}

/// A descent in progress.
struct Way<'e> {
    descent: Descent,
    ended: &'e mut Finish,
    max_iterations: usize,
    /// The last iteration that was reported.
    told: usize,
}

impl<'e> Way<'e> {
    fn new(frame: &Frame<'_, '_>, ended: &'e mut Finish, max_iterations: usize) -> Self {
        Self {
            descent: Descent::new(frame).with_limits(),
            max_iterations,
            told: ended.iterations,
            ended,
        }
    }

    fn descend(&mut self, frame: &mut Frame<'_, '_>, progress: &mut Progress<'_>) -> Ending {
        let mut size = self.descent.begin(frame);
        let enough = HAND_BACK * size;
        loop {
            if self.tell(frame, progress) {
                return Ending::Over;
            }
            // Where nothing is lacking nothing comes nearer: the same place would be pushed back forever.
            if size > 0.0 && size <= enough {
                return Ending::Nearer;
            }
            if self.descent.slope(frame, size) <= AIM {
                return Ending::Smallest;
            }
            if self.descent.step(frame, &mut size) == Tried::Stuck {
                return Ending::Smallest;
            }
            self.ended.iterations += 1;
        }
    }

    /// Reports progress. Returns whether the descent must end here.
    fn tell(&mut self, frame: &Frame<'_, '_>, progress: &mut Progress<'_>) -> bool {
        if self.told != self.ended.iterations {
            self.told = self.ended.iterations;
            let (position_error, angle_error) = frame.equations.probe().errors();
            let told = progress(&AssemblyProgress {
                iteration: self.told,
                position_error,
                angle_error,
                state: frame.state,
            });
            if told.is_break() {
                self.ended.outcome = AssemblyOutcome::Interrupted;
                return true;
            }
        }
        self.ended.iterations >= self.max_iterations
    }
}
