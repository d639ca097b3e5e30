//! Which joints shall form the spanning forest (Faure 1999, fig. 2).

use super::{ConstraintId, World};
use crate::error::Error;
use crate::words::words;

/// Where a constraint wants to be: in the spanning forest, which the forest methods solve exactly, or
/// among the loops, which they iterate or factor as a dense matrix. `Direct` and the normal equations know
/// no forest.
///
/// It is a wish. Where it cannot be granted,
/// [`Simulator::standings`](crate::simulator::Simulator::standings) says so, and every solve is as right as
/// without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// Wherever it fits: in the forest, unless constraints before it have closed the way.
    #[default]
    Automatic,
    /// In the forest, before all that do not ask for it.
    In,
    /// Among those that close loops.
    Loop,
}

words! {
    Tree, "tree":
    Self::Automatic = Self::Automatic, "automatic", "In the tree, if joints before it leave room.";
    Self::In = Self::In, "in", "In the tree, before joints that do not ask for it.";
    Self::Loop = Self::Loop, "loop", "Closes a loop.";
}

impl World {
    /// Asks for a place in the spanning forest, or among the loops.
    pub fn set_tree(&mut self, id: ConstraintId, tree: Tree) -> Result<(), Error> {
        self.constraints.get_mut(id)?.tree = tree;
        self.touch();
        Ok(())
    }
}
