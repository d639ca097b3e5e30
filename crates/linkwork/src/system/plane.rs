//! Planar bodies and the pins between them, in typed pools: the sine and cosine of a body are computed once,
//! however many pins it has.
//!
//! ```text
//!     M = diag(m, m, I)      x = com + r      ẋ = v + θ̇·E·r      ℓ = −θ̇²·r      E·r = (−r_y, r_x)
//!     pin    c = x_b − x_a      ċ = ẋ_b − ẋ_a      γ = ℓ_b − ℓ_a
//! ```

use std::any::Any;

use super::compile::Builder;
use super::connectors::evaluate;
use super::fill::Filler;
use super::joint::PinJoint;
use super::layout::Layout;
use super::numbers::{JacobianKind, System};
use crate::body::{PlanarBody, PlanarNow, PlanarPoint};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::linalg::MatMut;
use crate::topology::NONE;
use crate::world::{State, World};

/// A planar body of the typed pool: parameters, and indices of its state and mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarSource {
    /// Position in the world.
    pub(super) record: u32,
    q0: u32,
    v0: u32,
    mass_offset: u32,
    mass: f64,
    inertia: f64,
    com_body: [f64; 2],
}

/// A pin of the typed pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinSource {
    sides: [PinSide; 2],
    row0: u32,
}

/// A point of a pin: on a body of the pool, or on a body without coordinates.
#[derive(Clone, Copy, Debug)]
struct PinSide {
    planar: u32,
    slot: u32,
    /// From the center of mass, body components.
    lever_body: [f64; 2],
}

impl Builder<'_> {
    /// Adds the body at `position` to the pool, if it is planar.
    pub(super) fn planar_body(&mut self, position: usize, mass_offset: u32) -> bool {
        let record = &self.world.bodies()[position];
        let body: &dyn Any = &*record.body;
        let Some(body) = body.downcast_ref::<PlanarBody>() else {
            return false;
        };
        self.planar_of[position] = self.layout.planar.len() as u32;
        self.layout.planar.push(PlanarSource {
            record: position as u32,
            q0: record.q0 as u32,
            v0: record.v0 as u32,
            mass_offset,
            mass: body.mass,
            inertia: body.inertia,
            com_body: body.com_body,
        });
        true
    }

    fn planar(&self, slot: u32) -> u32 {
        let record = self.layout.slots[slot as usize].record();
        self.planar_of.get(record as usize).copied().unwrap_or(NONE)
    }

    /// Whether all present slots are planar points, on bodies of the pool or on bodies without coordinates.
    pub(super) fn in_plane(&self) -> bool {
        self.slots.iter().all(|&at| {
            let slot = &self.layout.slots[at as usize];
            slot.kind == ConnectorKind::Point2
                && slot.at.is_some()
                && (slot.body() == NONE || self.planar(at) != NONE)
        })
    }

    /// Adds the pin of the present slots.
    pub(super) fn pin(&mut self, row0: u32, system: &mut System) -> JacobianKind {
        let sides = [0, 1].map(|i| {
            let slot = self.slots[i];
            let planar = self.planar(slot);
            let com = self
                .layout
                .planar
                .get(planar as usize)
                .map(|of| of.com_body);
            let at = self.layout.slots[slot as usize].at;
            let lever_body = match (at.map(|at| at.name.site(self.world)), com) {
                (Some(Site::Point2(p)), Some(com)) => [p[0] - com[0], p[1] - com[1]],
                _ => [0.0; 2],
            };
            PinSide {
                planar,
                slot,
                lever_body,
            }
        });
        let [a, b] = sides.map(|side| self.layout.slots[side.slot as usize].body());
        let v0 = |body: u32| {
            system
                .bodies
                .get(body as usize)
                .map_or(NONE, |block| block.v0)
        };
        system.pins.push(PinJoint {
            a,
            b,
            v0_a: v0(a),
            v0_b: v0(b),
            e_a: [0.0; 2],
            e_b: [0.0; 2],
        });
        self.layout.pins.push(PinSource { sides, row0 });
        JacobianKind::Pin(system.pins.len() as u32 - 1)
    }
}

impl Filler {
    /// Rotation, mass and gravity of planar bodies.
    pub(super) fn planar_bodies(&mut self, state: &State, layout: &Layout, system: &mut System) {
        let [g_x, g_y, _] = layout.gravity_world;
        for (source, now) in layout.planar.iter().zip(&mut self.planar) {
            let (q0, v0) = (source.q0 as usize, source.v0 as usize);
            let (q, v) = (&state.q[q0..q0 + 3], &state.v[v0..v0 + 3]);
            *now = PlanarNow::new(q, v);
            let (m, i) = (source.mass, source.inertia);
            system.mass[source.mass_offset as usize..][..9]
                .copy_from_slice(&[m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, i]);
            system.force[v0..v0 + 3].copy_from_slice(&[m * g_x, m * g_y, 0.0]);
            system.inertial[v0..v0 + 3].fill(0.0);
        }
    }

    pub(super) fn pins(&self, at: (&World, &State), layout: &Layout, system: &mut System) {
        for (source, joint) in layout.pins.iter().zip(&mut system.pins) {
            let [a, b] = &source.sides;
            let (a, b) = (self.pin_point(at, layout, a), self.pin_point(at, layout, b));
            joint.e_a = [-a.r[1], a.r[0]];
            joint.e_b = [-b.r[1], b.r[0]];
            let row0 = source.row0 as usize;
            for k in 0..2 {
                system.c[row0 + k] = b.x[k] - a.x[k];
                system.c_dot[row0 + k] = b.x_dot[k] - a.x_dot[k];
                system.gamma[row0 + k] = b.ell[k] - a.ell[k];
            }
        }
    }

    #[inline(always)]
    fn pin_point(&self, at: (&World, &State), layout: &Layout, side: &PinSide) -> PlanarPoint {
        match self.planar.get(side.planar as usize) {
            Some(body) => body.point(side.lever_body),
            None => prescribed(at, layout, side.slot),
        }
    }
}

/// A point on a body without coordinates.
fn prescribed(at: (&World, &State), layout: &Layout, slot: u32) -> PlanarPoint {
    let mut point = PlanarPoint::default();
    let mut out = ConnectorMut {
        x: &mut point.x,
        x_dot: &mut point.x_dot,
        L: MatMut::new(&mut [], 0),
        ell: &mut point.ell,
    };
    evaluate(at, &layout.slots[slot as usize], &mut out);
    point
}
