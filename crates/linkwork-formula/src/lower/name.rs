//! What a name stands for: a local, a definition, a constant, something of the world, or a component of it.

use super::{Is, Scope};
use crate::catalogue;
use crate::graph::{Value, ZERO};
use crate::lexer;
use crate::messages::Say;
use crate::nearest::Nearest;
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::{Kind, Named};
use crate::tree::{self, NodeId, Tree};

/// A name that was found: its value, and what more it has if it is a frame.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) value: Value,
    frame: Option<(Kind, u16)>,
}

impl From<Value> for Found {
    fn from(value: Value) -> Self {
        Self { value, frame: None }
    }
}

/// Units that are left out, because numbers are in them.
const BASE_UNITS: [&str; 5] = ["m", "kg", "s", "N", "rad"];

impl Scope<'_> {
    /// A name, or a path of names and dots: the longest that is known, then components.
    pub(super) fn named(&mut self, tree: &Tree, node: NodeId) -> Checked<Value> {
        let span = self.span(tree, node);
        let Some(path) = tree.path(node) else {
            let tree::Kind::Member(of, name) = tree.kind(node) else {
                return Err(Box::default());
            };
            let of = self.lower(tree, *of)?;
            return self.component(of.into(), name, span);
        };
        let is_quoted = matches!(tree.kind(node), tree::Kind::Name(_, true));
        for n in (1..=path.len()).rev() {
            let (own, components) = path.split_at(n);
            if let Some(mut found) = self.find(own, is_quoted, span)? {
                for component in components {
                    found = self.component(found, component, span)?.into();
                }
                return Ok(found.value);
            }
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
        let [name] = *path else {
            let found = self.of_home(path);
            return Ok(found.or_else(|| self.of_world(path)));
        };
        for (own, value) in self.locals[self.first_local..].iter().rev() {
            if **own == *name {
                return Ok(Some((*value).into()));
            }
        }
        if let Some(found) = self.of_home(path) {
            return Ok(Some(found));
        }
        if let Some(known) = self.known.iter().find(|own| *own.name == *name) {
            return match known.is {
                Is::Value(value) => Ok(Some(value.into())),
                Is::Function(_) => Err(Problem::say(span, Say::IsAFunction, &[name, name])),
                // That something is wrong with it was told.
                Is::Open | Is::Failed => Err(Box::default()),
            };
        }
        let found = self.of_world(path);
        match catalogue::constant(name).filter(|_| !is_quoted) {
            Some(_) if found.is_some() => Err(Problem::say(span, Say::TwoMeanings, &[name, name])),
            Some(value) => Ok(Some(Value::scalar(self.graph.constant(value)).into())),
            None => Ok(found),
        }
    }

    /// A name behind the home of the function that is being expanded.
    fn of_home(&mut self, path: &[&str]) -> Option<Found> {
        if self.home.is_empty() {
            return None;
        }
        let mut whole: Vec<&str> = self.home.iter().map(String::as_str).collect();
        whole.extend_from_slice(path);
        let named = self.resolver.name(&whole)?;
        Some(self.found(named))
    }

    fn of_world(&mut self, path: &[&str]) -> Option<Found> {
        let named = self.resolver.name(path)?;
        Some(self.found(named))
    }

    /// The nodes of what the resolver knows. A frame is its origin.
    pub(super) fn found(&mut self, named: Named) -> Found {
        let (kind, first) = match named {
            Named::Constant(value) => return Value::scalar(self.graph.constant(value)).into(),
            Named::Input(kind, first) => (kind, first),
        };
        let n = match kind {
            Kind::Frame2 => 2,
            kind => kind.n_inputs().min(3),
        };
        Found {
            value: self.inputs(first, n),
            frame: matches!(kind, Kind::Frame2 | Kind::Frame3).then_some((kind, first)),
        }
    }

    fn inputs(&mut self, first: u16, n: usize) -> Value {
        let mut at = [ZERO; 3];
        for (own, index) in at.iter_mut().zip(first..).take(n) {
            *own = self.graph.input(index);
        }
        Value::new(at, n)
    }

    /// `.x`, `.angle` and their like.
    fn component(&mut self, of: Found, name: &str, span: Span) -> Checked<Value> {
        let of_three = |names: [&str; 3]| names.iter().position(|own| *own == name);
        let axis = of_three(["ax", "ay", "az"]);
        let hint = match (of.frame, axis) {
            (Some((Kind::Frame2, first)), Some(axis @ 0..2)) => {
                let angle = self.graph.input(first + 2);
                let sin = self.graph.unary(Op::Sin, angle);
                let cos = self.graph.unary(Op::Cos, angle);
                let minus = self.graph.unary(Op::Negate, sin);
                let at = if axis == 0 { [cos, sin] } else { [minus, cos] };
                return Ok(Value::new([at[0], at[1], ZERO], 2));
            }
            (Some((Kind::Frame2, first)), _) if name == "angle" => {
                return Ok(self.inputs(first + 2, 1));
            }
            (Some((Kind::Frame3, first)), Some(axis)) => {
                return Ok(self.inputs(first + 3 + 3 * axis as u16, 3));
            }
            (Some((Kind::Frame3, _)), _) if name == "angle" => {
                return Err(Problem::say(span, Say::NoOneAngle, &[]));
            }
            (Some((Kind::Frame2, _)), _) => "a frame in the plane has .x, .y, .angle, .ax and .ay",
            (Some(_), _) => "a frame in space has .x, .y, .z, .ax, .ay and .az",
            (None, _) => match of.value.len() {
                1 => "a number has no components",
                2 => "a vector of the plane has .x and .y",
                _ => "a vector of space has .x, .y and .z",
            },
        };
        let n = of.value.len();
        match of_three(["x", "y", "z"]).filter(|k| n > 1 && *k < n) {
            Some(k) => Ok(Value::scalar(of.value.at()[k])),
            None => Err(Problem::say(span, Say::NoComponent, &[name, hint])),
        }
    }

    /// A name that nobody knows, and what may have been meant.
    pub(super) fn unknown(&self, tree: &Tree, node: NodeId, is_call: bool) -> Box<Problem> {
        // Of `door.x` the door is not known.
        let node = match tree.kind(node) {
            tree::Kind::Member(of, name) if matches!(&**name, "x" | "y" | "z" | "angle") => *of,
            _ => node,
        };
        let path = tree.path(node).unwrap_or_default();
        let (span, name) = (self.span(tree, node), path.join("."));
        if is_call {
            let elsewhere = catalogue::ELSEWHERE.iter().find(|(own, _)| *own == name);
            if let Some((_, here)) = elsewhere {
                return Problem::say(span, Say::Elsewhere, &[&name, here]);
            }
        } else if let Some(own) = catalogue::function(&name) {
            return Problem::say(span, Say::CallIt, &[&name, own.form]);
        }
        let inner = self.within(&name);
        if !is_call && !inner.is_empty() {
            let told = inner[..inner.len().min(4)].join(", ");
            return Problem::say(span, Say::HasParts, &[&name, &told]);
        }
        let near = self.nearest(&name, is_call);
        let (say, near) = match &near {
            Some(near) => (Say::DidYouMean, near),
            None if is_call => (Say::DefineIt, &name),
            None if path.len() > 1 => (Say::NotKnown, &name),
            None if BASE_UNITS.contains(&name.as_str()) => (Say::BaseUnit, &name),
            None => (Say::MakeANumber, &name),
        };
        let mut problem = match say {
            Say::MakeANumber => Problem::say(span, say, &[&name, &quoted(&name)]),
            _ => Problem::say(span, say, &[&name, near]),
        };
        if say == Say::DidYouMean && self.called.is_none() {
            problem = problem.edit(span, near.clone());
        }
        if path.len() == 1 && !is_call {
            problem.unknown = Some(name);
        }
        problem
    }

    /// What begins with a name that is nothing by itself, such as the numbers of a body.
    fn within(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.resolver.known(&mut |known| {
            let rest = known.strip_prefix(name);
            if rest.is_some_and(|rest| rest.starts_with('.')) {
                found.push(quoted(known));
            }
        });
        found
    }

    fn nearest(&self, name: &str, is_call: bool) -> Option<String> {
        let mut nearest = Nearest::new(name);
        for known in &self.known {
            if is_call == matches!(known.is, Is::Function(_)) {
                nearest.offer(&known.name);
            }
        }
        if is_call {
            for own in &catalogue::FUNCTIONS {
                nearest.offer(own.name);
            }
        } else {
            for (own, _) in &self.locals[self.first_local..] {
                nearest.offer(own);
            }
            for own in &catalogue::CONSTANTS {
                nearest.offer(own.0);
            }
        }
        if !is_call || nearest.is_empty() {
            self.resolver.known(&mut |known| nearest.offer(known));
        }
        nearest.found().map(|near| quoted(&near))
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
