//! Free bodies. Rows laid over them are the normal equations:
//!
//! ```text
//!     A·λ = b − J·M⁻¹·f      A = J·M⁻¹·Jᵀ + C      (Witkin 1990, eq. 5; Faure 1998, eq. 13)
//! ```
//!
//! Their matrix is N in Metaxas 1993, eq. 41, and A in Baraff 1996, eq. 7. Iterated with products by `J`, `M⁻¹`
//! and `Jᵀ`, they are Gleicher's method (Faure 1999, eq. 6).

use super::mass::MassInverse;
use super::refine::RowFactor;
use super::rows::{Laid, Rows, Underlay, copy_or_zero};
use crate::system::System;
use crate::topology::Topology;

/// The inverse masses.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeBodies {
    inverse: MassInverse,
    /// Constraints of each body, by their positions among the rows laid over.
    at_body: Vec<Vec<u32>>,
    y: Vec<f64>,
}

impl RowFactor for FreeBodies {
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        _: Option<&[f64]>,
        _: &mut [f64],
        y: &mut [f64],
    ) {
        copy_or_zero(force, y);
        if force.is_some() {
            self.inverse.apply_all(system, y);
        }
    }

    fn is_proximal(&self) -> bool {
        false
    }

    fn factor_proximal(&mut self, _: &System, _: f64) {}

    fn proximal_terms(&self, _: &System, mu: &mut [f64]) {
        mu.fill(0.0);
    }
}

impl FreeBodies {
    /// Lays them out.
    pub(super) fn laid(system: &System, topology: &Topology) -> Laid {
        let constraints = topology.primary();
        let mut at_body = vec![Vec::new(); system.bodies.len()];
        for (place, &c) in constraints.iter().enumerate() {
            system.for_each_side(c, false, |body, _| {
                at_body[body as usize].push(place as u32);
            });
        }
        let bodies = Self {
            inverse: MassInverse::new(system),
            at_body,
            y: vec![0.0; system.n_v()],
        };
        (Box::new(bodies), constraints)
    }
}

impl Underlay for FreeBodies {
    fn factor(&mut self, system: &System) {
        self.inverse.factor(system);
    }

    fn inverse(&self) -> &MassInverse {
        &self.inverse
    }

    /// Bodies are free: the diagonal itself.
    fn mobility(&self, _: &System, _: (u32, usize), entry: f64, _: &mut [f64]) -> f64 {
        entry
    }

    /// Body by body: `M⁻¹·Jᵀ` of a row, then its product with every row on the same body.
    fn fill(&mut self, system: &System, rows: &Rows, a: &mut [f64]) {
        a.fill(0.0);
        let n = rows.len();
        let (mut unit, mut motion) = ([0.0; super::MAX_ROWS], [0.0; super::MAX_ROWS]);
        for (c, columns) in rows.iter() {
            for (i, column) in columns.clone().enumerate() {
                unit[i] = 1.0;
                system.for_each_side(c, true, |body, side| {
                    let part = &mut self.y[system.v_range(body)];
                    part.fill(0.0);
                    side.apply_transposed(&unit[..columns.len()], part);
                    self.inverse.apply(system, body, part);
                    for &other in &self.at_body[body as usize] {
                        let d = rows.constraints()[other as usize];
                        let start = rows.start()[other as usize];
                        let m = system.constraints[d as usize].n_rows as usize;
                        motion[..m].fill(0.0);
                        system.side(d, body).apply(part, &mut motion[..m]);
                        for (j, value) in motion[..m].iter().enumerate() {
                            a[(start + j) * n + column] += value;
                        }
                    }
                });
                unit[i] = 0.0;
            }
        }
    }

    fn size(
        &mut self,
        _: &System,
        _: (Option<&[f64]>, Option<&[f64]>),
        over: &Rows,
        errors: &[f64],
    ) -> f64 {
        over.largest(errors)
    }
}
