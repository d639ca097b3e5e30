//! Blows: velocities jump where something hits a stop.
//!
//! ```text
//!     rows that approach are reflected, u⁺ ≥ −e·u⁻, batch after batch, until none approaches
//!     then all of them at once without rebound
//! ```
//!
//! Only who approaches is reflected (Smith et al. 2012), so that blows wander through what touches. With several stops
//! at once Newton's law can gain energy; the energy that joints and stops leave is
//!
//! ```text
//!     ΔT = ½·(u⁻ + u⁺)·r
//! ```
//!
//! Where that is positive, the blow is blended with the one without rebound, which never gains: both are legal, and so is
//! every blend.

use super::super::tolerances::{APPROACH, BATCHES};
use super::over::Over;
use crate::linalg::bounded::Set;
use crate::linalg::dense::dot;
use crate::system::{Role, System};

/// The buffers of a blow.
#[derive(Debug, Default)]
pub(super) struct Blow {
    /// Impulses of what lasts; of the blow; of a blow without rebound.
    lasting: Vec<f64>,
    total: Vec<f64>,
    dead: Vec<f64>,
    /// Rates before the blow, and now.
    before: Vec<f64>,
    now: Vec<f64>,
    change: Vec<f64>,
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
            &mut self.change,
        ] {
            buffer.reserve(n);
        }
    }

    /// Strikes: `over` has the rates of all rows without impulses; `is_hit` says who is hit. Its impulses are all
    /// that happens in the step. What is left of the law, m/s.
    pub(super) fn strike(&mut self, system: &System, over: &mut Over, is_hit: &[bool]) -> f64 {
        let n = over.chosen.len();
        let mut residual = 0.0f64;
        for group in &mut over.rows.groups {
            if is_hit[over.chosen[group.start]] {
                group.set = Set::Nothing;
            }
        }
        // What lasts: joints, and rows that nothing hits.
        residual = residual.max(over.rows.solve().residual);
        self.lasting.clone_from(&over.rows.impulse);
        self.before.clone_from(&over.rows.left);
        self.now.clone_from(&self.before);
        self.total.clear();
        self.total.resize(n, 0.0);
        let fastest = self.before.iter().fold(0.0f64, |most, u| most.max(u.abs()));
        for _ in 0..BATCHES {
            let mut approaches = false;
            over.rows.rate.copy_from_slice(&self.now);
            for group in &mut over.rows.groups {
                let u = self.now[group.start];
                let role = system.bounded[over.chosen[group.start]].role;
                group.set = Set::Nothing;
                if let Some(e) = role.restitution()
                    && u < -APPROACH * fastest
                {
                    group.set = set_of(role);
                    over.rows.rate[group.start] += e * u;
                    approaches = true;
                }
            }
            if !approaches {
                break;
            }
            residual = residual.max(self.take(over));
        }
        residual = residual.max(self.stop(system, over));
        let gain = self.gain(&self.total);
        if gain > 0.0 {
            // Without rebound, from what was before.
            self.dead.clone_from(&self.total);
            self.total.fill(0.0);
            self.now.clone_from(&self.before);
            residual = residual.max(self.stop(system, over));
            std::mem::swap(&mut self.dead, &mut self.total);
            self.blend(over);
        }
        for i in 0..n {
            over.rows.impulse[i] = self.lasting[i] + self.total[i];
        }
        residual
    }

    /// All stops at once, without rebound.
    fn stop(&mut self, system: &System, over: &mut Over) -> f64 {
        over.rows.rate.copy_from_slice(&self.now);
        for group in &mut over.rows.groups {
            group.set = set_of(system.bounded[over.chosen[group.start]].role);
        }
        self.take(over)
    }

    /// Solves, and adds what it gave.
    fn take(&mut self, over: &mut Over) -> f64 {
        over.rows.impulse.fill(0.0);
        let answer = over.rows.solve();
        let n = over.chosen.len();
        for i in 0..n {
            self.total[i] += over.rows.impulse[i];
            let row = &over.rows.response[i * n..(i + 1) * n];
            self.now[i] += dot(row, &over.rows.impulse);
        }
        answer.residual
    }

    /// The energy that impulses gain, J.
    fn gain(&self, r: &[f64]) -> f64 {
        let n = r.len();
        (0..n)
            .map(|i| 0.5 * (self.before[i] + self.now[i]) * r[i])
            .sum()
    }

    /// As much of the rebound as gains nothing: `dead + θ·(total − dead)`.
    fn blend(&mut self, over: &Over) {
        let n = self.total.len();
        // ΔT(r) = before·r + ½·r·W·r, a quadratic in θ.
        let work = |a: &[f64], b: &[f64]| {
            let rows = over.rows.response.chunks_exact(n.max(1)).zip(a);
            rows.map(|(row, a)| a * dot(row, b)).sum::<f64>()
        };
        self.change.clear();
        let both = self.total.iter().zip(&self.dead);
        self.change.extend(both.map(|(total, dead)| total - dead));
        let change = &self.change;
        let square = 0.5 * work(change, change);
        let slope = dot(&self.before, change) + work(&self.dead, change);
        let least = dot(&self.before, &self.dead) + 0.5 * work(&self.dead, &self.dead);
        let root = (slope * slope - 4.0 * square * least.min(0.0)).sqrt();
        let theta = if square > 0.0 {
            (root - slope) / (2.0 * square)
        } else {
            0.0
        };
        let theta = theta.clamp(0.0, 1.0);
        for i in 0..n {
            self.total[i] = self.dead[i] + theta * self.change[i];
        }
    }
}

/// What the impulse of a blow may be: forces do nothing in no time.
fn set_of(role: Role) -> Set {
    match role {
        Role::Stop { .. } => Set::ONE_SIDED,
        Role::Normal { friction, .. } => Set::Cone { friction },
        Role::Force { .. } | Role::Across => Set::Nothing,
    }
}
