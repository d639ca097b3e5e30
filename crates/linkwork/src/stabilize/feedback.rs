//! Feedback: errors pull back while the bodies move.

use crate::assemble::System;
use crate::integrate::Stage;

/// `b ← b − 2α·ċ − β²·c` (Metaxas 1993, eq. 22); rows on rates decay with 2α alone.
pub(super) fn baumgarte(system: &System, alpha: f64, beta: f64, b: &mut [f64]) {
    for row in 0..b.len() {
        // Soft rows pull by themselves.
        if system.compliance[row] > 0.0 {
            continue;
        }
        let c = if system.velocity_level[row] {
            0.0
        } else {
            system.c[row]
        };
        b[row] -= 2.0 * alpha * system.c_dot[row] + beta * beta * c;
    }
}

impl Stage<'_, '_> {
    /// `v̇ ← v̇ + M⁻¹·Jᵀ·(−k·c − d·ċ)`, after λ is known: before, λ would cancel it
    /// (Witkin 1990, §2.4).
    pub(super) fn feedback_force(&mut self, stiffness: f64, damping: f64) {
        let system = &self.equations.system;
        let work = &mut *self.work;
        for row in 0..work.b.len() {
            let c = if system.velocity_level[row] {
                0.0
            } else {
                system.c[row]
            };
            let hard = system.compliance[row] == 0.0;
            let pull = -stiffness * c - damping * system.c_dot[row];
            work.b[row] = if hard { pull } else { 0.0 };
        }
        work.force.fill(0.0);
        for c in 0..system.constraints.len() as u32 {
            let rows = &work.b[system.row_range(c)];
            system.add_constraint_force(c, rows, &mut work.force);
        }
        work.inverse.factor(system);
        work.inverse.apply_all(system, &mut work.force);
        let motion = &mut self.equations.solution.motion;
        for (v_dot, more) in motion.iter_mut().zip(&work.force) {
            *v_dot += more;
        }
    }
}
