//! Tables: data in columns with names.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::read::Record;
use crate::read::node::{Node, Tree};
use crate::read::record::record;

record! {
    /// Data in columns with names, which joints of type "formula" and "points" go through row by row ("for").
    #[derive(Default)]
    pub struct TableEntry {
        /// Its name.
        pub name: String,
        /// What its columns are called.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub columns: Vec<String>,
        /// A list of numbers for each row; null is a gap, and rows with gaps are passed over.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub rows: Vec<Vec<Cell>>,
        /// A file beside the scene, in place of columns and rows. CSV: a line of names (`x` or `x [mm]`), then a line
        /// for each row. Points: TRC, PLY or XYZ. It is read when the scene is; a scene that is saved has its rows.
        pub file: Option<String>,
    }
}

/// A number of a table, or a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell(pub Option<f64>);

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Record for Cell {
    fn read(node: &Node) -> Result<Self, Fault> {
        match node.tree {
            Tree::Null => Ok(Self(None)),
            _ => f64::read(node).map(|number| Self(Some(number))),
        }
    }

    fn schema(_: &mut Map<String, Value>) -> Value {
        json!({ "type": ["number", "string", "null"], "pattern": "^=" })
    }
}
