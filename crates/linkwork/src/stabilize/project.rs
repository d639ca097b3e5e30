//! Post-stabilization: positions, then velocities, along `M⁻¹·Jᵀ` of the new place.
//!
//! ```text
//!     q ← q̃ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·c(q̃)      (Faure 1998, eq. 5)
//!     v ← ṽ − M⁻¹Jᵀ(J·M⁻¹Jᵀ)⁻¹·ċ(q, ṽ)   (Faure 1998, eq. 6)
//! ```

use super::close::Closing;
use crate::equations::{Lower, Motion, Request, Soft};
use crate::frame::Frame;

impl Closing {
    /// Closes positions in at most so many corrections, then makes velocities consistent. Bodies keep the strains with
    /// which the step ended.
    pub(crate) fn project(&mut self, frame: &mut Frame<'_, '_>, iterations: usize) {
        frame.note_strains();
        self.close(frame, iterations, f64::INFINITY);
        self.correct_rates(frame, true, Lower::Met);
    }

    /// The same after a step of `h` seconds, of which lower priorities must not gain: where they take back of
    /// a body's way what accelerations let it go, because joints pulled straight resist only once they are
    /// bent, the body loses the speed of that way too,
    ///
    /// ```text
    ///     v ← v + α·δq/h,   0 ≤ α ≤ 1 with the least ½·vᵀ·M·v
    /// ```
    ///
    /// Else they would lift at every step what falls on.
    pub(crate) fn project_braked(&mut self, frame: &mut Frame<'_, '_>, iterations: usize, h: f64) {
        frame.note_strains();
        self.close(frame, iterations, f64::INFINITY);
        if !frame.system().rows.lower.is_empty() {
            self.brake(frame, h);
        }
        self.correct_rates(frame, true, Lower::Met);
    }

    #[cold]
    fn brake(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let layout = &frame.equations.layout;
        let (now, before) = (&frame.state.q, &self.open_q);
        layout.way(frame.world, now, before, &mut self.way);
        let system = frame.equations.system();
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            let (way, momentum) = (&self.way[range.clone()], &mut self.force[range.clone()]);
            system.multiply_mass(body, way, momentum);
            let v = &mut frame.state.v[range];
            let (mut along, mut square) = (0.0, 0.0);
            for k in 0..way.len() {
                along += v[k] * momentum[k];
                square += way[k] * momentum[k];
            }
            if along < 0.0 {
                let part = (-along / square).min(1.0 / h);
                for (v, way) in v.iter_mut().zip(way) {
                    *v += part * way;
                }
            }
        }
    }

    /// The smallest change of velocities that makes every rate right; those of lower priorities too, or
    /// else they are left as they are.
    pub(crate) fn make_rates_right(&mut self, frame: &mut Frame<'_, '_>, chases: bool) {
        self.correct_rates(frame, chases, Lower::GiveWay);
    }

    fn correct_rates(&mut self, frame: &mut Frame<'_, '_>, chases: bool, lower: Lower) {
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
            lower,
            ..Request::default()
        };
        let solution = frame.equations.solve(request, frame.meter);
        for (v, y) in frame.state.v.iter_mut().zip(&solution.motion) {
            *v += y;
        }
        frame.note_rates();
    }
}
