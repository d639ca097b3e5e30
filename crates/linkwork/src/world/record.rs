//! Records of bodies, constraints, behaviors and blocks.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::store::{LISTS, Lists, Record};
use super::{BehaviorId, BlockId, BodyId, BreakLimit, Collider, ConstraintId, State, Tree};
use crate::behavior::Behavior;
use crate::block::Block;
use crate::body::Body;
use crate::connector::{Connector, ConnectorKind};
use crate::constraint::{Constraint, RowUnit};

/// The record of a body.
#[derive(Clone, Debug)]
pub struct BodyRecord {
    pub(crate) id: BodyId,
    pub(crate) label: Arc<str>,
    pub(crate) body: Arc<dyn Body>,
    pub(crate) enabled: bool,
    pub(crate) colliders: Arc<[Collider]>,
    /// Where its coordinates begin in `State::q`.
    pub(crate) q0: usize,
    /// Where its velocities begin in `State::v`.
    pub(crate) v0: usize,
}

impl BodyRecord {
    /// The body itself.
    pub fn body(&self) -> &dyn Body {
        &*self.body
    }
    /// The body itself, to share.
    pub fn shared_body(&self) -> Arc<dyn Body> {
        self.body.clone()
    }
    /// Whether it is enabled. Constraints and behaviors on a disabled body are inactive.
    pub fn enabled(&self) -> bool {
        self.enabled
    }
    /// Its colliders.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }
    /// Its part of [`State::q`].
    pub fn q_range(&self) -> Range<usize> {
        self.q0..self.q0 + self.body.n_q()
    }
    /// Its part of [`State::v`].
    pub fn v_range(&self) -> Range<usize> {
        self.v0..self.v0 + self.body.n_v()
    }
}

/// The record of a constraint.
#[derive(Clone, Debug)]
pub struct ConstraintRecord {
    pub(crate) id: ConstraintId,
    pub(crate) label: Arc<str>,
    pub(crate) constraint: Arc<dyn Constraint>,
    pub(crate) connectors: Vec<Connector>,
    /// Whether its connectors are in the plane.
    pub(crate) in_plane: bool,
    pub(crate) enabled: bool,
    pub(crate) priority: u8,
    pub(crate) weight: f64,
    /// Zeros are shared: hard joints have nothing else.
    pub(crate) compliance: Cow<'static, [f64]>,
    pub(crate) damping: Cow<'static, [f64]>,
    pub(crate) break_limit: Option<BreakLimit>,
    pub(crate) tree: Tree,
    /// Where its rows begin in `State::lambda`.
    pub(crate) row0: usize,
    /// Where its angles begin in `State::turns`.
    pub(crate) angle0: usize,
}

impl ConstraintRecord {
    /// The constraint itself.
    pub fn constraint(&self) -> &dyn Constraint {
        &*self.constraint
    }
    /// The constraint itself, to share.
    pub fn shared_constraint(&self) -> Arc<dyn Constraint> {
        self.constraint.clone()
    }
    /// What it connects.
    pub fn connectors(&self) -> &[Connector] {
        &self.connectors
    }
    /// Whether it acts in the plane, as its connectors do.
    pub fn in_plane(&self) -> bool {
        self.in_plane
    }
    /// The kinds of its connectors.
    pub fn inputs(&self) -> &[ConnectorKind] {
        self.constraint.inputs_of(self.in_plane)
    }
    /// The unit of each row.
    pub fn rows(&self) -> &[RowUnit] {
        self.constraint.rows_of(self.in_plane)
    }
    /// Whether it is enabled. It acts only if [`World::is_active`](crate::world::World::is_active).
    pub fn enabled(&self) -> bool {
        self.enabled
    }
    /// Its priority: 0 is exact, higher numbers give way in least squares.
    pub fn priority(&self) -> u8 {
        self.priority
    }
    /// Its weight within its priority, for rows that cannot all be met, or not yet.
    pub fn weight(&self) -> f64 {
        self.weight
    }
    /// Compliance of each row, in row units per newton or newton meter; zero is hard.
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }
    /// Damping of each soft row, in newtons (or newton meters) per row unit and second.
    pub fn damping(&self) -> &[f64] {
        &self.damping
    }
    /// The load beyond which it breaks.
    pub fn break_limit(&self) -> Option<BreakLimit> {
        self.break_limit
    }
    /// Its preferred role in the spanning forest.
    pub fn tree(&self) -> Tree {
        self.tree
    }
    /// Its part of [`State::lambda`].
    pub fn row_range(&self) -> Range<usize> {
        self.row0..self.row0 + self.rows().len()
    }
    /// Number of its angles whose full turns are counted.
    pub fn n_angles(&self) -> usize {
        if self.in_plane {
            0
        } else {
            self.constraint.n_angles()
        }
    }
    /// Its part of `State::turns.joints`.
    pub fn angle_range(&self) -> Range<usize> {
        self.angle0..self.angle0 + self.n_angles()
    }
}

/// The record of a behavior.
#[derive(Clone, Debug)]
pub struct BehaviorRecord {
    pub(crate) id: BehaviorId,
    pub(crate) label: Arc<str>,
    pub(crate) behavior: Arc<dyn Behavior>,
    pub(crate) connectors: Vec<Connector>,
    /// Whether its connectors are in the plane.
    pub(crate) in_plane: bool,
    pub(crate) enabled: bool,
    /// Where its angles begin in `State::turns`.
    pub(crate) angle0: usize,
}

impl BehaviorRecord {
    /// The behavior itself.
    pub fn behavior(&self) -> &dyn Behavior {
        &*self.behavior
    }
    /// The behavior itself, to share.
    pub fn shared_behavior(&self) -> Arc<dyn Behavior> {
        self.behavior.clone()
    }
    /// What it acts on.
    pub fn connectors(&self) -> &[Connector] {
        &self.connectors
    }
    /// Whether it acts in the plane, as its connectors do.
    pub fn in_plane(&self) -> bool {
        self.in_plane
    }
    /// The kinds of its connectors.
    pub fn inputs(&self) -> &[ConnectorKind] {
        self.behavior.inputs_of(self.in_plane)
    }
    /// Whether it acts.
    pub fn enabled(&self) -> bool {
        self.enabled
    }
    /// Number of its angles whose full turns are counted.
    pub fn n_angles(&self) -> usize {
        if self.in_plane {
            0
        } else {
            self.behavior.n_angles()
        }
    }
    /// Its part of `State::turns.springs`.
    pub fn angle_range(&self) -> Range<usize> {
        self.angle0..self.angle0 + self.n_angles()
    }
}

/// The record of a block.
#[derive(Clone, Debug)]
pub struct BlockRecord {
    pub(crate) id: BlockId,
    pub(crate) label: Arc<str>,
    pub(crate) block: Arc<dyn Block>,
    pub(crate) inputs: Vec<Connector>,
    pub(crate) enabled: bool,
    /// Whether it and all blocks that it uses are enabled.
    pub(super) is_on: bool,
    /// The bodies that move its inputs, ascending.
    pub(super) bodies: Vec<BodyId>,
}

impl BlockRecord {
    /// The block itself.
    pub fn block(&self) -> &dyn Block {
        &*self.block
    }
    /// The block itself, to share.
    pub fn shared_block(&self) -> Arc<dyn Block> {
        self.block.clone()
    }
    /// What it takes.
    pub fn inputs(&self) -> &[Connector] {
        &self.inputs
    }
    /// The kinds of its outputs.
    pub fn outputs(&self) -> &[ConnectorKind] {
        self.block.outputs()
    }
    /// Whether it is enabled. Everything that uses a disabled block is inactive.
    pub fn enabled(&self) -> bool {
        self.enabled
    }
    /// The bodies that move its outputs, including the ground.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }
}

/// What the four kinds share. `$own` is what they do not.
macro_rules! record {
    ($record:ident, $id:ident, { $($own:tt)* }) => {
        impl $record {
            /// The id.
            pub fn id(&self) -> $id {
                self.id
            }
            /// The user's label.
            pub fn label(&self) -> &str {
                &self.label
            }
        }

        impl Record for $record {
            type Id = $id;

            fn id(&self) -> $id {
                self.id
            }
            fn label(&self) -> &Arc<str> {
                &self.label
            }
            fn set_label(&mut self, label: Arc<str>) {
                self.label = label;
            }
            fn set_enabled(&mut self, enabled: bool) {
                self.enabled = enabled;
            }
            $($own)*
        }
    };
}

record!(BodyRecord, BodyId, {
    const RESERVED_LABEL: Option<&'static str> = Some("ground");

    fn lists(state: &mut State) -> Lists<'_> {
        [Some((&mut state.q, 0.0)), Some((&mut state.v, 0.0)), None]
    }
    fn lengths(&self) -> [usize; LISTS] {
        [self.body.n_q(), self.body.n_v(), 0]
    }
    fn starts(&self) -> [usize; LISTS] {
        [self.q0, self.v0, 0]
    }
    fn place(&mut self, starts: [usize; LISTS]) {
        [self.q0, self.v0, _] = starts;
    }
});

record!(ConstraintRecord, ConstraintId, {
    fn connectors(&self) -> &[Connector] {
        &self.connectors
    }
    fn kinds(&self) -> &[ConnectorKind] {
        self.inputs()
    }
    fn lists(state: &mut State) -> Lists<'_> {
        [
            Some((&mut state.lambda, 0.0)),
            state.unfinished.list().map(|list| (list, 0.0)),
            Some((&mut state.turns.joints, f64::INFINITY)),
        ]
    }
    fn lengths(&self) -> [usize; LISTS] {
        let n_rows = self.rows().len();
        [n_rows, n_rows, self.n_angles()]
    }
    fn starts(&self) -> [usize; LISTS] {
        [self.row0, self.row0, self.angle0]
    }
    fn place(&mut self, starts: [usize; LISTS]) {
        [self.row0, _, self.angle0] = starts;
    }
});

record!(BlockRecord, BlockId, {
    fn connectors(&self) -> &[Connector] {
        &self.inputs
    }
    fn kinds(&self) -> &[ConnectorKind] {
        self.block.inputs()
    }
    fn lists(_: &mut State) -> Lists<'_> {
        [None, None, None]
    }
});

record!(BehaviorRecord, BehaviorId, {
    fn connectors(&self) -> &[Connector] {
        &self.connectors
    }
    fn kinds(&self) -> &[ConnectorKind] {
        self.inputs()
    }
    fn lists(state: &mut State) -> Lists<'_> {
        [None, None, Some((&mut state.turns.springs, f64::INFINITY))]
    }
    fn lengths(&self) -> [usize; LISTS] {
        [0, 0, self.n_angles()]
    }
    fn starts(&self) -> [usize; LISTS] {
        [0, 0, self.angle0]
    }
    fn place(&mut self, starts: [usize; LISTS]) {
        self.angle0 = starts[2];
    }
});
