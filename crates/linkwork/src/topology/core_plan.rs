//! The core: everything but the branches, as a sparse block matrix with a fixed order.
//!
//! Every body in it lies on a loop (or belongs to a constraint of more than two bodies). Bodies of low degree
//! are eliminated first, which leaves small constraint blocks of `J·M⁻¹·Jᵀ`. Hub bodies would make their joints
//! one dense clique, so they stay as nodes and take part in the minimum-degree order.

use std::sync::Arc;

use super::min_degree::{self, Elimination, Lists, Waits};
use super::order::sort_indices;
use super::plan::{Graph, Hubs, NONE, shuffle};

/// A body in the core with more constraints than this stays a node of the core matrix.
const HUB_DEGREE: usize = 8;

/// The core of a plan: its bodies and constraints, and their matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Core {
    pub(crate) early: Vec<EarlyBody>,
    pub(crate) early_constraints: Vec<u32>,
    pub(crate) hubs: Vec<(u32, bool)>,
    pub(crate) hub_edges: Vec<HubEdge>,
    /// Nodes in elimination order.
    pub(crate) nodes: Vec<CoreNode>,
    /// Shared by all users of the plan, with any indices.
    pub(crate) matrix: Arc<CoreMatrix>,
}

/// The structure of the core matrix and of its block LDLᵀ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CoreMatrix {
    pub(crate) couplings: Vec<Coupling>,
    /// Scalar rows of each node.
    pub(crate) n_rows: Vec<u32>,
    /// Offset of each node's part of a core vector.
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
}

/// A node of the core matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoreNode {
    Constraint(u32),
    Hub(u32),
}

/// The location of the block of two constraints (or of a constraint and itself).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coupling {
    /// Positions of the block's row and column among the body's constraints.
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
    /// Plans everything but the branches.
    pub(super) fn core(&self, hubs: Hubs, seed: u64) -> Core {
        let constraints: Vec<u32> = (0..self.constraints.len() as u32)
            .filter(|&c| !self.constraint_done[c as usize])
            .collect();
        if constraints.is_empty() {
            return Core::default();
        }
        let mut nodes = Nodes::new(self, constraints, hubs);
        let (lists, waits) = (nodes.neighbors(), nodes.waits());
        let mut rank: Vec<u32> = (0..nodes.n_rows.len() as u32).collect();
        shuffle(&mut rank, seed);
        let rank = (seed != 0).then_some(&rank[..]);
        let elimination = min_degree::eliminate(&nodes.n_rows, lists, &waits, rank);
        for (at, &node) in elimination.order.iter().enumerate() {
            nodes.place[node as usize] = at as u32;
        }
        let mut matrix = nodes.matrix(&elimination);
        let mut core = Core {
            nodes: elimination.order.iter().map(|&i| nodes.node(i)).collect(),
            ..Core::default()
        };
        nodes.couple_early(&mut core, &mut matrix);
        nodes.couple_hubs(&mut core, &matrix);
        core.matrix = Arc::new(matrix);
        core
    }
}

/// The nodes of a core matrix: constraints, then hubs.
struct Nodes<'a> {
    graph: &'a Graph<'a>,
    constraints: Vec<u32>,
    /// Bodies that are not hubs, and those that are.
    early: Vec<u32>,
    hubs: Vec<u32>,
    /// By constraint and by body; `NONE` for what is no node.
    of_constraint: Vec<u32>,
    of_hub: Vec<u32>,
    /// Scalar rows of each node, and its place in the order.
    n_rows: Vec<u32>,
    place: Vec<u32>,
}

impl<'a> Nodes<'a> {
    fn new(graph: &'a Graph<'a>, constraints: Vec<u32>, hubs: Hubs) -> Self {
        let is_hub = |&b: &u32| {
            hubs == Hubs::Kept
                && graph.foldable(b)
                && graph.degree[b as usize] as usize > HUB_DEGREE
        };
        let bodies = (0..graph.n_bodies()).filter(|&b| !graph.body_done[b as usize]);
        let (hubs, early): (Vec<u32>, Vec<u32>) = bodies.partition(is_hub);
        let mut of_constraint = vec![NONE; graph.constraints.len()];
        let mut of_hub = vec![NONE; graph.n_bodies() as usize];
        for (i, &c) in constraints.iter().enumerate() {
            of_constraint[c as usize] = i as u32;
        }
        for (i, &b) in hubs.iter().enumerate() {
            of_hub[b as usize] = (constraints.len() + i) as u32;
        }
        let rows = constraints.iter().map(|&c| graph.n_rows(c));
        let n_rows: Vec<u32> = rows.chain(hubs.iter().map(|&b| graph.n_v(b))).collect();
        Self {
            graph,
            place: vec![0; n_rows.len()],
            constraints,
            early,
            hubs,
            of_constraint,
            of_hub,
            n_rows,
        }
    }

    fn node(&self, i: u32) -> CoreNode {
        match self.constraints.get(i as usize) {
            Some(&c) => CoreNode::Constraint(self.graph.constraints[c as usize]),
            None => CoreNode::Hub(self.hubs[i as usize - self.constraints.len()]),
        }
    }

    /// Constraints of a body that are nodes.
    fn open(&self, b: u32) -> impl Iterator<Item = u32> {
        let all = self.graph.at_body(b).iter().copied();
        all.filter(|&c| self.of_constraint[c as usize] != NONE)
    }

    /// Edges: constraints that share an early body; a hub and its constraints.
    fn neighbors(&self) -> Lists {
        let mut lists = Lists::with_room(self.n_rows.len());
        let node = |c: u32| self.of_constraint[c as usize];
        for &c in &self.constraints {
            lists.add(self.graph.at_constraint(c).iter().flat_map(|&b| {
                let hub = self.of_hub[b as usize];
                let is_early = hub == NONE;
                let shared = self.open(b).filter(move |_| is_early).map(node);
                shared.chain((!is_early).then_some(hub))
            }));
        }
        for &b in &self.hubs {
            lists.add(self.open(b).map(node));
        }
        lists
    }

    /// A constraint between hubs only has no pivot until one of them is gone.
    fn waits(&self) -> Waits {
        if self.hubs.is_empty() {
            return Waits::new();
        }
        let mut waits = vec![Vec::new(); self.constraints.len()];
        for &c in &self.constraints {
            let hubs = self.graph.at_constraint(c).iter();
            let hubs: Vec<u32> = hubs.map(|&b| self.of_hub[b as usize]).collect();
            if !hubs.contains(&NONE) {
                waits[self.of_constraint[c as usize] as usize] = hubs;
            }
        }
        waits
    }

    /// The locations of all blocks.
    fn matrix(&self, elimination: &Elimination) -> CoreMatrix {
        let mut matrix = CoreMatrix::default();
        let mut values = 0;
        for &node in &elimination.order {
            let rows = self.n_rows[node as usize];
            matrix.n_rows.push(rows);
            matrix.x0.push(matrix.n_x);
            matrix.diagonal.push(values);
            matrix.n_x += rows;
            values += rows * rows;
        }
        matrix.column.push(0);
        for (at, column) in elimination.columns().enumerate() {
            let start = matrix.block_row.len();
            let rows = column.iter().map(|&node| self.place[node as usize]);
            matrix.block_row.extend(rows);
            sort_indices(&mut matrix.block_row[start..]);
            for &row in &matrix.block_row[start..] {
                matrix.block.push(values);
                values += matrix.n_rows[row as usize] * matrix.n_rows[at];
            }
            matrix.column.push(matrix.block_row.len() as u32);
        }
        matrix.n_values = values;
        matrix.list_updates();
        matrix
    }

    /// The block of every two constraints of an early body.
    fn couple_early(&self, core: &mut Core, matrix: &mut CoreMatrix) {
        let mut places = Vec::new();
        for &b in &self.early {
            let first = core.early_constraints.len() as u32;
            let first_coupling = matrix.couplings.len() as u32;
            places.clear();
            for c in self.open(b) {
                let constraint = self.graph.constraints[c as usize];
                core.early_constraints.push(constraint);
                places.push(self.place[self.of_constraint[c as usize] as usize]);
            }
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
                has_children: self.graph.has_children[b as usize],
                constraints: (first, core.early_constraints.len() as u32),
                couplings: (first_coupling, matrix.couplings.len() as u32),
            });
        }
    }

    /// The block of every hub and each of its constraints.
    fn couple_hubs(&self, core: &mut Core, matrix: &CoreMatrix) {
        for &b in &self.hubs {
            core.hubs.push((b, self.graph.has_children[b as usize]));
            let hub_place = self.place[self.of_hub[b as usize] as usize];
            for c in self.open(b) {
                let place = self.place[self.of_constraint[c as usize] as usize];
                let constraint_is_first = hub_place > place;
                core.hub_edges.push(HubEdge {
                    hub: b,
                    constraint: self.graph.constraints[c as usize],
                    offset: matrix.find(hub_place.max(place), hub_place.min(place)),
                    constraint_is_first,
                });
            }
        }
    }
}

impl CoreMatrix {
    /// Eliminating a node updates the block of every two of its neighbors, `p > q`.
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
