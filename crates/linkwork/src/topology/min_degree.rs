//! A fill-reducing order of a small symmetric block matrix: greedy minimum degree.
//!
//! The degree of a node is the number of scalar rows its neighbours have. Ties go to the lower
//! index, so the order is the same everywhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    mut adjacency: Vec<Vec<u32>>,
    waits_for: &[Vec<u32>],
) -> Elimination {
    let n = n_rows.len();
    let mut done = vec![false; n];
    let mut out = Elimination {
        order: Vec::with_capacity(n),
        columns: Vec::with_capacity(n),
    };
    let degree = |list: &[u32]| -> u32 { list.iter().map(|&j| n_rows[j as usize]).sum() };
    let mut current: Vec<u32> = adjacency.iter().map(|list| degree(list)).collect();
    let mut heap: BinaryHeap<Reverse<(u32, u32)>> =
        (0..n).map(|i| Reverse((current[i], i as u32))).collect();
    let mut waiting: Vec<u32> = Vec::new();
    while out.order.len() < n {
        let Some(Reverse((d, i))) = heap.pop() else {
            // Only nodes that wait for each other are left: let the first one go.
            let Some(at) = waiting.iter().position(|&i| !done[i as usize]) else {
                break;
            };
            let i = waiting.swap_remove(at);
            remove(
                i,
                n_rows,
                &mut adjacency,
                &mut current,
                &mut heap,
                &mut done,
                &mut out,
            );
            requeue(&mut waiting, &current, &done, &mut heap);
            continue;
        };
        if done[i as usize] || current[i as usize] != d {
            continue;
        }
        let conditions = &waits_for[i as usize];
        if !conditions.is_empty() && conditions.iter().all(|&j| !done[j as usize]) {
            waiting.push(i);
            continue;
        }
        let wakes = !waiting.is_empty();
        remove(
            i,
            n_rows,
            &mut adjacency,
            &mut current,
            &mut heap,
            &mut done,
            &mut out,
        );
        if wakes {
            requeue(&mut waiting, &current, &done, &mut heap);
        }
    }
    out
}

fn requeue(
    waiting: &mut Vec<u32>,
    current: &[u32],
    done: &[bool],
    heap: &mut BinaryHeap<Reverse<(u32, u32)>>,
) {
    for i in waiting.drain(..).filter(|&i| !done[i as usize]) {
        heap.push(Reverse((current[i as usize], i)));
    }
}

/// Takes node `i` out and joins its neighbours to each other.
fn remove(
    i: u32,
    n_rows: &[u32],
    adjacency: &mut [Vec<u32>],
    current: &mut [u32],
    heap: &mut BinaryHeap<Reverse<(u32, u32)>>,
    done: &mut [bool],
    out: &mut Elimination,
) {
    done[i as usize] = true;
    let neighbours = std::mem::take(&mut adjacency[i as usize]);
    for &a in &neighbours {
        let list = &mut adjacency[a as usize];
        let merged = merge(list, &neighbours, a, i);
        *list = merged;
        let degree: u32 = list.iter().map(|&j| n_rows[j as usize]).sum();
        current[a as usize] = degree;
        heap.push(Reverse((degree, a)));
    }
    out.order.push(i);
    out.columns.push(neighbours);
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
