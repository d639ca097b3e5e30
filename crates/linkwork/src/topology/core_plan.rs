//! The core: what stripping branches leaves, as a sparse block matrix with a fixed order.
//!
//! Every body in it lies on a loop (or under a constraint of more than two bodies). Its bodies of low
//! degree go first, which leaves small constraint blocks of `J·M⁻¹·Jᵀ`; hub bodies would turn their
//! joints into one dense clique, so they stay as nodes of their own and take part in the
//! minimum-degree order.

use std::sync::Arc;

use super::min_degree;
use super::plan::{Graph, Hubs, NONE, shuffle};

/// A body in the core with more constraints than this stays a node of the core matrix.
const HUB_DEGREE: usize = 8;

/// The core of a plan: who is in it, and the matrix they make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Core {
    pub(crate) early: Vec<EarlyBody>,
    pub(crate) early_constraints: Vec<u32>,
    pub(crate) hubs: Vec<(u32, bool)>,
    pub(crate) hub_edges: Vec<HubEdge>,
    /// Nodes in elimination order.
    pub(crate) nodes: Vec<CoreNode>,
    /// Shared by everyone who follows the plan, under whatever indices.
    pub(crate) matrix: Arc<CoreMatrix>,
}

/// The core matrix: block LDLᵀ in a fixed order, everything known but the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CoreMatrix {
    pub(crate) couplings: Vec<Coupling>,
    /// Scalar rows of each node.
    pub(crate) n_rows: Vec<u32>,
    /// Where each node's part of a core vector begins.
    pub(crate) x0: Vec<u32>,
    /// Offset of each node's diagonal block.
    pub(crate) diagonal: Vec<u32>,
    /// Column j holds the blocks `column[j]..column[j + 1]`.
    pub(crate) column: Vec<u32>,
    /// The later node and the offset of each off-diagonal block. Blocks are stored with the rows of
    /// the earlier node, so that the factor's products run along rows.
    pub(crate) block_row: Vec<u32>,
    pub(crate) block: Vec<u32>,
    /// Targets of the updates, in the order the factor performs them.
    pub(crate) update: Vec<u32>,
    /// Length of the value storage and of a core vector.
    pub(crate) n_values: u32,
    pub(crate) n_x: u32,
    /// A constraint goes before a hub it needs: its pivot may be singular in ordinary poses.
    pub(crate) needs_proximal: bool,
}

/// A node of the core matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoreNode {
    Constraint(u32),
    Hub(u32),
}

/// Where the block of two constraints (or of a constraint and itself) is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coupling {
    /// Place among the body's constraints of the block's row and column.
    pub(crate) row: u32,
    pub(crate) col: u32,
    /// Offset of the block, row-major.
    pub(crate) offset: u32,
}

/// A body of the core that is eliminated before its constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EarlyBody {
    pub(crate) body: u32,
    pub(crate) has_children: bool,
    /// Ranges in `Core::early_constraints` and `CoreMatrix::couplings`.
    pub(crate) constraints: (u32, u32),
    pub(crate) couplings: (u32, u32),
}

/// The block of a hub and one of its constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HubEdge {
    pub(crate) hub: u32,
    pub(crate) constraint: u32,
    pub(crate) offset: u32,
    /// The constraint is eliminated first; the block's rows are then the constraint's.
    pub(crate) constraint_is_first: bool,
}

impl Graph<'_> {
    /// Plans what stripping left.
    pub(super) fn core(&self, hubs: Hubs, seed: u64) -> Core {
        let (mut core, mut matrix) = (Core::default(), CoreMatrix::default());
        let constraints: Vec<u32> = (0..self.constraints.len() as u32)
            .filter(|&c| !self.constraint_done[c as usize])
            .collect();
        let bodies: Vec<u32> = (0..self.n_bodies())
            .filter(|&b| !self.body_done[b as usize])
            .collect();
        if constraints.is_empty() {
            return core;
        }
        let is_hub = |b: u32| {
            hubs == Hubs::Kept && self.foldable(b) && self.degree[b as usize] as usize > HUB_DEGREE
        };
        let hub_bodies: Vec<u32> = bodies.iter().copied().filter(|&b| is_hub(b)).collect();

        // Nodes of the core matrix: constraints, then hubs; `node_of_*` by position.
        let mut node_of_constraint = vec![NONE; self.constraints.len()];
        let mut n_rows: Vec<u32> = Vec::new();
        for (i, &c) in constraints.iter().enumerate() {
            node_of_constraint[c as usize] = i as u32;
            n_rows.push(self.n_rows(c));
        }
        let mut node_of_hub = vec![NONE; self.n_bodies() as usize];
        for &b in &hub_bodies {
            node_of_hub[b as usize] = n_rows.len() as u32;
            n_rows.push(self.n_v(b));
        }
        let open = |b: u32| {
            self.at_body(b)
                .iter()
                .copied()
                .filter(|&c| !self.constraint_done[c as usize])
        };

        // Edges: constraints that share an early body; a hub and its constraints.
        let room = |_: &u32| Vec::with_capacity(16);
        let mut adjacency: Vec<Vec<u32>> = n_rows.iter().map(room).collect();
        let mut waits_for: Vec<Vec<u32>> = vec![Vec::new(); n_rows.len()];
        let mut nodes = Vec::new();
        for &b in &bodies {
            nodes.clear();
            nodes.extend(open(b).map(|c| node_of_constraint[c as usize]));
            let hub = node_of_hub[b as usize];
            for &i in &nodes {
                if hub == NONE {
                    adjacency[i as usize].extend(nodes.iter().filter(|&&j| j != i));
                } else {
                    adjacency[i as usize].push(hub);
                    adjacency[hub as usize].push(i);
                }
            }
        }
        for list in &mut adjacency {
            list.sort_unstable();
            list.dedup();
        }
        for &c in &constraints {
            // A constraint between hubs only has no pivot until one of them is gone.
            let touched = self.at_constraint(c);
            if touched.iter().all(|&b| is_hub(b)) {
                waits_for[node_of_constraint[c as usize] as usize] =
                    touched.iter().map(|&b| node_of_hub[b as usize]).collect();
            }
        }
        let elimination = if seed == 0 {
            min_degree::eliminate(&n_rows, adjacency, &waits_for)
        } else {
            let mut rank: Vec<u32> = (0..n_rows.len() as u32).collect();
            shuffle(&mut rank, seed);
            min_degree::eliminate_in_order(&rank, adjacency, &waits_for)
        };

        // Positions in the order, and where every block lives.
        let n = n_rows.len();
        let mut place = vec![0u32; n];
        for (at, &node) in elimination.order.iter().enumerate() {
            place[node as usize] = at as u32;
        }
        let mut x = 0;
        let mut values = 0;
        for &node in &elimination.order {
            let rows = n_rows[node as usize];
            core.nodes.push(if (node as usize) < constraints.len() {
                CoreNode::Constraint(self.constraints[constraints[node as usize] as usize])
            } else {
                CoreNode::Hub(hub_bodies[node as usize - constraints.len()])
            });
            matrix.n_rows.push(rows);
            matrix.x0.push(x);
            matrix.diagonal.push(values);
            x += rows;
            values += rows * rows;
        }
        matrix.column.push(0);
        for (at, column) in elimination.columns.iter().enumerate() {
            let start = matrix.block_row.len();
            let rows = column.iter().map(|&node| place[node as usize]);
            matrix.block_row.extend(rows);
            matrix.block_row[start..].sort_unstable();
            for &row in &matrix.block_row[start..] {
                matrix.block.push(values);
                values += matrix.n_rows[row as usize] * matrix.n_rows[at];
            }
            matrix.column.push(matrix.block_row.len() as u32);
        }
        matrix.n_x = x;
        matrix.n_values = values;
        matrix.list_updates();

        for &b in &bodies {
            if node_of_hub[b as usize] != NONE {
                continue;
            }
            let touched: Vec<u32> = open(b).collect();
            let first = core.early_constraints.len() as u32;
            let first_coupling = matrix.couplings.len() as u32;
            core.early_constraints
                .extend(touched.iter().map(|&c| self.constraints[c as usize]));
            let places: Vec<u32> = touched
                .iter()
                .map(|&c| place[node_of_constraint[c as usize] as usize])
                .collect();
            for i in 0..places.len() {
                for k in 0..=i {
                    // A block's rows are those of the node that is eliminated first.
                    let (row, col) = if places[i] <= places[k] {
                        (i, k)
                    } else {
                        (k, i)
                    };
                    let offset = matrix.find(places[col], places[row]);
                    matrix.couplings.push(Coupling {
                        row: row as u32,
                        col: col as u32,
                        offset,
                    });
                }
            }
            core.early.push(EarlyBody {
                body: b,
                has_children: self.has_children[b as usize],
                constraints: (first, core.early_constraints.len() as u32),
                couplings: (first_coupling, matrix.couplings.len() as u32),
            });
        }
        for &b in &hub_bodies {
            core.hubs.push((b, self.has_children[b as usize]));
            let hub_place = place[node_of_hub[b as usize] as usize];
            for c in open(b) {
                let constraint_place = place[node_of_constraint[c as usize] as usize];
                let constraint_is_first = hub_place > constraint_place;
                let (row, col) = if constraint_is_first {
                    (hub_place, constraint_place)
                } else {
                    (constraint_place, hub_place)
                };
                matrix.needs_proximal |= constraint_is_first;
                core.hub_edges.push(HubEdge {
                    hub: b,
                    constraint: self.constraints[c as usize],
                    offset: matrix.find(row, col),
                    constraint_is_first,
                });
            }
        }
        core.matrix = Arc::new(matrix);
        core
    }
}

impl CoreMatrix {
    /// Eliminating a node updates the block of every two of its neighbours, `p > q`.
    fn list_updates(&mut self) {
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        let lengths = self.column.windows(2).map(|ends| ends[1] - ends[0]);
        self.update = vec![0; lengths.map(|n| pairs(n as usize)).sum()];
        let mut first = 0;
        for at in 0..self.n_rows.len() {
            let (start, end) = (self.column[at] as usize, self.column[at + 1] as usize);
            let n = end - start;
            for q in 0..n {
                // The column of q holds all that come after it, in the same order.
                let mut block = self.column[self.block_row[start + q] as usize] as usize;
                for p in q + 1..n {
                    while self.block_row[block] != self.block_row[start + p] {
                        block += 1;
                    }
                    self.update[first + pairs(p) + q] = self.block[block];
                }
            }
            first += pairs(n);
        }
    }

    /// Offset of the block at (row, col), `row ≥ col`, both places in the order.
    fn find(&self, row: u32, col: u32) -> u32 {
        if row == col {
            return self.diagonal[row as usize];
        }
        let (start, end) = (
            self.column[col as usize] as usize,
            self.column[col as usize + 1] as usize,
        );
        match self.block_row[start..end].binary_search(&row) {
            Ok(at) => self.block[start + at],
            Err(_) => unreachable!("the elimination lists every block it touches"),
        }
    }
}
