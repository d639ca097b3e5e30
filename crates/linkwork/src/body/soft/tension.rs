//! What tension adds to the stiffness of a soft body.
//!
//! An element with stress σ (newtons in all, along its material axes) resists turning with `b_k·σ·b_l` between its
//! nodes k and l, along each axis of space. Of σ the principal values that push are dropped, so that what is added is
//! positive.

use super::green::{Element, PLANE, SPACE};
use crate::math::{Mat3, add, column, dot, mat_vec, scale, sym_eigen, sym_pack};

/// `Σ pull·C`, and for tetrahedra what their volume pulls with, alike along all axes.
pub(super) fn stress(n: usize, pull: &[f64]) -> Mat3 {
    let mut sum = [[0.0; 3]; 3];
    let forms: &[Mat3] = if n == 3 { &PLANE } else { &SPACE };
    for (form, pull) in forms.iter().zip(pull) {
        for (sum, form) in sum.iter_mut().zip(form) {
            *sum = add(*sum, scale(*pull, *form));
        }
    }
    if n == 4 {
        (0..3).for_each(|k| sum[k][k] += pull[SPACE.len()]);
    }
    sum
}

impl Element {
    /// Tells the entries that tension adds, where the element pulls so.
    pub(super) fn tension(&self, pull: &[f64], add_entry: &mut dyn FnMut(usize, usize, f64)) {
        let (values, axes) = sym_eigen(&sym_pack(&stress(self.n, pull)));
        if values.iter().all(|&value| value <= 0.0) {
            return;
        }
        let mut positive = [[0.0; 3]; 3];
        for (k, value) in values.into_iter().enumerate() {
            let axis = column(&axes, k);
            for (row, own) in positive.iter_mut().zip(axis) {
                *row = add(*row, scale(value.max(0.0) * own, axis));
            }
        }
        for (k, &row) in self.nodes().iter().enumerate() {
            let turned = mat_vec(&positive, self.b[k]);
            for (l, &column) in self.nodes().iter().enumerate() {
                let value = dot(turned, self.b[l]);
                for axis in 0..3 {
                    add_entry(3 * row as usize + axis, 3 * column as usize + axis, value);
                }
            }
        }
    }
}
