//! Names that have another meaning in each row of a table: its columns, and numbers that each row has of its own.

use std::sync::Arc;

use linkwork::shape::{Domain, ShapeMap};

use crate::format::TableEntry;

/// What a formula knows beside the names of its scene while it goes through a table.
pub(super) struct Each {
    pub(super) table: Arc<TableEntry>,
    /// The name of the number that each row has of its own.
    pub(super) free: Option<String>,
    /// Columns that were asked for, and their inputs.
    pub(super) columns: Vec<(usize, u16)>,
    /// The input of the free number, once it was asked for.
    pub(super) free_input: Option<u16>,
    /// Points of curves at a place that is a column or the free number.
    pub(super) along: Vec<Along>,
}

/// A point of a curve at a place that differs from row to row.
#[derive(Clone, Debug)]
pub(super) struct Along {
    pub(super) map: Arc<dyn ShapeMap>,
    /// Which connector has all numbers of the curve, and the input of the first.
    pub(super) connector: usize,
    pub(super) numbers: u16,
    /// The input that says where.
    pub(super) at: u16,
    /// The input of the point's first coordinate.
    pub(super) point: u16,
}

impl Each {
    pub(super) fn of(table: Arc<TableEntry>, free: Option<String>) -> Self {
        Self {
            table,
            free,
            columns: Vec::new(),
            free_input: None,
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

    /// Whether an input differs from row to row.
    pub(super) fn is_own(&self, input: u16) -> bool {
        self.free_input == Some(input) || self.columns.iter().any(|own| own.1 == input)
    }

    /// The range of the curve on which the free number says where.
    pub(super) fn domain(&self) -> Option<Domain> {
        let mut along = self.along.iter();
        let own = along.find(|own| Some(own.at) == self.free_input)?;
        own.map.domains().first().copied()
    }
}
