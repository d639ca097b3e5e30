//! The implicit step of worlds without momentum: where soft rows, stops and joints are at its end. Minima attract
//! (Witkin 1990, §5.3).
//!
//! ```text
//!     min E(q) − f·q + |q ⊖ q₀|²_D / 2h   such that c(q) = 0 and gap(q) ≥ 0
//!     D̃ = D + K(Λ)₊      D̃·δ = JᵀΛ + Gᵀr − D·d,   J·δ = −c,   gap + G·δ ≥ 0 ⊥ r ≥ 0      d = q ⊖ q*,  q* = q₀ ⊞ h·D⁻¹·f
//! ```
//!
//! E is what springs store and what objectives make small; K is the geometric stiffness of joint forces and, where a
//! minimum is sought, the curvature of rows (`docs/adr/0034-objectives.md`). There each step is tried and halved until
//!
//! ```text
//!     E − f·q + |q ⊖ q₀|²_D/2h + w·(Σ|c| + Σ(−gap)₊),    w = 2·max|λ|
//! ```
//!
//! is smaller.

use super::bounds::over::Over;
use super::implicit::Part;
use super::landing::Landing;
use super::tolerances::{FLOW_HALVINGS, FLOW_ROUND_OFF, FLOW_ROUNDS, IMPLICIT_REST, NEAR, TOUCHES};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::truncate_rotations;
use crate::system::{BoundedRow, Curvature, GeometricStiffness, MAX_ROWS, RowClass};
use crate::world::Dynamics;

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// `q*`, and `D⁻¹·f`.
    free_q: Vec<f64>,
    free_v: Vec<f64>,
    /// `d` and `δ`.
    d: Vec<f64>,
    delta: Vec<f64>,
    force: Vec<f64>,
    b: Vec<f64>,
    /// `c` of rows that are led, with their goals where the step ends and the bodies where it began.
    led_c: Vec<f64>,
    /// Where a step that is tried began, how far that was, and what rows pushed with there.
    start_q: Vec<f64>,
    start_d: Vec<f64>,
    start_impulse: Vec<f64>,
    stiffness: GeometricStiffness,
    curvature: Curvature,
    over: Over,
    /// What stops push with, scaled, over all bounded rows.
    pushes: Vec<f64>,
    /// Whether steps are tried.
    is_tried: bool,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// Over which bodies flow, s.
    pub(super) h: f64,
    /// How much time passes, s.
    pub(super) dt: f64,
    /// Whether forces push; else springs alone do.
    pub(super) with_forces: bool,
    /// At most so many iterations.
    pub(super) iterations: usize,
    /// How often it is tried, each time over a tenth, while it leads nowhere.
    pub(super) tries: usize,
}

/// What a step makes smaller, in parts.
#[derive(Clone, Copy, Debug)]
struct Merit {
    /// What is stored, and `|d|²/2h`.
    energy: f64,
    /// Gaps of joints and what is beyond stops.
    open: f64,
}

impl Merit {
    fn weighed(&self, w: f64) -> f64 {
        self.energy + w * self.open
    }
}

impl Flow {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let (n_q, system) = (frame.state.q.len(), frame.system());
        size(&mut self.free_q, n_q);
        size(&mut self.start_q, n_q);
        for buffer in [
            &mut self.free_v,
            &mut self.d,
            &mut self.start_d,
            &mut self.delta,
            &mut self.force,
        ] {
            size(buffer, system.n_v());
        }
        size(&mut self.b, system.n_rows());
        size(&mut self.led_c, system.n_rows());
        size(&mut self.start_impulse, system.n_rows());
        size(&mut self.pushes, system.bounded.len());
        self.stiffness.size(system);
        let layout = &frame.equations.layout;
        self.curvature.size(frame.world, layout, system);
        self.over.size(system);
        self.is_tried =
            layout.has_objectives || layout.has_colliders() || !system.bounded.is_empty();
    }

    /// Takes a step. False if it led nowhere: nothing was smaller.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        stride: Stride,
    ) -> bool {
        let mut stride = stride;
        let mut moved = self.go(frame, landing, stride);
        for _ in 1..stride.tries {
            if moved {
                break;
            }
            stride.h *= 0.1;
            moved = self.go(frame, landing, stride);
        }
        self.end(frame, landing, stride.h);
        moved
    }

    /// Brings the trial to where the step ends. False if it led nowhere.
    fn go(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, stride: Stride) -> bool {
        let h = stride.h;
        self.begin(frame, landing, stride);
        let mut part = Part::default();
        let mut merit = self.is_tried.then(|| self.measure(frame, landing, h));
        if merit.is_some_and(|merit| !merit.weighed(1.0).is_finite()) {
            // Nothing is smaller than what is no number: the step is refused.
            landing.impulse.fill(f64::NAN);
            return true;
        }
        let mut moved = !self.is_tried;
        for iteration in 0..stride.iterations {
            match merit {
                // It was measured at the trial.
                Some(_) => frame.equations.accept_probe(),
                None => {
                    let terms = frame.terms(Motion::Displacement, Soft::Rows);
                    frame.equations.fill((frame.world, &landing.trial), terms);
                }
            }
            if iteration > 0 && frame.out_of_budget() {
                break;
            }
            self.start_impulse.copy_from_slice(&landing.impulse);
            self.approach(frame, landing, h, iteration);
            match &mut merit {
                Some(merit) => {
                    if !self.is_smaller(frame, landing, h, merit) {
                        frame.log.refused += 1;
                        landing.impulse.copy_from_slice(&self.start_impulse);
                        break;
                    }
                    moved = true;
                }
                None => self.displace(frame, landing, part.of_step),
            }
            let step = self.delta.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if step <= IMPLICIT_REST * part.of_step * frame.system().bar_length() {
                break;
            }
            if merit.is_none() {
                part.learn(iteration, step);
            }
        }
        moved
    }

    /// Forces, where bodies would go by themselves, and where goals are.
    fn begin(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, stride: Stride) {
        let Stride { h, dt, .. } = stride;
        if frame.equations.layout.has_colliders() {
            frame.equations.find_contacts((frame.world, frame.state), h);
            self.over.size(frame.equations.system());
        }
        let motion = match frame.world.dynamics() {
            Dynamics::SecondOrder => Motion::Velocity,
            _ => Motion::Flow,
        };
        frame.fill(motion, Soft::Rows);
        let system = frame.equations.system();
        frame.springs.note(system);
        if stride.with_forces {
            self.free_v.copy_from_slice(&system.force);
        } else {
            self.free_v.fill(0.0);
        }
        self.pushes.resize(system.bounded.len(), 0.0);
        for (push, row) in self.pushes.iter_mut().zip(&system.bounded) {
            *push = h * row.force(system, &frame.state.lambda) / row.scale(system);
        }
        frame.equations.apply_inverse_mass(&mut self.free_v);
        for (d, v) in self.d.iter_mut().zip(&self.free_v) {
            *d = h * v;
        }
        for (impulse, lambda) in landing.impulse.iter_mut().zip(&frame.state.lambda) {
            *impulse = h * lambda;
        }
        truncate_rotations(frame.world, &mut self.d);
        landing.trial.begin_at(frame.state);
        landing.trial.t += dt;
        let layout = &frame.equations.layout;
        layout.follow(frame.world, &mut landing.trial, dt);
        if !frame.system().rows.led.is_empty() {
            let terms = frame.terms(Motion::Displacement, Soft::Rows);
            let probe = landing.fill_probe(frame, terms);
            self.led_c.copy_from_slice(&probe.c);
        }
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut landing.trial.q, &self.d);
        self.free_q.copy_from_slice(&landing.trial.q);
        if self.is_tried {
            // From where it is: forces may lead anywhere. There `d = q₀ ⊖ q*`.
            self.d.iter_mut().for_each(|d| *d = -*d);
            landing.trial.q.copy_from_slice(&frame.state.q);
            let layout = &frame.equations.layout;
            layout.follow(frame.world, &mut landing.trial, dt);
        } else {
            self.d.fill(0.0);
        }
    }

    /// Finds `δ` at the trial, where the equations were filled.
    fn approach(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        h: f64,
        iteration: usize,
    ) {
        if iteration > 0 || self.is_tried {
            let layout = &frame.equations.layout;
            layout.difference(frame.world, &landing.trial.q, &self.free_q, &mut self.d);
        }
        let system = frame.equations.modify();
        system.multiply_masses(&self.d, &mut self.force);
        self.force.iter_mut().for_each(|force| *force = -*force);
        self.stiffness.fill(system, &landing.impulse, 1.0);
        self.stiffness.stiffen(system, 1.0);
        if self.curvature.is_any() {
            let at = (frame.world, &landing.trial);
            let equations = &mut *frame.equations;
            equations.stiffen_rows(at, &landing.impulse, &mut self.curvature);
        }
        let system = frame.equations.modify();
        let springs = &frame.springs;
        springs.soften_displacements(system, h);
        springs.strain_rest(system, h, h, &mut self.force);
        system.right_hand_side(Motion::Displacement, &mut self.b);
        // Without momentum soft rows are h times as compliant.
        for row in springs.soft_rows() {
            system.compliance[row] *= h;
        }
        springs.soft_rest(system, h, &mut self.b);
        // Goals are followed when the step closes: until then what is led stays where it was.
        for &row in &system.rows.led {
            let row = row as usize;
            self.b[row] = self.led_c[row] - system.c[row];
        }
        frame.factor();
        if frame.method.is_iterative() && frame.meter.is_limited() {
            landing.begin_with_impulse();
        }
        self.solve(frame, landing);
        if !self.pushes.is_empty() {
            self.keep_stops(frame, landing);
        }
        let solution = frame.equations.solution();
        landing.impulse.copy_from_slice(&solution.lambda);
        self.delta.copy_from_slice(&solution.motion);
        truncate_rotations(frame.world, &mut self.delta);
        let system = frame.equations.system();
        for (row, push) in system.bounded.iter().zip(&self.pushes) {
            if let Some(at) = row.row() {
                landing.impulse[at] = row.scale(system) * push;
            }
        }
    }

    fn solve(&mut self, frame: &mut Frame<'_, '_>, landing: &Landing) {
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            start: landing.start(),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// The same with stops that push as much as keeps them closed: those that would be passed, and those that pushed.
    fn keep_stops(&mut self, frame: &mut Frame<'_, '_>, landing: &Landing) {
        self.over.chosen.clear();
        for round in 0..FLOW_ROUNDS {
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            let before = self.over.chosen.len();
            for (at, row) in system.bounded.iter().enumerate() {
                let gap = row.gap(system) + row.motion(system, &solution.motion);
                let takes_part = gap < 0.0 || (round == 0 && self.pushes[at] > 0.0);
                if row.is_stop() && takes_part && !self.over.chosen.contains(&at) {
                    self.over.chosen.push(at);
                }
            }
            if self.over.chosen.len() == before {
                break;
            }
            self.over.chosen.sort_unstable();
            if round > 0 {
                // What the others did is no part of it.
                self.solve(frame, landing);
            }
            // Responses are solutions too: this one is kept.
            self.delta
                .copy_from_slice(&frame.equations.solution().motion);
            self.over.prepare_without_friction(frame);
            let system = frame.equations.system();
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                let row = &system.bounded[at];
                self.over.rate[i] = row.gap(system) + row.motion(system, &self.delta);
                self.over.impulse[i] = self.pushes[at].max(0.0);
            }
            let left = self.over.solve(frame.meter);
            frame.log.law_error = frame.log.law_error.max(left);
            self.pushes.fill(0.0);
            let system = frame.equations.system();
            self.over.push(system, &self.over.impulse, &mut self.force);
            for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
                self.pushes[at] = *r;
            }
            self.solve(frame, landing);
            // The load is that without stops again.
            let system = frame.equations.system();
            for (i, row) in self.over.iter(system) {
                row.push(system, -self.over.impulse[i], &mut self.force);
            }
        }
        if self.over.chosen.is_empty() {
            self.pushes.fill(0.0);
        }
    }

    /// Goes a part of the way.
    fn displace(&mut self, frame: &Frame<'_, '_>, landing: &mut Landing, part: f64) {
        self.delta.iter_mut().for_each(|step| *step *= part);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut landing.trial.q, &self.delta);
        for (d, step) in self.d.iter_mut().zip(&self.delta) {
            *d += step;
        }
    }

    /// Goes the whole way, or the half of it, and so on, until the merit is smaller; else stays.
    fn is_smaller(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        h: f64,
        merit: &mut Merit,
    ) -> bool {
        let w = self.weight(frame, landing, h);
        let before = merit.weighed(w);
        self.start_q.copy_from_slice(&landing.trial.q);
        self.start_d.copy_from_slice(&self.d);
        let mut part = 1.0;
        for _ in 0..FLOW_HALVINGS {
            self.displace(frame, landing, part);
            let tried = self.measure(frame, landing, h);
            let round_off = FLOW_ROUND_OFF * (before.abs() + tried.energy.abs() + w * tried.open);
            // Stops are kept to what touches, no closer.
            let allowed = round_off + w * TOUCHES * self.over.chosen.len() as f64;
            // What is not finite is not smaller.
            if allowed.is_finite() && tried.weighed(w) <= before + allowed {
                *merit = tried;
                return true;
            }
            landing.trial.q.copy_from_slice(&self.start_q);
            self.d.copy_from_slice(&self.start_d);
            // Halves of what is left.
            part = 0.5;
        }
        false
    }

    /// `2·max|λ|` of what must hold.
    fn weight(&self, frame: &Frame<'_, '_>, landing: &Landing, h: f64) -> f64 {
        let system = frame.equations.system();
        let hard = system.rows.hard.iter().map(|own| own.0 as usize);
        let stops = system.bounded.iter().filter_map(BoundedRow::row);
        let largest = hard
            .chain(stops)
            .map(|row| landing.impulse[row].abs())
            .fold(0.0f64, f64::max);
        2.0 * largest / h
    }

    /// The merit of the trial. Fills the probe there.
    fn measure(&mut self, frame: &mut Frame<'_, '_>, landing: &Landing, h: f64) -> Merit {
        let terms = frame.terms(Motion::Displacement, Soft::Rows);
        landing.fill_probe(frame, terms);
        let probe = frame.equations.probe();
        let layout = &frame.equations.layout;
        layout.difference(frame.world, &landing.trial.q, &self.free_q, &mut self.d);
        probe.multiply_masses(&self.d, &mut self.force);
        let way: f64 = self.d.iter().zip(&self.force).map(|(d, f)| d * f).sum();
        let led = &probe.rows.led;
        let mut open = 0.0;
        for &(row, _) in &probe.rows.hard {
            let c = match led.contains(&row) {
                true => probe.c[row as usize] - self.led_c[row as usize],
                false => probe.c[row as usize],
            };
            open += c.abs();
        }
        let stops = probe.bounded.iter().filter(|row| row.is_stop());
        open += stops
            .map(|row| (-row.gap(probe)).max(0.0) / row.scale(probe))
            .sum::<f64>();
        Merit {
            energy: frame.springs.stored_energy(probe) + 0.5 * way / h,
            open,
        }
    }

    /// Velocities and forces of the step; the trial becomes the state.
    fn end(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, h: f64) {
        let layout = &frame.equations.layout;
        layout.difference(frame.world, &landing.trial.q, &self.free_q, &mut self.d);
        for (k, v) in landing.trial.v.iter_mut().enumerate() {
            *v = self.free_v[k] + self.d[k] / h;
        }
        for (lambda, impulse) in landing.trial.lambda.iter_mut().zip(&landing.impulse) {
            *lambda = impulse / h;
        }
        frame.state.swap_motion(&mut landing.trial);
        frame.note_strains();
        frame.log.substeps += 1;
    }

    /// How steeply everything still goes down at the state, joints and stops being held: the largest of
    /// `|f − ∇E + Jᵀλ + Gᵀr|`, and the largest of `|f − ∇E|`, over velocities. Writes the forces of rows to the state.
    pub(super) fn slope(&mut self, frame: &mut Frame<'_, '_>) -> (f64, f64) {
        frame.prepare(Motion::Flow, Soft::Explicit);
        let system = frame.equations.system();
        self.force.copy_from_slice(&system.force);
        let steep = largest(&self.force);
        // Springs push with what they are stretched by; nothing else moves.
        system.right_hand_side(Motion::Flow, &mut self.b);
        for (row, b) in self.b.iter_mut().enumerate() {
            if system.rows.class(row) != RowClass::Soft {
                *b = 0.0;
            }
        }
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
        self.pushes.fill(0.0);
        if !self.pushes.is_empty() {
            self.hold_stops(frame);
        }
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.delta.copy_from_slice(&solution.motion);
        system.multiply_masses(&self.delta, &mut self.d);
        frame.state.lambda.copy_from_slice(&solution.lambda);
        for (row, push) in system.bounded.iter().zip(&self.pushes) {
            if let Some(at) = row.row() {
                frame.state.lambda[at] = row.scale(system) * push;
            }
        }
        (largest(&self.d), steep)
    }

    /// How far the slope that was found last would move any coordinate alone, by Newton's method: the largest of
    /// `|dₖ|/(Hₖₖ·uₖ)` with `H = Jᵀ·C⁻¹·J + Sᵀ·k·S`, and u one, or a bar where a body moves as a whole. It does not
    /// depend on units.
    pub(super) fn left_to_go(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        let length = frame.system().bar_length();
        let unit = &mut self.force;
        unit.fill(0.0);
        for record in frame.world.bodies().iter().filter(|own| own.enabled) {
            let q = &frame.state.q[record.q_range()];
            let own = &mut unit[record.v_range()];
            record.body.uniform_field(q, [1.0; 3], own);
        }
        frame.equations.apply_inverse_mass(unit);
        self.delta.copy_from_slice(unit);
        frame.fill_probe(Motion::Displacement, Soft::Rows);
        let system = frame.equations.probe();
        let mut curvature = vec![0.0; self.d.len()];
        let mut add = |weight: f64, push: &mut [f64]| {
            for (sum, push) in curvature.iter_mut().zip(push.iter()) {
                *sum += weight * push * push;
            }
            push.fill(0.0);
        };
        unit.fill(0.0);
        for c in 0..system.constraints.len() as u32 {
            let rows = system.row_range(c);
            for (at, row) in rows.clone().enumerate() {
                if system.rows.class(row) == RowClass::Soft && system.compliance[row] > 0.0 {
                    let mut one = [0.0; MAX_ROWS];
                    one[at] = 1.0;
                    system.add_constraint_force(c, &one[..rows.len()], unit);
                    add(1.0 / system.compliance[row], unit);
                }
            }
        }
        for (at, strain) in system.strains.iter().enumerate() {
            system.add_strain_force(at, 1.0, unit);
            add(strain.now.stiffness, unit);
        }
        let mut most = 0.0f64;
        for (k, &left) in self.d.iter().enumerate() {
            let reach = if self.delta[k] > 0.5 { length } else { 1.0 };
            let part = left.abs() / (curvature[k] * reach);
            // Where nothing is left 0/0 is nothing.
            most = most.max(if left == 0.0 { 0.0 } else { part });
        }
        most
    }

    /// Stops that touch do not let anything pass.
    fn hold_stops(&mut self, frame: &mut Frame<'_, '_>) {
        self.over.chosen.clear();
        let system = frame.equations.system();
        for (at, row) in system.bounded.iter().enumerate() {
            if row.is_stop() && row.gap(system) <= NEAR {
                self.over.chosen.push(at);
            }
        }
        if self.over.chosen.is_empty() {
            return;
        }
        self.delta
            .copy_from_slice(&frame.equations.solution().motion);
        self.over.prepare_without_friction(frame);
        let system = frame.equations.system();
        for i in 0..self.over.chosen.len() {
            let row = &system.bounded[self.over.chosen[i]];
            self.over.rate[i] = row.motion(system, &self.delta);
            self.over.impulse[i] = 0.0;
        }
        self.over.solve(frame.meter);
        let system = frame.equations.system();
        self.over.push(system, &self.over.impulse, &mut self.force);
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.pushes[at] = *r;
        }
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }
}

/// The largest of some numbers; infinite if one is none.
fn largest(numbers: &[f64]) -> f64 {
    let most = numbers.iter().fold(0.0f64, |most, own| most.max(own.abs()));
    match numbers.iter().all(|own| own.is_finite()) {
        true => most,
        false => f64::INFINITY,
    }
}
