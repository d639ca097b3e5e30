//! Dependencies of rows: the null space of `Jᵀ` by sparse solves.
//!
//! With the factor of `A + μ`, `A = J·Jᵀ` in a metric of unit bodies, the map
//!
//! ```text
//!     n ← (A + μ)⁻¹·μ·n
//! ```
//!
//! keeps the vectors with `Jᵀ·n = 0` (self-stresses: dependencies of rows) and shrinks the component
//! along an eigenvalue σ by μ/(σ + μ). A few applications to pseudo-random vectors give candidates, one
//! at a time, until nothing new is left. Only constraints that `ties` leaves are searched.
//!
//! Long structures have small eigenvalues that are not zero, `√σ ≈ 1/n` in an arch of n bars on ball joints and
//! `1/n²` on hinges, and their eigenvectors are among the candidates. The combinations with the least `‖Jᵀ·n‖`
//! are computed (Rayleigh and Ritz), and kept where it is zero.

use super::geometry::{Geometry, add, make_orthonormal, normalize};
use super::tolerances::{APPLICATIONS, CLEAN, CLOSED, DEPENDENT, LONG, NOTHING_NEW};
use crate::linalg::dense::dot;
use crate::linalg::eigen;
use crate::solve::RowFactor;

impl Geometry {
    /// An orthonormal basis of `Jᵀ·n = 0` over the hard rows, all of them in meters.
    pub(super) fn dependencies(&mut self) -> Vec<Vec<f64>> {
        let candidates = self.candidates();
        let n = candidates.len();
        let gram = self.gram(&candidates);
        if largest(n, &gram) <= CLEAN * self.size {
            return candidates;
        }
        // Candidates have small components of everything, which are reduced once more.
        let mut near: Vec<Vec<f64>> = Vec::new();
        for mut n in self.combinations(candidates, gram, DEPENDENT, |_| DEPENDENT) {
            self.shrink(&mut n);
            make_orthonormal(&mut n, &near);
            near.push(n);
        }
        let longest = self.n_together.iter().fold(0.0, |m: f64, n| m.max(*n));
        let gram = self.gram(&near);
        self.combinations(near, gram, tolerance(longest), |n| {
            let weights = n.iter().zip(&self.n_together);
            tolerance(weights.map(|(n, together)| n * n * together).sum())
        })
    }

    /// The multipliers of vectors in meters, in N and N·m.
    pub(super) fn multipliers(&self, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let scale = &self.system.row_scale;
        let of = |n: &Vec<f64>| n.iter().zip(scale).map(|(n, scale)| n * scale).collect();
        vectors.iter().map(of).collect()
    }

    /// The orthonormal combinations of orthonormal vectors whose `‖Jᵀ·n‖` is within their limit, relative to a
    /// row's size; the vectors themselves, if no combination is above `least`. `gram` is their Gram matrix.
    fn combinations(
        &self,
        vectors: Vec<Vec<f64>>,
        mut gram: Vec<f64>,
        least: f64,
        limit: impl Fn(&[f64]) -> f64,
    ) -> Vec<Vec<f64>> {
        let n = vectors.len();
        if largest(n, &gram) <= least * self.size {
            return vectors;
        }
        let mut shares = vec![0.0; n * n];
        eigen::diagonalize(n, &mut gram, &mut shares);
        let values = gram.iter().step_by(n + 1);
        let mut found = Vec::new();
        for (value, shares) in values.zip(shares.chunks_exact(n)) {
            let mut own = vec![0.0; self.system.n_rows()];
            for (share, vector) in shares.iter().zip(&vectors) {
                add(&mut own, *share, vector);
            }
            if value.max(0.0).sqrt() <= limit(&own) * self.size {
                found.push(own);
            }
        }
        found
    }

    /// Orthonormal vectors whose span includes all with `Jᵀ·n = 0`.
    fn candidates(&mut self) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        while found.len() < self.tied_rows.len() {
            let mut n = vec![0.0; self.system.n_rows()];
            for &row in &self.tied_rows {
                n[row] = self.random.next();
            }
            normalize(&mut n);
            self.shrink(&mut n);
            if make_orthonormal(&mut n, &found) < NOTHING_NEW {
                break;
            }
            found.push(n);
        }
        found
    }

    /// Reduces the components of `n`, in meters, outside the null space.
    fn shrink(&mut self, n: &mut [f64]) {
        let scale = &self.system.row_scale;
        for _ in 0..APPLICATIONS {
            self.tied_factor.proximal_terms(&self.system, &mut self.b);
            for (b, (n, scale)) in self.b.iter_mut().zip(n.iter().zip(scale)) {
                *b *= scale * n;
            }
            self.tied_factor.solve(
                &self.system,
                None,
                Some(&self.b),
                &mut self.lambda,
                &mut self.y,
            );
            for &row in &self.tied_rows {
                n[row] = self.lambda[row] / scale[row];
            }
        }
    }

    /// `(Jᵀ·nᵢ)ᵀ·M⁻¹·(Jᵀ·nⱼ)` of vectors in meters.
    fn gram(&self, vectors: &[Vec<f64>]) -> Vec<f64> {
        let forces: Vec<Vec<f64>> = vectors.iter().map(|n| self.force(n)).collect();
        let mut gram = vec![0.0; vectors.len() * vectors.len()];
        for (i, force) in forces.iter().enumerate() {
            let mut motion = force.clone();
            self.inverse.apply_all(&self.system, &mut motion);
            for (j, other) in forces[..=i].iter().enumerate() {
                let product = dot(&motion, other);
                gram[i * vectors.len() + j] = product;
                gram[j * vectors.len() + i] = product;
            }
        }
        gram
    }

    /// `Jᵀ·n` of a vector in meters.
    fn force(&self, n: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; self.system.n_v()];
        let mut own = Vec::new();
        for &c in &self.tied {
            let rows = self.system.row_range(c);
            own.clear();
            own.extend(rows.map(|row| self.system.row_scale[row] * n[row]));
            self.system.add_constraint_force(c, &own, &mut force);
        }
        force
    }
}

/// An upper bound of the length of unit combinations of vectors with this Gram matrix.
fn largest(n: usize, gram: &[f64]) -> f64 {
    gram.iter().step_by(n + 1).sum::<f64>().sqrt()
}

/// The limit, relative to a row's size, below which `‖Jᵀ·n‖` is zero, for a number of rows tied together.
fn tolerance(n_together: f64) -> f64 {
    let length = n_together / LONG;
    f64::max(DEPENDENT / (1.0 + length * length), CLOSED)
}
