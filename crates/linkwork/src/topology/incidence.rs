//! Which constraints touch which bodies: all that topology is told.

/// A body as a node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyNode {
    /// Identity that survives edits elsewhere (the id's number).
    pub(crate) key: u64,
    /// Velocity coordinates.
    pub(crate) n_v: u32,
    /// Whether other bodies may be folded into its mass matrix (small and dense). Bodies that keep
    /// their own factor are eliminated before their constraints.
    pub(crate) foldable: bool,
}

/// When a constraint is offered a place in the spanning forest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    First,
    #[default]
    InOrder,
    Never,
}

/// A constraint as a node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConstraintNode {
    /// Identity that survives edits elsewhere (the id's number).
    pub(crate) key: u64,
    /// Rows.
    pub(crate) n_rows: u32,
    /// First of its bodies in [`Incidence::touched`].
    pub(crate) start: u32,
    /// How many bodies with coordinates it touches.
    pub(crate) n_bodies: u32,
    /// Priority 0, pushing along its own rows: part of the factor. Others overlay it.
    pub(crate) primary: bool,
    /// Soft, and on one body alone: eliminated inside that body's block before anything else.
    pub(crate) absorbed: bool,
    /// Which place it asks for.
    pub(crate) turn: Turn,
    /// The joint that it rides on: soft, between the same two bodies as a joint with one freedom. `NONE` if
    /// there is none.
    pub(crate) rides_on: u32,
}

/// Bodies, constraints, and who touches whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Incidence {
    /// Bodies with coordinates that take part.
    pub(crate) bodies: Vec<BodyNode>,
    /// Constraints that take part.
    pub(crate) constraints: Vec<ConstraintNode>,
    /// Bodies of each constraint, one after the other; no body twice in one constraint.
    pub(crate) touched: Vec<u32>,
}

impl Incidence {
    /// Empties it and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.bodies.clear();
        self.constraints.clear();
        self.touched.clear();
    }

    /// The bodies constraint `c` touches.
    pub(crate) fn bodies_of(&self, c: u32) -> &[u32] {
        let node = &self.constraints[c as usize];
        &self.touched[node.start as usize..(node.start + node.n_bodies) as usize]
    }
}
