//! A step whose joints and springs push along the middle of the step.
//!
//! ```text
//!     v½ = v + M(q)⁻¹·(h/2·f(q) + J(q_m)ᵀ·μ)          μ such that c(q′) = 0
//!     (q_m, ·), (q′, v½′) = free flight of (q, v½) for h/2 and h
//!     v′ = v½′ + M(q′)⁻¹·(h/2·f(q′) + J(q_m)ᵀ·μ + J(q′)ᵀ·ν)      ν such that ċ(q′, v′) = 0
//! ```
//!
//! RATTLE pushes along J of the start and J of the end, so the stiffness that tension gives to turning
//! (`GeometricStiffness`) is explicit: light links between heavy bodies, and taut strings, need h·ω < 2.
//! Along the middle that stiffness is implicit, by the midpoint rule: stable at any h·ω, and no energy is
//! lost. Both halves push alike, so the step is reversible. Newton's method, with the part K₊ of the
//! stiffness that tension adds:
//!
//! ```text
//!     (M + h²/4·K₊)·δ = −M·r + J_mᵀ·δμ,   J_m·δ = −c(q′)/h         v½ ← v½ + δ,  μ ← μ + δμ
//!     r = v½ − v − M(q)⁻¹·(h/2·f(q) + J_mᵀ·μ)
//! ```
//!
//! Springs follow their own rule (`springs`), with equal halves; what of it is backward Euler acts along
//! the end.

use super::implicit::is_driven;
use super::landing::{Landing, at_rest};
use super::rattle::{Guard, Tried};
use super::tolerances::{
    HOPELESS, MIDDLE_FILTER, MIDDLE_ITERATIONS, MIDDLE_LOSS, MIDDLE_REST, MIDDLE_STALL,
};
use crate::equations::{Load, MassInverse, Motion, Request, Soft};
use crate::frame::{Cause, Frame};
use crate::linalg::size;
use crate::springs::Across;
use crate::system::{GeometricStiffness, MAX_ROWS, System};
use crate::world::State;

/// How fast tension turns bodies or springs, compared with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tension {
    /// h·ω < 1: RATTLE follows.
    Slow,
    /// h·ω < 2: halving does.
    Fast,
    /// Faster: halving would not do, a step along the middle does.
    Taut,
    /// it cannot be taken along the middle, which needs exact solves and no goals.
    TooFast,
}

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Middle {
    /// Where the step is half way.
    middle: State,
    v_half: Vec<f64>,
    /// `M⁻¹` and `h/2·f` of the start.
    inverse: MassInverse,
    force_start: Vec<f64>,
    /// Kinetic energy there, and the work of the forces over the step.
    kinetic: f64,
    work: f64,
    /// `μ`, and `J_mᵀ·μ`.
    impulse: Vec<f64>,
    push: Vec<f64>,
    /// `r`.
    left: Vec<f64>,
    force: Vec<f64>,
    b: Vec<f64>,
    dq: Vec<f64>,
    stiffness: GeometricStiffness,
    /// Where there are springs between bodies.
    across: Option<Across>,
}

impl Middle {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let (state, system) = (&*frame.state, frame.system());
        self.middle.copy_motion(state);
        self.inverse.size(system);
        for buffer in [
            &mut self.v_half,
            &mut self.force_start,
            &mut self.push,
            &mut self.left,
            &mut self.force,
            &mut self.dq,
        ] {
            size(buffer, system.n_v());
        }
        self.stiffness.size(system);
        let has_strains = frame.springs.has_strains();
        let layout = &frame.equations.layout;
        self.across = Across::of(frame.world, frame.state, layout, has_strains);
        let across = self.across.as_ref();
        let n_rows = across.map_or(system, |own| own.equations.system()).n_rows();
        size(&mut self.b, n_rows);
        size(&mut self.impulse, n_rows);
    }

    /// How fast tension is, after a prediction, compared with h·ω of this limit. The landing holds its impulses.
    pub(super) fn judge(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &Landing,
        h: f64,
        limit: f64,
    ) -> Tension {
        let square = h * h / (limit * limit);
        let system = frame.equations.system();
        let impulse = &landing.impulse;
        let can_be_taken =
            !frame.method.is_iterative() && !system.rows.has_lower() && frame.contradiction == 0.0;
        self.stiffness.fill(system, impulse, 2.0 / h);
        self.stiffness.relieve_by_rotors(system, h * h);
        let mut is_fast = self.stiffness.exceeds_inertia(system, square);
        let mut is_taut = is_fast && self.stiffness.exceeds_inertia(system, 0.25 * square);
        if is_taut
            && !system.frames.is_empty()
            && self.stiffness.exceeds_inertia(system, HOPELESS * square)
        {
            // No sub-step would be short enough. On a ball a body so light turns by itself, and the step along
            // its middle is for that; on a hinge or slider it turns with those it is joined to.
            self.stiffness.fill(system, impulse, 2.0 / h);
            let stiffness = &self.stiffness;
            is_fast = frame.equations.exceeds_inertia(stiffness, square);
            is_taut = is_fast && frame.equations.exceeds_inertia(stiffness, 0.25 * square);
        }
        let system = frame.equations.system();
        if can_be_taken && !is_taut && !frame.springs.is_empty() {
            let at = (frame.world, &*frame.state);
            is_taut = frame.springs.strains_are_taut(at, system, h);
            if let Some(across) = &mut self.across {
                let may_be = across.may_be_taut(system, impulse, h);
                is_taut |= may_be && {
                    let terms = frame.terms(Motion::Velocity, Soft::Rows);
                    let (pull, own) = across.at_start(frame.state, terms, impulse);
                    self.stiffness.fill(own, pull, 2.0 / h);
                    self.stiffness.exceeds_inertia(own, h * h) || across.is_taut(impulse, h)
                };
            }
            is_fast |= is_taut;
        }
        match is_fast {
            false => Tension::Slow,
            true if !can_be_taken => Tension::TooFast,
            true if is_taut => Tension::Taut,
            true => Tension::Fast,
        }
    }

    /// Whether what was judged slow is not far from fast: h·ω > 1/2.
    pub(super) fn is_nearly_fast(&self, frame: &Frame<'_, '_>, h: f64) -> bool {
        self.stiffness
            .exceeds_inertia(frame.equations.system(), 4.0 * h * h)
    }

    /// Advances the state by `h`, or refuses and leaves it. The landing holds the impulses of a
    /// prediction, and the springs where the step begins.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        h: f64,
        guard: Guard,
    ) -> Tried {
        let Some(mut across) = self.across.take() else {
            return self.advance(frame, landing, None, h, guard);
        };
        // With the equations that have rows across springs.
        across.equations.begin();
        std::mem::swap(frame.equations, &mut across.equations);
        let tried = self.advance(frame, landing, Some(&mut across), h, guard);
        std::mem::swap(frame.equations, &mut across.equations);
        frame.equations.effort += across.equations.effort;
        frame.rates_hold = false;
        self.across = Some(across);
        tried
    }

    fn advance(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        mut across: Option<&mut Across>,
        h: f64,
        guard: Guard,
    ) -> Tried {
        self.begin(frame, landing, across.as_deref(), h);
        let mut predicted = 0.0;
        let mut last = f64::INFINITY;
        let length = frame.system().bar_length();
        for iteration in 0..=MIDDLE_ITERATIONS {
            self.fly(frame, landing, across.as_deref(), h);
            let probe = frame.equations.probe();
            let gap = probe.gap().max(frame.springs.gap(probe, h, &self.impulse));
            if iteration == 1 {
                let surprise = frame.springs.surprise(probe, h, &self.impulse);
                predicted = probe.gap().max(surprise);
                if predicted > guard.prediction {
                    return Tried::Refused(Cause::Prediction);
                }
            }
            let moved = self.correct(frame, across.as_deref_mut(), h);
            // Between masses that differ by many powers of ten, what is left is round-off.
            let rests = moved > 0.5 * last && moved <= MIDDLE_STALL * length;
            if gap <= frame.tolerance && (rests || moved <= MIDDLE_REST * length) {
                break;
            }
            let hopeless = iteration > 3 && moved > 0.7 * last;
            if hopeless || iteration == MIDDLE_ITERATIONS || frame.out_of_budget() {
                return Tried::Refused(Cause::Stiffness);
            }
            last = moved;
        }
        self.arrive(frame, landing, across.as_deref(), h);
        if !guard.is_last && frame.springs.is_empty() && self.loses(frame) {
            landing.take_back(frame);
            return Tried::Refused(Cause::Stiffness);
        }
        Tried::Done(predicted)
    }

    /// Whether the step lost energy that nobody took. Forces that soar while mechanisms turn around at the
    /// ends of their ways look like tension; such a step is taken in parts.
    fn loses(&mut self, frame: &mut Frame<'_, '_>) -> bool {
        frame.fill(Motion::Velocity, Soft::Rows);
        let now = frame.kinetic_energy(&frame.state.v, &mut self.force);
        let lost = self.kinetic + self.work - now;
        lost > MIDDLE_LOSS * self.kinetic.max(now) && !is_driven(frame.system(), &frame.state.v)
    }

    /// What holds at the start.
    fn begin(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &Landing,
        across: Option<&Across>,
        h: f64,
    ) {
        let world = across.map_or(frame.world, |own| &own.world);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        frame.equations.fill((world, frame.state), terms);
        let system = frame.equations.system();
        self.inverse.factor(system);
        for (start, f) in self.force_start.iter_mut().zip(&system.force) {
            *start = 0.5 * h * f;
        }
        self.kinetic = frame.kinetic_energy(&frame.state.v, &mut self.force);
        self.v_half.copy_from_slice(&frame.state.v);
        let (own, across) = self.impulse.split_at_mut(landing.impulse.len());
        own.copy_from_slice(&landing.impulse);
        across.fill(0.0);
        self.b.fill(0.0);
    }

    /// Free flight with `v½`: the system is filled half way, the probe at the end.
    fn fly(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        across: Option<&Across>,
        h: f64,
    ) {
        let world = across.map_or(frame.world, |own| &own.world);
        for (trial, time) in [(&mut self.middle, 0.5 * h), (&mut landing.trial, h)] {
            trial.begin_at(frame.state);
            trial.v.copy_from_slice(&self.v_half);
            let layout = &frame.equations.layout;
            layout.free_flight(world, trial, time, &mut self.dq);
        }
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        frame.equations.fill((world, &self.middle), terms);
        frame.equations.fill_probe((world, &landing.trial), terms);
    }

    /// One step of Newton's method. Returns how far it moved anything, in meters.
    fn correct(&mut self, frame: &mut Frame<'_, '_>, across: Option<&mut Across>, h: f64) -> f64 {
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        let n_rows = frame.state.lambda.len();
        self.push.fill(0.0);
        add_push(system, &self.impulse, 1.0, &mut self.push);
        frame.springs.push_along((system, probe), h, &mut self.push);
        for k in 0..self.left.len() {
            self.left[k] = self.push[k] + self.force_start[k];
        }
        self.inverse.apply_all(system, &mut self.left);
        for k in 0..self.left.len() {
            self.left[k] += frame.state.v[k] - self.v_half[k];
        }
        system.multiply_masses(&self.left, &mut self.force);
        for row in 0..n_rows {
            self.b[row] = if probe.velocity_level[row] {
                -system.c_dot[row]
            } else {
                -probe.c[row] / h
            };
        }
        let (springs, impulse) = (&mut *frame.springs, &mut self.impulse);
        springs.ask_middle((system, probe), h, impulse, &mut self.b);
        let system = frame.equations.modify();
        springs.begin_middle((frame.world, &self.middle), system, h);
        let mut pull = &impulse[..];
        if let Some(across) = across {
            across.soften(system, h, impulse, 1.0);
            pull = across.pull(system, impulse);
        }
        self.stiffness.fill(system, pull, 2.0 / h);
        self.stiffness.stiffen(system, 0.25 * h * h);
        frame.factor();
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, &mut frame.meter);
        let mut moved = 0.0f64;
        for (v, y) in self.v_half.iter_mut().zip(&solution.motion) {
            *v += y;
            moved = moved.max(y.abs());
        }
        for row in 0..n_rows {
            impulse[row] += solution.lambda[row];
        }
        h * moved
    }

    /// The second half: the same push again, what springs lose, and rates that fit. Of the push, `J(q′)ᵀ·μ`
    /// is left to the solve, so that the load is small: on light bodies it all but cancels.
    fn arrive(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        across: Option<&Across>,
        h: f64,
    ) {
        frame.equations.accept_probe();
        let system = frame.equations.modify();
        let at = (frame.world, &landing.trial);
        let springs = &frame.springs;
        springs.end_middle(at, system, h, MIDDLE_FILTER, &mut self.push);
        self.stiffness.stiffen(system, 0.25 * h * h * MIDDLE_FILTER);
        if let Some(across) = across {
            across.soften(system, h, &self.impulse, MIDDLE_FILTER);
        }
        let trial = &mut landing.trial;
        for row in 0..trial.lambda.len() {
            self.b[row] = system.compliance[row] * self.impulse[row] - system.c_dot[row];
        }
        add_push(system, &self.impulse, -1.0, &mut self.push);
        self.work = 0.0;
        for (k, f) in system.force.iter().enumerate() {
            let kick = 0.5 * h * f;
            self.push[k] += kick;
            self.work += self.force_start[k] * self.v_half[k] + kick * trial.v[k];
        }
        frame.factor();
        let request = Request {
            load: Load::Given(&self.push),
            rows: Some(&self.b),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, &mut frame.meter);
        for (v, y) in trial.v.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        for row in 0..trial.lambda.len() {
            trial.lambda[row] = (self.impulse[row] + solution.lambda[row]) / h;
        }
        frame.state.swap_motion(trial);
        frame.note_rates();
        frame.log.substeps += 1;
    }
}

/// `push ← push + factor·Jᵀ·μ`.
fn add_push(system: &System, impulse: &[f64], factor: f64, push: &mut [f64]) {
    for c in 0..system.constraints.len() as u32 {
        let rows = system.row_range(c);
        let mut own = [0.0; MAX_ROWS];
        for (own, impulse) in own.iter_mut().zip(&impulse[rows.clone()]) {
            *own = factor * impulse;
        }
        system.add_constraint_force(c, &own[..rows.len()], push);
    }
}
