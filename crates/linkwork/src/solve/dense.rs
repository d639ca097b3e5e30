//! `NormalDense` and `ForestDense`: rows laid over free bodies, or over the spanning forest, as one dense
//! matrix (Witkin 1990, eq. 5; Metaxas 1993, eq. 41; Baraff 1996, §8).
//!
//! Cost: for k rows O(k³), and O(n·k) for the responses of a forest. Over free bodies it is the
//! reference that the other methods are compared with.

use super::refine::{Refinement, RowFactor};
use super::rows::{Laid, Rows, Underlay, copy_or_zero};
use super::tolerances::{LOST_PIVOT, PROXIMAL};
use super::{Ask, Base, Meter, Solution};
use crate::linalg::dense::SemidefiniteFactor;
use crate::linalg::small::Pivot;
use crate::system::System;
use crate::topology::Topology;

/// The factor and workspace of a dense method.
pub(super) struct Dense {
    matrix: LaidOver,
    refinement: Refinement,
}

/// An underlay and the matrix of the rows over it.
struct LaidOver {
    under: Box<dyn Underlay>,
    rows: Rows,
    dense: SemidefiniteFactor,
    /// Mobility of each row with free bodies, relative to which pivots count as lost.
    reference: Vec<f64>,
    x: Vec<f64>,
    force: Vec<f64>,
}

impl Dense {
    pub(super) fn new(system: &System, topology: &Topology, (mut under, left): Laid) -> Self {
        let rows = Rows::new(system, left, |_, _| 1.0);
        under.expect_fill(system, &rows);
        let n = rows.len();
        Self {
            refinement: Refinement::new(system, topology.primary()),
            matrix: LaidOver {
                under,
                rows,
                dense: SemidefiniteFactor::new(n),
                reference: vec![0.0; n],
                x: vec![0.0; n],
                force: vec![0.0; system.n_v()],
            },
        }
    }
}

impl Base for Dense {
    fn factor(&mut self, system: &System) {
        self.refinement.begin();
        self.matrix.under.factor(system);
        if self.matrix.fill(system) == Pivot::Lost {
            self.matrix.dense.factor_proximal(PROXIMAL);
        }
    }

    fn solve(
        &mut self,
        (system, _): (&System, &Topology),
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        out.iterations = 0;
        let given = (system, ask.force, ask.b);
        self.refinement.solve(&mut self.matrix, given, meter, out);
    }

    fn refinement(&self) -> &Refinement {
        &self.refinement
    }
}

impl LaidOver {
    fn fill(&mut self, system: &System) -> Pivot {
        let (rows, a) = (&self.rows, &mut self.dense.a);
        self.under.fill(system, rows, a);
        let n = rows.len();
        for (c, places) in rows.iter() {
            for (i, at) in places.enumerate() {
                let (entry, force) = (&mut a[at * n + at], &mut self.force);
                self.reference[at] = self.under.mobility(system, (c, i), *entry, force);
                *entry += system.compliance[system.row_range(c).start + i];
            }
        }
        self.dense.factor(rows.scale(), &self.reference, LOST_PIVOT)
    }
}

impl RowFactor for LaidOver {
    fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        self.under.solve(system, force, b, lambda, y);
        if self.rows.len() == 0 {
            return;
        }
        self.rows.errors(system, b, y, &mut self.x);
        self.dense.solve(&mut self.x);
        copy_or_zero(force, &mut self.force);
        self.rows.push(system, &self.x, lambda, &mut self.force);
        let force = Some(&self.force[..]);
        self.under.solve(system, force, b, lambda, y);
    }

    fn is_proximal(&self) -> bool {
        self.dense.mu() > 0.0 || self.under.is_proximal()
    }

    fn factor_proximal(&mut self, system: &System, strength: f64) {
        self.under.factor_proximal(system, strength);
        self.fill(system);
        self.dense.factor_proximal(strength * PROXIMAL);
    }

    fn proximal_terms(&self, system: &System, mu: &mut [f64]) {
        self.under.proximal_terms(system, mu);
        for (c, places) in self.rows.iter() {
            for (row, scale) in system.row_range(c).zip(&self.rows.scale()[places]) {
                mu[row] = self.dense.mu() / (scale * scale);
            }
        }
    }
}
