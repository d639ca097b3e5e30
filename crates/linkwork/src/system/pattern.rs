//! Patterned blocks of the mass: their entries, the storage of each number, and the order of elimination.
//!
//! A body has the pattern of its own mass. Strains add `w·SᵀS` and absorbed rows `Jᵀ·C⁻¹·J`: a dense block over
//! the columns of each. All of it is known at compile time, so that fill and factor need no searches.

use std::sync::Arc;

use super::compile::Builder;
use super::numbers::{MassBlock, System};
use crate::body::{Body, MassKind, MassPattern};
use crate::linalg::sparse::Sparse;
use crate::topology::{NONE, minimum_degree};

/// A strain or an absorbed row with more columns than this would make a pattern dense.
pub(super) const MAX_COLUMNS: usize = 64;

/// The layout of a patterned block.
#[derive(Debug, Default)]
pub(crate) struct Pattern {
    /// Pattern of the block with everything that is added to it.
    pub(crate) sparse: Sparse,
    /// Position of each number that the body writes.
    own: Vec<u32>,
    /// Whether the body writes the diagonal, in its order, and nothing else.
    is_diagonal: bool,
}

impl Pattern {
    /// Numbers in `System::mass`: the values, then what the body writes.
    fn n_storage(&self) -> usize {
        self.sparse.n_values() + self.own.len()
    }

    /// The numbers of the body, if they are the diagonal.
    pub(crate) fn diagonal<'s>(&self, storage: &'s [f64]) -> Option<&'s [f64]> {
        let own = &storage[self.sparse.n_values()..][..self.own.len()];
        self.is_diagonal.then_some(own)
    }

    /// Lets the body write its numbers, and scatters them. `storage` is the block's part of `System::mass`;
    /// with `is_own` nothing was added since the last fill, and zeros need not be cleared.
    pub(super) fn fill(&self, storage: &mut [f64], is_own: bool, write: impl FnOnce(&mut [f64])) {
        let (values, own) = storage.split_at_mut(self.sparse.n_values());
        let own = &mut own[..self.own.len()];
        write(own);
        if !is_own {
            values.fill(0.0);
        }
        for (&at, number) in self.own.iter().zip(own) {
            values[at as usize] = *number;
        }
    }
}

/// The pattern of a body's own mass, if its block is patterned.
pub(super) fn pattern_of(body: &dyn Body, foldable: bool) -> Option<Arc<MassPattern>> {
    match body.mass_kind() {
        MassKind::Patterned(pattern) => Some(pattern),
        MassKind::Diagonal if !foldable && body.n_strains() > 0 => {
            let is_sparse = |i| {
                let columns = body.strain_columns(i);
                columns.is_some_and(|columns| columns.len() <= MAX_COLUMNS)
            };
            let n = body.n_v();
            let diagonal = MassPattern::new(n, (0..n as u32).map(|i| (i, i))).ok()?;
            (0..body.n_strains())
                .all(is_sparse)
                .then(|| Arc::new(diagonal))
        }
        _ => None,
    }
}

impl Builder<'_> {
    /// Lays out all patterned blocks, once all that is added to them is known.
    pub(super) fn patterns(&mut self, system: &mut System) {
        let sources = std::mem::take(&mut self.patterned);
        for (body, source) in sources {
            let n = system.bodies[body as usize].n_v as usize;
            let mut entries = source.entries().to_vec();
            let mut last: &[u32] = &[];
            for strain in system.strains.iter().filter(|strain| strain.body == body) {
                let columns = &system.columns[strain.columns as usize..][..strain.n as usize];
                if columns != last {
                    add_clique(columns, &mut entries);
                }
                last = columns;
            }
            for &(c, _) in self.absorbable.iter().filter(|(_, of)| *of == body) {
                if self.layout.incidence.constraints[c].absorbed
                    && let (_, Some(columns)) = system.rows_of_one(c as u32)
                {
                    add_clique(columns, &mut entries);
                }
            }
            let order = match source.order() {
                Some(order) => order.to_vec(),
                None => minimum_degree(n, &entries),
            };
            let sparse = Sparse::new(n, &entries, order);
            let mut own = Vec::with_capacity(source.entries().len());
            for &(i, j) in source.entries() {
                own.push(sparse.position(i, j).unwrap_or(NONE));
            }
            let mut last: (&[u32], u32) = (&[], NONE);
            for strain in system.strains.iter_mut().filter(|own| own.body == body) {
                let columns = &system.columns[strain.columns as usize..][..strain.n as usize];
                if columns != last.0 {
                    last = (columns, system.positions.len() as u32);
                    sparse.positions(columns, &mut system.positions);
                }
                strain.positions = last.1;
            }
            let entries = source.entries().iter().enumerate();
            let is_diagonal = source.entries().len() == n && { entries }
                .all(|(k, &(i, j))| (i, j) == (k as u32, k as u32));
            let pattern = Arc::new(Pattern {
                sparse,
                own,
                is_diagonal,
            });
            system.bodies[body as usize].mass = MassBlock::Patterned {
                pattern: system.patterns.len() as u32,
                offset: system.mass.len() as u32,
            };
            system
                .mass
                .resize(system.mass.len() + pattern.n_storage(), 0.0);
            system.patterns.push(pattern);
        }
    }
}

/// All pairs of some columns.
fn add_clique(columns: &[u32], entries: &mut Vec<(u32, u32)>) {
    for (a, &i) in columns.iter().enumerate() {
        entries.extend(columns[..a].iter().map(|&j| (i, j)));
    }
}
