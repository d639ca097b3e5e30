//! Entries: something with a type, and what it says.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};

use super::field::{Field, fields_schema};
use super::value::{Fields, Get, Value, refuse_foreign};
use crate::fault::{Fault, Under};
use crate::read::Record;
use crate::read::node::Node;
use crate::read::record::{define, unknown};

/// What all types of all sorts have.
#[derive(Clone, Copy)]
pub struct Type {
    /// What files call it.
    pub word: &'static str,
    /// Types are listed by rank; leave room.
    pub rank: u32,
    /// What people call it.
    pub label: &'static str,
    /// One line.
    pub help: &'static str,
    /// Its fields in the order in which they are written; groups are shared with other types.
    pub fields: &'static [&'static [Field]],
}

/// Types are equal by their words: within a sort these are unique.
impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

impl Type {
    /// A type that people call by its word.
    pub const fn new(
        rank: u32,
        word: &'static str,
        help: &'static str,
        fields: &'static [&'static [Field]],
    ) -> Self {
        Self {
            word,
            rank,
            label: word,
            help,
            fields,
        }
    }

    /// The same with what people call it.
    pub const fn called(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Whether it is listed before another.
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        (self.rank, self.word) < (other.rank, other.word)
    }

    /// Its fields, those of all entries of its sort not among them.
    pub fn own(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().copied().flatten()
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.own().flat_map(Field::names)
    }
}

/// A sort of things, such as joints.
pub struct Sort {
    /// What it is called.
    pub word: &'static str,
    /// One line.
    pub help: &'static str,
    /// What the schema calls its entries.
    pub entry: &'static str,
    /// Whether each has a name.
    pub named: bool,
    /// Fields that all types take, after their own.
    pub common: &'static [Field],
    /// All types by rank.
    pub types: fn() -> Vec<&'static Type>,
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

impl Sort {
    /// Reads an entry: its name, its type and what it says.
    pub(super) fn read(&self, node: &Node) -> Result<(String, &'static Type, Fields), Fault> {
        node.fields()?;
        let kind = self.kind(node)?;
        let mut name = String::new();
        if self.named {
            let own = node.get("name");
            let own = own.ok_or_else(|| Fault::at("", "has no \"name\""))?;
            name = String::read(own).under("name")?;
        }
        let common = || self.common.iter().flat_map(Field::names);
        let fields = || kind.own().chain(self.common);
        let old = || {
            fields()
                .map(|field| field.was)
                .filter(|was| !was.is_empty())
        };
        let own = || {
            self.head()
                .iter()
                .copied()
                .chain(kind.names())
                .chain(common())
        };
        let is_own = |key: &str| own().chain(old()).any(|own| own == key);
        if let Some((key, _)) = node.fields()?.iter().find(|(key, _)| !is_own(key)) {
            let types = (self.types)();
            let all = || types.iter().flat_map(|own| own.names());
            if !all().any(|own| *own == **key) {
                return Err(unknown("field", key, own()).under(key));
            }
            let takes: Vec<_> = kind.names().collect();
            return Err(refuse_foreign(kind, key, &takes));
        }
        let groups: Vec<_> = kind.fields.iter().copied().chain([self.common]).collect();
        Ok((name, kind, Fields::read(node, &groups, self.head())?))
    }

    /// What stands before the fields.
    fn head(&self) -> &'static [&'static str] {
        if self.named {
            &["name", "type"]
        } else {
            &["type"]
        }
    }

    fn kind(&self, node: &Node) -> Result<&'static Type, Fault> {
        let Some(own) = node.get("type") else {
            return Err(Fault::at("", "has no \"type\""));
        };
        let Some(word) = own.text() else {
            return Err(own.wrong("a string").under("type"));
        };
        let types = (self.types)();
        let found = types.iter().find(|kind| kind.word == word);
        found.copied().ok_or_else(|| {
            let words = types.iter().map(|kind| kind.word);
            unknown("type", word, words).under("type")
        })
    }

    /// The schema: all fields once, and of each type which it takes and which it must have.
    pub(super) fn schema(&self, definitions: &mut Map<String, Json>) -> Json {
        define(definitions, self.entry, &|definitions| {
            let types = (self.types)();
            let mut fields: Vec<Field> = Vec::new();
            for field in types.iter().flat_map(|own| own.own()).chain(self.common) {
                for name in field.names() {
                    if fields.iter().all(|own| own.name != name) {
                        let required = false;
                        fields.push(Field {
                            name,
                            required,
                            ..*field
                        });
                    }
                }
            }
            let mut schema = fields_schema(self.help, &fields, definitions);
            let words: Vec<_> = types.iter().map(|own| own.word).collect();
            schema["properties"]["type"] = json!({ "enum": words, "description": "What it is." });
            if self.named {
                schema["properties"]["name"] =
                    json!({ "type": "string", "description": "Its name." });
            }
            schema["required"] = json!(self.head());
            let common = || self.common.iter().flat_map(Field::names);
            let cases = types.iter().map(|kind| {
                let names = self.head().iter().copied().chain(kind.names()).chain(common());
                let names: Vec<_> = names.collect();
                let required: Vec<_> =
                    kind.own().filter(|own| own.required).map(|own| own.name).collect();
                json!({
                    "if": { "properties": { "type": { "const": kind.word } }, "required": ["type"] },
                    "then": {
                        "description": kind.help,
                        "propertyNames": { "enum": names },
                        "required": required,
                    }
                })
            });
            schema["allOf"] = cases.collect();
            schema
        })
    }
}

/// What the types of one sort have besides.
pub trait Law: Sized + 'static {
    /// The sort.
    fn sort() -> &'static Sort;
    /// All types by rank.
    fn all() -> &'static [&'static Self];
    /// What all types have.
    fn kind(&'static self) -> &'static Type;

    /// The type of this word.
    fn find(word: &str) -> Option<&'static Self> {
        let mut all = Self::all().iter().copied();
        all.find(|own| own.kind().word == word)
    }
}

/// Makes the files of a folder the types of a sort.
macro_rules! law {
    ($law:ident, $folder:literal, $sort:ident) => {
        include!(concat!(env!("OUT_DIR"), "/", $folder, ".rs"));

        impl $crate::catalogue::Law for $law {
            fn sort() -> &'static $crate::catalogue::Sort {
                &$sort
            }

            fn all() -> &'static [&'static Self] {
                static ALL: std::sync::LazyLock<Vec<&'static $law>> =
                    std::sync::LazyLock::new(|| {
                        // They are few, and put in one by one: a sort is 5 kB of the browser's module.
                        let mut all = FILES.to_vec();
                        for at in 1..all.len() {
                            let mut to = at;
                            while to > 0 && all[to].kind.is_before(&all[to - 1].kind) {
                                all.swap(to, to - 1);
                                to -= 1;
                            }
                        }
                        all
                    });
                &ALL
            }

            fn kind(&'static self) -> &'static $crate::catalogue::Type {
                &self.kind
            }
        }
    };
}
pub(crate) use law;

/// Something with a type.
pub struct Entry<L: Law> {
    /// Its name; empty where such things have none.
    pub name: String,
    /// What it is.
    pub kind: &'static L,
    /// What it says.
    pub fields: Fields,
}

impl<L: Law> Entry<L> {
    /// An entry of a type, with no name yet.
    pub fn new(kind: &'static L, fields: Fields) -> Self {
        Self {
            name: String::new(),
            kind,
            fields,
        }
    }

    /// The same, with its fields in the order of the catalogue.
    pub(crate) fn in_order(mut self) -> Self {
        let common = L::sort().common.iter().flat_map(Field::names);
        let names: Vec<_> = self.kind.kind().names().chain(common).collect();
        self.fields.sort_by(&names);
        self
    }

    /// What files call its type.
    pub fn word(&self) -> &'static str {
        self.kind.kind().word
    }

    /// What a field says, if it is said as something of that sort.
    pub fn get<'v, T: Get<'v>>(&'v self, name: &str) -> Option<T> {
        self.fields.value(name).and_then(|value| T::get(value).ok())
    }

    /// Says a field of its type, in place of what it said. Whether the value fits is seen when it is built.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<(), Fault> {
        let fields = || self.kind.kind().own().chain(L::sort().common);
        match fields().find(|own| own.name == name) {
            Some(field) => self.fields.set(field, value),
            None => return Err(unknown("field", name, fields().map(|own| own.name)).under(name)),
        }
        Ok(())
    }
}

impl<L: Law> Clone for Entry<L> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            kind: self.kind,
            fields: self.fields.clone(),
        }
    }
}

impl<L: Law> PartialEq for Entry<L> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.word() == other.word() && self.fields == other.fields
    }
}

impl<L: Law> fmt::Debug for Entry<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {:?}", self.word(), self.name, self.fields)
    }
}

impl<L: Law> Serialize for Entry<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = L::sort().named.then_some(self.name.as_str());
        write_entry(serializer, name, self.kind.kind(), &self.fields)
    }
}

pub(super) fn write_entry<S: Serializer>(
    serializer: S,
    name: Option<&str>,
    kind: &Type,
    fields: &Fields,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    if let Some(name) = name {
        map.serialize_entry("name", name)?;
    }
    map.serialize_entry("type", kind.word)?;
    fields.write(&mut map)?;
    map.end()
}

impl<L: Law> Record for Entry<L> {
    fn read(node: &Node) -> Result<Self, Fault> {
        let (name, kind, fields) = L::sort().read(node)?;
        match L::find(kind.word) {
            Some(kind) => Ok(Self { name, kind, fields }),
            None => Err(Fault::at("type", "is of another sort")),
        }
    }

    fn schema(definitions: &mut Map<String, Json>) -> Json {
        L::sort().schema(definitions)
    }
}
