//! Any smooth energy as soft rows of compliance one, from its gradient and its second derivatives.
//!
//! ```text
//!     H = V·Λ·Vᵀ      J = V·|Λ|^½·Vᵀ      c = V·|Λ|^(−½)·Vᵀ·∇E      so that  Jᵀ·c = ∇E,  Jᵀ·J = |H|
//! ```
//!
//! An implicit step over them is one of Newton's for E, away from saddles and maxima, and rests where E does. The root
//! is the symmetric one: it changes smoothly with H, whatever the order of the eigenvalues.

use super::MAX_ROWS;
use crate::constraint::tolerances::{FLAT, FLATTEST};
use crate::linalg::eigen::diagonalize;

/// Writes `J` over `hessian` (both `n × n`, row-major) and `c` over `gradient`; n is at most [`MAX_ROWS`].
///
/// ```
/// let (mut c, mut j) = ([3.0, -4.0], [9.0, 0.0, 0.0, -4.0]);
/// linkwork::constraint::energy_rows(&mut c, &mut j);
/// assert_eq!((c, j), ([1.0, -2.0], [3.0, 0.0, 0.0, 2.0]));
/// ```
pub fn energy_rows(gradient: &mut [f64], hessian: &mut [f64]) {
    let n = gradient.len().min(MAX_ROWS);
    let mut vectors = [0.0; MAX_ROWS * MAX_ROWS];
    let vectors = &mut vectors[..n * n];
    diagonalize(n, hessian, vectors);
    let (mut root, mut most) = ([0.0; MAX_ROWS], FLATTEST);
    for k in 0..n {
        root[k] = hessian[k * n + k].abs();
        most = root[k].max(most);
    }
    let mut along = [0.0; MAX_ROWS];
    for k in 0..n {
        root[k] = root[k].max(FLAT * most).sqrt();
        let own = vectors[k * n..][..n].iter().zip(&*gradient);
        along[k] = own.map(|(v, g)| v * g).sum::<f64>() / root[k];
    }
    for i in 0..n {
        gradient[i] = (0..n).map(|k| vectors[k * n + i] * along[k]).sum();
        for j in 0..n {
            let entry = |k: usize| vectors[k * n + i] * root[k] * vectors[k * n + j];
            hessian[i * n + j] = (0..n).map(entry).sum();
        }
    }
}
