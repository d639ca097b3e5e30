//! Parameters: named numbers at the head of a scene, and the texts that depend on them (`docs/parameters.md`).
//!
//! ```text
//!     file  →  tree with texts  →  tree with numbers  →  document  →  scene
//!                      ↑ evaluate: "=L/2 + 5mm" for given parameters
//! ```
//!
//! A scene in which numbers are texts keeps the tree it was built from (`Source`). What a parameter changes is what
//! differs between the scenes that the tree gives before and after; what an edit replaces is what differs between the
//! scene of the tree and the scene there is.

mod evaluate;
mod list;
mod start;
mod usage;
mod written;

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::read::{Node, Record};

pub(crate) use evaluate::{evaluated, has_texts};
pub use list::{Given, Parameter};
pub(crate) use list::{Known, check_name};
pub(crate) use start::{Start, at_start};
pub(crate) use usage::rewritten;
pub use usage::{FieldText, field_texts, uses};
pub(crate) use written::{merged, shape, tree_of, written};

/// The parameters of a scene, and what its entries were written as.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    list: Vec<Parameter>,
    source: Option<Arc<Source>>,
}

/// What a scene was built from, if numbers of it are texts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    /// The document: neither state nor hands.
    pub(crate) tree: Node,
    /// When bodies were where their entries say, s.
    pub(crate) time: f64,
}

impl Parameters {
    /// All, in the order of the file.
    pub fn list(&self) -> &[Parameter] {
        &self.list
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The parameter of this name.
    pub fn find(&self, name: &str) -> Option<&Parameter> {
        self.list.iter().find(|own| own.name == name)
    }

    /// What the scene was built from, if some of its numbers are texts.
    pub(crate) fn source(&self) -> Option<&Source> {
        self.source.as_deref()
    }

    /// The same, if bodies were where their entries say at this time.
    pub(crate) fn started(mut self, time: f64) -> Self {
        if let Some(source) = &mut self.source {
            Arc::make_mut(source).time = time;
        }
        self
    }

    /// The parameters of a tree, and the tree; without it where nothing depends on it.
    pub(crate) fn of(tree: &Node, time: f64) -> Result<Self, Fault> {
        let list = match tree.get("parameters") {
            Some(own) => {
                Self::read(own)
                    .map_err(|fault| fault.under("parameters"))?
                    .list
            }
            None => Vec::new(),
        };
        let is_needed = !list.is_empty() || has_texts(tree);
        let source = is_needed.then(|| {
            let mut tree = tree.clone();
            tree.retain(&|key| !matches!(key, "state" | "hands" | "linkwork" | "$schema"));
            Arc::new(Source { tree, time })
        });
        Ok(Self { list, source })
    }

    /// Refuses the name of something else.
    pub(crate) fn check_free(&self, what: &str, name: &str) -> Result<(), Fault> {
        match self.find(name) {
            None => Ok(()),
            Some(_) => {
                let problem = format!("\"{name}\" is the name of a parameter");
                let hint = format!(
                    "the name would be ambiguous in formulas; choose another one for the {what}"
                );
                Err(Fault::at("name", problem).hint(hint))
            }
        }
    }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.list.iter().map(|own| (&own.name, own)))
    }
}

impl Record for Parameters {
    fn read(node: &Node) -> Result<Self, Fault> {
        list::read(node).map(|list| Self { list, source: None })
    }

    fn left_out() -> Option<Self> {
        Some(Self::default())
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "object", "additionalProperties": Parameter::schema(definitions) })
    }
}
