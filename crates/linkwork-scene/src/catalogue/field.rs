//! Fields: the name of each, what its values are, and what they mean.

use std::borrow::Cow;

use linkwork::{Choices, Error};
use serde_json::{Map, Value as Json, json};

use super::entry::Sort;
use super::value::{Fields, Value};
use super::words::words;
use crate::fault::{Fault, Under};
use crate::format::{BodyView, ConnectorRef, Numbers};
use crate::read::Record;
use crate::read::node::{Node, Tree};
use crate::read::record::{define, object, unknown, whole};

/// A field of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The name that older files have for it; empty for none.
    pub was: &'static str,
    /// What its values are.
    pub form: Form,
    /// The unit of its numbers; empty where they have none, or where it depends.
    pub unit: &'static str,
    /// Which numbers it takes.
    pub range: Range,
    /// What it is when it is left out.
    pub default: LeftOut,
    /// Whether it must be there.
    pub required: bool,
    /// One line.
    pub help: &'static str,
    /// What the lab does with it.
    pub lab: &'static InLab,
}

/// What the lab does with a field, and what it belongs to. Few fields say any of it: it is kept beside them.
#[derive(Clone, Copy, Debug)]
pub struct InLab {
    /// What people call it, if not by its name; empty where it is the value that the rest is about.
    pub label: Option<&'static str>,
    /// What forms do with it.
    pub role: Role,
    /// Which length of a body it is.
    pub measure: Option<Measure>,
    /// What something new begins with.
    pub start: Option<Start>,
    /// That number, if it begins with one.
    pub number: f64,
    /// The field that it says more of: forms show it once that one is there.
    pub after: &'static str,
    /// What it belongs to, if not to all.
    pub with: Option<&'static With>,
    /// What its numbers are called; what has none is counted.
    pub parts: &'static [&'static str],
    /// What forms say beside it, where a unit would be; `#` is the unit of what a drive leads.
    pub hint: &'static str,
    /// What it means to leave it out, in a word, where no number says it.
    pub otherwise: &'static str,
}

impl InLab {
    /// A number that is shown under its name.
    pub const PLAIN: Self = Self {
        label: None,
        role: Role::Value,
        measure: None,
        start: None,
        number: 0.0,
        after: "",
        with: None,
        parts: &["x", "y", "z"],
        hint: "",
        otherwise: "",
    };

    /// What people call it.
    pub const fn called(label: &'static str) -> Self {
        Self {
            label: Some(label),
            ..Self::PLAIN
        }
    }

    /// What forms do with it.
    pub const fn role(role: Role) -> Self {
        Self {
            role,
            ..Self::PLAIN
        }
    }

    /// Which length of a body it is.
    pub const fn measure(measure: Measure) -> Self {
        Self {
            measure: Some(measure),
            ..Self::PLAIN
        }
    }

    /// What something new begins with.
    pub const fn start(start: Start) -> Self {
        Self {
            start: Some(start),
            ..Self::PLAIN
        }
    }

    /// What it belongs to.
    pub const fn with(with: &'static With) -> Self {
        Self {
            with: Some(with),
            ..Self::PLAIN
        }
    }

    /// What its numbers are called.
    pub const fn parts(parts: &'static [&'static str]) -> Self {
        Self {
            parts,
            ..Self::PLAIN
        }
    }
}

/// Words of another field: a field that belongs to them is refused with any other.
#[derive(Debug)]
pub struct With {
    /// The other field.
    pub field: &'static Field,
    /// Its words.
    pub words: &'static [&'static str],
}

words! {
    /// What forms do with a field.
    pub enum Role {
        /// Shown, and changed.
        Value = "value",
        /// Where a body is: changed by hands. Its first number is along x.
        Position = "position",
        /// How a body is turned: changed by hands.
        Turn = "turn",
        /// How a body moves: changes by itself.
        Motion = "motion",
        /// What a joint holds, and along which axes: changed by joining.
        Side = "side",
        /// Kept as it is.
        Kept = "kept",
    }
}

words! {
    /// Which length of a body a field is.
    pub enum Measure {
        /// Along x.
        Along = "along",
        /// Half of what it is across x; of what has no length along x, half of all.
        Radius = "radius",
        /// Along x and y, and in space z.
        Edges = "edges",
        /// Half of what it is along x, y and z.
        Halves = "halves",
    }
}

words! {
    /// What something new begins with.
    pub enum Start {
        /// The axis that it turns about or slides along, or the normal of its plane.
        Axis = "axis",
        /// A direction across that axis.
        Across = "across",
        /// How far its ends are apart.
        Gap = "gap",
        /// As stiff as suits what it carries.
        Stiffness = "stiffness",
        /// As much damping as suits that.
        Damping = "damping",
        /// The torque that holds level what it turns, and some more.
        Torque = "torque",
        /// The time over which ends that do not meet are closed.
        Closing = "closing",
        /// A number of its own.
        Number = "number",
    }
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A number.
    Number,
    /// An angle in radians, or in degrees under this other name.
    Angle(&'static str),
    /// Two numbers, the lower one first, or in degrees under this other name; none if that is empty. `null` is no
    /// limit.
    Span(&'static str),
    /// A whole number up to this one.
    Count(u64),
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// One number, or several in a list.
    Numbers,
    /// A list of so many numbers.
    Fixed(usize),
    /// A list of numbers.
    List,
    /// A list of points, three numbers each.
    Points,
    /// A list of three indices each.
    Triangles,
    /// A list of lists of numbers, so many in each at the least and at the most.
    Rows(usize, usize),
    /// A list of texts.
    Texts,
    /// One of these words.
    Word(&'static Choices),
    /// So many of these words.
    Words(usize, &'static [&'static str]),
    /// Something with a type of its own.
    Entry(&'static Sort),
    /// Several of them.
    Entries(&'static Sort),
    /// A place on a body.
    Connector,
    /// Several of them.
    Connectors,
    /// An object with these fields.
    Fields(&'static [Field]),
    /// Hints for viewers.
    View,
}

/// Which numbers a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All that are finite.
    Any,
    /// Greater than zero.
    Positive,
    /// Greater than zero; the law checks it, and says what to use instead.
    PositiveByLaw,
    /// Zero or greater.
    NotNegative,
}

/// What a field is when it is left out.
#[derive(Clone, Copy, Debug)]
pub enum LeftOut {
    /// This JSON or fraction; empty where that is not one value.
    Said(&'static str),
    /// What the engine has by default: a number.
    Engine(fn() -> Json),
}

impl LeftOut {
    /// As JSON or a fraction.
    pub fn text(self) -> Cow<'static, str> {
        match self {
            Self::Said(text) => text.into(),
            Self::Engine(number) => number().to_string().into(),
        }
    }
}

impl Field {
    /// A field of any form, whose help is all there is to say.
    pub const fn new(name: &'static str, form: Form, help: &'static str) -> Self {
        Self {
            name,
            was: "",
            form,
            unit: "",
            range: Range::Any,
            default: LeftOut::Said(""),
            required: false,
            help,
            lab: &InLab::PLAIN,
        }
    }

    /// A number with a unit.
    pub const fn number(name: &'static str, unit: &'static str, help: &'static str) -> Self {
        Self::new(name, Form::Number, help).in_unit(unit)
    }

    /// Three numbers with a unit.
    pub const fn vector(name: &'static str, unit: &'static str, help: &'static str) -> Self {
        Self::new(name, Form::Fixed(3), help).in_unit(unit)
    }

    /// One number or several, with a unit.
    pub const fn numbers(name: &'static str, unit: &'static str, help: &'static str) -> Self {
        Self::new(name, Form::Numbers, help).in_unit(unit)
    }

    /// An angle, with its other name.
    pub const fn angle(name: &'static str, degrees: &'static str, help: &'static str) -> Self {
        Self::new(name, Form::Angle(degrees), help).in_unit("rad")
    }

    /// A lower and an upper limit, with its other name in degrees.
    pub const fn span(name: &'static str, degrees: &'static str, help: &'static str) -> Self {
        Self::new(name, Form::Span(degrees), help)
    }

    /// The same in this unit.
    pub const fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The same, greater than zero.
    pub const fn positive(mut self) -> Self {
        self.range = Range::Positive;
        self
    }

    /// The same, greater than zero by its law.
    pub const fn positive_by_law(mut self) -> Self {
        self.range = Range::PositiveByLaw;
        self
    }

    /// The same, zero or greater.
    pub const fn not_negative(mut self) -> Self {
        self.range = Range::NotNegative;
        self
    }

    /// The same, with what it is when it is left out.
    pub const fn default(mut self, default: &'static str) -> Self {
        self.default = LeftOut::Said(default);
        self
    }

    /// The same, which is what the engine has by default when it is left out.
    pub const fn default_of(mut self, engine: fn() -> Json) -> Self {
        self.default = LeftOut::Engine(engine);
        self
    }

    /// The same, which must be there.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same, which need not be there.
    pub const fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// The same under a new name: files that have the old one are read too.
    pub const fn was(mut self, name: &'static str) -> Self {
        self.was = name;
        self
    }

    /// The same with another line of help.
    pub const fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    /// The same with what the lab does with it.
    pub const fn lab(mut self, lab: &'static InLab) -> Self {
        self.lab = lab;
        self
    }

    /// It must be there and is not.
    pub(crate) fn missing(&self) -> Fault {
        let of = |what: &str| match self.unit {
            "" => what.to_owned(),
            unit => format!("{what} in {unit}").trim_start().to_owned(),
        };
        let what = match self.form {
            Form::Number | Form::Angle(_) | Form::Numbers if !self.unit.is_empty() => of(""),
            Form::Number | Form::Count(_) => "a number".to_owned(),
            Form::Fixed(3) => of("[x, y, z]"),
            _ => self.help.trim_end_matches('.').to_owned(),
        };
        Fault::missing(self.name, &what)
    }

    /// Its name, and that in degrees if it has one.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let degrees = match self.form {
            Form::Angle(degrees) => Some(degrees),
            Form::Span(degrees) => Some(degrees).filter(|own| !own.is_empty()),
            _ => None,
        };
        [self.name].into_iter().chain(degrees)
    }

    /// The names under which files may have it, each with that which it has now.
    pub(super) fn read_names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let was = (!self.was.is_empty()).then_some((self.was, self.name));
        self.names().map(|name| (name, name)).chain(was)
    }

    /// What it is when it is left out.
    pub(super) fn left_out(&self) -> Option<Value> {
        let node = Node::parse(&self.default.text()).ok()?;
        self.form.read(self.name, &node).ok()
    }

    /// The number that it is when it is left out.
    pub(super) fn default_number(&self) -> Option<f64> {
        let text = self.default.text();
        let (over, under) = text.split_once('/').unwrap_or((&text, "1"));
        Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?)
    }

    /// The word that it is when it is left out, of a word.
    pub(super) fn default_word(&self) -> &'static str {
        match self.default {
            LeftOut::Said(word) => word.trim_matches('"'),
            LeftOut::Engine(_) => "",
        }
    }

    /// Its value.
    pub(super) fn read(&self, node: &Node) -> Result<Value, Fault> {
        let value = self.form.read(self.name, node)?;
        if let Value::Number(number) = value {
            let fits = match self.range {
                Range::Any | Range::PositiveByLaw => Ok(()),
                Range::Positive => Error::require_positive(self.name, &number),
                Range::NotNegative => Error::require_not_negative(self.name, &number),
            };
            fits.map_err(|error| Fault {
                path: String::new(),
                ..Fault::from(error)
            })?;
        }
        Ok(value)
    }

    /// Its schema.
    pub(super) fn schema(&self, definitions: &mut Map<String, Json>) -> Json {
        let mut schema = self.form.schema(definitions);
        match self.range {
            Range::Any => {}
            Range::Positive | Range::PositiveByLaw => schema["exclusiveMinimum"] = json!(0),
            Range::NotNegative => schema["minimum"] = json!(0),
        }
        let default = serde_json::from_str::<Json>(&self.default.text());
        if let Some(default) = default.ok().or(self.default_number().map(Json::from)) {
            schema["default"] = default;
        }
        schema
    }
}

impl Form {
    fn read(&self, name: &str, node: &Node) -> Result<Value, Fault> {
        Ok(match *self {
            Self::Number | Self::Angle(_) => Value::Number(f64::read(node)?),
            Self::Span(_) => Value::List(span(node)?.to_vec()),
            Self::Count(most) => Value::Count(whole(node, most)?),
            Self::Flag => Value::Flag(bool::read(node)?),
            Self::Text => Value::Text(String::read(node)?),
            Self::Numbers => match Numbers::read(node)?.0.as_slice() {
                [one] => Value::Number(*one),
                many => Value::List(many.to_vec()),
            },
            Self::Fixed(2) => Value::List(<[f64; 2]>::read(node)?.to_vec()),
            Self::Fixed(3) => Value::List(<[f64; 3]>::read(node)?.to_vec()),
            Self::Fixed(_) => Value::List(<[f64; 4]>::read(node)?.to_vec()),
            Self::List => Value::List(Vec::read(node)?),
            Self::Points => Value::Points(Vec::read(node)?),
            Self::Triangles => Value::Triangles(Vec::read(node)?),
            Self::Rows(least, most) => Value::Rows(rows(node, least, most)?),
            Self::Texts => Value::Texts(Vec::read(node)?),
            Self::Word(own) => Value::Text(word(name, node, own.words)?),
            Self::Words(n, words) => {
                let entries = node.entries()?;
                if entries.len() != n {
                    let problem =
                        format!("is a list of {}, but must be a list of {n}", entries.len());
                    return Err(Fault::at("", problem));
                }
                let all: Result<_, Fault> =
                    entries.iter().map(|own| word(name, own, words)).collect();
                Value::Texts(all?)
            }
            Self::Entry(sort) => {
                let (_, kind, fields) = sort.read(node)?;
                Value::Entry(kind, fields)
            }
            Self::Entries(sort) => {
                let mut all = Vec::new();
                for (at, own) in node.entries()?.iter().enumerate() {
                    let (_, kind, fields) = sort.read(own).under(&format!("[{at}]"))?;
                    all.push((kind, fields));
                }
                Value::Entries(all)
            }
            Self::Connector => Value::Connector(ConnectorRef::read(node)?),
            Self::Connectors => Value::Connectors(Vec::read(node)?),
            Self::Fields(fields) => Value::Fields(Fields::read(node, &[fields], &[])?),
            Self::View => Value::View(Box::new(BodyView::read(node)?)),
        })
    }

    fn schema(&self, definitions: &mut Map<String, Json>) -> Json {
        let list = |items: Json| json!({ "type": "array", "items": items });
        match *self {
            Self::Number | Self::Angle(_) => f64::schema(definitions),
            Self::Span(_) => {
                let mut schema =
                    list(json!({ "type": ["number", "string", "null"], "pattern": "^=" }));
                (schema["minItems"], schema["maxItems"]) = (json!(2), json!(2));
                schema
            }
            Self::Count(most) => {
                json!({ "type": ["integer", "string"], "minimum": 0, "maximum": most, "pattern": "^=" })
            }
            Self::Flag => bool::schema(definitions),
            Self::Text => String::schema(definitions),
            Self::Numbers => Numbers::schema(definitions),
            Self::Fixed(n) => {
                json!({ "type": "array", "items": f64::schema(definitions), "minItems": n, "maxItems": n })
            }
            Self::List => Vec::<f64>::schema(definitions),
            Self::Points => Vec::<[f64; 3]>::schema(definitions),
            Self::Triangles => Vec::<[u32; 3]>::schema(definitions),
            Self::Rows(least, most) => {
                let mut row = list(f64::schema(definitions));
                (row["minItems"], row["maxItems"]) = (json!(least), json!(most));
                list(row)
            }
            Self::Texts => Vec::<String>::schema(definitions),
            Self::Word(own) => json!({ "enum": own.words }),
            Self::Words(n, words) => {
                let mut schema = list(json!({ "enum": words }));
                (schema["minItems"], schema["maxItems"]) = (json!(n), json!(n));
                schema
            }
            Self::Entry(sort) => sort.schema(definitions),
            Self::Entries(sort) => list(sort.schema(definitions)),
            Self::Connector => define(definitions, "ConnectorRef", &|definitions| {
                ConnectorRef::schema(definitions)
            }),
            Self::Connectors => list(Self::Connector.schema(definitions)),
            Self::Fields(fields) => fields_schema("", fields, definitions),
            Self::View => BodyView::schema(definitions),
        }
    }
}

/// The schema of an object with these fields.
pub(super) fn fields_schema(
    about: &str,
    fields: &[Field],
    definitions: &mut Map<String, Json>,
) -> Json {
    let mut own = Vec::new();
    for field in fields {
        for name in field.names() {
            own.push((name, field.help, field.required, field.schema(definitions)));
        }
    }
    object(about, own)
}

fn word(name: &str, node: &Node, words: &[&'static str]) -> Result<String, Fault> {
    match node.text() {
        Some(text) if words.contains(&text) => Ok(text.to_owned()),
        Some(text) => Err(unknown(name, text, words.iter().copied())),
        None => Err(node.wrong("a string")),
    }
}

/// A lower and an upper limit; `null` is none.
fn span(node: &Node) -> Result<[f64; 2], Fault> {
    let entries = node.entries()?;
    let [lower, upper] = entries else {
        let problem = format!("is a list of {}, but must be a list of 2", entries.len());
        return Err(Fault::at("", problem).hint("give [lower, upper], null for no limit"));
    };
    let read = |at: &str, node: &Node, none: f64| match node.tree {
        Tree::Null => Ok(none),
        _ => f64::read(node).under(at),
    };
    Ok([
        read("[0]", lower, f64::NEG_INFINITY)?,
        read("[1]", upper, f64::INFINITY)?,
    ])
}

fn rows(node: &Node, least: usize, most: usize) -> Result<Vec<Vec<f64>>, Fault> {
    let rows: Vec<Numbers> = Vec::read(node)?;
    let rows = rows.into_iter().enumerate().map(|(at, Numbers(row))| {
        if (least..=most).contains(&row.len()) {
            return Ok(row);
        }
        let problem = format!("has {} numbers", row.len());
        let hint = match most {
            2 => "give [time, value]".to_owned(),
            4 => "give [time, x, y, z], or [time, x, y] in the plane".to_owned(),
            _ => format!("give {least} to {most}"),
        };
        Err(Fault::at(format!("[{at}]"), problem).hint(&hint))
    });
    rows.collect()
}
