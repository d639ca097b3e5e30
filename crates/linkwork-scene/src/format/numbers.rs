//! A number or a list of numbers.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumbersVisitor)
    }
}

struct NumbersVisitor;

impl<'de> Visitor<'de> for NumbersVisitor {
    type Value = Numbers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Numbers, E> {
        Ok(number.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Numbers, E> {
        Ok((number as f64).into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Numbers, E> {
        Ok((number as f64).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Numbers, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element()? {
            numbers.push(number);
        }
        Ok(Numbers(numbers))
    }
}

impl JsonSchema for Numbers {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "number" },
                { "type": "array", "items": { "type": "number" } }
            ]
        })
    }
}
