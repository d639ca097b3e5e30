//! The layout of a world's equations: which bodies and constraints take part, where their numbers are stored,
//! which connectors are shared. Indices and parameters only; written by `compile`, read by every fill.

use super::contacts::ColliderAt;
use super::plane::{PinSource, PlanarSource};
use super::soft::SoftRow;
use crate::body::PrincipalInertia;
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::FramePair;
use crate::math::{Mat3, Sym3, Vec3};
use crate::topology::{Incidence, NONE};
use crate::world::World;

/// A rigid body of the typed pool: parameters, and indices of its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidSource {
    pub(super) q0: u32,
    pub(super) v0: u32,
    pub(super) mass: f64,
    pub(super) inv_mass: f64,
    pub(super) inertia_body: Sym3,
}

/// A point or frame in space on a rigid body or on a body without coordinates, evaluated once per
/// instant by the typed path.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpaceSource {
    /// Index in the pool of rigid bodies, or `NONE`.
    pub(super) rigid: u32,
    /// From the center of mass, body components.
    pub(super) lever_body: Vec3,
    /// Index among the frames, or `NONE` for a point.
    pub(super) frame: u32,
    /// Its slot among all connectors.
    pub(super) slot: u32,
    /// Its index among those that are evaluated first; `NONE` if only one frame pair reads it and evaluates it
    /// itself.
    pub(super) shared: u32,
    /// Whether a reader needs more of the frame than its main axis.
    pub(super) whole: bool,
}

/// A connector, shared by all uses of the same site of the same body, or of the same output of a block.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The site, unless it is an output of a block.
    pub(super) at: Option<SiteAt>,
    pub(super) kind: ConnectorKind,
    /// Place in the typed pool, or `NONE`.
    pub(super) space: u32,
    /// Offsets in the generic arrays, or `NONE` if not needed.
    pub(super) x0: u32,
    pub(super) x_dot0: u32,
    /// First of its sides in `Layout::sides`, and their number.
    pub(super) side0: u32,
    pub(super) n_sides: u32,
}

/// A site of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteAt {
    /// Position of the body's record in the world, or `NONE` for the ground.
    pub(super) record: u32,
    /// Index among bodies with coordinates, or `NONE`.
    pub(super) body: u32,
    pub(super) name: SiteName,
}

/// The location of a site in a world. A site may be a frame of twelve numbers, which are not copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteName {
    pub(super) by: NamedBy,
    /// Index of the connector in the record.
    pub(super) connector: u16,
    /// Position of the record in the world.
    pub(super) record: u32,
}

/// The kind of record.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamedBy {
    Constraint,
    Behavior,
    Block,
}

impl SiteName {
    /// The site in the compiled world, or in a copy of it.
    #[inline(always)]
    pub(super) fn site(self, world: &World) -> &Site {
        let at = self.record as usize;
        let connectors = match self.by {
            NamedBy::Constraint => &world.constraints()[at].connectors,
            NamedBy::Behavior => &world.behaviors()[at].connectors,
            NamedBy::Block => &world.blocks()[at].inputs,
        };
        match &connectors[self.connector as usize] {
            Connector::Site { site, .. } => site,
            Connector::Output { .. } => unreachable!("only sites have names"),
        }
    }
}

/// A body with coordinates that moves a connector, and `L` over its columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotSide {
    pub(super) body: u32,
    /// Offset of `L` in the generic arrays, or `NONE` if it is not needed or the identity.
    pub(super) l0: u32,
    pub(super) is_identity: bool,
    pub(super) n_cols: u32,
    /// First of its column indices in `Layout::slot_columns`, or `NONE` for all.
    pub(super) columns: u32,
}

impl Slot {
    /// For a site: position of the body's record in the world, or `NONE`.
    pub(super) fn record(&self) -> u32 {
        self.at.as_ref().map_or(NONE, |at| at.record)
    }

    /// For a site: index among bodies with coordinates, or `NONE`.
    pub(super) fn body(&self) -> u32 {
        self.at.as_ref().map_or(NONE, |at| at.body)
    }
}

/// A block that something reads.
#[derive(Clone, Debug)]
pub(super) struct BlockSource {
    /// Position of its record in the world.
    pub(super) record: u32,
    /// Slots of its inputs, and the total number of their rates.
    pub(super) inputs: Vec<u32>,
    pub(super) n_in: u32,
    /// Ranges of these rates in the generic arrays: start and length.
    pub(super) runs: Vec<(u32, u32)>,
    /// Offsets of its outputs in the generic arrays, one after another.
    pub(super) x0: u32,
    pub(super) n_x: u32,
    pub(super) x_dot0: u32,
    pub(super) n_out: u32,
    /// Products that make `L` of its outputs: `first..first + n` of `Layout::products`.
    pub(super) product0: u32,
    pub(super) n_products: u32,
}

/// A part of `L = Σ D·L_i`: some rows and columns of `D` times a side of an input, into a side of an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) factor: ProductFactor,
    /// Columns of the input's side.
    pub(super) n_cols: u32,
    /// `L` of the output's side: offset, columns, and whether this is the first product into it.
    pub(super) into: u32,
    pub(super) n_into: u32,
    pub(super) is_first: bool,
    /// Columns of the output's side for those of the input's: an offset in `Layout::input_columns`, or `NONE`
    /// if they are the same.
    pub(super) map: u32,
    /// Rows and columns of `D`.
    pub(super) row: u32,
    pub(super) n_rows: u32,
    pub(super) column: u32,
    pub(super) n_own: u32,
}

/// `L_i` of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProductFactor {
    Identity,
    /// At an offset of the generic arrays.
    Dense(u32),
    /// One number for each of several scalars, from an offset on.
    Diagonal(u32),
}

/// A frame pair of the typed pools.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairSource {
    pub(super) pair: FramePair,
    /// Places of its connectors in the typed pool.
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) row0: u32,
}

/// A constraint evaluated through its trait.
#[derive(Clone, Debug)]
pub(super) struct GenericConstraint {
    /// Position of its record in the world, index in the system (`NONE` if it is bounded), and first row.
    pub(super) record: u32,
    pub(super) constraint: u32,
    pub(super) row0: u32,
    /// Whether its force acts along other directions than its rows (K ≠ Jᵀ).
    pub(super) pushes: bool,
    pub(super) slots: Vec<u32>,
    /// For each side of each input: the block of its body, and the offset of its columns among the block's
    /// (`NONE` if they are the same).
    pub(super) block_of_side: Vec<(u32, u32)>,
}

/// A behavior evaluated through its trait.
#[derive(Clone, Debug)]
pub(super) struct GenericBehavior {
    pub(super) record: u32,
    pub(super) slots: Vec<u32>,
}

/// The layout of a world's equations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(super) rigid: Vec<RigidSource>,
    /// Principal moments of the rigid bodies, in the order of `rigid`.
    pub(super) principal: Vec<PrincipalInertia>,
    /// Bodies of `rigid` without torques: no constraint, no behavior but a uniform field.
    pub(super) unturned: Vec<u32>,
    /// Positions in the world of bodies evaluated through their trait, with their index.
    pub(super) generic_bodies: Vec<(u32, u32)>,
    /// Positions in the world of bodies that have coordinates but are not moved by forces.
    pub(super) followers: Vec<u32>,
    pub(super) space: Vec<SpaceSource>,
    /// Connectors of `space` that are evaluated first.
    pub(super) shared_space: Vec<u32>,
    pub(super) frame_rotations: Vec<Mat3>,
    pub(super) slots: Vec<Slot>,
    pub(super) sides: Vec<SlotSide>,
    pub(super) blocks: Vec<BlockSource>,
    pub(super) products: Vec<Product>,
    /// Slots that traits read.
    pub(super) generic_slots: Vec<u32>,
    /// Number of these that constraints and blocks read; the others are read by behaviors alone.
    pub(super) n_row_slots: usize,
    pub(super) slot_columns: Vec<u32>,
    pub(super) input_columns: Vec<u32>,
    pub(super) balls: Vec<PairSource>,
    pub(super) pairs: Vec<PairSource>,
    pub(super) planar: Vec<PlanarSource>,
    pub(super) pins: Vec<PinSource>,
    pub(super) generic_constraints: Vec<GenericConstraint>,
    /// Constraints with bounded forces, which are not part of the factor.
    pub(super) bounded_constraints: Vec<GenericConstraint>,
    /// Colliders, and pairs of joined bodies (by their records' positions; `NONE` is the ground).
    pub(super) colliders: Vec<ColliderAt>,
    pub(super) joined: crate::world::Joined,
    pub(super) generic_behaviors: Vec<GenericBehavior>,
    /// Positions in the world of fields on every body that are not uniform.
    pub(super) fields: Vec<u32>,
    pub(super) gravity_world: Vec3,
    /// Soft rows that are springs or dampers.
    pub(crate) soft_rows: Vec<SoftRow>,
    /// Whether some constraint is an objective.
    pub(crate) has_objectives: bool,
    pub(super) n_x: usize,
    pub(super) n_x_dot: usize,
    pub(super) n_l: usize,
    /// Largest `n_rows × Σ n_x_dot` of a generic constraint, `D` of a block, and `Σ n_x_dot` of a behavior.
    pub(super) n_scratch: usize,
    pub(crate) incidence: Incidence,
}

impl Layout {
    /// Clears the layout and keeps its buffers.
    pub(super) fn clear(&mut self) {
        let Self {
            rigid,
            principal,
            unturned,
            generic_bodies,
            followers,
            space,
            shared_space,
            frame_rotations,
            slots,
            sides,
            blocks,
            products,
            generic_slots,
            n_row_slots,
            slot_columns,
            input_columns,
            balls,
            pairs,
            planar,
            pins,
            generic_constraints,
            bounded_constraints,
            colliders: _,
            joined: _,
            generic_behaviors,
            fields,
            gravity_world,
            soft_rows,
            has_objectives,
            n_x,
            n_x_dot,
            n_l,
            n_scratch,
            incidence,
        } = self;
        rigid.clear();
        principal.clear();
        unturned.clear();
        generic_bodies.clear();
        followers.clear();
        space.clear();
        shared_space.clear();
        frame_rotations.clear();
        slots.clear();
        sides.clear();
        blocks.clear();
        products.clear();
        generic_slots.clear();
        *n_row_slots = 0;
        slot_columns.clear();
        input_columns.clear();
        balls.clear();
        pairs.clear();
        planar.clear();
        pins.clear();
        generic_constraints.clear();
        bounded_constraints.clear();
        generic_behaviors.clear();
        fields.clear();
        *gravity_world = [0.0; 3];
        soft_rows.clear();
        *has_objectives = false;
        (*n_x, *n_x_dot, *n_l, *n_scratch) = (0, 0, 0, 0);
        incidence.clear();
    }

    pub(super) fn sides_of(&self, slot: &Slot) -> &[SlotSide] {
        &self.sides[slot.side0 as usize..][..slot.n_sides as usize]
    }

    pub(super) fn columns_of(&self, side: &SlotSide) -> Option<&[u32]> {
        (side.columns != NONE)
            .then(|| &self.slot_columns[side.columns as usize..][..side.n_cols as usize])
    }
}
