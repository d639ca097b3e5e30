//! The spanning forest in linear time. Rows laid over it are those that close loops:
//!
//! ```text
//!     Â·λ_l = b̂      Â = J_l·M̂⁻¹·J_lᵀ + C_l      b̂ = b_l − J_l·y₀      (Faure 1999, eq. 13)
//! ```
//!
//! `M̂⁻¹·f` is the response of the bodies to a force with the forest's constraints in effect
//! (Baraff 1996, §8.1), `y₀` the motion with the loops left open.

use super::elimination::{Elimination, Order};
use super::light::TOO_LIGHT;
use super::mass::MassInverse;
use super::refine::RowFactor;
use super::rows::{Rows, Underlay, copy_or_zero};
use crate::linalg::order::{Key, sort};
use crate::system::{MassBlock, System};
use crate::topology::{NONE, Topology};

/// The forest's factor.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    elimination: Elimination,
    inverse: MassInverse,
    /// Its own rows.
    trees: Rows,
    /// For each loop, the first step whose body it touches: it moves nothing before it.
    first_step: Vec<usize>,
    /// Scratch over velocities and rows.
    force: Vec<f64>,
    y: Vec<f64>,
    lambda: Vec<f64>,
}

impl RowFactor for Forest {
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        self.elimination.solve(system, force, b, lambda, y);
    }

    fn keeps_rows(&self) -> bool {
        !self.is_proximal()
    }

    fn is_proximal(&self) -> bool {
        self.elimination.is_proximal()
    }

    fn factor_proximal(&mut self, system: &System, strength: f64) {
        self.elimination.factor_proximal(system, strength);
    }

    fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        self.elimination.proximal_terms(system, mu);
    }
}

impl Underlay for Forest {
    /// Loops nearest to the leaves come first.
    fn new(system: &System, topology: &Topology) -> (Self, Vec<u32>) {
        let elimination = Elimination::new(system, topology, Order::Forest);
        let step_of = elimination.steps_of_bodies(system);
        let first = |c: u32| {
            let mut first = NONE;
            system.for_each_side(c, false, |body, _| {
                first = first.min(step_of[body as usize]);
            });
            if first == NONE || elimination.has_core() {
                0
            } else {
                first
            }
        };
        let closing = topology.loops();
        let mut loops: Vec<Key> = closing.iter().map(|&c| (first(c).into(), c)).collect();
        sort(&mut loops);
        let mut trees = topology.primary();
        trees.retain(|c| closing.binary_search(c).is_err());
        let forest = Self {
            elimination,
            inverse: MassInverse::new(system),
            trees: Rows::new(system, trees, |_, _| 1.0),
            first_step: loops.iter().map(|&(first, _)| first as usize).collect(),
            force: vec![0.0; system.n_v()],
            y: vec![0.0; system.n_v()],
            lambda: vec![0.0; system.n_rows()],
        };
        (forest, loops.into_iter().map(|(_, c)| c).collect())
    }

    fn factor(&mut self, system: &System) {
        self.elimination.factor(system);
        self.inverse.factor(system);
    }

    fn constraints(&self) -> &[u32] {
        self.trees.constraints()
    }

    fn inverse(&self) -> &MassInverse {
        &self.inverse
    }

    /// A body that is nearly a point could turn far more than the trees let it, so that every pivot would look
    /// lost beside that: it counts by its mass then, at the characteristic length.
    fn mobility(
        &self,
        system: &System,
        (c, i): (u32, usize),
        entry: f64,
        force: &mut [f64],
    ) -> f64 {
        let alone = self.inverse.mobility(system, c, i, force);
        let mut by_mass = entry.max(system.compliance[system.row_range(c).start + i]);
        system.for_each_side(c, false, |body, _| {
            if let MassBlock::Rigid(at) = system.bodies[body as usize].mass {
                let scale = system.row_scale[system.row_range(c).start + i];
                let inv_mass = system.rigid[at as usize].inv_mass;
                by_mass = by_mass.max(inv_mass / (scale * scale));
            }
        });
        if alone * TOO_LIGHT > by_mass && by_mass > 0.0 {
            by_mass
        } else {
            alone
        }
    }

    /// Column by column. The columns are taken in the order in which their loops touch the
    /// elimination, so each response runs only over the steps behind it and only the lower triangle is
    /// evaluated: the symmetric saving of the acknowledgement of Baraff 1996.
    fn fill(&mut self, system: &System, rows: &Rows, a: &mut [f64]) {
        let n = rows.len();
        let (lambda, y) = (&mut self.lambda, &mut self.y);
        let (mut unit, mut motion) = ([0.0; super::MAX_ROWS], [0.0; super::MAX_ROWS]);
        self.force.fill(0.0);
        for (at, (c, columns)) in rows.iter().enumerate() {
            for (i, column) in columns.clone().enumerate() {
                unit[i] = 1.0;
                system.add_constraint_force(c, &unit[..columns.len()], &mut self.force);
                if self.elimination.has_core() {
                    let force = Some(&self.force[..]);
                    self.elimination.solve(system, force, None, lambda, y);
                } else {
                    let from = self.first_step[at];
                    self.elimination
                        .respond_from(system, from, &self.force, lambda, y);
                }
                // Take the force out again: it is the same numbers, so what is left is zero.
                unit[i] = -1.0;
                system.add_constraint_force(c, &unit[..columns.len()], &mut self.force);
                unit[i] = 0.0;
                for (d, places) in rows.iter().skip(at) {
                    let motion = &mut motion[..places.len()];
                    system.constraint_motion(d, y, motion);
                    for (row, value) in places.zip(motion) {
                        a[row * n + column] = *value;
                        a[column * n + row] = *value;
                    }
                }
            }
        }
    }

    /// Its own rows count too.
    fn size(
        &mut self,
        system: &System,
        (force, b): (Option<&[f64]>, Option<&[f64]>),
        over: &Rows,
        _: &[f64],
    ) -> f64 {
        copy_or_zero(force, &mut self.y);
        self.inverse.apply_all(system, &mut self.y);
        let mut largest = 0.0f64;
        for rows in [&self.trees, over] {
            let errors = &mut self.lambda[..rows.len()];
            rows.errors(system, b, &self.y, errors);
            largest = largest.max(rows.largest(errors));
        }
        largest
    }
}
