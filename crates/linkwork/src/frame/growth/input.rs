//! The most that rows can have put in: drives, hands, bodies with prescribed motion, joints that are closing.
//!
//! Of the rate `ċ = J·v + ∂c/∂t` of a row, the part `∂c/∂t` is prescribed. A row that is open closes within the
//! frame. With u the larger of both speeds, the row puts in at most
//!
//! ```text
//!     2·h·|λ|·u      by its force, and all of them together      2·M·u²
//! ```
//!
//! by an impulse that accelerates the whole mass M to the largest u. Only the multipliers at the ends of the
//! frame are known: hence the factors of two, and the impulse. Steps with bounded rows measure the work of
//! these rows (`integrate/bounds/work.rs`); it is added.

use crate::frame::{Frame, tolerances};
use crate::system::{MAX_ROWS, Role, RowClass, System};

/// Prescribed motion of rows at the instants that were examined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// Largest `Σ|λ|·u`, W.
    power: f64,
    /// Largest u, m/s.
    speed: f64,
    /// Gaps up to this count as none, m.
    closed: f64,
}

impl Lead {
    /// Of a frame whose rows are closed to a tolerance. Where forces outpace it, multipliers are as wrong as they are:
    /// what they would do along gaps that closing leaves is no account of anything.
    pub(super) fn of(frame: &Frame<'_, '_>) -> Self {
        let closed = match frame.log.is_outpaced {
            true => tolerances::CLOSED * frame.tolerance,
            false => 0.0,
        };
        Self {
            closed,
            ..Self::default()
        }
    }

    /// Looks at an instant at which rows were filled with these velocities, for a frame of `h` seconds.
    pub(super) fn add(&mut self, system: &System, (v, lambda): (&[f64], &[f64]), h: f64) {
        let closed = self.closed;
        self.add_rows(system, (v, lambda), |row, class, moved| {
            let rate = system.c_dot[row];
            let round_off = tolerances::ROUND_OFF * (rate.abs() + moved.abs());
            let led = ((rate - moved).abs() - round_off).max(0.0);
            let gap = system.c[row].abs();
            let is_open = system.row_scale[row] * gap > closed;
            let open = if is_open { gap / h } else { 0.0 };
            match class {
                RowClass::Absent | RowClass::Soft | RowClass::Bounded => 0.0,
                RowClass::Hard => led.max(open),
                RowClass::Rate => led,
                // Lower priorities are not met, and pull.
                RowClass::Lower(_) | RowClass::LowerRate => led.max(open).max(moved.abs()),
            }
        });
    }

    /// Adds an instant at which the rates of rows are correct: `∂c/∂t = −J·v`.
    pub(super) fn add_moved(&mut self, system: &System, (v, lambda): (&[f64], &[f64])) {
        self.add_rows(system, (v, lambda), |_, class, moved| match class {
            RowClass::Absent | RowClass::Soft | RowClass::Bounded => 0.0,
            _ => moved.abs(),
        });
    }

    /// Adds the prescribed motion between two instants, with bodies at rest. `first` is `c` at the first.
    pub(super) fn add_way(&mut self, system: &System, first: &[f64], lambda: &[f64], h: f64) {
        let mut power = 0.0;
        for (row, first) in first.iter().enumerate() {
            let class = system.rows.class(row);
            if matches!(class, RowClass::Absent | RowClass::Soft | RowClass::Bounded) {
                continue;
            }
            let led = (system.c[row] - first).abs() / h;
            power += lambda[row].abs() * led;
            self.speed = self.speed.max(system.row_scale[row] * led);
        }
        self.power = self.power.max(power);
    }

    fn add_rows(
        &mut self,
        system: &System,
        (v, lambda): (&[f64], &[f64]),
        speed: impl Fn(usize, RowClass, f64) -> f64,
    ) {
        let mut moved = [0.0; MAX_ROWS];
        let mut power = 0.0;
        for c in 0..system.constraints.len() as u32 {
            let range = system.row_range(c);
            let moved = &mut moved[..range.len()];
            system.constraint_motion(c, v, moved);
            for (row, moved) in range.zip(moved) {
                let speed = speed(row, system.rows.class(row), *moved);
                power += lambda[row].abs() * speed;
                self.speed = self.speed.max(system.row_scale[row] * speed);
            }
        }
        for bounded in &system.bounded {
            let scale = bounded.scale(system);
            let force = bounded.force(system, lambda) / scale;
            let moved = bounded.motion(system, v);
            match bounded.role {
                // A motor can put in energy; friction takes it out.
                Role::Force { .. } => power += (force * moved).max(0.0),
                // A hand is not met, and pulls.
                Role::Hand { .. } | Role::More => {
                    let led = (bounded.rate(system) - moved).abs();
                    let speed = led.max(moved.abs());
                    power += force.abs() * speed;
                    self.speed = self.speed.max(speed);
                }
                // A moving stop can strike. A contact within the frame has no force at its ends.
                Role::Stop { .. } | Role::Normal { .. } if force > 0.0 || bounded.is_touch() => {
                    let led = (bounded.rate(system) - moved).abs();
                    power += force.max(0.0) * led;
                    self.speed = self.speed.max(led);
                }
                // Friction against a moving surface, such as a belt.
                Role::Across => power += force.abs() * (bounded.rate(system) - moved).abs(),
                Role::Stop { .. } | Role::Normal { .. } => {}
            }
        }
        self.power = self.power.max(power);
    }

    /// The most that rows can have put in within `h` seconds, J.
    pub(super) fn work(&self, system: &System, h: f64) -> f64 {
        2.0 * h * self.power + 2.0 * system.total_mass() * self.speed * self.speed
    }
}
