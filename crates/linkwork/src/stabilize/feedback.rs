//! Feedback on accelerations, by penalty forces or by the rows themselves.

use super::Acceleration;
use crate::frame::Frame;
use crate::system::{RowClass, System};

/// `b ← b − 2α·ċ − β²·c` (Metaxas 1993, eq. 22); rows on rates decay with 2α alone.
pub(super) fn baumgarte(system: &System, alpha: f64, beta: f64, b: &mut [f64]) {
    for row in 0..b.len() {
        // Soft rows pull by themselves.
        if system.rows.class(row) != RowClass::Soft {
            b[row] -= 2.0 * alpha * system.c_dot[row] + beta * beta * position_error(system, row);
        }
    }
}

/// `c`, or zero for a row on rates.
fn position_error(system: &System, row: usize) -> f64 {
    if system.velocity_level[row] {
        0.0
    } else {
        system.c[row]
    }
}

impl Acceleration {
    /// `v̇ ← v̇ + M⁻¹·Jᵀ·(−k·c − d·ċ)`, after λ is known: before, λ would cancel it
    /// (Witkin 1990, §2.4).
    pub(super) fn feed_back(
        &mut self,
        frame: &mut Frame<'_, '_>,
        (stiffness, damping): (f64, f64),
        v_dot: &mut [f64],
    ) {
        let system = frame.equations.system();
        for row in 0..self.b.len() {
            let c = position_error(system, row);
            let pull = -stiffness * c - damping * system.c_dot[row];
            let is_soft = system.rows.class(row) == RowClass::Soft;
            self.b[row] = if is_soft { 0.0 } else { pull };
        }
        self.force.fill(0.0);
        for c in 0..system.constraints.len() as u32 {
            let rows = &self.b[system.row_range(c)];
            system.add_constraint_force(c, rows, &mut self.force);
        }
        frame.equations.apply_inverse_mass(&mut self.force);
        for (v_dot, more) in v_dot.iter_mut().zip(&self.force) {
            *v_dot += more;
        }
    }
}
