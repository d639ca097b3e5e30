//! The implicit step of worlds without momentum: soft rows, stops and joints act at its end. It moves toward minima
//! (Witkin 1990, §5.3).
//!
//! ```text
//!     min E(q) − f·q + |q ⊖ q₀|²_D / 2h   such that c(q) = 0 and gap(q) ≥ 0
//!     D̃ = D + K(Λ)₊      D̃·δ = JᵀΛ + Gᵀr − D·d,   J·δ = −c,   gap + G·δ ≥ 0 ⊥ r ≥ 0
//!     d = q ⊖ q*,  q* = q₀ ⊞ h·D⁻¹·f
//! ```
//!
//! E is the energy of springs and the value of objectives. K is the geometric stiffness of joint forces and, where a
//! minimum is sought, the curvature of rows (`docs/adr/0034-objectives.md`). There each step is halved until the merit
//!
//! ```text
//!     E − f·q + |q ⊖ q₀|²_D/2h + w·(Σ|c| + Σ(−gap)₊),    w = 2·max|λ|
//! ```
//!
//! decreases. Motors, friction and soft contacts are in `flow_bounds`.

use super::flow_bounds::FlowBounds;
use super::implicit::Part;
use super::landing::Landing;
use super::tolerances::{FLOW_HALVINGS, FLOW_ROUND_OFF, IMPLICIT_REST, TOUCHES};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::truncate_rotations;
use crate::system::{Curvature, GeometricStiffness, MAX_ROWS, RowClass};
use crate::world::Dynamics;

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// `q*`, and `D⁻¹·f`.
    free_q: Vec<f64>,
    free_v: Vec<f64>,
    /// The part of it that `q*` lacks because a body would rotate too far, and whether there is one; it becomes
    /// part of the load.
    cut: Vec<f64>,
    is_cut: bool,
    /// `d` and `δ`.
    d: Vec<f64>,
    delta: Vec<f64>,
    force: Vec<f64>,
    b: Vec<f64>,
    /// `c` of rows that follow goals, with goals at the end of the step and bodies at its start.
    led_c: Vec<f64>,
    /// The start of a tried step, its `d`, and the forces of rows there.
    start_q: Vec<f64>,
    start_d: Vec<f64>,
    start_impulse: Vec<f64>,
    stiffness: GeometricStiffness,
    curvature: Curvature,
    bounds: FlowBounds,
    /// Whether steps are halved until the merit decreases.
    is_tried: bool,
}

/// The length of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// Time over which forces act, s.
    pub(super) h: f64,
    /// Time by which the clock advances, s.
    pub(super) dt: f64,
    /// Whether forces act; otherwise only springs do.
    pub(super) with_forces: bool,
    /// Largest number of iterations.
    pub(super) iterations: usize,
    /// Largest number of tries, each over a tenth of the last, while nothing is gained.
    pub(super) tries: usize,
}

impl Stride {
    /// Whether motors and friction act: not at fixed time.
    fn rubs(self) -> bool {
        self.with_forces && self.dt > 0.0
    }
}

/// The right-hand side of rows, and the start of iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) rows: &'a [f64],
    pub(super) start: Option<&'a [f64]>,
}

impl Asked<'_> {
    /// Solves for a load with the factor.
    pub(super) fn solve(self, frame: &mut Frame<'_, '_>, load: &[f64]) {
        let request = Request {
            load: Load::Given(load),
            rows: Some(self.rows),
            start: self.start,
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }
}

/// The merit of a step, in parts.
#[derive(Clone, Copy, Debug)]
struct Merit {
    /// Stored energy, and `|d|²/2h`.
    energy: f64,
    /// Gaps of joints and violations of stops.
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
            &mut self.cut,
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
        self.stiffness.size(system);
        let layout = &frame.equations.layout;
        self.curvature.size(frame.world, layout, system);
        self.bounds.size(system);
        self.is_tried =
            layout.has_objectives || layout.has_colliders() || !system.bounded.is_empty();
    }

    /// Takes a step. Returns false if the merit did not decrease.
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

    /// Moves the trial to the end of the step. Returns false if the merit did not decrease.
    fn go(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, stride: Stride) -> bool {
        let h = stride.h;
        self.begin(frame, landing, stride);
        let mut part = Part::default();
        if self.is_tried {
            let terms = frame.terms(Motion::Displacement, Soft::Rows);
            landing.fill_probe(frame, terms);
            self.bounds.aim(frame, h);
        }
        let mut merit = self.is_tried.then(|| self.measure(frame, landing, h));
        if merit.is_some_and(|merit| !merit.weighed(1.0).is_finite()) {
            // The merit is not finite: the step is refused.
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
                    if !self.go_down(frame, landing, h, merit) {
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

    /// Computes forces, free motion, and goals.
    fn begin(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, stride: Stride) {
        let Stride { h, dt, .. } = stride;
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
        frame.equations.apply_inverse_mass(&mut self.free_v);
        landing.trial.begin_at(frame.state);
        if frame.equations.layout.has_colliders() {
            // Contacts of the free motion.
            landing.trial.touching.clone_from(&frame.state.touching);
            landing.trial.v.copy_from_slice(&self.free_v);
            frame
                .equations
                .find_contacts((frame.world, &landing.trial), h);
        }
        landing.trial.v.copy_from_slice(&frame.state.v);
        self.bounds.begin(frame, h, stride.rubs());
        for (d, v) in self.d.iter_mut().zip(&self.free_v) {
            *d = h * v;
        }
        for (impulse, lambda) in landing.impulse.iter_mut().zip(&frame.state.lambda) {
            *impulse = h * lambda;
        }
        self.cut.copy_from_slice(&self.d);
        truncate_rotations(frame.world, &mut self.d);
        self.is_cut = self.cut != self.d;
        for (cut, d) in self.cut.iter_mut().zip(&self.d) {
            *cut -= d;
        }
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
            // Starts at the present state, because forces may lead anywhere. There `d = q₀ ⊖ q*`.
            self.d.iter_mut().for_each(|d| *d = -*d);
            landing.trial.q.copy_from_slice(&frame.state.q);
            let layout = &frame.equations.layout;
            layout.follow(frame.world, &mut landing.trial, dt);
        } else {
            for (d, cut) in self.d.iter_mut().zip(&self.cut) {
                *d = if self.is_cut { -cut } else { 0.0 };
            }
        }
    }

    /// `d = q ⊖ q*` of the trial.
    fn find_way(&mut self, frame: &Frame<'_, '_>, landing: &Landing) {
        let layout = &frame.equations.layout;
        layout.difference(frame.world, &landing.trial.q, &self.free_q, &mut self.d);
        if self.is_cut {
            self.d
                .iter_mut()
                .zip(&self.cut)
                .for_each(|(d, cut)| *d -= cut);
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
            self.find_way(frame, landing);
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
        // Goals are followed when the step closes; until then what follows them rests.
        for &row in &system.rows.led {
            let row = row as usize;
            self.b[row] = self.led_c[row] - system.c[row];
        }
        frame.factor();
        if frame.method.is_iterative() && frame.meter.is_limited() {
            landing.begin_with_impulse();
        }
        let asked = Asked {
            rows: &self.b,
            start: landing.start(),
        };
        asked.solve(frame, &self.force);
        self.bounds.keep(frame, (h, asked), &mut self.force);
        let solution = frame.equations.solution();
        landing.impulse.copy_from_slice(&solution.lambda);
        self.delta.copy_from_slice(&solution.motion);
        truncate_rotations(frame.world, &mut self.delta);
        let system = frame.equations.system();
        self.bounds.write_rows(system, &mut landing.impulse);
    }

    /// Displaces the trial by a part of `δ`.
    fn displace(&mut self, frame: &Frame<'_, '_>, landing: &mut Landing, part: f64) {
        self.delta.iter_mut().for_each(|step| *step *= part);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut landing.trial.q, &self.delta);
        for (d, step) in self.d.iter_mut().zip(&self.delta) {
            *d += step;
        }
    }

    /// Displaces the trial by `δ`, or by half of it, and so on, until the merit decreases; else not at all.
    fn go_down(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        h: f64,
        merit: &mut Merit,
    ) -> bool {
        let w = self.weight(frame, landing, h);
        let before = merit.weighed(w) + self.bounds.rubbing(frame.equations.system(), h);
        self.bounds.begin_to_slip();
        self.start_q.copy_from_slice(&landing.trial.q);
        self.start_d.copy_from_slice(&self.d);
        let mut part = 1.0;
        for _ in 0..FLOW_HALVINGS {
            self.displace(frame, landing, part);
            let tried = self.measure(frame, landing, h);
            self.bounds.slip(frame.equations, &self.delta);
            let rubbing = self.bounds.rubbing(frame.equations.system(), h);
            let round_off = FLOW_ROUND_OFF * (before.abs() + tried.energy.abs() + w * tried.open);
            // Stops are met only to the distance that counts as contact.
            let allowed = round_off + w * TOUCHES * self.bounds.len() as f64;
            // A merit that is not finite does not count as smaller.
            if allowed.is_finite() && tried.weighed(w) + rubbing <= before + allowed {
                *merit = tried;
                return true;
            }
            landing.trial.q.copy_from_slice(&self.start_q);
            self.d.copy_from_slice(&self.start_d);
            // Half of the rest.
            part = 0.5;
        }
        self.bounds.slip_back();
        false
    }

    /// `2·max|λ|` of hard rows.
    fn weight(&self, frame: &Frame<'_, '_>, landing: &Landing, h: f64) -> f64 {
        let system = frame.equations.system();
        let hard = system.rows.hard.iter();
        let hard = hard.map(|own| landing.impulse[own.0 as usize].abs());
        let largest = hard.fold(self.bounds.largest_push(system), f64::max);
        2.0 * largest / h
    }

    /// The merit of the trial. Fills the probe there.
    fn measure(&mut self, frame: &mut Frame<'_, '_>, landing: &Landing, h: f64) -> Merit {
        let terms = frame.terms(Motion::Displacement, Soft::Rows);
        landing.fill_probe(frame, terms);
        self.find_way(frame, landing);
        let probe = frame.equations.probe();
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
        open += self.bounds.beyond(probe);
        Merit {
            energy: frame.springs.stored_energy(probe)
                + self.bounds.stored(probe, h)
                + 0.5 * way / h,
            open,
        }
    }

    /// Velocities and forces of the step; the trial becomes the state.
    fn end(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, h: f64) {
        self.find_way(frame, landing);
        for (k, v) in landing.trial.v.iter_mut().enumerate() {
            *v = self.free_v[k] + self.d[k] / h;
        }
        for (lambda, impulse) in landing.trial.lambda.iter_mut().zip(&landing.impulse) {
            *lambda = impulse / h;
        }
        self.bounds
            .write_touching(frame, h, &mut landing.trial.touching);
        frame.state.swap_motion(&mut landing.trial);
        frame.note_strains();
        frame.log.substeps += 1;
    }

    /// The slope at the state with joints and stops held, the largest entry of `|f − ∇E + Jᵀλ + Gᵀr|`, and
    /// without, that of `|f − ∇E|`. Writes the forces of rows to the state.
    pub(super) fn slope(&mut self, frame: &mut Frame<'_, '_>) -> (f64, f64) {
        frame.prepare(Motion::Flow, Soft::Explicit);
        let system = frame.equations.system();
        self.force.copy_from_slice(&system.force);
        let steep = largest(&self.force);
        // Springs act with their present extension; nothing else moves.
        system.right_hand_side(Motion::Flow, &mut self.b);
        for (row, b) in self.b.iter_mut().enumerate() {
            if system.rows.class(row) != RowClass::Soft {
                *b = 0.0;
            }
        }
        let asked = Asked {
            rows: &self.b,
            start: None,
        };
        asked.solve(frame, &self.force);
        self.bounds.hold(frame, asked, &mut self.force);
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.delta.copy_from_slice(&solution.motion);
        system.multiply_masses(&self.delta, &mut self.d);
        frame.state.lambda.copy_from_slice(&solution.lambda);
        self.bounds.write_rows(system, &mut frame.state.lambda);
        (largest(&self.d), steep)
    }

    /// The largest Newton step of a single coordinate for the last slope: the largest `|dₖ|/(Hₖₖ·uₖ)` with `H =
    /// Jᵀ·C⁻¹·J + Sᵀ·k·S` and u one, or a bar length for positions of bodies. It does not depend on units.
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
            // 0/0 counts as zero.
            most = most.max(if left == 0.0 { 0.0 } else { part });
        }
        most
    }
}

/// The largest of several numbers; infinite if one is NaN.
fn largest(numbers: &[f64]) -> f64 {
    let most = numbers.iter().fold(0.0f64, |most, own| most.max(own.abs()));
    match numbers.iter().all(|own| own.is_finite()) {
        true => most,
        false => f64::INFINITY,
    }
}
