//! Points and frames in space, in typed pools: on rigid bodies, and on bodies without coordinates, whose motion
//! is prescribed.
//!
//! ```text
//!     x = com + r      ẋ = v + ω × r      ℓ = ω × (ω × r)      L = [ 1  −[r]× ]
//!                                                                  [ 0    1   ]
//! ```
//!
//! Points and frames with a single reader are evaluated by it, without being stored.

use super::connectors::evaluate;
use super::fill::Filler;
use super::layout::{Layout, Slot};
use crate::connector::ConnectorMut;
use crate::constraint::FrameMotion;
use crate::linalg::MatMut;
use crate::math::{Mat3, Vec3, add, column, cross, mat_mul, mat_vec};
use crate::topology::NONE;
use crate::world::{State, World};

/// A rigid body at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidNow {
    pub(super) com: Vec3,
    pub(super) rotation: Mat3,
    pub(super) velocity: Vec3,
    pub(super) omega: Vec3,
}

impl RigidNow {
    pub(super) const ZERO: Self = Self {
        com: [0.0; 3],
        rotation: [[0.0; 3]; 3],
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };

    /// A point at `lever_body` from the center of mass: `ẋ = v + ω × r`, `ℓ = ω × (ω × r)`.
    #[inline(always)]
    pub(super) fn point(&self, lever_body: Vec3) -> PointNow {
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
    pub(super) fn frame(&self, point: &PointNow, rot_body_frame: &Mat3, whole: bool) -> FrameNow {
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
pub(super) struct PointNow {
    /// From the body's center of mass, world axes.
    pub(super) r: Vec3,
    pub(super) x: Vec3,
    pub(super) x_dot: Vec3,
    pub(super) ell: Vec3,
}

impl PointNow {
    pub(super) const ZERO: Self = Self {
        r: [0.0; 3],
        x: [0.0; 3],
        x_dot: [0.0; 3],
        ell: [0.0; 3],
    };
}

/// A frame at one instant, and the prescribed part of its angular acceleration.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameNow {
    pub(super) motion: FrameMotion,
    pub(super) alpha: Vec3,
}

impl FrameNow {
    pub(super) const ZERO: Self = Self {
        motion: FrameMotion {
            position: [0.0; 3],
            rotation: [[0.0; 3]; 3],
            velocity: [0.0; 3],
            omega: [0.0; 3],
        },
        alpha: [0.0; 3],
    };
}

impl Filler {
    /// Evaluates points and frames with several readers, or with prescribed motion.
    pub(super) fn space_connectors(&mut self, at: (&World, &State), layout: &Layout) {
        for (place, &source) in layout.shared_space.iter().enumerate() {
            let source = &layout.space[source as usize];
            let is_frame = source.frame != NONE;
            if source.rigid == NONE {
                let slot = &layout.slots[source.slot as usize];
                let frame = is_frame.then(|| &mut self.frames[place]);
                prescribed(at, slot, &mut self.points[place], frame);
                continue;
            }
            let body = &self.rigid[source.rigid as usize];
            let point = body.point(source.lever_body);
            self.points[place] = point;
            if is_frame {
                let rotation = &layout.frame_rotations[source.frame as usize];
                self.frames[place] = body.frame(&point, rotation, source.whole);
            }
        }
    }

    /// A point of the typed pool, evaluated here if it has no other reader.
    #[inline(always)]
    pub(super) fn point(&self, layout: &Layout, at: u32) -> PointNow {
        let source = &layout.space[at as usize];
        match source.shared {
            NONE => self.rigid[source.rigid as usize].point(source.lever_body),
            shared => self.points[shared as usize],
        }
    }

    /// A frame of the typed pool; a point gives a frame without axes.
    #[inline(always)]
    pub(super) fn frame(&self, layout: &Layout, at: u32, point: &PointNow) -> FrameNow {
        let source = &layout.space[at as usize];
        if source.frame == NONE {
            let mut frame = FrameNow::ZERO;
            frame.motion.position = point.x;
            frame.motion.velocity = point.x_dot;
            return frame;
        }
        if source.shared == NONE {
            let rotation = &layout.frame_rotations[source.frame as usize];
            return self.rigid[source.rigid as usize].frame(point, rotation, source.whole);
        }
        self.frames[source.shared as usize]
    }
}

/// A point or frame on a body without coordinates, into the typed pool.
fn prescribed(
    at: (&World, &State),
    slot: &Slot,
    point: &mut PointNow,
    frame: Option<&mut FrameNow>,
) {
    let (mut x, mut x_dot, mut ell) = ([0.0; 12], [0.0; 6], [0.0; 6]);
    let (n_x, n_x_dot) = (slot.kind.n_x(), slot.kind.n_x_dot());
    let mut out = ConnectorMut {
        x: &mut x[..n_x],
        x_dot: &mut x_dot[..n_x_dot],
        L: MatMut::new(&mut [], 0),
        ell: &mut ell[..n_x_dot],
    };
    evaluate(at, slot, &mut out);
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
pub(super) fn copy_space(
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
