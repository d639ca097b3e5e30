//! Texts of several statements: what each line is.

use std::sync::Arc;

use super::order::{Defined, definitions, order};
use super::{Function, Is, Known, Scope};
use crate::catalogue;
use crate::graph::{At, Value};
use crate::limits::MAX_PROBLEMS;
use crate::messages::Say;
use crate::op::Op;
use crate::parser;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Definition, Kind, NodeId, Parameter, Says, Sign, Sort, Tree};

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
        let tree = Arc::new(parser::parse(text, self.n_sources)?);
        self.n_sources += 1;
        let (all, n_before) = (definitions(&tree), self.known.len());
        let (order, mut problems) = order(&tree, &all);
        for defined in &all {
            // What mentions itself or has a name that is taken stays so.
            let is_wrong = problems.iter().any(|(own, _)| *own == defined.index);
            let clash = self.clash(defined).err();
            let is = match is_wrong || clash.is_some() {
                true => Is::Failed,
                false => Is::Open,
            };
            problems.extend(clash.map(|problem| (defined.index, problem)));
            let name = defined.name.into();
            self.known.push(Known { name, is });
        }
        let mut lines = Vec::new();
        let relations =
            (0..tree.statements.len()).filter(|k| all.iter().all(|own| own.index != *k));
        let is_wrong = |index: usize| problems.iter().any(|(own, _)| *own == index);
        let order: Vec<usize> = order.into_iter().filter(|own| !is_wrong(*own)).collect();
        for index in order.into_iter().chain(relations) {
            self.reset();
            match self.item(&tree, &tree.statements[index].says, n_before) {
                Ok(item) => lines.push((index, item)),
                Err(problem) => problems.push((index, problem)),
            }
        }
        self.reset();
        // What only follows from another mistake says nothing.
        problems.retain(|(_, problem)| !problem.message.is_empty());
        if problems.is_empty() {
            sort(&mut lines, |line| line.0 as u64);
            let lines = lines.into_iter().map(|(index, item)| Line {
                span: tree.statements[index].span,
                item,
            });
            return Ok(lines.collect());
        }
        // What failed leaves nothing behind.
        self.known.truncate(n_before);
        sort(&mut problems, |problem| u64::from(problem.1.span.start));
        problems.truncate(MAX_PROBLEMS);
        Err(problems.into_iter().map(|(_, problem)| *problem).collect())
    }

    /// A name has one meaning.
    fn clash(&mut self, own: &Defined<'_>) -> Checked<()> {
        for parameter in own.parameters {
            if let Some(meaning) = catalogue::meaning(&parameter.name) {
                let words = [&*parameter.name, meaning];
                return Err(Problem::say(parameter.span, Say::OfLanguage, &words));
            }
        }
        let is_function = !own.parameters.is_empty() && catalogue::function(own.name).is_some();
        let function = is_function.then_some("a function of the language");
        let meaning = catalogue::meaning(own.name).or(function);
        let say = match meaning {
            Some(_) => Say::OfLanguage,
            None if self.known.iter().any(|known| *known.name == *own.name) => Say::Twice,
            None if self.resolver.name(&[own.name]).is_some() => Say::Taken,
            None => return Ok(()),
        };
        let words = [own.name, meaning.unwrap_or_default()];
        Err(Problem::say(own.span, say, &words))
    }

    /// What a statement is. What it defines is known from now on.
    fn item(&mut self, tree: &Arc<Tree>, says: &Says, n_before: usize) -> Checked<Item> {
        let (own, is, item) = match says {
            Says::Define(own, range) => {
                let (value, item) = self.define(tree, own, *range)?;
                (own, Is::Value(value), item)
            }
            Says::Function(sort, own, parameters) => {
                let function = self.declared(tree, *sort, own, parameters)?;
                let item = self.try_out(&function, own.span)?;
                (own, Is::Function(function), item)
            }
            says => return self.relation(tree, says),
        };
        let known = self.known[n_before..].iter_mut();
        if let Some(known) = known.into_iter().find(|known| known.name == own.name) {
            known.is = is;
        }
        Ok(item)
    }

    fn define(
        &mut self,
        tree: &Tree,
        own: &Definition,
        range: Option<[NodeId; 2]>,
    ) -> Checked<(Value, Item)> {
        let name = own.name.to_string();
        if range.is_none() && !is_literal(tree, own.is) {
            let value = self.lower(tree, own.is)?;
            return Ok((value, Item::Quantity(name, value)));
        }
        let value = self.constant(tree, own.is)?;
        let range = match range {
            Some(range) => Some(self.range(tree, range)?),
            None => None,
        };
        if range.is_some_and(|[low, high]| value < low || value > high) {
            return Err(Problem::say(tree.span(own.is), Say::Outside, &[&name]));
        }
        let number = Number { name, value, range };
        let at = match self.resolver.number(&number) {
            Some(index) => self.graph.input(index),
            None => self.graph.constant(value),
        };
        Ok((Value::scalar(at), Item::Number(number)))
    }

    fn range(&mut self, tree: &Tree, [low, high]: [NodeId; 2]) -> Checked<[f64; 2]> {
        let span = tree.span(low).to(tree.span(high));
        let (low, high) = (self.constant(tree, low)?, self.constant(tree, high)?);
        match low < high {
            true => Ok([low, high]),
            false => Err(Problem::say(span, Say::EmptyRange, &[])),
        }
    }

    fn declared(
        &mut self,
        tree: &Arc<Tree>,
        sort: Sort,
        own: &Definition,
        parameters: &[Parameter],
    ) -> Checked<Arc<Function>> {
        let (mut names, mut ranges) = (Vec::new(), Vec::new());
        for parameter in parameters {
            names.push(parameter.name.clone());
            if let Some(range) = parameter.range {
                ranges.push(self.range(tree, range)?);
            }
        }
        Ok(Arc::new(Function {
            name: own.name.to_string(),
            tree: tree.clone(),
            is: own.is,
            parameters: names,
            ranges,
            sort,
            home: Vec::new(),
            is_elsewhere: false,
        }))
    }

    /// What a function is, over parameters that stand for themselves. Whether a plain function takes numbers or
    /// vectors is not known: only its names are looked up.
    fn try_out(&mut self, function: &Arc<Function>, span: Span) -> Checked<Item> {
        let (mut values, mut is_whole) = (Vec::new(), true);
        for k in 0..function.parameters.len() {
            let input = self.resolver.parameter(&function.name, k);
            is_whole &= input.is_some();
            values.push(Value::scalar(match input {
                Some(index) => self.graph.input(index),
                None => self.temporary().1,
            }));
        }
        let n_expansions = self.n_expansions;
        let tried = self.expand(function, &values, span);
        let name = function.name.clone();
        let (least, hint) = match function.sort {
            Sort::Function => {
                self.n_expansions = n_expansions;
                return match tried {
                    Err(problem) if problem.unknown.is_some() || problem.message.is_empty() => {
                        Err(problem)
                    }
                    Err(problem) if self.graph.is_full() => Err(problem),
                    _ => Ok(Item::Function(name)),
                };
            }
            Sort::Curve => (2, "a curve has points: [x, y] or [x, y, z]"),
            Sort::Surface => (3, "a surface has points in space: [x, y, z]"),
        };
        let value = tried?;
        if value.len() < least {
            let span = function.tree.span(function.is);
            return Err(Problem::say(span, Say::NoPoint, &[hint]));
        }
        Ok(Item::Curve(Curve {
            name,
            sort: function.sort,
            ranges: function.ranges.clone(),
            value: is_whole.then_some(value),
        }))
    }

    /// Limits that are constants must leave something between them.
    fn leaves_something(&mut self, tree: &Tree, parts: &[NodeId]) -> Checked<()> {
        let [low, _, high] = *parts else {
            return Ok(());
        };
        match (self.constant(tree, low), self.constant(tree, high)) {
            (Ok(from), Ok(to)) if from > to => {
                let span = tree.span(low).to(tree.span(high));
                Err(Problem::say(span, Say::EmptyRange, &[]))
            }
            _ => Ok(()),
        }
    }

    /// What is no definition.
    fn relation(&mut self, tree: &Tree, says: &Says) -> Checked<Item> {
        Ok(match says {
            Says::Define(..) | Says::Function(..) => return Err(Box::default()),
            Says::Equal(left, right) => Item::Equation(self.difference(tree, *left, *right)?),
            Says::AtMost(parts) => {
                let mut all = Vec::new();
                for pair in parts.windows(2) {
                    all.push(self.difference(tree, pair[0], pair[1])?);
                }
                self.leaves_something(tree, parts)?;
                Item::AtMost(all)
            }
            Says::Like(left, right, weight) => {
                let difference = self.difference(tree, *left, *right)?;
                let weight = match *weight {
                    None => 1.0,
                    Some(node) => match self.constant(tree, node)? {
                        weight if weight > 0.0 => weight,
                        _ => return Err(Problem::say(tree.span(node), Say::Weight, &[])),
                    },
                };
                Item::Objective(difference, weight)
            }
            Says::Minimize(of, is_turned) => {
                let at = self.scalar(tree, *of)?;
                Item::Minimize(match is_turned {
                    false => at,
                    true => self.graph.unary(Op::Negate, at),
                })
            }
            Says::Value(of) => Item::Value(self.lower(tree, *of)?),
        })
    }

    fn difference(&mut self, tree: &Tree, left: NodeId, right: NodeId) -> Checked<Value> {
        let span = tree.span(left).to(tree.span(right));
        let (a, b) = (self.lower(tree, left)?, self.lower(tree, right)?);
        self.graph.span = span;
        if a.len() != b.len() && (a.len() == 1 || b.len() == 1) {
            return Err(Problem::say(span, Say::Sides, &[]));
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

/// There are few: a sort for many is larger than this file.
fn sort<T>(list: &mut [T], key: impl Fn(&T) -> u64) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && key(&list[at]) < key(&list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}
