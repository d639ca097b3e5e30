//! The order in which definitions of a text are worked out: each after those it mentions, wherever they stand.

use crate::problem::Problem;
use crate::tree::{Kind, NodeId, Parameter, Says, Statement, Tree};

/// A statement that defines a name.
pub(super) struct Defined<'t> {
    /// Which statement.
    pub(super) index: usize,
    pub(super) name: &'t str,
    statement: &'t Statement,
    parameters: &'t [Parameter],
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
        let (name, parameters): (_, &[Parameter]) = match &statement.says {
            Says::Define(own, _) => (&own.name, &[]),
            Says::Function(_, own, parameters) => (&own.name, parameters),
            _ => continue,
        };
        found.push(Defined {
            index,
            name,
            statement,
            parameters,
        });
    }
    found
}

/// An order of the definitions, by their numbers; and those that mention themselves, with what is wrong.
pub(super) fn order(tree: &Tree, all: &[Defined<'_>]) -> (Vec<usize>, Vec<(usize, Box<Problem>)>) {
    let mut marks = vec![Mark::New; all.len()];
    let (mut done, mut wrong) = (Vec::new(), Vec::new());
    for first in 0..all.len() {
        if marks[first] != Mark::New {
            continue;
        }
        // What is open, and from where in its nodes to go on.
        let mut open = vec![(first, all[first].statement.nodes[0])];
        marks[first] = Mark::Open;
        while let Some((own, from)) = open.pop() {
            let Some((node, other)) = mention(tree, all, own, from) else {
                marks[own] = Mark::Done;
                done.push(own);
                continue;
            };
            open.push((own, node + 1));
            match marks[other] {
                Mark::New => {
                    marks[other] = Mark::Open;
                    open.push((other, all[other].statement.nodes[0]));
                }
                Mark::Open => {
                    let start = open
                        .iter()
                        .position(|(open, _)| *open == other)
                        .unwrap_or(0);
                    let mut words = vec!["\"", all[other].name, "\" depends on itself: "];
                    for (member, _) in &open[start..] {
                        words.extend([all[*member].name, " → "]);
                    }
                    words.push(all[other].name);
                    let problem = Problem::new(tree.span(node), &words);
                    wrong.push((own, problem.hint(&["a definition cannot use itself"])));
                }
                Mark::Done => {}
            }
        }
    }
    (done, wrong)
}

/// The next node of a definition, from one on, that names a definition.
fn mention(tree: &Tree, all: &[Defined<'_>], own: usize, from: NodeId) -> Option<(NodeId, usize)> {
    let Defined {
        statement,
        parameters,
        ..
    } = all[own];
    let is = match &statement.says {
        Says::Define(own, _) | Says::Function(_, own, _) => own.span,
        _ => return None,
    };
    (from..statement.nodes[1]).find_map(|node| {
        let Kind::Name(name, _) = tree.kind(node) else {
            return None;
        };
        // Neither its own name before the sign, nor its parameters.
        let is_parameter = parameters.iter().any(|parameter| parameter.name == *name);
        if tree.span(node) == is || is_parameter {
            return None;
        }
        let other = all.iter().position(|other| *other.name == **name)?;
        Some((node, other))
    })
}
