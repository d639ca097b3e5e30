//! The simulator: a world's equations, assembled, factored and solved.
//!
//! It is a disposable cache. Everything in it can be computed again from the world, and dropping it
//! changes no bit of any result.

use crate::assemble::{Assembler, Layout, Motion, System};
use crate::solve::{Factor, Method, Order, Outcome, Solution};
use crate::topology::Topology;
use crate::world::{Revision, World};

/// What to solve for, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveOptions {
    /// How the multipliers are found.
    pub method: Method,
    /// The time over which soft rows act implicitly. Without one they are the springs they stand
    /// for (accelerations) or absent (impulses); displacements need none. Anything but a finite time
    /// above 1e-12 s counts as none.
    pub horizon: Option<f64>,
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
    revision: Option<Revision>,
    layout: Layout,
    topology: Topology,
    system: System,
    assembler: Assembler,
    factor: Option<(Method, Factor)>,
    motion: Option<Motion>,
    /// The factor is of what was assembled last.
    is_factored: bool,
    order: Order,
    b: Vec<f64>,
    warm: Vec<f64>,
    solution: Solution,
}

impl Simulator {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// Accelerations and multipliers at the present state: `M·v̇ = f + Jᵀ·λ`, `J·v̇ = −γ`.
    pub fn accelerations(&mut self, world: &World, options: impl Into<SolveOptions>) -> &Solution {
        self.prepare(world, Motion::Acceleration, options);
        self.solve_prepared()
    }

    /// The smallest change of velocities that makes every rate right: `J·δv = −ċ`.
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

    /// Compiles if the world was edited, assembles and factors: what all solves have in common.
    pub fn prepare(&mut self, world: &World, motion: Motion, options: impl Into<SolveOptions>) {
        let options = options.into();
        self.assemble(world, motion, &options);
        self.factor(&options.method);
    }

    /// Compiles if the world was edited, and fills the system.
    pub fn assemble(&mut self, world: &World, motion: Motion, options: &SolveOptions) {
        // Compile: integers only, and only when somebody edited the world.
        if self.revision != Some(world.revision()) {
            self.layout = Layout::compile(world, &mut self.system);
            self.topology.update(&self.layout.incidence);
            self.assembler = Assembler::new(&self.layout);
            self.b = vec![0.0; self.system.n_rows()];
            self.solution = Solution::sized(&self.system);
            self.factor = None;
            self.revision = Some(world.revision());
        }
        // Assemble: M, J, c and f at this instant (Witkin 1990, §3).
        self.assembler.fill(
            world,
            &self.layout,
            motion,
            options.horizon.filter(|h| *h > 1e-12 && h.is_finite()),
            &mut self.system,
        );
        self.system.right_hand_side(motion, &mut self.b);
        self.motion = Some(motion);
        self.is_factored = false;
        if options.method.warm_starts() {
            self.warm.clone_from(&world.state().lambda);
        }
    }

    /// Factors what was assembled.
    pub fn factor(&mut self, method: &Method) {
        let (system, topology, order) = (&self.system, &self.topology, self.order);
        let keep = self.factor.as_ref().is_some_and(|(kept, _)| kept == method);
        if !keep {
            self.factor = Some((*method, Factor::new(system, topology, method, order)));
        }
        if let Some((_, factor)) = &mut self.factor {
            factor.factor(system, topology);
            self.is_factored = true;
        }
    }

    /// Solves what was prepared: with the world's forces for accelerations, without for the rest.
    ///
    /// After [`Simulator::assemble`], call [`Simulator::factor`] first (or both in one:
    /// [`Simulator::prepare`]); a factor of another instant is not used.
    pub fn solve_prepared(&mut self) -> &Solution {
        let force = (self.motion == Some(Motion::Acceleration)).then_some(&self.system.force[..]);
        let (system, topology) = (&self.system, &self.topology);
        match &mut self.factor {
            Some((_, factor)) if self.is_factored => {
                let b = Some(&self.b[..]);
                factor.solve(system, topology, &self.warm, force, b, &mut self.solution);
            }
            _ => self.solution.outcome = Outcome::NotConverged,
        }
        &self.solution
    }

    /// Solves another right-hand side on the factor that was prepared: a load on the bodies (n_v)
    /// and what the rows must be (n_rows), in the layout of the world's state.
    ///
    /// # Panics
    ///
    /// When a length is not that of the prepared world's state.
    pub fn solve_for(&mut self, force: Option<&[f64]>, b: Option<&[f64]>) -> &Solution {
        let (system, topology) = (&self.system, &self.topology);
        let (n_v, n_rows) = (system.n_v(), system.n_rows());
        let lengths = (
            force.map_or(n_v, <[f64]>::len),
            b.map_or(n_rows, <[f64]>::len),
        );
        assert_eq!(
            lengths,
            (n_v, n_rows),
            "force and b have the lengths of state.v, state.lambda"
        );
        match &mut self.factor {
            Some((_, factor)) if self.is_factored => {
                factor.solve(system, topology, &self.warm, force, b, &mut self.solution);
            }
            _ => self.solution.outcome = Outcome::NotConverged,
        }
        &self.solution
    }

    /// How the bodies move when a force acts on them and every constraint holds still: `M̂⁻¹·f`
    /// (Baraff 1996, §8.1), on the factor that was prepared. An impulse gives a change of velocity.
    pub fn respond(&mut self, force: &[f64]) -> &Solution {
        self.solve_for(Some(force), None)
    }

    /// The last solution.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The equations that were assembled last.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The topology that was compiled last.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Block operations of one factor, for `Direct`: what its cost grows with.
    pub fn n_operations(&self) -> usize {
        self.factor
            .as_ref()
            .map_or(0, |(_, factor)| factor.n_operations())
    }

    /// Makes `Direct` eliminate in another legal order; zero is the default. For tests.
    #[doc(hidden)]
    pub fn set_elimination_seed(&mut self, seed: u64) {
        self.order = if seed == 0 {
            Order::Whole
        } else {
            Order::Shuffled(seed)
        };
        self.factor = None;
        self.is_factored = false;
    }

    /// Makes `Direct` eliminate every body before its constraints. For tests.
    #[doc(hidden)]
    pub fn set_bodies_first(&mut self) {
        self.order = Order::BodiesFirst;
        self.factor = None;
        self.is_factored = false;
    }
}
