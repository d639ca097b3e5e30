//! The loop-free part: block LDLᵀ of `H` leaves first, without fill (Baraff 1996, §7.3 and App. A).
//!
//! Each step eliminates a body together with the constraint that holds it and folds both into the
//! parent. For a frame pair between rigid bodies the Schur complement is written with the joint's
//! *free* directions `S` instead of its rows `N`, which is cheaper and has no pivot that could be
//! lost. With the body's inertia `M̂`, twist `u` and load `p` at the joint, `u_p` the parent's
//! motion there, and `u₀ = u_p + N⁺·b`:
//!
//! ```text
//!     h = M̂·S    D = Sᵀ·h    Φ = M̂ − h·D⁻¹·hᵀ    p′ = p − h·D⁻¹·Sᵀ·p
//!     wrench of the joint  w = Φ·u₀ − p′ = Nᵀ·λ        u = u₀ + S·D⁻¹·(Sᵀ·p − hᵀ·u₀)
//! ```
//!
//! `Φ` is the articulated inertia and goes to the parent. Soft rows across the joint only add to `D`
//! (`rider`). Any other constraint or body takes the
//! literal form: `Ŝ = J·M̂⁻¹·Jᵀ + C`, `M̂_parent += J_parentᵀ·Ŝ⁻¹·J_parent`. Cost: O(bodies).

pub(super) mod articulated;
mod generic;
pub(super) mod mobility;
mod pin;
mod product;
mod rider;
mod sweep;

use super::absorb::{Absorbed, MAX_SHARE};
use super::tolerances::PARALLEL;
use crate::linalg::order::{Key, sort};
use crate::linalg::small::Pivot;
use crate::math::{
    IDENTITY3, Mat3, Sym3, Vec3, complete_basis, cross, dot, mat_t_vec, mat_vec, scale, sub,
    sym_is_positive, sym_vec,
};
use crate::system::{FrameJoint, JacobianKind, MassBlock, System};
use crate::topology::{Branch, NONE};
use articulated::Articulated;
use generic::GenericPivots;
use pin::PinPivot;
use rider::Riders;
pub(super) use sweep::Over;

/// How a step eliminates its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepKind {
    /// Rigid, held by a ball joint of the pool.
    Ball { joint: u32, pivot: u32 },
    /// Rigid, held by another frame pair of the pool.
    Frame { joint: u32, pivot: u32 },
    /// Of the plane, held by a pin of the pool.
    Pin { joint: u32, pivot: u32 },
    /// Anything else, or held by nothing.
    Generic { pivot: u32 },
}

/// One step of the elimination.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: StepKind,
    body: u32,
    parent: u32,
    /// The parent's step, or `NONE` when the parent is in the core.
    parent_step: u32,
    v0: u32,
    parent_v0: u32,
    row0: u32,
    /// The body is side b of its joint.
    is_b: bool,
    first_child: bool,
    has_children: bool,
    /// Place of the rigid body in the pool, or `NONE`.
    rigid: u32,
    parent_is_rigid: bool,
    /// What rides on its joint, or `NONE`.
    seat: u32,
}

/// The factored step of a ball joint.
#[derive(Clone, Copy, Debug, Default)]
struct BallPivot {
    /// `K = A − B·C⁻¹·Bᵀ`.
    k: Sym3,
    c_inv: Sym3,
    /// `E = B·C⁻¹`.
    e: Mat3,
    /// From the body's center of mass to the joint; from the parent's reference point to the
    /// joint; from the parent's center of mass to the joint.
    r: Vec3,
    push: Vec3,
    r_parent: Vec3,
}

/// An eliminated free direction of a frame pair.
#[derive(Clone, Copy, Debug, Default)]
struct FreeDirection {
    s: Vec3,
    is_rotation: bool,
    h_force: Vec3,
    h_torque: Vec3,
    inv_d: f64,
}

impl FreeDirection {
    /// Eliminates rotation about `s`, or translation along it, from `phi`. Riders add to `D`.
    #[inline(always)]
    fn eliminate(phi: &mut Articulated, s: Vec3, is_rotation: bool, riders: f64) -> Self {
        let (h_force, h_torque) = if is_rotation {
            (mat_vec(&phi.b, s), sym_vec(&phi.c, s))
        } else {
            (sym_vec(&phi.a, s), mat_t_vec(&phi.b, s))
        };
        let inv_d = 1.0 / (dot(s, if is_rotation { h_torque } else { h_force }) + riders);
        phi.subtract_rank_one(h_force, h_torque, inv_d);
        Self {
            s,
            is_rotation,
            h_force,
            h_torque,
            inv_d,
        }
    }
}

/// The factored step of another frame pair.
#[derive(Clone, Copy, Debug, Default)]
struct FramePivot {
    phi: Articulated,
    dual_g: [Vec3; 3],
    first_free: u32,
    n_free: u32,
    r: Vec3,
    push: Vec3,
    r_parent: Vec3,
}

/// The factor of all branches of a plan, and the workspace of its solves.
#[derive(Clone, Debug, Default)]
pub(super) struct Branches {
    steps: Vec<Step>,
    balls: Vec<BallPivot>,
    frames: Vec<FramePivot>,
    free: Vec<FreeDirection>,
    pins: Vec<PinPivot>,
    absorbed: Absorbed,
    riders: Riders,
    generic: GenericPivots,
    /// The inertia of each rigid body's children, over twists at the body's reference point: its own joint for
    /// a frame-pair step, its center of mass otherwise.
    folded: Vec<Articulated>,
    /// Loads at the reference points of rigid bodies, by body.
    load: Vec<[f64; 6]>,
    /// Loads along free directions, in the layout of `free`.
    free_load: Vec<f64>,
    /// Forces on bodies that are not rigid, or in the core, in the world's layout.
    force: Vec<f64>,
    /// Steps that forward and backward sweeps have visited.
    #[cfg(test)]
    pub(super) visits: [usize; 2],
}

impl Branches {
    /// Lays out the factor of `branches` (system indices, children before parents), of absorbed constraints
    /// with their bodies, and of constraints that ride on the joint of a branch, by its position.
    pub(super) fn new(
        system: &System,
        branches: &[Branch],
        absorbed: &[(u32, u32)],
        mut riders: Vec<Key>,
    ) -> Self {
        // Without branches there are no children and no loads.
        let (n, n_v) = match (branches, absorbed) {
            ([], []) => (0, 0),
            _ => (system.bodies.len(), system.n_v()),
        };
        let mut out = Self {
            folded: vec![Articulated::default(); n],
            load: vec![[0.0; 6]; n],
            force: vec![0.0; n_v],
            steps: Vec::with_capacity(branches.len()),
            balls: Vec::with_capacity(branches.len().min(system.balls.len())),
            frames: Vec::with_capacity(branches.len().min(system.frames.len())),
            ..Self::default()
        };
        out.absorbed = Absorbed::new(system, absorbed, branches);
        for &body in out.absorbed.bodies() {
            if !matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_)) {
                out.generic.make_place(system, body);
            }
        }
        sort(&mut riders);
        let mut riders = &riders[..];
        for (at, branch) in branches.iter().enumerate() {
            let n = riders.partition_point(|&(step, _)| step <= at as u64);
            let mut step = out.step(system, branch);
            step.seat = out.riders.add(system, &riders[..n]);
            riders = &riders[n..];
            out.steps.push(step);
        }
        out.free_load = vec![0.0; out.free.len()];
        out
    }

    fn step(&mut self, system: &System, branch: &Branch) -> Step {
        let block = &system.bodies[branch.body as usize];
        let rigid = match block.mass {
            MassBlock::Rigid(at) => at,
            _ => NONE,
        };
        let parent_is_rigid = branch.parent != NONE
            && matches!(
                system.bodies[branch.parent as usize].mass,
                MassBlock::Rigid(_)
            );
        let jacobian = (branch.constraint != NONE)
            .then(|| system.constraints[branch.constraint as usize].jacobian);
        let mut is_b = false;
        let kind = match jacobian {
            Some(JacobianKind::Ball(joint)) => {
                is_b = system.balls[joint as usize].b == branch.body;
                self.balls.push(BallPivot::default());
                StepKind::Ball {
                    joint,
                    pivot: self.balls.len() as u32 - 1,
                }
            }
            Some(JacobianKind::Frame(joint)) => {
                let frame = &system.frames[joint as usize];
                is_b = frame.b == branch.body;
                let n_free = 6 - frame.n_rows() as u32;
                let first_free = self.free.len() as u32;
                self.free
                    .resize(self.free.len() + n_free as usize, FreeDirection::default());
                self.frames.push(FramePivot {
                    first_free,
                    n_free,
                    ..FramePivot::default()
                });
                StepKind::Frame {
                    joint,
                    pivot: self.frames.len() as u32 - 1,
                }
            }
            Some(JacobianKind::Pin(joint)) => {
                is_b = system.pins[joint as usize].b == branch.body;
                let pivot = PinPivot::new(&mut self.generic, system, branch.body, branch.parent);
                self.pins.push(pivot);
                StepKind::Pin {
                    joint,
                    pivot: self.pins.len() as u32 - 1,
                }
            }
            _ => StepKind::Generic {
                pivot: self.generic.add(system, branch),
            },
        };
        Step {
            kind,
            body: branch.body,
            parent: branch.parent,
            parent_step: branch.parent_branch,
            v0: block.v0,
            parent_v0: match branch.parent {
                NONE => NONE,
                parent => system.bodies[parent as usize].v0,
            },
            row0: match branch.constraint {
                NONE => NONE,
                constraint => system.constraints[constraint as usize].row0,
            },
            is_b,
            first_child: branch.first_child,
            has_children: branch.has_children,
            rigid,
            parent_is_rigid,
            seat: NONE,
        }
    }

    /// The inertia of children of a rigid body of the core, over twists at its center of mass.
    pub(super) fn folded(&self, body: u32) -> &Articulated {
        &self.folded[body as usize]
    }

    /// The inertia of children of another body of the core, `n_v × n_v`.
    pub(super) fn folded_dense(&self, body: u32) -> Option<&[f64]> {
        self.generic.folded(body)
    }

    /// Number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Bodies in the order of their steps.
    pub(super) fn bodies(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().map(|step| step.body)
    }

    /// Factors every step. `mu` is added to the rows of generic pivots; `Lost` means that the rows of one are
    /// dependent.
    pub(super) fn factor(&mut self, system: &System, mu: f64) -> Pivot {
        let mut result = Pivot::Regular;
        self.generic.clear_folded();
        self.fold_absorbed(system);
        for at in 0..self.steps.len() {
            let step = self.steps[at];
            match step.kind {
                StepKind::Ball { joint, pivot } => self.factor_ball(system, &step, joint, pivot),
                StepKind::Frame { joint, pivot } => self.factor_frame(system, &step, joint, pivot),
                StepKind::Pin { joint, pivot } => {
                    let joint = &system.pins[joint as usize];
                    let pin = &mut self.pins[pivot as usize];
                    pin.factor(
                        system,
                        &step,
                        joint,
                        &mut self.riders,
                        self.generic.values(),
                    );
                }
                StepKind::Generic { pivot } => {
                    if self.factor_generic(system, &step, pivot, mu) == Pivot::Lost {
                        result = Pivot::Lost;
                    }
                }
            }
        }
        result
    }

    /// Whether every pivot block is positive definite.
    #[cold]
    pub(super) fn is_positive(&self) -> bool {
        self.balls.iter().all(|ball| sym_is_positive(&ball.c_inv))
            && self.free.iter().all(|free| free.inv_d > 0.0)
            && self.pins.iter().all(PinPivot::is_positive)
            && self.generic.are_positive()
    }

    /// Absorbed rows are folded into their bodies first.
    fn fold_absorbed(&mut self, system: &System) {
        for at in 0..self.absorbed.bodies().len() {
            let (body, step) = self.absorbed.body(at);
            if let (MassBlock::Patterned { .. }, Some(place)) = (
                system.bodies[body as usize].mass,
                self.generic.place_of(body),
            ) {
                let values = &mut self.generic.values()[place..];
                self.absorbed.add_patterned(system, at, values);
                continue;
            }
            let mut share = [0.0; MAX_SHARE];
            self.absorbed.factor(system, at, &mut share);
            match self.generic.place_of(body) {
                Some(place) => {
                    let n = system.bodies[body as usize].n_v as usize;
                    self.generic.values()[place..place + n * n].copy_from_slice(&share[..n * n]);
                }
                None => {
                    let reference = scale(-1.0, self.reference(system, step));
                    self.folded[body as usize] = Articulated::from_full(&share).shifted(reference);
                }
            }
        }
    }

    /// Writes the proximal terms of the rows of generic pivots.
    pub(super) fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        self.generic.proximal_terms(system, mu);
    }

    /// Lever from a body's center of mass to its reference point.
    #[inline(always)]
    fn reference(&self, system: &System, step: u32) -> Vec3 {
        if step == NONE {
            return [0.0; 3];
        }
        let step = &self.steps[step as usize];
        match step.kind {
            StepKind::Ball { joint, .. } => {
                let joint = &system.balls[joint as usize];
                step.arms(joint.r_a, joint.r_b).0
            }
            StepKind::Frame { joint, .. } => {
                let joint = &system.frames[joint as usize];
                step.arms(joint.r_a, joint.r_b).0
            }
            StepKind::Pin { .. } | StepKind::Generic { .. } => [0.0; 3],
        }
    }

    /// The body's inertia with its children, at its reference point.
    #[inline(always)]
    fn inertia(&self, system: &System, step: &Step, r: Vec3) -> Articulated {
        let rigid = &system.rigid[step.rigid as usize];
        let mut inertia = Articulated::rigid(rigid.mass, &rigid.inertia_world, r);
        if step.has_children {
            inertia.add(&self.folded[step.body as usize]);
        }
        inertia
    }

    #[inline(always)]
    fn fold(&mut self, step: &Step, part: Articulated) {
        let folded = &mut self.folded[step.parent as usize];
        if step.first_child {
            *folded = part;
        } else {
            folded.add(&part);
        }
    }

    #[inline(always)]
    fn factor_ball(&mut self, system: &System, step: &Step, joint: u32, pivot: u32) {
        let joint = &system.balls[joint as usize];
        let (r, r_parent) = step.arms(joint.r_a, joint.r_b);
        let inertia = self.inertia(system, step, r);
        let (k, c_inv, e) = inertia.free_turning();
        let mut push = [0.0; 3];
        if step.parent != NONE {
            push = sub(r_parent, self.reference(system, step.parent_step));
            self.fold(step, Articulated::from_point(&k, push));
        }
        self.balls[pivot as usize] = BallPivot {
            k,
            c_inv,
            e,
            r,
            push,
            r_parent,
        };
    }

    fn factor_frame(&mut self, system: &System, step: &Step, joint: u32, pivot: u32) {
        let joint = &system.frames[joint as usize];
        let (r, r_parent) = step.arms(joint.r_a, joint.r_b);
        let mut phi = self.inertia(system, step, r);
        let FramePivot {
            first_free, n_free, ..
        } = self.frames[pivot as usize];
        let free = &mut self.free[first_free as usize..][..n_free as usize];
        let (free_rotations, free_translations) = free.split_at_mut(3 - joint.n_r as usize);
        // Riders are on joints with one free direction.
        let mut ridden = |s: (Vec3, Vec3)| match step.seat {
            NONE => 0.0,
            seat => self.riders.weigh(system, (seat, step.body), r, s),
        };
        let directions = free_rotations_of(joint);
        for (free, s) in free_rotations.iter_mut().zip(directions) {
            *free = FreeDirection::eliminate(&mut phi, s, true, ridden(([0.0; 3], s)));
        }
        let directions = free_translations_of(joint);
        for (free, s) in free_translations.iter_mut().zip(directions) {
            *free = FreeDirection::eliminate(&mut phi, s, false, ridden((s, [0.0; 3])));
        }
        if let ([free, ..], true) = (&*free, step.seat != NONE) {
            let h = if free.is_rotation {
                free.h_torque
            } else {
                free.h_force
            };
            self.riders.note(step.seat, dot(free.s, h), free.inv_d);
        }
        let mut push = [0.0; 3];
        if step.parent != NONE {
            push = sub(r_parent, self.reference(system, step.parent_step));
            self.fold(step, phi.shifted(push));
        }
        self.frames[pivot as usize] = FramePivot {
            phi,
            dual_g: joint.dual_g(),
            first_free,
            n_free,
            r,
            push,
            r_parent,
        };
    }

    fn factor_generic(&mut self, system: &System, step: &Step, pivot: u32, mu: f64) -> Pivot {
        let mut own = [0.0; 36];
        let articulated = if step.rigid == NONE {
            None
        } else {
            self.inertia(system, step, [0.0; 3]).expand(&mut own);
            Some(&own[..])
        };
        let result = self.generic.factor(system, pivot, articulated, mu);
        if step.parent != NONE {
            if step.parent_is_rigid {
                let added = Articulated::from_full(self.generic.parent_share(pivot));
                let reference = self.reference(system, step.parent_step);
                self.fold(step, added.shifted(scale(-1.0, reference)));
            } else {
                self.generic.fold_into_parent(step.parent, pivot);
            }
        }
        result
    }
}

impl Step {
    /// The joint's lever arm on the body, and on the parent.
    #[inline(always)]
    fn arms(&self, r_a: Vec3, r_b: Vec3) -> (Vec3, Vec3) {
        if self.is_b { (r_b, r_a) } else { (r_a, r_b) }
    }
}

/// Axes about which a frame pair can rotate; unused ones are zero.
#[inline(always)]
fn free_rotations_of(joint: &FrameJoint) -> [Vec3; 3] {
    match joint.n_r {
        0 => IDENTITY3,
        1 => {
            let (y, z) = complete_basis(unit_or_x(joint.g[0]));
            [y, z, [0.0; 3]]
        }
        2 => {
            let axis = cross(joint.g[0], joint.g[1]);
            let is_defined = dot(axis, axis) > PARALLEL;
            let axis = if is_defined {
                axis
            } else {
                unit_or_x(joint.g[0])
            };
            [axis, [0.0; 3], [0.0; 3]]
        }
        _ => [[0.0; 3]; 3],
    }
}

/// Directions along which a frame pair can slide; unused ones are zero.
#[inline(always)]
fn free_translations_of(joint: &FrameJoint) -> [Vec3; 3] {
    match joint.n_t {
        0 => IDENTITY3,
        1 => {
            let (y, z) = complete_basis(joint.t[0]);
            [y, z, [0.0; 3]]
        }
        2 => [cross(joint.t[0], joint.t[1]), [0.0; 3], [0.0; 3]],
        _ => [[0.0; 3]; 3],
    }
}

fn unit_or_x(v: Vec3) -> Vec3 {
    crate::math::unit(v).unwrap_or([1.0, 0.0, 0.0])
}
