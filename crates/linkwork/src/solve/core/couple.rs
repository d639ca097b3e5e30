//! The core's matrix: `J_i·W·J_kᵀ` for every pair of constraints on one early body.

use super::super::MAX_ROWS;
use super::super::mass::{Inverse, RigidInverse};
use super::CoreFactor;
use crate::linalg::order::{Key, sort};
use crate::math::{Sym3, Vec3, cross, neg, sym_full};
use crate::system::{JacobianKind, Side, System};
use crate::topology::{Core, NONE};

impl CoreFactor {
    /// Adds `J_i·W·J_kᵀ` for every pair of constraints on an early body.
    pub(super) fn couple(&mut self, system: &System, at: usize) {
        let early = &self.plan.early[at];
        let pairs = early.couplings.0 as usize..early.couplings.1 as usize;
        match (&self.inverse[at], self.alike[at]) {
            (Inverse::Rigid(inverse), Alike::Balls) => {
                couple_balls(system, inverse, &self.joint_pairs[pairs], &mut self.values);
                return;
            }
            (Inverse::Planar(inverse), _) => {
                couple_pins(system, inverse, &self.joint_pairs[pairs], &mut self.values);
                return;
            }
            _ => {}
        }
        let body = early.body;
        let n_v = system.bodies[body as usize].n_v as usize;
        let n_rows = |c: u32| system.constraints[c as usize].n_rows as usize;
        let range = early.constraints.0 as usize..early.constraints.1 as usize;
        let constraints = &self.plan.early_constraints[range];
        let couplings = self.plan.matrix.couplings[pairs].iter().map(|coupling| {
            let (row, col) = (coupling.row as usize, coupling.col as usize);
            (constraints[row], constraints[col], col, coupling.offset)
        });
        if let Inverse::Rigid(inverse) = &self.inverse[at] {
            for (i, k, _, offset) in couplings {
                let sides = (&system.side(i, body), &system.side(k, body));
                let block = &mut self.values[offset as usize..];
                couple_rigid(inverse, sides, (n_rows(i), n_rows(k)), block);
            }
            return;
        }
        // W·Jᵀ by columns, then J_i times each.
        let mut start = 0;
        self.starts.clear();
        for &c in constraints {
            self.starts.push(start);
            let end = start + n_rows(c);
            let part = &mut self.scratch[start * n_v..end * n_v];
            system.side(c, body).expand(n_v, part);
            for column in part.chunks_exact_mut(n_v) {
                self.inverse[at].apply(system, &self.early_values, body, column);
            }
            start = end;
        }
        let mut column = [0.0; MAX_ROWS];
        for (i, k, col, offset) in couplings {
            let side = system.side(i, body);
            let (from, m) = (self.starts[col], n_rows(k));
            let column = &mut column[..n_rows(i)];
            for (j, p) in self.scratch[from * n_v..(from + m) * n_v]
                .chunks_exact(n_v)
                .enumerate()
            {
                column.fill(0.0);
                side.apply(p, column);
                add_column(j, m, column, &mut self.values[offset as usize..]);
            }
        }
    }
}

/// Adds to column `j` of a block with rows of `m` numbers.
#[inline(always)]
fn add_column(j: usize, m: usize, column: &[f64], block: &mut [f64]) {
    for (row, value) in column.iter().enumerate() {
        block[row * m + j] += value;
    }
}

/// `block += ±(1/m·1 − [r_i]×·I⁻¹·[r_k]×)`: ball joints on one rigid body, all pairs.
#[inline(always)]
fn couple_balls(system: &System, inverse: &RigidInverse, pairs: &[JointPair], values: &mut [f64]) {
    let RigidInverse {
        inv_mass,
        inv_inertia: i,
    } = *inverse;
    let rows = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    for run in pairs.chunk_by(|_, next| next.first != next.later) {
        // Y = I⁻¹·[r]×, row by row.
        let later = run[0].later;
        let r = JointPair::arm(system, later);
        let y = [cross(rows[0], r), cross(rows[1], r), cross(rows[2], r)];
        // The lower triangle of a diagonal block is enough.
        let block = run[0].block(values);
        block[0] += r[2] * y[1][0] - r[1] * y[2][0] + inv_mass;
        block[3] += r[0] * y[2][0] - r[2] * y[0][0];
        block[4] += r[0] * y[2][1] - r[2] * y[0][1] + inv_mass;
        block[6] += r[1] * y[0][0] - r[0] * y[1][0];
        block[7] += r[1] * y[0][1] - r[0] * y[1][1];
        block[8] += r[1] * y[0][2] - r[0] * y[1][2] + inv_mass;
        for pair in &run[1..] {
            let mut r = JointPair::arm(system, pair.first);
            let mut push = inv_mass;
            if (pair.first ^ later) & 1 == 1 {
                r = neg(r);
                push = -push;
            }
            // −[r]×·Y, row by row.
            let block = pair.block(values);
            for j in 0..3 {
                block[j] += r[2] * y[1][j] - r[1] * y[2][j];
                block[3 + j] += r[0] * y[2][j] - r[2] * y[0][j];
                block[6 + j] += r[1] * y[0][j] - r[0] * y[1][j];
            }
            block[0] += push;
            block[4] += push;
            block[8] += push;
        }
    }
}

/// `block += ±[1, E·r_i]·W·[1, E·r_k]ᵀ`: pins on one body of the plane, all pairs.
fn couple_pins(system: &System, inverse: &Sym3, pairs: &[JointPair], values: &mut [f64]) {
    let w = sym_full(inverse);
    let arm = |joint: u32| {
        let pin = &system.pins[(joint >> 1) as usize];
        if joint & 1 == 1 { pin.e_b } else { pin.e_a }
    };
    for pair in pairs {
        let (first, later) = (arm(pair.first), arm(pair.later));
        let sign = match (pair.first ^ pair.later) & 1 {
            0 => 1.0,
            _ => -1.0,
        };
        let block = &mut values[pair.offset as usize..pair.offset as usize + 4];
        for j in 0..2 {
            let turned = w[2][j] + w[2][2] * later[j];
            for i in 0..2 {
                let moved = w[i][j] + w[i][2] * later[j];
                block[2 * i + j] += sign * (moved + first[i] * turned);
            }
        }
    }
}

/// The common kind of all joints of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alike {
    Balls,
    Pins,
    Mixed,
}

/// Two ball joints or pins of one body, and the offset of their block. A joint is coded as twice its index,
/// plus one if the body is side b.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPair {
    first: u32,
    later: u32,
    offset: u32,
}

impl JointPair {
    #[inline(always)]
    fn block(self, values: &mut [f64]) -> &mut [f64] {
        &mut values[self.offset as usize..self.offset as usize + 9]
    }

    #[inline(always)]
    fn arm(system: &System, joint: u32) -> Vec3 {
        let ball = &system.balls[(joint >> 1) as usize];
        if joint & 1 == 1 { ball.r_b } else { ball.r_a }
    }
}

/// The pairs of an early body's constraints, if all are ball joints or all are pins, in runs with the same
/// later joint, each joint with itself first. `keys` is scratch.
pub(super) fn joint_pairs(
    system: &System,
    plan: &Core,
    at: usize,
    keys: &mut Vec<Key>,
    out: &mut Vec<JointPair>,
) -> Alike {
    let early = &plan.early[at];
    let mut alike = None;
    let mut joint = |place: u32| {
        let c = plan.early_constraints[(early.constraints.0 + place) as usize];
        let (kind, joint, b) = match system.constraints[c as usize].jacobian {
            JacobianKind::Ball(at) => (Alike::Balls, at, system.balls[at as usize].b),
            JacobianKind::Pin(at) => (Alike::Pins, at, system.pins[at as usize].b),
            _ => (Alike::Mixed, 0, NONE),
        };
        if *alike.get_or_insert(kind) != kind {
            alike = Some(Alike::Mixed);
        }
        2 * joint + u32::from(b == early.body)
    };
    let couplings = &plan.matrix.couplings[early.couplings.0 as usize..early.couplings.1 as usize];
    let from = out.len();
    keys.clear();
    for coupling in couplings {
        let (first, later) = (joint(coupling.row), joint(coupling.col));
        let offset = coupling.offset;
        // Blocks of two joints lie behind those of a joint with itself.
        let place = if first == later { 0 } else { offset };
        keys.push((u64::from(later) << 32 | u64::from(place), out.len() as u32));
        out.push(JointPair {
            first,
            later,
            offset,
        });
    }
    sort(keys);
    let to = out.len();
    for at in 0..keys.len() {
        out.push(out[keys[at].1 as usize]);
    }
    out.drain(from..to);
    alike.unwrap_or(Alike::Mixed)
}

/// `block += J_i·W·J_kᵀ`: any two constraints on one rigid body.
fn couple_rigid(
    inverse: &RigidInverse,
    (side_i, side_k): (&Side<'_>, &Side<'_>),
    (m_i, m_k): (usize, usize),
    block: &mut [f64],
) {
    let (mut unit, mut column) = ([0.0; MAX_ROWS], [0.0; MAX_ROWS]);
    let (unit, column) = (&mut unit[..m_k], &mut column[..m_i]);
    for j in 0..m_k {
        let mut p = [0.0; 6];
        unit[j] = 1.0;
        side_k.apply_transposed(unit, &mut p);
        unit[j] = 0.0;
        column.fill(0.0);
        side_i.apply(&inverse.times(&p), column);
        add_column(j, m_k, column, block);
    }
}
