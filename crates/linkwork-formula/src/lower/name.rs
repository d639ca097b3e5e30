//! What a name stands for: a local, a definition, a constant, something of the world, or a component of it.

use super::{Is, Scope};
use crate::catalogue;
use crate::graph::Value;
use crate::lexer;
use crate::nearest::Nearest;
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::{Kind, Named};
use crate::tree::{self, NodeId, Tree};

/// A name that was found.
pub(super) enum Found {
    Value(Value),
    Frame(Kind, u32),
}

/// Units that are left out, because numbers are in them.
const BASE_UNITS: [&str; 5] = ["m", "kg", "s", "N", "rad"];

impl Scope<'_> {
    /// A name, or a path of names and dots: the longest that is known, then a component.
    pub(super) fn named(&mut self, tree: &Tree, node: NodeId) -> Checked<Value> {
        let span = self.called.unwrap_or(tree.span(node));
        let Some(path) = tree.path(node) else {
            let tree::Kind::Member(of, name) = tree.kind(node) else {
                return Err(Problem::new(span, &["is no name"]));
            };
            let of = self.lower(tree, *of)?;
            return self.component(Found::Value(of), name, span);
        };
        let is_quoted = matches!(tree.kind(node), tree::Kind::Name(_, true));
        for n in (1..=path.len()).rev() {
            let Some(found) = self.find(&path[..n], is_quoted, span)? else {
                continue;
            };
            let mut found = found;
            for component in &path[n..] {
                found = Found::Value(self.component(found, component, span)?);
            }
            return Ok(self.as_value(found));
        }
        Err(self.unknown(tree, node, false))
    }

    /// What a path stands for as a whole.
    pub(super) fn find(
        &mut self,
        path: &[&str],
        is_quoted: bool,
        span: Span,
    ) -> Checked<Option<Found>> {
        if let [name] = *path {
            let locals = self.locals[self.first_local..].iter().rev();
            if let Some((_, value)) = locals.into_iter().find(|(own, _)| **own == *name) {
                return Ok(Some(Found::Value(*value)));
            }
            if let Some(found) = self.of_home(path) {
                return Ok(Some(found));
            }
            if let Some(known) = self.known.iter().find(|own| *own.name == *name) {
                return match known.is {
                    Is::Value(value) => Ok(Some(Found::Value(value))),
                    Is::Function(_) => {
                        let problem = Problem::new(span, &["\"", name, "\" is a function"]);
                        Err(problem.hint(&["call it: ", name, "(…)"]))
                    }
                    // That something is wrong with it was told.
                    Is::Open | Is::Failed => Err(Box::default()),
                };
            }
            if let Some(value) = catalogue::constant(name).filter(|_| !is_quoted) {
                if self.resolver.name(path).is_some() {
                    let words = [
                        "\"",
                        name,
                        "\" is a constant, and the name of something else too",
                    ];
                    let problem = Problem::new(span, &words);
                    return Err(problem.hint(&["write '", name, "' for what has that name"]));
                }
                return Ok(Some(Found::Value(Value::scalar(
                    self.graph.constant(value),
                ))));
            }
        } else if let Some(found) = self.of_home(path) {
            return Ok(Some(found));
        }
        let named = self.resolver.name(path);
        Ok(named.map(|named| self.found(named)))
    }

    /// A name behind the home of the function that is being expanded.
    fn of_home(&mut self, path: &[&str]) -> Option<Found> {
        if self.home.is_empty() {
            return None;
        }
        let home = self.home.iter().map(String::as_str);
        let whole: Vec<&str> = home.chain(path.iter().copied()).collect();
        let named = self.resolver.name(&whole)?;
        Some(self.found(named))
    }

    pub(super) fn found(&mut self, named: Named) -> Found {
        Found::Value(match named {
            Named::Constant(value) => Value::scalar(self.graph.constant(value)),
            Named::Input(kind @ (Kind::Frame2 | Kind::Frame3), first) => {
                return Found::Frame(kind, first);
            }
            Named::Input(kind, first) => self.inputs(first, kind.n_inputs()),
        })
    }

    fn inputs(&mut self, first: u32, n: usize) -> Value {
        let mut at = [0; 3];
        for (own, index) in at.iter_mut().zip(first..).take(n) {
            *own = self.graph.input(index);
        }
        Value::new(&at[..n])
    }

    /// A frame is its origin.
    pub(super) fn as_value(&mut self, found: Found) -> Value {
        match found {
            Found::Value(value) => value,
            Found::Frame(Kind::Frame2, first) => self.inputs(first, 2),
            Found::Frame(_, first) => self.inputs(first, 3),
        }
    }

    /// `.x`, `.angle` and their like.
    fn component(&mut self, of: Found, name: &str, span: Span) -> Checked<Value> {
        if let Found::Frame(kind, first) = of {
            let axis = ["ax", "ay", "az"].iter().position(|own| *own == name);
            match (kind, axis, name) {
                (Kind::Frame2, Some(axis @ 0..2), _) => {
                    let angle = self.graph.input(first + 2);
                    let (sin, cos) = (
                        self.graph.unary(Op::Sin, angle),
                        self.graph.unary(Op::Cos, angle),
                    );
                    let minus = self.graph.unary(Op::Negate, sin);
                    return Ok(Value::new(&[[cos, sin], [minus, cos]][axis]));
                }
                (Kind::Frame2, _, "angle") => return Ok(self.inputs(first + 2, 1)),
                (Kind::Frame3, Some(axis), _) => {
                    return Ok(self.inputs(first + 3 + 3 * axis as u32, 3));
                }
                (Kind::Frame3, _, "angle") => {
                    let problem = Problem::new(span, &["a frame in space has no one angle"]);
                    return Err(
                        problem.hint(&["take atan2 of components of its axes .ax, .ay, .az"])
                    );
                }
                _ => {}
            }
        }
        let is_frame = matches!(of, Found::Frame(..));
        let value = self.as_value(of);
        let parts = value.parts();
        let k = ["x", "y", "z"].iter().position(|own| *own == name);
        if let Some(at) = k.and_then(|k| parts.get(k)).filter(|_| parts.len() > 1) {
            return Ok(Value::scalar(*at));
        }
        let problem = Problem::new(span, &["there is no \".", name, "\""]);
        Err(problem.hint(&[match (is_frame, parts.len()) {
            (true, 2) => "a frame in the plane has .x, .y, .angle, .ax and .ay",
            (true, _) => "a frame in space has .x, .y, .z, .ax, .ay and .az",
            (_, 1) => "a number has no components",
            (_, 2) => "a vector of the plane has .x and .y",
            _ => "a vector of space has .x, .y and .z",
        }]))
    }

    /// A name that nobody knows, and what may have been meant.
    pub(super) fn unknown(&self, tree: &Tree, node: NodeId, is_call: bool) -> Box<Problem> {
        // Of `door.x` the door is not known.
        let node = match tree.kind(node) {
            tree::Kind::Member(of, name) if matches!(&**name, "x" | "y" | "z" | "angle") => *of,
            _ => node,
        };
        let path = tree.path(node).unwrap_or_default();
        let (span, name) = (self.called.unwrap_or(tree.span(node)), path.join("."));
        let mut problem = Problem::new(span, &["\"", &name, "\" is not known"]);
        if let Some((_, here)) = catalogue::ELSEWHERE
            .iter()
            .find(|(own, _)| is_call && *own == name)
        {
            return problem.hint(&["write ", here]);
        }
        if let Some(own) = catalogue::function(&name).filter(|_| !is_call) {
            return problem.hint(&["call it: ", own.form]);
        }
        let mut nearest = Nearest::new(&name);
        for known in &self.known {
            if is_call == matches!(known.is, Is::Function(_)) {
                nearest.offer(&known.name);
            }
        }
        if is_call {
            catalogue::FUNCTIONS
                .iter()
                .for_each(|own| nearest.offer(own.name));
        } else {
            let locals = self.locals[self.first_local..].iter();
            locals.for_each(|(own, _)| nearest.offer(own));
            catalogue::CONSTANTS
                .iter()
                .for_each(|own| nearest.offer(own.0));
        }
        if !is_call || nearest.is_empty() {
            self.resolver.known(&mut |known| nearest.offer(known));
        }
        let found = nearest.found();
        if path.len() == 1 && !is_call {
            problem.unknown = Some(name.clone());
        }
        if let Some(near) = found {
            let near = quoted(&near);
            if self.called.is_none() {
                problem = problem.edit(span, near.clone());
            }
            return problem.hint(&["did you mean ", &near, "?"]);
        }
        if BASE_UNITS.contains(&name.as_str()) {
            let words = "numbers are in meters, kilograms, seconds and radians: leave the unit out";
            return problem.hint(&[words, "; or write ", &name, " = 1: a slider"]);
        }
        match (is_call, path.len()) {
            (true, _) => problem.hint(&["write ", &name, "(x) = … to define it"]),
            (false, 1) => problem.hint(&["write ", &name, " = 1: a slider"]),
            _ => problem,
        }
    }
}

/// A name as it is written in a text: parts that are more than a word are in quotes.
fn quoted(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('.') {
        let is_letter = |c: char| lexer::is_letter(c) || c.is_ascii_digit();
        let is_plain = part.starts_with(lexer::is_letter) && part.chars().all(is_letter);
        let quote = if is_plain { "" } else { "'" };
        let dot = if out.is_empty() { "" } else { "." };
        out.extend([dot, quote, part, quote]);
    }
    out
}
