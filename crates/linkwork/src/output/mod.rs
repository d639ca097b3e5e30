//! Results: what a world does, in the user's own names.
//!
//! | question                                     | answer                                        |
//! |----------------------------------------------|-----------------------------------------------|
//! | how does a body accelerate?                  | [`Solution::of_body`]                         |
//! | how does a point of it accelerate?           | [`World::connector_acceleration`]             |
//! | what force and torque does a joint carry?    | [`World::reaction`]                           |
//! | where is the energy?                         | [`World::energy`]                             |
//! | how much does everything move together?      | [`World::momentum`], [`World::center_of_mass`] |
//! | how well do the constraints hold?            | [`World::constraint_errors`]                  |
//!
//! Everything is read off the world's present state (and off a solution, where one is given); no
//! simulator is needed. These are reports: they allocate, and they go through the traits, so that
//! they hold for anyone's bodies and constraints.
//!
//! What is disabled does not count: not its mass, its energy, its error or its force.
//!
//! [`Solution::of_body`]: crate::solve::Solution::of_body
//! [`World::connector_acceleration`]: crate::world::World::connector_acceleration
//! [`World::reaction`]: crate::world::World::reaction
//! [`World::energy`]: crate::world::World::energy
//! [`World::momentum`]: crate::world::World::momentum
//! [`World::center_of_mass`]: crate::world::World::center_of_mass
//! [`World::constraint_errors`]: crate::world::World::constraint_errors

mod accelerations;
mod energy;
mod errors;
mod hash;
mod instant;
mod momentum;
mod reaction;

pub use energy::Energy;
pub use errors::{ConstraintError, RowError};
pub use reaction::{About, Expressed, Reaction, ReactionOptions, Side};

#[cfg(test)]
mod tests;
