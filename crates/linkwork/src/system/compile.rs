//! From a world to a layout: the bodies and constraints that take part, in the order of ids. Repeated after
//! every edit.
//!
//! Typed pools hold rigid bodies, hard frame pairs between connectors in space, planar bodies, and hard pins
//! between them. Everything else is evaluated through its trait.

use std::ops::Range;
use std::sync::Arc;

use super::fill::Motion;
use super::hands::roles_of_hand;
use super::joint::{BallJoint, FrameJoint};
use super::layout::{
    GenericBehavior, Layout, NamedBy, PairSource, RigidSource, SiteName, SlotSide,
};
use super::numbers::{BodyBlock, ConstraintBlock, JacobianKind, MassBlock, RigidBlock, System};
use super::pattern::pattern_of;
use super::priorities::priorities;
use super::rows::{RowSource, Rows};
use super::slots::SlotTable;
use super::soft::{RotorRow, SoftRow};
use super::strain::StrainBlock;
use crate::body::{MassKind, MassPattern, Strain};
use crate::connector::Connector;
use crate::constraint::{FramePair, Level, RotationRows};
use crate::linalg::order::Key;
use crate::linalg::size;
use crate::math::{IDENTITY3, Vec3};
use crate::topology::{BodyNode, ConstraintNode, NONE, Turn};
use crate::world::{BodyRecord, ConstraintRecord, GROUND, Tree, World};

/// Largest number of velocities of a dense body into which another body may be folded.
pub(crate) const MAX_FOLDABLE: usize = 12;
/// Larger diagonal masses stay diagonal in worlds with objectives; the curvature of rows is then bounded by row
/// sums.
const MAX_CURVED: usize = 48;

impl Layout {
    /// Lays out `world` and sizes `system` for it, reusing the buffers of both.
    pub(crate) fn compile(&mut self, world: &World, system: &mut System) {
        self.clear();
        system.clear();
        let constraints = world.constraints().iter().map(|c| c.connectors.len());
        let behaviors = world.behaviors().iter().map(|b| b.connectors.len());
        let blocks = world.blocks().iter().map(|b| b.inputs.len());
        let connectors = constraints.chain(behaviors).chain(blocks);
        let mut builder = Builder {
            world,
            layout: self,
            table: SlotTable::with_room(connectors.sum()),
            index_of: vec![NONE; world.bodies().len()],
            record_of: Vec::with_capacity(world.bodies().len()),
            rigid_of: vec![NONE; world.bodies().len()],
            planar_of: vec![NONE; world.bodies().len()],
            com_body: Vec::with_capacity(world.bodies().len()),
            positions: Vec::new(),
            slots: Vec::new(),
            absorbable: Vec::new(),
            riders: Vec::new(),
            block_slots: Vec::new(),
            patterned: Vec::new(),
        };
        system.characteristic_length = builder.characteristic_length();
        builder.bodies(system);
        builder.blocks();
        builder.constraints(system);
        builder.absorb(system);
        builder.patterns(system);
        builder.seat_riders(system);
        builder.find_alone(system);
        builder.layout.n_row_slots = builder.layout.generic_slots.len();
        builder.behaviors();
        builder.find_unturned(system);
        builder.size(system);
        self.compile_colliders(world);
        system.turns.size(&world.state().turns);
    }
}

/// A layout under construction.
pub(super) struct Builder<'a> {
    pub(super) world: &'a World,
    pub(super) layout: &'a mut Layout,
    pub(super) table: SlotTable,
    /// Index among bodies with coordinates and in the rigid and the planar pool, by position in the
    /// world.
    pub(super) index_of: Vec<u32>,
    /// Position in the world, by index among bodies with coordinates.
    pub(super) record_of: Vec<u32>,
    pub(super) rigid_of: Vec<u32>,
    pub(super) planar_of: Vec<u32>,
    /// Centers of mass of the rigid pool.
    pub(super) com_body: Vec<Vec3>,
    /// Positions in the world of the bodies of all connectors of constraints, or of behaviors; or
    /// [`ON_GROUND`], [`OF_BLOCK`], [`DISABLED`].
    positions: Vec<u32>,
    /// Slots of the present constraint or behavior.
    pub(super) slots: Vec<u32>,
    /// Constraints that can be absorbed, and the body of each.
    pub(super) absorbable: Vec<(usize, u32)>,
    /// Soft constraints between two bodies, or one and the ground: their bodies, and their places.
    pub(super) riders: Vec<Key>,
    /// Bodies with a patterned mass, and the patterns of their own masses.
    pub(super) patterned: Vec<(u32, Arc<MassPattern>)>,
    /// First slot of the outputs of every block, by position in the world; `NONE` if nothing reads it.
    pub(super) block_slots: Vec<u32>,
}

/// A connector on the ground.
const ON_GROUND: u32 = NONE;
/// A connector on a disabled body or block.
const DISABLED: u32 = NONE - 1;
/// An output of a block.
const OF_BLOCK: u32 = NONE - 2;

impl Builder<'_> {
    /// The mean radius of gyration. In a separate loop, because bodies are far apart in memory and many reads
    /// then overlap.
    fn characteristic_length(&self) -> f64 {
        let (mut sum, mut n) = (0.0, 0.0);
        for record in self.world.bodies().iter().filter(|record| record.enabled) {
            if let Some(own) = record
                .body
                .gyration_radius()
                .filter(|_| record.body.n_v() > 0)
            {
                sum += own;
                n += 1.0;
            }
        }
        if n > 0.0 { sum / n } else { 1.0 }
    }

    fn bodies(&mut self, system: &mut System) {
        let mut laws = self.world.constraints().iter();
        let seeks = laws.any(|record| record.constraint.is_objective());
        self.layout.has_objectives = seeks;
        for (position, record) in self.world.bodies().iter().enumerate() {
            let n_v = record.body.n_v();
            if record.enabled && n_v == 0 && record.body.n_q() > 0 {
                self.layout.followers.push(position as u32);
            }
            if !record.enabled || n_v == 0 {
                continue;
            }
            let index = system.bodies.len() as u32;
            self.index_of[position] = index;
            self.record_of.push(position as u32);
            let mut foldable = n_v <= MAX_FOLDABLE;
            let offset = system.mass.len() as u32;
            let mass = if let Some(rigid) = record.body.as_rigid() {
                let properties = rigid.properties();
                let at = self.layout.rigid.len() as u32;
                self.rigid_of[position] = at;
                self.com_body.push(properties.com_body);
                self.layout.principal.push(rigid.principal);
                self.layout.rigid.push(RigidSource {
                    q0: record.q0 as u32,
                    v0: record.v0 as u32,
                    mass: properties.mass,
                    inv_mass: 1.0 / properties.mass,
                    inertia_body: properties.inertia_body,
                });
                let inertia = properties.inertia_body;
                system.rigid.push(RigidBlock {
                    mass: properties.mass,
                    inv_mass: 1.0 / properties.mass,
                    inertia_world: inertia,
                });
                MassBlock::Rigid(at)
            } else {
                if !self.planar_body(position, offset) {
                    self.layout.generic_bodies.push((position as u32, index));
                }
                let pattern = pattern_of(&*record.body, foldable);
                match record.body.mass_kind() {
                    _ if pattern.is_some() => {
                        foldable = false;
                        self.patterned.extend(pattern.map(|own| (index, own)));
                        // Laid out later, when all that is added to it is known.
                        MassBlock::Patterned {
                            pattern: NONE,
                            offset: NONE,
                        }
                    }
                    MassKind::Patterned(_) => unreachable!("it has a pattern"),
                    // Small diagonal masses become dense, so that other bodies can be folded into them.
                    MassKind::Diagonal
                        if foldable
                            || record.body.n_strains() > 0
                            || (seeks && n_v <= MAX_CURVED) =>
                    {
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
            if matches!(mass, MassBlock::Dense(_) | MassBlock::Patterned { .. }) {
                self.strains(position, index, mass, system);
            }
            let most_mobile = match mass {
                MassBlock::Rigid(_) => 0.0,
                _ => most_mobile(self.world, record),
            };
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
    }

    /// The strains of a body.
    fn strains(&self, position: usize, index: u32, mass: MassBlock, system: &mut System) {
        let body = &self.world.bodies()[position].body;
        let n_v = body.n_v() as u32;
        for of_body in 0..body.n_strains() as u32 {
            let mut columns = body.strain_columns(of_body as usize);
            if matches!(mass, MassBlock::Patterned { .. }) {
                // A pattern needs an explicit list of columns.
                columns.get_or_insert_with(|| (0..n_v).collect());
            }
            let (start, n) = match &columns {
                Some(columns) => (system.columns.len() as u32, columns.len() as u32),
                None => (NONE, n_v),
            };
            system.columns.extend(columns.into_iter().flatten());
            system.strains.push(StrainBlock {
                record: position as u32,
                body: index,
                of_body,
                offset: system.gradient.len() as u32,
                n,
                columns: start,
                positions: NONE,
                now: Strain::default(),
                weight: 0.0,
            });
            system
                .gradient
                .resize(system.gradient.len() + n as usize, 0.0);
        }
    }

    fn constraints(&mut self, system: &mut System) {
        let n_rows = self.world.state().lambda.len();
        system.compliance.resize(n_rows, 0.0);
        system.velocity_level.resize(n_rows, false);
        system.row_scale.resize(n_rows, 1.0);
        let priorities = priorities(self.world);
        let mut rows = Rows::new(n_rows);
        let world = self.world;
        self.find_bodies(
            world
                .constraints()
                .iter()
                .map(|record| &record.connectors[..]),
        );
        let mut first = 0;
        for (position, record) in world.constraints().iter().enumerate() {
            // An armature is not a condition and cannot give way.
            let priority = match record.constraint.inertia() {
                Some(_) => 0,
                None => priorities.of(position, record.priority),
            };
            let bodies = first..first + record.connectors.len();
            first = bodies.end;
            if !record.enabled || self.positions[bodies.clone()].contains(&DISABLED) {
                continue;
            }
            let index = system.constraints.len() as u32;
            let pushes = record.constraint.pushes_elsewhere();
            let units = record.rows();
            let by = (NamedBy::Constraint, position);
            self.find_slots(bodies.clone(), by, &record.connectors);
            if !self.moves_something() {
                continue;
            }
            let bound = record.constraint.bound();
            let roles = bound.map(|bound| vec![bound.into(); units.len()]);
            if let Some(roles) = roles.or_else(|| roles_of_hand(world, record)) {
                self.bounded_constraint(position, &roles, &mut rows, system);
                continue;
            }
            let soft = record.compliance.iter().any(|&c| c > 0.0);
            let pair = record.constraint.as_frame_pair();
            let jacobian = match pair.filter(|_| !soft && !pushes) {
                Some(pair) if self.in_space() => self.typed_pair(*pair, record.row0 as u32, system),
                Some(pair) if pair.is_pin() && self.in_plane() => {
                    self.pin(record.row0 as u32, system)
                }
                _ => self.generic_constraint(position, index, system),
            };
            let primary = priority == 0 && !pushes;
            self.incidence_of(record, primary);
            let velocity_level = record.constraint.level() == Level::Velocity;
            let is_led = record.priority > 0 || self.is_led(bodies, &record.connectors);
            for (i, unit) in units.iter().enumerate() {
                let row = record.row0 + i;
                rows.add(RowSource {
                    row,
                    unit: *unit,
                    is_soft: record.compliance[i] > 0.0,
                    is_led,
                });
                system.row_scale[row] = unit.in_meters(system.characteristic_length);
                system.velocity_level[row] = velocity_level;
            }
            if soft {
                self.note_absorbable(record, system);
                self.note_rider(record);
            }
            system.constraints.push(ConstraintBlock {
                row0: record.row0 as u32,
                n_rows: units.len() as u32,
                jacobian,
                priority,
                pushes,
                weight: record.weight,
            });
        }
        rows.classify(system);
        system.rows = Arc::new(rows);
    }

    /// Finds the rigid bodies without constraints.
    fn find_alone(&mut self, system: &System) {
        let mut is_touched = vec![false; system.bodies.len()];
        for &body in &self.layout.incidence.touched {
            is_touched[body as usize] = true;
        }
        for (body, is_touched) in system.bodies.iter().zip(is_touched) {
            if let (MassBlock::Rigid(at), false) = (body.mass, is_touched) {
                let inertia = &mut self.layout.principal[at as usize];
                *inertia = inertia.alone();
            }
        }
    }

    /// Finds the rigid bodies without torques.
    fn find_unturned(&mut self, system: &System) {
        let behaviors = self.world.behaviors();
        let is_uniform = |&at: &u32| behaviors[at as usize].behavior.as_uniform_field().is_some();
        if !self.layout.fields.iter().all(is_uniform) {
            return;
        }
        let mut is_touched = vec![false; system.bodies.len()];
        for &body in &self.layout.incidence.touched {
            is_touched[body as usize] = true;
        }
        let layout = &mut *self.layout;
        let slots = layout.generic_behaviors.iter().flat_map(|own| &own.slots);
        for &slot in slots {
            let slot = &layout.slots[slot as usize];
            let sides = &layout.sides[slot.side0 as usize..][..slot.n_sides as usize];
            for side in sides {
                is_touched[side.body as usize] = true;
            }
        }
        for (body, is_touched) in system.bodies.iter().zip(is_touched) {
            if let (MassBlock::Rigid(at), false) = (body.mass, is_touched) {
                layout.unturned.push(at);
            }
        }
    }

    /// Whether a body that follows a goal is among those found, or moves a block.
    fn is_led(&self, bodies: Range<usize>, connectors: &[Connector]) -> bool {
        let followers = &self.layout.followers;
        let behind = |connector: &Connector| {
            let bodies = self.world.bodies_of(connector).iter();
            let mut positions = bodies.filter_map(|&id| self.world.body_position(id));
            positions.any(|at| followers.contains(&(at as u32)))
        };
        let mut positions = self.positions[bodies].iter().zip(connectors);
        !followers.is_empty()
            && positions.any(|(at, connector)| match *at {
                OF_BLOCK => behind(connector),
                at => followers.contains(&at),
            })
    }

    /// Whether a body with coordinates moves any of the present slots. Always true when a constraint is added;
    /// it may be false for one that is restored after its block was replaced.
    fn moves_something(&self) -> bool {
        let mut slots = self.slots.iter();
        slots.any(|&slot| self.layout.slots[slot as usize].n_sides > 0)
    }

    /// Finds the bodies of all connectors of some records, in a separate loop as for bodies.
    fn find_bodies<'w>(&mut self, records: impl Iterator<Item = &'w [Connector]>) {
        let world = self.world;
        self.positions.clear();
        self.positions.extend(records.flatten().map(|connector| {
            let Some(body) = connector.body() else {
                let is_on = world.all_enabled(std::slice::from_ref(connector));
                return if is_on { OF_BLOCK } else { DISABLED };
            };
            if body == GROUND {
                return ON_GROUND;
            }
            match world.body_position(body) {
                Some(at) if world.bodies()[at].enabled => at as u32,
                _ => DISABLED,
            }
        }));
    }

    /// Finds or makes the slots of the connectors of a record, whose bodies were found.
    fn find_slots(
        &mut self,
        bodies: Range<usize>,
        (by, record): (NamedBy, usize),
        connectors: &[Connector],
    ) {
        self.slots.clear();
        for (k, (at, connector)) in bodies.zip(connectors).enumerate() {
            let name = SiteName {
                by,
                connector: k as u16,
                record: record as u32,
            };
            let slot = match connector {
                Connector::Site { .. } => self.intern(self.positions[at], name),
                Connector::Output { block, output } => self.slot_of_output(*block, *output),
            };
            self.slots.push(slot);
        }
    }

    fn incidence_of(&mut self, record: &ConstraintRecord, primary: bool) {
        let incidence = &mut self.layout.incidence;
        let start = incidence.touched.len();
        for &slot in &self.slots {
            let slot = &self.layout.slots[slot as usize];
            let sides = &self.layout.sides[slot.side0 as usize..][..slot.n_sides as usize];
            for &SlotSide { body, .. } in sides {
                if !incidence.touched[start..].contains(&body) {
                    incidence.touched.push(body);
                }
            }
        }
        incidence.constraints.push(ConstraintNode {
            key: record.id.number(),
            n_rows: record.rows().len() as u32,
            start: start as u32,
            n_bodies: (incidence.touched.len() - start) as u32,
            primary,
            absorbed: false,
            turn: match record.tree {
                Tree::In => Turn::First,
                Tree::Automatic => Turn::InOrder,
                Tree::Loop => Turn::Never,
            },
            rides_on: NONE,
        });
    }

    /// Whether all present slots are in the typed pool of points and frames in space.
    fn in_space(&self) -> bool {
        let mut slots = self.slots.iter();
        slots.all(|&slot| self.layout.slots[slot as usize].space != NONE)
    }

    fn typed_pair(&mut self, pair: FramePair, row0: u32, system: &mut System) -> JacobianKind {
        let slot = |i: usize| &self.layout.slots[self.slots[i] as usize];
        let (a, b) = (slot(0).body(), slot(1).body());
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

    fn behaviors(&mut self) {
        let world = self.world;
        self.find_bodies(
            world
                .behaviors()
                .iter()
                .map(|record| &record.connectors[..]),
        );
        let mut first = 0;
        for (position, record) in world.behaviors().iter().enumerate() {
            let bodies = first..first + record.connectors.len();
            first = bodies.end;
            if !record.enabled || self.positions[bodies.clone()].contains(&DISABLED) {
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
            self.find_slots(bodies, (NamedBy::Behavior, position), &record.connectors);
            let slots = self.slots.clone();
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

    /// Finds the readers of each connector of the typed pool.
    fn readers(&mut self) {
        let layout = &mut *self.layout;
        let mut n_readers = vec![0u32; layout.space.len()];
        for pair in layout.balls.iter().chain(&layout.pairs) {
            n_readers[pair.a as usize] += 1;
            n_readers[pair.b as usize] += 1;
            layout.space[pair.a as usize].whole = true;
            layout.space[pair.b as usize].whole |= pair.pair.rotation() != RotationRows::Axis;
        }
        for (at, (source, n_readers)) in layout.space.iter_mut().zip(n_readers).enumerate() {
            let read_by_trait = layout.slots[source.slot as usize].x0 != NONE;
            let is_exclusive = source.rigid != NONE && n_readers == 1 && !read_by_trait;
            source.whole |= read_by_trait;
            if !is_exclusive {
                source.shared = layout.shared_space.len() as u32;
                layout.shared_space.push(at as u32);
            }
        }
    }

    fn size(&mut self, system: &mut System) {
        self.readers();
        let state = self.world.state();
        let n_rows = state.lambda.len();
        size(&mut system.force, state.v.len());
        size(&mut system.inertial, state.v.len());
        for rows in [
            &mut system.c,
            &mut system.c_dot,
            &mut system.gamma,
            &mut system.soft_b,
        ] {
            size(rows, n_rows);
        }
        if system
            .constraints
            .iter()
            .any(|constraint| constraint.pushes)
        {
            system.push.resize(system.jacobian.len(), 0.0);
        }
        for generic in &self.layout.generic_constraints {
            let record = &self.world.constraints()[generic.record as usize];
            if let Some(inertia) = record.constraint.inertia() {
                system.rotors.push(RotorRow {
                    row: record.row0 as u32,
                    constraint: generic.constraint,
                    inertia,
                });
                continue;
            }
            for (i, &alpha) in record.compliance.iter().enumerate() {
                if alpha > 0.0 {
                    self.layout.soft_rows.push(SoftRow {
                        row: (record.row0 + i) as u32,
                        constraint: generic.constraint,
                        of_constraint: i as u32,
                        alpha,
                        tau: alpha * record.damping[i],
                        position_level: record.constraint.level() == Level::Position,
                        tells_energy: record.constraint.tells_energy(),
                        record: generic.record,
                        rest_length: record.constraint.rest_length(),
                    });
                }
            }
        }
        system.has_soft_springs = !self.layout.soft_rows.is_empty();
        system.has_soft_rows = system.has_soft_springs || !system.rotors.is_empty();
    }
}

/// `1/min Mₖₖ` of a body, or of its drag metric in worlds without momentum; zero if unknown.
fn most_mobile(world: &World, record: &BodyRecord) -> f64 {
    let q = &world.state().q[record.q_range()];
    let n = record.body.n_v();
    let kind = record.body.mass_kind();
    let (n_values, step) = match &kind {
        MassKind::Dense => (n * n, n + 1),
        MassKind::Diagonal => (n, 1),
        MassKind::Patterned(pattern) => (pattern.entries().len(), 1),
        MassKind::Opaque(_) => return 0.0,
    };
    let mut mass = vec![0.0; n_values];
    match Motion::Displacement.is_by_drag(world) {
        true => record.body.drag_metric(q, &mut mass),
        false => record.body.mass(q, &mut mass),
    }
    let is_diagonal = |at: usize| match &kind {
        MassKind::Patterned(pattern) => pattern.entries()[at].0 == pattern.entries()[at].1,
        _ => at.is_multiple_of(step),
    };
    let diagonal = mass.iter().enumerate().filter(|(at, _)| is_diagonal(*at));
    1.0 / diagonal.fold(f64::INFINITY, |least, (_, m)| least.min(*m))
}
