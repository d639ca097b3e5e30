//! From trees to nodes: names are looked up, vectors taken apart, functions expanded.

mod builtin;
mod call;
mod curve;
mod name;
mod order;
mod program;
mod vector;

use std::sync::Arc;

use crate::graph::{Graph, Value};
use crate::limits::{MAX_NESTED, MAX_NODES, MAX_WORK};
use crate::op::Op;
use crate::parser;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::Resolver;
use crate::tape;
use crate::tree::{Kind, NodeId, Sign, Sort, Tree};

pub use program::{Curve, Item, Line, Number};

/// Formulas that know each other, on one graph.
pub struct Scope<'r> {
    resolver: &'r mut dyn Resolver,
    graph: Graph,
    /// What texts have defined.
    known: Vec<Known>,
    /// Names that are bound now: parameters of functions, indices of sums.
    locals: Vec<(Box<str>, Value)>,
    /// The function that is being expanded sees locals from here on.
    first_local: usize,
    /// Before the names of the function that is being expanded.
    home: Vec<String>,
    /// Where a function of the world was called: its text is another one.
    called: Option<Span>,
    n_sources: u16,
    n_nested: usize,
    n_expansions: usize,
    n_work: usize,
    n_temporary: u32,
}

/// A name that a text has defined.
struct Known {
    name: Box<str>,
    span: Span,
    is: Is,
}

enum Is {
    /// Not yet: its text is being read.
    Open,
    /// What is wrong with it was told.
    Failed,
    Value(Value),
    Function(Arc<Function>),
}

/// Something that can be called: its parameters and its formula.
#[derive(Clone, Debug)]
pub struct Function {
    name: String,
    tree: Arc<Tree>,
    is: NodeId,
    parameters: Vec<Box<str>>,
    /// From where to where each parameter goes; empty for a plain function.
    ranges: Vec<[f64; 2]>,
    sort: Sort,
    /// Names in it are first looked up behind this: `a` of `egg` is `egg.a`.
    home: Vec<String>,
    is_of_world: bool,
}

impl Function {
    /// A curve or surface of the world, from its formula over one or two parameters. Names in it are first those
    /// of its home: behind `["egg"]` the name `a` is `egg.a`.
    pub fn shape(
        name: &str,
        text: &str,
        parameters: &[(&str, [f64; 2])],
        home: &[&str],
    ) -> Result<Self, Problem> {
        let (tree, is) = parser::parse_expression(text, 0).map_err(|problem| *problem)?;
        let sort = match parameters.len() {
            1 => Sort::Curve,
            _ => Sort::Surface,
        };
        Ok(Self {
            name: name.to_owned(),
            tree: Arc::new(tree),
            is,
            parameters: parameters.iter().map(|(name, _)| (*name).into()).collect(),
            ranges: parameters.iter().map(|(_, range)| *range).collect(),
            sort,
            home: home.iter().map(|part| (*part).to_owned()).collect(),
            is_of_world: true,
        })
    }
}

impl<'r> Scope<'r> {
    /// Nothing is defined but what is around.
    pub fn new(resolver: &'r mut dyn Resolver) -> Self {
        Self {
            resolver,
            graph: Graph::default(),
            known: Vec::new(),
            locals: Vec::new(),
            first_local: 0,
            home: Vec::new(),
            called: None,
            n_sources: 0,
            n_nested: 0,
            n_expansions: 0,
            n_work: 0,
            n_temporary: 0,
        }
    }

    /// The value of one expression. Its spans are those of the next text.
    pub fn expression(&mut self, text: &str) -> Result<Value, Problem> {
        let source = self.n_sources;
        let parsed = parser::parse_expression(text, source).map_err(|problem| *problem);
        let (tree, root) = parsed?;
        self.n_sources += 1;
        self.whole(&tree, root).map_err(|problem| *problem)
    }

    /// The number that an expression of constants is.
    pub(crate) fn number_of(&mut self, tree: &Tree, root: NodeId) -> Checked<f64> {
        let value = self.whole(tree, root)?;
        match *value.parts() {
            [at] => self.graph.value(at).ok_or_else(|| changes(tree.span(root))),
            _ => Err(self.not_a_number(tree, root)),
        }
    }

    /// Binds a name to an input, for what is compiled from now on: the parameter of a curve.
    pub fn bind(&mut self, name: &str, input: u32) {
        let value = Value::scalar(self.graph.input(input));
        self.locals.push((name.into(), value));
        self.first_local = 0;
    }

    /// What was compiled.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What was compiled, to go on with.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// The value of a whole expression: nothing is open before or after.
    fn whole(&mut self, tree: &Tree, root: NodeId) -> Checked<Value> {
        let n_locals = self.locals.len();
        self.n_nested = 0;
        let value = self.lower(tree, root);
        self.locals.truncate(n_locals);
        (self.first_local, self.called) = (0, None);
        self.home.clear();
        self.graph.trouble = None;
        value
    }

    /// The value of a node.
    fn lower(&mut self, tree: &Tree, node: NodeId) -> Checked<Value> {
        let span = self.called.unwrap_or(tree.span(node));
        self.n_nested += 1;
        self.n_work += 1;
        if self.n_nested > MAX_NESTED {
            let limit = MAX_NESTED.to_string();
            let words = [
                "is nested deeper than ",
                &limit,
                " through the functions it calls",
            ];
            return Err(Problem::new(span, &words));
        }
        let outer = std::mem::replace(&mut self.graph.span, span);
        let value = match tree.kind(node) {
            Kind::Number(number) => Value::scalar(self.graph.constant(*number)),
            Kind::Name(..) | Kind::Member(..) => self.named(tree, node)?,
            Kind::Negate(of) => {
                let of = self.lower(tree, *of)?;
                self.map(of, |graph, at| graph.unary(Op::Negate, at))
            }
            Kind::Vector(parts) => self.vector(tree, node, tree.parts(*parts))?,
            Kind::Binary(..) => self.chain(tree, node)?,
            Kind::Call(of, with) => self.call(tree, node, *of, tree.parts(*with))?,
        };
        self.graph.span = outer;
        self.n_nested -= 1;
        self.check(span)?;
        Ok(value)
    }

    /// A number.
    fn scalar(&mut self, tree: &Tree, node: NodeId) -> Checked<crate::graph::At> {
        let value = self.lower(tree, node)?;
        match value.parts() {
            [at] => Ok(*at),
            _ => Err(self.not_a_number(tree, node)),
        }
    }

    fn not_a_number(&self, tree: &Tree, node: NodeId) -> Box<Problem> {
        let span = self.called.unwrap_or(tree.span(node));
        let problem = Problem::new(span, &["is a vector, but must be a number"]);
        problem.hint(&["take .x or .y of it, or norm(…)"])
    }

    /// A number that depends on nothing.
    fn constant(&mut self, tree: &Tree, node: NodeId) -> Checked<f64> {
        let at = self.scalar(tree, node)?;
        let span = self.called.unwrap_or(tree.span(node));
        self.graph.value(at).ok_or_else(|| changes(span))
    }

    /// Whether there was room for it all, and whether what is constant is a number.
    fn check(&mut self, span: Span) -> Checked<()> {
        if self.graph.is_full() {
            let limit = MAX_NODES.to_string();
            let words = ["makes more than ", &limit, " operations"];
            return Err(Problem::new(span, &words).hint(&["make several formulas of it"]));
        }
        if self.n_work + self.graph.work > MAX_WORK {
            return Err(Problem::new(span, &["takes too long to work out"]));
        }
        if let Some(at) = self.graph.trouble.take() {
            return Err(Problem::new(
                self.graph.spans[at as usize],
                &[&tape::constant_trouble(&self.graph, at)],
            ));
        }
        Ok(())
    }

    /// A chain of operators leans to the left and may be as long as a text: its left side is walked, not entered.
    fn chain(&mut self, tree: &Tree, node: NodeId) -> Checked<Value> {
        let (mut spine, mut at) = (Vec::new(), node);
        while let Kind::Binary(sign, left, right) = *tree.kind(at) {
            spine.push((sign, right, at));
            at = left;
        }
        let mut value = self.lower(tree, at)?;
        while let Some((sign, right, at)) = spine.pop() {
            let second = self.lower(tree, right)?;
            let span = self.called.unwrap_or(tree.span(at));
            self.graph.span = span;
            value = self.combine(sign, value, second, span)?;
            self.check(span)?;
        }
        Ok(value)
    }

    /// Two operands and the sign between them.
    fn combine(&mut self, sign: Sign, a: Value, b: Value, span: Span) -> Checked<Value> {
        let is_vector = [a, b].map(|value| value.parts().len() > 1);
        let op = match (sign, is_vector) {
            (Sign::Add, _) => Op::Add,
            (Sign::Subtract, _) => Op::Subtract,
            (Sign::Multiply | Sign::Implied, [true, true]) => {
                let problem = Problem::new(span, &["two vectors are multiplied"]);
                return Err(problem.hint(&["write dot(a, b) or cross(a, b)"]));
            }
            (Sign::Multiply | Sign::Implied, _) => Op::Multiply,
            (Sign::Divide, [_, true]) => {
                return Err(Problem::new(span, &["divides by a vector"])
                    .hint(&["divide by its length: norm(v)"]));
            }
            (Sign::Divide, _) => Op::Divide,
            (Sign::Power, [false, false]) => Op::Power,
            (Sign::Power, [_, exponent]) => {
                let two = self.graph.value(b.parts()[0]);
                if !exponent && two == Some(2.0) {
                    return Ok(Value::scalar(self.dot(a, a)));
                }
                return Err(Problem::new(span, &["a vector can only be squared: v^2"]));
            }
            (Sign::Less | Sign::AtMost, [false, false]) => {
                let [a, b] = [a, b].map(|value| value.parts()[0]);
                return Ok(Value::scalar(match sign {
                    Sign::Less => self.graph.binary(Op::Less, a, b),
                    // a ≤ b is not b < a
                    _ => {
                        let (more, one) =
                            (self.graph.binary(Op::Less, b, a), self.graph.constant(1.0));
                        self.graph.binary(Op::Subtract, one, more)
                    }
                }));
            }
            (Sign::Less | Sign::AtMost, _) => {
                return Err(Problem::new(span, &["vectors have no order"]));
            }
        };
        self.each(op, a, b, span)
    }
}

fn changes(span: Span) -> Box<Problem> {
    let problem = Problem::new(span, &["changes, but must be a constant"]);
    problem.hint(&["write a number, or names of constants"])
}
