//! Which entries a factor has, and which of its columns make a panel.

use crate::linalg::order::sort;
use crate::linalg::tolerances::ZEROS;

const NONE: u32 = u32::MAX;

/// The order with the columns of each panel beside each other, and the panels: first place, width, places of rows.
pub(super) struct Symbolic {
    pub(super) order: Vec<u32>,
    pub(super) panels: Vec<(u32, u32, Vec<u32>)>,
}

impl Symbolic {
    pub(super) fn new(entries: &[(u32, u32)], order: Vec<u32>) -> Self {
        let columns = eliminate(entries, &order);
        let order = descend(&columns).into_iter().map(|at| order[at as usize]);
        let order: Vec<u32> = order.collect();
        let columns = eliminate(entries, &order);
        Self {
            order,
            panels: gather(columns),
        }
    }
}

/// Rows below the diagonal of each column, as places of the order, ascending.
fn eliminate(entries: &[(u32, u32)], order: &[u32]) -> Vec<Vec<u32>> {
    let n = order.len();
    let mut place = vec![0; n];
    for (at, &index) in order.iter().enumerate() {
        place[index as usize] = at as u32;
    }
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    for &(i, j) in entries {
        let (a, b) = (place[i as usize], place[j as usize]);
        if a != b {
            columns[a.min(b) as usize].push(a.max(b));
        }
    }
    // Eliminating a column joins its rows: the first of them takes over the others.
    let (mut keys, mut seen) = (Vec::new(), vec![NONE; n]);
    for k in 0..n {
        let mut column = std::mem::take(&mut columns[k]);
        column.retain(|&row| std::mem::replace(&mut seen[row as usize], k as u32) != k as u32);
        keys.clear();
        keys.extend(column.iter().map(|&row| (u64::from(row), row)));
        sort(&mut keys);
        column.clear();
        column.extend(keys.iter().map(|&(_, row)| row));
        if let Some((&first, rest)) = column.split_first() {
            columns[first as usize].extend_from_slice(rest);
        }
        columns[k] = column;
    }
    columns
}

/// An order with the same fill in which every column comes right behind the last of those that change it: down the tree
/// in which the parent of a column is its first row.
fn descend(columns: &[Vec<u32>]) -> Vec<u32> {
    let n = columns.len();
    let (mut first_child, mut next) = (vec![NONE; n + 1], vec![NONE; n]);
    for k in (0..n).rev() {
        let parent = columns[k].first().map_or(n, |&row| row as usize);
        next[k] = first_child[parent];
        first_child[parent] = k as u32;
    }
    let mut order = Vec::with_capacity(n);
    let mut stack = Vec::new();
    let mut at = first_child[n];
    loop {
        while at != NONE {
            stack.push(at);
            at = first_child[at as usize];
        }
        let Some(done) = stack.pop() else { break };
        order.push(done);
        at = next[done as usize];
    }
    order
}

/// Columns that follow each other, where the rows of one are (almost) those of the next.
fn gather(columns: Vec<Vec<u32>>) -> Vec<(u32, u32, Vec<u32>)> {
    let mut panels = Vec::new();
    let (mut first, mut zeros) = (0, 0);
    let n = columns.len();
    for k in 0..n {
        let width = k + 1 - first;
        if k + 1 < n && columns[k].first() == Some(&(k as u32 + 1)) {
            // The next column has all rows of this one; so many more are zeros of the panel.
            let new = columns[k + 1].len() + 1 - columns[k].len();
            let more = zeros + new * width;
            let wide = width + 1;
            let total = wide * columns[k + 1].len() + wide * (wide + 1) / 2;
            if more as f64 <= ZEROS * total as f64 {
                zeros = more;
                continue;
            }
        }
        let mut rows: Vec<u32> = (first as u32..=k as u32).collect();
        rows.extend_from_slice(&columns[k]);
        panels.push((first as u32, width as u32, rows));
        (first, zeros) = (k + 1, 0);
    }
    panels
}
