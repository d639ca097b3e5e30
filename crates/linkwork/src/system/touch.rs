//! Rows of contacts: one along the normal and, with friction, one or two tangential ones; with rolling and
//! spinning friction, rows about the same axes (`turning`).
//!
//! ```text
//!     gap = distance of two parts of surfaces      u = A·(ẋ_b − ẋ_a)      J = A·(L_b − L_a)
//! ```
//!
//! with A the normal and the tangents, ẋ and L those of the nearest material points. If both bodies move, they
//! are those of one point in the middle: across a gap d, friction f at two points would exert a moment d × f
//! and violate conservation of angular momentum. Contacts come and go without being compiled; they are part
//! neither of the factor nor of the topology (Baraff 1996, §8).

#![allow(non_snake_case)] // L: the letter of the papers.

use super::bounded::{BoundedRow, Role};
use super::contacts::ColliderAt;
use super::layout::Layout;
use super::nodes::{self, Part, SkinAt};
use super::numbers::System;
use super::turning::{self, TurnNow, Turning};
use crate::system::tolerances::LEAST_ACROSS;
use std::borrow::Cow;

use crate::body::{Body, Ground, Pose};
use crate::collide::{Pair, Place, Shape};
use crate::connector::{ConnectorMut, Site};
use crate::linalg::bounded::Set;
use crate::linalg::{MatMut, clone_in_room};
use crate::math::{
    Vec3, add, axis_across, complete_basis, complete_basis_by, cross, dot, mat_t_vec, mat_vec,
    norm, quat_to_matrix, scale, sub, unit,
};
use crate::shape::N_COORDINATES;
use crate::topology::NONE;
use crate::world::{Collider, State, Touching, World};

/// First index of rows about axes; those before are along axes.
const ABOUT: u32 = 3;

/// Largest number of velocities of a body that collides: a frame with a superquadric.
pub(super) const MOST_V: usize = 6 + N_COORDINATES;

/// Two features that may touch.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Their colliders, by index in the layout.
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) pair: Pair,
    pub(super) restitution: f64,
    pub(super) friction: f64,
    /// Softness along the normal, if it is soft.
    pub(super) softness: Option<Softness>,
    /// Rolling and spinning friction, if any.
    pub(super) turning: Option<Turning>,
    /// Reference axis of the tangents, the same at both ends of a step.
    pub(super) across: Vec3,
}

/// A spring and damper along the normal that never pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Softness {
    /// m/N.
    pub(crate) compliance: f64,
    /// Damping over stiffness, s.
    pub(crate) damping_time: f64,
}

impl Softness {
    /// For two colliders: springs in series, with their damping times averaged by compliance, which is exact if
    /// these are equal.
    pub(super) fn of(colliders: [&Collider; 2]) -> Option<Self> {
        let compliances = colliders.map(|own| 1.0 / own.stiffness);
        let compliance = compliances[0] + compliances[1];
        let times: f64 = (colliders.iter().zip(compliances))
            .map(|(own, compliance)| own.damping * compliance * compliance)
            .sum();
        (compliance > 0.0).then(|| Self {
            compliance,
            damping_time: times / compliance,
        })
    }
}

/// Candidates for contact, and their numbers at one instant.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    pub(super) list: Vec<Candidate>,
    now: Vec<TouchNow>,
    /// Relative rotation, for candidates with rolling or spinning friction, by `Turning::at`.
    turns: Vec<TurnNow>,
    /// `A·L` of all sides.
    rows: Vec<f64>,
    /// Force of each on the second body at the end of the last step, N; and moment, N·m.
    memory: Vec<Vec3>,
    turned: Vec<Vec3>,
    is_known: Vec<bool>,
}

clone_in_room!(Touches {
    list,
    now,
    turns,
    rows,
    memory,
    turned,
    is_known,
});

/// A candidate at one instant.
#[derive(Clone, Copy, Debug)]
struct TouchNow {
    gap: f64,
    /// The normal, from the first body to the second, and two tangents.
    axes: [Vec3; 3],
    point: Vec3,
    rate: [f64; 3],
    /// Sides of the first body, then of the second; a soft body has one for each node.
    sides: [SideNow; MOST_SIDES],
}

/// One node of a soft body and three of another.
const MOST_SIDES: usize = 4;

/// The side of a body: range of its velocities, and offset of its three rows of `A·L`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideNow {
    pub(super) v0: usize,
    pub(super) n_v: usize,
    rows: usize,
}

impl SideNow {
    /// A side with `n_v` velocities from `v0` on.
    pub(super) fn at(v0: usize, n_v: usize) -> Self {
        Self { v0, n_v, rows: 0 }
    }

    /// Appends `A·L` to the rows. L is row-major.
    pub(super) fn write(mut self, axes: &[Vec3; 3], L: &[f64], rows: &mut Vec<f64>) -> Self {
        self.rows = rows.len();
        let n = self.n_v;
        rows.resize(self.rows + 3 * n, 0.0);
        let own = &mut rows[self.rows..];
        for (k, axis) in axes.iter().enumerate() {
            for (l, direction) in L.chunks_exact(n.max(1)).zip(axis) {
                for (j, l) in own[k * n..(k + 1) * n].iter_mut().zip(l) {
                    *j += direction * l;
                }
            }
        }
        self
    }
}

impl Touches {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.now.clear();
        self.turns.clear();
        self.rows.clear();
        self.memory.clear();
    }

    /// Makes the present tangents the reference.
    pub(super) fn keep_across(&mut self) {
        for (own, now) in self.list.iter_mut().zip(&self.now) {
            own.across = axis_across(now.axes[0]);
        }
    }

    /// Assigns the forces of the last step to candidates: to the same features, or else to the nearest
    /// candidate of the same colliders. Where several features of a face are equally near, those that are found
    /// can change from step to step.
    pub(crate) fn remember(&mut self, touching: &[Touching]) {
        self.memory.clear();
        self.memory.resize(self.list.len(), [0.0; 3]);
        self.turned.clear();
        self.turned.resize(self.turns.len(), [0.0; 3]);
        self.is_known.clear();
        self.is_known.resize(self.list.len(), false);
        let mut start = 0;
        for same in touching.chunk_by(|a, b| a.key[..2] == b.key[..2]) {
            let key = [same[0].key[0], same[0].key[1]];
            start += self.list[start..].partition_point(|own| [own.a, own.b] < key);
            let n = self.list[start..].partition_point(|own| [own.a, own.b] == key);
            let own = start..start + n;
            for exactly in [true, false] {
                for last in same {
                    let known = own.clone().find(|&at| self.list[at].pair.id == last.key[2]);
                    let found = match (exactly, known) {
                        (true, known) => known,
                        (false, Some(_)) => None,
                        (false, None) => self.nearest(own.clone(), last.point_world),
                    };
                    if let Some(at) = found {
                        self.memory[at] = last.force_world;
                        if let Some(turning) = self.list[at].turning {
                            self.turned[turning.at as usize] = last.moment_world;
                        }
                        self.is_known[at] = true;
                    }
                }
            }
        }
    }

    /// The candidate without a force nearest to a point.
    fn nearest(&self, own: std::ops::Range<usize>, point: Vec3) -> Option<usize> {
        let left = own.filter(|&at| !self.is_known[at]);
        let distance = |at: usize| {
            let apart = sub(self.now[at].point, point);
            dot(apart, apart)
        };
        left.reduce(|best, at| {
            if distance(at) < distance(best) {
                at
            } else {
                best
            }
        })
    }

    pub(super) fn softness(&self, touch: u32) -> Option<Softness> {
        self.list[touch as usize].softness
    }

    pub(super) fn gap(&self, touch: u32) -> f64 {
        self.now[touch as usize].gap
    }

    /// The rate of a row, m/s.
    pub(super) fn rate(&self, touch: u32, axis: u32) -> f64 {
        match self.turn(touch, axis) {
            None => self.now[touch as usize].rate[axis as usize],
            Some((turning, about)) => {
                turning.length(about) * self.turns[turning.at as usize].rate[about]
            }
        }
    }

    /// The force or moment of a row at the end of the last step, N or N·m.
    pub(super) fn force(&self, touch: u32, axis: u32) -> f64 {
        let axes = &self.now[touch as usize].axes;
        match self.turn(touch, axis) {
            None => dot(self.memory[touch as usize], axes[axis as usize]),
            Some((turning, about)) => dot(self.turned[turning.at as usize], axes[about]),
        }
    }

    /// Factor that converts a row to meters.
    pub(super) fn scale(&self, touch: u32, axis: u32) -> f64 {
        self.turn(touch, axis)
            .map_or(1.0, |(own, about)| own.length(about))
    }

    pub(super) fn for_each(&self, touch: u32, axis: u32, mut visit: impl FnMut(usize, f64)) {
        let (sides, axis) = match self.turn(touch, axis) {
            None => (&self.now[touch as usize].sides[..], axis as usize),
            Some((turning, about)) => (&self.turns[turning.at as usize].sides[..], about),
        };
        for side in sides {
            let row = &self.rows[side.rows + axis * side.n_v..];
            for (k, &j) in row[..side.n_v].iter().enumerate() {
                visit(side.v0 + k, j);
            }
        }
    }

    /// Turning and axis of a row about an axis.
    fn turn(&self, touch: u32, axis: u32) -> Option<(Turning, usize)> {
        let about = axis.checked_sub(ABOUT)?;
        Some((self.list[touch as usize].turning?, about as usize))
    }
}

impl System {
    /// Adds rows for the candidates, after those of constraints.
    pub(super) fn begin_touches(&mut self, layout: &Layout) {
        self.bounded.retain(|row| !row.is_touch());
        for (touch, own) in self.touches.list.iter().enumerate() {
            let is_flat = layout.colliders[own.a as usize].is_flat
                || layout.colliders[own.b as usize].is_flat;
            let n_across = match (own.friction > 0.0, is_flat) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => 2,
            };
            let (restitution, friction) = (own.restitution, own.friction);
            let (mut set, mut n_more, mut about) = (Set::Cone { friction }, 0, &[][..]);
            if let Some(turning) = &own.turning {
                let cones = turning.cones((n_across, friction), is_flat);
                (set, n_more) = (Set::Cones(cones), cones.n_across() - n_across);
                about = turning.axes(is_flat);
            }
            let normal = match n_across + n_more {
                0 => Role::Stop { restitution },
                n_across => Role::Normal {
                    restitution,
                    set,
                    n_across,
                },
            };
            let mut add = |axis: u32, role| {
                let row = BoundedRow::of_touch(touch as u32, axis, role);
                self.bounded.push(row);
            };
            add(0, normal);
            (1..=n_across as u32).for_each(|axis| add(axis, Role::Across));
            (about.iter()).for_each(|axis| add(ABOUT + axis, Role::Across));
        }
    }

    pub(crate) fn forget_touches(&mut self) {
        self.touches.clear();
        self.bounded.retain(|row| !row.is_touch());
    }

    /// Copies the candidates of another system.
    pub(crate) fn share_touches(&mut self, from: &Self) {
        self.bounded.clone_from(&from.bounded);
        self.touches.clone_from(&from.touches);
    }

    /// Copies the candidates of a system with other constraints.
    pub(crate) fn take_touches(&mut self, from: &Self) {
        self.bounded.retain(|row| !row.is_touch());
        let rows = from.bounded.iter().filter(|row| row.is_touch());
        self.bounded.extend(rows);
        self.touches.clone_from(&from.touches);
    }

    /// Evaluates all candidates.
    pub(super) fn fill_touches(&mut self, at: (&World, &State), layout: &Layout) {
        let Touches {
            list,
            now,
            turns,
            rows,
            ..
        } = &mut self.touches;
        now.clear();
        rows.clear();
        now.extend(list.iter().map(|own| evaluate(at, layout, own, rows)));
        turns.clear();
        for (own, now) in list.iter().zip(now) {
            if own.turning.is_some() {
                let colliders = [own.a, own.b].map(|at| &layout.colliders[at as usize]);
                turns.push(TurnNow::evaluate(at, colliders, &now.axes, rows));
            }
        }
    }

    /// Adds the contact forces of the last step.
    pub(crate) fn push_touching(&mut self, at: (&World, &State), layout: &Layout) {
        for touching in &at.1.touching {
            let colliders = [touching.key[0], touching.key[1]];
            let [Some(a), Some(b)] = colliders.map(|at| layout.colliders.get(at as usize)) else {
                continue;
            };
            let parts = Part::of([a, b], touching.key[2]);
            for ((collider, part), sign) in [a, b].into_iter().zip(parts).zip([-1.0, 1.0]) {
                if let Some(skin) = SkinAt::of(at, collider) {
                    let force = scale(sign, touching.force_world);
                    nodes::push(&skin, (part, touching.point_world), force, &mut self.force);
                    continue;
                }
                let (mut L, mut about) = (NO_POINT, NO_TURN);
                let (side, _) = point_at(at, collider, &[touching.point_world], &mut L);
                let mut push = |L: &[f64], force: Vec3| {
                    for (l, force) in L.chunks_exact(side.n_v.max(1)).zip(force) {
                        for (f, l) in self.force[side.v0..].iter_mut().zip(l) {
                            *f += l * sign * force;
                        }
                    }
                };
                push(&L[..3 * side.n_v], touching.force_world);
                if touching.moment_world != [0.0; 3] {
                    let (_, _, L) = turning::turn_at(at, collider, &mut about);
                    push(L, touching.moment_world);
                }
            }
        }
    }

    /// Writes the contacts at the filled candidates, with the forces of their rows.
    pub(crate) fn write_touching(
        &self,
        forces: impl Iterator<Item = ((u32, u32), f64)>,
        out: &mut Vec<Touching>,
    ) {
        out.clear();
        for ((touch, axis), force) in forces {
            let (own, now) = (
                &self.touches.list[touch as usize],
                &self.touches.now[touch as usize],
            );
            let part = scale(force, now.axes[(axis % ABOUT) as usize]);
            if axis == 0 && force > 0.0 {
                out.push(Touching {
                    key: [own.a, own.b, own.pair.id],
                    point_world: now.point,
                    normal_world: now.axes[0],
                    force_world: part,
                    moment_world: [0.0; 3],
                });
            } else if force != 0.0
                && let Some(last) = out.last_mut()
            {
                let sum = match axis < ABOUT {
                    true => &mut last.force_world,
                    false => &mut last.moment_world,
                };
                *sum = add(*sum, part);
            }
        }
    }
}

/// The place of a collider.
pub(super) fn place(at: (&World, &State), collider: &ColliderAt) -> (Pose, Pose) {
    let (world, state) = at;
    let body = match collider.record {
        NONE => None,
        record => {
            let record = &world.bodies()[record as usize];
            record.body.pose(state.t, &state.q[record.q_range()])
        }
    };
    let body = body.unwrap_or(Pose::at([0.0; 3]));
    (body, body.then(&collider.collider(world).pose_body))
}

/// The shape and place of a collider.
pub(super) fn now<'w>(
    (world, state): (&'w World, &State),
    collider: &ColliderAt,
) -> (Cow<'w, Shape>, Place) {
    let (body, q): (&dyn Body, &[f64]) = match collider.record {
        NONE => (&Ground, &[]),
        record => {
            let record = &world.bodies()[record as usize];
            (&*record.body, &state.q[record.q_range()])
        }
    };
    collider.collider(world).on(body, state.t, q)
}

fn evaluate(
    at: (&World, &State),
    layout: &Layout,
    own: &Candidate,
    rows: &mut Vec<f64>,
) -> TouchNow {
    let colliders = [own.a, own.b].map(|at| &layout.colliders[at as usize]);
    let parts = Part::of(colliders, own.pair.id);
    let skins = colliders.map(|collider| SkinAt::of(at, collider));
    let of = |k: usize| match &skins[k] {
        Some(skin) => skin.now(parts[k]),
        None => now(at, colliders[k]),
    };
    let (first, second) = (of(0), of(1));
    let touch = own.pair.touch((&first.0, &first.1), (&second.0, &second.1));
    let n = touch.normal;
    let is_flat = colliders.iter().any(|collider| collider.is_flat);
    let along = own.turning.and_then(|turning| turning.along);
    let along = along.and_then(|along| unit(sub(along, scale(dot(along, n), n))));
    let (first, second) = match (is_flat, along) {
        (true, _) => ([-n[1], n[0], 0.0], [0.0, 0.0, 1.0]),
        (false, Some(along)) => (along, cross(n, along)),
        (false, None) => directions_across(n, own.across),
    };
    let axes = [n, first, second];
    let (mut sides, mut n) = ([SideNow::default(); MOST_SIDES], 0);
    let against = axes.map(|axis| scale(-1.0, axis));
    let mut write = |k: usize, points: &[Vec3], axes: &[Vec3; 3]| {
        if let Some(skin) = &skins[k] {
            return skin.write((parts[k], points[0]), axes, rows, (&mut sides, &mut n));
        }
        let mut L = NO_POINT;
        let (side, moves) = point_at(at, colliders[k], points, &mut L);
        sides[n] = side.write(axes, &L[..3 * side.n_v], rows);
        n += 1;
        moves
    };
    // The force on a node acts at the node, on both bodies.
    let node = |k: usize| skins[k].as_ref().and_then(|skin| skin.node_of(parts[k]));
    let point = scale(0.5, add(touch.point_a, touch.point_b));
    let bodies = at.0.bodies();
    let moves =
        |own: &ColliderAt| own.record != NONE && !bodies[own.record as usize].v_range().is_empty();
    let do_both_move = colliders.into_iter().all(moves);
    let of = |k: usize, own: Vec3| match node(1 - k) {
        Some(node) => [node, own],
        None if do_both_move => [point, own],
        None => [own, own],
    };
    let moves_a = write(0, &of(0, touch.point_a), &against);
    let moves_b = write(1, &of(1, touch.point_b), &axes);
    TouchNow {
        gap: touch.gap,
        axes,
        point,
        rate: axes.map(|axis| dot(axis, sub(moves_b, moves_a))),
        sides,
    }
}

/// Two tangents of a normal, by a reference axis. A rule by components of the normal alone would let them jump
/// by a right angle when a normal along a world axis rotates by round-off.
fn directions_across(n: Vec3, axis: Vec3) -> (Vec3, Vec3) {
    match norm(cross(n, axis)) > LEAST_ACROSS {
        true => complete_basis_by(n, axis),
        false => complete_basis(n),
    }
}

/// The velocity of a point of a collider.
pub(super) fn point_velocity(
    at: (&World, &State),
    collider: &ColliderAt,
    point_world: Vec3,
) -> Vec3 {
    point_at(at, collider, &[point_world], &mut [0.0; 3 * MOST_V]).1
}

/// Zeros for L of a point, and of a rotation.
const NO_POINT: [f64; 3 * MOST_V] = [0.0; 3 * MOST_V];
const NO_TURN: [f64; 6 * MOST_V] = [0.0; 6 * MOST_V];

/// L of a body at the first of several points where it has matter, written into zeros, and the velocity of that
/// point.
fn point_at(
    at: (&World, &State),
    collider: &ColliderAt,
    points_world: &[Vec3],
    L: &mut [f64; 3 * MOST_V],
) -> (SideNow, Vec3) {
    let (world, state) = at;
    let own = collider.collider(world);
    let body = place(at, collider).0;
    let rotation = quat_to_matrix(body.rotation);
    let slides = mat_vec(&rotation, own.surface_velocity_body);
    let is_flat = collider.is_flat;
    let site_of = |point_world: &Vec3| {
        let point_body = mat_t_vec(&rotation, sub(*point_world, body.position));
        match is_flat {
            true => Site::Point2([point_body[0], point_body[1]]),
            false => Site::Point(point_body),
        }
    };
    let n = if is_flat { 2 } else { 3 };
    let (mut x, mut x_dot, mut ell) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let mut side = SideNow::default();
    let (q, v, shared): (&[f64], &[f64], &dyn Body) = match collider.record {
        NONE => (&[], &[], &Ground),
        record => {
            let record = &world.bodies()[record as usize];
            (side.v0, side.n_v) = (record.v0, record.v_range().len());
            (
                &state.q[record.q_range()],
                &state.v[record.v_range()],
                &*record.body,
            )
        }
    };
    let mut out = ConnectorMut {
        x: &mut x[..n],
        x_dot: &mut x_dot[..n],
        L: MatMut::new(&mut L[..n * side.n_v], side.n_v),
        ell: &mut ell[..n],
    };
    // A body that deforms: the matter that is there now.
    let mut sites = points_world.iter().map(site_of);
    let Some(site) = sites.find_map(|site| shared.material_site(q, site).ok()) else {
        return (side, slides);
    };
    shared.connector(&site, state.t, q, v, &mut out);
    (side, add(x_dot, slides))
}
