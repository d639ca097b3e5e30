//! A fill-reducing order of a small symmetric block matrix: greedy minimum degree.
//!
//! The degree of a node is the number of scalar rows its neighbours have. Among equals the one goes
//! first that was left alone for more rounds, then the lower index: the order is the same everywhere,
//! it eats into a mesh from all sides instead of along one edge, which leaves less fill.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many removals are a round.
const ROUND: u32 = 16;

/// The order, and for each eliminated node its neighbours at that moment (node indices, ascending).
pub(super) struct Elimination {
    pub(super) order: Vec<u32>,
    pub(super) columns: Vec<Vec<u32>>,
}

/// Eliminates every node of the graph `adjacency` (sorted neighbour lists, symmetric).
///
/// `waits_for[i]` lists nodes of which one must go before node `i` may (empty: no condition).
pub(super) fn eliminate(
    n_rows: &[u32],
    adjacency: Vec<Vec<u32>>,
    waits_for: &[Vec<u32>],
) -> Elimination {
    let mut graph = Graph::new(n_rows, adjacency);
    let mut waiting: Vec<u32> = Vec::new();
    while graph.out.order.len() < n_rows.len() {
        let i = match graph.pop() {
            Some(i) => {
                let conditions = &waits_for[i as usize];
                if !conditions.is_empty() && conditions.iter().all(|&j| !graph.done[j as usize]) {
                    waiting.push(i);
                    continue;
                }
                i
            }
            // Only nodes that wait for each other are left: let the first one go.
            None => match waiting.iter().position(|&i| !graph.done[i as usize]) {
                Some(at) => waiting.swap_remove(at),
                None => break,
            },
        };
        graph.remove(i);
        for i in waiting.drain(..).filter(|&i| !graph.done[i as usize]) {
            graph.heap.push(Reverse((graph.key[i as usize], i)));
        }
    }
    graph.out
}

/// What is left of the graph, and the queue of its nodes.
struct Graph<'a> {
    n_rows: &'a [u32],
    adjacency: Vec<Vec<u32>>,
    /// Degree, and when a neighbour was last removed.
    key: Vec<(u32, u32)>,
    heap: BinaryHeap<Reverse<((u32, u32), u32)>>,
    done: Vec<bool>,
    out: Elimination,
}

impl<'a> Graph<'a> {
    fn new(n_rows: &'a [u32], adjacency: Vec<Vec<u32>>) -> Self {
        let n = n_rows.len();
        let degree = |list: &Vec<u32>| list.iter().map(|&j| n_rows[j as usize]).sum();
        let key: Vec<(u32, u32)> = adjacency.iter().map(|list| (degree(list), 0)).collect();
        Self {
            heap: (0..n).map(|i| Reverse((key[i], i as u32))).collect(),
            key,
            done: vec![false; n],
            out: Elimination {
                order: Vec::with_capacity(n),
                columns: Vec::with_capacity(n),
            },
            n_rows,
            adjacency,
        }
    }

    /// The node that goes next; stale entries of the queue are passed over.
    fn pop(&mut self) -> Option<u32> {
        while let Some(Reverse((key, i))) = self.heap.pop() {
            if !self.done[i as usize] && self.key[i as usize] == key {
                return Some(i);
            }
        }
        None
    }

    /// Takes node `i` out and joins its neighbours to each other.
    fn remove(&mut self, i: u32) {
        self.done[i as usize] = true;
        let neighbours = std::mem::take(&mut self.adjacency[i as usize]);
        let now = (self.out.order.len() as u32 + 1) / ROUND;
        for &a in &neighbours {
            let merged = merge(&self.adjacency[a as usize], &neighbours, a, i);
            let degree = merged.iter().map(|&j| self.n_rows[j as usize]).sum();
            self.adjacency[a as usize] = merged;
            self.key[a as usize] = (degree, now);
            self.heap.push(Reverse(((degree, now), a)));
        }
        self.out.order.push(i);
        self.out.columns.push(neighbours);
    }
}

/// The union of two sorted lists without `me` and `gone`.
fn merge(mine: &[u32], theirs: &[u32], me: u32, gone: u32) -> Vec<u32> {
    let mut out = Vec::with_capacity(mine.len() + theirs.len());
    let (mut i, mut j) = (0, 0);
    while i < mine.len() || j < theirs.len() {
        let next = match (mine.get(i), theirs.get(j)) {
            (Some(&a), Some(&b)) => {
                i += usize::from(a <= b);
                j += usize::from(b <= a);
                a.min(b)
            }
            (Some(&a), None) => {
                i += 1;
                a
            }
            (None, Some(&b)) => {
                j += 1;
                b
            }
            (None, None) => break,
        };
        if next != me && next != gone {
            out.push(next);
        }
    }
    out
}

/// Eliminates in the order of `rank` instead, as far as `waits_for` allows: for tests of arbitrary
/// legal orders.
pub(super) fn eliminate_in_order(
    rank: &[u32],
    mut adjacency: Vec<Vec<u32>>,
    waits_for: &[Vec<u32>],
) -> Elimination {
    let n = rank.len();
    let mut done = vec![false; n];
    let mut out = Elimination {
        order: Vec::with_capacity(n),
        columns: Vec::with_capacity(n),
    };
    while out.order.len() < n {
        let free = |i: u32| {
            let conditions = &waits_for[i as usize];
            conditions.is_empty() || conditions.iter().any(|&j| done[j as usize])
        };
        let next = rank.iter().copied().filter(|&i| !done[i as usize]);
        let Some(i) = next
            .clone()
            .find(|&i| free(i))
            .or_else(|| next.clone().next())
        else {
            break;
        };
        done[i as usize] = true;
        let neighbours = std::mem::take(&mut adjacency[i as usize]);
        for &a in &neighbours {
            adjacency[a as usize] = merge(&adjacency[a as usize], &neighbours, a, i);
        }
        out.order.push(i);
        out.columns.push(neighbours);
    }
    out
}
