//! Calls: functions of the language, of the text and of the world.

use std::sync::Arc;

use super::{Function, Is, Scope};
use crate::catalogue;
use crate::graph::{At, Value};
use crate::limits::MAX_EXPANSIONS;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::Field;
use crate::tree::{Kind, NodeId, Tree};

/// Inputs from here on stand for what is not known yet, and are put in its place before anybody sees them.
const TEMPORARY: u32 = 1 << 31;

impl Scope<'_> {
    /// `of(with, …)`.
    pub(super) fn call(
        &mut self,
        tree: &Tree,
        node: NodeId,
        of: NodeId,
        with: &[NodeId],
    ) -> Checked<Value> {
        let span = self.called.unwrap_or(tree.span(node));
        if let Some(function) = self.function(tree, of)? {
            self.count(&function.name, function.parameters.len(), with.len(), span)?;
            let values = self.all(tree, with)?;
            return self.expand(&function, &values, span);
        }
        let path = tree.path(of).unwrap_or_default();
        if let Kind::Name(name, false) = tree.kind(of)
            && let Some(builtin) = catalogue::function(name)
        {
            if !(builtin.least..=builtin.most).contains(&with.len()) {
                let n = with.len().to_string();
                let words = [builtin.name, " does not take ", &n];
                return Err(Problem::new(span, &words).hint(&["write ", builtin.form]));
            }
            return self.builtin(tree, span, builtin, with);
        }
        if let Some(field) = self.resolver.field(&path) {
            let values = self.all(tree, with)?;
            return self.field(field, &values, span);
        }
        let own = self.find(&path, matches!(tree.kind(of), Kind::Name(_, true)), span)?;
        if let Some(found) = self.place(tree, of, with)? {
            return Ok(found);
        }
        if own.is_some() {
            let name = path.join(".");
            let problem = Problem::new(tree.span(of), &["\"", &name, "\" is not a function"]);
            let problem = problem.edit(tree.span(of), [&name, "*"].concat());
            return Err(problem.hint(&["write ", &name, "*(…) to multiply"]));
        }
        Err(self.unknown(tree, of, true))
    }

    /// What can be called: of a text, or of the world.
    pub(super) fn function(&mut self, tree: &Tree, of: NodeId) -> Checked<Option<Arc<Function>>> {
        let Some(path) = tree.path(of) else {
            return Ok(None);
        };
        let known = self.known.iter().find(|own| *own.name == *path[0]);
        match known.map(|own| &own.is).filter(|_| path.len() == 1) {
            Some(Is::Function(function)) => Ok(Some(function.clone())),
            Some(Is::Open | Is::Failed) => Err(Box::default()),
            Some(Is::Value(_)) => Ok(None),
            None => Ok(self.resolver.function(&path)),
        }
    }

    fn count(&self, name: &str, takes: usize, given: usize, span: Span) -> Checked<()> {
        if takes == given {
            return Ok(());
        }
        let (takes, given) = (takes.to_string(), given.to_string());
        Err(Problem::new(
            span,
            &[name, " takes ", &takes, ", not ", &given],
        ))
    }

    pub(super) fn all(&mut self, tree: &Tree, nodes: &[NodeId]) -> Checked<Vec<Value>> {
        nodes.iter().map(|node| self.lower(tree, *node)).collect()
    }

    /// One expansion more.
    pub(super) fn expanded(&mut self, span: Span) -> Checked<()> {
        self.n_expansions += 1;
        if self.n_expansions <= MAX_EXPANSIONS {
            return Ok(());
        }
        let limit = MAX_EXPANSIONS.to_string();
        let words = [
            "calls functions and adds terms more than ",
            &limit,
            " times",
        ];
        Err(Problem::new(span, &words))
    }

    /// The formula of a function, with values for its parameters.
    pub(super) fn expand(
        &mut self,
        function: &Arc<Function>,
        values: &[Value],
        span: Span,
    ) -> Checked<Value> {
        self.expanded(span)?;
        let n_locals = self.locals.len();
        let parameters = function.parameters.iter().cloned();
        self.locals.extend(parameters.zip(values.iter().copied()));
        let first_local = std::mem::replace(&mut self.first_local, n_locals);
        let home = std::mem::replace(&mut self.home, function.home.clone());
        let called = self.called;
        if function.is_of_world {
            self.called = called.or(Some(span));
        }
        let value = self.lower(&function.tree, function.is);
        self.locals.truncate(n_locals);
        (self.first_local, self.home, self.called) = (first_local, home, called);
        value.map_err(|mut problem| {
            if function.is_of_world && !problem.message.is_empty() {
                problem.message = ["in ", &function.name, ": ", &problem.message].concat();
            }
            problem
        })
    }

    /// A function of the world with fixed parameters: a place on it.
    fn place(&mut self, tree: &Tree, of: NodeId, with: &[NodeId]) -> Checked<Option<Value>> {
        let path = tree.path(of).unwrap_or_default();
        let mut at = Vec::new();
        for node in with {
            // What is wrong with it is told if there is something to call.
            match self.scalar(tree, *node).map(|at| self.graph.value(at)) {
                Ok(Some(value)) => at.push(value),
                _ => return Ok(None),
            }
        }
        let named = self.resolver.place(&path, &at);
        Ok(named.map(|named| {
            let found = self.found(named);
            self.as_value(found)
        }))
    }

    fn field(&mut self, field: Arc<dyn Field>, values: &[Value], span: Span) -> Checked<Value> {
        let at: Vec<At> = values
            .iter()
            .flat_map(|value| value.parts().to_vec())
            .collect();
        let [x, y] = at[..] else {
            let problem = Problem::new(span, &["a picture has a value at a point of the plane"]);
            return Err(problem.hint(&["give a vector of the plane, or x and y"]));
        };
        let fields = &mut self.graph.fields;
        let own = fields.iter().position(|own| Arc::ptr_eq(own, &field));
        let index = own.unwrap_or_else(|| {
            fields.push(field);
            fields.len() - 1
        });
        Ok(Value::scalar(self.graph.field((index as u32) << 4, x, y)))
    }

    /// An input that stands for something until it is put in its place.
    pub(super) fn temporary(&mut self) -> (u32, At) {
        self.n_temporary += 1;
        let index = TEMPORARY + self.n_temporary;
        (index, self.graph.input(index))
    }
}
