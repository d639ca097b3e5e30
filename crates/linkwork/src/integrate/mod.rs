//! Integrating: from the state at one instant to the state a little later.
//!
//! Every scheme works on a `Stage`: the world (read only), its equations, and a workspace with the
//! state reached so far. Nothing here writes to the world; the step commits at its end.

use crate::assemble::{Motion, Soft, System};
use crate::constraint::RowUnit;
use crate::equations::Equations;
use crate::math::Sym3;
use crate::solve::{MassInverse, Meter, Method};
use crate::step::StepReport;
use crate::words::words;
use crate::world::{BodyId, State, World};

mod dormand_prince;
mod explicit;
mod first_order;
mod implicit;
mod interactive;
mod rattle;
mod soft;
mod stiffness;
mod strain;
mod tame;

use soft::SoftNow;
use strain::StrainNow;

/// The integrators of the papers, on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// `q ← q ⊞ h·v`, then `v ← v + h·v̇`: first order, gains energy.
    Euler,
    /// `v ← v + h·v̇`, then `q ← q ⊞ h·v`: first order, symplectic without constraints.
    SymplecticEuler,
    /// The classical Runge–Kutta method of fourth order.
    Rk4,
    /// Störmer's method, `Δq ← Δq + h²·v̇` (Faure 1998, §4.2): second order without constraints.
    Stoermer,
}

words! {
    Integrator, "integrator":
    Self::Euler = Self::Euler, "euler", "Forward Euler.";
    Self::SymplecticEuler = Self::SymplecticEuler, "symplectic-euler", "Semi-implicit Euler.";
    Self::Rk4 = Self::Rk4, "rk4", "Runge and Kutta's, of fourth order.";
    Self::Stoermer = Self::Stoermer, "stoermer", "Störmer's.";
}

/// Where the factor was made.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Factored {
    method: Method,
    motion: Motion,
    t: f64,
    lower_damping: f64,
}

/// States and vectors of a step; holds nothing that could not be computed again.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The state reached so far, and a candidate for the next.
    pub(crate) state: State,
    pub(crate) trial: State,
    /// Where the factor was made.
    factored: Option<Factored>,
    factored_q: Vec<f64>,
    /// Where a closing began.
    pub(crate) open_q: Vec<f64>,
    /// Velocities and forces, n_v each.
    v_half: Vec<f64>,
    kick: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) dq: Vec<f64>,
    pub(crate) target: Vec<f64>,
    /// Over rows.
    pub(crate) b: Vec<f64>,
    impulse: Vec<f64>,
    pub(crate) inverse: MassInverse,
    soft: Vec<SoftNow>,
    strains: Vec<StrainNow>,
    /// What part of the damping of soft rows a sub-step has: one, but for compositions that go back
    /// in time.
    damping: f64,
    stiffness: Vec<Sym3>,
    /// Slopes of Runge–Kutta stages: displacements and velocities.
    slopes: Vec<(Vec<f64>, Vec<f64>)>,
    /// Hard position rows of level 0 and what turns them into metres.
    pub(crate) exact_rows: Vec<(u32, f64)>,
    pub(crate) rate_rows: Vec<(u32, f64)>,
    pub(crate) lower_rows: Vec<(u32, f64)>,
    /// By row: how many lower levels are above its own.
    pub(crate) level: Vec<usize>,
    /// Hard rows of lower levels or on bodies that follow a goal.
    pub(crate) held_rows: Vec<u32>,
    /// By row: `c` where a step began whose goals rest.
    held_c: Vec<f64>,
    /// By row: whether it is an angle, and whether it is a hard row of a lower level.
    pub(crate) is_angle: Vec<bool>,
    pub(crate) is_lower: Vec<bool>,
    pub(crate) has_lower_levels: bool,
    pub(crate) n_lower_levels: usize,
    is_sized: bool,
}

impl Workspace {
    /// Sizes everything for newly compiled equations.
    pub(crate) fn size(&mut self, world: &World, equations: &Equations) {
        let system = &equations.system;
        let (n_v, n_rows) = (system.n_v(), system.n_rows());
        *self = Self {
            state: world.state().clone(),
            trial: world.state().clone(),
            factored_q: vec![0.0; world.state().q.len()],
            open_q: vec![0.0; world.state().q.len()],
            v_half: vec![0.0; n_v],
            kick: vec![0.0; n_v],
            force: vec![0.0; n_v],
            dq: vec![0.0; n_v],
            target: vec![0.0; n_v],
            b: vec![0.0; n_rows],
            impulse: vec![0.0; n_rows],
            held_c: vec![0.0; n_rows],
            inverse: MassInverse::new(system),
            stiffness: vec![[0.0; 6]; system.bodies.len()],
            strains: vec![StrainNow::default(); system.strains.len()],
            soft: equations.layout.soft_rows.iter().map(SoftNow::of).collect(),
            is_angle: vec![false; n_rows],
            is_lower: vec![false; n_rows],
            level: vec![0; n_rows],
            is_sized: true,
            damping: 1.0,
            ..Self::default()
        };
        for record in world.constraints() {
            for (row, unit) in record.row_range().zip(record.rows()) {
                self.is_angle[row] = *unit == RowUnit::Radian;
            }
        }
        let follows = |body: BodyId| {
            let record = world.body_record(body).map(|record| &record.body);
            record.is_ok_and(|body| body.n_v() == 0 && body.n_q() > 0)
        };
        for record in world.constraints() {
            let is_held = record.connectors.iter().any(|c| follows(c.body));
            for (row, alpha) in record.row_range().zip(&record.compliance) {
                if *alpha == 0.0 && (is_held || record.priority > 0) {
                    self.held_rows.push(row as u32);
                }
            }
        }
        let mut is_soft = vec![false; n_rows];
        for soft in &self.soft {
            is_soft[soft.row] = true;
        }
        let mut has_level = [false; 1 + u8::MAX as usize];
        for constraint in &system.constraints {
            has_level[usize::from(constraint.priority)] = true;
        }
        let levels = (1..=u8::MAX).filter(|&level| has_level[usize::from(level)]);
        let levels: Vec<u8> = levels.collect();
        self.n_lower_levels = levels.len();
        for c in 0..system.constraints.len() as u32 {
            let is_lower = system.constraints[c as usize].priority > 0;
            self.has_lower_levels |= is_lower;
            for row in system.row_range(c) {
                let is_soft = is_soft[row];
                if is_lower {
                    if !is_soft && !system.velocity_level[row] {
                        self.lower_rows.push((row as u32, system.row_scale[row]));
                        self.is_lower[row] = true;
                        let level = system.constraints[c as usize].priority;
                        self.level[row] = levels.partition_point(|&other| other < level);
                    }
                    continue;
                }
                let entry = (row as u32, system.row_scale[row]);
                if !is_soft && !system.velocity_level[row] {
                    self.exact_rows.push(entry);
                }
                if !is_soft {
                    self.rate_rows.push(entry);
                }
            }
        }
    }

    /// Whether nothing was sized yet.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_sized
    }

    /// Forgets where the factor was made.
    pub(crate) fn forget(&mut self) {
        self.factored = None;
    }

    /// Largest position error of the exact level, in metres; infinite if anything is not finite.
    pub(crate) fn gap(&self, system: &System) -> f64 {
        largest(&self.exact_rows, &system.c)
    }

    /// Sum of the squares of all position errors.
    pub(crate) fn squares(&self, system: &System) -> f64 {
        let rows = self.exact_rows.iter().chain(&self.lower_rows);
        rows.map(|&(row, scale)| scale * system.c[row as usize])
            .map(|error| error * error)
            .sum()
    }

    /// Largest position error of the lower levels, in metres.
    pub(crate) fn lower_gap(&self, system: &System) -> f64 {
        largest(&self.lower_rows, &system.c)
    }

    /// Largest errors of the exact level: of gaps in metres, of angles in radians.
    pub(crate) fn errors(&self, system: &System) -> (f64, f64) {
        let (mut position, mut angle) = (0.0f64, 0.0f64);
        for &(row, scale) in &self.exact_rows {
            let c = system.c[row as usize].abs();
            if self.is_angle[row as usize] {
                angle = angle.max(c);
            } else {
                position = position.max(scale * c);
            }
        }
        (position, angle)
    }

    /// Largest rate error of the exact level, in metres per second.
    pub(crate) fn rate_gap(&self, system: &System) -> f64 {
        largest(&self.rate_rows, &system.c_dot)
    }
}

fn largest(rows: &[(u32, f64)], values: &[f64]) -> f64 {
    let (mut largest, mut sum) = (0.0f64, 0.0);
    for &(row, scale) in rows {
        let value = scale * values[row as usize].abs();
        largest = if value > largest { value } else { largest };
        sum += value;
    }
    if sum.is_finite() {
        largest
    } else {
        f64::INFINITY
    }
}

/// A world on its way through a step.
pub(crate) struct Stage<'a, 'm> {
    pub(crate) world: &'a World,
    pub(crate) equations: &'a mut Equations,
    pub(crate) work: &'a mut Workspace,
    pub(crate) method: Method,
    pub(crate) tolerance: f64,
    pub(crate) meter: Meter<'m>,
    pub(crate) report: &'a mut StepReport,
    /// The last solve made the rates right.
    pub(crate) velocities_are_right: bool,
    /// What no correction can close: constraints of the exact level contradict each other.
    pub(crate) contradiction: f64,
    /// Of the last resort: what forces did, and whether something drives the joints.
    pub(crate) work_done: f64,
    pub(crate) drives: bool,
}

impl Stage<'_, '_> {
    /// A length that the world's joints are apart, about that of a bar.
    pub(crate) fn length(&self) -> f64 {
        // A thin bar is √12 times as long as its radius of gyration.
        12.0f64.sqrt() * self.equations.system.characteristic_length()
    }

    /// Fills and factors at the state reached so far, unless the factor is still of this place.
    /// `h` is the step that soft rows are for.
    pub(crate) fn prepare(&mut self, motion: Motion, soft: Soft, h: f64) {
        let work = &mut *self.work;
        let here = Factored {
            method: self.method,
            motion: match motion {
                Motion::Flow => Motion::Flow,
                _ => Motion::Acceleration,
            },
            t: work.state.t,
            lower_damping: self.equations.lower_damping,
        };
        let at = (self.world, &work.state);
        let is_here = work.factored == Some(here)
            && self.equations.is_factored
            && !work.has_soft_rows()
            && work.factored_q == work.state.q
            && !self.equations.factor_is_altered();
        if is_here {
            self.equations.refill(at, motion, soft);
            return;
        }
        self.equations.fill(at, motion, soft);
        if soft == Soft::Rows {
            work.soften_positions(&mut self.equations.system, h);
            work.strengthen_positions(&mut self.equations.system, h);
        }
        self.equations.factor(&self.method);
        work.factored = Some(here);
        work.factored_q.copy_from_slice(&work.state.q);
    }

    /// Goes to where the probe is (the trial state) and factors there.
    pub(crate) fn arrive(&mut self, h: f64) {
        let work = &mut *self.work;
        self.equations.go();
        work.soften_velocities(&mut self.equations.system, h);
        work.strengthen_velocities(&mut self.equations.system, h);
        self.equations.factor(&self.method);
        self.factored_at_trial();
    }

    /// Notes that the factor is of the trial.
    fn factored_at_trial(&mut self) {
        let work = &mut *self.work;
        work.factored = Some(Factored {
            method: self.method,
            motion: Motion::Acceleration,
            t: work.trial.t,
            lower_damping: self.equations.lower_damping,
        });
        work.factored_q.copy_from_slice(&work.trial.q);
    }

    /// Whether the last solve put the rates right at the state reached, so that `c` is of there.
    pub(crate) fn is_measured(&self) -> bool {
        let work = &*self.work;
        self.velocities_are_right
            && work
                .factored
                .is_some_and(|factored| factored.t == work.state.t)
            && work.factored_q == work.state.q
    }

    /// Whether iterations were cut short when the last of them ended.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.method.is_iterative() && self.equations.is_cut_short()
    }

    pub(crate) fn is_spent(&mut self) -> bool {
        self.meter.is_spent(0)
    }

    /// Starts iterative methods from `factor·λ` of the state.
    pub(crate) fn warm_start(&mut self, factor: f64) {
        if self.method.warm_starts() {
            let lambda = &self.work.state.lambda;
            self.equations.warm.clear();
            self.equations
                .warm
                .extend(lambda.iter().map(|lambda| factor * lambda));
        }
    }
}
