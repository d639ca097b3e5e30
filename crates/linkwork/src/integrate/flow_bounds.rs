//! Bounded rows of the implicit step without momentum: stops, motors that give way, dry friction, contacts
//! (`docs/adr/0061-bounded-rows-without-momentum.md`).
//!
//! ```text
//!     stops:           gap(q) ≥ 0 ⊥ r ≥ 0
//!     soft contacts:   gap + τ·(gap − gap₀₋)/h + α·r/h ≥ 0 ⊥ r ≥ 0         gap₀₋ = min(gap₀, 0)
//!     servos:          s = h·(ḟ − gain·(φ − f))                            r within h times their force
//!     across a touch:  s = h·(speed of the surfaces)                       r within the cone of the normal
//! ```
//!
//! r are impulses, h times forces. s is how far a coordinate has gone since the step began, by the mean of the rows at
//! both ends of each of its parts, `s ← s + ½·(G(q) + G(q ⊞ δ))·δ`: what sticks then stays but for the third order. A
//! servo is implicit in what it is behind: `s·(1 + h·gain) = h·(ḟ − gain·(φ₀ − f))`.
//!
//! Where time stands, or nothing but springs push, only stops take part, none of them soft.

use super::bounds::over::{Give, Over};
use super::flow::Asked;
use super::tolerances::{FLOW_ROUNDS, NEAR, SAME_PLACE};
use crate::equations::Equations;
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::{BoundedRow, Role, System};
use crate::world::Touching;

/// The buffers, over all bounded rows where nothing else is said.
#[derive(Debug, Default)]
pub(super) struct FlowBounds {
    over: Over,
    /// Whether something drives or rubs.
    rubs: bool,
    /// What rows push with, scaled.
    pushes: Vec<f64>,
    /// How far rows of rates went since the step began, now and before the part under way, meters.
    slips: Vec<f64>,
    start_slips: Vec<f64>,
    /// Where they are to be, and soft contacts where they push with nothing, meters.
    goals: Vec<f64>,
    /// How soft contacts give way.
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

    /// Makes room for the rows there are: those of contact come and go.
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

    /// How many rows took part in the last solve.
    pub(super) fn len(&self) -> usize {
        self.over.chosen.len()
    }

    /// A step of `h` seconds begins, from what rows pushed with last. The equations were filled there.
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

    /// Says where rows are to be when the step ends. The probe is where bodies begin, when it ends.
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

    /// What is left of a row, meters: where a stop is, and how far a rate is from where it is to be.
    fn left(&self, system: &System, at: usize) -> f64 {
        let row = &system.bounded[at];
        let left = match row.is_stop() {
            true => row.gap(system) - self.goals[at],
            false => self.slips[at] - self.goals[at],
        };
        // Round-off of places is no distance: shares of contacts that repeat each other would follow it.
        if self.rubs && left.abs() < SAME_PLACE {
            0.0
        } else {
            left
        }
    }

    /// Who takes part: stops that would be passed or, at first, that pushed; whatever was chosen before; what drives
    /// and what rubs. Whether that are more than before.
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

    /// The last solution, of a load, with what rows push with so that they are between their bounds.
    pub(super) fn keep(
        &mut self,
        frame: &mut Frame<'_, '_>,
        (h, asked): (f64, Asked<'_>),
        load: &mut [f64],
    ) {
        if self.pushes.is_empty() {
            return;
        }
        // With what rubs the law is one of rates and forces.
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
                // What the others did is no part of it.
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
            // The load is that without them again.
            let system = frame.equations.system();
            for (i, row) in self.over.iter(system) {
                row.push(system, -self.over.impulse[i], load);
            }
        }
        if self.over.chosen.is_empty() {
            self.pushes.fill(0.0);
        }
    }

    /// Stops that touch do not let anything pass; the last solution is that without them.
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

    /// How the chosen rows respond. Responses are solutions too: the one there is is kept.
    fn prepare(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let solution = frame.equations.solution();
        self.motion.copy_from_slice(&solution.motion);
        match self.rubs {
            true => self.over.prepare_giving(frame, h, &self.gives),
            false => self.over.prepare_without_friction(frame),
        }
    }

    /// Adds to a load what was found, and solves with it.
    fn push(&mut self, frame: &mut Frame<'_, '_>, asked: Asked<'_>, load: &mut [f64]) {
        self.pushes.fill(0.0);
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.pushes[at] = *r;
        }
        let system = frame.equations.system();
        self.over.push(system, &self.over.impulse, load);
        asked.solve(frame, load);
    }

    /// A part of the way begins.
    pub(super) fn begin_to_slip(&mut self) {
        self.start_slips.copy_from_slice(&self.slips);
    }

    /// Bodies went by `delta`, to where the probe is.
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

    /// They went back.
    pub(super) fn slip_back(&mut self) {
        self.slips.copy_from_slice(&self.start_slips);
    }

    /// What the forces of rows of rates do against what is left of them, J: `Σ |λ|·|s|`. With the forces that were
    /// found this falls by as much as they put into the rest.
    pub(super) fn rubbing(&self, system: &System, h: f64) -> f64 {
        let pushes = self.pushes.iter().enumerate();
        let of_rates = pushes.filter(|(at, _)| !system.bounded[*at].is_stop());
        let work: f64 = of_rates
            .map(|(at, push)| (push * (self.slips[at] - self.goals[at])).abs())
            .sum();
        work / h
    }

    /// How far stops that do not give way are passed, all of them, in their own units.
    pub(super) fn beyond(&self, system: &System) -> f64 {
        let stops = system.bounded.iter().zip(&self.gives);
        let hard = stops.filter(|(row, give)| row.is_stop() && give.compliance == 0.0);
        hard.map(|(row, _)| (-row.gap(system)).max(0.0) / row.scale(system))
            .sum()
    }

    /// What soft contacts store, J.
    pub(super) fn stored(&self, system: &System, h: f64) -> f64 {
        let soft = system.bounded.iter().enumerate();
        let soft = soft.filter(|(at, _)| self.gives[*at].compliance > 0.0);
        soft.map(|(at, row)| {
            let pressed = (row.gap(system) - self.goals[at]).min(0.0);
            0.5 * pressed * pressed / (h * self.gives[at].compliance)
        })
        .sum()
    }

    /// The largest impulse of a stop that does not give way, in its own unit.
    pub(super) fn largest_push(&self, system: &System) -> f64 {
        let stops = system.bounded.iter().enumerate();
        stops
            .filter(|(at, row)| row.is_stop() && self.gives[*at].compliance == 0.0)
            .map(|(at, row)| row.scale(system) * self.pushes[at])
            .fold(0.0, f64::max)
    }

    /// Writes what rows of constraints push with.
    pub(super) fn write_rows(&self, system: &System, out: &mut [f64]) {
        for (row, push) in system.bounded.iter().zip(&self.pushes) {
            if let Some(at) = row.row() {
                out[at] = row.scale(system) * push;
            }
        }
    }

    /// Writes what touches, and with which force, after a step of `h` seconds in which time passed.
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
