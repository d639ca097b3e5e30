//! Where texts stand, and which depend on a parameter.

use linkwork_formula::names;

use super::evaluate::is_text;
use super::{Given, Parameters, evaluated};
use crate::export::columns::name::join;
use crate::read::node::{Node, Tree};
use crate::scene::Scene;

/// A number of a scene that is a text.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldText {
    /// Where: `bodies.crank.length`, `joints.pin.at[0]`.
    pub field: String,
    /// The text, from its `=` on.
    pub text: String,
    /// What it comes to; none where it stands for no number.
    pub value: Option<f64>,
}

/// Every text of a scene in the order of its file.
pub fn field_texts(scene: &Scene) -> Vec<FieldText> {
    let mut all = Vec::new();
    if let Some(source) = scene.parameters.source() {
        let tree = evaluated(&source.tree, &scene.parameters);
        walk(&tree, String::new(), &mut |field, node| {
            if let Tree::Computed(own) = &node.tree {
                all.push(FieldText {
                    field: field.to_owned(),
                    text: own.text.to_string(),
                    value: own.value.clone().ok(),
                });
            }
        });
    }
    all
}

/// Where a name is used: other parameters as `parameters.w`, and fields.
pub fn uses(parameters: &Parameters, name: &str) -> Vec<String> {
    let is_in = |text: &str| names(text).iter().any(|(own, _)| *own == name);
    let mut all = Vec::new();
    for own in parameters.list() {
        if matches!(&own.given, Given::Text(text) if is_in(&text[1..])) {
            all.push(format!("parameters.{}", own.name));
        }
    }
    if let Some(source) = parameters.source() {
        each_formula(&source.tree, &mut |field, text| {
            if is_in(text) {
                all.push(field.to_owned());
            }
        });
    }
    all
}

/// Every formula of a document: texts in place of numbers without their `=`, and those of formulas.
fn each_formula(tree: &Node, with: &mut dyn FnMut(&str, &str)) {
    walk(tree, String::new(), &mut |field, node| match &node.tree {
        Tree::Text(text) if is_text(text) => with(field, &text[1..]),
        Tree::Text(text) if is_formula(field) => with(field, text),
        _ => {}
    });
}

/// Whether the text of a field is a formula as a whole.
pub(crate) fn is_formula(field: &str) -> bool {
    let mut lists = ["joints.", "behaviors.", "quantities."].iter();
    lists.any(|list| field.starts_with(list)) && field.ends_with(".is")
        || field.starts_with("functions")
}

/// Every value of a document but its parameters, with its field.
pub(crate) fn walk(node: &Node, at: String, with: &mut dyn FnMut(&str, &Node)) {
    with(&at, node);
    let is_list = matches!(node.tree, Tree::List(_));
    for (number, (key, own)) in node.inner().enumerate() {
        let inner = match (key, own.name().filter(|_| is_list)) {
            (Some(key), _) if at.is_empty() => key.to_string(),
            (Some(name), _) => format!("{at}.{}", join([&**name])),
            (None, Some(name)) => format!("{at}.{}", join([name])),
            (None, None) => format!("{at}[{number}]"),
        };
        if inner != "parameters" {
            walk(own, inner, with);
        }
    }
}

/// The document with other formulas: `with` says what becomes of each, a text that begins with `=` or not.
pub(crate) fn rewritten(node: &Node, at: &str, with: &dyn Fn(&str, &str) -> Option<Tree>) -> Node {
    let mut own = node.clone();
    own.tree = match &node.tree {
        Tree::Text(text) if is_text(text) || is_formula(at) => {
            with(at, text).unwrap_or_else(|| node.tree.clone())
        }
        Tree::List(entries) => {
            Tree::List(entries.iter().map(|own| rewritten(own, at, with)).collect())
        }
        Tree::Object(fields) => {
            let fields = fields.iter().map(|(key, own)| {
                let inner = if at.is_empty() {
                    key.to_string()
                } else {
                    format!("{at}.{key}")
                };
                (key.clone(), rewritten(own, &inner, with))
            });
            Tree::Object(fields.collect())
        }
        other => other.clone(),
    };
    own
}
