//! From trees to nodes: names are looked up, vectors taken apart, functions expanded.

mod builtin;
mod call;
mod curve;
mod name;
mod order;
mod program;
mod vector;

use std::sync::Arc;

use crate::graph::{At, Graph, Value};
use crate::limits::{MAX_NESTED, MAX_NODES, MAX_WORK};
use crate::messages::Say;
use crate::op::Op;
use crate::parser;
use crate::problem::{Checked, Problem, Span};
use crate::resolver::Resolver;
use crate::tape::trouble;
use crate::tree::{Kind, NodeId, Says, Sign, Sort, Tree};

pub use program::{Curve, Item, Line, Number};

/// Formulas that know each other, on one graph.
pub struct Scope<'r> {
    resolver: &'r mut dyn Resolver,
    graph: Graph,
    /// What texts have defined.
    known: Vec<Known>,
    /// Names that are bound now: parameters of functions, indices of sums.
    locals: Vec<(Box<str>, Value)>,
    /// Those that stay.
    n_bound: usize,
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
    n_temporary: u16,
}

/// A name that a text has defined.
struct Known {
    name: Box<str>,
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
    /// Its text is not that of its callers, whose mistakes are told where they call it.
    is_elsewhere: bool,
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
            is_elsewhere: true,
        })
    }
}

impl Function {
    /// A short form that texts share, as it is typed: `r(w) = 1 + w^2`. None if the text says something else.
    pub fn shared(text: &str) -> Result<Option<Self>, Vec<Problem>> {
        let tree = Arc::new(parser::parse(text, 0)?);
        let [statement] = &tree.statements[..] else {
            return Ok(None);
        };
        let Says::Function(Sort::Function, own, parameters) = &statement.says else {
            return Ok(None);
        };
        Ok(Some(Self {
            name: own.name.to_string(),
            is: own.is,
            parameters: parameters.iter().map(|own| own.name.clone()).collect(),
            ranges: Vec::new(),
            sort: Sort::Function,
            home: Vec::new(),
            is_elsewhere: true,
            tree: tree.clone(),
        }))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
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
            n_bound: 0,
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
        let span = tree.span(root);
        let at = self.as_scalar(value, span)?;
        match self.graph.value(at) {
            Some(value) => Ok(value),
            None => Err(Problem::say(span, Say::NotConstant, &[])),
        }
    }

    /// Binds a name to an input, for what is compiled from now on: the parameter of a curve.
    pub fn bind(&mut self, name: &str, input: u16) {
        let value = Value::scalar(self.graph.input(input));
        self.reset();
        self.locals.push((name.into(), value));
        self.n_bound += 1;
    }

    /// Gives an expression a name, for what is compiled from now on.
    pub fn name(&mut self, name: &str, text: &str) -> Result<(), Problem> {
        let is = Is::Value(self.expression(text)?);
        let name = name.into();
        self.known.push(Known { name, is });
        Ok(())
    }

    /// What was compiled.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What was compiled, to go on with.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// The value of a whole expression.
    fn whole(&mut self, tree: &Tree, root: NodeId) -> Checked<Value> {
        self.reset();
        self.lower(tree, root)
    }

    /// Nothing is open: what failed may have left something.
    fn reset(&mut self) {
        self.locals.truncate(self.n_bound);
        (self.first_local, self.n_nested, self.called) = (0, 0, None);
        self.home.clear();
        self.graph.trouble = None;
    }

    /// The value of a node.
    fn lower(&mut self, tree: &Tree, node: NodeId) -> Checked<Value> {
        let span = self.span(tree, node);
        self.n_nested += 1;
        self.n_work += 1;
        if self.n_nested > MAX_NESTED {
            return Err(too_much(span, Say::TooNested, MAX_NESTED));
        }
        let outer = std::mem::replace(&mut self.graph.span, span);
        let value = match tree.kind(node) {
            Kind::Number(number) => Value::scalar(self.graph.constant(*number)),
            Kind::Name(..) | Kind::Member(..) => self.named(tree, node)?,
            Kind::Negate(of) => {
                let mut of = self.lower(tree, *of)?;
                of.change(|at| self.graph.unary(Op::Negate, at));
                of
            }
            Kind::Vector(parts) => self.vector(tree, span, tree.parts(*parts))?,
            Kind::Binary(..) => self.chain(tree, node)?,
            Kind::Call(of, with) => self.call(tree, span, *of, tree.parts(*with))?,
        };
        self.graph.span = outer;
        self.n_nested -= 1;
        self.check(span)?;
        Ok(value)
    }

    /// Where a node stands, or where the formula of the world that it is in was called.
    fn span(&self, tree: &Tree, node: NodeId) -> Span {
        self.called.unwrap_or(tree.span(node))
    }

    /// A number.
    fn scalar(&mut self, tree: &Tree, node: NodeId) -> Checked<At> {
        let value = self.lower(tree, node)?;
        self.as_scalar(value, self.span(tree, node))
    }

    fn as_scalar(&self, value: Value, span: Span) -> Checked<At> {
        match value.scalar_part() {
            Some(at) => Ok(at),
            None => Err(Problem::say(span, Say::NotANumber, &[])),
        }
    }

    /// A number that depends on nothing.
    fn constant(&mut self, tree: &Tree, node: NodeId) -> Checked<f64> {
        let at = self.scalar(tree, node)?;
        match self.graph.value(at) {
            Some(value) => Ok(value),
            None => Err(Problem::say(self.span(tree, node), Say::NotConstant, &[])),
        }
    }

    /// Whether there was room for it all, and whether what is constant is a number.
    fn check(&mut self, span: Span) -> Checked<()> {
        if self.graph.is_full() {
            return Err(too_much(span, Say::TooMany, MAX_NODES));
        }
        if self.n_work + self.graph.work > MAX_WORK {
            return Err(Problem::say(span, Say::TooSlow, &[]));
        }
        if let Some(at) = self.graph.trouble.take() {
            let (span, words) = (self.graph.spans[usize::from(at)], trouble(&self.graph, at));
            return Err(Problem::say(span, Say::Trouble, &[&words]));
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
            let span = self.span(tree, at);
            self.graph.span = span;
            value = self.combine(sign, value, second, span)?;
            self.check(span)?;
        }
        Ok(value)
    }

    /// Two operands and the sign between them.
    fn combine(&mut self, sign: Sign, a: Value, b: Value, span: Span) -> Checked<Value> {
        let numbers = a.scalar_part().zip(b.scalar_part());
        let is_vector = [a, b].map(|value| value.scalar_part().is_none());
        let say = match (sign, numbers) {
            (Sign::Add, _) => return self.each(Op::Add, a, b, span),
            (Sign::Subtract, _) => return self.each(Op::Subtract, a, b, span),
            (Sign::Multiply | Sign::Implied, _) => match is_vector {
                [true, true] => Say::VectorTimesVector,
                _ => return self.each(Op::Multiply, a, b, span),
            },
            (Sign::Divide, _) => match is_vector {
                [_, true] => Say::DividesByVector,
                _ => return self.each(Op::Divide, a, b, span),
            },
            (Sign::Power, Some(_)) => return self.each(Op::Power, a, b, span),
            (Sign::Power, None) => {
                let exponent = b.scalar_part().and_then(|at| self.graph.value(at));
                if exponent == Some(2.0) {
                    return Ok(Value::scalar(self.dot(a, a)));
                }
                Say::OnlySquared
            }
            (Sign::Less, Some((a, b))) => {
                return Ok(Value::scalar(self.graph.binary(Op::Less, a, b)));
            }
            // a ≤ b is not b < a
            (Sign::AtMost, Some((a, b))) => {
                let (more, one) = (self.graph.binary(Op::Less, b, a), self.graph.constant(1.0));
                return Ok(Value::scalar(self.graph.binary(Op::Subtract, one, more)));
            }
            (Sign::Less | Sign::AtMost, None) => Say::NoOrder,
        };
        Err(Problem::say(span, say, &[]))
    }
}

fn too_much(span: Span, say: Say, limit: usize) -> Box<Problem> {
    Problem::say(span, say, &[&limit.to_string()])
}
