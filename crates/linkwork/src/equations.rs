//! A world's equations at one instant: compiled, filled, factored, solved.
//!
//! What the simulator and every integrator share. The state may be the world's own or a trial; the
//! factor may serve several right-hand sides, also while another system is filled at another place.

use crate::assemble::{Assembler, Layout, Motion, Soft, System};
use crate::solve::{Ask, Factor, Lower, Meter, Method, Order, Outcome, Solution};
use crate::topology::Topology;
use crate::world::{Revision, State, World};

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Evaluations of the whole system.
    pub fills: usize,
    /// Numeric factorisations.
    pub factors: usize,
    /// Solves with a factor.
    pub solves: usize,
    /// Iterations inside the solves, and in the responses that lower levels are built on. Of direct
    /// methods each correction is one.
    pub iterations: usize,
}

/// What bodies are loaded with in a solve.
enum Load<'a> {
    Given(Option<&'a [f64]>),
    /// The forces that were filled.
    Filled,
}

/// A world's equations, and everything needed to fill and solve them.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    revision: Option<Revision>,
    pub(crate) layout: Layout,
    pub(crate) topology: Topology,
    /// What was filled last by [`Equations::fill`]; the factor is of this.
    pub(crate) system: System,
    /// Another place, looked at while the factor is in use.
    pub(crate) probe: System,
    probe_is_sized: bool,
    assembler: Assembler,
    factor: Option<(Method, Factor)>,
    pub(crate) order: Order,
    /// See [`System`]: zero but for steps.
    pub(crate) lower_damping: f64,
    pub(crate) is_factored: bool,
    /// What iterations start from, and where those that close positions go on; see [`State`].
    pub(crate) warm: Vec<f64>,
    pub(crate) direction: Vec<f64>,
    pub(crate) solution: Solution,
    pub(crate) effort: Effort,
}

impl Equations {
    /// Compiles if the world was edited: integers only. True if it was.
    pub(crate) fn compile(&mut self, world: &World) -> bool {
        if self.revision == Some(world.revision()) {
            return false;
        }
        self.layout.compile(world, &mut self.system);
        self.topology.update(&self.layout.incidence);
        self.assembler.size(&self.layout);
        self.solution.size(&self.system);
        self.start_cold();
        self.probe_is_sized = false;
        self.forget_factor();
        self.revision = Some(world.revision());
        true
    }

    /// Lets iterative methods start from nothing.
    pub(crate) fn start_cold(&mut self) {
        self.warm.clear();
        self.warm.resize(self.system.n_rows(), 0.0);
        self.direction.resize(self.system.n_rows(), 0.0);
        if let Some((_, factor)) = &mut self.factor {
            factor.forget_responses();
        }
    }

    /// Fills the system: M, J, c and f at this instant (Witkin 1990, §3).
    pub(crate) fn fill(&mut self, at: (&World, &State), motion: Motion, soft: Soft) {
        self.compile(at.0);
        self.system.lower_damping = self.lower_damping;
        self.assembler
            .fill(at, &self.layout, motion, soft, &mut self.system);
        self.effort.fills += 1;
        self.is_factored = false;
    }

    /// Fills the system where it was factored, with other velocities: the factor stays.
    pub(crate) fn refill(&mut self, at: (&World, &State), motion: Motion, soft: Soft) {
        self.assembler
            .fill(at, &self.layout, motion, soft, &mut self.system);
        self.effort.fills += 1;
    }

    /// Fills the probe and leaves the factor and its system alone.
    pub(crate) fn look(&mut self, at: (&World, &State), motion: Motion, soft: Soft) {
        if !self.probe_is_sized {
            self.probe.clone_from(&self.system);
            self.probe_is_sized = true;
        }
        self.probe.lower_damping = self.lower_damping;
        self.assembler
            .fill(at, &self.layout, motion, soft, &mut self.probe);
        self.effort.fills += 1;
    }

    /// Goes to where the probe is.
    pub(crate) fn go(&mut self) {
        std::mem::swap(&mut self.system, &mut self.probe);
        self.is_factored = false;
    }

    /// Factors what was filled.
    pub(crate) fn factor(&mut self, method: &Method) {
        let (system, topology, order) = (&self.system, &self.topology, self.order);
        let keep = self.factor.as_ref().is_some_and(|(kept, _)| kept == method);
        if !keep {
            self.factor = Some((*method, Factor::new(system, topology, method, order)));
        }
        if let Some((_, factor)) = &mut self.factor {
            factor.factor(system);
            self.is_factored = true;
            self.effort.factors += 1;
        }
    }

    /// Forgets the factor, so that another order is laid out.
    pub(crate) fn forget_factor(&mut self) {
        self.factor = None;
        self.is_factored = false;
    }

    /// Solves on the factor: a load on the bodies, and what the rows must be.
    pub(crate) fn solve(
        &mut self,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        meter: &mut Meter<'_>,
    ) -> &Solution {
        self.solve_from(None, Load::Given(force), b, meter)
    }

    /// The same; an iteration goes on where the last of these was cut short.
    pub(crate) fn solve_on(
        &mut self,
        lower: Lower,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        meter: &mut Meter<'_>,
    ) -> &Solution {
        self.solve_from(Some(lower), Load::Given(force), b, meter)
    }

    /// Solves on the factor, with the forces that were filled.
    pub(crate) fn solve_with_forces(&mut self, b: &[f64], meter: &mut Meter<'_>) -> &Solution {
        self.solve_from(None, Load::Filled, Some(b), meter)
    }

    fn solve_from(
        &mut self,
        goes_on: Option<Lower>,
        load: Load<'_>,
        b: Option<&[f64]>,
        meter: &mut Meter<'_>,
    ) -> &Solution {
        let force = match load {
            Load::Given(force) => force,
            Load::Filled => Some(&self.system.force[..]),
        };
        let ask = Ask {
            force,
            b,
            warm: Some(&self.warm),
            direction: goes_on.map(|_| &mut self.direction[..]),
            lower: goes_on.unwrap_or_default(),
        };
        let out = &mut self.solution;
        match &mut self.factor {
            Some((_, factor)) if self.is_factored => {
                factor.solve(&self.system, &self.topology, ask, meter, out);
                self.effort.solves += 1;
                self.effort.iterations += out.iterations;
            }
            _ => out.outcome = Outcome::NotConverged,
        }
        out
    }

    /// Whether the last iteration that may go on was cut short.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.direction.iter().any(|p| *p != 0.0)
    }

    /// Whether the last solve was cut short and iterated all levels together.
    pub(crate) fn levels_are_joined(&self) -> bool {
        self.factor
            .as_ref()
            .is_some_and(|(_, factor)| factor.is_joined())
    }

    /// Whether the last solves changed the factor itself, so that a fresh one would answer with
    /// other bits.
    pub(crate) fn factor_is_altered(&self) -> bool {
        self.factor
            .as_ref()
            .is_some_and(|(_, factor)| factor.is_altered())
    }

    pub(crate) fn n_operations(&self) -> usize {
        self.factor
            .as_ref()
            .map_or(0, |(_, factor)| factor.n_operations())
    }
}
