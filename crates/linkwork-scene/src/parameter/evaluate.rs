//! Texts in place of numbers, worked out in a tree.

use linkwork_formula::{Expression, Problem, brief, names, renamed};

use super::list::value_of;
use super::{Parameter, Parameters};
use crate::fault::Fault;
use crate::formula::advised;
use crate::read::node::{Computed, Node, Tree};

/// Whether a text stands for a number.
pub(crate) fn is_text(text: &str) -> bool {
    text.starts_with('=')
}

/// Parts of a document that are no entries: parameters work themselves out, a state has only numbers.
fn is_apart(key: &str) -> bool {
    matches!(key, "parameters" | "state")
}

/// Whether anything in a tree may stand for a number and is none.
pub(crate) fn has_texts(node: &Node) -> bool {
    let is_own = matches!(&node.tree, Tree::Text(text) if is_text(text));
    is_own
        || node
            .inner()
            .any(|(key, own)| !key.is_some_and(|key| is_apart(key)) && has_texts(own))
}

/// The tree with each text that begins with `=` worked out. What is wrong with one matters only where a number is read.
pub(crate) fn evaluated(node: &Node, parameters: &Parameters) -> Node {
    within(node, "", parameters.list())
}

fn within(node: &Node, key: &str, list: &[Parameter]) -> Node {
    let tree = match &node.tree {
        Tree::Text(text) if is_text(text) => Tree::Computed(Box::new(Computed {
            text: text.clone(),
            value: value(text, key, list),
        })),
        Tree::List(entries) => {
            Tree::List(entries.iter().map(|own| within(own, key, list)).collect())
        }
        Tree::Object(fields) => {
            // Functions of time know no scene: parameters in them are their values. Joints do, and look them up.
            let is_function =
                node.get("type").and_then(Node::text) == Some("formula") && node.name().is_none();
            let fields = fields.iter().map(|(key, own)| match own.text() {
                _ if is_apart(key) => (key.clone(), own.clone()),
                Some(text) if is_function && **key == *"is" => (
                    key.clone(),
                    Node::made(Tree::Text(filled(text, list).into())),
                ),
                _ => (key.clone(), within(own, key, list)),
            });
            Tree::Object(fields.collect())
        }
        other => other.clone(),
    };
    let mut own = node.clone();
    own.tree = tree;
    own
}

/// A formula with the values of parameters in place of their names.
fn filled(text: &str, list: &[Parameter]) -> String {
    let used = list
        .iter()
        .filter(|own| names(text).iter().any(|(name, _)| *name == own.name));
    used.fold(text.to_owned(), |text, own| {
        renamed(&text, &own.name, &format!("({})", own.value))
    })
}

/// What a text in a field of this name comes to.
fn value(text: &str, key: &str, list: &[Parameter]) -> Result<f64, Fault> {
    // What is divided by deg is in degrees.
    let is_degrees = text.replace(' ', "").contains("/deg");
    if let Some(radians) = key.strip_suffix("_deg").filter(|_| !is_degrees) {
        if says(text, "deg") || text.contains('°') {
            return Err(two_readings(text, radians));
        }
        if let Some(why) = in_radians(text, list) {
            let problem = format!("is \"{text}\" in a field of degrees, but {why} is in radians");
            let hint = match radians {
                "euler" => "divide it by deg".to_owned(),
                _ => format!("divide it by deg, or write \"{radians}\": \"{text}\" in its place"),
            };
            return Err(Fault::at("", problem).hint(hint));
        }
    }
    value_of(&expression(text)?, list)
}

fn says(text: &str, word: &str) -> bool {
    names(&spaced(text)).iter().any(|(name, _)| *name == word)
}

/// What of a text is an angle or a rate in radians for certain: `rpm`, or a parameter that is so many `deg` or `rpm`.
fn in_radians(text: &str, list: &[Parameter]) -> Option<String> {
    if says(text, "rpm") {
        return Some("rpm".into());
    }
    let is_angle = |own: &&Parameter| {
        own.given.text().is_some_and(|text| {
            let is_said = says(text, "deg") || says(text, "rpm") || text.contains('°');
            is_said && !text.contains('/')
        })
    };
    let mut angles = list.iter().filter(is_angle);
    let found = angles.find(|own| says(text, &own.name))?;
    Some(format!("\"{}\"", found.name))
}

/// Degrees in a field of degrees.
fn two_readings(text: &str, radians: &str) -> Fault {
    let bare = renamed(&spaced(text), "deg", "").replace('°', "");
    let bare = format!("={}", bare.trim());
    let problem = format!("is \"{text}\" in a field of degrees, which can be read in two ways");
    let first = match Expression::parse(&spaced(&bare)) {
        Ok(_) => format!("write \"{bare}\" here"),
        Err(_) => "leave \"deg\" out".to_owned(),
    };
    let fault = Fault::at("", problem);
    match radians {
        // Turns about three axes are only given in degrees.
        "euler" => fault.hint(first),
        _ => fault.hint(format!(
            "{first}, or \"{radians}\": \"{text}\" in its place"
        )),
    }
}

/// The text without its sign, with places as they were.
fn spaced(text: &str) -> String {
    text.replacen('=', " ", 1)
}

/// Reads a text that begins with `=`.
pub(super) fn expression(text: &str) -> Result<Expression, Fault> {
    let own = spaced(text);
    Expression::parse(&own).map_err(|problem| told(&problem, &own))
}

/// A mistake with its place in the text.
pub(super) fn told(problem: &Problem, text: &str) -> Fault {
    let (_, column) = problem.span.place(text);
    let own = match problem.span.of(text).trim() {
        "" => String::new(),
        own => format!(" (\"{}\")", brief(own)),
    };
    let fault = Fault::at("", format!("{}, at column {column}{own}", problem.message));
    advised(fault, problem)
}
