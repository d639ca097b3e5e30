//! The graph of bodies and constraints, the only input of topology.

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

/// The order in which constraints are tried for the spanning forest.
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
    /// Priority 0, with forces along its own rows: part of the factor. Others overlay it.
    pub(crate) primary: bool,
    /// Soft, and on one body alone: eliminated inside that body's block before anything else.
    pub(crate) absorbed: bool,
    /// Its preference.
    pub(crate) turn: Turn,
    /// The joint that it rides on, for a soft row between the same two bodies as a joint with one degree of
    /// freedom; or `NONE`.
    pub(crate) rides_on: u32,
}

/// Bodies, constraints, and the bodies of each constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Incidence {
    /// Enabled bodies with coordinates.
    pub(crate) bodies: Vec<BodyNode>,
    /// Active constraints.
    pub(crate) constraints: Vec<ConstraintNode>,
    /// Bodies of each constraint, one after the other; no body twice in one constraint.
    pub(crate) touched: Vec<u32>,
}

impl Incidence {
    /// Clears it and keeps its buffers.
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
