//! From a world to a layout: which bodies and constraints take part, where their numbers live,
//! which connectors are shared. Redone after every edit.

use std::collections::BTreeMap;

use super::joint::{BallJoint, FrameJoint};
use super::system::{
    BodyBlock, ConstraintBlock, JacobianBlock, JacobianKind, MassBlock, RigidBlock, System,
};
use crate::body::MassKind;
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::{FramePair, Level, RotationRows, RowUnit};
use crate::math::{IDENTITY3, Mat3, Sym3, Vec3};
use crate::topology::{BodyNode, ConstraintNode, Incidence, NONE};
use crate::world::{BodyRecord, GROUND, World};

/// Small dense bodies up to this many velocities may be folded into each other.
const FOLDABLE_N_V: usize = 12;

/// A rigid body of the typed pool: parameters, and where its state is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidSource {
    pub(super) q0: u32,
    pub(super) v0: u32,
    pub(super) mass: f64,
    pub(super) inertia_body: Sym3,
}

/// A point or frame in space on a rigid body or on a body without coordinates, evaluated once per
/// instant by the typed path.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpaceSource {
    /// Index in the pool of rigid bodies, or `NONE`.
    pub(super) rigid: u32,
    /// From the centre of mass, body components.
    pub(super) lever_body: Vec3,
    /// Index among the frames, or `NONE` for a point.
    pub(super) frame: u32,
    /// Its slot among all connectors.
    pub(super) slot: u32,
    /// Only one frame pair reads it, which evaluates it on the spot.
    pub(super) exclusive: bool,
    /// Somebody reads more of the frame than its main axis.
    pub(super) whole: bool,
}

/// A connector, shared by whoever names the same site of the same body.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Position of the body's record in the world, or `NONE` for the ground.
    pub(super) record: u32,
    /// Index among bodies with coordinates, or `NONE`.
    pub(super) body: u32,
    pub(super) site: Site,
    pub(super) kind: ConnectorKind,
    /// Place in the typed pool, or `NONE`.
    pub(super) space: u32,
    /// Places in the generic arrays, or `NONE` while nobody needs them.
    pub(super) x0: u32,
    pub(super) x_dot0: u32,
    pub(super) l0: u32,
    pub(super) n_cols: u32,
    /// Where its column indices begin in `Layout::slot_columns`, or `NONE` for all.
    pub(super) columns: u32,
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
    /// Position of its record in the world, and index in the system.
    pub(super) record: u32,
    pub(super) constraint: u32,
    pub(super) slots: Vec<u32>,
    /// For each input: which block its body has (`NONE` without coordinates) and which of the
    /// block's columns its own columns are (`NONE` when they are the same).
    pub(super) block_of_input: Vec<(u32, u32)>,
}

/// A behavior evaluated through its trait.
#[derive(Clone, Debug)]
pub(super) struct GenericBehavior {
    pub(super) record: u32,
    pub(super) slots: Vec<u32>,
}

/// Where everything of a world is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(super) rigid: Vec<RigidSource>,
    /// Positions in the world of bodies evaluated through their trait, with their index.
    pub(super) generic_bodies: Vec<(u32, u32)>,
    pub(super) space: Vec<SpaceSource>,
    pub(super) frame_rotations: Vec<Mat3>,
    pub(super) slots: Vec<Slot>,
    pub(super) slot_columns: Vec<u32>,
    pub(super) input_columns: Vec<u32>,
    pub(super) balls: Vec<PairSource>,
    pub(super) pairs: Vec<PairSource>,
    pub(super) generic_constraints: Vec<GenericConstraint>,
    pub(super) generic_behaviors: Vec<GenericBehavior>,
    /// Positions in the world of fields on every body that are not uniform.
    pub(super) fields: Vec<u32>,
    pub(super) gravity_world: Vec3,
    pub(super) n_x: usize,
    pub(super) n_x_dot: usize,
    pub(super) n_l: usize,
    /// Largest `n_rows × Σ n_x_dot` of a generic constraint, and `Σ n_x_dot` of a behavior.
    pub(super) n_scratch: usize,
    pub(crate) incidence: Incidence,
}

impl Layout {
    /// Lays out `world` and sizes `system` for it.
    pub(crate) fn compile(world: &World, system: &mut System) -> Self {
        let mut builder = Builder {
            world,
            layout: Self::default(),
            interned: BTreeMap::new(),
            index_of: vec![NONE; world.bodies().len()],
            rigid_of: vec![NONE; world.bodies().len()],
        };
        *system = System::default();
        builder.bodies(system);
        builder.constraints(system);
        builder.behaviors();
        builder.size(system);
        builder.layout
    }
}

struct Builder<'a> {
    world: &'a World,
    layout: Layout,
    interned: BTreeMap<(u64, [u64; 13]), u32>,
    /// Index among bodies with coordinates and in the rigid pool, by position in the world.
    index_of: Vec<u32>,
    rigid_of: Vec<u32>,
}

impl Builder<'_> {
    fn bodies(&mut self, system: &mut System) {
        let mut radius = (0.0, 0.0);
        for (position, record) in self.world.bodies().iter().enumerate() {
            let n_v = record.body.n_v();
            if !record.enabled || n_v == 0 {
                continue;
            }
            let index = system.bodies.len() as u32;
            self.index_of[position] = index;
            let mut foldable = n_v <= FOLDABLE_N_V;
            let offset = system.mass.len() as u32;
            let mass = if let Some(rigid) = record.body.as_rigid() {
                let properties = rigid.properties();
                let at = self.layout.rigid.len() as u32;
                self.rigid_of[position] = at;
                self.layout.rigid.push(RigidSource {
                    q0: record.q0 as u32,
                    v0: record.v0 as u32,
                    mass: properties.mass,
                    inertia_body: properties.inertia_body,
                });
                let inertia = properties.inertia_body;
                system.rigid.push(RigidBlock {
                    mass: properties.mass,
                    inv_mass: 1.0 / properties.mass,
                    inertia_world: inertia,
                });
                let trace = inertia[0] + inertia[1] + inertia[2];
                radius.0 += (trace / (3.0 * properties.mass)).sqrt();
                radius.1 += 1.0;
                MassBlock::Rigid(at)
            } else {
                self.layout.generic_bodies.push((position as u32, index));
                match record.body.mass_kind() {
                    // Small diagonal masses are written out, so that others can fold into them.
                    MassKind::Diagonal if foldable => {
                        system.mass.resize(system.mass.len() + n_v * n_v, 0.0);
                        MassBlock::Dense(offset)
                    }
                    MassKind::Dense => {
                        system.mass.resize(system.mass.len() + n_v * n_v, 0.0);
                        MassBlock::Dense(offset)
                    }
                    MassKind::Diagonal => {
                        foldable = false;
                        system.mass.resize(system.mass.len() + n_v, 0.0);
                        MassBlock::Diagonal(offset)
                    }
                    MassKind::Opaque(operator) => {
                        foldable = false;
                        let n_storage = operator.n_storage() as u32;
                        let at = system.operators.len() as u32;
                        system
                            .mass
                            .resize(system.mass.len() + n_storage as usize, 0.0);
                        system.operators.push(operator);
                        MassBlock::Opaque {
                            operator: at,
                            offset,
                            n_storage,
                        }
                    }
                }
            };
            let most_mobile = most_mobile(record, &self.world.state().q[record.q_range()]);
            system.bodies.push(BodyBlock {
                v0: record.v0 as u32,
                n_v: n_v as u32,
                mass,
                most_mobile,
            });
            self.layout.incidence.bodies.push(BodyNode {
                key: record.id.number(),
                n_v: n_v as u32,
                foldable,
            });
        }
        system.characteristic_length = if radius.1 > 0.0 {
            radius.0 / radius.1
        } else {
            1.0
        };
    }

    fn constraints(&mut self, system: &mut System) {
        let n_rows = self.world.state().lambda.len();
        system.compliance = vec![0.0; n_rows];
        system.velocity_level = vec![false; n_rows];
        system.row_scale = vec![1.0; n_rows];
        for position in 0..self.world.constraints().len() {
            let record = &self.world.constraints()[position];
            if !record.enabled || !self.world.all_enabled(&record.connectors) {
                continue;
            }
            let index = system.constraints.len() as u32;
            let pushes = record.constraint.pushes_elsewhere();
            let slots: Vec<u32> = record.connectors.iter().map(|c| self.intern(c)).collect();
            let soft = record.compliance.iter().any(|&c| c > 0.0);
            let typed = record.constraint.as_frame_pair().filter(|_| {
                !soft
                    && !pushes
                    && slots
                        .iter()
                        .all(|&s| self.layout.slots[s as usize].space != NONE)
            });
            let jacobian = match typed {
                Some(pair) => self.typed_pair(*pair, record.row0 as u32, &slots, system),
                None => self.generic_constraint(position, index, slots.clone(), system),
            };
            self.incidence_of(position, pushes, &slots);
            for (row, unit) in record.row_range().zip(record.constraint.rows()) {
                let length = system.characteristic_length;
                system.row_scale[row] = match unit {
                    RowUnit::Meter | RowUnit::Number => 1.0,
                    RowUnit::Radian => length,
                    RowUnit::SquareMeter => 1.0 / length,
                };
                system.velocity_level[row] = record.constraint.level() == Level::Velocity;
            }
            system.constraints.push(ConstraintBlock {
                row0: record.row0 as u32,
                n_rows: record.constraint.rows().len() as u32,
                jacobian,
                priority: record.priority,
                pushes,
                weight: record.weight,
            });
        }
    }

    fn incidence_of(&mut self, position: usize, pushes: bool, slots: &[u32]) {
        let record = &self.world.constraints()[position];
        let incidence = &mut self.layout.incidence;
        let start = incidence.touched.len();
        for &slot in slots {
            let body = self.layout.slots[slot as usize].body;
            if body != NONE && !incidence.touched[start..].contains(&body) {
                incidence.touched.push(body);
            }
        }
        incidence.constraints.push(ConstraintNode {
            key: record.id.number(),
            n_rows: record.constraint.rows().len() as u32,
            start: start as u32,
            n_bodies: (incidence.touched.len() - start) as u32,
            primary: record.priority == 0 && !pushes,
        });
    }

    fn typed_pair(
        &mut self,
        pair: FramePair,
        row0: u32,
        slots: &[u32],
        system: &mut System,
    ) -> JacobianKind {
        let slot = |i: usize| &self.layout.slots[slots[i] as usize];
        let (a, b) = (slot(0).body, slot(1).body);
        let v0 = |body: u32| match body {
            NONE => NONE,
            body => system.bodies[body as usize].v0,
        };
        let (v0_a, v0_b) = (v0(a), v0(b));
        let source = PairSource {
            pair,
            a: slot(0).space,
            b: slot(1).space,
            row0,
        };
        if pair.holds_point() && pair.rotation() == RotationRows::Free {
            self.layout.balls.push(source);
            system.balls.push(BallJoint {
                a,
                b,
                v0_a,
                v0_b,
                r_a: [0.0; 3],
                r_b: [0.0; 3],
            });
            return JacobianKind::Ball(system.balls.len() as u32 - 1);
        }
        self.layout.pairs.push(source);
        system.frames.push(FrameJoint {
            a,
            b,
            v0_a,
            v0_b,
            n_t: pair.n_translation_rows() as u8,
            n_r: pair.rotation().n_rows() as u8,
            r_a: [0.0; 3],
            r_b: [0.0; 3],
            t: IDENTITY3,
            g: [[0.0; 3]; 3],
        });
        JacobianKind::Frame(system.frames.len() as u32 - 1)
    }

    fn generic_constraint(
        &mut self,
        position: usize,
        index: u32,
        slots: Vec<u32>,
        system: &mut System,
    ) -> JacobianKind {
        let record = &self.world.constraints()[position];
        let n_rows = record.constraint.rows().len();
        for &slot in &slots {
            self.need_generic(slot);
        }
        // One block per body: the union of what its connectors depend on.
        let first = system.blocks.len();
        let mut unions: Vec<Option<Vec<u32>>> = Vec::new();
        for &slot in &slots {
            let slot = &self.layout.slots[slot as usize];
            if slot.body == NONE {
                continue;
            }
            let columns = self.layout.columns_of(slot).map(<[u32]>::to_vec);
            let blocks = &system.blocks[first..];
            match blocks.iter().position(|block| block.body == slot.body) {
                None => {
                    system.blocks.push(JacobianBlock {
                        body: slot.body,
                        offset: 0,
                        n_cols: 0,
                        columns: NONE,
                    });
                    unions.push(columns);
                }
                Some(at) => {
                    unions[at] = match (unions[at].take(), columns) {
                        (Some(mut mine), Some(theirs)) => {
                            mine.extend(theirs);
                            mine.sort_unstable();
                            mine.dedup();
                            Some(mine)
                        }
                        _ => None,
                    };
                }
            }
        }
        for (block, columns) in system.blocks[first..].iter_mut().zip(&unions) {
            block.offset = system.jacobian.len() as u32;
            match columns {
                None => block.n_cols = system.bodies[block.body as usize].n_v,
                Some(columns) => {
                    block.columns = system.columns.len() as u32;
                    block.n_cols = columns.len() as u32;
                    system.columns.extend(columns);
                }
            }
            system
                .jacobian
                .resize(system.jacobian.len() + n_rows * block.n_cols as usize, 0.0);
        }
        let mut block_of_input = Vec::with_capacity(slots.len());
        let mut n_x_dot = 0;
        for &slot in &slots {
            let slot = &self.layout.slots[slot as usize];
            n_x_dot += slot.kind.n_x_dot();
            let at = system.blocks[first..]
                .iter()
                .position(|block| block.body == slot.body);
            let Some(at) = at else {
                block_of_input.push((NONE, NONE));
                continue;
            };
            // Where the connector's columns sit among the block's, unless they are the same.
            let map = match (self.layout.columns_of(slot), &unions[at]) {
                (Some(mine), Some(union)) if mine != union.as_slice() => {
                    let start = self.layout.input_columns.len() as u32;
                    let places = mine.iter().map(|c| union.partition_point(|u| u < c) as u32);
                    let places: Vec<u32> = places.collect();
                    self.layout.input_columns.extend(places);
                    start
                }
                (Some(mine), None) => {
                    let start = self.layout.input_columns.len() as u32;
                    let places = mine.to_vec();
                    self.layout.input_columns.extend(places);
                    start
                }
                _ => NONE,
            };
            block_of_input.push(((first + at) as u32, map));
        }
        self.layout.n_scratch = self.layout.n_scratch.max(n_rows * n_x_dot);
        self.layout.generic_constraints.push(GenericConstraint {
            record: position as u32,
            constraint: index,
            slots,
            block_of_input,
        });
        JacobianKind::Blocks {
            first: first as u32,
            n: (system.blocks.len() - first) as u32,
        }
    }

    fn behaviors(&mut self) {
        for (position, record) in self.world.behaviors().iter().enumerate() {
            if !record.enabled || !self.world.all_enabled(&record.connectors) {
                continue;
            }
            if record.behavior.acts_on_every_body() {
                self.layout.fields.push(position as u32);
                if let Some(acceleration) = record.behavior.as_uniform_field() {
                    for k in 0..3 {
                        self.layout.gravity_world[k] += acceleration[k];
                    }
                }
            }
            if record.connectors.is_empty() {
                continue;
            }
            let slots: Vec<u32> = record.connectors.iter().map(|c| self.intern(c)).collect();
            let mut n_x_dot = 0;
            for &slot in &slots {
                self.need_generic(slot);
                n_x_dot += self.layout.slots[slot as usize].kind.n_x_dot();
            }
            self.layout.n_scratch = self.layout.n_scratch.max(n_x_dot);
            self.layout.generic_behaviors.push(GenericBehavior {
                record: position as u32,
                slots,
            });
        }
    }

    /// Finds out who reads which connector of the typed pool.
    fn readers(&mut self) {
        let layout = &mut self.layout;
        let mut n_readers = vec![0u32; layout.space.len()];
        for pair in layout.balls.iter().chain(&layout.pairs) {
            n_readers[pair.a as usize] += 1;
            n_readers[pair.b as usize] += 1;
            layout.space[pair.a as usize].whole = true;
            layout.space[pair.b as usize].whole |= pair.pair.rotation() != RotationRows::Axis;
        }
        for (source, n_readers) in layout.space.iter_mut().zip(n_readers) {
            let read_by_trait = layout.slots[source.slot as usize].x0 != NONE;
            source.exclusive = source.rigid != NONE && n_readers == 1 && !read_by_trait;
            source.whole |= read_by_trait;
        }
    }

    fn size(&mut self, system: &mut System) {
        self.readers();
        let state = self.world.state();
        let n_rows = state.lambda.len();
        system.force = vec![0.0; state.v.len()];
        system.c = vec![0.0; n_rows];
        system.c_dot = vec![0.0; n_rows];
        system.gamma = vec![0.0; n_rows];
        system.soft_b = vec![0.0; n_rows];
        if system
            .constraints
            .iter()
            .any(|constraint| constraint.pushes)
        {
            system.push = vec![0.0; system.jacobian.len()];
        }
        system.has_soft_rows = self.layout.generic_constraints.iter().any(|g| {
            self.world.constraints()[g.record as usize]
                .compliance
                .iter()
                .any(|&c| c > 0.0)
        });
    }

    /// The slot of a connector, the same for everyone who names the same site of the same body.
    fn intern(&mut self, connector: &Connector) -> u32 {
        let key = (connector.body.number(), site_key(&connector.site));
        if let Some(&slot) = self.interned.get(&key) {
            return slot;
        }
        let at = self.layout.slots.len() as u32;
        let (record, body, kind, columns, rigid, n_v, com) = if connector.body == GROUND {
            let kind = crate::body::Body::connector_kind(&crate::body::Ground, &connector.site);
            (NONE, NONE, kind, None, NONE, 0, [0.0; 3])
        } else {
            let position = self
                .world
                .bodies()
                .partition_point(|record| record.id < connector.body);
            let record = &self.world.bodies()[position];
            let kind = record.body.connector_kind(&connector.site);
            let com = record
                .body
                .as_rigid()
                .map_or([0.0; 3], |rigid| rigid.properties().com_body);
            (
                position as u32,
                self.index_of[position],
                kind,
                record.body.columns(&connector.site),
                self.rigid_of[position],
                record.body.n_v(),
                com,
            )
        };
        let Ok(Some(kind)) = kind else {
            unreachable!("the world checks a site when it is used")
        };
        let in_space = matches!(kind, ConnectorKind::Point3 | ConnectorKind::Frame3);
        let mut space = NONE;
        if in_space && (rigid != NONE || n_v == 0) {
            space = self.layout.space.len() as u32;
            let (origin, frame) = match &connector.site {
                Site::Frame { origin, rotation } => {
                    self.layout.frame_rotations.push(*rotation);
                    (*origin, self.layout.frame_rotations.len() as u32 - 1)
                }
                Site::Point(origin) => (*origin, NONE),
                _ => unreachable!("only points and frames are of these kinds"),
            };
            let lever_body = crate::math::sub(origin, com);
            self.layout.space.push(SpaceSource {
                rigid,
                lever_body,
                frame,
                slot: at,
                exclusive: false,
                whole: false,
            });
        }
        let mut slot = Slot {
            record,
            body,
            site: connector.site.clone(),
            kind,
            space,
            x0: NONE,
            x_dot0: NONE,
            l0: NONE,
            n_cols: n_v as u32,
            columns: NONE,
        };
        if let Some(columns) = columns {
            slot.columns = self.layout.slot_columns.len() as u32;
            slot.n_cols = columns.len() as u32;
            self.layout.slot_columns.extend(columns);
        }
        self.layout.slots.push(slot);
        self.interned.insert(key, at);
        at
    }

    /// Gives a slot room in the generic arrays.
    fn need_generic(&mut self, slot: u32) {
        let layout = &mut self.layout;
        let slot = &mut layout.slots[slot as usize];
        if slot.x0 != NONE {
            return;
        }
        slot.x0 = layout.n_x as u32;
        slot.x_dot0 = layout.n_x_dot as u32;
        slot.l0 = layout.n_l as u32;
        layout.n_x += slot.kind.n_x();
        layout.n_x_dot += slot.kind.n_x_dot();
        layout.n_l += slot.kind.n_x_dot() * slot.n_cols as usize;
    }
}

impl Layout {
    pub(super) fn columns_of(&self, slot: &Slot) -> Option<&[u32]> {
        (slot.columns != NONE)
            .then(|| &self.slot_columns[slot.columns as usize..][..slot.n_cols as usize])
    }
}

/// `1/min Mₖₖ` of a body, zero if only the body knows.
fn most_mobile(record: &BodyRecord, q: &[f64]) -> f64 {
    let n = record.body.n_v();
    let step = match record.body.mass_kind() {
        MassKind::Dense => n + 1,
        MassKind::Diagonal => 1,
        MassKind::Opaque(_) => return 0.0,
    };
    let mut mass = vec![0.0; (n - 1) * step + 1];
    record.body.mass(q, &mut mass);
    1.0 / mass
        .iter()
        .step_by(step)
        .take(n)
        .fold(f64::INFINITY, |least, m| least.min(*m))
}

/// The bits of a site, to find equal ones.
fn site_key(site: &Site) -> [u64; 13] {
    let mut key = [0; 13];
    let mut put = |tag: u64, numbers: &[f64]| {
        key[0] = tag;
        for (key, number) in key[1..].iter_mut().zip(numbers) {
            *key = number.to_bits();
        }
    };
    match site {
        Site::Point(p) => put(1, p),
        Site::Frame { origin, rotation } => {
            put(2, origin);
            for (key, number) in key[4..].iter_mut().zip(rotation.as_flattened()) {
                *key = number.to_bits();
            }
        }
        Site::Direction(d) => put(3, d),
        Site::Point2(p) => put(4, p),
        Site::Frame2 { origin, angle } => put(5, &[origin[0], origin[1], *angle]),
        Site::Scalar(index) => key[..2].copy_from_slice(&[6, u64::from(*index)]),
        Site::Node(index) => key[..2].copy_from_slice(&[7, u64::from(*index)]),
    }
    key
}
