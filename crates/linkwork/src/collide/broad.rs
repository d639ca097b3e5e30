//! Overlapping boxes, by a sweep along the axis of their largest spread.

use super::Aabb;
use crate::linalg::order::{Key, sort};

/// Lists pairs of overlapping boxes. Keeps only buffers between calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Broad {
    order: Vec<Key>,
    active: Vec<u32>,
    found: Vec<Key>,
}

impl Broad {
    /// Every pair `[i, k]`, i < k, of boxes that overlap, in ascending order. Infinite boxes (of planes)
    /// overlap all others, but not each other.
    pub(crate) fn pairs(&mut self, boxes: &[Aabb], out: &mut Vec<[u32; 2]>) {
        self.order.clear();
        self.active.clear();
        self.found.clear();
        let axis = widest(boxes);
        for (bounds, k) in boxes.iter().zip(0u32..) {
            self.order.push((ordered(bounds.low[axis]), k));
        }
        sort(&mut self.order);
        for &(_, k) in &self.order {
            let bounds = &boxes[k as usize];
            let mut kept = 0;
            for place in 0..self.active.len() {
                let i = self.active[place];
                let other = &boxes[i as usize];
                if other.high[axis] < bounds.low[axis] {
                    continue;
                }
                self.active[kept] = i;
                kept += 1;
                let both = other.is_endless() && bounds.is_endless();
                if !both && other.overlaps(bounds) {
                    self.found.push((u64::from(i.min(k)), i.max(k)));
                }
            }
            self.active.truncate(kept);
            self.active.push(k);
        }
        sort(&mut self.found);
        out.extend(self.found.iter().map(|&(i, k)| [i as u32, k]));
    }
}

/// The axis along which the middles of the finite boxes vary most.
fn widest(boxes: &[Aabb]) -> usize {
    let (mut sum, mut squares, mut n) = ([0.0; 3], [0.0; 3], 0.0);
    for bounds in boxes.iter().filter(|bounds| !bounds.is_endless()) {
        n += 1.0;
        for k in 0..3 {
            let middle = 0.5 * (bounds.low[k] + bounds.high[k]);
            sum[k] += middle;
            squares[k] += middle * middle;
        }
    }
    let spread = |k: usize| squares[k] - sum[k] * sum[k] / f64::max(n, 1.0);
    (1..3).fold(0, |best, k| if spread(k) > spread(best) { k } else { best })
}

/// Bits whose order is that of the numbers.
pub(super) fn ordered(value: f64) -> u64 {
    // Zero has one sign here.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 {
        bits | 1 << 63
    } else {
        !bits
    }
}
