//! A field of a scene by its path: `bodies.crank.length=0.1`; a parameter by its name: `L=0.5`.
//!
//! The tree of the file is changed before it is read, so that a value that is set is checked as one
//! that stands in the file, and refused with the same words. A size of a body is the exception: it takes along
//! what sits on the body, as the command `resize` does. A crank that grows has its pins at its ends again.

use std::str::FromStr;

use super::node::{Node, Tree};
use super::record::Record;
use super::{Beside, UPGRADES, document, tree, tree_beside, upgraded};
use crate::build;
use crate::catalogue::Law;
use crate::command::parameters::{self as rewrite, Edit};
use crate::command::{SetParameter, resize};
use crate::export::columns::name;
use crate::fault::{Fault, meant};
use crate::format::{BodyEntry, Document};
use crate::parameter::{Given, Parameters, evaluated};
use crate::picture;
use crate::scene::Scene;
use crate::table::{self, Sheet};

/// A field of a scene and its value.
///
/// ```
/// use linkwork_scene::read::{Draft, Setting};
/// let draft = Draft::parse(r#"{ "linkwork": 1, "bodies": [
///     { "name": "bob", "type": "particle", "mass": 1 } ] }"#)?;
/// let heavy: Setting = "bodies.bob.mass=5".parse()?;
/// let scene = draft.build(&[heavy]).unwrap().scene;
/// assert_eq!(linkwork_scene::describe(&scene)?.bodies[0].get("mass"), Some(5.0));
/// # Ok::<(), linkwork_scene::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As it was written.
    path: String,
    steps: Vec<Step>,
    value: Node,
}

/// The fields of a document.
const FIELDS: &[&str] = &[
    "$schema",
    "linkwork",
    "name",
    "why",
    "parameters",
    "world",
    "bodies",
    "connectors",
    "joints",
    "behaviors",
    "traces",
    "hands",
    "view",
    "state",
];

/// From a value to one in it.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// The field of an object, or the entry of a list that has this name or number.
    Name(String),
    /// The entry of a list.
    Number(usize),
}

impl FromStr for Setting {
    type Err = Fault;

    /// Reads `path=value`. The value is JSON; what is none is a text, but for a fraction such as `1/60`.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let mut is_quoted = false;
        let end = text.find(|character| {
            is_quoted ^= character == '"';
            character == '=' && !is_quoted
        });
        let Some(end) = end else {
            let hint = "write PATH=VALUE, such as bodies.crank.length=0.1";
            return Err(Fault::at("", format!("\"{text}\" sets nothing")).hint(hint));
        };
        Self::new(&text[..end], &text[end + 1..])
    }
}

impl Setting {
    /// The field at a path, and its value as [`Setting::from_str`] takes it.
    pub fn new(path: &str, value: &str) -> Result<Self, Fault> {
        let path = path.trim();
        let refuse = |problem| Fault::at(path, problem);
        let mut steps = Vec::new();
        for segment in name::split(path).map_err(refuse)? {
            let text = segment.text();
            let end = match segment.is_bare() {
                true => text.find('[').unwrap_or(text.len()),
                false => text.len(),
            };
            if end > 0 {
                steps.push(Step::Name(text[..end].to_owned()));
            }
            for number in text[end..].split_terminator(']') {
                let number = number.strip_prefix('[').and_then(|own| own.parse().ok());
                let number = number.ok_or_else(|| {
                    refuse("has no number between its brackets".to_owned()).hint(
                        "write the third entry of a list as [2], and names with brackets in quotes",
                    )
                })?;
                steps.push(Step::Number(number));
            }
        }
        Ok(Self {
            path: path.to_owned(),
            steps,
            value: parsed(value),
        })
    }

    /// The field at a path, and its value.
    pub(crate) fn of(path: &str, value: Tree) -> Result<Self, Fault> {
        let value = Node::made(value);
        Self::new(path, "0").map(|own| Self { value, ..own })
    }

    /// Sets it in the tree of a document.
    pub(crate) fn put(&self, root: &mut Node) -> Result<(), Fault> {
        let mut place = String::new();
        let mut node = root;
        for step in &self.steps {
            node = go(node, step, &mut place)?;
        }
        node.tree = self.value.tree.clone();
        Ok(())
    }

    /// The parameter that it sets: `L` or `parameters.L`.
    fn parameter(&self, known: &Parameters) -> Result<Option<&str>, Fault> {
        let name = match &self.steps[..] {
            [Step::Name(name)] if known.find(name).is_some() => return Ok(Some(name)),
            [Step::Name(name)] if !known.is_empty() && !FIELDS.contains(&name.as_str()) => name,
            [Step::Name(list), Step::Name(name), rest @ ..] if list == "parameters" => {
                let is_whole = rest.is_empty() || *rest == [Step::Name("value".into())];
                if is_whole && known.find(name).is_some() {
                    return Ok(Some(name));
                }
                if !is_whole {
                    return Ok(None);
                }
                name
            }
            _ => return Ok(None),
        };
        let names = known.list().iter().map(|own| own.name.as_str());
        let fault = Fault::at("", format!("no parameter is called \"{name}\""));
        let all = names.clone().collect::<Vec<_>>().join(", ");
        Err(match all.is_empty() {
            true => fault.hint("the scene has no parameters"),
            false => fault.hint(format!("there is {all}")).meant(name, names),
        })
    }

    /// The edit of a parameter.
    fn as_parameter(&self, name: &str) -> Result<SetParameter, Fault> {
        Ok(SetParameter {
            name: name.to_owned(),
            value: Given::read(&self.value)?,
            range: None,
            help: None,
        })
    }

    /// The list and the name of the entry that it is in.
    pub(crate) fn entry(&self) -> Option<(&str, &str)> {
        match &self.steps[..] {
            [Step::Name(list), Step::Name(name), _, ..] => Some((list, name)),
            _ => None,
        }
    }

    /// The path, as it was written.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value, as tables have it: a text without quotes.
    pub fn value(&self) -> String {
        told(&self.value)
    }
}

fn parsed(text: &str) -> Node {
    let fraction = || {
        let (above, below) = text.split_once('/')?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let value = number(above)? / number(below)?;
        value.is_finite().then_some(Tree::Number(value))
    };
    Node::parse(text).unwrap_or_else(|_| {
        let tree = fraction().unwrap_or_else(|| Tree::Text(text.trim().into()));
        Node { at: 0, tree }
    })
}

fn told(node: &Node) -> String {
    let list = |parts: Vec<String>, open, close| format!("{open}{}{close}", parts.join(", "));
    match &node.tree {
        Tree::Text(text) => text.to_string(),
        Tree::List(entries) => list(entries.iter().map(told).collect(), '[', ']'),
        Tree::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(key, own)| format!("{key}: {}", told(own)));
            list(fields.collect(), '{', '}')
        }
        _ => node.told(),
    }
}

/// Why settings do not make a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// A setting cannot be made; the path of the fault says which.
    Setting(Fault),
    /// The settings can be made, but what comes of them is no scene.
    Scene(Fault),
}

/// What came of a draft and its settings.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The scene. Where a size was set its joints may be open.
    pub scene: Scene,
    /// Whether the file gives no velocity, so that the scene starts with what its drives ask for:
    /// [`build::start`], once joints are closed.
    pub is_at_rest: bool,
}

/// The text of a scene, read but not built: fields can be set.
#[derive(Clone, Debug)]
pub struct Draft(Node);

impl Draft {
    /// Of a text.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        tree(text).map(Self)
    }

    /// The same, with what lies in files beside it.
    pub fn parse_beside(text: &str, beside: Beside<'_>) -> Result<Self, Fault> {
        tree_beside(text, beside).map(Self)
    }

    /// Puts data in the place of a table: of this name, or the only one, or the one that joints go through.
    pub fn set_table(&mut self, name: Option<&str>, sheet: &Sheet) -> Result<(), Fault> {
        table::replace(&mut self.0, name, sheet)
    }

    /// Makes a picture a film of these PNG files, so many of them a second.
    pub fn set_film(&mut self, name: &str, rate: f64, frames: &[Vec<u8>]) -> Result<(), Fault> {
        picture::set_film(&mut self.0, name, rate, frames)
    }

    /// Of a document.
    pub fn of(document: &Document) -> Result<Self, Fault> {
        Self::parse(&crate::write::text(document)?)
    }

    /// Where in the document a setting goes, the same for all ways to write its path; none if nowhere.
    pub fn place(&self, setting: &Setting) -> Option<String> {
        let mut root = self.0.clone();
        let known = Parameters::of(&root, 0.0).ok()?;
        if let Some(name) = setting.parameter(&known).ok()? {
            return Some(format!("parameters.{name}"));
        }
        let mut place = String::new();
        let mut node = &mut root;
        for step in &setting.steps {
            node = go(node, step, &mut place).ok()?;
        }
        Some(place)
    }

    /// The scene with these settings.
    pub fn build(&self, settings: &[Setting]) -> Result<Variant, Misfit> {
        let mut root = self.0.clone();
        let mut places = vec![String::new(); settings.len()];
        let at_fault = |at: usize, fault: Fault| refused(&settings[at], fault);
        let (mut sizes, mut parameters) = (Vec::new(), Vec::new());
        let known = Parameters::of(&root, 0.0).map_err(Misfit::Scene)?;
        for (at, setting) in settings.iter().enumerate() {
            if let Some(name) = setting
                .parameter(&known)
                .map_err(|fault| at_fault(at, fault))?
            {
                parameters.push((at, name.to_owned()));
                continue;
            }
            match put(&mut root, setting, &known) {
                Ok(Some(place)) => places[at] = place,
                Ok(None) => sizes.push(at),
                Err(fault) => return Err(at_fault(at, fault)),
            }
        }
        let misfit = |fault| self.misfit(settings, &places, fault);
        // The version may be one that is set.
        let mut root = upgraded(root, UPGRADES).map_err(misfit)?;
        let document = document(&root).map_err(misfit)?;
        let mut scene = build::build(&document).map_err(misfit)?;
        let is_at_rest = build::is_at_rest(&document) && document.state.places.is_empty();
        if let Some(&(at, _)) = parameters.first() {
            let sets = parameters
                .iter()
                .map(|(at, name)| settings[*at].as_parameter(name));
            let sets: Result<Vec<_>, Fault> = sets.collect();
            let applied = sets.and_then(|sets| rewrite::apply(&mut scene, Edit::Set(sets)));
            applied.map_err(|fault| at_fault(at, within(fault)))?;
        }
        for &at in &sizes {
            let applied = match scene.parameters.source() {
                Some(_) => rewrite::apply(&mut scene, Edit::Field(settings[at].clone())),
                None => {
                    let entry = resized(&mut root, &settings[at]);
                    entry.and_then(|entry| resize::apply(&mut scene, entry))
                }
            };
            applied.map_err(|fault| at_fault(at, fault))?;
        }
        if !(sizes.is_empty() && parameters.is_empty()) && is_at_rest {
            build::start(&mut scene.world).map_err(Misfit::Scene)?;
        }
        Ok(Variant { scene, is_at_rest })
    }

    /// Whose fault it is: of the setting it is in, or, where the file alone is a scene, of one that is near.
    fn misfit(&self, settings: &[Setting], places: &[String], mut fault: Fault) -> Misfit {
        let is_in = |outer: &str, inner: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let mut at = places
            .iter()
            .rposition(|own| !own.is_empty() && is_in(own, &fault.path));
        let is_scene = || document(&self.0).and_then(|own| build::build(&own)).is_ok();
        if at.is_none() && is_scene() {
            at = places.iter().rposition(|own| is_in(&fault.path, own));
            at = at.or((settings.len() == 1).then_some(0));
            if !fault.path.is_empty() {
                fault.problem = format!("{}: {}", fault.path, fault.problem);
            }
        }
        match at {
            Some(at) => {
                fault.hint = fault.hint.or_else(|| self.absent(&settings[at]));
                refused(&settings[at], fault)
            }
            None => Misfit::Scene(fault),
        }
    }

    /// What a path goes through that the file has not, and what it has in its place: "motor" rather than "drive".
    fn absent(&self, setting: &Setting) -> Option<String> {
        let mut root = self.0.clone();
        let mut node = &mut root;
        let mut place = String::new();
        let (_, way) = setting.steps.split_last()?;
        for step in way {
            if let (Tree::Object(fields), Step::Name(name)) = (&node.tree, step)
                && node.get(name).is_none()
            {
                let has_fields = |own: &Node| matches!(own.tree, Tree::Object(_));
                let others = fields.iter().filter(|(_, own)| has_fields(own));
                let others: Vec<String> = others.map(|(key, _)| format!("\"{key}\"")).collect();
                return Some(match others.is_empty() {
                    true => format!("{place} has no \"{name}\""),
                    false => format!("{place} has no \"{name}\", but {}", others.join(", ")),
                });
            }
            node = go(node, step, &mut place).ok()?;
        }
        None
    }
}

/// The path of a fault is of the scene; what was set is a parameter.
fn within(mut fault: Fault) -> Fault {
    if !fault.path.is_empty() {
        fault.problem = format!("{}: {}", fault.path, fault.problem);
    }
    fault
}

/// A fault of a value that was set, which has no place in the file.
fn refused(setting: &Setting, fault: Fault) -> Misfit {
    let path = format!("{}={}", setting.path, setting.value());
    let place = None;
    Misfit::Setting(Fault {
        path,
        place,
        ..fault
    })
}

/// Sets a value in a tree, and says at which path of the document; none for a size of a body, which is set later.
fn put(
    root: &mut Node,
    setting: &Setting,
    parameters: &Parameters,
) -> Result<Option<String>, Fault> {
    let mut place = String::new();
    let mut node = root;
    for (at, step) in setting.steps.iter().enumerate() {
        if let (2, "bodies", Step::Name(field)) = (at, &place[..place.len().min(6)], step)
            && is_size(&evaluated(node, parameters), field)
        {
            return Ok(None);
        }
        node = go(node, step, &mut place)?;
    }
    node.tree = setting.value.tree.clone();
    Ok(Some(place))
}

/// Sets a size of a body in a tree, and gives the entry of the body.
fn resized(root: &mut Node, setting: &Setting) -> Result<BodyEntry, Fault> {
    let mut place = String::new();
    let mut body = root;
    let (to_body, in_body) = setting.steps.split_at(2);
    for step in to_body {
        body = go(body, step, &mut place)?;
    }
    if in_body == [Step::Name("length".into())] {
        // It was the distance between them. The bar stays where its middle is.
        remove(body, &["from", "to"]);
    }
    let mut node = &mut *body;
    for step in in_body {
        node = go(node, step, &mut place)?;
    }
    node.tree = setting.value.tree.clone();
    BodyEntry::read(body)
}

/// Whether a field is a length of a body of this type.
fn is_size(body: &Node, field: &str) -> bool {
    let Ok(entry) = BodyEntry::read(body) else {
        return false;
    };
    let mut own = entry.kind.kind().own();
    own.any(|own| own.name == field && own.lab.measure.is_some())
}

fn remove(node: &mut Node, names: &[&str]) {
    if let Tree::Object(fields) = &mut node.tree {
        let kept = fields.iter().filter(|(key, _)| !names.contains(&&**key));
        *fields = kept.cloned().collect();
    }
}

/// One step into a value. A field that is not there is made: whether it may be is seen when it is read.
fn go<'n>(node: &'n mut Node, step: &Step, place: &mut String) -> Result<&'n mut Node, Fault> {
    let (at, told) = (node.at, node.told());
    match (&mut node.tree, step) {
        (Tree::List(entries), step) => {
            let number = find(entries, step, place)?;
            *place += &format!("[{number}]");
            Ok(&mut entries[number])
        }
        (tree @ (Tree::Object(_) | Tree::Null), Step::Name(name)) => {
            if *tree == Tree::Null {
                *tree = Tree::Object(Box::default());
            }
            let Tree::Object(fields) = tree else {
                return Err(Fault::at("", "is no object"));
            };
            if !place.is_empty() {
                place.push('.');
            }
            place.push_str(name);
            let found = fields.iter().position(|(key, _)| **key == **name);
            let number = found.unwrap_or_else(|| {
                let tree = Tree::Null;
                let mut all = std::mem::take(fields).into_vec();
                all.push((name.as_str().into(), Node { at, tree }));
                *fields = all.into();
                fields.len() - 1
            });
            Ok(&mut fields[number].1)
        }
        (_, Step::Name(name)) => {
            let problem = format!("{place} is {told}, which has no \"{name}\"");
            Err(Fault::at("", problem))
        }
        (_, Step::Number(_)) => {
            let problem = format!("{place} is {told}, and no list");
            Err(Fault::at("", problem))
        }
    }
}

/// Which entry of a list a step means.
fn find(entries: &[Node], step: &Step, place: &str) -> Result<usize, Fault> {
    let name_of = |entry: &'_ Node| match entry.get("name").map(|name| &name.tree) {
        Some(Tree::Text(name)) => Some(name.to_string()),
        _ => None,
    };
    let n = entries.len();
    let number = match step {
        Step::Number(number) => Some(*number),
        Step::Name(name) => {
            let named = |entry: &Node| name_of(entry).as_ref() == Some(name);
            if let Some(found) = entries.iter().position(named) {
                return Ok(found);
            }
            name.parse().ok()
        }
    };
    match (number, step) {
        (Some(number), _) if number < n => Ok(number),
        (Some(number), _) => {
            let problem = format!("{place} has {n} entries, and none of number {number}");
            Err(Fault::at("", problem).hint("entries are counted from 0"))
        }
        (None, Step::Name(name)) => {
            let names: Vec<String> = entries.iter().filter_map(name_of).collect();
            let fault = Fault::at("", format!("nothing in {place} is called \"{name}\""));
            Err(match names.is_empty() {
                true => fault.hint("count its entries from 0"),
                false => Fault {
                    hint: meant(name, names.iter().map(String::as_str)).or_else(|| {
                        Some(format!(
                            "there is {}",
                            names[..names.len().min(8)].join(", ")
                        ))
                    }),
                    ..fault
                },
            })
        }
        (None, Step::Number(_)) => Err(Fault::at("", "is no number")),
    }
}
