//! Several cones about one normal: friction, and the moments that resist rolling and spinning.
//!
//! ```text
//!     K = { r : ‖r_i‖ ≤ μ_i·r_n  for each part i }      K* = { u : u_n ≥ Σ μ_i·‖u_i‖ }
//! ```
//!
//! One convex set, so that one shift, `s = Σ μ_i·‖u_i‖`, gives each part Coulomb's law by itself: what rolls does not
//! slip for that. (One round cone over all parts would let it: where its surface is reached, all of it gives way.) The
//! nearest point has r_i = z_i·min(1, μ_i·x/‖z_i‖) and the x at which
//!
//! ```text
//!     x − z_n − Σ μ_i·max(0, ‖z_i‖ − μ_i·x) = 0
//! ```
//!
//! a sum of straight pieces, concave and growing: Newton's method from zero passes each at most once and ends at the
//! root. Parts that are left with less than they ask for slide. The derivative, with S those that slide:
//!
//! | directions                              | ε              |
//! |-----------------------------------------|----------------|
//! | (1, μ_i·ẑ_i of S)/√(1 + Σ_S μ²)         | 1              |
//! | sideways of a part of S                 | μ_i·x/‖z_i‖    |
//! | rows of parts that do not slide         | 1              |
//! | all others                              | 0              |

use super::set::{MOST_ROWS, Row, axis};
use crate::math::complete_basis;
use std::ops::Range;

/// Friction, rolling, spinning.
const MOST_PARTS: usize = 3;

/// The parts of a set, one after the other from the row after the normal one on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cones {
    /// Rows of each part: at most three.
    n_rows: [u8; MOST_PARTS],
    /// Its most, as a part of the normal impulse.
    coefficients: [f64; MOST_PARTS],
}

/// Where the nearest point is: x, the length of each part of z, and whether it slides.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    x: f64,
    lengths: [f64; MOST_PARTS],
    slides: [bool; MOST_PARTS],
}

impl Cones {
    /// Each part by its number of rows and its coefficient.
    pub(crate) fn new(parts: [(usize, f64); MOST_PARTS]) -> Self {
        Self {
            n_rows: parts.map(|(n, _)| n as u8),
            coefficients: parts.map(|(_, coefficient)| coefficient),
        }
    }

    /// The same cones where the normal impulse is counted in another unit.
    pub(super) fn in_unit(self, unit: f64) -> Self {
        Self {
            coefficients: self.coefficients.map(|coefficient| unit * coefficient),
            ..self
        }
    }

    /// How many rows there are beside the normal one.
    pub(crate) fn n_across(&self) -> usize {
        self.n_rows.iter().map(|&n| usize::from(n)).sum()
    }

    /// That of the part which a row belongs to.
    pub(super) fn coefficient(&self, row: usize) -> f64 {
        let found = self.parts().find(|(rows, _)| rows.contains(&row));
        found.map_or(0.0, |(_, coefficient)| coefficient)
    }

    /// Each part: its rows and its coefficient.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Range<usize>, f64)> + use<> {
        let mut end = 1;
        let parts = self.n_rows.into_iter().zip(self.coefficients);
        parts.map(move |(n, coefficient)| {
            let start = end;
            end += usize::from(n);
            (start..end, coefficient)
        })
    }

    fn nearest(&self, z: &[f64]) -> Nearest {
        let mut lengths = [0.0; MOST_PARTS];
        for (length, (rows, _)) in lengths.iter_mut().zip(self.parts()) {
            *length = norm(&z[rows]);
        }
        let mut slides = lengths.map(|length| length > 0.0);
        loop {
            let (mut sum, mut square) = (z[0], 1.0);
            for (i, mu) in self.coefficients.into_iter().enumerate() {
                if slides[i] {
                    sum += mu * lengths[i];
                    square += mu * mu;
                }
            }
            let x = (sum / square).max(0.0);
            let before = slides;
            for (i, mu) in self.coefficients.into_iter().enumerate() {
                slides[i] &= lengths[i] > mu * x;
            }
            if slides == before {
                return Nearest { x, lengths, slides };
            }
        }
    }

    /// The nearest point of the set, in place.
    #[inline(never)]
    pub(super) fn project(&self, z: &mut [f64]) {
        let own = self.nearest(z);
        z[0] = own.x;
        for (i, (rows, mu)) in self.parts().enumerate() {
            if own.slides[i] {
                let shrink = mu * own.x / own.lengths[i];
                z[rows].iter_mut().for_each(|z| *z *= shrink);
            }
        }
    }

    /// How the projection varies at `z`: visits each direction with its ε, but for those in which it does not.
    #[inline(never)]
    pub(super) fn eigenframe(&self, z: &[f64], visit: &mut dyn FnMut(Row, f64)) {
        let own = self.nearest(z);
        if own.x == 0.0 && (z[0] < 0.0 || own.slides.contains(&true)) {
            return;
        }
        let (mut along, mut square) = (axis(0), 1.0);
        for (i, (rows, mu)) in self.parts().enumerate() {
            let (start, length) = (rows.start, own.lengths[i]);
            if !own.slides[i] {
                rows.for_each(|row| visit(axis(row), 1.0));
                continue;
            }
            square += mu * mu;
            for row in rows.clone() {
                along[row] = mu * z[row] / length;
            }
            let shrink = mu * own.x / length;
            let mut sideways = [0.0; MOST_ROWS];
            if rows.len() == 2 {
                sideways[start] = -z[start + 1] / length;
                sideways[start + 1] = z[start] / length;
                visit(sideways, shrink);
            }
            if rows.len() == 3 {
                let outward = [z[start], z[start + 1], z[start + 2]].map(|z| z / length);
                let (first, second) = complete_basis(outward);
                for across in [first, second] {
                    sideways[rows.clone()].copy_from_slice(&across);
                    visit(sideways, shrink);
                }
            }
        }
        let unit = 1.0 / square.sqrt();
        visit(along.map(|e| unit * e), 1.0);
    }

    /// `Σ μ_i·‖u_i‖`.
    #[inline(never)]
    pub(super) fn shift(&self, u: &[f64]) -> f64 {
        self.parts().map(|(rows, mu)| mu * norm(&u[rows])).sum()
    }

    /// How the shift varies with the rates.
    #[inline(never)]
    pub(super) fn shift_slope(&self, u: &[f64]) -> [f64; MOST_ROWS] {
        let mut out = [0.0; MOST_ROWS];
        for (rows, mu) in self.parts() {
            let length = norm(&u[rows.clone()]);
            if length > 0.0 {
                for row in rows {
                    out[row] = mu * u[row] / length;
                }
            }
        }
        out
    }
}

fn norm(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>().sqrt()
}
