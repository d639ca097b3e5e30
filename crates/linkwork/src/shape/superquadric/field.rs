//! Displacements beside the global shape (Metaxas 1993, eq. 7 and 8): `d = Σ Ψₖ(X)·ηₖ`, X where the matter was at
//! birth.
//!
//! A field Ψ is a polynomial of X. Six of degree one, the symmetric ones, make an affine solid; vibration modes are of
//! degree four (`modes.rs`).

use super::super::number::Number;
use crate::math::Vec3;

/// So many fields there are at most.
pub const MOST_FIELDS: usize = 30;
/// Monomials of the largest degree.
const MOST_TERMS: usize = count(4);

/// How many monomials of three variables there are up to a degree.
pub(super) const fn count(degree: usize) -> usize {
    (degree + 1) * (degree + 2) * (degree + 3) / 6
}

/// Polynomials of where the matter was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplacementFields {
    degree: usize,
    /// What X is measured by.
    length: f64,
    /// Of each field by monomial.
    terms: Vec<Vec3>,
}

impl DisplacementFields {
    /// What the numbers of an affine solid are called.
    pub const AFFINE: [&'static str; 6] = [
        "stretch1", "stretch2", "stretch3", "shear12", "shear13", "shear23",
    ];
    /// What modes are called, slowest first.
    pub const MODES: [&'static str; MOST_FIELDS] = [
        "mode1", "mode2", "mode3", "mode4", "mode5", "mode6", "mode7", "mode8", "mode9", "mode10",
        "mode11", "mode12", "mode13", "mode14", "mode15", "mode16", "mode17", "mode18", "mode19",
        "mode20", "mode21", "mode22", "mode23", "mode24", "mode25", "mode26", "mode27", "mode28",
        "mode29", "mode30",
    ];

    pub(super) fn new(degree: usize, length: f64, terms: Vec<Vec3>) -> Self {
        Self {
            degree,
            length,
            terms,
        }
    }

    /// Stretches and shears: `d = S·X` with S symmetric, as xx, yy, zz, xy, xz, yz.
    pub fn affine() -> Self {
        let mut terms = Vec::new();
        for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
            let mut own = [[0.0; 3]; count(1)];
            // Behind 1 come x, y and z.
            own[1 + j][i] = 1.0;
            own[1 + i][j] = 1.0;
            terms.extend(own);
        }
        Self::new(1, 1.0, terms)
    }

    /// Whether they are of degree one, if there are any.
    pub fn is_affine(&self) -> bool {
        self.degree <= 1
    }

    /// What the user calls one.
    pub fn name(&self, k: usize) -> Option<&'static str> {
        match self.is_affine() {
            true => Self::AFFINE.get(k).copied(),
            false => Self::MODES.get(k).copied(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.terms.len() / count(self.degree)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// All fields at a place of birth, in their order.
    pub(super) fn each<T: Number>(&self, x: [T; 3], see: &mut dyn FnMut(usize, [T; 3])) {
        if self.is_empty() {
            return;
        }
        let mut powers = [T::constant(0.0); MOST_TERMS];
        let n = monomials(self.degree, x.map(|x| x * (1.0 / self.length)), &mut powers);
        for (k, terms) in self.terms.chunks_exact(n).enumerate() {
            let mut sum = [T::constant(0.0); 3];
            for (power, term) in powers.iter().zip(terms) {
                for (sum, term) in sum.iter_mut().zip(term) {
                    if *term != 0.0 {
                        *sum = *sum + *power * *term;
                    }
                }
            }
            see(k, sum);
        }
    }
}

/// 1, x, y, z, x², xy, xz, y², … up to a degree; says how many.
pub(super) fn monomials<T: Number>(degree: usize, x: [T; 3], out: &mut [T]) -> usize {
    out[0] = T::constant(1.0);
    // Where those of the last degree begin that x, y and z are multiplied with: each product once.
    let (mut starts, mut end) = ([0, 0, 0], 1);
    for _ in 0..degree {
        let last = end;
        for (start, x) in starts.iter_mut().zip(x) {
            let from = std::mem::replace(start, end);
            for k in from..last {
                out[end] = out[k] * x;
                end += 1;
            }
        }
    }
    end
}
