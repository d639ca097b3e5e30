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
//! stiffness that tension adds, for the turn h/2·δ of the middle:
//!
//! ```text
//!     (M_m + h²/4·K₊)·δ = −M(q)·r + J_mᵀ·δμ,   J_m·δ = −c(q′)/h     v½ ← v½ + A⁻¹·δ,  μ ← μ + δμ
//!     r = v½ − v − M(q)⁻¹·(h/2·f(q) + J_mᵀ·μ)
//! ```
//!
//! A says how a change of v½ turns the middle. It is not 1: the body turns on the way, so that its inertia there is
//! another. With `A = 1`, and `M_m·r` for the change of momentum, errors about an axis that tension does not hold (that
//! of a link on balls) grow by about `φ²·h²/4·K/I_axis` in each iteration, where φ is the turn in half a step. A⁻¹ is
//! known well enough in closed form (`Layout::kick_turns`).
//!
//! Springs follow their own rule (`springs`), with equal halves; what of it is backward Euler acts along
//! the end.
//!
//! Of soft bodies a factor costs more than all else of an iteration. There it is kept as long as
//! iterations shrink by `MIDDLE_KEEPS` or more each (simplified Newton): r and c are those of the present place, so
//! what it converges to is the same. Forces are then those of the middle too, in both halves: what presses on taut
//! skins changes with them, and would put in energy along the ends.

mod judge;

use super::bounds::Taut;
use super::implicit::is_driven;
use super::landing::{Landing, at_rest};
use super::mixing::Mixing;
use super::rattle::{Guard, Tried};
use super::tolerances::{
    MIDDLE_FILTER, MIDDLE_ITERATIONS, MIDDLE_KEEPS, MIDDLE_KEPT_ITERATIONS, MIDDLE_LOSS,
    MIDDLE_REST, MIDDLE_STALL,
};
use crate::equations::{Equations, Load, MassInverse, Motion, Request, Soft};
use crate::frame::{Cause, Frame};
use crate::linalg::size;
use crate::springs::{Across, Unheld};
use crate::system::{GeometricStiffness, MAX_ROWS, System};
use crate::world::State;

pub(super) use judge::Tension;

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Middle {
    /// Where the step is half way, and the equations there; sized when they are first filled.
    middle: State,
    half_way: System,
    is_sized: bool,
    /// Whether there are soft bodies, whose factors cost more than all else.
    pub(super) is_soft: bool,
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
    /// What of it bounded rows push with.
    bounded: Vec<f64>,
    /// `r`.
    left: Vec<f64>,
    force: Vec<f64>,
    b: Vec<f64>,
    dq: Vec<f64>,
    stiffness: GeometricStiffness,
    /// Of iterations with a factor that is kept.
    mixing: Mixing,
    unheld: Unheld,
    /// Where there are springs between bodies: rows across them, and equations that have these.
    across: Option<(Across, Equations)>,
}

impl Middle {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let (state, system) = (&*frame.state, frame.system());
        self.middle.copy_motion(state);
        self.is_sized = false;
        let mut bodies = frame.world.bodies().iter();
        self.is_soft = bodies.any(|record| record.enabled && record.body.skin().is_some());
        self.inverse.size(system);
        for buffer in [
            &mut self.v_half,
            &mut self.force_start,
            &mut self.push,
            &mut self.bounded,
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
        let n_rows = across.map_or(system, |(_, own)| own.system()).n_rows();
        size(&mut self.b, n_rows);
        size(&mut self.impulse, n_rows);
        if self.is_soft {
            self.unheld.find(frame.world, layout, system);
            self.mixing.size(system.n_v(), system.n_v() + n_rows);
        }
    }

    /// Advances the state by `h`, or refuses and leaves it. The landing holds the impulses of a
    /// prediction, and the springs where the step begins. Bounded rows take part, if there are any.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        (h, guard): (f64, Guard),
        bounds: Option<&mut Taut<'_>>,
    ) -> Tried {
        let Some((mut across, mut equations)) = self.across.take() else {
            return self.advance(frame, landing, (None, bounds), h, guard);
        };
        equations.begin();
        let (mut with_rows, worlds) = frame.with_equations(&mut equations);
        if bounds.is_some() {
            with_rows.equations.share_contacts(worlds);
        }
        let across_and_worlds = Some((&mut across, worlds));
        let tried = self.advance(
            &mut with_rows,
            landing,
            (across_and_worlds, bounds),
            h,
            guard,
        );
        frame.equations.effort += equations.effort;
        frame.measured.rates_hold = false;
        self.across = Some((across, equations));
        tried
    }

    /// The same on the frame's equations. If these have rows across springs, the world's own are given with them.
    fn advance(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        (across, mut bounds): (Option<(&mut Across, &mut Equations)>, Option<&mut Taut<'_>>),
        h: f64,
        guard: Guard,
    ) -> Tried {
        let (mut across, worlds) = across.unzip();
        self.begin(frame, landing, across.as_deref(), h);
        let mut predicted = 0.0;
        let mut last = f64::INFINITY;
        let length = frame.system().bar_length();
        let (keeps, most) = match self.is_soft {
            false => (0.0, MIDDLE_ITERATIONS),
            true => (MIDDLE_KEEPS, MIDDLE_KEPT_ITERATIONS),
        };
        // Whether the factor is to be that of the present place, whether it was in the last iteration, and what
        // remained then.
        let (mut renews, mut is_new, mut remains) = (true, true, 0.0);
        let mut was_slow = bounds.is_some();
        for iteration in 0..=most {
            self.fly(frame, landing, across.as_deref(), h);
            let probe = frame.equations.probe();
            let mut gap = probe.gap().max(frame.springs.gap(probe, h, &self.impulse));
            if let Some(bounds) = &mut bounds {
                gap = gap.max(bounds.see(probe));
            }
            if iteration == 1 {
                let surprise = frame.springs.surprise(probe, h, &self.impulse);
                predicted = probe.gap().max(surprise);
                if predicted > guard.prediction {
                    return Tried::Refused(Cause::Prediction);
                }
            }
            self.load(frame, h, bounds.as_deref_mut());
            if renews {
                self.renew(frame, across.as_deref_mut(), h);
            }
            if let Some(bounds) = &mut bounds {
                bounds.prepare(frame, renews);
            }
            let moved = self.correct(frame, h, bounds.as_deref_mut());
            // Between masses that differ by many powers of ten, what is left is round-off.
            // With a factor that is kept it may just be slow.
            let is_judged = !self.is_soft || is_new;
            let rests = is_judged && moved > 0.5 * last && moved <= MIDDLE_STALL * length;
            if gap <= frame.tolerance && (rests || moved <= MIDDLE_REST * length) {
                break;
            }
            let hopeless = iteration > 3 && moved > 0.7 * last && is_new;
            if hopeless || iteration == most || frame.out_of_budget() {
                return Tried::Refused(Cause::Stiffness);
            }
            if is_new {
                remains = moved / last;
            }
            is_new = renews;
            // A new one would converge no faster than the last one did when it was new. A single slow iteration may
            // show a motion that mixing sees through in the next, and would forget with the factor; bounded rows do not
            // mix.
            let is_slow = moved > f64::max(keeps, f64::min(1.5 * remains, 0.7)) * last;
            renews = !self.is_soft || (is_slow && was_slow);
            was_slow = is_slow || bounds.is_some();
            last = moved;
        }
        if let Some(bounds) = &mut bounds {
            // Contacts were found by the equations of the world itself.
            let found = worlds.unwrap_or(&mut *frame.equations);
            if bounds.find_passing(found, frame.world, (&*frame.state, &landing.trial)) {
                return Tried::Refused(Cause::Blow);
            }
        }
        self.arrive(frame, landing, (across.as_deref(), bounds), h);
        if !guard.is_last && frame.springs.is_empty() && self.find_loss(frame) {
            landing.take_back(frame);
            return Tried::Refused(Cause::Stiffness);
        }
        Tried::Done(predicted)
    }

    /// Whether the step lost energy that nobody took. Forces that soar while mechanisms turn around at the
    /// ends of their ways look like tension; such a step is taken in parts.
    fn find_loss(&mut self, frame: &mut Frame<'_, '_>) -> bool {
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
        if !self.is_sized {
            self.half_way.clone_from(frame.equations.system());
            self.is_sized = true;
        }
        let half_way = &mut self.half_way;
        frame
            .equations
            .fill_other((world, &self.middle), terms, half_way);
        let end = (world, &landing.trial);
        match self.is_soft {
            false => frame.equations.fill_probe(end, terms),
            // What it pushes is asked for where the step arrives.
            true => frame.equations.fill_probe_rows(end, terms),
        };
    }

    /// What a step of Newton's method is to do: `−M(q)·r`, and what rows are.
    fn load(&mut self, frame: &mut Frame<'_, '_>, h: f64, bounds: Option<&mut Taut<'_>>) {
        let (system, probe) = (&self.half_way, frame.equations.probe());
        let n_rows = frame.state.lambda.len();
        self.push.fill(0.0);
        add_push(system, &self.impulse, 1.0, &mut self.push);
        frame.springs.push_along((system, probe), h, &mut self.push);
        if let Some(bounds) = bounds {
            self.bounded.fill(0.0);
            bounds.push(system, &mut self.bounded);
            for (push, bounded) in self.push.iter_mut().zip(&self.bounded) {
                *push += bounded;
            }
        }
        if self.is_soft {
            for (half, f) in self.force_start.iter_mut().zip(&system.force) {
                *half = 0.5 * h * f;
            }
        }
        for k in 0..self.left.len() {
            self.left[k] = self.push[k] + self.force_start[k];
        }
        self.inverse.apply_all(system, &mut self.left);
        for k in 0..self.left.len() {
            self.left[k] += frame.state.v[k] - self.v_half[k];
        }
        system.multiply_own_masses(&self.left, &mut self.force);
        let layout = &frame.equations.layout;
        layout.turn_momenta(&frame.state.q, &self.left, &mut self.force);
        for row in 0..n_rows {
            self.b[row] = if probe.velocity_level[row] {
                -system.c_dot[row]
            } else {
                -probe.c[row] / h
            };
        }
        let springs = &frame.springs;
        springs.ask_middle((system, probe), h, &self.impulse, &mut self.b);
    }

    /// Factors the equations of half way.
    fn renew(&mut self, frame: &mut Frame<'_, '_>, across: Option<&mut Across>, h: f64) {
        let world = across.as_ref().map_or(frame.world, |own| &own.world);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        let half_way = &mut self.half_way;
        frame.equations.take((world, &self.middle), terms, half_way);
        let (springs, impulse) = (&mut *frame.springs, &self.impulse);
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
        self.mixing.forget();
    }

    /// One step of Newton's method. Returns how far it moved anything, in meters.
    fn correct(&mut self, frame: &mut Frame<'_, '_>, h: f64, bounds: Option<&mut Taut<'_>>) -> f64 {
        let n_rows = frame.state.lambda.len();
        let is_bounded = bounds.is_some();
        self.solve(frame);
        if let Some(bounds) = bounds
            && bounds.correct(frame, &mut self.force)
        {
            self.solve(frame);
        }
        let (solution, layout) = (frame.equations.solution(), &frame.equations.layout);
        let moved = solution.motion.iter();
        let moved = moved.fold(0.0f64, |most, y| most.max(y.abs()));
        let (mut motion, mut lambda) = (&solution.motion[..], &solution.lambda[..]);
        if !is_bounded && self.is_soft {
            let step = self.mixing.step(motion, lambda);
            (motion, lambda) = step.split_at(motion.len());
        }
        self.dq.copy_from_slice(motion);
        layout.kick_turns((&frame.state.q, &self.middle.q), motion, &mut self.dq);
        for (v, kick) in self.v_half.iter_mut().zip(&self.dq) {
            *v += kick;
        }
        for row in 0..n_rows {
            self.impulse[row] += lambda[row];
        }
        h * moved
    }

    fn solve(&self, frame: &mut Frame<'_, '_>) {
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// The second half: the same push again, what springs lose, and rates that fit. Of the push, `J(q′)ᵀ·μ`
    /// is left to the solve, so that the load is small: on light bodies it all but cancels. The stiffness that
    /// damps is carried along: about the axis of a link it would hold the spin that this half takes back.
    fn arrive(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        (across, mut bounds): (Option<&Across>, Option<&mut Taut<'_>>),
        h: f64,
    ) {
        if self.is_soft {
            let world = across.map_or(frame.world, |own| &own.world);
            let terms = frame.terms(Motion::Velocity, Soft::Rows);
            frame.equations.fill_probe((world, &landing.trial), terms);
        }
        frame.equations.accept_probe();
        if bounds.is_some() {
            // Theirs is told by the law of the whole step.
            for (push, bounded) in self.push.iter_mut().zip(&self.bounded) {
                *push -= bounded;
            }
        }
        let layout = &frame.equations.layout;
        let way = (&self.middle.q[..], &landing.trial.q[..]);
        let turn = |rigid| layout.turn(rigid, way);
        self.stiffness.carry(frame.equations.system(), turn);
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
            let kick = match self.is_soft {
                false => 0.5 * h * f,
                true => self.force_start[k],
            };
            self.push[k] += kick;
            self.work += self.force_start[k] * self.v_half[k] + kick * trial.v[k];
        }
        frame.factor();
        if let Some(bounds) = &mut bounds {
            bounds.land(frame, &mut self.push, &self.b);
        }
        let request = Request {
            load: Load::Given(&self.push),
            rows: Some(&self.b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
        if self.is_soft && bounds.is_none() {
            let (unheld, push) = (&mut self.unheld, &self.push);
            frame.equations.compose(|motion, _| {
                unheld.give_back(frame.world, &trial.q, push, motion);
            });
        }
        let solution = frame.equations.solution();
        for (v, y) in trial.v.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        for row in 0..trial.lambda.len() {
            trial.lambda[row] = (self.impulse[row] + solution.lambda[row]) / h;
        }
        frame.state.swap_motion(trial);
        frame.note_rates();
        frame.log.substeps += 1;
        if let Some(bounds) = bounds {
            bounds.write_forces(frame);
        }
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
