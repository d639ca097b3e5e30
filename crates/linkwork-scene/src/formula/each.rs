//! Names that have another meaning in each row of a table: its columns, and numbers that each row has of its own.

use std::sync::Arc;

use linkwork::constraint::MAX_ROWS;
use linkwork::shape::{Domain, Parameters, ShapeMap, ShapeMotion};

use crate::format::TableEntry;

/// What a formula knows beside the names of its scene while it goes through a table.
pub(super) struct Each {
    pub(super) table: Arc<TableEntry>,
    /// The names of numbers that each row has of its own, and their inputs, once they were asked for.
    pub(super) free: Vec<(String, Option<u16>)>,
    /// Columns that were asked for, and their inputs.
    pub(super) columns: Vec<(usize, u16)>,
    /// Points of curves and surfaces at places that are columns or free numbers.
    pub(super) along: Vec<Along>,
}

/// A point of a curve or of a surface at a place that differs from row to row.
#[derive(Clone, Debug)]
pub(super) struct Along {
    pub(super) map: Arc<dyn ShapeMap>,
    /// Which connector has all numbers of the curve, and the input of the first.
    pub(super) connector: usize,
    pub(super) numbers: u16,
    /// The inputs that say where.
    pub(super) at: Vec<u16>,
    /// The input of the point's first coordinate.
    pub(super) point: u16,
}

impl Along {
    /// Where its point is asked for, among the inputs of the tape, and how that place moves.
    pub(super) fn motion<'x>(&self, x: &'x [f64], u_dot: Parameters) -> ShapeMotion<'x> {
        const STILL: [f64; MAX_ROWS] = [0.0; MAX_ROWS];
        let (first, n) = (usize::from(self.numbers), self.map.n_numbers());
        let mut u = [0.0; 3];
        for (u, input) in u.iter_mut().zip(&self.at) {
            *u = x[usize::from(*input)];
        }
        ShapeMotion {
            u,
            u_dot,
            q: &x[first..first + n],
            v: &STILL[..n],
        }
    }
}

impl Each {
    pub(super) fn of(table: Arc<TableEntry>, free: &[String]) -> Self {
        Self {
            table,
            free: free.iter().map(|own| (own.clone(), None)).collect(),
            columns: Vec::new(),
            along: Vec::new(),
        }
    }

    /// The column of a name: `x`, or `data.x`.
    pub(super) fn column(&self, path: &[&str]) -> Option<usize> {
        let name = match path {
            [name] => name,
            [table, name] if **table == *self.table.name => name,
            _ => return None,
        };
        self.table.columns.iter().position(|own| own == name)
    }

    /// The inputs of coordinates of points of curves and surfaces.
    pub(super) fn points(&self) -> impl Iterator<Item = u16> {
        let along = self.along.iter();
        along.flat_map(|own| own.point..own.point + own.map.dimension() as u16)
    }

    /// Whether an input differs from row to row.
    pub(super) fn is_own(&self, input: u16) -> bool {
        let mut columns = self.columns.iter();
        let mut free = self.free.iter();
        free.any(|own| own.1 == Some(input)) || columns.any(|own| own.1 == input)
    }

    /// The range of the curve or surface on which an input says where, and in how many parts it falls.
    pub(super) fn domain(&self, input: u16) -> Option<(Domain, usize)> {
        self.along.iter().find_map(|own| {
            let at = own.at.iter().position(|at| *at == input)?;
            Some((*own.map.domains().get(at)?, own.map.n_parts()))
        })
    }
}
