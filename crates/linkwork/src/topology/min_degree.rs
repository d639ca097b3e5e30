//! A fill-reducing order of a small symmetric block matrix: greedy minimum degree.
//!
//! The degree of a node is the number of scalar rows its neighbours have. Among equals the one goes
//! first that was left alone for more rounds, then the lower index: the order is the same everywhere,
//! it eats into a mesh from all sides instead of along one edge, which leaves less fill.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many removals are a round.
const ROUND: u32 = 16;

/// The order, and for each eliminated node its neighbours at that moment.
pub(super) struct Elimination {
    pub(super) order: Vec<u32>,
    pub(super) columns: Vec<Vec<u32>>,
}

/// Eliminates every node of the graph `adjacency` (neighbour lists, symmetric, no node twice).
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
        for i in waiting.drain(..) {
            graph.queue(i);
        }
    }
    graph.out
}

/// Degree, then when a neighbour was last removed, then the index: the lowest goes next.
type Key = u128;

fn key(degree: u32, now: u32, i: u32) -> Key {
    u128::from(degree) << 64 | u128::from(now) << 32 | u128::from(i)
}

/// What is left of the graph, and the queue of its nodes.
struct Graph<'a> {
    n_rows: &'a [u32],
    lists: Lists,
    degree: Vec<u32>,
    key: Vec<Key>,
    heap: BinaryHeap<Reverse<Key>>,
    /// The key under which a node is in the queue. It may be lower than its own, never higher.
    queued: Vec<Key>,
    done: Vec<bool>,
    out: Elimination,
}

/// Not in the queue.
const NOT_QUEUED: Key = Key::MAX;

impl<'a> Graph<'a> {
    fn new(n_rows: &'a [u32], adjacency: Vec<Vec<u32>>) -> Self {
        let n = n_rows.len();
        let sum = |list: &Vec<u32>| list.iter().map(|&j| n_rows[j as usize]).sum();
        let degree: Vec<u32> = adjacency.iter().map(sum).collect();
        let key: Vec<Key> = (0..n).map(|i| key(degree[i], 0, i as u32)).collect();
        Self {
            heap: key.iter().copied().map(Reverse).collect(),
            degree,
            queued: key.clone(),
            key,
            done: vec![false; n],
            out: Elimination {
                order: Vec::with_capacity(n),
                columns: Vec::with_capacity(n),
            },
            n_rows,
            lists: Lists::new(adjacency),
        }
    }

    /// The node that goes next.
    fn pop(&mut self) -> Option<u32> {
        while let Some(Reverse(key)) = self.heap.pop() {
            let i = key as u32;
            if self.queued[i as usize] != key {
                continue;
            }
            self.queued[i as usize] = NOT_QUEUED;
            if self.key[i as usize] == key {
                return Some(i);
            }
            self.queue(i);
        }
        None
    }

    /// Sees to it that a node is in the queue, early enough.
    fn queue(&mut self, i: u32) {
        let key = self.key[i as usize];
        if !self.done[i as usize] && key < self.queued[i as usize] {
            self.queued[i as usize] = key;
            self.heap.push(Reverse(key));
        }
    }

    /// Takes node `i` out and joins its neighbours to each other.
    fn remove(&mut self, i: u32) {
        self.done[i as usize] = true;
        self.queued[i as usize] = NOT_QUEUED;
        let neighbours = std::mem::take(&mut self.lists.adjacency[i as usize]);
        let now = (self.out.order.len() as u32 + 1) / ROUND;
        for &a in &neighbours {
            let degree = &mut self.degree[a as usize];
            *degree -= self.n_rows[i as usize];
            self.lists.join(a, i, &neighbours, |new| {
                *degree += self.n_rows[new as usize];
            });
            self.key[a as usize] = key(*degree, now, a);
            self.queue(a);
        }
        self.out.order.push(i);
        self.out.columns.push(neighbours);
    }
}

/// The neighbours of each node, in no order.
struct Lists {
    adjacency: Vec<Vec<u32>>,
    /// Who last found each node among its neighbours. Only nodes that are gone leave a list.
    seen_by: Vec<u32>,
}

impl Lists {
    fn new(adjacency: Vec<Vec<u32>>) -> Self {
        Self {
            seen_by: (0..adjacency.len() as u32).collect(),
            adjacency,
        }
    }

    /// Lets `theirs` be neighbours of `me` instead of `gone`; tells which are new.
    fn join(&mut self, me: u32, gone: u32, theirs: &[u32], mut new: impl FnMut(u32)) {
        let mine = &mut self.adjacency[me as usize];
        let mut at = 0;
        for (k, &j) in mine.iter().enumerate() {
            self.seen_by[j as usize] = me;
            if j == gone {
                at = k;
            }
        }
        mine.swap_remove(at);
        self.seen_by[me as usize] = me;
        for &j in theirs {
            if self.seen_by[j as usize] != me {
                mine.push(j);
                new(j);
            }
        }
    }
}

/// Eliminates in the order of `rank` instead, as far as `waits_for` allows: for tests of arbitrary
/// legal orders.
pub(super) fn eliminate_in_order(
    rank: &[u32],
    adjacency: Vec<Vec<u32>>,
    waits_for: &[Vec<u32>],
) -> Elimination {
    let n = rank.len();
    let mut lists = Lists::new(adjacency);
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
        let neighbours = std::mem::take(&mut lists.adjacency[i as usize]);
        for &a in &neighbours {
            lists.join(a, i, &neighbours, |_| {});
        }
        out.order.push(i);
        out.columns.push(neighbours);
    }
    out
}
