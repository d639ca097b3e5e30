//! An engine for interactive constrained dynamics.
//!
//! You describe bodies, join them, and step. Joints are exact for trees and for closed loops; any part can
//! be added, changed or removed between two steps; redundant and contradicting constraints are reported by
//! the labels you gave.
//!
//! ```
//! use linkwork::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
//! let weight = world.add_body("weight", Sphere { radius: 0.1, mass: 2.0 })?;
//! let hook = world.join("hook", Ball, GROUND.at([0.0, 0.1, 0.0]), weight.at([0.0, 0.1, 0.0]))?;
//!
//! let mut simulator = Simulator::new();
//! simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
//!
//! // The hook carries the weight: this is the force on the second body.
//! let solution = simulator.accelerations(&world, Method::Direct);
//! let reaction = world.reaction(hook, &solution.lambda, ReactionOptions::default())?;
//! assert!((reaction.force[1] - 2.0 * 9.81).abs() < 1e-9);
//! # Ok(()) }
//! ```
//!
//! # Where to find what
//!
//! | you want to | see |
//! |---|---|
//! | add, join, replace, disable and remove parts; drag | [`World`](world::World) |
//! | choose a body: rigid, planar, particle, prescribed, sheet, spline, superquadric, soft shell or solid | [`body`] |
//! | let bodies collide, with friction and restitution | [`collide`] |
//! | choose a joint | [`world`] for joints between two parts, [`constraint`] for drives, couplings, curves, surfaces |
//! | apply forces: springs, motors, drag, friction in joints | [`behavior`] |
//! | step, solve for accelerations, assemble scattered parts | [`Simulator`](simulator::Simulator), [`step`], [`assembly`] |
//! | choose how exact or how fast | [`StepOptions`](step::StepOptions), [`Method`](solve::Method), [`Budget`](step::Budget) |
//! | read reaction forces, energies, momenta, errors | [`output`] |
//! | find degrees of freedom, redundant rows and contradictions | [`diagnose()`](diagnose::diagnose) |
//! | derive points and numbers from others | [`block`], [`Numbers`](body::Numbers) |
//! | write a body, a constraint, a behavior or a block of your own | [`Body`](body::Body), [`Constraint`](constraint::Constraint), [`Behavior`](behavior::Behavior), [`Block`](block::Block); [`check_body`](body::check_body), [`check_constraint`](constraint::check_constraint) and [`check_block`](block::check_block) test it |
//! | convert to glam or nalgebra, and from quaternions in the order x, y, z, w | [`math`] |
//!
//! The [`prelude`] has the names that most programs use. Units are SI, angles are in radians, vectors are
//! `[f64; 3]`. Names say their frame: `axis_world`, `com_body`.
//!
//! # How it works
//!
//! Everything is built on one linear system:
//!
//! ```text
//!     [  M  −Jᵀ ] [ y ]   [  f ]        M·y = f + Jᵀ·λ
//!     [ −J  −C  ] [ λ ] = [ −b ]        J·y + C·λ = b
//! ```
//!
//! Data flow one way: [`world`] (what the user described, and the state) → [`topology`] (integers) →
//! [`system`] (the numbers of one instant) → [`solve`] (λ and the motion) → [`integrate`] and
//! [`stabilize`] (the next state) → [`output`] (forces, energies, errors by the user's names).
//! [`simulator::Simulator`] runs these stages, and its [`step`](simulator::Simulator::step) writes the
//! next state to the world once, at the end. Equal input gives equal bits, in native code and in
//! WebAssembly. There is no IO, no clock, no thread and no unsafe code.

pub mod assembly;
pub mod behavior;
pub mod block;
pub mod body;
pub mod collide;
pub mod connector;
pub mod constraint;
pub mod diagnose;
mod equations;
pub mod error;
mod frame;
mod id;
pub mod integrate;
pub mod linalg;
pub mod math;
pub mod output;
pub mod shape;
pub mod simulator;
pub mod solve;
mod springs;
pub mod stabilize;
pub mod step;
pub mod system;
pub mod topology;
mod words;
pub mod world;

pub use error::Error;
pub use words::Choices;

/// What most programs use: a world, its bodies and joints, and what moves it.
pub mod prelude {
    pub use crate::assembly::AssembleOptions;
    pub use crate::behavior::{ConstantForce, Gravity, Motor, Spring, ViscousDrag};
    pub use crate::body::{
        Cuboid, Cylinder, Disc, Kinematic, Particle, PlanarBox, PlanarDisc, PlanarRod, Pose,
        RigidBody, Rod, Sphere,
    };
    pub use crate::constraint::{AngleDrive, Distance, LengthDrive, Ramp, Screw, Sine};
    pub use crate::diagnose::diagnose;
    pub use crate::error::Error;
    pub use crate::output::ReactionOptions;
    pub use crate::simulator::Simulator;
    pub use crate::solve::Method;
    pub use crate::step::{Budget, StepOptions, StepReport};
    pub use crate::world::{
        Ball, BehaviorId, BlockId, BodyId, ConstraintId, Cylindrical, Drag, Dynamics, GROUND,
        Hinge, Prismatic, Universal, Weld, World,
    };
}

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
