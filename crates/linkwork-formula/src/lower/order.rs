//! The order in which definitions of a text are worked out: each after those it mentions, wherever they stand.

use crate::messages::Say;
use crate::problem::{Problem, Span};
use crate::tree::{Kind, NodeId, Parameter, Says, Tree};

/// A statement that defines a name.
pub(super) struct Defined<'t> {
    /// Which statement.
    pub(super) index: usize,
    pub(super) name: &'t str,
    /// Where the name stands.
    pub(super) span: Span,
    pub(super) parameters: &'t [Parameter],
    /// From, to.
    nodes: [NodeId; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The definitions of a text.
pub(super) fn definitions(tree: &Tree) -> Vec<Defined<'_>> {
    let mut found = Vec::new();
    for (index, statement) in tree.statements.iter().enumerate() {
        let (own, parameters): (_, &[Parameter]) = match &statement.says {
            Says::Define(own, _) => (own, &[]),
            Says::Function(_, own, parameters) => (own, parameters),
            _ => continue,
        };
        found.push(Defined {
            index,
            name: &own.name,
            span: own.span,
            parameters,
            nodes: statement.nodes,
        });
    }
    found
}

/// Statements, and what is wrong with some of them.
pub(super) type Problems = Vec<(usize, Box<Problem>)>;

/// The statements of definitions in an order; and those that mention themselves, with what is wrong.
pub(super) fn order(tree: &Tree, all: &[Defined<'_>]) -> (Vec<usize>, Problems) {
    let mut marks = vec![Mark::New; all.len()];
    let (mut done, mut wrong) = (Vec::new(), Vec::new());
    for first in 0..all.len() {
        if marks[first] != Mark::New {
            continue;
        }
        // What is open, and from where in its nodes to go on.
        let mut open = vec![(first, all[first].nodes[0])];
        marks[first] = Mark::Open;
        while let Some((own, from)) = open.pop() {
            let Some((node, other)) = mention(tree, all, &all[own], from) else {
                marks[own] = Mark::Done;
                done.push(all[own].index);
                continue;
            };
            open.push((own, node + 1));
            match marks[other] {
                Mark::New => {
                    marks[other] = Mark::Open;
                    open.push((other, all[other].nodes[0]));
                }
                Mark::Open => {
                    let from = open.iter().position(|(own, _)| *own == other);
                    let mut way = String::new();
                    for (member, _) in open.iter().skip(from.unwrap_or(0)) {
                        way.extend([all[*member].name, " → "]);
                    }
                    way.push_str(all[other].name);
                    let words = [all[other].name, &way];
                    let problem = Problem::say(tree.span(node), Say::OnItself, &words);
                    wrong.push((all[own].index, problem));
                }
                Mark::Done => {}
            }
        }
    }
    (done, wrong)
}

/// The next node of a definition, from one on, that names a definition.
fn mention(
    tree: &Tree,
    all: &[Defined<'_>],
    own: &Defined<'_>,
    from: NodeId,
) -> Option<(NodeId, usize)> {
    for node in from..own.nodes[1] {
        let Kind::Name(name, _) = tree.kind(node) else {
            continue;
        };
        // Neither its own name before the sign, nor its parameters.
        let is_parameter = own.parameters.iter().any(|own| own.name == *name);
        if tree.span(node) == own.span || is_parameter {
            continue;
        }
        if let Some(other) = all.iter().position(|other| *other.name == **name) {
            return Some((node, other));
        }
    }
    None
}
