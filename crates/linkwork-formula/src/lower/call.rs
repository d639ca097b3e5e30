//! Calls of functions of the text and of the world.

use std::sync::Arc;

use super::{Function, Is, Scope, too_much};
use crate::catalogue;
use crate::graph::{At, Value};
use crate::limits::MAX_EXPANSIONS;
use crate::messages::Say;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::Field;
use crate::tree::{Kind, NodeId, Tree};

/// Inputs from here on stand for what is not known yet, and are put in its place before anybody sees them.
const TEMPORARY: u16 = 1 << 15;

impl Scope<'_> {
    /// `of(with, …)`.
    pub(super) fn call(
        &mut self,
        tree: &Tree,
        span: Span,
        of: NodeId,
        with: &[NodeId],
    ) -> Checked<Value> {
        if let Some(function) = self.function(tree, of)? {
            if function.parameters.len() != with.len() {
                let [takes, given] = [function.parameters.len(), with.len()].map(|n| n.to_string());
                let words = [function.name.as_str(), &takes, &given];
                return Err(Problem::say(span, Say::Takes, &words));
            }
            let values = self.all(tree, with)?;
            self.expanded(span)?;
            return self.expand(&function, &values, span);
        }
        let is_quoted = matches!(tree.kind(of), Kind::Name(_, true));
        let path = tree.path(of).unwrap_or_default();
        if let [name] = path[..]
            && let Some(builtin) = catalogue::function(name).filter(|_| !is_quoted)
        {
            if !(builtin.least..=builtin.most).contains(&with.len()) {
                let n = with.len().to_string();
                let words = [builtin.name, &n, builtin.form];
                return Err(Problem::say(span, Say::DoesNotTake, &words));
            }
            return self.builtin(tree, span, builtin, with);
        }
        if let Some(field) = self.resolver.field(&path) {
            return self.field(tree, span, field, with);
        }
        if let Some(found) = self.place(tree, &path, with) {
            return Ok(found);
        }
        if let Some(found) = self.along(tree, &path, with) {
            return Ok(found);
        }
        if self.find(&path, is_quoted, span)?.is_some() {
            let (of, name) = (tree.span(of), path.join("."));
            let problem = Problem::say(of, Say::NotAFunction, &[&name, &name]);
            return Err(problem.edit(of, [&name, "*"].concat()));
        }
        // What cannot be called at these may be known.
        self.all(tree, with)?;
        Err(self.unknown(tree, of, true))
    }

    /// What can be called: of a text, or of the world.
    pub(super) fn function(&mut self, tree: &Tree, of: NodeId) -> Checked<Option<Arc<Function>>> {
        let path = tree.path(of).unwrap_or_default();
        if let [name] = path[..]
            && let Some(known) = self.known.iter().find(|own| *own.name == *name)
        {
            return match &known.is {
                Is::Function(function) => Ok(Some(function.clone())),
                Is::Open | Is::Failed => Err(Box::default()),
                Is::Value(_) => Ok(None),
            };
        }
        Ok(self.resolver.function(&path))
    }

    pub(super) fn all(&mut self, tree: &Tree, nodes: &[NodeId]) -> Checked<Vec<Value>> {
        let mut values = Vec::new();
        for node in nodes {
            values.push(self.lower(tree, *node)?);
        }
        Ok(values)
    }

    /// One expansion more.
    pub(super) fn expanded(&mut self, span: Span) -> Checked<()> {
        self.n_expansions += 1;
        match self.n_expansions <= MAX_EXPANSIONS {
            true => Ok(()),
            false => Err(too_much(span, Say::TooOften, MAX_EXPANSIONS)),
        }
    }

    /// The formula of a function, with values for its parameters.
    pub(super) fn expand(
        &mut self,
        function: &Function,
        values: &[Value],
        span: Span,
    ) -> Checked<Value> {
        let n_locals = self.locals.len();
        for (name, value) in function.parameters.iter().zip(values) {
            self.locals.push((name.clone(), *value));
        }
        let first_local = std::mem::replace(&mut self.first_local, n_locals);
        let home = std::mem::replace(&mut self.home, function.home.clone());
        let called = self.called;
        if function.is_elsewhere {
            self.called = called.or(Some(span));
        }
        let value = self.lower(&function.tree, function.is);
        self.locals.truncate(n_locals);
        (self.first_local, self.home, self.called) = (first_local, home, called);
        value.map_err(|mut problem| {
            if function.is_elsewhere && !problem.message.is_empty() {
                problem.message = ["in ", &function.name, ": ", &problem.message].concat();
            }
            problem
        })
    }

    /// Something of the world at fixed parameters: a place on it. What is wrong with these is told if there is
    /// something to call.
    fn place(&mut self, tree: &Tree, path: &[&str], with: &[NodeId]) -> Option<Value> {
        let mut at = Vec::new();
        for node in with {
            at.push(self.constant(tree, *node).ok()?);
        }
        let named = self.resolver.place(path, &at)?;
        Some(self.found(named).value)
    }

    /// Something of the world at parameters that are inputs.
    fn along(&mut self, tree: &Tree, path: &[&str], with: &[NodeId]) -> Option<Value> {
        let mut at = Vec::new();
        for node in with {
            let own = self.scalar(tree, *node).ok()?;
            at.push(self.graph.index(own)?);
        }
        let named = self.resolver.along(path, &at)?;
        Some(self.found(named).value)
    }

    fn field(
        &mut self,
        tree: &Tree,
        span: Span,
        field: Arc<dyn Field>,
        with: &[NodeId],
    ) -> Checked<Value> {
        let mut at = Vec::new();
        for value in self.all(tree, with)? {
            at.extend_from_slice(value.parts());
        }
        let [x, y] = at[..] else {
            return Err(Problem::say(span, Say::NoPlace, &[]));
        };
        let fields = &mut self.graph.fields;
        let own = fields.iter().position(|own| Arc::ptr_eq(own, &field));
        let index = own.unwrap_or(fields.len());
        if index == fields.len() {
            if field.at(0.0).is_some() {
                self.graph.time = self.resolver.time();
            }
            self.graph.fields.push(field);
        }
        Ok(Value::scalar(self.graph.field((index as u16) << 4, x, y)))
    }

    /// An input that stands for something until it is put in its place.
    pub(super) fn temporary(&mut self) -> (u16, At) {
        // Few are open at a time.
        self.n_temporary = self.n_temporary.wrapping_add(1);
        let index = TEMPORARY | self.n_temporary;
        (index, self.graph.input(index))
    }
}
