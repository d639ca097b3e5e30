//! Faure's budgeted iterations: frames that may be cut short (Faure 1998, §4.3).
//!
//! Chosen if the method is iterative or the budget is limited. If an iteration is cut short, its direction
//! stays in the state and the next frame continues with it, so that precision is recovered while hands rest
//! (`docs/adr/0017-iterations-go-on.md`). Meanwhile gaps must not become speed (`energy_limit`).

use super::InteractiveOptions;
use super::interactive::Interactive;
use crate::frame::{Cause, Frame};
use crate::stabilize::Closing;

/// A frame by the ladder, or one that continues an iteration; then the measures for a budget that was used up.
pub(super) fn step(
    ladder: &mut Interactive,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    dt: f64,
    options: &InteractiveOptions,
) {
    let mut at = ladder.begin(frame, dt, options);
    let is_counted = frame.method.is_iterative() && frame.meter.is_limited();
    // Coarse solves with the large forces of a torn lower priority would throw bodies about, and every frame
    // would be taken back. So bodies wait, and all of the budget reduces the error.
    let is_torn = Closing::find_torn(frame);
    let coarse = |ladder: &mut Interactive, frame: &mut Frame<'_, '_>, closing: &mut _, cause| {
        if is_torn {
            ladder.come_down(frame, closing, (dt, cause));
        } else {
            ladder.displace(frame, dt, cause);
        }
    };
    let mut is_coarse = frame.is_cut_short() || (is_counted && frame.state.substep == 0.0);
    if is_coarse {
        // As in the last frame. A prediction would be coarse too, and of no use.
        coarse(ladder, frame, closing, Cause::CutShort);
    } else if is_counted {
        // Half of the budget is for the ladder; if that is not enough, the other half is for a step that
        // tolerates coarse solves.
        is_coarse = !frame.within_half(|frame| ladder.advance(frame, closing, &mut at, true));
        if is_coarse {
            frame.begin_again(dt);
            coarse(ladder, frame, closing, Cause::Budget);
        }
    } else {
        ladder.advance(frame, closing, &mut at, false);
    }
    ladder.finish(frame, closing, &at);
    if is_counted && is_coarse && frame.meter.is_half_spent() {
        frame.state.substep = 0.0;
    }
    if frame.meter.ended().is_some() && !(is_torn && is_coarse) {
        ladder.limit(frame, closing, &at);
    }
}
