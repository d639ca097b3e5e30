//! Post-stabilization: positions, then velocities, along `M⁻¹·Jᵀ` of the new place.
//!
//! ```text
//!     q ← q̃ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·c(q̃)      (Faure 1998, eq. 5)
//!     v ← ṽ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·ċ(q, ṽ)   (Faure 1998, eq. 6)
//! ```

use super::close::Closing;
use crate::equations::{Motion, Request, Soft};
use crate::frame::Frame;

impl Closing {
    /// Closes positions in at most so many corrections, then makes velocities consistent.
    pub(crate) fn project(&mut self, frame: &mut Frame<'_, '_>, iterations: usize) {
        self.close(frame, iterations, f64::INFINITY);
        self.make_rates_right(frame, true);
    }

    /// The smallest change of velocities that makes every rate right; those of lower priorities too, or
    /// else they are left as they are.
    pub(crate) fn make_rates_right(&mut self, frame: &mut Frame<'_, '_>, chases: bool) {
        frame.prepare(Motion::Velocity, Soft::Explicit);
        let system = frame.equations.system();
        system.right_hand_side(Motion::Velocity, &mut self.b);
        if !chases {
            for &(row, _) in &system.rows.lower {
                self.b[row as usize] = 0.0;
            }
        }
        let request = Request {
            rows: Some(&self.b),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, &mut frame.meter);
        for (v, y) in frame.state.v.iter_mut().zip(&solution.motion) {
            *v += y;
        }
        frame.rates_hold = true;
    }
}
