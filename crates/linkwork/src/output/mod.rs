//! Results: accelerations, forces, energies and errors, by the user's names.
//!
//! | question                                     | answer                                        |
//! |----------------------------------------------|-----------------------------------------------|
//! | how does a body accelerate?                  | [`Solution::of_body`]                         |
//! | how does a point of it accelerate?           | [`World::connector_acceleration`]             |
//! | what force and torque does a joint carry?    | [`World::reaction`]                           |
//! | what does each body get of it?               | [`World::shares`]                             |
//! | what do behaviors do?                        | [`World::action`]                             |
//! | where is the energy?                         | [`World::energy`]                             |
//! | how much does everything move together?      | [`World::momentum`], [`World::center_of_mass`] |
//! | how well do the constraints hold?            | [`World::constraint_errors`]                  |
//! | what do objectives make small?               | [`World::objectives`]                         |
//! | what is at its bound?                        | [`World::at_bounds`]                          |
//!
//! Everything is computed from the world's current state (and from a solution, where one is given); no
//! simulator is needed. These are reports: they allocate, and they use the traits, so that they also
//! work for user-defined bodies and constraints.
//!
//! Disabled parts do not count: neither their mass nor their energy, error or force.
//!
//! [`Solution::of_body`]: crate::solve::Solution::of_body
//! [`World::connector_acceleration`]: crate::world::World::connector_acceleration
//! [`World::reaction`]: crate::world::World::reaction
//! [`World::shares`]: crate::world::World::shares
//! [`World::action`]: crate::world::World::action
//! [`World::energy`]: crate::world::World::energy
//! [`World::momentum`]: crate::world::World::momentum
//! [`World::center_of_mass`]: crate::world::World::center_of_mass
//! [`World::objectives`]: crate::world::World::objectives
//! [`World::at_bounds`]: crate::world::World::at_bounds
//! [`World::constraint_errors`]: crate::world::World::constraint_errors

mod accelerations;
mod energy;
mod errors;
mod hash;
mod instant;
mod momentum;
mod objective;
mod reaction;

pub use energy::Energy;
pub use errors::{ConstraintError, RowError};
pub use objective::{AtBound, Objective};
pub use reaction::{About, Action, Expressed, Reaction, ReactionOptions, Share, Side};

#[cfg(test)]
mod tests;
