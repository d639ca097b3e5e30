//! Each parameter: how it is written, and what it comes to.

use linkwork_formula::{Expression, Table, meaning, names};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::evaluate::{expression, is_text, told};
use crate::fault::{Fault, Under};
use crate::read::Record;
use crate::read::node::{Node, Tree};
use crate::read::record::{define, record};

/// The most parameters of a scene.
const MOST: usize = 1_000;

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// A number, or an expression of others.
    pub given: Given,
    /// From where to where its slider goes.
    pub range: Option<[f64; 2]>,
    /// One line.
    pub help: Option<String>,
    /// What it comes to.
    pub value: f64,
}

/// A number as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number.
    Number(f64),
    /// A text that begins with `=`.
    Text(String),
}

impl Given {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) => None,
        }
    }

    /// As a value of a tree.
    pub(crate) fn tree(&self) -> Tree {
        match self {
            Self::Number(number) => Tree::Number(*number),
            Self::Text(text) => Tree::Text(text.as_str().into()),
        }
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl Record for Given {
    fn read(node: &Node) -> Result<Self, Fault> {
        match node.text() {
            Some(text) if is_text(text) => Ok(Self::Text(text.to_owned())),
            _ => f64::read(node).map(Self::Number),
        }
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        define(definitions, "Given", &|_| {
            let text = json!({ "type": "string" });
            json!({ "description": "A number, or a text that begins with =.", "anyOf": [{ "type": "number" }, text] })
        })
    }
}

record! {
    /// A parameter with more than its value.
    pub(crate) struct ParameterEntry {
        /// A number, or an expression of other parameters that begins with `=`.
        pub value: Given,
        /// From where to where its slider goes.
        pub range: Option<[f64; 2]>,
        /// One line: what it is.
        pub help: Option<String>,
    }
}

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.range.is_none() && self.help.is_none() {
            return self.given.serialize(serializer);
        }
        let entry = ParameterEntry {
            value: self.given.clone(),
            range: self.range,
            help: self.help.clone(),
        };
        entry.serialize(serializer)
    }
}

impl Parameter {
    pub(super) fn schema(definitions: &mut Map<String, Value>) -> Value {
        let entry = ParameterEntry::schema(definitions);
        json!({ "anyOf": [f64::schema(definitions), entry] })
    }

    fn read(name: &str, node: &Node) -> Result<Self, Fault> {
        check_name(name)?;
        let entry = match &node.tree {
            Tree::Object(_) => ParameterEntry::read(node)?,
            _ => ParameterEntry {
                value: Given::read(node)?,
                range: None,
                help: None,
            },
        };
        if let Some([low, high]) = entry.range
            && low >= high
        {
            let problem = "ends before it begins";
            return Err(Fault::at("range", problem).hint("give [least, most]"));
        }
        Ok(Self {
            name: name.to_owned(),
            given: entry.value,
            range: entry.range,
            help: entry.help,
            value: f64::NAN,
        })
    }
}

/// A parameter is called by a name of the language that means nothing else in it.
pub(crate) fn check_name(name: &str) -> Result<(), Fault> {
    if name == "t" {
        let problem = "\"t\" is the time";
        return Err(Fault::at("", problem).hint("choose another name"));
    }
    if let Some(meaning) = meaning(name) {
        let problem = format!("\"{name}\" is {meaning}");
        return Err(Fault::at("", problem).hint("choose another name"));
    }
    let is_function = linkwork_formula::FUNCTIONS
        .iter()
        .any(|own| own.name == name);
    // Functions are known by their bracket, but only lengths and areas are also called so.
    if is_function && !matches!(name, "length" | "area") {
        let problem = format!("\"{name}\" is a function of the language");
        return Err(Fault::at("", problem).hint("choose another name"));
    }
    match names(name)[..] {
        [(own, _)] if own == name => Ok(()),
        _ => {
            let problem = format!("\"{name}\" is no name");
            let hint = "a name has letters, digits and _, and begins with a letter";
            Err(Fault::at("", problem).hint(hint))
        }
    }
}

/// Reads all parameters and works them out.
pub(super) fn read(node: &Node) -> Result<Vec<Parameter>, Fault> {
    let fields = node.fields()?;
    if fields.len() > MOST {
        let problem = format!("are {}, more than {MOST}", fields.len());
        return Err(Fault::at("", problem));
    }
    let mut list = Vec::with_capacity(fields.len());
    for (name, own) in fields {
        list.push(Parameter::read(name, own).under(name)?);
    }
    work_out(&mut list)?;
    Ok(list)
}

/// Of each its value: those first that others depend on.
fn work_out(list: &mut [Parameter]) -> Result<(), Fault> {
    let mut texts = Vec::with_capacity(list.len());
    for own in list.iter_mut() {
        texts.push(match &own.given {
            Given::Number(number) => {
                own.value = *number;
                None
            }
            Given::Text(text) => Some(expression(text).under(&own.name)?),
        });
    }
    // A value that is not finite is refused, so NaN is one that is not known yet.
    let mut n_left = texts.iter().flatten().count();
    while n_left > 0 {
        let before = n_left;
        for at in 0..list.len() {
            let Some(own) = texts[at].as_ref().filter(|_| list[at].value.is_nan()) else {
                continue;
            };
            if waits_for(own, list).is_none() {
                let value = value_of(own, list).under(&list[at].name)?;
                list[at].value = value;
                n_left -= 1;
            }
        }
        if n_left == before {
            return Err(cycle(list, &texts));
        }
    }
    Ok(())
}

/// The first parameter in an expression that is not known yet.
fn waits_for(own: &Expression, list: &[Parameter]) -> Option<usize> {
    let mut names = own.names().into_iter();
    names.find_map(|(name, _)| {
        let found = list.iter().position(|other| other.name == name)?;
        list[found].value.is_nan().then_some(found)
    })
}

fn cycle(list: &[Parameter], texts: &[Option<Expression>]) -> Fault {
    let mut at = list.iter().position(|own| own.value.is_nan()).unwrap_or(0);
    let mut way = vec![at];
    while let Some(next) = texts[at].as_ref().and_then(|own| waits_for(own, list)) {
        at = next;
        let begins = way.iter().position(|own| *own == at);
        way.push(at);
        if let Some(begins) = begins {
            way.drain(..begins);
            break;
        }
    }
    let names: Vec<_> = way.iter().map(|own| list[*own].name.as_str()).collect();
    let problem = format!("depends on itself: {}", names.join(" → "));
    let fault = Fault::at(names.first().copied().unwrap_or_default(), problem);
    fault.hint("give one of them as a number")
}

/// What an expression comes to.
pub(super) fn value_of(own: &Expression, list: &[Parameter]) -> Result<f64, Fault> {
    own.value(&Known(list))
        .map_err(|problem| told(&problem, own.source()))
}

/// The values of parameters by name.
pub(crate) struct Known<'p>(pub(crate) &'p [Parameter]);

impl Table for Known<'_> {
    fn value(&self, name: &str) -> Option<f64> {
        let found = self.0.iter().find(|own| own.name == name);
        found.map(|own| own.value)
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        self.0.iter().for_each(|own| offer(&own.name));
    }
}
