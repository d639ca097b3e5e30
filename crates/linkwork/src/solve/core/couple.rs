//! The core's matrix: `J_i·W·J_kᵀ` for every pair of constraints on one early body.

use super::super::MAX_ROWS;
use super::super::mass::{Inverse, RigidInverse};
use super::CoreFactor;
use crate::linalg::order::{Key, sort};
use crate::math::{Vec3, cross, neg};
use crate::system::{JacobianKind, Side, System};
use crate::topology::{Core, NONE};

impl CoreFactor {
    /// Adds `J_i·W·J_kᵀ` for every pair of constraints on an early body.
    pub(super) fn couple(&mut self, system: &System, at: usize) {
        let early = &self.plan.early[at];
        let pairs = early.couplings.0 as usize..early.couplings.1 as usize;
        if let (Inverse::Rigid(inverse), true) = (&self.inverse[at], self.all_balls[at]) {
            couple_balls(system, inverse, &self.ball_pairs[pairs], &mut self.values);
            return;
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
fn couple_balls(system: &System, inverse: &RigidInverse, pairs: &[BallPair], values: &mut [f64]) {
    let RigidInverse {
        inv_mass,
        inv_inertia: i,
    } = *inverse;
    let rows = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    for run in pairs.chunk_by(|_, next| next.first != next.later) {
        // Y = I⁻¹·[r]×, row by row.
        let later = run[0].later;
        let r = BallPair::arm(system, later);
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
            let mut r = BallPair::arm(system, pair.first);
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

/// Two ball joints of one body and where their block is: twice the joint's index, plus one where the
/// body is side b.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallPair {
    first: u32,
    later: u32,
    offset: u32,
}

impl BallPair {
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

/// The pairs of an early body's constraints, if all are ball joints: in runs with the same later one,
/// each joint with itself first.
pub(super) fn ball_pairs(system: &System, plan: &Core, at: usize, out: &mut Vec<BallPair>) -> bool {
    let early = &plan.early[at];
    let joint = |place: u32| {
        let c = plan.early_constraints[(early.constraints.0 + place) as usize];
        match system.constraints[c as usize].jacobian {
            JacobianKind::Ball(ball) => {
                Some(2 * ball + u32::from(system.balls[ball as usize].b == early.body))
            }
            _ => None,
        }
    };
    let couplings = &plan.matrix.couplings[early.couplings.0 as usize..early.couplings.1 as usize];
    let (mut all, mut pairs, mut keys) = (true, Vec::new(), Vec::<Key>::new());
    for coupling in couplings {
        let (first, later) = (joint(coupling.row), joint(coupling.col));
        all &= first.is_some() && later.is_some();
        let (first, later) = (first.unwrap_or(NONE), later.unwrap_or(NONE));
        let offset = coupling.offset;
        // Blocks of two joints lie behind those of a joint with itself.
        let place = if first == later { 0 } else { offset };
        keys.push((
            u64::from(later) << 32 | u64::from(place),
            pairs.len() as u32,
        ));
        pairs.push(BallPair {
            first,
            later,
            offset,
        });
    }
    sort(&mut keys);
    out.extend(keys.iter().map(|&(_, at)| pairs[at as usize]));
    all
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
