//! The core's matrix: `J_i·W·J_kᵀ` for every pair of constraints on one early body.

use super::super::mass::Inverse;
use super::CoreFactor;
use crate::assemble::{JacobianKind, Side, System};
use crate::math::{Sym3, Vec3, cross, neg, sym_vec};
use crate::topology::{Core, NONE};

impl CoreFactor {
    /// Adds `J_i·W·J_kᵀ` for every pair of constraints on an early body.
    pub(super) fn couple(&mut self, system: &System, at: usize) {
        let early = &self.plan.early[at];
        let pairs = early.couplings.0 as usize..early.couplings.1 as usize;
        if let (
            Inverse::Rigid {
                inv_mass,
                inv_inertia,
            },
            true,
        ) = (&self.inverse[at], self.all_balls[at])
        {
            let mass = (*inv_mass, inv_inertia);
            couple_balls(system, mass, &self.ball_pairs[pairs], &mut self.values);
            return;
        }
        let n_v = system.bodies[early.body as usize].n_v as usize;
        let first = early.constraints.0 as usize;
        let constraints = &self.plan.early_constraints[first..early.constraints.1 as usize];
        let couplings = &self.plan.matrix.couplings[pairs];
        if let Inverse::Rigid {
            inv_mass,
            inv_inertia,
        } = &self.inverse[at]
        {
            for coupling in couplings {
                let i = constraints[coupling.row as usize];
                let k = constraints[coupling.col as usize];
                let block = &mut self.values[coupling.offset as usize..];
                let (side_i, side_k) = (system.side(i, early.body), system.side(k, early.body));
                couple_rigid(
                    *inv_mass,
                    inv_inertia,
                    &side_i,
                    &side_k,
                    system,
                    (i, k),
                    block,
                );
            }
            return;
        }
        // W·Jᵀ by columns, then J_i times each.
        let mut start = 0;
        let mut starts = [0usize; 64];
        for (place, &c) in constraints.iter().enumerate() {
            let m = system.constraints[c as usize].n_rows as usize;
            if let Some(slot) = starts.get_mut(place) {
                *slot = start;
            }
            let part = &mut self.scratch[start * n_v..(start + m) * n_v];
            system.side(c, early.body).expand(n_v, part);
            for column in part.chunks_exact_mut(n_v) {
                self.inverse[at].apply(system, &self.early_values, early.body, column);
            }
            start += m;
        }
        let start_of = |place: usize| {
            starts.get(place).copied().unwrap_or_else(|| {
                let before = &constraints[..place];
                before
                    .iter()
                    .map(|&c| system.constraints[c as usize].n_rows as usize)
                    .sum()
            })
        };
        for coupling in couplings {
            let (i, k) = (
                constraints[coupling.row as usize],
                constraints[coupling.col as usize],
            );
            let m_i = system.constraints[i as usize].n_rows as usize;
            let m_k = system.constraints[k as usize].n_rows as usize;
            let side = system.side(i, early.body);
            let from = start_of(coupling.col as usize);
            let mut column = [0.0; 64];
            for j in 0..m_k {
                let p = &self.scratch[(from + j) * n_v..(from + j + 1) * n_v];
                let column = &mut column[..m_i];
                column.fill(0.0);
                side.apply(p, column);
                for (row, value) in column.iter().enumerate() {
                    self.values[coupling.offset as usize + row * m_k + j] += value;
                }
            }
        }
    }
}

/// `block += ±(1/m·1 − [r_i]×·I⁻¹·[r_k]×)`: ball joints on one rigid body, all pairs.
#[inline(always)]
fn couple_balls(
    system: &System,
    (inv_mass, inv_inertia): (f64, &Sym3),
    pairs: &[BallPair],
    values: &mut [f64],
) {
    let i = inv_inertia;
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
    let mut all = true;
    let start = out.len();
    for coupling in couplings {
        let (first, later) = (joint(coupling.row), joint(coupling.col));
        all &= first.is_some() && later.is_some();
        let (first, later) = (first.unwrap_or(NONE), later.unwrap_or(NONE));
        out.push(BallPair {
            first,
            later,
            offset: coupling.offset,
        });
    }
    out[start..].sort_by_key(|pair| (pair.later, pair.first != pair.later));
    all
}

/// `block += J_i·W·J_kᵀ`: any two constraints on one rigid body.
fn couple_rigid(
    inv_mass: f64,
    inv_inertia: &Sym3,
    side_i: &Side<'_>,
    side_k: &Side<'_>,
    system: &System,
    (i, k): (u32, u32),
    block: &mut [f64],
) {
    let m_i = system.constraints[i as usize].n_rows as usize;
    let m_k = system.constraints[k as usize].n_rows as usize;
    let mut unit = [0.0; 32];
    let mut column = [0.0; 32];
    for j in 0..m_k {
        let mut p = [0.0; 6];
        unit[j] = 1.0;
        side_k.apply_transposed(&unit[..m_k], &mut p);
        unit[j] = 0.0;
        let spin = sym_vec(inv_inertia, [p[3], p[4], p[5]]);
        let p = [
            inv_mass * p[0],
            inv_mass * p[1],
            inv_mass * p[2],
            spin[0],
            spin[1],
            spin[2],
        ];
        let column = &mut column[..m_i];
        column.fill(0.0);
        side_i.apply(&p, column);
        for (row, value) in column.iter().enumerate() {
            block[row * m_k + j] += value;
        }
    }
}
