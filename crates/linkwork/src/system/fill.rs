//! Fills the system at one instant, stage by stage: bodies, then connectors, then blocks, then constraints and
//! forces (Witkin 1990, §4.1).
//!
//! Every connector is evaluated once, however many constraints and behaviors share it. Rigid bodies and frame
//! pairs, planar bodies and pins go through typed pools, everything else through its trait; both use the same
//! formulas.

#![allow(non_snake_case)] // L: the letter of the papers.

use super::blocks::Fault;
use super::layout::Layout;
use super::numbers::System;
use super::soft::{Soft, soften};
use super::space::{FrameNow, PointNow, RigidNow};
use crate::body::PlanarNow;
use crate::world::{Dynamics, State, World};

/// The motion that the equations describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Accelerations under the present forces: `J·v̇ = −γ`.
    Acceleration,
    /// Velocity corrections or impulses: `J·δv = −ċ`.
    Velocity,
    /// Displacements: `J·δq = −c`.
    Displacement,
    /// Velocities of a first-order world, `D·v = f + Jᵀ·λ` and `J·v = −∂c/∂t` (Witkin 1990, §2.5),
    /// evaluated at rest: `D` is the bodies' drag metric. In worlds without momentum, velocity corrections and
    /// displacements are measured by it too.
    Flow,
}

impl Motion {
    /// Whether masses are the bodies' drag metrics: in worlds without momentum, for all motions but
    /// accelerations, so that a free motion and its corrections have the same metric.
    pub(crate) fn is_by_drag(self, world: &World) -> bool {
        let has_momentum = world.dynamics() == Dynamics::SecondOrder;
        match self {
            Self::Flow => true,
            Self::Acceleration => false,
            Self::Velocity | Self::Displacement => !has_momentum,
        }
    }
}

/// Workspace of a fill, without any state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filler {
    /// Rigid bodies of the typed pools; points and frames with several readers, by `SpaceSource::shared`.
    pub(super) rigid: Vec<RigidNow>,
    pub(super) points: Vec<PointNow>,
    pub(super) frames: Vec<FrameNow>,
    /// Bodies of the plane.
    pub(super) planar: Vec<PlanarNow>,
    /// Values of connectors for traits, by slot.
    pub(super) x: Vec<f64>,
    pub(super) x_dot: Vec<f64>,
    pub(super) ell: Vec<f64>,
    pub(super) L: Vec<f64>,
    /// `∂c/∂x` and push of one constraint, `D` of one block, or the forces of one behavior.
    pub(super) scratch: Vec<f64>,
    pub(super) push_scratch: Vec<f64>,
    pub(super) fault: Fault,
}

impl Filler {
    /// Sizes the workspace for a layout.
    pub(crate) fn size(&mut self, layout: &Layout) {
        // A fill writes everything it reads, so nothing is cleared.
        self.rigid.resize(layout.rigid.len(), RigidNow::ZERO);
        self.planar
            .resize(layout.planar.len(), PlanarNow::default());
        let n_shared = layout.shared_space.len();
        self.points.resize(n_shared, PointNow::ZERO);
        self.frames.resize(n_shared, FrameNow::ZERO);
        self.x.resize(layout.n_x, 0.0);
        self.x_dot.resize(layout.n_x_dot, 0.0);
        self.ell.resize(layout.n_x_dot, 0.0);
        self.L.resize(layout.n_l, 0.0);
        self.scratch.resize(layout.n_scratch, 0.0);
        self.push_scratch.resize(layout.n_scratch, 0.0);
        self.fault.size(layout);
    }

    /// Evaluates everything of a world at a state, its own or a trial, into `system`.
    pub(crate) fn fill(
        &mut self,
        (world, state): (&World, &State),
        layout: &Layout,
        motion: Motion,
        soft: Soft,
        system: &mut System,
    ) {
        let at = (world, state);
        system.turns.see_at(state.t, &state.turns);
        self.rigid_bodies(state, layout, motion, system);
        self.planar_bodies(state, layout, system);
        self.generic_bodies(at, layout, motion, system);
        system.fill_strains(at, motion, soft);
        self.rows(at, (layout, &layout.generic_slots), system);
        self.behaviors(at, layout, system);
        if system.has_soft_rows {
            soften(world, layout, motion, soft, system);
        }
        if system.touches.len() > 0 {
            system.fill_touches(at, layout);
        }
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        system.natural_size = match motion {
            Motion::Acceleration => largest(&mut layout.gravity_world.iter().map(|g| g.abs())),
            Motion::Velocity => largest(&mut state.v.iter().map(|v| v.abs())),
            Motion::Flow => layout
                .gravity_world
                .iter()
                .map(|g| g.abs())
                .fold(0.0, f64::max),
            Motion::Displacement => {
                let positions = &mut self.rigid.iter().flat_map(|body| body.com.map(f64::abs));
                largest(positions).max(system.characteristic_length)
            }
        };
    }

    /// Evaluates values of rows and strains only. Masses, forces and gradients of strains are not updated.
    pub(crate) fn fill_rows(
        &mut self,
        at: (&World, &State),
        layout: &Layout,
        motion: Motion,
        system: &mut System,
    ) {
        let state = at.1;
        system.turns.see_at(state.t, &state.turns);
        self.rigid_bodies(state, layout, motion, system);
        self.planar_bodies(state, layout, system);
        system.fill_strain_values(at, motion);
        let slots = &layout.generic_slots[..layout.n_row_slots];
        self.rows(at, (layout, slots), system);
        if system.touches.len() > 0 {
            system.fill_touches(at, layout);
        }
    }

    /// Evaluates connectors, of the generic ones those in `slots`, and the rows between them.
    fn rows(
        &mut self,
        at: (&World, &State),
        (layout, slots): (&Layout, &[u32]),
        system: &mut System,
    ) {
        self.space_connectors(at, layout);
        self.ball_joints(layout, system);
        self.frame_joints(layout, system);
        self.pins(at, layout, system);
        self.generic_connectors(at, layout, slots);
        self.blocks(at, layout);
        self.generic_constraints(at, layout, system);
    }
}
