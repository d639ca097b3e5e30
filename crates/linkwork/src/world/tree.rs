//! The user's choice of joints for the spanning forest (Faure 1999, fig. 2).

use super::{ConstraintId, World};
use crate::error::Error;
use crate::words::words;

/// Preferred role of a constraint: in the spanning forest, which the forest methods solve exactly, or among the
/// loops, which they iterate or factor as a dense matrix. `Direct` and the normal equations use no forest.
///
/// It is a preference and never affects correctness.
/// [`Simulator::standings`](crate::simulator::Simulator::standings) tells whether it could be met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// No preference: in the forest, unless earlier constraints connect the same bodies.
    #[default]
    Automatic,
    /// In the forest, before all others.
    In,
    /// Among the constraints that close loops.
    Loop,
}

words! {
    Tree, "tree":
    Self::Automatic = Self::Automatic, "automatic", "In the tree, if joints before it leave room.";
    Self::In = Self::In, "in", "In the tree, before joints that do not ask for it.";
    Self::Loop = Self::Loop, "loop", "Closes a loop.";
}

impl World {
    /// Sets the preferred role in the spanning forest.
    pub fn set_tree(&mut self, id: ConstraintId, tree: Tree) -> Result<(), Error> {
        self.constraints.get_mut(id)?.tree = tree;
        self.touch();
        Ok(())
    }
}
