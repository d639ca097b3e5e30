//! Statements: what an expression is for.

use super::Parser;
use crate::lexer::{EQUALS, RANGE, Token};
use crate::messages::Say;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Definition, Kind, NodeId, Parameter, Says, Sort, Statement};

impl Parser<'_> {
    /// All statements up to the end.
    pub(super) fn statements(&mut self) -> Checked<()> {
        loop {
            // Over what ended the last one.
            self.lexer.next()?;
            let (span, from) = (self.lexer.span, self.tree.nodes.len() as NodeId);
            match self.lexer.token {
                Token::End => return Ok(()),
                Token::Break => continue,
                _ => {}
            }
            self.depth = 0;
            let says = self.statement()?;
            let to = self.tree.nodes.len() as NodeId;
            self.tree.statements.push(Statement {
                span: span.to(self.lexer.last),
                says,
                nodes: [from, to],
            });
            match self.lexer.token {
                Token::End => return Ok(()),
                Token::Break => {}
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn statement(&mut self) -> Checked<Says> {
        if let Token::Word(word) = self.lexer.token {
            let shape = match word {
                "minimize" | "maximize" => {
                    self.lexer.next()?;
                    let of = self.expression(0)?;
                    return Ok(Says::Minimize(of, word == "maximize"));
                }
                "curve" => Sort::Curve,
                "surface" => Sort::Surface,
                _ => return Err(self.unexpected()),
            };
            return self.shape(shape);
        }
        let left = self.expression(0)?;
        // x in 0..1: 0 <= x <= 1.
        if let Some([low, high]) = self.range()? {
            return Ok(Says::AtMost(vec![low, left, high]));
        }
        let Token::Sign(sign) = self.lexer.token else {
            return Ok(Says::Value(left));
        };
        match sign {
            EQUALS => {
                self.lexer.next()?;
                Ok(Says::Equal(left, self.expression(0)?))
            }
            '~' => {
                self.lexer.next()?;
                let right = self.expression(0)?;
                let mut weight = None;
                if self.lexer.token == Token::Word("weight") {
                    self.lexer.next()?;
                    weight = Some(self.expression(0)?);
                }
                Ok(Says::Like(left, right, weight))
            }
            // 0 <= x <= 1: each at most the next.
            '≤' | '≥' => {
                let mut parts = vec![left];
                while self.eat(sign)? {
                    parts.push(self.expression(0)?);
                }
                if sign == '≥' {
                    parts.reverse();
                }
                Ok(Says::AtMost(parts))
            }
            '=' => {
                let sign = self.lexer.span;
                self.lexer.next()?;
                self.define(left, sign)
            }
            _ => Ok(Says::Value(left)),
        }
    }

    /// `name = …` or `name(x, y) = …`, after the sign.
    fn define(&mut self, left: NodeId, sign: Span) -> Checked<Says> {
        let (of, with) = match *self.tree.kind(left) {
            Kind::Call(of, with) => (of, Some(with)),
            _ => (left, None),
        };
        let span = self.tree.span(left);
        let Some(name) = self.tree.name(of).map(Box::from) else {
            let problem = Problem::say(span, Say::NotAName, &[]);
            return Err(problem.edit(sign, "==".to_owned()));
        };
        let mut own = Definition {
            name,
            span: self.tree.span(of),
            is: left,
        };
        let Some(with) = with else {
            own.is = self.expression(0)?;
            return Ok(Says::Define(own, self.range()?));
        };
        let mut parameters = Vec::new();
        for part in self.tree.parts(with).to_vec() {
            self.parameter(&mut parameters, part, None)?;
        }
        if parameters.is_empty() {
            return Err(Problem::say(span, Say::NoParameter, &[&own.name]));
        }
        own.is = self.expression(0)?;
        Ok(Says::Function(Sort::Function, own, parameters))
    }

    fn parameter(
        &self,
        parameters: &mut Vec<Parameter>,
        node: NodeId,
        range: Option<[NodeId; 2]>,
    ) -> Checked<()> {
        let span = self.tree.span(node);
        let say = match self.tree.name(node) {
            None => Say::NotAParameter,
            Some(name) if parameters.iter().any(|own| *own.name == *name) => Say::ParameterTwice,
            Some(name) => {
                let name = name.into();
                parameters.push(Parameter { name, span, range });
                return Ok(());
            }
        };
        Err(Problem::say(span, say, &[span.of(self.lexer.text)]))
    }

    /// `in low..high`, if it stands here.
    fn range(&mut self) -> Checked<Option<[NodeId; 2]>> {
        if self.lexer.token != Token::Word("in") {
            return Ok(None);
        }
        self.lexer.next()?;
        let low = self.expression(0)?;
        if !self.eat(RANGE)? {
            return Err(self.here(Say::NoRange));
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
        let span = self.tree.span(of);
        let name: Box<str> = self.tree.name(of).unwrap_or_default().into();
        let opened = self.lexer.span;
        if !self.is('(') {
            return Err(self.missing("(", form));
        }
        self.open()?;
        let mut parameters = Vec::new();
        loop {
            let part = self.name()?;
            let range = self.range()?;
            if range.is_none() {
                let span = self.tree.span(part);
                let told = span.of(self.lexer.text);
                return Err(Problem::say(span, Say::ShapeNoRange, &[told, form]));
            }
            self.parameter(&mut parameters, part, range)?;
            if !self.eat(',')? {
                break;
            }
        }
        self.close(')', opened)?;
        if parameters.len() != count {
            let [takes, is] = [count, parameters.len()].map(|n| n.to_string());
            return Err(Problem::say(span, Say::ShapeCount, &[&takes, &is, form]));
        }
        if !self.eat('=')? {
            return Err(self.missing("=", form));
        }
        let is = self.expression(0)?;
        Ok(Says::Function(
            sort,
            Definition { name, span, is },
            parameters,
        ))
    }

    fn missing(&self, sign: &str, form: &str) -> Box<Problem> {
        let told = self.lexer.told();
        Problem::say(self.lexer.span, Say::ShapeNoSign, &[sign, &told, form])
    }
}
