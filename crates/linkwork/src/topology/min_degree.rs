//! A fill-reducing order of a small symmetric block matrix: greedy minimum degree.
//!
//! The degree of a node is the number of scalar rows of its neighbors. Among equal ones, the node whose
//! neighbors were unchanged for more rounds goes first, then the lower index. The order is the same on every
//! machine, and proceeds into a mesh from all sides, which leaves less fill than along one edge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::plan::NONE;

/// Number of removals in a round.
const ROUND: u32 = 16;

/// The order, and for each eliminated node its neighbors at that moment.
#[derive(Default)]
pub(super) struct Elimination {
    pub(super) order: Vec<u32>,
    neighbors: Vec<u32>,
    /// End of the neighbors of each node of the order.
    end: Vec<u32>,
}

impl Elimination {
    fn with_room(n: usize) -> Self {
        Self {
            order: Vec::with_capacity(n),
            neighbors: Vec::with_capacity(4 * n),
            end: Vec::with_capacity(n),
        }
    }

    /// The last node eliminated, and its neighbors.
    fn last(&self) -> (u32, &[u32]) {
        let n = self.order.len();
        let start = if n > 1 { self.end[n - 2] as usize } else { 0 };
        (self.order[n - 1], &self.neighbors[start..])
    }

    /// The neighbors of each node of the order, in no order.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.end.iter().map(move |&end| {
            let column = &self.neighbors[start..end as usize];
            start = end as usize;
            column
        })
    }
}

/// A fill-reducing order of a symmetric matrix with these entries besides its diagonal.
pub(crate) fn minimum_degree(n: usize, entries: &[(u32, u32)]) -> Vec<u32> {
    let mut neighbors = vec![Vec::new(); n];
    for &(i, j) in entries.iter().filter(|(i, j)| i != j) {
        neighbors[i as usize].push(j);
        neighbors[j as usize].push(i);
    }
    let mut lists = Lists::with_room(n);
    for own in neighbors {
        lists.add(own.into_iter());
    }
    eliminate(&vec![1; n], lists, &Vec::new(), None).order
}

/// For each node, nodes of which one must be eliminated before it; empty if it need not wait. The list may end
/// early.
pub(super) type Waits = Vec<Vec<u32>>;

/// Eliminates every node of the graph; in the order of `rank` if there is one, as far as `waits` allows.
pub(super) fn eliminate(
    n_rows: &[u32],
    lists: Lists,
    waits: &Waits,
    rank: Option<&[u32]>,
) -> Elimination {
    let mut graph = Graph::new(n_rows, lists, rank);
    let mut waiting: Vec<u32> = Vec::new();
    while graph.out.order.len() < n_rows.len() {
        let i = match graph.pop() {
            Some(i) => {
                if must_wait(waits, i, &graph.done) {
                    waiting.push(i);
                    continue;
                }
                i
            }
            // Only nodes that wait for each other remain: the first one goes.
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

fn must_wait(waits: &Waits, i: u32, done: &[bool]) -> bool {
    let gone = |&j: &u32| done[j as usize];
    let others = waits.get(i as usize).map_or(&[][..], Vec::as_slice);
    !others.is_empty() && !others.iter().any(gone)
}

/// Degree, then when a neighbor was last removed, then the index: the lowest goes next.
type Key = u64;

/// Bits of a key for the index. The rest is for rounds and degrees, the largest of which are not distinguished.
const INDEX: u32 = 28;
const ROUNDS: u32 = 18;

fn key(degree: u32, now: u32, i: u32) -> Key {
    debug_assert!(i < 1 << INDEX);
    let degree = u64::from(degree.min((1 << ROUNDS) - 1));
    let now = u64::from(now.min((1 << ROUNDS) - 1));
    (degree << ROUNDS | now) << INDEX | u64::from(i)
}

/// The remaining graph, and the queue of its nodes.
struct Graph<'a> {
    n_rows: &'a [u32],
    lists: Lists,
    degree: Vec<u32>,
    key: Vec<Key>,
    heap: BinaryHeap<Reverse<Key>>,
    /// The key of a node in the queue. It may be lower than its present key, never higher.
    queued: Vec<Key>,
    done: Vec<bool>,
    out: Elimination,
    /// Keys follow degrees; else `degree` holds ranks, which stay.
    by_degree: bool,
}

/// Not in the queue.
const NOT_QUEUED: Key = Key::MAX;

impl<'a> Graph<'a> {
    fn new(n_rows: &'a [u32], lists: Lists, rank: Option<&[u32]>) -> Self {
        let n = n_rows.len();
        let sum = |i: u32| lists.of(i).iter().map(|&j| n_rows[j as usize]).sum();
        let mut degree: Vec<u32> = (0..n as u32).map(sum).collect();
        for (at, &node) in rank.iter().copied().flatten().enumerate() {
            degree[node as usize] = at as u32;
        }
        let key: Vec<Key> = (0..n).map(|i| key(degree[i], 0, i as u32)).collect();
        Self {
            heap: key.iter().copied().map(Reverse).collect(),
            degree,
            queued: key.clone(),
            key,
            done: vec![false; n],
            out: Elimination::with_room(n),
            by_degree: rank.is_none(),
            n_rows,
            lists,
        }
    }

    /// The next node.
    fn pop(&mut self) -> Option<u32> {
        while let Some(Reverse(key)) = self.heap.pop() {
            let i = key as u32 & ((1 << INDEX) - 1);
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

    /// Puts a node into the queue, at its key or earlier.
    fn queue(&mut self, i: u32) {
        let key = self.key[i as usize];
        if !self.done[i as usize] && key < self.queued[i as usize] {
            self.queued[i as usize] = key;
            self.heap.push(Reverse(key));
        }
    }

    /// Eliminates node `i` and connects its neighbors.
    fn remove(&mut self, i: u32) {
        self.done[i as usize] = true;
        self.queued[i as usize] = NOT_QUEUED;
        let now = (self.out.order.len() as u32 + 1) / ROUND;
        for at in self.lists.take(i, &mut self.out) {
            let a = self.out.neighbors[at];
            let mut added = 0;
            self.lists.join(a, &self.out, |new| {
                added += self.n_rows[new as usize];
            });
            if self.by_degree {
                let degree = &mut self.degree[a as usize];
                *degree = *degree + added - self.n_rows[i as usize];
                self.key[a as usize] = key(*degree, now, a);
                self.queue(a);
            }
        }
    }
}

/// The range of a node's neighbors in [`Lists::items`], and its capacity.
#[derive(Clone, Copy)]
struct List {
    start: usize,
    n: usize,
    room: usize,
}

/// The neighbors of each node, in no order: symmetric, no node twice.
pub(super) struct Lists {
    items: Vec<u32>,
    lists: Vec<List>,
    /// The last node that found each node among its neighbors.
    seen_by: Vec<u32>,
}

/// Spare capacity of a new list.
const SPARE: usize = 8;

impl Lists {
    /// No node yet, room for `n`.
    pub(super) fn with_room(n: usize) -> Self {
        Self {
            items: Vec::with_capacity((SPARE + 4) * n),
            lists: Vec::with_capacity(n),
            seen_by: vec![NONE; n],
        }
    }

    /// Adds the next node. Neighbors may be named twice, and the node itself among them.
    pub(super) fn add(&mut self, neighbors: impl Iterator<Item = u32>) {
        let me = self.lists.len() as u32;
        let start = self.items.len();
        self.seen_by[me as usize] = me;
        for j in neighbors {
            if std::mem::replace(&mut self.seen_by[j as usize], me) != me {
                self.items.push(j);
            }
        }
        let n = self.items.len() - start;
        let room = n + SPARE;
        self.items.resize(start + room, NONE);
        self.lists.push(List { start, n, room });
    }

    fn of(&self, i: u32) -> &[u32] {
        let List { start, n, .. } = self.lists[i as usize];
        &self.items[start..start + n]
    }

    /// Writes node `i` and its neighbors to the end of `out`; tells where the neighbors are.
    fn take(&self, i: u32, out: &mut Elimination) -> std::ops::Range<usize> {
        let start = out.neighbors.len();
        out.order.push(i);
        out.neighbors.extend_from_slice(self.of(i));
        out.end.push(out.neighbors.len() as u32);
        start..out.neighbors.len()
    }

    /// Lets the neighbors of the node that went last be neighbors of `me` instead of it; tells which
    /// are new.
    fn join(&mut self, me: u32, out: &Elimination, mut new: impl FnMut(u32)) {
        let (gone, theirs) = out.last();
        let mut list = self.lists[me as usize];
        let mut at = 0;
        let mine = &self.items[list.start..list.start + list.n];
        for (k, &j) in mine.iter().enumerate() {
            self.seen_by[j as usize] = me;
            if j == gone {
                at = k;
            }
        }
        list.n -= 1;
        self.items.swap(list.start + at, list.start + list.n);
        self.seen_by[me as usize] = me;
        for &j in theirs {
            if self.seen_by[j as usize] != me {
                if list.n == list.room {
                    list = self.move_to_end(list);
                }
                self.items[list.start + list.n] = j;
                list.n += 1;
                new(j);
            }
        }
        self.lists[me as usize] = list;
    }

    /// Doubles the room of a list.
    fn move_to_end(&mut self, list: List) -> List {
        let start = self.items.len();
        let room = 2 * list.room;
        self.items
            .extend_from_within(list.start..list.start + list.n);
        self.items.resize(start + room, NONE);
        List {
            start,
            room,
            ..list
        }
    }
}
