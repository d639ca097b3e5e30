//! Texts of several statements: what each line is.

use std::sync::Arc;

use super::order::{definitions, order};
use super::{Function, Is, Known, Scope};
use crate::catalogue;
use crate::graph::{At, Value};
use crate::limits::MAX_PROBLEMS;
use crate::op::Op;
use crate::parser;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Definition, Kind, NodeId, Parameter, Says, Sign, Sort, Statement, Tree};

/// One statement of a text.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub item: Item,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum Item {
    /// `a = 0.6 in 0..2`: a number with a slider.
    Number(Number),
    /// `area = pi*a*b`: what is worked out of others.
    Quantity(String, Value),
    /// `r(w) = 1 + w^2`: a short form, used by others.
    Function(String),
    /// `curve egg(u in 0..tau) = …`, `surface …`.
    Curve(Curve),
    /// `left == right`: left − right, which is held at zero.
    Equation(Value),
    /// `0 <= x <= 1`: differences that are not above zero.
    AtMost(Vec<Value>),
    /// `left ~ right weight w`: left − right, whose square is to be small, and its weight.
    Objective(Value, f64),
    /// `minimize E`; `maximize E` is `minimize -E`.
    Minimize(At),
    /// An expression for its value.
    Value(Value),
}

/// A number that a text declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// What it starts with.
    pub value: f64,
    /// From where to where it goes, if that was said.
    pub range: Option<[f64; 2]>,
}

/// A curve or a surface that a text declares.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Curve or surface.
    pub sort: Sort,
    /// From where to where each parameter goes.
    pub ranges: Vec<[f64; 2]>,
    /// The point, over the inputs that the resolver gave the parameters; none if it gave none.
    pub value: Option<Value>,
}

impl Scope<'_> {
    /// What the statements of a text are, in its order; or all that is wrong with it. Definitions may stand after
    /// those that use them, and are known to texts that come later.
    pub fn compile(&mut self, text: &str) -> Result<Vec<Line>, Vec<Problem>> {
        let source = self.n_sources;
        let tree = Arc::new(parser::parse(text, source)?);
        self.n_sources += 1;
        let mut problems = Vec::new();
        let mut items: Vec<Option<Item>> = vec![None; tree.statements.len()];
        let all = definitions(&tree);
        let n_before = self.known.len();
        for defined in &all {
            let statement = &tree.statements[defined.index];
            let problem = self.clash(statement, n_before).err();
            let is = if problem.is_some() {
                Is::Failed
            } else {
                Is::Open
            };
            problems.extend(problem.map(|problem| *problem));
            self.known.push(Known {
                name: defined.name.into(),
                span: statement.span,
                is,
            });
        }
        let (order, wrong) = order(&tree, &all);
        for (own, problem) in wrong {
            self.known[n_before + own].is = Is::Failed;
            problems.push(*problem);
        }
        for own in order {
            let at = n_before + own;
            if let Is::Failed = self.known[at].is {
                continue;
            }
            let index = all[own].index;
            let (is, item) = match self.definition(&tree, &tree.statements[index]) {
                Ok((is, item)) => (is, Some(item)),
                Err(problem) => {
                    problems.push(*problem);
                    (Is::Failed, None)
                }
            };
            self.known[at].is = is;
            items[index] = item;
        }
        for (statement, item) in tree.statements.iter().zip(&mut items) {
            match self.relation(&tree, statement) {
                Ok(None) => {}
                Ok(found) => *item = found,
                Err(problem) => problems.push(*problem),
            }
        }
        // What only follows from another mistake says nothing.
        problems.retain(|problem| !problem.message.is_empty());
        sort(&mut problems);
        problems.truncate(MAX_PROBLEMS);
        let lines = tree.statements.iter().zip(items);
        let lines = lines.filter_map(|(statement, item)| {
            let span = statement.span;
            item.map(|item| Line { span, item })
        });
        match problems.is_empty() {
            true => Ok(lines.collect()),
            false => {
                // What failed leaves nothing behind.
                self.known.truncate(n_before);
                Err(problems)
            }
        }
    }

    /// A name has one meaning.
    fn clash(&mut self, statement: &Statement, n_before: usize) -> Checked<()> {
        let (own, parameters): (_, &[Parameter]) = match &statement.says {
            Says::Define(own, _) => (own, &[]),
            Says::Function(_, own, parameters) => (own, parameters),
            _ => return Ok(()),
        };
        let names = parameters.iter().map(|own| (&own.name, own.span));
        for (name, span) in names.chain([(&own.name, own.span)]) {
            let is_function = span == own.span && !parameters.is_empty();
            let function = catalogue::function(name).filter(|_| is_function);
            let meaning = function.map(|_| "a function of the language");
            if let Some(meaning) = catalogue::meaning(name).or(meaning) {
                let problem = Problem::new(span, &["\"", name, "\" is ", meaning]);
                return Err(problem.hint(&["choose another name"]));
            }
        }
        if let Some(first) = self.known.iter().position(|known| known.name == own.name) {
            let problem = Problem::new(own.span, &["\"", &own.name, "\" is defined twice"]);
            let source = self.known[first].span.source;
            return Err(
                problem.hint(&[match (first < n_before, source == own.span.source) {
                    (false, _) | (_, true) => "leave one of them out, or choose another name",
                    _ => "another formula has that name: choose another one",
                }]),
            );
        }
        if self.resolver.name(&[&own.name]).is_some() {
            let words = ["\"", &own.name, "\" is the name of something else"];
            return Err(Problem::new(own.span, &words).hint(&["choose another name"]));
        }
        Ok(())
    }

    fn definition(&mut self, tree: &Arc<Tree>, statement: &Statement) -> Checked<(Is, Item)> {
        match &statement.says {
            Says::Define(own, range) => {
                let (value, item) = match range.is_some() || is_literal(tree, own.is) {
                    true => {
                        let number = self.number(tree, own, *range)?;
                        let input = self.resolver.number(&number);
                        let at = match input {
                            Some(index) => self.graph.input(index),
                            None => self.graph.constant(number.value),
                        };
                        (Value::scalar(at), Item::Number(number))
                    }
                    false => {
                        let value = self.whole(tree, own.is)?;
                        (value, Item::Quantity(own.name.to_string(), value))
                    }
                };
                Ok((Is::Value(value), item))
            }
            Says::Function(sort, own, parameters) => {
                let function = self.declared(tree, *sort, own, parameters)?;
                let item = match sort {
                    Sort::Function => {
                        self.try_out(&function, own.span)?;
                        Item::Function(function.name.clone())
                    }
                    _ => Item::Curve(self.curve(&function, own.span)?),
                };
                Ok((Is::Function(function), item))
            }
            _ => Err(Box::default()),
        }
    }

    fn number(
        &mut self,
        tree: &Tree,
        own: &Definition,
        range: Option<[NodeId; 2]>,
    ) -> Checked<Number> {
        let mut constant = |node: NodeId| {
            let at = self.whole(tree, node)?;
            let value = at.parts().first().and_then(|at| self.graph.value(*at));
            value.filter(|_| at.parts().len() == 1).ok_or_else(|| {
                Problem::new(
                    tree.span(node),
                    &["must be a number that depends on nothing"],
                )
            })
        };
        let value = constant(own.is)?;
        let name = own.name.to_string();
        let Some([low, high]) = range else {
            let range = None;
            return Ok(Number { name, value, range });
        };
        let span = tree.span(low).to(tree.span(high));
        let (low, high) = (constant(low)?, constant(high)?);
        if low >= high {
            return Err(Problem::new(span, &["the range is empty"]).hint(&["write low..high"]));
        }
        if !(low..=high).contains(&value) {
            let words = ["\"", &name, "\" starts outside of its range"];
            return Err(Problem::new(tree.span(own.is), &words));
        }
        let range = Some([low, high]);
        Ok(Number { name, value, range })
    }

    fn declared(
        &mut self,
        tree: &Arc<Tree>,
        sort: Sort,
        own: &Definition,
        parameters: &[Parameter],
    ) -> Checked<Arc<Function>> {
        let mut ranges = Vec::new();
        for parameter in parameters {
            let Some([low, high]) = parameter.range else {
                continue;
            };
            let range = [low, high].map(|node| self.constant(tree, node));
            let [Ok(low), Ok(high)] = range else {
                return Err(range.into_iter().find_map(Result::err).unwrap_or_default());
            };
            if low >= high {
                let words = ["the range of \"", &parameter.name, "\" is empty"];
                return Err(Problem::new(parameter.span, &words).hint(&["write low..high"]));
            }
            ranges.push([low, high]);
        }
        Ok(Arc::new(Function {
            name: own.name.to_string(),
            tree: tree.clone(),
            is: own.is,
            parameters: parameters.iter().map(|own| own.name.clone()).collect(),
            ranges,
            sort,
            home: Vec::new(),
            is_of_world: false,
        }))
    }

    /// Names in a function that nobody calls are looked up too. Whether it takes numbers or vectors is not known.
    fn try_out(&mut self, function: &Arc<Function>, span: Span) -> Checked<()> {
        let n = function.parameters.len();
        let values: Vec<Value> = (0..n).map(|_| Value::scalar(self.temporary().1)).collect();
        let n_expansions = self.n_expansions;
        self.n_nested = 0;
        let tried = self.expand(function, &values, span);
        self.n_expansions = n_expansions;
        self.graph.trouble = None;
        match tried {
            Err(problem) if problem.unknown.is_some() || problem.message.is_empty() => Err(problem),
            Err(problem) if self.graph.is_full() => Err(problem),
            _ => Ok(()),
        }
    }

    fn curve(&mut self, function: &Arc<Function>, span: Span) -> Checked<Curve> {
        let n = function.parameters.len();
        let inputs: Vec<Option<u32>> = (0..n)
            .map(|k| self.resolver.parameter(&function.name, k))
            .collect();
        let values: Vec<Value> = inputs
            .iter()
            .map(|input| match input {
                Some(index) => Value::scalar(self.graph.input(*index)),
                None => Value::scalar(self.temporary().1),
            })
            .collect();
        self.n_nested = 0;
        let value = self.expand(function, &values, span)?;
        let (is_right, wanted) = match (function.sort, value.parts().len()) {
            (Sort::Surface, n) => (n == 3, "a surface has points in space: [x, y, z]"),
            (_, n) => (n > 1, "a curve has points: [x, y] or [x, y, z]"),
        };
        if !is_right {
            let span = function.tree.span(function.is);
            return Err(Problem::new(span, &["is no point of a curve or surface"]).hint(&[wanted]));
        }
        Ok(Curve {
            name: function.name.clone(),
            sort: function.sort,
            ranges: function.ranges.clone(),
            value: inputs.iter().all(Option::is_some).then_some(value),
        })
    }

    /// What is no definition.
    fn relation(&mut self, tree: &Tree, statement: &Statement) -> Checked<Option<Item>> {
        Ok(Some(match &statement.says {
            Says::Define(..) | Says::Function(..) => return Ok(None),
            Says::Equal(left, right) => Item::Equation(self.difference(tree, *left, *right)?),
            Says::AtMost(parts) => {
                let pairs = parts.windows(2);
                let all = pairs.map(|pair| self.difference(tree, pair[0], pair[1]));
                Item::AtMost(all.collect::<Result<_, _>>()?)
            }
            Says::Like(left, right, weight) => {
                let difference = self.difference(tree, *left, *right)?;
                let weight = match weight {
                    None => 1.0,
                    Some(node) => {
                        let weight = self.constant(tree, *node)?;
                        if weight <= 0.0 {
                            let words = ["a weight is a positive number"];
                            return Err(Problem::new(tree.span(*node), &words));
                        }
                        weight
                    }
                };
                Item::Objective(difference, weight)
            }
            Says::Minimize(of) | Says::Maximize(of) => {
                let value = self.whole(tree, *of)?;
                let [at] = *value.parts() else {
                    return Err(self.not_a_number(tree, *of));
                };
                Item::Minimize(match statement.says {
                    Says::Minimize(_) => at,
                    _ => self.graph.unary(Op::Negate, at),
                })
            }
            Says::Value(of) => Item::Value(self.whole(tree, *of)?),
        }))
    }

    fn difference(&mut self, tree: &Tree, left: NodeId, right: NodeId) -> Checked<Value> {
        let span = tree.span(left).to(tree.span(right));
        let (a, b) = (self.whole(tree, left)?, self.whole(tree, right)?);
        self.graph.span = span;
        if a.parts().len() != b.parts().len() && a.parts().len().min(b.parts().len()) == 1 {
            let problem = Problem::new(span, &["one side is a number, the other a vector"]);
            return Err(problem.hint(&["take norm(…), or .x of the vector"]));
        }
        let value = self.each(Op::Subtract, a, b, span)?;
        self.check(span)?;
        Ok(value)
    }
}

/// A number as it is typed: with a sign, with a unit.
fn is_literal(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::Number(_) => true,
        Kind::Negate(of) => is_literal(tree, *of),
        Kind::Binary(Sign::Implied, _, unit) => match tree.kind(*unit) {
            Kind::Name(name, false) => catalogue::constant(name).is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// By place. There are few: a sort for many is larger than this file.
fn sort(problems: &mut [Problem]) {
    for end in 1..problems.len() {
        let mut at = end;
        while at > 0 && problems[at].span < problems[at - 1].span {
            problems.swap(at, at - 1);
            at -= 1;
        }
    }
}
