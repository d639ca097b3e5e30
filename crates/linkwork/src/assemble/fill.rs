//! Fills the system at one instant: bodies, then connectors, then constraints and forces.
//!
//! Every connector is evaluated once, however many constraints and behaviors share it.

#![allow(non_snake_case)] // L, M: the letters of the papers.

use super::layout::{GenericConstraint, Layout, Slot};
use super::system::{MassBlock, System};
use crate::behavior::Forces;
use crate::body::{Body, Ground, MassKind, gyroscopic_torque, rigid_state};
use crate::connector::{ConnectorKind, ConnectorMut, Input};
use crate::constraint::{FrameMotion, Level, PairRows, Rows};
use crate::linalg::MatMut;
use crate::math::{Mat3, Vec3, add, column, cross, dot, mat_mul, mat_vec, scale, sub};
use crate::topology::NONE;
use crate::world::World;

/// Which motion the equations are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Accelerations under the present forces: `J·v̇ = −γ`.
    Acceleration,
    /// Velocity corrections or impulses: `J·δv = −ċ`.
    Velocity,
    /// Displacements: `J·δq = −c`.
    Displacement,
}

/// A rigid body at one instant.
#[derive(Clone, Copy, Debug)]
struct RigidNow {
    com: Vec3,
    rotation: Mat3,
    velocity: Vec3,
    omega: Vec3,
}

impl RigidNow {
    /// A point at `lever_body` from the centre of mass: `ẋ = v + ω × r`, `ℓ = ω × (ω × r)`.
    #[inline(always)]
    fn point(&self, lever_body: Vec3) -> PointNow {
        let r = mat_vec(&self.rotation, lever_body);
        let rate = cross(self.omega, r);
        PointNow {
            r,
            x: add(self.com, r),
            x_dot: add(self.velocity, rate),
            ell: cross(self.omega, rate),
        }
    }

    /// A frame at a point; only its main axis unless `whole`.
    #[inline(always)]
    fn frame(&self, point: &PointNow, rot_body_frame: &Mat3, whole: bool) -> FrameNow {
        let rotation = if whole {
            mat_mul(&self.rotation, rot_body_frame)
        } else {
            let x = mat_vec(&self.rotation, column(rot_body_frame, 0));
            [[x[0], 0.0, 0.0], [x[1], 0.0, 0.0], [x[2], 0.0, 0.0]]
        };
        FrameNow {
            motion: FrameMotion {
                position: point.x,
                rotation,
                velocity: point.x_dot,
                omega: self.omega,
            },
            alpha: [0.0; 3],
        }
    }
}

/// A point or frame origin at one instant.
#[derive(Clone, Copy, Debug)]
struct PointNow {
    /// From the body's centre of mass, world axes.
    r: Vec3,
    x: Vec3,
    x_dot: Vec3,
    ell: Vec3,
}

/// A frame at one instant, and the prescribed part of its angular acceleration.
#[derive(Clone, Copy, Debug)]
struct FrameNow {
    motion: FrameMotion,
    alpha: Vec3,
}

const POINT_ZERO: PointNow = PointNow {
    r: [0.0; 3],
    x: [0.0; 3],
    x_dot: [0.0; 3],
    ell: [0.0; 3],
};
const FRAME_ZERO: FrameNow = FrameNow {
    motion: FrameMotion {
        position: [0.0; 3],
        rotation: [[0.0; 3]; 3],
        velocity: [0.0; 3],
        omega: [0.0; 3],
    },
    alpha: [0.0; 3],
};

/// Workspace of a fill; holds nothing that could not be computed again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembler {
    rigid: Vec<RigidNow>,
    points: Vec<PointNow>,
    frames: Vec<FrameNow>,
    x: Vec<f64>,
    x_dot: Vec<f64>,
    ell: Vec<f64>,
    L: Vec<f64>,
    scratch: Vec<f64>,
    push_scratch: Vec<f64>,
}

impl Assembler {
    /// Sizes the workspace for a layout.
    pub(crate) fn new(layout: &Layout) -> Self {
        let zero = RigidNow {
            com: [0.0; 3],
            rotation: [[0.0; 3]; 3],
            velocity: [0.0; 3],
            omega: [0.0; 3],
        };
        Self {
            rigid: vec![zero; layout.rigid.len()],
            points: vec![POINT_ZERO; layout.space.len()],
            frames: vec![FRAME_ZERO; layout.frame_rotations.len()],
            x: vec![0.0; layout.n_x],
            x_dot: vec![0.0; layout.n_x_dot],
            ell: vec![0.0; layout.n_x_dot],
            L: vec![0.0; layout.n_l],
            scratch: vec![0.0; layout.n_scratch],
            push_scratch: vec![0.0; layout.n_scratch],
        }
    }

    /// Evaluates everything of `world` at its present state into `system`.
    ///
    /// `horizon` is the time over which soft rows act implicitly; without one they act as the
    /// springs they stand for (accelerations) or not at all (impulses).
    pub(crate) fn fill(
        &mut self,
        world: &World,
        layout: &Layout,
        motion: Motion,
        horizon: Option<f64>,
        system: &mut System,
    ) {
        self.rigid_bodies(world, layout, system);
        self.generic_bodies(world, layout, system);
        self.space_connectors(world, layout);
        self.ball_joints(layout, system);
        self.frame_joints(layout, system);
        if !layout.slots.is_empty() {
            self.generic_connectors(world, layout);
        }
        self.generic_constraints(world, layout, system);
        self.behaviors(world, layout, system);
        if system.has_soft_rows {
            soften(world, layout, motion, horizon, system);
        }
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        system.natural_size = match motion {
            Motion::Acceleration => largest(&mut layout.gravity_world.iter().map(|g| g.abs())),
            Motion::Velocity => largest(&mut world.state().v.iter().map(|v| v.abs())),
            Motion::Displacement => {
                let positions = &mut self.rigid.iter().flat_map(|body| body.com.map(f64::abs));
                largest(positions).max(system.characteristic_length)
            }
        };
    }

    /// Rotation, inertia, gravity and gyroscopic torque of the typed pool.
    fn rigid_bodies(&mut self, world: &World, layout: &Layout, system: &mut System) {
        let state = world.state();
        let gravity = layout.gravity_world;
        for ((source, now), block) in layout
            .rigid
            .iter()
            .zip(&mut self.rigid)
            .zip(&mut system.rigid)
        {
            let q = &state.q[source.q0 as usize..source.q0 as usize + 7];
            let v = &state.v[source.v0 as usize..source.v0 as usize + 6];
            let rigid = rigid_state(&source.inertia_body, q);
            let omega = [v[3], v[4], v[5]];
            block.inertia_world = rigid.inertia_world;
            *now = RigidNow {
                com: rigid.com_world,
                rotation: rigid.rot_world_body,
                velocity: [v[0], v[1], v[2]],
                omega,
            };
            let torque = gyroscopic_torque(&rigid.inertia_world, omega);
            let weight = scale(source.mass, gravity);
            let f = &mut system.force[source.v0 as usize..source.v0 as usize + 6];
            f[..3].copy_from_slice(&weight);
            f[3..].copy_from_slice(&torque);
        }
    }

    /// Mass and forces of bodies known by their trait; fields other than uniform on all bodies.
    fn generic_bodies(&mut self, world: &World, layout: &Layout, system: &mut System) {
        let state = world.state();
        for &(position, index) in &layout.generic_bodies {
            let record = &world.bodies()[position as usize];
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            let n = record.body.n_v();
            match system.bodies[index as usize].mass {
                MassBlock::Rigid(_) => unreachable!("rigid bodies are in the typed pool"),
                MassBlock::Dense(offset) => {
                    let mass = &mut system.mass[offset as usize..][..n * n];
                    if matches!(record.body.mass_kind(), MassKind::Diagonal) {
                        record.body.mass(q, &mut mass[..n]);
                        spread_diagonal(n, mass);
                    } else {
                        record.body.mass(q, mass);
                    }
                }
                MassBlock::Diagonal(offset) => {
                    record
                        .body
                        .mass(q, &mut system.mass[offset as usize..][..n]);
                }
                MassBlock::Opaque {
                    operator,
                    offset,
                    n_storage,
                } => {
                    let storage = &mut system.mass[offset as usize..][..n_storage as usize];
                    system.operators[operator as usize].factor(q, storage);
                }
            }
            let f = &mut system.force[record.v_range()];
            f.fill(0.0);
            record.body.internal_force(q, v, f);
            record.body.uniform_field(q, layout.gravity_world, f);
        }
        for &position in &layout.fields {
            let behavior = &world.behaviors()[position as usize].behavior;
            if behavior.as_uniform_field().is_some() {
                continue;
            }
            for record in world.bodies().iter().filter(|record| record.enabled) {
                let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
                behavior.body_force(&*record.body, q, v, &mut system.force[record.v_range()]);
            }
        }
    }

    /// Points and frames that several read, or that move as prescribed.
    fn space_connectors(&mut self, world: &World, layout: &Layout) {
        for (at, source) in layout.space.iter().enumerate() {
            if source.exclusive {
                continue;
            }
            if source.rigid == NONE {
                let frame = self.frames.get_mut(source.frame as usize);
                prescribed(
                    world,
                    &layout.slots[source.slot as usize],
                    &mut self.points[at],
                    frame,
                );
                continue;
            }
            let body = &self.rigid[source.rigid as usize];
            let point = body.point(source.lever_body);
            self.points[at] = point;
            if source.frame != NONE {
                let rotation = &layout.frame_rotations[source.frame as usize];
                self.frames[source.frame as usize] = body.frame(&point, rotation, source.whole);
            }
        }
    }

    /// A point of the typed pool, evaluated now if only the caller reads it.
    #[inline(always)]
    fn point(&self, layout: &Layout, at: u32) -> PointNow {
        let source = &layout.space[at as usize];
        if source.exclusive {
            self.rigid[source.rigid as usize].point(source.lever_body)
        } else {
            self.points[at as usize]
        }
    }

    /// A frame of the typed pool; a point gives a frame without axes.
    #[inline(always)]
    fn frame(&self, layout: &Layout, at: u32, point: &PointNow) -> FrameNow {
        let source = &layout.space[at as usize];
        if source.frame == NONE {
            let mut frame = FRAME_ZERO;
            frame.motion.position = point.x;
            frame.motion.velocity = point.x_dot;
            return frame;
        }
        if source.exclusive {
            let rotation = &layout.frame_rotations[source.frame as usize];
            return self.rigid[source.rigid as usize].frame(point, rotation, source.whole);
        }
        self.frames[source.frame as usize]
    }

    fn ball_joints(&self, layout: &Layout, system: &mut System) {
        for (source, joint) in layout.balls.iter().zip(&mut system.balls) {
            let (a, b) = (self.point(layout, source.a), self.point(layout, source.b));
            joint.r_a = a.r;
            joint.r_b = b.r;
            let rows = source.row0 as usize..source.row0 as usize + 3;
            system.c[rows.clone()].copy_from_slice(&sub(b.x, a.x));
            system.c_dot[rows.clone()].copy_from_slice(&sub(b.x_dot, a.x_dot));
            system.gamma[rows].copy_from_slice(&sub(b.ell, a.ell));
        }
    }

    fn frame_joints(&self, layout: &Layout, system: &mut System) {
        let mut rows = PairRows::ZERO;
        for (source, joint) in layout.pairs.iter().zip(&mut system.frames) {
            let (point_a, point_b) = (self.point(layout, source.a), self.point(layout, source.b));
            let frame_a = self.frame(layout, source.a, &point_a);
            let frame_b = self.frame(layout, source.b, &point_b);
            source
                .pair
                .evaluate(&frame_a.motion, &frame_b.motion, &mut rows);
            joint.g = rows.g;
            joint.r_a = point_a.r;
            joint.r_b = point_b.r;
            let mut bend = sub(point_b.ell, point_a.ell);
            if joint.n_t < 3 {
                // Frame a is held at the material point that meets the origin of frame b.
                joint.t = rows.t;
                joint.r_a = add(point_a.r, rows.arm_a);
                bend = joint.translation(sub(bend, cross(frame_a.alpha, rows.arm_a)));
            }
            let turn = sub(frame_b.alpha, frame_a.alpha);
            let (row0, n_t) = (source.row0 as usize, joint.n_t as usize);
            for k in 0..n_t {
                system.c[row0 + k] = rows.c[k];
                system.c_dot[row0 + k] = rows.c_dot[k];
                system.gamma[row0 + k] = rows.gamma[k] + bend[k];
            }
            for k in 0..joint.n_r as usize {
                let (row, at) = (row0 + n_t + k, n_t + k);
                system.c[row] = rows.c[at];
                system.c_dot[row] = rows.c_dot[at];
                system.gamma[row] = rows.gamma[at] + dot(rows.g[k], turn);
            }
        }
    }

    /// `x`, `ẋ`, `L`, `ℓ` of connectors that constraints and behaviors read through their traits.
    fn generic_connectors(&mut self, world: &World, layout: &Layout) {
        for slot in layout.slots.iter().filter(|slot| slot.x0 != NONE) {
            let (n_x, n_x_dot) = (slot.kind.n_x(), slot.kind.n_x_dot());
            let (x0, xd0) = (slot.x0 as usize, slot.x_dot0 as usize);
            let n_cols = slot.n_cols as usize;
            let l = slot.l0 as usize..slot.l0 as usize + n_x_dot * n_cols;
            let mut out = ConnectorMut {
                x: &mut self.x[x0..x0 + n_x],
                x_dot: &mut self.x_dot[xd0..xd0 + n_x_dot],
                L: MatMut::new(&mut self.L[l], n_cols),
                ell: &mut self.ell[xd0..xd0 + n_x_dot],
            };
            if slot.space != NONE {
                let source = &layout.space[slot.space as usize];
                let frame = self.frames.get(source.frame as usize);
                copy_space(&self.points[slot.space as usize], frame, n_cols, &mut out);
                continue;
            }
            out.x.fill(0.0);
            out.x_dot.fill(0.0);
            out.ell.fill(0.0);
            out.L.fill(0.0);
            evaluate(world, slot, &mut out);
        }
    }

    fn generic_constraints(&mut self, world: &World, layout: &Layout, system: &mut System) {
        for generic in &layout.generic_constraints {
            let record = &world.constraints()[generic.record as usize];
            let constraint = &*record.constraint;
            let kinds = constraint.inputs();
            let n_rows = constraint.rows().len();
            let n_x_dot: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
            let rows = record.row_range();
            let pushes = system.constraints[generic.constraint as usize].pushes;
            let push = if pushes { n_rows * n_x_dot } else { 0 };
            let mut out = Rows::new(
                kinds,
                &mut system.c[rows.clone()],
                &mut system.c_dot[rows.clone()],
                &mut system.gamma[rows.clone()],
                &mut self.scratch[..n_rows * n_x_dot],
                &mut self.push_scratch[..push],
            );
            with_inputs(&generic.slots, layout, &self.x, &self.x_dot, |inputs| {
                constraint.eval(world.state().t, inputs, &mut out);
            });
            self.chain_rule(layout, generic, kinds, n_rows, pushes, system);
        }
    }

    /// `J = Σ (∂c/∂x)·L` (Witkin 1990, eq. 6), and `γ ← γ + Σ (∂c/∂x)·ℓ`.
    fn chain_rule(
        &self,
        layout: &Layout,
        generic: &GenericConstraint,
        kinds: &[ConnectorKind],
        n_rows: usize,
        pushes: bool,
        system: &mut System,
    ) {
        let row0 = system.constraints[generic.constraint as usize].row0 as usize;
        for &(block, _) in generic
            .block_of_input
            .iter()
            .filter(|(block, _)| *block != NONE)
        {
            let block = &system.blocks[block as usize];
            let range =
                block.offset as usize..block.offset as usize + n_rows * block.n_cols as usize;
            if pushes {
                system.push[range.clone()].fill(0.0);
            }
            system.jacobian[range].fill(0.0);
        }
        let mut start = 0;
        for (input, kind) in kinds.iter().enumerate() {
            let n = kind.n_x_dot();
            let part = start * n_rows..(start + n) * n_rows;
            start += n;
            let slot = &layout.slots[generic.slots[input] as usize];
            let ell = &self.ell[slot.x_dot0 as usize..][..n];
            for (i, row) in self.scratch[part.clone()].chunks_exact(n).enumerate() {
                system.gamma[row0 + i] += row.iter().zip(ell).map(|(d, l)| d * l).sum::<f64>();
            }
            let (block, map) = generic.block_of_input[input];
            if block == NONE {
                continue;
            }
            let block = system.blocks[block as usize];
            let L = &self.L[slot.l0 as usize..][..n * slot.n_cols as usize];
            let places = (map != NONE)
                .then(|| &layout.input_columns[map as usize..][..slot.n_cols as usize]);
            let target = Target {
                offset: block.offset,
                n_cols: block.n_cols,
                places,
            };
            target.add_product(&self.scratch[part.clone()], L, n, &mut system.jacobian);
            if pushes {
                target.add_product(&self.push_scratch[part], L, n, &mut system.push);
            }
        }
    }

    /// `Q = Lᵀ·f` (Witkin 1990, eq. 8).
    fn behaviors(&mut self, world: &World, layout: &Layout, system: &mut System) {
        for generic in &layout.generic_behaviors {
            let behavior = &*world.behaviors()[generic.record as usize].behavior;
            let kinds = behavior.inputs();
            let n: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
            let mut forces = Forces::new(kinds, &mut self.scratch[..n]);
            with_inputs(&generic.slots, layout, &self.x, &self.x_dot, |inputs| {
                behavior.eval(world.state().t, inputs, &mut forces);
            });
            let mut start = 0;
            for &slot in &generic.slots {
                let slot = &layout.slots[slot as usize];
                let force = &self.scratch[start..start + slot.kind.n_x_dot()];
                start += force.len();
                if slot.body == NONE {
                    continue;
                }
                let v0 = system.bodies[slot.body as usize].v0 as usize;
                let n_cols = slot.n_cols as usize;
                let L = self.L[slot.l0 as usize..][..force.len() * n_cols].chunks_exact(n_cols);
                for (row, force) in L.zip(force) {
                    for (k, entry) in row.iter().enumerate() {
                        let column = layout.columns_of(slot).map_or(k, |c| c[k] as usize);
                        system.force[v0 + column] += entry * force;
                    }
                }
            }
        }
    }
}

/// A block of `J` as the target of a product.
struct Target<'a> {
    offset: u32,
    n_cols: u32,
    places: Option<&'a [u32]>,
}

impl Target<'_> {
    /// `block ← block + D·L`, with `D` of `n` columns.
    fn add_product(&self, D: &[f64], L: &[f64], n: usize, into: &mut [f64]) {
        let n_cols = L.len() / n;
        for (i, d) in D.chunks_exact(n).enumerate() {
            let start = self.offset as usize + i * self.n_cols as usize;
            let row = &mut into[start..start + self.n_cols as usize];
            for (d, l) in d.iter().zip(L.chunks_exact(n_cols)) {
                if *d == 0.0 {
                    continue;
                }
                match self.places {
                    None => row.iter_mut().zip(l).for_each(|(out, l)| *out += d * l),
                    Some(places) => {
                        for (l, &place) in l.iter().zip(places) {
                            row[place as usize] += d * l;
                        }
                    }
                }
            }
        }
    }
}

/// Most constraints have few inputs; more than this many cost an allocation.
const MAX_STACK_INPUTS: usize = 8;

/// Gathers the inputs of a constraint or behavior.
fn with_inputs(
    slots: &[u32],
    layout: &Layout,
    x: &[f64],
    x_dot: &[f64],
    read: impl FnOnce(&[Input<'_>]),
) {
    let input = |slot: u32| {
        let slot = &layout.slots[slot as usize];
        Input {
            kind: slot.kind,
            x: &x[slot.x0 as usize..][..slot.kind.n_x()],
            x_dot: &x_dot[slot.x_dot0 as usize..][..slot.kind.n_x_dot()],
        }
    };
    if slots.len() <= MAX_STACK_INPUTS {
        let mut inputs = [Input {
            kind: ConnectorKind::Scalar,
            x: &[],
            x_dot: &[],
        }; MAX_STACK_INPUTS];
        for (place, &slot) in inputs.iter_mut().zip(slots) {
            *place = input(slot);
        }
        read(&inputs[..slots.len()]);
    } else {
        let inputs: Vec<Input<'_>> = slots.iter().map(|&slot| input(slot)).collect();
        read(&inputs);
    }
}

/// Turns n numbers at the front into a diagonal matrix, in place.
fn spread_diagonal(n: usize, mass: &mut [f64]) {
    for i in (0..n).rev() {
        let value = mass[i];
        mass[i * n..(i + 1) * n].fill(0.0);
        if i > 0 {
            mass[i] = 0.0;
        }
        mass[i * n + i] = value;
    }
}

/// A connector through its body's trait.
fn evaluate(world: &World, slot: &Slot, out: &mut ConnectorMut<'_>) {
    let state = world.state();
    if slot.record == NONE {
        Ground.connector(&slot.site, state.t, &[], &[], out);
        return;
    }
    let record = &world.bodies()[slot.record as usize];
    let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
    record.body.connector(&slot.site, state.t, q, v, out);
}

/// A point or frame on a body without coordinates, into the typed pool.
fn prescribed(world: &World, slot: &Slot, point: &mut PointNow, frame: Option<&mut FrameNow>) {
    let (mut x, mut x_dot, mut ell) = ([0.0; 12], [0.0; 6], [0.0; 6]);
    let (n_x, n_x_dot) = (slot.kind.n_x(), slot.kind.n_x_dot());
    let mut out = ConnectorMut {
        x: &mut x[..n_x],
        x_dot: &mut x_dot[..n_x_dot],
        L: MatMut::new(&mut [], 0),
        ell: &mut ell[..n_x_dot],
    };
    evaluate(world, slot, &mut out);
    let three = |v: &[f64]| [v[0], v[1], v[2]];
    *point = PointNow {
        r: [0.0; 3],
        x: three(&x),
        x_dot: three(&x_dot),
        ell: three(&ell),
    };
    if let Some(frame) = frame {
        *frame = FrameNow {
            motion: FrameMotion {
                position: point.x,
                rotation: [three(&x[3..]), three(&x[6..]), three(&x[9..])],
                velocity: point.x_dot,
                omega: three(&x_dot[3..]),
            },
            alpha: three(&ell[3..]),
        };
    }
}

/// The generic form of a connector of the typed pool.
fn copy_space(
    point: &PointNow,
    frame: Option<&FrameNow>,
    n_cols: usize,
    out: &mut ConnectorMut<'_>,
) {
    out.x[..3].copy_from_slice(&point.x);
    out.x_dot[..3].copy_from_slice(&point.x_dot);
    out.ell[..3].copy_from_slice(&point.ell);
    let is_frame = out.x.len() > 3;
    if let Some(frame) = frame.filter(|_| is_frame) {
        out.x[3..].copy_from_slice(frame.motion.rotation.as_flattened());
        out.x_dot[3..].copy_from_slice(&frame.motion.omega);
        out.ell[3..].copy_from_slice(&frame.alpha);
    }
    if n_cols == 0 {
        return;
    }
    // L = [1, −[r]×; 0, 1].
    let r = point.r;
    let arm = [[0.0, r[2], -r[1]], [-r[2], 0.0, r[0]], [r[1], -r[0], 0.0]];
    for k in 0..3 {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        out.L.set3(k, 0, unit);
        out.L.set3(k, 3, arm[k]);
        if is_frame {
            out.L.set3(3 + k, 0, [0.0; 3]);
            out.L.set3(3 + k, 3, unit);
        }
    }
}

/// Gives soft rows their part of `C` and `b`.
///
/// A row of compliance α is a spring `λ = −c/α`. Taken implicitly over a horizon h, it is the row
/// `J·v̇ + (α/h²)·λ = −γ − (c + h·ċ)/h²`; its limit h → 0 is the explicit spring, which is written
/// as a force and an empty row that returns the spring's λ. The limit α → 0 is the hard row.
///
/// A row on rates is a damper `λ = −ċ/α`, implicitly `J·v̇ + (α/h)·λ = −γ − ċ/h`.
fn soften(
    world: &World,
    layout: &Layout,
    motion: Motion,
    horizon: Option<f64>,
    system: &mut System,
) {
    for generic in &layout.generic_constraints {
        let record = &world.constraints()[generic.record as usize];
        let position_level = record.constraint.level() == Level::Position;
        for (i, row) in record.row_range().enumerate() {
            let alpha = record.compliance[i];
            if alpha == 0.0 {
                continue;
            }
            let c_dot = system.c_dot[row];
            match (motion, horizon) {
                (Motion::Displacement, _) => {
                    system.compliance[row] = alpha;
                    system.soft_b[row] = 0.0;
                }
                (Motion::Acceleration, Some(h)) if position_level => {
                    system.compliance[row] = alpha / (h * h);
                    system.soft_b[row] = -(system.c[row] + h * c_dot) / (h * h);
                }
                (Motion::Velocity, Some(h)) if position_level => {
                    system.compliance[row] = alpha / (h * h);
                    system.soft_b[row] = -system.c[row] / h;
                }
                (Motion::Acceleration, Some(h)) => {
                    system.compliance[row] = alpha / h;
                    system.soft_b[row] = -c_dot / h;
                }
                (Motion::Velocity, Some(h)) => {
                    system.compliance[row] = alpha / h;
                    system.soft_b[row] = 0.0;
                }
                (Motion::Acceleration, None) => {
                    let error = if position_level { system.c[row] } else { c_dot };
                    detach_row(generic, i, -error / alpha, system);
                    system.compliance[row] = 1.0;
                    system.soft_b[row] = -error / alpha + system.gamma[row];
                }
                (Motion::Velocity, None) => {
                    detach_row(generic, i, 0.0, system);
                    system.compliance[row] = 1.0;
                    system.soft_b[row] = c_dot;
                }
            }
        }
    }
}

/// Turns row `i` of a generic constraint into a plain force `Jᵀ·λ` (or `K·λ`) and empties it.
fn detach_row(generic: &GenericConstraint, i: usize, lambda: f64, system: &mut System) {
    let pushes = system.constraints[generic.constraint as usize].pushes;
    for (at, &(block, _)) in generic.block_of_input.iter().enumerate() {
        let seen = generic.block_of_input[..at]
            .iter()
            .any(|&(other, _)| other == block);
        if block == NONE || seen {
            continue;
        }
        let block = system.blocks[block as usize];
        let body = system.bodies[block.body as usize];
        let start = block.offset as usize + i * block.n_cols as usize;
        for k in 0..block.n_cols as usize {
            let column = match block.columns {
                NONE => k,
                columns => system.columns[columns as usize + k] as usize,
            };
            let along = if pushes {
                std::mem::take(&mut system.push[start + k])
            } else {
                system.jacobian[start + k]
            };
            system.force[body.v0 as usize + column] += along * lambda;
            system.jacobian[start + k] = 0.0;
        }
    }
}
