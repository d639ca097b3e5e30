//! Rows on top of a factor: lower priorities, and rows whose force acts elsewhere (`K ≠ Jᵀ`).
//!
//! The method underneath is used only through its response `M̂⁻¹` to forces (Baraff 1996, §8). The overlay rows
//! form one dense matrix `J·M̂⁻¹·K`, eliminated by priority: first rows of priority 0 with K ≠ Jᵀ, then
//! priority 1, 2, … Each is met in least squares in the null space of those above (Faure 1999, §3.4); its
//! forces include those that keep the ones above unchanged:
//!
//! ```text
//!     x₁ = A₁₁⁻·r₁      A₂₂ ← A₂₂ − A₂₁·A₁₁⁻·A₁₂      x₂ = A₂₂⁻·(r₂ − A₂₁·x₁)      x₁ ← x₁ − A₁₁⁻·A₁₂·x₂
//! ```
//!
//! Rows and forces are scaled by the row's unit and by its constraint's weight. Cost: a response for each of
//! the k rows, and O(k³). Meant for hands and goals, not for whole mechanisms of a lower priority.

use super::mass::MassInverse;
use super::rows::Rows;
use super::tolerances::BLOCKED;
use crate::linalg::dense::PivotedQr;
use crate::linalg::order::{Key, sort};
use crate::system::System;
use crate::topology::Topology;

/// The overlay rows, their dense matrix and its factor.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    /// In the order of their priorities.
    rows: Rows,
    /// Rows of each priority.
    groups: Vec<std::ops::Range<usize>>,
    /// Whether it is a lower priority.
    is_lower: Vec<bool>,
    a: Vec<f64>,
    /// `A_gg⁻·A_gh` for later priorities h, in the layout of `a`.
    u: Vec<f64>,
    block: Vec<f64>,
    qr: Vec<PivotedQr>,
    reference: Vec<f64>,
    r: Vec<f64>,
    x: Vec<f64>,
    column: Vec<f64>,
    /// Right-hand side of a repeated solve.
    more: Vec<f64>,
    inverse: MassInverse,
    force: Vec<f64>,
    y: Vec<f64>,
}

impl Overlay {
    pub(super) fn new(system: &System, topology: &Topology) -> Self {
        let priority = |c: u32| system.constraints[c as usize].priority;
        let overlay = topology.overlay().iter();
        let mut keys: Vec<Key> = overlay.map(|&c| (priority(c).into(), c)).collect();
        sort(&mut keys);
        let constraints = keys.into_iter().map(|(_, c)| c).collect();
        let weight = |system: &System, c: u32| system.constraints[c as usize].weight;
        let mut out = Self {
            rows: Rows::new(system, constraints, weight),
            ..Self::default()
        };
        let mut last = None;
        for (c, places) in out.rows.iter() {
            if last != Some(priority(c)) {
                out.groups.push(places.clone());
                out.is_lower.push(priority(c) > 0);
                last = Some(priority(c));
            }
            if let Some(group) = out.groups.last_mut() {
                group.end = places.end;
            }
        }
        let n = out.rows.len();
        if n > 0 {
            out.a = vec![0.0; n * n];
            out.u = vec![0.0; n * n];
            out.block = vec![0.0; n * n];
            out.reference = vec![0.0; n];
            out.r = vec![0.0; n];
            out.x = vec![0.0; n];
            out.column = vec![0.0; n];
            out.more = vec![0.0; n];
            out.qr = vec![PivotedQr::default(); out.groups.len()];
            out.inverse = MassInverse::new(system);
            out.force = vec![0.0; system.n_v()];
            out.y = vec![0.0; system.n_v()];
        }
        out
    }

    pub(super) fn is_empty(&self) -> bool {
        self.constraints().is_empty()
    }

    /// Its constraints, if all are of lower priorities and act along their rows, so that they may be iterated
    /// with priority 0.
    pub(super) fn joinable(&self, system: &System) -> &[u32] {
        let joins = |&c: &u32| {
            let block = &system.constraints[c as usize];
            block.priority > 0 && !block.pushes
        };
        if self.constraints().iter().all(joins) {
            self.constraints()
        } else {
            &[]
        }
    }

    pub(super) fn n_priorities(&self) -> usize {
        self.groups.len()
    }

    /// The constraints of the overlay.
    pub(super) fn constraints(&self) -> &[u32] {
        self.rows.constraints()
    }

    /// Builds and factors the overlay matrix with responses of the method underneath; false if a response
    /// fails.
    pub(super) fn factor(
        &mut self,
        system: &System,
        mut respond: impl FnMut(&[f64], &mut [f64]) -> bool,
    ) -> bool {
        self.inverse.factor(system);
        let (n, scale) = (self.rows.len(), self.rows.scale());
        let mut unit = [0.0; super::MAX_ROWS];
        let mut motion = [0.0; super::MAX_ROWS];
        for (c, columns) in self.rows.iter() {
            let range = system.row_range(c);
            for (i, column) in columns.enumerate() {
                unit[i] = scale[column];
                self.force.fill(0.0);
                system.add_constraint_force(c, &unit[..range.len()], &mut self.force);
                unit[i] = 0.0;
                if !respond(&self.force, &mut self.y) {
                    return false;
                }
                for (d, places) in self.rows.iter() {
                    let motion = &mut motion[..places.len()];
                    system.constraint_motion(d, &self.y, motion);
                    for (row, value) in places.zip(motion) {
                        self.a[row * n + column] = scale[row] * *value;
                    }
                }
                let scale = scale[column];
                self.a[column * n + column] += scale * scale * system.compliance[range.start + i];
                // Mobility of the row with free bodies: distinguishes a blocked row from a small one.
                self.inverse.apply_all(system, &mut self.force);
                system.constraint_motion(c, &self.force, &mut motion[..range.len()]);
                self.reference[column] = (scale * motion[i]).abs();
            }
        }
        self.eliminate(system);
        true
    }

    /// Block elimination over priorities with least-squares inverses.
    ///
    /// With damping, as in steps, a priority is solved as `(A + ε·1)·x = r`, with equal ε for all its rows so
    /// that the least-squares point does not move. Priorities below it see it undamped: they move in its null
    /// space, `A_gh − A_gg·A_gg⁻·A_gh = 0`, which increases no motion.
    fn eliminate(&mut self, system: &System) {
        let n = self.rows.len();
        for g in 0..self.groups.len() {
            let group = self.groups[g].clone();
            let m = group.len();
            let largest = self.reference[group.clone()]
                .iter()
                .fold(0.0f64, |s, &r| s.max(r));
            for (i, row) in group.clone().enumerate() {
                self.block[i * m..(i + 1) * m]
                    .copy_from_slice(&self.a[row * n + group.start..row * n + group.end]);
            }
            self.qr[g].factor(m, &self.block[..m * m], BLOCKED * largest);
            for column in group.end..n {
                for (i, row) in group.clone().enumerate() {
                    self.r[i] = self.a[row * n + column];
                }
                self.qr[g].solve(&mut self.r[..m], &mut self.x[..m]);
                for (i, row) in group.clone().enumerate() {
                    self.u[row * n + column] = self.x[i];
                }
                for row in group.end..n {
                    let above = &self.a[row * n + group.start..row * n + group.end];
                    let s: f64 = above.iter().zip(&self.x).map(|(a, x)| a * x).sum();
                    self.a[row * n + column] -= s;
                }
            }
            if self.is_lower[g] && system.lower_damping > 0.0 {
                for i in 0..m {
                    self.block[i * m + i] += system.lower_damping * largest;
                }
                self.qr[g].factor(m, &self.block[..m * m], BLOCKED * largest);
            }
        }
    }

    /// Multipliers of the overlay for a motion `y` without it. Adds their force to `force` and writes them to
    /// `lambda`. `repeats` further solves reduce what damping left.
    pub(super) fn solve(
        &mut self,
        (system, repeats): (&System, usize),
        b: Option<&[f64]>,
        y: &[f64],
        force: &mut [f64],
        lambda: &mut [f64],
    ) {
        let n = self.rows.len();
        self.rows.errors(system, b, y, &mut self.r);
        for g in 0..self.groups.len() {
            let group = self.groups[g].clone();
            let m = group.len();
            self.column[..m].copy_from_slice(&self.r[group.clone()]);
            self.qr[g].solve(&mut self.column[..m], &mut self.x[group.clone()]);
            if self.is_lower[g] && system.lower_damping > 0.0 {
                self.ask_again(g, repeats);
            }
            for row in group.end..n {
                let above = &self.a[row * n + group.start..row * n + group.end];
                let s: f64 = above
                    .iter()
                    .zip(&self.x[group.clone()])
                    .map(|(a, x)| a * x)
                    .sum();
                self.r[row] -= s;
            }
        }
        for group in self.groups.iter().rev() {
            for row in group.clone() {
                let after = &self.u[row * n + group.end..(row + 1) * n];
                let s: f64 = after
                    .iter()
                    .zip(&self.x[group.end..])
                    .map(|(u, x)| u * x)
                    .sum();
                self.x[row] -= s;
            }
        }
        self.rows.push(system, &self.x, lambda, force);
    }

    /// Repeats the solve for what damping left of a priority (iterated Tikhonov regularization):
    ///
    /// ```text
    ///     x ← x + (A + ε·1)⁻¹·(r − A·x)      leaves  (ε/(σ + ε))^(repeats + 1)  of a direction of mobility σ
    /// ```
    fn ask_again(&mut self, g: usize, repeats: usize) {
        let (n, group) = (self.rows.len(), self.groups[g].clone());
        let m = group.len();
        for _ in 0..repeats {
            for (i, row) in group.clone().enumerate() {
                let own = &self.a[row * n + group.start..row * n + group.end];
                let met: f64 = own
                    .iter()
                    .zip(&self.x[group.clone()])
                    .map(|(a, x)| a * x)
                    .sum();
                self.column[i] = self.r[row] - met;
            }
            self.qr[g].solve(&mut self.column[..m], &mut self.more[..m]);
            for (x, more) in self.x[group.clone()].iter_mut().zip(&self.more) {
                *x += more;
            }
        }
    }
}
