//! Strains of bodies: stiffness within a body, and so within its block of `M`.
//!
//! A strain is a soft row on a single body. In implicit form, the row `S·y + λ/w = b` is eliminated at once,
//! which does not change the structure of the equations:
//!
//! ```text
//!     (M + w·SᵀS)·y = f + Sᵀ·w·b + …      λ = w·(b − S·y)
//! ```
//!
//! Over a horizon h this is backward Euler, `w = h·(h·k + d)`, as for any soft row (`soft`). In displacements,
//! the horizon is a second.

#![allow(non_snake_case)] // S: the letter of the head.

use super::fill::Motion;
use super::numbers::{MassBlock, System};
use super::pattern::MAX_COLUMNS;
use super::soft::Soft;
use crate::body::Strain;
use crate::linalg::sparse::Sparse;
use crate::topology::NONE;
use crate::world::{State, World};

/// Largest number of strains of an element that are summed at once.
const MAX_BESIDE: usize = 8;

/// A strain of a body for integrators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrainBlock {
    /// The body's position in the world and in the system, and the index of the strain.
    pub(crate) record: u32,
    pub(crate) body: u32,
    pub(super) of_body: u32,
    /// Offset and length of its `S`.
    pub(super) offset: u32,
    pub(super) n: u32,
    /// First of the columns of `S` in `System::columns`, or `NONE` for all.
    pub(super) columns: u32,
    /// First of its positions in a patterned block, in `System::positions`.
    pub(super) positions: u32,
    pub(crate) now: Strain,
    /// Weight w with which `w·SᵀS` is in the body's block of `M`.
    pub(crate) weight: f64,
}

impl StrainBlock {
    /// Whether it depends on few of the body's coordinates.
    pub(crate) fn is_local(&self) -> bool {
        self.columns != NONE
    }
}

impl System {
    /// Evaluates all strains, in the form given by `soft`. Forces of bodies already include their strains,
    /// except for bodies whose forces are nothing else (`Body::is_all_strains`).
    pub(super) fn fill_strains(
        &mut self,
        (world, state): (&World, &State),
        motion: Motion,
        soft: Soft,
    ) {
        self.evaluate_strains((world, state), motion);
        // The body of the previous strain, and whether its forces are those of its strains.
        let (mut last, mut is_all) = (NONE, false);
        for at in 0..self.strains.len() {
            let strain = &mut self.strains[at];
            strain.weight = 0.0;
            if strain.record != last {
                last = strain.record;
                is_all = world.bodies()[last as usize].body.is_all_strains();
            }
            let Strain {
                rate,
                gamma,
                stiffness: k,
                damping: d,
                ..
            } = strain.now;
            let own = strain.now.push();
            let (weight, mut push) = match (motion, soft) {
                (_, Soft::Rows) => (0.0, -own),
                (Motion::Displacement, _) => (k, 0.0),
                (_, Soft::Absent) => (0.0, -own),
                (Motion::Acceleration, Soft::Implicit(h)) => {
                    let weight = h * (h * k + d);
                    (weight, -h * k * rate - weight * gamma)
                }
                (Motion::Flow, Soft::Implicit(h)) => (h * k + d, 0.0),
                _ => (0.0, 0.0),
            };
            if is_all {
                push += own;
            }
            if weight != 0.0 {
                self.strengthen(at, weight);
            }
            if !is_all || push != 0.0 {
                self.gradient_force(at, push);
            }
        }
    }

    /// Evaluates strains and gradients; all of a body at once, if it can. γ is for accelerations.
    fn evaluate_strains(&mut self, (world, state): (&World, &State), motion: Motion) {
        let mut at = 0;
        while at < self.strains.len() {
            let record = &world.bodies()[self.strains[at].record as usize];
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            let own = &mut self.strains[at..at + record.body.n_strains()];
            at += own.len();
            let (gradient, columns) = (&mut self.gradient, &self.columns);
            let place = |own: &StrainBlock| own.offset as usize..(own.offset + own.n) as usize;
            let is_still = motion == Motion::Velocity && own[0].is_local();
            let told = if is_still { &[][..] } else { v };
            let at_once = record.body.strains(q, told, &mut |i, strain, S| {
                let own = &mut own[i];
                own.now = strain;
                gradient[place(own)].copy_from_slice(S);
                if is_still {
                    let columns = &columns[own.columns as usize..][..S.len()];
                    let terms = S.iter().zip(columns);
                    own.now.rate = terms.map(|(s, &column)| s * v[column as usize]).sum();
                }
            });
            if at_once {
                continue;
            }
            for strain in own {
                let S = &mut gradient[place(strain)];
                S.fill(0.0);
                strain.now = record.body.strain(strain.of_body as usize, q, v, S);
            }
        }
    }

    /// Evaluates strains only, without gradients and rates where a body can.
    pub(super) fn fill_strain_values(&mut self, (world, state): (&World, &State), motion: Motion) {
        let mut at = 0;
        while at < self.strains.len() {
            let record = &world.bodies()[self.strains[at].record as usize];
            let own = &mut self.strains[at..at + record.body.n_strains()];
            at += own.len();
            let q = &state.q[record.q_range()];
            let can = record
                .body
                .strain_values(q, &mut |i, value| own[i].now.value = value);
            if !can {
                return self.evaluate_strains((world, state), motion);
            }
        }
    }

    /// Adds the stiffness of strains to displacements, over a step of `h`.
    pub(crate) fn strengthen_displacements(&mut self, h: f64) {
        self.strengthen_each(|_, strain| h * (h * strain.stiffness + strain.damping));
    }

    /// `M ← M + Σ w·SᵀS` over all strains. Those of an element, which have the same columns, are summed up first.
    pub(crate) fn strengthen_each(&mut self, weight: impl Fn(usize, &Strain) -> f64) {
        self.masses_are_own = false;
        let mut at = 0;
        while at < self.strains.len() {
            let StrainBlock {
                body,
                positions,
                offset,
                n,
                ..
            } = self.strains[at];
            let own = self.strains[at..].iter();
            let is_beside = |other: &&StrainBlock| other.positions == positions;
            let count = own.take_while(is_beside).take(MAX_BESIDE).count();
            let to = match self.bodies[body as usize].mass {
                MassBlock::Patterned { offset, .. } if n as usize <= MAX_COLUMNS => Some(offset),
                _ => None,
            };
            let Some(to) = to else {
                self.strengthen(at, weight(at, &self.strains[at].now));
                at += 1;
                continue;
            };
            let mut weights = [0.0; MAX_BESIDE];
            for (k, own) in weights[..count].iter_mut().enumerate() {
                let strain = &mut self.strains[at + k];
                *own = weight(at + k, &strain.now);
                strain.weight += *own;
            }
            let (n, S) = (n as usize, &self.gradient[offset as usize..]);
            let mut positions = self.positions[positions as usize..].iter();
            let values = &mut self.mass[to as usize..];
            let mut sums = [0.0; MAX_COLUMNS];
            for a in 0..n {
                let sums = &mut sums[..=a];
                sums.fill(0.0);
                for (k, weight) in weights[..count].iter().enumerate() {
                    let S = &S[k * n..][..n];
                    let left = weight * S[a];
                    for (sum, s) in sums.iter_mut().zip(S) {
                        *sum += left * s;
                    }
                }
                for (sum, &position) in sums.iter().zip(&mut positions) {
                    values[position as usize] += sum;
                }
            }
            at += count;
        }
    }

    /// `M ← M + w·SᵀS`.
    pub(crate) fn strengthen(&mut self, at: usize, weight: f64) {
        self.masses_are_own = false;
        let strain = &mut self.strains[at];
        strain.weight += weight;
        let block = &self.bodies[strain.body as usize];
        let n = block.n_v as usize;
        let S = &self.gradient[strain.offset as usize..][..strain.n as usize];
        let columns = (strain.columns != NONE)
            .then(|| &self.columns[strain.columns as usize..][..strain.n as usize]);
        match (block.mass, columns) {
            (MassBlock::Dense(offset), None) => {
                let rows = self.mass[offset as usize..][..n * n].chunks_exact_mut(n);
                for (row, s) in rows.zip(S) {
                    for (m, s_other) in row.iter_mut().zip(S) {
                        *m += weight * s * s_other;
                    }
                }
            }
            (MassBlock::Dense(offset), Some(columns)) => {
                let mass = &mut self.mass[offset as usize..][..n * n];
                for (&i, s) in columns.iter().zip(S) {
                    for (&j, s_other) in columns.iter().zip(S) {
                        mass[i as usize * n + j as usize] += weight * s * s_other;
                    }
                }
            }
            (MassBlock::Patterned { offset, .. }, _) => {
                let positions = &self.positions[strain.positions as usize..];
                let values = &mut self.mass[offset as usize..];
                Sparse::add_square(positions, S, weight, values);
            }
            _ => {}
        }
    }

    /// Calls `add(body, row, column, value)` with the geometric stiffness of strains with tensions `pull`.
    pub(crate) fn for_each_tension(
        &self,
        (world, state): (&World, &State),
        pull: &[f64],
        add: &mut dyn FnMut(u32, usize, usize, f64),
    ) {
        let mut at = 0;
        while at < self.strains.len() {
            let StrainBlock { record, body, .. } = self.strains[at];
            let record = &world.bodies()[record as usize];
            let q = &state.q[record.q_range()];
            let pull = &pull[at..at + record.body.n_strains()];
            let mut of_body = |row, column, value| add(body, row, column, value);
            record.body.tension(q, pull, &mut of_body);
            at += pull.len();
        }
    }

    /// `M ← M + factor·G`, with the geometric stiffness G.
    pub(crate) fn strengthen_tension(&mut self, at: (&World, &State), pull: &[f64], factor: f64) {
        self.masses_are_own = false;
        let mut mass = std::mem::take(&mut self.mass);
        self.for_each_tension(at, pull, &mut |body, row, column, value| {
            let block = &self.bodies[body as usize];
            match block.mass {
                MassBlock::Dense(offset) => {
                    mass[offset as usize + row * block.n_v as usize + column] += factor * value;
                }
                // A single number is stored for an entry and its transpose.
                MassBlock::Patterned { pattern, offset } if row >= column => {
                    let sparse = &self.patterns[pattern as usize].sparse;
                    if let Some(at) = sparse.position(row as u32, column as u32) {
                        mass[(offset + at) as usize] += factor * value;
                    }
                }
                _ => {}
            }
        });
        self.mass = mass;
    }

    /// `S` of a strain, its columns unless they are all, and the range of its body's velocities.
    fn strain_gradient(&self, at: usize) -> (&[f64], Option<&[u32]>, std::ops::Range<usize>) {
        let strain = &self.strains[at];
        let S = &self.gradient[strain.offset as usize..][..strain.n as usize];
        let columns = (strain.columns != NONE)
            .then(|| &self.columns[strain.columns as usize..][..strain.n as usize]);
        (S, columns, self.v_range(strain.body))
    }

    /// `S·y`.
    pub(crate) fn strain_motion(&self, at: usize, y: &[f64]) -> f64 {
        let (S, columns, range) = self.strain_gradient(at);
        let y = &y[range];
        match columns {
            None => S.iter().zip(y).map(|(s, y)| s * y).sum(),
            Some(columns) => {
                let terms = S.iter().zip(columns);
                terms.map(|(s, &column)| s * y[column as usize]).sum()
            }
        }
    }

    /// `f ← f + Sᵀ·λ`.
    pub(crate) fn add_strain_force(&self, at: usize, lambda: f64, f: &mut [f64]) {
        let (S, columns, range) = self.strain_gradient(at);
        let f = &mut f[range];
        match columns {
            None => f.iter_mut().zip(S).for_each(|(f, s)| *f += s * lambda),
            Some(columns) => {
                for (&column, s) in columns.iter().zip(S) {
                    f[column as usize] += s * lambda;
                }
            }
        }
    }

    /// Estimate of `S·M⁻¹·Sᵀ` from the diagonal of a patterned mass; `None` for others, whose factor gives it
    /// exactly.
    pub(crate) fn strain_mobility_by_diagonal(&self, at: usize) -> Option<f64> {
        let (S, columns, _) = self.strain_gradient(at);
        let block = &self.bodies[self.strains[at].body as usize];
        let (MassBlock::Patterned { pattern, offset }, Some(columns)) = (block.mass, columns)
        else {
            return None;
        };
        let sparse = &self.patterns[pattern as usize].sparse;
        let terms = S.iter().zip(columns).map(|(s, &column)| {
            let at = sparse.position(column, column).unwrap_or(0);
            s * s / self.mass[(offset + at) as usize]
        });
        Some(terms.sum())
    }

    /// The same for the system's own forces.
    pub(crate) fn gradient_force(&mut self, at: usize, lambda: f64) {
        let mut force = std::mem::take(&mut self.force);
        self.add_strain_force(at, lambda, &mut force);
        self.force = force;
    }
}
