//! What an entry says: values by field.

use linkwork::math::Vec3;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::entry::{Law, Type, write_entry};
use super::field::{Field, Form};
use crate::fault::{Fault, Under, meant};
use crate::format::{BodyView, ConnectorRef};
use crate::read::Node;
use crate::read::record::{check_names, given_beside};

/// What a field says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Count(u64),
    /// True or false.
    Flag(bool),
    /// A text or a word.
    Text(String),
    /// Several words.
    Texts(Vec<String>),
    /// Numbers.
    List(Vec<f64>),
    /// Points.
    Points(Vec<Vec3>),
    /// Indices of corners.
    Triangles(Vec<[u32; 3]>),
    /// Lists of numbers.
    Rows(Vec<Vec<f64>>),
    /// Something with a type.
    Entry(&'static Type, Fields),
    /// Several of them.
    Entries(Vec<(&'static Type, Fields)>),
    /// A place on a body.
    Connector(ConnectorRef),
    /// Several of them.
    Connectors(Vec<ConnectorRef>),
    /// An object.
    Fields(Fields),
    /// Hints for viewers.
    View(Box<BodyView>),
}

/// Values by field, in the order of the catalogue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    /// Reads an object whose fields are those of the groups, after those of the `head`.
    pub(super) fn read(
        node: &Node,
        groups: &[&[Field]],
        head: &[&'static str],
    ) -> Result<Self, Fault> {
        let fields = || groups.iter().copied().flatten();
        let names: Vec<_> = head
            .iter()
            .copied()
            .chain(fields().flat_map(Field::read_names).map(|(word, _)| word))
            .collect();
        check_names(node, &names)?;
        let mut own = Self::default();
        for field in fields() {
            for (word, name) in field.read_names() {
                if let Some(node) = node.get(word) {
                    if word != name && own.has(field) {
                        return Err(Fault::at(word, given_beside(name)));
                    }
                    let value = field.read(node).under(word)?;
                    own.0.push((name, value));
                }
            }
            if field.required && !own.has(field) {
                return Err(field.missing());
            }
        }
        Ok(own)
    }

    /// Fields that say these, one after the other.
    pub(super) fn of<const N: usize>(
        fields: [Field; N],
        values: impl IntoIterator<Item = impl Into<Value>>,
    ) -> Self {
        let pairs = fields.into_iter().zip(values);
        pairs.fold(Self::default(), |own, (field, value)| {
            own.with(&field, value)
        })
    }

    /// The same with one more.
    pub fn with(mut self, field: &Field, value: impl Into<Value>) -> Self {
        self.set(field, value);
        self
    }

    /// The same with one more, if there is one.
    pub fn with_some(self, field: &Field, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(field, value),
            None => self,
        }
    }

    /// The same with one more, unless it is what it is when it is left out.
    pub fn unless<T: Into<Value> + PartialEq>(self, field: &Field, value: T, left_out: T) -> Self {
        match value == left_out {
            true => self,
            false => self.with(field, value),
        }
    }

    /// The same, and what others say.
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Says a field, in place of what it said.
    pub fn set(&mut self, field: &Field, value: impl Into<Value>) {
        let value = value.into();
        match self.0.iter_mut().find(|(name, _)| *name == field.name) {
            Some(own) => own.1 = value,
            None => self.0.push((field.name, value)),
        }
    }

    /// Takes what a field says out.
    pub(crate) fn take(&mut self, field: &Field) -> Option<Value> {
        let at = self.0.iter().position(|(name, _)| *name == field.name)?;
        Some(self.0.remove(at).1)
    }

    /// Keeps what the fields of these names say.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| is_kept(name));
    }

    /// How many are said.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts what is said into the order of these names.
    pub(super) fn sort_by(&mut self, names: &[&str]) {
        // There are few, and they are taken one by one: a sort is 5 kB of the browser's module.
        let mut sorted = Vec::with_capacity(self.0.len());
        for name in names {
            if let Some(at) = self.0.iter().position(|(own, _)| own == name) {
                sorted.push(self.0.remove(at));
            }
        }
        self.0.append(&mut sorted);
    }

    /// Whether a field is said, in any of its units.
    pub fn has(&self, field: &Field) -> bool {
        field.names().any(|name| self.value(name).is_some())
    }

    /// What the field of this name says.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let own = self.0.iter().find(|(own, _)| *own == name);
        own.map(|(_, value)| value)
    }

    /// All that is said, to be changed.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The numbers of a field, to be changed; none if it has none.
    pub(super) fn numbers_mut(&mut self, field: &Field) -> &mut [f64] {
        let mut own = self.0.iter_mut().filter(|(name, _)| *name == field.name);
        match own.next() {
            Some((_, Value::Number(number))) => std::slice::from_mut(number),
            Some((_, Value::List(numbers))) => numbers,
            Some((_, Value::Points(points))) => points.as_flattened_mut(),
            _ => &mut [],
        }
    }

    /// What a field says, if it is said.
    pub fn get<'v, T: Get<'v>>(&'v self, field: &Field) -> Result<Option<T>, Fault> {
        match self.value(field.name) {
            None => Ok(None),
            Some(value) => T::get(value).map(Some).under(field.name),
        }
    }

    /// What a field says, or what it is when it is left out.
    pub fn or<'v, T: Get<'v>>(&'v self, field: &Field, left_out: T) -> Result<T, Fault> {
        Ok(self.get(field)?.unwrap_or(left_out))
    }

    /// What a field says that must be there.
    pub fn need<'v, T: Get<'v>>(&'v self, field: &Field) -> Result<T, Fault> {
        self.get(field)?.ok_or_else(|| field.missing())
    }

    /// What a field says, or what it is when it is left out; in radians.
    pub fn own<T: for<'v> Get<'v>>(&self, field: &Field) -> Result<T, Fault> {
        let said = match self.angle(field)? {
            Some(angle) => Some(T::get(&angle).under(field.name)?),
            None => None,
        };
        let left_out = || field.left_out().and_then(|value| T::get(&value).ok());
        said.or_else(left_out).ok_or_else(|| field.missing())
    }

    /// What a field says; of an angle, in radians, by either of its names, not by both.
    fn angle(&self, field: &Field) -> Result<Option<Value>, Fault> {
        let said = self.value(field.name);
        let (Form::Angle(name) | Form::Span(name)) = field.form else {
            return Ok(said.cloned());
        };
        match (said, self.value(name)) {
            (Some(_), Some(_)) => {
                let problem = format!("is given as \"{}\" too", field.name);
                Err(Fault::at(name, problem).hint("give one of the two"))
            }
            (None, Some(Value::Number(degrees))) => Ok(Some(degrees.to_radians().into())),
            (None, Some(Value::List(degrees))) => {
                let radians = degrees.iter().map(|own| own.to_radians());
                Ok(Some(radians.collect::<Vec<f64>>().into()))
            }
            (radians, _) => Ok(radians.cloned()),
        }
    }

    /// The name under which a field is said: of an angle, maybe that of its degrees.
    pub(crate) fn said(&self, field: &Field) -> &'static str {
        let mut names = field.names();
        let said = names.find(|name| self.value(name).is_some());
        said.unwrap_or(field.name)
    }

    /// An angle in radians, if it is said.
    pub fn get_angle(&self, field: &Field) -> Result<Option<f64>, Fault> {
        self.angle(field)?.map(|angle| f64::get(&angle)).transpose()
    }

    /// A lower and an upper limit, in radians if they are angles, if they are said.
    pub fn get_span(&self, field: &Field) -> Result<Option<[f64; 2]>, Fault> {
        let Some(Value::List(own)) = self.angle(field)? else {
            return Ok(None);
        };
        let at = |problem: &str| Fault::at(self.said(field), problem);
        match own[..] {
            [f64::NEG_INFINITY, f64::INFINITY] => Err(at("limits nothing").hint("leave it out")),
            [lower, upper] if lower > upper => {
                let hint = "give the lower limit first";
                Err(at("has a lower limit above the upper one").hint(hint))
            }
            [lower, upper] => Ok(Some([lower, upper])),
            _ => Ok(None),
        }
    }

    /// What a field with a type of its own says.
    pub fn entry<L: Law>(&self, field: &Field) -> Option<(&'static L, &Self)> {
        match self.value(field.name)? {
            Value::Entry(kind, fields) => Some((L::find(kind.word)?, fields)),
            _ => None,
        }
    }

    /// What is made of such a field, which must be there.
    pub(crate) fn need_made<L: Law, T>(
        &self,
        field: &Field,
        make: impl Fn(&'static L, &Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (law, fields) = self.entry(field).ok_or_else(|| field.missing())?;
        make(law, fields).under(field.name)
    }

    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0
            .iter()
            .try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}

/// Fields that do not belong to a type, in the order of the text.
pub(super) fn refuse_foreign(kind: &Type, field: &str, takes: &[&'static str]) -> Fault {
    let problem = format!("does not belong to the type \"{}\"", kind.word);
    let hint = meant(field, takes.iter().copied());
    let hint = hint.unwrap_or_else(|| match takes.is_empty() {
        true => format!("\"{}\" takes nothing else", kind.word),
        false => format!("\"{}\" takes {}", kind.word, takes.join(", ")),
    });
    Fault::at(field, problem).hint(hint)
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write(&mut map)?;
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(own) => own.serialize(serializer),
            Self::Count(own) => own.serialize(serializer),
            Self::Flag(own) => own.serialize(serializer),
            Self::Text(own) => own.serialize(serializer),
            Self::Texts(own) => own.serialize(serializer),
            Self::List(own) => own.serialize(serializer),
            Self::Points(own) => own.serialize(serializer),
            Self::Triangles(own) => own.serialize(serializer),
            Self::Rows(own) => own.serialize(serializer),
            Self::Entry(kind, fields) => write_entry(serializer, None, kind, fields),
            Self::Entries(own) => {
                let own = own.iter().map(|(kind, fields)| Nested(kind, fields));
                serializer.collect_seq(own)
            }
            Self::Connector(own) => own.serialize(serializer),
            Self::Connectors(own) => own.serialize(serializer),
            Self::Fields(own) => own.serialize(serializer),
            Self::View(own) => own.serialize(serializer),
        }
    }
}

struct Nested<'v>(&'static Type, &'v Fields);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_entry(serializer, None, self.0, self.1)
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident;)*) => {$(
        impl From<$type> for Value {
            fn from(own: $type) -> Self {
                Self::$variant(own.into())
            }
        }
    )*};
}
from! {
    f64 => Number;
    bool => Flag;
    u64 => Count;
    u8 => Count;
    &str => Text;
    String => Text;
    Vec<String> => Texts;
    Vec<f64> => List;
    &[f64] => List;
    Vec<Vec3> => Points;
    Vec<[u32; 3]> => Triangles;
    Vec<Vec<f64>> => Rows;
    ConnectorRef => Connector;
    Vec<ConnectorRef> => Connectors;
    Fields => Fields;
    BodyView => View;
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(own: [f64; N]) -> Self {
        match own.as_slice() {
            [one] => Self::Number(*one),
            many => Self::List(many.to_vec()),
        }
    }
}

impl From<usize> for Value {
    fn from(own: usize) -> Self {
        Self::Count(own as u64)
    }
}

impl<L: Law> From<(&'static L, Fields)> for Value {
    fn from((law, fields): (&'static L, Fields)) -> Self {
        Self::Entry(law.kind(), fields)
    }
}

/// What a value can be taken for.
pub trait Get<'v>: Sized {
    /// Takes it, or says what is wrong.
    fn get(value: &'v Value) -> Result<Self, Fault>;
}

/// Reading has checked every value against its field; only a program can come here.
fn other() -> Fault {
    Fault::at("", "is of another sort than its field")
}

macro_rules! get {
    ($($type:ty: $pattern:pat => $own:expr;)*) => {$(
        impl<'v> Get<'v> for $type {
            fn get(value: &'v Value) -> Result<Self, Fault> {
                match value {
                    $pattern => Ok($own),
                    _ => Err(other()),
                }
            }
        }
    )*};
}
get! {
    bool: Value::Flag(own) => *own;
    u64: Value::Count(own) => *own;
    &'v str: Value::Text(own) => own;
    &'v [String]: Value::Texts(own) => own;
    &'v [Vec3]: Value::Points(own) => own;
    &'v [[u32; 3]]: Value::Triangles(own) => own;
    &'v [Vec<f64>]: Value::Rows(own) => own;
    &'v [(&'static Type, Fields)]: Value::Entries(own) => own;
    &'v ConnectorRef: Value::Connector(own) => own;
    &'v [ConnectorRef]: Value::Connectors(own) => own;
    &'v Fields: Value::Fields(own) => own;
    &'v BodyView: Value::View(own) => own;
}

impl Get<'_> for usize {
    fn get(value: &Value) -> Result<Self, Fault> {
        u64::get(value).map(|own| Self::try_from(own).unwrap_or(Self::MAX))
    }
}

impl<'v> Get<'v> for &'v [f64] {
    fn get(value: &'v Value) -> Result<Self, Fault> {
        match value {
            Value::Number(own) => Ok(std::slice::from_ref(own)),
            Value::List(own) => Ok(own),
            _ => Err(other()),
        }
    }
}

impl<const N: usize> Get<'_> for [f64; N] {
    fn get(value: &Value) -> Result<Self, Fault> {
        let own = <&[f64]>::get(value)?;
        crate::format::numbers::exactly("", own)
    }
}

impl Get<'_> for f64 {
    fn get(value: &Value) -> Result<Self, Fault> {
        <[f64; 1]>::get(value).map(|[own]| own)
    }
}
