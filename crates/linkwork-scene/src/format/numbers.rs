//! A number or a list of numbers.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::read::Record;
use crate::read::node::{Node, Tree};

/// One number, or several in a list: `0.5` or `[0.1, 0.2]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers(pub Vec<f64>);

impl From<&[f64]> for Numbers {
    fn from(numbers: &[f64]) -> Self {
        Self(numbers.to_vec())
    }
}

impl<const N: usize> From<[f64; N]> for Numbers {
    fn from(numbers: [f64; N]) -> Self {
        Self(numbers.to_vec())
    }
}

impl From<f64> for Numbers {
    fn from(number: f64) -> Self {
        Self(vec![number])
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }
}

impl Record for Numbers {
    fn read(node: &Node) -> Result<Self, Fault> {
        match &node.tree {
            Tree::Number(_) | Tree::Computed(_) => f64::read(node).map(Self::from),
            Tree::List(_) => Vec::read(node).map(Self),
            _ => Err(node.wrong("a number or a list of numbers")),
        }
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        let list = json!({ "type": "array", "items": f64::schema(definitions) });
        json!({ "anyOf": [f64::schema(definitions), list] })
    }
}

/// A list that must have a certain length.
pub(crate) fn exactly<const N: usize>(field: &str, numbers: &[f64]) -> Result<[f64; N], Fault> {
    numbers.try_into().map_err(|_| {
        let problem = format!("has {} numbers", numbers.len());
        Fault::at(field, problem).hint(format!("give {N}"))
    })
}
