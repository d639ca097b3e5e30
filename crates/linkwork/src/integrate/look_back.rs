//! A step is judged from both of its ends, so that a frame is split alike whichever way time runs.
//!
//! RATTLE with steps of one length keeps `H + h²·G`. Along a way on which the length changes, the energy that is
//! lost is
//!
//! ```text
//!     ΔH = −Σ h²·ΔG  =  −∮ h² dG
//! ```
//!
//! which is nothing on average if h depends on the place alone. Judged from the start of each step only, steps are
//! split too late where motion gets faster, and joined too late where it slows down: h is longer while G grows
//! than while it falls, and every swing loses energy. So a step that was taken is looked back on: the prediction of
//! the same step from its end to its start, and the tension there, must pass the same alarms. See
//! `docs/adr/0036-steps-judged-from-both-ends.md`.

use super::interactive::Interactive;
use super::middle::Tension;
use super::rattle::{Guard, Tried};
use crate::frame::{Cause, Frame};
use crate::stabilize::Closing;

/// Whether steps can be taken back in thought: not where springs remember where a step began, where hands lead, or
/// where solves are coarse.
pub(super) fn can_look_back(frame: &Frame<'_, '_>) -> bool {
    frame.springs.is_empty() && frame.world.grips().is_empty() && !frame.method.is_iterative()
}

impl Interactive {
    /// Looks back on the step of `h` seconds that was just taken, and takes it back if it would be refused from its
    /// end. `predicted` is how far its own prediction was off, meters.
    pub(super) fn look_back(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        predicted: f64,
        guard: Guard,
    ) -> Tried {
        // The trial is where the step began.
        self.before.copy_motion(&self.rattle.landing.trial);
        self.rattle.predict(frame, closing, h, 1.0);
        let landing = &self.rattle.landing;
        let tension = self.middle.judge(frame, landing, h);
        // The kick of the way back is the opposite one: v − (v½ − v).
        for (half, v) in self.rattle.v_half.iter_mut().zip(&frame.state.v) {
            *half = 2.0 * v - *half;
        }
        self.rattle.fly(frame, -h);
        let gap = frame.equations.probe().gap();
        let cause = if tension != Tension::Slow {
            Cause::Stiffness
        } else if gap > guard.prediction + 2.0 * frame.contradiction {
            Cause::Prediction
        } else {
            return Tried::Done(predicted.max(gap));
        };
        frame.state.copy_motion(&self.before);
        frame.rates_hold = false;
        frame.log.substeps -= 1;
        Tried::Refused(cause)
    }
}
