//! Post-stabilisation: positions, then velocities, along `M⁻¹·Jᵀ` of the new place.
//!
//! ```text
//!     q ← q̃ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·c(q̃)      (Faure 1998, eq. 5)
//!     v ← ṽ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·ċ(q, ṽ)   (Faure 1998, eq. 6)
//! ```

use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;

impl Stage<'_, '_> {
    /// Closes positions in at most so many corrections, then makes velocities consistent.
    pub(crate) fn project(&mut self, iterations: usize) {
        self.close(iterations, f64::INFINITY);
        self.make_rates_right(true);
    }

    /// The smallest change of velocities that makes every rate right; those of lower levels too, or else
    /// they are left as they are.
    pub(crate) fn make_rates_right(&mut self, chases: bool) {
        self.prepare(Motion::Velocity, Soft::Explicit, 0.0);
        let work = &mut *self.work;
        let system = &self.equations.system;
        system.right_hand_side(Motion::Velocity, &mut work.b);
        if !chases {
            for &(row, _) in &work.lower_rows {
                work.b[row as usize] = 0.0;
            }
        }
        self.equations.warm.fill(0.0);
        let solution = self.equations.solve(None, Some(&work.b), &mut self.meter);
        for (v, y) in work.state.v.iter_mut().zip(&solution.motion) {
            *v += y;
        }
        self.velocities_are_right = true;
    }
}
