//! Statements: what an expression is for.

use super::Parser;
use crate::lexer::Token;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Definition, Kind, NodeId, Parameter, Says, Sort, Statement};

impl Parser<'_> {
    /// All statements up to the end.
    pub(super) fn statements(&mut self) -> Checked<()> {
        loop {
            match self.lexer.token {
                Token::End => return Ok(()),
                Token::Break => self.lexer.next()?,
                _ => {
                    self.depth = 0;
                    let (span, from) = (self.lexer.span, self.tree.nodes.len() as NodeId);
                    let says = self.statement()?;
                    if !matches!(self.lexer.token, Token::End | Token::Break) {
                        return Err(self.unexpected());
                    }
                    self.tree.statements.push(Statement {
                        span: span.to(self.lexer.last),
                        says,
                        nodes: [from, self.tree.nodes.len() as NodeId],
                    });
                }
            }
        }
    }

    fn statement(&mut self) -> Checked<Says> {
        if let Token::Word(word) = self.lexer.token {
            match word {
                "minimize" | "maximize" => {
                    self.lexer.next()?;
                    let of = self.expression(0)?;
                    return Ok(match word {
                        "minimize" => Says::Minimize(of),
                        _ => Says::Maximize(of),
                    });
                }
                "curve" => return self.shape(Sort::Curve),
                "surface" => return self.shape(Sort::Surface),
                _ => {}
            }
        }
        let left = self.expression(0)?;
        match self.lexer.token {
            Token::Sign("==") => {
                self.lexer.next()?;
                Ok(Says::Equal(left, self.expression(0)?))
            }
            Token::Sign("~") => {
                self.lexer.next()?;
                let right = self.expression(0)?;
                let weight = match self.lexer.token == Token::Word("weight") {
                    true => {
                        self.lexer.next()?;
                        Some(self.expression(0)?)
                    }
                    false => None,
                };
                Ok(Says::Like(left, right, weight))
            }
            Token::Sign(sign @ ("<=" | ">=")) => self.limits(sign, left),
            Token::Sign("=") => {
                self.lexer.next()?;
                self.define(left)
            }
            _ => Ok(Says::Value(left)),
        }
    }

    /// `0 <= x <= 1`: each at most the next.
    fn limits(&mut self, sign: &str, first: NodeId) -> Checked<Says> {
        let mut parts = vec![first];
        while self.eat(sign)? {
            parts.push(self.expression(0)?);
        }
        if sign == ">=" {
            parts.reverse();
        }
        Ok(Says::AtMost(parts))
    }

    /// `name = …` or `name(x, y) = …`, after the sign.
    fn define(&mut self, left: NodeId) -> Checked<Says> {
        let span = self.tree.span(left);
        match self.tree.kind(left).clone() {
            Kind::Name(name, _) => {
                let is = self.expression(0)?;
                let range = self.range()?;
                Ok(Says::Define(Definition { name, span, is }, range))
            }
            Kind::Call(of, with) if self.tree.name(of).is_some() => {
                let (name, span) = self.defined(of);
                let mut parameters = Vec::new();
                for part in self.tree.parts(with).to_vec() {
                    let at = self.tree.span(part);
                    let Some(name) = self.tree.name(part) else {
                        let told = at.of(self.lexer.text);
                        let words = ["a parameter is a name, not \"", told, "\""];
                        return Err(Problem::new(at, &words));
                    };
                    let name = name.into();
                    self.add(
                        &mut parameters,
                        Parameter {
                            name,
                            span: at,
                            range: None,
                        },
                    )?;
                }
                if parameters.is_empty() {
                    let problem = Problem::new(self.tree.span(left), &["has no parameter"]);
                    return Err(problem.hint(&["leave the brackets out: ", &name, " = …"]));
                }
                let is = self.expression(0)?;
                let definition = Definition { name, span, is };
                Ok(Says::Function(Sort::Function, definition, parameters))
            }
            _ => {
                let problem = Problem::new(span, &["only a name can be defined with ="]);
                Err(problem.hint(&["write == for a constraint"]))
            }
        }
    }

    fn defined(&self, of: NodeId) -> (Box<str>, Span) {
        let name = self.tree.name(of).unwrap_or_default();
        (name.into(), self.tree.span(of))
    }

    fn add(&self, parameters: &mut Vec<Parameter>, new: Parameter) -> Checked<()> {
        if parameters.iter().any(|own| own.name == new.name) {
            let words = ["\"", &new.name, "\" is a parameter twice"];
            return Err(Problem::new(new.span, &words));
        }
        parameters.push(new);
        Ok(())
    }

    /// `in low..high`, if it stands here.
    fn range(&mut self) -> Checked<Option<[NodeId; 2]>> {
        if self.lexer.token != Token::Word("in") {
            return Ok(None);
        }
        self.lexer.next()?;
        let low = self.expression(0)?;
        if !self.eat("..")? {
            let told = self.lexer.told();
            let problem = Problem::new(self.lexer.span, &["\"..\" is missing before ", &told]);
            return Err(problem.hint(&["a range is low..high: in 0..2"]));
        }
        let high = self.expression(0)?;
        Ok(Some([low, high]))
    }

    /// `curve name(u in low..high) = …`, from its first word.
    fn shape(&mut self, sort: Sort) -> Checked<Says> {
        let (form, count) = match sort {
            Sort::Surface => ("surface name(u in 0..1, v in 0..1) = [x, y, z]", 2),
            _ => ("curve name(u in 0..1) = [x, y]", 1),
        };
        self.lexer.next()?;
        let of = self.name()?;
        let (name, span) = self.defined(of);
        let opened = self.lexer.span;
        if self.lexer.token != Token::Sign("(") {
            let told = self.lexer.told();
            let problem = Problem::new(opened, &["\"(\" is missing before ", &told]);
            return Err(problem.hint(&["write ", form]));
        }
        self.open()?;
        let mut parameters = Vec::new();
        loop {
            let part = self.name()?;
            let (name, span) = self.defined(part);
            let range = self.range()?;
            if range.is_none() {
                let problem = Problem::new(span, &["\"", &name, "\" has no range"]);
                return Err(problem.hint(&["write ", form]));
            }
            self.add(&mut parameters, Parameter { name, span, range })?;
            if !self.eat(",")? {
                break;
            }
        }
        self.close(")", opened)?;
        if parameters.len() != count {
            let (is, takes) = (parameters.len().to_string(), count.to_string());
            let problem = Problem::new(span, &["takes ", &takes, " parameters, not ", &is]);
            return Err(problem.hint(&["write ", form]));
        }
        if !self.eat("=")? {
            let told = self.lexer.told();
            let problem = Problem::new(self.lexer.span, &["\"=\" is missing before ", &told]);
            return Err(problem.hint(&["write ", form]));
        }
        let is = self.expression(0)?;
        Ok(Says::Function(
            sort,
            Definition { name, span, is },
            parameters,
        ))
    }
}
