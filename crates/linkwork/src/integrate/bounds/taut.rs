//! Taut soft bodies in contact: a step along the middle (`middle`) with bounded impulses.
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f + J_mᵀ·μ + G_mᵀ·r₁)         gap(q′) ≥ goal ⊥ r₁ ≥ 0
//!     v′ = v½′ + M⁻¹·(h/2·f′ + J_mᵀ·μ + J′ᵀ·ν + G′ᵀ·(r − r₁))      ċ ≥ 0 ⊥ r ≥ 0
//! ```
//!
//! with the laws of `bounds`. Newton's method finds v½ and μ; in each of its iterations r₁ is what the law asks for, by
//! the responses of the rows on the factor there is. Shells that are blown up would else need sub-steps of a thirtieth
//! of a frame.

use super::super::interactive::Interactive;
use super::super::rattle;
use super::{BoundedSteps, Tried, Try};
use crate::equations::{Equations, Load, Request};
use crate::frame::Frame;
use crate::system::{Role, System};
use crate::world::{State, World};

/// The bounded rows of a step along the middle.
pub(in crate::integrate) struct Taut<'b> {
    steps: &'b mut BoundedSteps,
    own: Try,
    /// Responses are to be found anew: rows came in.
    is_stale: bool,
    /// Something would pass through something after so many seconds.
    passes: Option<f64>,
}

impl BoundedSteps {
    /// Whether nothing is bounded but what stops hard and rubs.
    pub(super) fn are_all_stops(system: &System) -> bool {
        let mut rows = system.bounded.iter();
        rows.all(|row| row.is_hard_stop(system) || row.role == Role::Across)
    }

    /// Tries a step along the middle. Rows were chosen, with impulses to start from.
    pub(super) fn attempt_taut(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        own: &Try,
    ) -> Tried {
        let mut taut = Taut {
            steps: self,
            own: *own,
            is_stale: true,
            passes: None,
        };
        let tried = ladder.step_taut(frame, (own.h, own.guard), &mut taut);
        match (taut.passes, tried) {
            (Some(t), _) => Tried::Passes(t),
            (None, rattle::Tried::Done(predicted)) => Tried::Done(predicted),
            (None, rattle::Tried::Refused(cause)) => Tried::Refused(cause),
        }
    }
}

impl Taut<'_> {
    /// Looks at where the flight ended: who was left out and should not have been takes part from now on. How far stops
    /// are open, m.
    pub(in crate::integrate) fn see(&mut self, end: &System) -> f64 {
        let steps = &mut *self.steps;
        let was_late = steps.find_late(end);
        if was_late {
            self.is_stale = true;
            let (chosen, takes_part) = (&mut steps.over.chosen, &mut steps.late);
            chosen.drain(..).for_each(|at| takes_part[at] = true);
            let mut was_chosen = false;
            for (at, row) in end.bounded.iter().enumerate() {
                was_chosen = match row.role {
                    Role::Across => was_chosen,
                    _ => takes_part[at],
                };
                if was_chosen {
                    chosen.push(at);
                }
            }
            return f64::INFINITY;
        }
        steps.stops_open(end)
    }

    /// Notes the rates half way, and adds what rows push there.
    pub(in crate::integrate) fn push(&mut self, half_way: &System, push: &mut [f64]) {
        let steps = &mut *self.steps;
        for &at in &steps.over.chosen {
            let row = &half_way.bounded[at];
            steps.rate[at] = row.rate(half_way);
            row.push(half_way, steps.first[at], push);
        }
    }

    /// Finds how rows respond on a factor that is new.
    pub(in crate::integrate) fn prepare(&mut self, frame: &mut Frame<'_, '_>, is_new: bool) {
        if !is_new && !self.is_stale {
            return;
        }
        self.is_stale = false;
        let steps = &mut *self.steps;
        if steps.over.chosen.is_empty() {
            return;
        }
        steps.over.prepare(frame, 0.5 * self.own.h);
        steps.load.fill(0.0);
        let system = frame.equations.system();
        for &at in &steps.over.chosen {
            system.bounded[at].push(system, steps.first[at], &mut steps.load);
        }
        // What the impulses so far do.
        let out = (&mut steps.motion[..], &mut steps.pushes);
        frame.equations.respond(&steps.load, frame.meter, out);
        let system = frame.equations.system();
        for (i, &at) in steps.over.chosen.iter().enumerate() {
            steps.over.impulse[i] = steps.first[at];
            steps.over.left[i] = system.bounded[at].motion(system, &steps.motion);
        }
    }

    /// What rows do about the correction that was solved for, as a change of the load; false where there are none.
    pub(in crate::integrate) fn correct(
        &mut self,
        frame: &mut Frame<'_, '_>,
        load: &mut [f64],
    ) -> bool {
        let (steps, h) = (&mut *self.steps, self.own.h);
        if steps.over.chosen.is_empty() {
            return false;
        }
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        let solution = frame.equations.solution();
        for i in 0..steps.over.chosen.len() {
            let at = steps.over.chosen[i];
            let row = &system.bounded[at];
            let without = steps.over.left[i] - steps.over.rate[i];
            let now = match row.role {
                Role::Across => steps.rate[at],
                _ => steps.beyond(at, row.gap(probe)) / h,
            };
            steps.over.rate[i] = now + row.motion(system, &solution.motion) - without;
        }
        steps.solve_bounded(frame);
        let system = frame.equations.system();
        for (i, row) in steps.over.iter(system) {
            let change = steps.over.impulse[i] - steps.first[steps.over.chosen[i]];
            row.push(system, change, load);
        }
        steps.note_first();
        true
    }

    /// Whether something would pass through something on the way to where the flight ended.
    pub(in crate::integrate) fn find_passing(
        &mut self,
        equations: &mut Equations,
        world: &World,
        ways: (&State, &State),
    ) -> bool {
        let found = equations.find_passing(world, ways, self.own.h);
        self.passes = found.map(|s| s * self.own.h);
        found.is_some()
    }

    /// The second half, on the factor where the flight ended: adds what rows push to the load.
    pub(in crate::integrate) fn land(
        &mut self,
        frame: &mut Frame<'_, '_>,
        load: &mut [f64],
        b: &[f64],
    ) {
        let (steps, own) = (&mut *self.steps, self.own);
        steps.choose_at_end(frame.equations.system(), &own);
        if steps.over.chosen.is_empty() {
            return;
        }
        let system = frame.equations.system();
        for &at in &steps.over.chosen {
            system.bounded[at].push(system, -steps.first[at], load);
        }
        steps.over.prepare(frame, own.h);
        let request = Request {
            load: Load::Given(load),
            rows: Some(b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        for (i, &at) in steps.over.chosen.iter().enumerate() {
            let row = &system.bounded[at];
            steps.over.rate[i] = row.rate(system) + row.motion(system, &solution.motion);
            steps.over.impulse[i] = 2.0 * steps.first[at];
        }
        steps.strike_or_solve(frame, &own);
        let system = frame.equations.system();
        steps.over.push(system, &steps.over.impulse, load);
    }

    /// Impulses of the step, which was taken, become forces.
    pub(in crate::integrate) fn write_forces(&mut self, frame: &mut Frame<'_, '_>) {
        self.steps.write_forces(frame, self.own.h);
    }
}
