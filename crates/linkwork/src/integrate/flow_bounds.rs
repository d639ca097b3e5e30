//! Bounded rows of the implicit step without momentum: stops, bounded motors, dry friction, contacts
//! (`docs/adr/0061-bounded-rows-without-momentum.md`).
//!
//! ```text
//!     stops:           gap(q) ≥ 0 ⊥ r ≥ 0
//!     soft contacts:   gap + τ·(gap − gap₀₋)/h + α·r/h ≥ 0 ⊥ r ≥ 0         gap₀₋ = min(gap₀, 0)
//!     servos:          s = h·(ḟ − gain·(φ − f))                            r within h times their force
//!     across a touch:  s = h·(speed of the surfaces)                       r within the cone of the normal
//! ```
//!
//! r are impulses, h times forces. s is the change of a coordinate since the start of the step, by the mean of
//! the rows at both ends of each part, `s ← s + ½·(G(q) + G(q ⊞ δ))·δ`; so sticking contacts stay in place up
//! to third order. A servo is implicit in its error: `s·(1 + h·gain) = h·(ḟ − gain·(φ₀ − f))`.
//!
//! At fixed time, or if only springs act, only hard stops take part.

use super::bounds::over::{Give, Over};
use super::flow::Asked;
use super::tolerances::{FLOW_ROUNDS, NEAR, SAME_PLACE};
use crate::equations::Equations;
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::{BoundedRow, Role, System};
use crate::world::Touching;

/// The buffers, over all bounded rows unless stated.
#[derive(Debug, Default)]
pub(super) struct FlowBounds {
    over: Over,
    /// Whether motors and friction act.
    rubs: bool,
    /// Impulses of rows, scaled.
    pushes: Vec<f64>,
    /// s of rows of rates, now and before the present part, meters.
    slips: Vec<f64>,
    start_slips: Vec<f64>,
    /// Their targets, and the gaps at which soft contacts exert no force, meters.
    goals: Vec<f64>,
    /// Compliance of soft contacts.
    gives: Vec<Give>,
    takes_part: Vec<bool>,
    /// Over velocities.
    motion: Vec<f64>,
}

impl FlowBounds {
    pub(super) fn size(&mut self, system: &System) {
        self.over.size(system);
        self.fit(system.bounded.len());
        size(&mut self.motion, system.n_v());
    }

    /// Sizes the buffers for the present rows: those of contact vary.
    fn fit(&mut self, n: usize) {
        for buffer in [
            &mut self.pushes,
            &mut self.slips,
            &mut self.start_slips,
            &mut self.goals,
        ] {
            size(buffer, n);
        }
        self.gives.resize(n, Give::default());
        self.takes_part.resize(n, false);
    }

    /// Number of rows in the last solve.
    pub(super) fn len(&self) -> usize {
        self.over.chosen.len()
    }

    /// Begins a step of `h` seconds with the last forces of rows. The equations are filled at its start.
    pub(super) fn begin(&mut self, frame: &Frame<'_, '_>, h: f64, rubs: bool) {
        let system = frame.system();
        self.over.size(system);
        self.fit(system.bounded.len());
        let has_more_than_limits = frame.equations.layout.has_colliders()
            || system.bounded.iter().any(|row| !row.is_limit());
        self.rubs = rubs && has_more_than_limits;
        self.slips.fill(0.0);
        self.goals.fill(0.0);
        self.gives.fill(Give::default());
        for (push, row) in self.pushes.iter_mut().zip(&system.bounded) {
            *push = h * row.force(system, &frame.state.lambda) / row.scale(system);
        }
    }

    /// Sets the targets of rows at the end of the step. The probe has bodies at the start and the time of the
    /// end.
    pub(super) fn aim(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        if !self.rubs {
            return;
        }
        for at in 0..self.goals.len() {
            let probe = frame.equations.probe();
            let row = probe.bounded[at];
            match row.role {
                Role::Force { gain, .. } => {
                    self.goals[at] = -h * row.rate(probe) / (1.0 + h * gain);
                }
                Role::Across => self.goals[at] = -h * row.rate(probe),
                _ => {}
            }
            let Some(soft) = row.softness(probe) else {
                continue;
            };
            let tau = soft.damping_time;
            self.goals[at] = tau / (h + tau) * row.gap(probe).min(0.0);
            let compliance = soft.compliance / (h + tau);
            self.motion.fill(0.0);
            row.push(probe, 1.0, &mut self.motion);
            frame.equations.apply_inverse_mass(&mut self.motion);
            let mobility = row.motion(frame.equations.probe(), &self.motion);
            let times = compliance / mobility.max(f64::MIN_POSITIVE);
            self.gives[at] = Give { compliance, times };
        }
    }

    /// Remaining error of a row, meters: the gap of a stop, or the distance of s from its target.
    fn left(&self, system: &System, at: usize) -> f64 {
        let row = &system.bounded[at];
        let left = match row.is_stop() {
            true => row.gap(system) - self.goals[at],
            false => self.slips[at] - self.goals[at],
        };
        // Round-off of positions counts as zero; otherwise the shares of redundant contacts would follow it.
        if self.rubs && left.abs() < SAME_PLACE {
            0.0
        } else {
            left
        }
    }

    /// Chooses the active rows: stops that would be passed or, at first, that had a force; all chosen before;
    /// motors and friction. Returns whether there are more than before.
    fn choose(&mut self, system: &System, motion: &[f64], is_first: bool) -> bool {
        let before = self.over.chosen.len();
        self.over.chosen.clear();
        let mut takes_part = false;
        for (at, row) in system.bounded.iter().enumerate() {
            takes_part = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => {
                    self.takes_part[at]
                        || row.gap(system) + row.motion(system, motion) < 0.0
                        || (is_first && self.pushes[at] > 0.0)
                }
                Role::Force { .. } => self.rubs,
                Role::Across => self.rubs && takes_part,
                Role::Hand { .. } | Role::More => false,
            };
            self.takes_part[at] = takes_part;
            if takes_part {
                self.over.chosen.push(at);
            }
        }
        self.over.chosen.len() > before
    }

    /// Adds the impulses of bounded rows to the last solution for a load, so that they keep their bounds.
    pub(super) fn keep(
        &mut self,
        frame: &mut Frame<'_, '_>,
        (h, asked): (f64, Asked<'_>),
        load: &mut [f64],
    ) {
        if self.pushes.is_empty() {
            return;
        }
        // With friction, the law is one of rates and forces.
        let unit = if self.rubs { h } else { 1.0 };
        self.over.begin_frame();
        self.over.chosen.clear();
        self.takes_part.fill(false);
        for round in 0..FLOW_ROUNDS {
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            if !self.choose(system, &solution.motion, round == 0) {
                break;
            }
            if round > 0 {
                // Without the effect of the others.
                asked.solve(frame, load);
            }
            self.prepare(frame, h / unit);
            let system = frame.equations.system();
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                let row = &system.bounded[at];
                let left = self.left(system, at) + row.motion(system, &self.motion);
                self.over.rate[i] = left / unit;
                let push = self.pushes[at] / unit;
                self.over.impulse[i] = if row.is_stop() { push.max(0.0) } else { push };
            }
            let left = self.over.solve(frame);
            self.over.impulse.iter_mut().for_each(|own| *own *= unit);
            frame.log.law_error = frame.log.law_error.max(left);
            self.push(frame, asked, load);
            // Restores the load without them.
            let system = frame.equations.system();
            for (i, row) in self.over.iter(system) {
                row.push(system, -self.over.impulse[i], load);
            }
        }
        if self.over.chosen.is_empty() {
            self.pushes.fill(0.0);
        }
    }

    /// Adds the impulses of active stops; the last solution is that without them.
    pub(super) fn hold(&mut self, frame: &mut Frame<'_, '_>, asked: Asked<'_>, load: &mut [f64]) {
        let system = frame.equations.system();
        self.fit(system.bounded.len());
        self.rubs = false;
        self.over.begin_frame();
        self.pushes.fill(0.0);
        self.over.chosen.clear();
        for (at, row) in system.bounded.iter().enumerate() {
            if row.is_stop() && row.gap(system) <= NEAR {
                self.over.chosen.push(at);
            }
        }
        if self.over.chosen.is_empty() {
            return;
        }
        self.prepare(frame, 1.0);
        let system = frame.equations.system();
        for i in 0..self.over.chosen.len() {
            let row = &system.bounded[self.over.chosen[i]];
            self.over.rate[i] = row.motion(system, &self.motion);
            self.over.impulse[i] = 0.0;
        }
        self.over.solve(frame);
        self.push(frame, asked, load);
    }

    /// Computes the responses of the chosen rows. They overwrite the solution, which is saved and restored.
    fn prepare(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let solution = frame.equations.solution();
        self.motion.copy_from_slice(&solution.motion);
        match self.rubs {
            true => self.over.prepare_giving(frame, h, &self.gives),
            false => self.over.prepare_without_friction(frame),
        }
    }

    /// Adds the impulses to the load, and solves.
    fn push(&mut self, frame: &mut Frame<'_, '_>, asked: Asked<'_>, load: &mut [f64]) {
        self.pushes.fill(0.0);
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.pushes[at] = *r;
        }
        let system = frame.equations.system();
        self.over.push(system, &self.over.impulse, load);
        asked.solve(frame, load);
    }

    /// Begins a part of the motion.
    pub(super) fn begin_to_slip(&mut self) {
        self.start_slips.copy_from_slice(&self.slips);
    }

    /// Updates s for a displacement `delta`, with the probe at its end.
    pub(super) fn slip(&mut self, equations: &Equations, delta: &[f64]) {
        if !self.rubs {
            return;
        }
        let (start, end) = (equations.system(), equations.probe());
        for (at, row) in start.bounded.iter().enumerate() {
            if !row.is_stop() {
                let mean = 0.5 * (row.motion(start, delta) + row.motion(end, delta));
                self.slips[at] = self.start_slips[at] + mean;
            }
        }
    }

    /// Undoes the last part.
    pub(super) fn slip_back(&mut self) {
        self.slips.copy_from_slice(&self.start_slips);
    }

    /// Work of the forces of rows of rates against their remaining error, J: `Σ |λ|·|s|`. With the forces
    /// found, it decreases by the energy they add elsewhere.
    pub(super) fn rubbing(&self, system: &System, h: f64) -> f64 {
        let pushes = self.pushes.iter().enumerate();
        let of_rates = pushes.filter(|(at, _)| !system.bounded[*at].is_stop());
        let work: f64 = of_rates
            .map(|(at, push)| (push * (self.slips[at] - self.goals[at])).abs())
            .sum();
        work / h
    }

    /// Sum of violations of hard stops, in their own units.
    pub(super) fn beyond(&self, system: &System) -> f64 {
        let stops = system.bounded.iter().zip(&self.gives);
        let hard = stops.filter(|(row, give)| row.is_stop() && give.compliance == 0.0);
        hard.map(|(row, _)| (-row.gap(system)).max(0.0) / row.scale(system))
            .sum()
    }

    /// Energy stored by soft contacts, J.
    pub(super) fn stored(&self, system: &System, h: f64) -> f64 {
        let soft = system.bounded.iter().enumerate();
        let soft = soft.filter(|(at, _)| self.gives[*at].compliance > 0.0);
        soft.map(|(at, row)| {
            let pressed = (row.gap(system) - self.goals[at]).min(0.0);
            0.5 * pressed * pressed / (h * self.gives[at].compliance)
        })
        .sum()
    }

    /// The largest impulse of a hard stop, in its own unit.
    pub(super) fn largest_push(&self, system: &System) -> f64 {
        let stops = system.bounded.iter().enumerate();
        stops
            .filter(|(at, row)| row.is_stop() && self.gives[*at].compliance == 0.0)
            .map(|(at, row)| row.scale(system) * self.pushes[at])
            .fold(0.0, f64::max)
    }

    /// Writes the forces of rows of constraints.
    pub(super) fn write_rows(&self, system: &System, out: &mut [f64]) {
        for (row, push) in system.bounded.iter().zip(&self.pushes) {
            if let Some(at) = row.row() {
                out[at] = row.scale(system) * push;
            }
        }
    }

    /// Writes the contacts with their forces, after a step of `h` seconds in which time advanced.
    pub(super) fn write_touching(
        &self,
        frame: &mut Frame<'_, '_>,
        h: f64,
        out: &mut Vec<Touching>,
    ) {
        if !self.rubs {
            return;
        }
        let system = frame.equations.system();
        let force =
            |(row, push): (&BoundedRow, &f64)| Some((row.touch()?, row.scale(system) * push / h));
        let rows = system.bounded.iter().zip(&self.pushes);
        system.write_touching(rows.filter_map(force), out);
        frame.equations.remember_contacts(out);
    }
}
