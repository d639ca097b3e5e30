//! Expressions of constants: `L/2 + 5mm`.

use crate::lower::Scope;
use crate::parser;
use crate::problem::{Problem, Span};
use crate::resolver::{Named, Resolver};
use crate::tree::{Kind, NodeId, Tree};

/// An expression of constants, as it was typed.
#[derive(Clone, Debug)]
pub struct Expression {
    source: Box<str>,
    tree: Tree,
    root: NodeId,
}

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (tree, root) = parser::parse_expression(text, 0).map_err(|problem| *problem)?;
        Ok(Self {
            source: text.into(),
            tree,
            root,
        })
    }

    /// As it was typed.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names in it, units among them, with their places, as they come.
    pub fn names(&self) -> Vec<(String, Span)> {
        // A name may be a part of a longer one, or be called.
        let mut is_part = vec![false; self.tree.nodes.len()];
        for node in &self.tree.nodes {
            if let Kind::Member(of, _) | Kind::Call(of, _) = node.kind {
                is_part[of as usize] = true;
            }
        }
        let nodes = (0..is_part.len()).filter(|node| !is_part[*node]);
        let named = nodes.filter_map(|node| {
            let path = self.tree.path(node as NodeId)?;
            Some((path.join("."), self.tree.span(node as NodeId)))
        });
        named.collect()
    }

    /// Its value, for given values of its names.
    pub fn value(&self, table: &dyn Table) -> Result<f64, Problem> {
        let mut names = Names(table);
        let value = Scope::new(&mut names).number_of(&self.tree, self.root);
        value.map_err(|problem| *problem)
    }
}

/// Names of constants and their values.
pub trait Table {
    /// The value of a name.
    fn value(&self, name: &str) -> Option<f64>;

    /// All names, for suggestions.
    fn known(&self, offer: &mut dyn FnMut(&str));
}

impl Table for Vec<(&str, f64)> {
    fn value(&self, name: &str) -> Option<f64> {
        self.iter().find(|(own, _)| *own == name).map(|own| own.1)
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        self.iter().for_each(|(name, _)| offer(name));
    }
}

struct Names<'t>(&'t dyn Table);

impl Resolver for Names<'_> {
    fn name(&mut self, path: &[&str]) -> Option<Named> {
        self.0.value(&path.join(".")).map(Named::Constant)
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        self.0.known(offer);
    }
}
