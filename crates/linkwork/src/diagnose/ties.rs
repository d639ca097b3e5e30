//! Constraints that may be redundant: those that remain after trees are stripped.
//!
//! A self-stress `n` balances every body, `Jᵀ·n = 0`. If a single constraint remains at a body, `J_bᵀ·n = 0`
//! means that its part of `n` is zero, provided that its rows are independent at that body. It is then removed,
//! and its other bodies are checked again. Of a forest, only joints with dependent rows remain.

use super::tolerances::HELD;
use crate::linalg::small::{Pivot, invert_block};
use crate::solve::MassInverse;
use crate::system::System;
use crate::topology::Incidence;

/// The constraints that may take part in a dependency.
pub(super) struct Ties {
    /// By constraint.
    pub(super) tied: Vec<bool>,
    /// Whether every constraint met alone at a body was independent there.
    pub(super) is_regular: bool,
}

/// Finds them among the primary constraints of `incidence`. `size` is that of rows in meters, over unit
/// bodies.
pub(super) fn find(
    system: &System,
    incidence: &Incidence,
    inverse: &MassInverse,
    hard: &[bool],
    size: f64,
) -> Ties {
    let constraints = 0..incidence.constraints.len() as u32;
    let primary = |c: u32| incidence.constraints[c as usize].primary;
    let mut out = Ties {
        tied: constraints.clone().map(primary).collect(),
        is_regular: true,
    };
    // Number of remaining constraints at each body, and the exclusive or of their indices, which is the index
    // of a single one.
    let mut n_left = vec![0u32; incidence.bodies.len()];
    let mut left = vec![0u32; incidence.bodies.len()];
    for c in constraints.filter(|&c| primary(c)) {
        for &b in incidence.bodies_of(c) {
            n_left[b as usize] += 1;
            left[b as usize] ^= c;
        }
    }
    let mut look: Vec<u32> = (0..incidence.bodies.len() as u32).collect();
    while let Some(body) = look.pop() {
        if n_left[body as usize] != 1 {
            continue;
        }
        let c = left[body as usize];
        if !is_held(system, inverse, hard, (c, body), size) {
            out.is_regular = false;
            continue;
        }
        out.tied[c as usize] = false;
        for &b in incidence.bodies_of(c) {
            n_left[b as usize] -= 1;
            left[b as usize] ^= c;
            look.push(b);
        }
    }
    out
}

/// Whether the hard rows of a constraint are independent at one of its bodies: no pivot of `J_b·M⁻¹·J_bᵀ`,
/// in meters, is small.
fn is_held(
    system: &System,
    inverse: &MassInverse,
    hard: &[bool],
    (c, body): (u32, u32),
    size: f64,
) -> bool {
    let side = system.side(c, body);
    let rows = system.row_range(c);
    let n = rows.len();
    let scale = &system.row_scale[rows.clone()];
    let hard = &hard[rows];
    let (mut gram, mut unit, mut column) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
    let mut motion = vec![0.0; system.v_range(body).len()];
    for i in 0..n {
        if !hard[i] {
            gram[i * n + i] = size * size;
            continue;
        }
        unit.fill(0.0);
        unit[i] = scale[i];
        motion.fill(0.0);
        side.apply_transposed(&unit, &mut motion);
        inverse.apply(system, body, &mut motion);
        column.fill(0.0);
        side.apply(&motion, &mut column);
        for j in (0..n).filter(|&j| hard[j]) {
            gram[i * n + j] = scale[j] * column[j];
        }
    }
    let reference = vec![size * size; n];
    let mut out = vec![0.0; n * n];
    invert_block(n, 1.0, &gram, &reference, HELD * HELD, &mut out) == Pivot::Regular
}
