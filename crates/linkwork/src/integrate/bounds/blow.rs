//! Blows: velocities jump where something hits a stop.
//!
//! ```text
//!     rows that approach are reflected, u⁺ ≥ −e·u⁻, batch after batch, until none approaches
//!     then all of them at once without rebound
//! ```
//!
//! Only rows that approach are reflected (Smith et al. 2012), so that an impulse is passed on through bodies in
//! contact. With several stops at once Newton's law of restitution can gain energy; the change of energy is
//!
//! ```text
//!     ΔT = ½·(u⁻ + u⁺)·r
//! ```
//!
//! If that is positive, the blow is blended with the one without rebound, which never gains. The sets are convex: every
//! blend obeys their bounds.

use super::super::tolerances::{APPROACH, BATCHES};
use super::over::Over;
use crate::equations::Meter;
use crate::linalg::bounded::{Group, Set};
use crate::system::{BoundedRow, Role, System};

/// The buffers of a blow.
#[derive(Debug, Default)]
pub(super) struct Blow {
    /// Impulses of lasting contacts and joints; of the blow; of the blow without rebound.
    lasting: Vec<f64>,
    total: Vec<f64>,
    dead: Vec<f64>,
    /// Rates before the blow, and now.
    before: Vec<f64>,
    now: Vec<f64>,
    /// Rates with rebound.
    after: Vec<f64>,
    /// What it began with.
    rate: Vec<f64>,
    impulse: Vec<f64>,
    groups: Vec<Group>,
}

impl Blow {
    /// Makes room for so many rows.
    pub(super) fn size(&mut self, n: usize) {
        for buffer in [
            &mut self.lasting,
            &mut self.total,
            &mut self.dead,
            &mut self.before,
            &mut self.now,
            &mut self.after,
            &mut self.rate,
            &mut self.impulse,
        ] {
            buffer.reserve(n);
        }
        self.groups.reserve(n);
    }

    /// Notes what a blow begins with.
    pub(super) fn begin(&mut self, over: &Over) {
        self.rate.clone_from(&over.rate);
        self.impulse.clone_from(&over.impulse);
        self.groups.clone_from(&over.groups);
    }

    /// Begins the same blow again.
    pub(super) fn begin_again(&self, over: &mut Over) {
        over.rate.clone_from(&self.rate);
        over.impulse.clone_from(&self.impulse);
        over.groups.clone_from(&self.groups);
    }

    /// Strikes: `over` has the rates of all rows without impulses; `is_hit` says who is hit. Its impulses are all
    /// that happens in the step. What is left of the law, m/s.
    pub(super) fn strike(
        &mut self,
        (system, meter): (&System, &mut Meter<'_>),
        over: &mut Over,
        is_hit: &[bool],
    ) -> f64 {
        let n = over.chosen.len();
        let mut residual = 0.0f64;
        for group in &mut over.groups {
            if is_hit[over.chosen[group.start]] {
                group.set = Set::Nothing;
            }
        }
        // What lasts: joints, and rows that nothing hits.
        residual = residual.max(over.solve_as_laid(meter));
        self.lasting.clone_from(&over.impulse);
        self.before.clone_from(&over.left);
        self.now.clone_from(&self.before);
        self.total.clear();
        self.total.resize(n, 0.0);
        let fastest = self.before.iter().fold(0.0f64, |most, u| most.max(u.abs()));
        // Without rebound one solve is enough.
        let rebounds = over.chosen.iter().any(|&at| {
            let e = system.bounded[at].role.restitution();
            is_hit[at] && e.is_some_and(|e| e > 0.0)
        });
        let batches = if rebounds { BATCHES } else { 0 };
        for _ in 0..batches {
            let mut approaches = false;
            over.rate.copy_from_slice(&self.now);
            for group in &mut over.groups {
                let u = self.now[group.start];
                let row = &system.bounded[over.chosen[group.start]];
                group.set = Set::Nothing;
                if let Some(e) = row.role.restitution()
                    && row.is_hard_stop(system)
                    && u < -APPROACH * fastest
                {
                    group.set = set_of(system, row);
                    over.rate[group.start] += e * u;
                    approaches = true;
                }
            }
            if !approaches {
                break;
            }
            residual = residual.max(self.take(over, meter));
        }
        residual = residual.max(self.stop((system, meter), over));
        let gain = self.gain(&self.total);
        if gain > 0.0 {
            // Without rebound, from what was before.
            self.dead.clone_from(&self.total);
            self.after.clone_from(&self.now);
            self.total.fill(0.0);
            self.now.clone_from(&self.before);
            residual = residual.max(self.stop((system, meter), over));
            std::mem::swap(&mut self.dead, &mut self.total);
            self.blend();
        }
        for i in 0..n {
            over.impulse[i] = self.lasting[i] + self.total[i];
        }
        residual
    }

    /// All stops at once, without rebound.
    fn stop(&mut self, (system, meter): (&System, &mut Meter<'_>), over: &mut Over) -> f64 {
        over.rate.copy_from_slice(&self.now);
        for group in &mut over.groups {
            group.set = set_of(system, &system.bounded[over.chosen[group.start]]);
        }
        self.take(over, meter)
    }

    /// Solves, and adds the impulses.
    fn take(&mut self, over: &mut Over, meter: &mut Meter<'_>) -> f64 {
        over.impulse.fill(0.0);
        let left = over.solve_as_laid(meter);
        for i in 0..self.total.len() {
            self.total[i] += over.impulse[i];
            // W·r, whatever rebound was asked for.
            self.now[i] += over.left[i] - over.rate[i];
        }
        left
    }

    /// The energy that impulses gain, J.
    fn gain(&self, r: &[f64]) -> f64 {
        let n = r.len();
        (0..n)
            .map(|i| 0.5 * (self.before[i] + self.now[i]) * r[i])
            .sum()
    }

    /// As much of the rebound as gains nothing: `dead + θ·(total − dead)`. Rates are those of `dead` now, and were
    /// those of `total`.
    fn blend(&mut self) {
        let n = self.total.len();
        // ΔT(r) = before·r + ½·r·W·r, a quadratic in θ; W·r is what rates change by.
        let (mut square, mut slope, mut least) = (0.0, 0.0, 0.0);
        for i in 0..n {
            let change = self.total[i] - self.dead[i];
            square += 0.5 * change * (self.after[i] - self.now[i]);
            slope += change * self.now[i];
            least += 0.5 * self.dead[i] * (self.before[i] + self.now[i]);
        }
        let root = (slope * slope - 4.0 * square * least.min(0.0)).sqrt();
        let theta = if square > 0.0 {
            (root - slope) / (2.0 * square)
        } else {
            0.0
        };
        let theta = theta.clamp(0.0, 1.0);
        for i in 0..n {
            self.total[i] = self.dead[i] + theta * (self.total[i] - self.dead[i]);
        }
    }
}

/// The set of an impulse in a blow: forces and soft rows do nothing in no time.
fn set_of(system: &System, row: &BoundedRow) -> Set {
    if row.softness(system).is_some() {
        return Set::Nothing;
    }
    match row.role {
        Role::Stop { .. } => Set::ONE_SIDED,
        Role::Normal { set, .. } => set,
        Role::Force { .. } | Role::Hand { .. } | Role::More | Role::Across => Set::Nothing,
    }
}
