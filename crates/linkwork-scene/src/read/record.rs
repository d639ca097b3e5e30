//! What a file says, as types: how each is read from a tree, and its part of the schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::node::{Node, Tree};
use crate::export::number_text;
use crate::fault::{Fault, Under, meant};

/// Something that is read from a tree, with the path of what is wrong.
pub trait Record: Sized {
    /// Reads it.
    fn read(node: &Node) -> Result<Self, Fault>;

    /// What it is where it is left out; none if it must be there.
    fn left_out() -> Option<Self> {
        None
    }

    /// Its JSON Schema; definitions that it refers to are added.
    fn schema(definitions: &mut Map<String, Value>) -> Value;
}

/// Declares a struct that is read from an object, one field after the other. Fields that are optional, or
/// marked `#[serde(default …)]`, may be left out; fields that are not listed are refused.
macro_rules! record {
    (
        $(#[doc = $about:literal])+
        $(#[derive($derive:ident)])?
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[serde(rename = $rename:literal)])?
                $(#[serde(alias = $was:literal)])?
                $(#[serde(default $($default:tt)*)])?
                pub $field:ident: $type:ty,
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[serde_with::skip_serializing_none]
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        $(#[derive($derive)])?
        $visibility struct $name {
            $(
                $(#[doc = $help])+
                $(#[serde(rename = $rename)])?
                $(#[serde(default $($default)*)])?
                pub $field: $type,
            )*
        }

        impl $crate::read::Record for $name {
            fn read(node: &$crate::read::Node) -> Result<Self, $crate::Fault> {
                const NAMES: &[&str] = &[$($crate::read::record::record!(@name $field $($rename)?), $($was,)?)*];
                $crate::read::record::check_names(node, NAMES)?;
                Ok(Self {
                    $($field: $crate::read::record::field(
                        node,
                        &[$crate::read::record::record!(@name $field $($rename)?) $(, $was)?],
                        $crate::read::record::record!(@left_out $type $(, default $($default)*)?),
                    )?,)*
                })
            }

            fn schema(
                definitions: &mut serde_json::Map<String, serde_json::Value>,
            ) -> serde_json::Value {
                $crate::read::record::define(definitions, stringify!($name), &|definitions| {
                    let fields = [$((
                        $crate::read::record::record!(@name $field $($rename)?),
                        concat!($($help),+),
                        $crate::read::record::record!(@left_out $type $(, default $($default)*)?)().is_none(),
                        <$type as $crate::read::Record>::schema(definitions),
                    )),*];
                    $crate::read::record::object(concat!($($about),+), fields)
                })
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $rename:literal) => { $rename };
    (@left_out $type:ty) => { <$type as $crate::read::Record>::left_out };
    (@left_out $type:ty, default $($rest:tt)*) => { || Some(<$type>::default()) };
}
pub(crate) use record;

/// Refuses fields of an object that are not known; what is not an object too.
pub fn check_names(node: &Node, known: &[&str]) -> Result<(), Fault> {
    match node
        .fields()?
        .iter()
        .find(|(key, _)| !known.contains(&&**key))
    {
        Some((key, _)) => Err(unknown("field", key, known.iter().copied()).under(key)),
        None => Ok(()),
    }
}

/// Of the former name of a field that is given under its present name, too.
pub(crate) fn given_beside(name: &str) -> String {
    format!("is given beside \"{name}\", its new name")
}

/// One field of an object under one of its names, or what it is where it is left out: [`Record::left_out`], or another.
pub fn field<T: Record>(
    node: &Node,
    names: &[&str],
    left_out: fn() -> Option<T>,
) -> Result<T, Fault> {
    let mut given = names
        .iter()
        .filter_map(|name| Some((name, node.get(name)?)));
    if let Some((name, own)) = given.next() {
        if let Some((old, _)) = given.next() {
            return Err(Fault::at(*old, given_beside(name)));
        }
        return T::read(own).under(name);
    }
    left_out().ok_or_else(|| Fault::at("", format!("has no \"{}\"", names[0])))
}

/// Adds a definition once, and refers to it.
pub(crate) fn define(
    definitions: &mut Map<String, Value>,
    name: &str,
    make: &dyn Fn(&mut Map<String, Value>) -> Value,
) -> Value {
    if !definitions.contains_key(name) {
        definitions.insert(name.to_owned(), Value::Null);
        let definition = make(definitions);
        definitions.insert(name.to_owned(), definition);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The schema of an object: of each field its name, help, whether it is required, and its schema.
pub(crate) fn object(
    about: &str,
    fields: impl IntoIterator<Item = (&'static str, &'static str, bool, Value)>,
) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, help, is_required, mut schema) in fields {
        schema["description"] = json!(help.trim());
        properties.insert(name.to_owned(), schema);
        required.extend(is_required.then_some(name));
    }
    json!({
        "type": "object",
        "description": about.trim(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Words of other programs, and ours for the same.
const SAME: &[(&str, &str)] = &[
    ("bar", "rod"),
    ("beam", "rod"),
    ("link", "rod"),
    ("block", "box"),
    ("cuboid", "box"),
    ("plate", "box"),
    ("point", "particle"),
    ("wheel", "disc"),
    ("disk", "disc"),
    ("revolute", "hinge"),
    ("pin", "hinge"),
    ("pivot", "hinge"),
    ("spherical", "ball"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("fixed", "weld"),
    ("rope", "distance"),
    ("actuator", "motor"),
    ("anchor", "at"),
    ("speed", "rate"),
    ("origin", "position"),
    ("rotation", "quaternion"),
    ("timestep", "dt"),
    ("time_step", "dt"),
    ("points", "keyframes"),
    ("keys", "keyframes"),
    ("knots", "keyframes"),
];

/// A word that is not among those known, and what was probably meant, or all that there is.
pub(crate) fn unknown<'k>(
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Fault {
    let known: Vec<&str> = known.into_iter().collect();
    let same = SAME.iter().find(|(theirs, _)| *theirs == word);
    let hint = match same.filter(|(_, ours)| known.contains(ours)) {
        Some((_, ours)) => format!("here it is called \"{ours}\""),
        None => meant(word, known.iter().copied())
            .unwrap_or_else(|| format!("there is {}", known.join(", "))),
    };
    Fault::at("", format!("there is no {what} \"{word}\"")).hint(hint)
}

/// A whole number up to a largest one.
pub(crate) fn whole(node: &Node, most: u64) -> Result<u64, Fault> {
    match node.number().transpose()? {
        Some(number) if number >= 0.0 && number.fract() == 0.0 && number <= most as f64 => {
            Ok(number as u64)
        }
        // Largest ones that people meet are small; others are those of the machine.
        Some(number) if number.fract() == 0.0 && number > most as f64 && most < 1 << 16 => {
            let number = number_text(number);
            Err(Fault::at("", format!("is {number}; give at most {most}")))
        }
        Some(number) if node.text().is_some() => {
            let problem =
                format!("evaluates to {number}, but must be a whole number, not negative");
            Err(Fault::at("", problem).hint("use floor(x), ceil(x) or round(x)"))
        }
        _ => Err(node.wrong("a whole number, not negative")),
    }
}

impl Record for f64 {
    fn read(node: &Node) -> Result<Self, Fault> {
        match (node.number().transpose()?, &node.tree) {
            (Some(number), _) if number.is_finite() => Ok(number),
            (_, Tree::Text(_)) => Err(node
                .wrong("a number")
                .hint("give a bare number in SI units (10 mm is 0.01), or a text that begins with =: \"=10mm\"")),
            _ => Err(node.wrong("a number")),
        }
    }

    fn schema(_: &mut Map<String, Value>) -> Value {
        json!({ "type": ["number", "string"], "pattern": "^=" })
    }
}

macro_rules! counts {
    ($($type:ty)*) => {$(
        impl Record for $type {
            fn read(node: &Node) -> Result<Self, Fault> {
                Ok(whole(node, <$type>::MAX as u64)? as $type)
            }

            fn schema(_: &mut Map<String, Value>) -> Value {
                json!({ "type": ["integer", "string"], "minimum": 0, "pattern": "^=" })
            }
        }
    )*};
}
counts!(u8 u32 u64 usize);

impl Record for bool {
    fn read(node: &Node) -> Result<Self, Fault> {
        match node.tree {
            Tree::Flag(flag) => Ok(flag),
            _ => Err(node.wrong("true or false")),
        }
    }

    fn schema(_: &mut Map<String, Value>) -> Value {
        json!({ "type": "boolean" })
    }
}

impl Record for String {
    fn read(node: &Node) -> Result<Self, Fault> {
        match node.text() {
            Some(text) => Ok(text.to_owned()),
            None => Err(node.wrong("a string")),
        }
    }

    fn schema(_: &mut Map<String, Value>) -> Value {
        json!({ "type": "string" })
    }
}

impl<T: Record> Record for Option<T> {
    fn read(node: &Node) -> Result<Self, Fault> {
        T::read(node).map(Some)
    }

    fn left_out() -> Option<Self> {
        Some(None)
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        T::schema(definitions)
    }
}

impl<T: Record> Record for Box<T> {
    fn read(node: &Node) -> Result<Self, Fault> {
        T::read(node).map(Self::new)
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        T::schema(definitions)
    }
}

impl<T: Record> Record for Vec<T> {
    fn read(node: &Node) -> Result<Self, Fault> {
        let entries = node.entries()?.iter().enumerate();
        entries
            .map(|(at, own)| T::read(own).under(&format!("[{at}]")))
            .collect()
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "array", "items": T::schema(definitions) })
    }
}

impl<T: Record, const N: usize> Record for [T; N] {
    fn read(node: &Node) -> Result<Self, Fault> {
        let wanted = format!("a list of {N}");
        let Tree::List(entries) = &node.tree else {
            return Err(node.wrong(&wanted));
        };
        let n = entries.len();
        match Vec::read(node)?.try_into() {
            Ok(list) => Ok(list),
            Err(_) if n > N => Err(Fault::at("", "has too many numbers")
                .hint("numbers have a point, not a comma: 9.81")),
            Err(_) => Err(Fault::at(
                "",
                format!("is a list of {n}, but must be {wanted}"),
            )),
        }
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "array", "items": T::schema(definitions), "minItems": N, "maxItems": N })
    }
}

impl<T: Record> Record for BTreeMap<String, T> {
    fn read(node: &Node) -> Result<Self, Fault> {
        let mut all = Self::new();
        for (key, own) in node.fields()? {
            all.insert(key.to_string(), T::read(own).under(key)?);
        }
        Ok(all)
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "object", "additionalProperties": T::schema(definitions) })
    }
}
