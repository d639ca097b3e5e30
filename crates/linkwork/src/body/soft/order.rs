//! The order in which the nodes of a soft body are eliminated: nested dissection.
//!
//! A plane across the body separates its nodes into two halves that do not meet, and those between them, which go last.
//! Each half is cut likewise. Of a surface of n nodes the nodes between are some √n, and a factor costs about n^1.5;
//! minimum degree finds nothing as good where every node meets twenty others, as it does where a shell bends.

use crate::linalg::order::{Key, sort};
use crate::math::Vec3;

/// So few nodes are not cut.
const WHOLE: usize = 8;

/// Nodes and who meets whom.
struct Graph<'a> {
    places: &'a [Vec3],
    neighbors: Vec<Vec<u32>>,
    /// Which part a node is in, by the number of the cut; twice that and one more on the far side.
    part: Vec<u32>,
    cuts: u32,
}

/// An order of the nodes, where all nodes of a group meet each other.
pub(super) fn dissect<'a>(places: &[Vec3], groups: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let mut neighbors = vec![Vec::new(); places.len()];
    for group in groups {
        for &node in group {
            let own: &mut Vec<u32> = &mut neighbors[node as usize];
            for other in group {
                if *other != node && !own.contains(other) {
                    own.push(*other);
                }
            }
        }
    }
    let mut graph = Graph {
        places,
        neighbors,
        part: vec![0; places.len()],
        cuts: 0,
    };
    let mut order = Vec::with_capacity(places.len());
    graph.cut((0..places.len() as u32).collect(), &mut order);
    order
}

impl Graph<'_> {
    fn cut(&mut self, nodes: Vec<u32>, order: &mut Vec<u32>) {
        if nodes.len() <= WHOLE {
            order.extend(nodes);
            return;
        }
        let cuts = [0, 1, 2].map(|axis| self.halves(&nodes, axis));
        let Some([near, between, far]) = cuts.into_iter().min_by_key(|cut| cut[1].len()) else {
            return;
        };
        if near.is_empty() {
            // All of them meet each other.
            order.extend(nodes);
            return;
        }
        self.cut(near, order);
        self.cut(far, order);
        order.extend(between);
    }

    /// Those before the middle along an axis who meet nobody beyond it, those who do, and those beyond.
    fn halves(&mut self, nodes: &[u32], axis: usize) -> [Vec<u32>; 3] {
        let mut keys: Vec<Key> = nodes
            .iter()
            .map(|&node| (ascending(self.places[node as usize][axis]), node))
            .collect();
        sort(&mut keys);
        self.cuts += 1;
        let (side, far_side) = (2 * self.cuts, 2 * self.cuts + 1);
        let middle = keys.len() / 2;
        for (at, &(_, node)) in keys.iter().enumerate() {
            self.part[node as usize] = if at < middle { side } else { far_side };
        }
        let mut out = [Vec::new(), Vec::new(), Vec::new()];
        for (at, &(_, node)) in keys.iter().enumerate() {
            let mut others = self.neighbors[node as usize].iter();
            let meets = at < middle && others.any(|&other| self.part[other as usize] == far_side);
            let into = match (at < middle, meets) {
                (true, false) => 0,
                (true, true) => 1,
                _ => 2,
            };
            out[into].push(node);
        }
        out
    }
}

/// Bits that are in order as the numbers are.
fn ascending(x: f64) -> u64 {
    let bits = x.to_bits();
    match bits >> 63 {
        0 => bits | 1 << 63,
        _ => !bits,
    }
}
