//! Parameters that change, and all that follows.
//!
//! What a scene was written as gives it again, before and after: what differs between the two is edited, as by hand.
//! The rest is not touched, and what moves goes on.

use linkwork_formula::{names, renamed};

use super::change::Change;
use super::differences::differences;
use super::{Command, RemoveParameter, SetParameter};
use crate::fault::{Fault, Under};
use crate::format::Document;
use crate::parameter::{
    Given, Parameter, Parameters, Start, check_name, evaluated, rewritten, tree_of, uses, written,
};
use crate::read::node::{Node, Tree};
use crate::read::{Record, Setting};
use crate::scene::Scene;

/// An edit of parameters or of what is written over them.
#[derive(Clone, Debug)]
pub(super) struct Rewrite {
    pub(super) edit: Edit,
    /// Whether time stands, so that bodies are put where they start now.
    pub(super) stands: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// All at once.
    Set(Vec<SetParameter>),
    Remove(RemoveParameter),
    Field(Setting),
}

/// Makes an edit of a scene that no session has begun with.
pub(crate) fn apply(scene: &mut Scene, edit: Edit) -> Result<(), Fault> {
    let rewrite = Box::new(Rewrite { edit, stands: true });
    Change::Rewrite(rewrite).apply(scene)?;
    followed(scene, Vec::new())
}

/// What a rewrite leads to.
pub(super) fn changes(scene: &Scene, rewrite: &Rewrite) -> Result<Vec<Change>, Fault> {
    let source = scene.parameters.source();
    let time = source.map_or(scene.world.state().t, |own| own.time);
    let tree = match written(scene)? {
        Some(tree) => tree,
        None => {
            let mut tree = tree_of(&crate::describe::plain(scene)?)?;
            tree.retain(&|key| !matches!(key, "state" | "hands"));
            tree
        }
    };
    let before = Start::of(&tree, time)?;
    let mut after = tree.clone();
    match &rewrite.edit {
        Edit::Set(own) => set(scene, &mut after, own)?,
        Edit::Remove(own) => remove(scene, &mut after, own)?,
        Edit::Field(setting) => {
            return match field(after, setting, time) {
                Ok((tree, after)) => differences(scene, &before, &after, &tree, rewrite.stands),
                // As numbers it may have the field.
                Err(fault) => {
                    let plain = plain_entry(&tree, &before.document, setting);
                    match plain.and_then(|tree| field(tree, setting, time).ok()) {
                        Some((tree, after)) => {
                            differences(scene, &before, &after, &tree, rewrite.stands)
                        }
                        None => Err(fault),
                    }
                }
            };
        }
    }
    let start = Start::of(&after, time).map_err(|fault| by_name(fault, &after))?;
    differences(scene, &before, &start, &after, rewrite.stands)
}

/// A document with a field set, and what it gives.
fn field(mut tree: Node, setting: &Setting, time: f64) -> Result<(Node, Start), Fault> {
    setting.put(&mut tree).under("field")?;
    let start = Start::of(&tree, time).map_err(|fault| by_name(fault, &tree))?;
    Ok((tree, start))
}

/// The document with the entry of a setting in numbers, and what comes with it.
fn plain_entry(tree: &Node, plain: &Document, setting: &Setting) -> Option<Node> {
    let (list, name) = setting.entry()?;
    let plain = tree_of(plain).ok()?;
    let entry = plain.entry(list, name)?;
    let mut entries = tree.get(list)?.entries().ok()?.to_vec();
    let at = entries.iter().position(|own| own.name() == Some(name))?;
    entries[at] = entry.clone();
    let beside = plain.get(list)?.entries().ok()?.iter().filter(|own| {
        let comes = own.name().and_then(|own| own.strip_prefix(name));
        comes.is_some_and(|rest| rest.starts_with(' '))
            && own
                .name()
                .is_some_and(|own| tree.entry(list, own).is_none())
    });
    for own in beside {
        entries.insert(at + 1, own.clone());
    }
    let mut tree = tree.clone();
    tree.set(list, Some(Node::made(Tree::List(entries.into()))));
    Some(tree)
}

/// A fault with names in place of numbers: `bodies.crank.length`.
fn by_name(mut fault: Fault, tree: &Node) -> Fault {
    let named = || {
        let (list, rest) = fault.path.split_once('[')?;
        let (number, rest) = rest.split_once(']')?;
        let entry = tree
            .get(list)?
            .entries()
            .ok()?
            .get(number.parse::<usize>().ok()?)?;
        Some(format!("{list}.{}{rest}", entry.name()?))
    };
    if let Some(path) = named() {
        fault.path = path;
    }
    fault
}

/// Which of the changes failed says nothing about what was asked for.
pub(super) fn outside(mut fault: Fault) -> Fault {
    while let Some((_, rest)) = fault
        .path
        .strip_prefix('[')
        .and_then(|own| own.split_once(']'))
    {
        fault.path = rest.trim_start_matches('.').to_owned();
    }
    fault
}

/// The parameters of a tree, to be changed.
fn put(tree: &mut Node, list: Vec<(String, Node)>) {
    let fields = list.iter().map(|(name, own)| (name.as_str(), own.clone()));
    let object = Node::object(fields.collect());
    tree.set("parameters", (!list.is_empty()).then_some(object));
}

fn listed(own: &Parameter) -> Node {
    let value = Node::made(own.given.tree());
    let mut fields = vec![("value", value.clone())];
    if let Some(range) = own.range {
        let range = range.map(|end| Node::made(Tree::Number(end)));
        fields.push(("range", Node::made(Tree::List(range.into()))));
    }
    if let Some(help) = &own.help {
        fields.push(("help", Node::made(Tree::Text(help.as_str().into()))));
    }
    match fields.len() {
        1 => value,
        _ => Node::object(fields),
    }
}

fn unknown(scene: &Scene, name: &str) -> Fault {
    let known = scene.parameters.list().iter().map(|own| own.name.as_str());
    Fault::at("name", format!("no parameter is called \"{name}\"")).meant(name, known)
}

/// A new name is nobody else's.
fn check_new(scene: &Scene, name: &str) -> Result<(), Fault> {
    check_name(name)?;
    let what = if name == "ground" || scene.world.find_body(name).is_some() {
        "body"
    } else if scene.connector(name).is_some() {
        "connector"
    } else {
        return Ok(());
    };
    let problem = format!("\"{name}\" is the name of a {what}");
    Err(Fault::at("", problem).hint("the name would be ambiguous in formulas; choose another one"))
}

fn set(scene: &Scene, tree: &mut Node, all: &[SetParameter]) -> Result<(), Fault> {
    let mut list = scene.parameters.list().to_vec();
    for own in all {
        set_one(scene, &mut list, own)?;
    }
    put(
        tree,
        list.iter()
            .map(|own| (own.name.clone(), listed(own)))
            .collect(),
    );
    Ok(())
}

fn set_one(scene: &Scene, list: &mut Vec<Parameter>, own: &SetParameter) -> Result<(), Fault> {
    let at = list.iter().position(|other| other.name == own.name);
    let at = match at {
        Some(at) => at,
        None => {
            check_new(scene, &own.name).under("name")?;
            list.push(Parameter {
                name: own.name.clone(),
                given: own.value.clone(),
                range: None,
                help: None,
                value: 0.0,
            });
            list.len() - 1
        }
    };
    let parameter = &mut list[at];
    parameter.given = own.value.clone();
    parameter.range = own.range.or(parameter.range);
    parameter.help = own.help.clone().or(parameter.help.take());
    Ok(())
}

/// A formula with another name, or with a value in place of it.
fn replaced(text: &str, from: &str, to: &str) -> String {
    match text.strip_prefix('=') {
        Some(inner) => format!("={}", renamed(inner, from, to)),
        None => renamed(text, from, to),
    }
}

/// Refuses a parameter that is not there, and a new name that is taken.
pub(super) fn check_rename(scene: &Scene, name: &str, to: &str) -> Result<(), Fault> {
    let known = scene.parameters.find(name);
    known.ok_or_else(|| unknown(scene, name))?;
    check_new(scene, to).under("to")?;
    match scene.parameters.find(to) {
        Some(_) => Err(Fault::at("to", format!("\"{to}\" is a parameter already"))),
        None => Ok(()),
    }
}

fn remove(scene: &Scene, tree: &mut Node, own: &RemoveParameter) -> Result<(), Fault> {
    const SHOWN: usize = 6;
    let name = &own.name;
    let parameters = &scene.parameters;
    let gone = parameters.find(name).ok_or_else(|| unknown(scene, name))?;
    let users = uses(parameters, name);
    if !users.is_empty() && !own.keep_values {
        let mut shown = users[..users.len().min(SHOWN)].join(", ");
        if users.len() > SHOWN {
            shown += &format!(" and {} more", users.len() - SHOWN);
        }
        let problem = format!("\"{name}\" is used by {shown}");
        let hint = "change them first, or let them keep their values: \"keep_values\": true";
        return Err(Fault::at("name", problem).hint(hint));
    }
    let value = format!("({})", gone.value);
    let rest: Vec<&Parameter> = parameters
        .list()
        .iter()
        .filter(|own| own.name != *name)
        .collect();
    // What depends on nothing else is a number then.
    let kept = |text: &str, is: f64| {
        let text = replaced(text, name, &value);
        let depends = |inner: &str| {
            let names = names(inner);
            names
                .iter()
                .any(|(used, _)| rest.iter().any(|own| own.name == *used))
        };
        match text.strip_prefix('=') {
            Some(inner) if !depends(inner) => Tree::Number(is),
            _ => Tree::Text(text.into()),
        }
    };
    let is_used = |text: &str| {
        let inner = text.strip_prefix('=').unwrap_or(text);
        names(inner).iter().any(|(used, _)| used == name)
    };
    *tree = rewritten(tree, "", &|_, text| {
        if !is_used(text) {
            return None;
        }
        let node = evaluated(&Node::made(Tree::Text(text.into())), parameters);
        let value = match node.number() {
            Some(Ok(value)) => value,
            _ => 0.0,
        };
        Some(kept(text, value))
    });
    let list = rest.iter().map(|own| {
        let mut own = (*own).clone();
        if let Given::Text(text) = &own.given
            && is_used(text)
        {
            own.given = match kept(text, own.value) {
                Tree::Text(text) => Given::Text(text.into()),
                _ => Given::Number(own.value),
            };
        }
        (own.name.clone(), listed(&own))
    });
    put(tree, list.collect());
    Ok(())
}

/// The command with its texts worked out.
pub(super) fn worked_out(scene: &Scene, node: &Node) -> Result<Command, Fault> {
    let command = Command::read(&evaluated(node, &scene.parameters));
    command.map_err(|mut fault| {
        // The word of the command comes to the path by itself.
        if let Some((_, rest)) = fault.path.split_once('.') {
            fault.path = rest.to_owned();
        }
        fault
    })
}

/// After an edit: what it has changed is no longer as it was written, and what it was written as is kept. Gives what
/// takes both back.
pub(super) fn follow(scene: &mut Scene, command: &Command, back: Change) -> Result<Change, Fault> {
    let typed = match command {
        Command::Typed(node) => entries(node),
        _ => Vec::new(),
    };
    if scene.parameters.source().is_none() && typed.is_empty() {
        return Ok(back);
    }
    let before = scene.parameters.clone();
    match followed(scene, typed) {
        Ok(()) if scene.parameters == before => Ok(back),
        Ok(()) => Ok(Change::All(vec![Change::Written(Box::new(before)), back])),
        Err(fault) => {
            scene.parameters = before;
            back.apply(scene)?;
            Err(fault)
        }
    }
}

fn followed(scene: &mut Scene, typed: Vec<(&'static str, Node)>) -> Result<(), Fault> {
    let (mut tree, time) = match scene.parameters.source() {
        Some(source) => (source.tree.clone(), source.time),
        None => (
            tree_of(&crate::describe::plain(scene)?)?,
            scene.world.state().t,
        ),
    };
    let has_typed = !typed.is_empty();
    for (list, entry) in typed {
        put_entry(&mut tree, list, entry);
    }
    if has_typed {
        let list = scene.parameters.list().iter();
        put(
            &mut tree,
            list.map(|own| (own.name.clone(), listed(own))).collect(),
        );
        scene.parameters = Parameters::of(&tree, time)?;
    }
    if let Some(tree) = written(scene)? {
        scene.parameters = Parameters::of(&tree, time)?;
    }
    Ok(())
}

/// What a command with texts says, by list; world and view are lists of one.
fn entries(node: &Node) -> Vec<(&'static str, Node)> {
    let mut all = Vec::new();
    for (word, own) in node.inner() {
        let list = match word.map_or("", |word| word) {
            "add_body" | "set_body" | "resize" => "bodies",
            "join" | "set_joint" => "joints",
            "add_behavior" | "set_behavior" => "behaviors",
            "add_connector" => "connectors",
            "add_trace" => "traces",
            "set_world" => "world",
            "set_view" => "view",
            "together" => {
                let inner = own.inner();
                all.extend(inner.flat_map(|(_, own)| entries(own)));
                continue;
            }
            _ => continue,
        };
        all.push((list, own.clone()));
    }
    all
}

/// An entry in place of that of its name, where it starts if it does not say where; or a new one.
fn put_entry(tree: &mut Node, list: &'static str, mut entry: Node) {
    if matches!(list, "world" | "view") {
        return tree.set(list, Some(entry));
    }
    let mut all = match tree.get(list).map(|own| own.tree.clone()) {
        Some(Tree::List(entries)) => entries.into_vec(),
        _ => Vec::new(),
    };
    let name = entry.name().unwrap_or_default().to_owned();
    match all.iter().position(|own| own.name() == Some(&name)) {
        Some(at) => {
            if list == "bodies" {
                keep_place(&mut entry, &all[at]);
            }
            all[at] = entry;
        }
        None => all.push(entry),
    }
    tree.set(list, Some(Node::made(Tree::List(all.into()))));
}

/// A body that does not say where it is stays where it starts.
fn keep_place(entry: &mut Node, before: &Node) {
    const PLACE: [&str; 10] = [
        "position",
        "angle",
        "angle_deg",
        "quaternion",
        "axis",
        "euler_deg",
        "q",
        "values",
        "from",
        "to",
    ];
    const MOTION: [&str; 5] = ["velocity", "spin", "spin_deg", "angular_velocity", "v"];
    for fields in [&PLACE[..], &MOTION[..]] {
        if fields.iter().all(|name| entry.get(name).is_none()) {
            for name in fields {
                if let Some(own) = before.get(name) {
                    entry.set(name, Some(own.clone()));
                }
            }
        }
    }
}
