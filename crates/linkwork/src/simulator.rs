//! The simulator: a world's equations, filled, factored and solved.
//!
//! It is a cache: everything in it can be recomputed from the world, and dropping it changes no bit of any
//! result.

use crate::equations::{Equations, Load, Meter, Method, Motion, Request, Soft, Solution, Terms};
use crate::frame::{Growth, Log, Measured};
use crate::integrate::Schemes;
use crate::solve::Order;
use crate::springs::Springs;
use crate::step::{History, Senses};
use crate::system::System;
use crate::topology::{LOOP, NONE, Topology};
use crate::world::{BodyId, Revision, State, Tree, World};

/// Options of a solve at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolveOptions {
    /// The method that solves for multipliers.
    pub method: Method,
    /// The time over which soft rows act implicitly, in seconds. Without it they act as plain springs in
    /// accelerations and are absent in impulses; displacements do not need it. A time that is not finite or not
    /// above 1e-12 s counts as none.
    pub horizon: Option<f64>,
}

impl SolveOptions {
    /// The same options with another horizon of soft rows.
    pub const fn with_horizon(self, horizon: Option<f64>) -> Self {
        Self { horizon, ..self }
    }
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            method: Method::Direct,
            horizon: None,
        }
    }
}

impl From<Method> for SolveOptions {
    fn from(method: Method) -> Self {
        Self {
            method,
            horizon: None,
        }
    }
}

/// The role of a constraint in the spanning forest (Faure 1999, fig. 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Neither in the forest nor closing a loop: it is inactive, has a lower priority, or its force acts
    /// elsewhere.
    Apart,
    /// In the forest, where it connects this body to its parent.
    Holds(BodyId),
    /// Closes a loop.
    ClosesLoop,
}

impl Standing {
    /// Whether this agrees with the wish of the user.
    pub fn grants(&self, tree: Tree) -> bool {
        match tree {
            Tree::Automatic => true,
            Tree::In => matches!(self, Self::Holds(_)),
            Tree::Loop => *self == Self::ClosesLoop,
        }
    }
}

/// Compiles, assembles, factors and solves worlds.
///
/// ```
/// use linkwork::prelude::*;
/// # fn main() -> Result<(), linkwork::Error> {
/// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
/// let rod = world.add_body("rod", Rod { length: 1.0, radius: 0.01, mass: 2.0 })?;
/// let hinge = Hinge { axis_world: [0.0, 0.0, 1.0] };
/// let pivot = world.join("pivot", hinge, GROUND.at([-0.5, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0]))?;
///
/// let mut simulator = Simulator::new();
/// let solution = simulator.accelerations(&world, Method::Direct);
/// assert!(solution.residual.rows < 1e-12);
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct Simulator {
    pub(crate) equations: Equations,
    /// The state that a step works on; buffers are sized for this revision.
    pub(crate) state: State,
    pub(crate) springs: Springs,
    pub(crate) log: Log,
    pub(crate) measured: Measured,
    pub(crate) schemes: Schemes,
    pub(crate) growth: Growth,
    pub(crate) sized_for: Option<(Revision, bool)>,
    pub(crate) history: History,
    pub(crate) senses: Senses,
    /// What was prepared: a motion, its right-hand side, and the start of iterations.
    motion: Option<Motion>,
    b: Vec<f64>,
    start: Vec<f64>,
}

impl Simulator {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another length of its [`History`], which is 32 steps by default. Each entry holds a whole
    /// state.
    pub fn remembering(mut self, n_steps: usize) -> Self {
        self.history = History::of(n_steps);
        self
    }

    /// Accelerations and multipliers at the present state: `M·v̇ = f + Jᵀ·λ`, `J·v̇ = −γ`. Limits, bounded
    /// motors and dry friction act with their forces of the last step.
    pub fn accelerations(&mut self, world: &World, options: impl Into<SolveOptions>) -> &Solution {
        self.prepare(world, Motion::Acceleration, options);
        self.solve_prepared()
    }

    /// The smallest change of velocities that corrects all rates: `J·δv = −ċ`.
    pub fn velocity_correction(
        &mut self,
        world: &World,
        options: impl Into<SolveOptions>,
    ) -> &Solution {
        self.prepare(world, Motion::Velocity, options);
        self.solve_prepared()
    }

    /// The smallest displacement that closes every constraint to first order: `J·δq = −c`.
    pub fn displacement(&mut self, world: &World, options: impl Into<SolveOptions>) -> &Solution {
        self.prepare(world, Motion::Displacement, options);
        self.solve_prepared()
    }

    /// Compiles if the world was edited, fills and factors.
    pub fn prepare(&mut self, world: &World, motion: Motion, options: impl Into<SolveOptions>) {
        let options = options.into();
        self.fill(world, motion, &options);
        self.factor(&options.method);
    }

    /// Compiles if the world was edited, and fills the system.
    pub fn fill(&mut self, world: &World, motion: Motion, options: &SolveOptions) {
        let terms = Terms::new(motion, Soft::over(options.horizon), 0.0);
        self.equations.forget_contacts();
        let at = (world, world.state());
        self.equations.fill(at, terms);
        // Clears the key: a direct call of `factor` always factors.
        let system = self.equations.modify();
        self.b.resize(system.n_rows(), 0.0);
        system.right_hand_side(motion, &mut self.b);
        if matches!(motion, Motion::Acceleration | Motion::Flow) {
            system.push_bounded(&world.state().lambda);
            self.equations.push_touching(at);
        }
        self.motion = Some(motion);
        self.start.clear();
        if options.method.warm_starts() {
            self.start.extend(&world.state().lambda);
        }
    }

    /// Factors the filled equations.
    pub fn factor(&mut self, method: &Method) {
        self.equations.factor(method);
    }

    /// Solves the prepared equations: for accelerations with the world's forces, otherwise without.
    ///
    /// After [`Simulator::fill`], call [`Simulator::factor`] first (or both in one:
    /// [`Simulator::prepare`]); a factor of another instant is not used.
    pub fn solve_prepared(&mut self) -> &Solution {
        let load = match self.motion {
            Some(Motion::Acceleration | Motion::Flow) => Load::Filled,
            _ => Load::None,
        };
        let request = Request {
            load,
            rows: Some(&self.b),
            start: (!self.start.is_empty()).then_some(&self.start[..]),
            ..Request::default()
        };
        self.equations.solve(request, &mut Meter::unlimited())
    }

    /// Solves another right-hand side with the prepared factor: a load on the bodies (n_v) and a right-hand
    /// side of the rows (n_rows), in the layout of the world's state.
    ///
    /// # Panics
    ///
    /// If a length differs from that of the prepared world's state.
    pub fn solve_for(&mut self, force: Option<&[f64]>, b: Option<&[f64]>) -> &Solution {
        let (n_v, n_rows) = (self.system().n_v(), self.system().n_rows());
        let lengths = (
            force.map_or(n_v, <[f64]>::len),
            b.map_or(n_rows, <[f64]>::len),
        );
        assert_eq!(
            lengths,
            (n_v, n_rows),
            "force and b have the lengths of state.v, state.lambda"
        );
        let request = Request {
            load: force.into(),
            rows: b,
            start: (!self.start.is_empty()).then_some(&self.start[..]),
            ..Request::default()
        };
        self.equations.solve(request, &mut Meter::unlimited())
    }

    /// The response of the constrained bodies to a force: `M̂⁻¹·f` (Baraff 1996, §8.1), with the prepared
    /// factor. An impulse gives a change of velocity.
    pub fn respond(&mut self, force: &[f64]) -> &Solution {
        self.solve_for(Some(force), None)
    }

    /// The last steps since the last edit, oldest first, with all that is needed to repeat them.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The last solution.
    pub fn solution(&self) -> &Solution {
        self.equations.solution()
    }

    /// The system that was filled last.
    pub fn system(&self) -> &System {
        self.equations.system()
    }

    /// The topology that was compiled last.
    pub fn topology(&self) -> &Topology {
        &self.equations.topology
    }

    /// The role of each constraint of a world in the spanning forest, in the order of [`World::constraints`].
    /// Compiles if the world was edited.
    pub fn standings(&mut self, world: &World) -> Vec<Standing> {
        self.equations.compile(world);
        let incidence = &self.equations.layout.incidence;
        let found = self.topology().standings(incidence.constraints.len());
        let mut all = vec![Standing::Apart; world.constraints().len()];
        for (node, body) in incidence.constraints.iter().zip(found) {
            let records = world.constraints();
            let at = records.partition_point(|own| own.id().number() < node.key);
            if body == LOOP {
                all[at] = Standing::ClosesLoop;
            } else if body != NONE {
                let key = incidence.bodies[body as usize].key;
                let at_body = world
                    .bodies()
                    .partition_point(|own| own.id().number() < key);
                all[at] = Standing::Holds(world.bodies()[at_body].id());
            }
        }
        all
    }

    /// Number of block operations of a factor by `Direct`, a measure of its cost.
    pub fn n_operations(&self) -> usize {
        self.equations.n_operations()
    }

    /// Makes `Direct` eliminate in another legal order; zero is the default. For tests.
    #[doc(hidden)]
    pub fn set_elimination_seed(&mut self, seed: u64) {
        self.equations.set_order(match seed {
            0 => Order::Whole,
            seed => Order::Shuffled(seed),
        });
    }

    /// Makes `Direct` eliminate every body before its constraints. For tests.
    #[doc(hidden)]
    pub fn set_bodies_first(&mut self) {
        self.equations.set_order(Order::BodiesFirst);
    }
}
