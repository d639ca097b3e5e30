//! Rolling and spinning friction: moments bounded by arms of the normal force.
//!
//! ```text
//!     ω = A·(ω_b − ω_a)      ‖m_across‖ ≤ arm_rolling·f_n      |m_normal| ≤ arm_spinning·f_n
//! ```
//!
//! with A the normal and the tangents. These cones have the normal force in common with the friction cone
//! (`linalg/bounded/cones.rs`). Rows are scaled to meters by the size of the smaller shape, so that their
//! mobility is similar to that of friction rows.
//!
//! Sliding and spinning of a contact patch are coupled (Contensou 1963; Leine, Glocker 2003), with one cone,
//!
//! ```text
//!     (‖f_across‖/(μ·f_n))² + (m_normal/(arm_spinning·f_n))² ≤ 1
//! ```
//!
//! which is circular if the moment is scaled by arm_spinning/μ. While a patch spins fast, friction against
//! sliding is viscous: that inverts a tippe top.

#![allow(non_snake_case)] // L: the letter of the papers.

use super::contacts::ColliderAt;
use super::touch::{MOST_V, SideNow};
use crate::body::{Body, Ground};
use crate::collide::{Patch, Place, bounds};
use crate::connector::{ConnectorMut, Site};
use crate::linalg::MatMut;
use crate::linalg::bounded::Cones;
use crate::math::{IDENTITY3, Vec3, dot, norm, sub};
use crate::topology::NONE;
use crate::world::{Collider, State, World};

/// Rolling and spinning friction of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// Its index among all.
    pub(super) at: u32,
    /// Arms, m.
    rolling: f64,
    spinning: f64,
    /// Factors that convert rows to meters: the size of the smaller shape; for spinning, the one that makes a
    /// circular cone with friction.
    length: f64,
    spin_length: f64,
    /// The only tangent along which the contact does not roll, world.
    pub(super) along: Option<Vec3>,
}

impl Turning {
    /// For two colliders with friction, if one has an arm; the larger arm counts. A flat patch also acts as an
    /// arm, a narrow one in one direction only.
    pub(super) fn new(
        [a, b]: [&Collider; 2],
        friction: f64,
        is_flat: bool,
        patch: &Patch,
    ) -> Option<Self> {
        let mut rolling = a.rolling_friction.max(b.rolling_friction);
        let (least, most) = (
            patch.arms[0].min(patch.arms[1]),
            patch.arms[0].max(patch.arms[1]),
        );
        let mut along = None;
        if rolling <= 0.0 && least <= 0.0 && most > 0.0 {
            along = Some(patch.flattest());
            rolling = most;
        }
        rolling = rolling.max(least);
        let spinning = a.spinning_friction.max(b.spinning_friction);
        if rolling <= 0.0 && (spinning <= 0.0 || is_flat) {
            return None;
        }
        let size = |own: &Collider| {
            let around = bounds(&own.shape, &Place::at([0.0; 3]));
            0.5 * norm(sub(around.high, around.low))
        };
        let length = size(a).min(size(b));
        let spin_length = match friction > 0.0 && spinning > 0.0 {
            true => spinning / friction,
            false => length,
        };
        Some(Self {
            at: 0,
            rolling,
            spinning,
            length,
            spin_length,
            along,
        })
    }

    /// The same with the next index.
    pub(super) fn numbered(self, n: &mut u32) -> Self {
        let at = *n;
        *n += 1;
        Self { at, ..self }
    }

    /// Factor that converts the row about an axis to meters.
    pub(super) fn length(&self, about: usize) -> f64 {
        match about {
            0 => self.spin_length,
            _ => self.length,
        }
    }

    /// The axes about which it acts: the normal, then the tangents. In the plane bodies rotate about z only,
    /// which is rolling.
    pub(super) fn axes(&self, is_flat: bool) -> &'static [u32] {
        let is_one = is_flat || self.along.is_some();
        match (is_one, self.rolling > 0.0, self.spinning > 0.0) {
            (true, true, true) if !is_flat => &[0, 2],
            (true, true, _) => &[2],
            (true, false, _) | (false, false, false) => &[],
            (false, true, true) => &[0, 1, 2],
            (false, true, false) => &[1, 2],
            (false, false, true) => &[0],
        }
    }

    /// Its cones, and the friction cone with the given number of rows.
    pub(super) fn cones(&self, friction: (usize, f64), is_flat: bool) -> Cones {
        let n = |arm: f64, n: usize| if arm > 0.0 { n } else { 0 };
        let (n_rolling, n_spinning) = match is_flat {
            true => (n(self.rolling, 1), 0),
            false => {
                let n_rolling = if self.along.is_some() { 1 } else { 2 };
                (n(self.rolling, n_rolling), n(self.spinning, 1))
            }
        };
        let rolling = (n_rolling, self.rolling / self.length);
        let (n_friction, mu) = friction;
        Cones::new(match n_friction > 0 {
            true => [(n_friction + n_spinning, mu), rolling, (0, 0.0)],
            false => [(n_spinning, self.spinning / self.length), rolling, (0, 0.0)],
        })
    }
}

/// Relative rotation of two bodies in contact at one instant, about the axes of the contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnNow {
    pub(super) rate: Vec3,
    pub(super) sides: [SideNow; 2],
}

impl TurnNow {
    pub(super) fn evaluate(
        at: (&World, &State),
        [a, b]: [&ColliderAt; 2],
        axes: &[Vec3; 3],
        rows: &mut Vec<f64>,
    ) -> Self {
        let against = axes.map(|axis| axis.map(|x| -x));
        let mut room = [0.0; 6 * MOST_V];
        let (first, turns_a, L) = turn_at(at, a, &mut room);
        let first = first.write(&against, L, rows);
        room.fill(0.0);
        let (second, turns_b, L) = turn_at(at, b, &mut room);
        let second = second.write(axes, L, rows);
        Self {
            rate: axes.map(|axis| dot(axis, sub(turns_b, turns_a))),
            sides: [first, second],
        }
    }
}

/// L of a body's rotation in world axes, and its angular velocity; empty for bodies without rotation. `L` is
/// scratch, all zeros.
pub(super) fn turn_at<'l>(
    (world, state): (&World, &State),
    collider: &ColliderAt,
    L: &'l mut [f64; 6 * MOST_V],
) -> (SideNow, Vec3, &'l [f64]) {
    let mut side = SideNow::default();
    let (q, v, body): (&[f64], &[f64], &dyn Body) = match collider.record {
        NONE => (&[], &[], &Ground),
        record => {
            let record = &world.bodies()[record as usize];
            (side.v0, side.n_v) = (record.v0, record.v_range().len());
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            (q, v, &*record.body)
        }
    };
    let site = match collider.is_flat {
        true => Site::Frame2 {
            origin: [0.0; 2],
            angle: 0.0,
        },
        false => Site::Frame {
            origin: [0.0; 3],
            rotation: IDENTITY3,
        },
    };
    let Ok(Some(kind)) = body.connector_kind(&site) else {
        return (side, [0.0; 3], &[]);
    };
    let n = kind.n_x_dot();
    let (mut x, mut x_dot, mut ell) = ([0.0; 12], [0.0; 6], [0.0; 6]);
    let mut out = ConnectorMut {
        x: &mut x[..kind.n_x()],
        x_dot: &mut x_dot[..n],
        L: MatMut::new(&mut L[..n * side.n_v], side.n_v),
        ell: &mut ell[..n],
    };
    body.connector(&site, state.t, q, v, &mut out);
    // Rotations come after positions: about all world axes, or in the plane about z only.
    let mut turns = [0.0; 3];
    if collider.is_flat {
        turns[2] = x_dot[2];
        L[..2 * side.n_v].fill(0.0);
        return (side, turns, &L[..3 * side.n_v]);
    }
    turns.copy_from_slice(&x_dot[3..n]);
    (side, turns, &L[3 * side.n_v..6 * side.n_v])
}
