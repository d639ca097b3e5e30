//! From words and signs to expressions, by hand (Pratt 1973).
//!
//! ```text
//!     + −              1   to the left
//!     * /              2   to the left
//!     2x, unary −      3
//!     ^                4   to the right: −x^2 = −(x^2), 2^3^2 = 2^(3^2)
//!     . ( )            5
//! ```

mod statement;

use crate::lexer::{Lexer, Token};
use crate::limits::{MAX_DEPTH, MAX_PROBLEMS};
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Kind, NodeId, Sign, Tree};

/// The statements of a text, one a line or between semicolons; or all that is wrong with them.
pub(crate) fn parse(text: &str, source: u16) -> Result<Tree, Vec<Problem>> {
    let mut parser = Parser::new(text, source).map_err(|problem| vec![*problem])?;
    let mut problems = Vec::new();
    loop {
        let next = parser.lexer.next().and_then(|()| parser.statements());
        match next {
            Ok(()) => break,
            Err(problem) => {
                problems.push(*problem);
                parser.lexer.skip_line();
                parser.depth = 0;
            }
        }
        if problems.len() == MAX_PROBLEMS {
            break;
        }
    }
    match problems.is_empty() {
        true => Ok(parser.tree),
        false => Err(problems),
    }
}

/// One expression and nothing else.
pub(crate) fn parse_expression(text: &str, source: u16) -> Checked<(Tree, NodeId)> {
    let mut parser = Parser::new(text, source)?;
    // It may go over several lines.
    parser.lexer.brackets = 1;
    parser.lexer.next()?;
    let root = parser.expression(0)?;
    if parser.lexer.token != Token::End {
        return Err(parser.unexpected());
    }
    Ok((parser.tree, root))
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    tree: Tree,
    depth: usize,
}

/// What multiplies a number that stands before it.
fn is_factor(token: Token<'_>) -> bool {
    matches!(
        token,
        Token::Name(_) | Token::Quoted(_) | Token::Sign("(" | "[")
    )
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, source: u16) -> Checked<Self> {
        Ok(Self {
            lexer: Lexer::new(text, source)?,
            tree: Tree::default(),
            depth: 0,
        })
    }

    fn eat(&mut self, sign: &str) -> Checked<bool> {
        let is_there = matches!(self.lexer.token, Token::Sign(own) if own == sign);
        if is_there {
            self.lexer.next()?;
        }
        Ok(is_there)
    }

    /// What stands here stands for nothing.
    fn unexpected(&self) -> Box<Problem> {
        let told = self.lexer.told();
        let problem = Problem::new(self.lexer.span, &[&told, " is not expected here"]);
        match self.lexer.token {
            Token::Sign(")" | "]") => problem.hint(&["no bracket is open"]),
            Token::Sign("<" | ">") => {
                problem.hint(&["write <= or >= for a limit, if(a < b, …) for a choice"])
            }
            Token::Sign("=") => problem.hint(&["write == for a constraint"]),
            Token::Word(word) => problem.hint(&["as a name it needs quotes: '", word, "'"]),
            _ => problem,
        }
    }

    fn is_bracketed(&self, node: NodeId) -> bool {
        self.tree.span(node).of(self.lexer.text).starts_with('(')
    }

    /// A number that multiplies what follows it: (2) does not.
    fn is_literal(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Number(_)) && !self.is_bracketed(node)
    }

    fn binary(&mut self, sign: Sign, left: NodeId, right: NodeId) -> NodeId {
        let span = self.tree.span(left).to(self.tree.span(right));
        self.tree.push(span, Kind::Binary(sign, left, right))
    }

    /// All that binds at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Checked<NodeId> {
        if self.depth > MAX_DEPTH {
            let limit = MAX_DEPTH.to_string();
            let problem = Problem::new(self.lexer.span, &["is nested deeper than ", &limit]);
            return Err(problem.hint(&["name a part of it: part = …"]));
        }
        self.depth += 1;
        let mut left = self.atom()?;
        loop {
            let is_number = self.is_literal(left);
            let (sign, power) = match self.lexer.token {
                Token::Sign("+") => (Sign::Add, 1),
                Token::Sign("-") => (Sign::Subtract, 1),
                Token::Sign("*") => (Sign::Multiply, 2),
                Token::Sign("/") => (Sign::Divide, 2),
                Token::Sign("^") => (Sign::Power, 4),
                Token::Power(n) => {
                    let two = self.tree.push(self.lexer.span, Kind::Number(n));
                    left = self.binary(Sign::Power, left, two);
                    self.lexer.next()?;
                    continue;
                }
                Token::Sign(".") => {
                    left = self.member(left)?;
                    continue;
                }
                Token::Sign("(") if self.is_path(left) => {
                    left = self.call(left)?;
                    continue;
                }
                token if is_factor(token) && is_number => (Sign::Implied, 3),
                token if is_factor(token) || matches!(token, Token::Number(_)) => {
                    let told = self.lexer.told();
                    let words = ["an operator is missing before ", &told];
                    let problem = Problem::new(self.lexer.span, &words);
                    let with = ["*", self.lexer.span.of(self.lexer.text)].concat();
                    let problem = problem.hint(&["write * to multiply"]);
                    return Err(problem.edit(self.lexer.span, with));
                }
                _ => break,
            };
            if power < least {
                break;
            }
            if sign != Sign::Implied {
                self.lexer.next()?;
            }
            let right = match sign {
                Sign::Add | Sign::Subtract => self.expression(2)?,
                Sign::Divide | Sign::Power => self.alone(sign, left)?,
                _ => self.expression(3)?,
            };
            left = self.binary(sign, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// A divisor or an exponent. `1/2x` is refused: half of those who write it mean 1/(2*x).
    fn alone(&mut self, sign: Sign, left: NodeId) -> Checked<NodeId> {
        let right = self.expression(4)?;
        let span = self.tree.span(right);
        let (digits, factor) = match *self.tree.kind(right) {
            Kind::Number(_) if is_factor(self.lexer.token) && self.is_literal(right) => {
                self.expression(3)?;
                (span.end, self.lexer.last)
            }
            Kind::Negate(of) => match *self.tree.kind(of) {
                Kind::Binary(Sign::Implied, number, of) if !self.is_bracketed(right) => {
                    (self.tree.span(number).end, self.tree.span(of))
                }
                _ => return Ok(right),
            },
            _ => return Ok(right),
        };
        let (text, whole) = (self.lexer.text, self.tree.span(left).to(factor));
        let number = Span {
            end: digits,
            ..span
        }
        .of(text);
        let of = text[usize::from(digits)..usize::from(factor.end)].trim();
        let sign = if sign == Sign::Divide { "/" } else { "^" };
        let readings = |left: &str| {
            let one = [left, sign, "(", number, "*", of, ")"].concat();
            [one, ["(", left, sign, number, ")*", of].concat()]
        };
        let left = self.tree.span(left).of(text);
        let [one, other] = readings(if left.len() > 40 { "…" } else { left });
        let problem = Problem::new(whole, &["can be read in two ways"]);
        let problem = problem.hint(&["write ", &one, " or ", &other]);
        let [one, other] = readings(left);
        Err(problem.edit(whole, one).edit(whole, other))
    }

    fn atom(&mut self) -> Checked<NodeId> {
        let span = self.lexer.span;
        match self.lexer.token {
            Token::Number(number) => {
                self.lexer.next()?;
                Ok(self.tree.push(span, Kind::Number(number)))
            }
            Token::Name(_) | Token::Quoted(_) => self.name(),
            Token::Sign(sign @ ("-" | "+")) => {
                self.lexer.next()?;
                let of = self.expression(3)?;
                if sign == "+" {
                    return Ok(of);
                }
                let span = span.to(self.tree.span(of));
                Ok(self.tree.push(span, Kind::Negate(of)))
            }
            Token::Sign("(") => {
                self.open()?;
                let inner = self.expression(0)?;
                self.close(")", span)?;
                self.tree.nodes[inner as usize].span = span.to(self.lexer.last);
                Ok(inner)
            }
            Token::Sign("[") => {
                self.open()?;
                let parts = self.list("]", span)?;
                let list = self.tree.list(&parts);
                Ok(self.tree.push(span.to(self.lexer.last), Kind::Vector(list)))
            }
            Token::Word(_) => Err(self.unexpected()),
            _ => {
                let told = self.lexer.told();
                Err(Problem::new(span, &["a value is missing before ", &told]))
            }
        }
    }

    /// A name, in quotes or not.
    fn name(&mut self) -> Checked<NodeId> {
        let (name, is_quoted) = match self.lexer.token {
            Token::Name(name) => (name, false),
            Token::Quoted(name) => (name, true),
            _ => return Err(self.no_name()),
        };
        let span = self.lexer.span;
        self.lexer.next()?;
        Ok(self.tree.push(span, Kind::Name(name.into(), is_quoted)))
    }

    fn no_name(&self) -> Box<Problem> {
        let told = self.lexer.told();
        Problem::new(self.lexer.span, &["a name is missing before ", &told])
    }

    fn is_path(&self, mut node: NodeId) -> bool {
        while let Kind::Member(of, _) = *self.tree.kind(node) {
            node = of;
        }
        matches!(self.tree.kind(node), Kind::Name(..)) && !self.is_bracketed(node)
    }

    fn member(&mut self, of: NodeId) -> Checked<NodeId> {
        self.lexer.next()?;
        // After a dot any word is a name.
        let (Token::Name(name) | Token::Quoted(name) | Token::Word(name)) = self.lexer.token else {
            return Err(self.no_name());
        };
        let span = self.tree.span(of).to(self.lexer.span);
        self.lexer.next()?;
        Ok(self.tree.push(span, Kind::Member(of, name.into())))
    }

    fn call(&mut self, of: NodeId) -> Checked<NodeId> {
        let opened = self.lexer.span;
        self.open()?;
        let with = self.list(")", opened)?;
        let list = self.tree.list(&with);
        let span = self.tree.span(of).to(self.lexer.last);
        Ok(self.tree.push(span, Kind::Call(of, list)))
    }

    /// Goes into a bracket.
    fn open(&mut self) -> Checked<()> {
        self.lexer.brackets += 1;
        self.lexer.next()
    }

    /// Goes out of a bracket.
    fn close(&mut self, close: &str, opened: Span) -> Checked<()> {
        if matches!(self.lexer.token, Token::Sign(own) if own == close) {
            self.lexer.brackets -= 1;
            return self.lexer.next();
        }
        let (told, open) = (self.lexer.told(), opened.of(self.lexer.text));
        let problem = Problem::new(opened, &["\"", open, "\" is not closed"]);
        Err(problem.hint(&["write ", close, " before ", &told]))
    }

    fn list(&mut self, close: &str, opened: Span) -> Checked<Vec<NodeId>> {
        let mut parts = Vec::new();
        if matches!(self.lexer.token, Token::Sign(own) if own == close) {
            self.close(close, opened)?;
            return Ok(parts);
        }
        loop {
            let part = self.expression(0)?;
            parts.push(self.comparison(part)?);
            if !self.eat(",")? {
                break;
            }
        }
        self.close(close, opened)?;
        Ok(parts)
    }

    /// `a < b` and its like, where something is chosen by it.
    fn comparison(&mut self, left: NodeId) -> Checked<NodeId> {
        let (sign, is_turned) = match self.lexer.token {
            Token::Sign("<") => (Sign::Less, false),
            Token::Sign(">") => (Sign::Less, true),
            Token::Sign("<=") => (Sign::AtMost, false),
            Token::Sign(">=") => (Sign::AtMost, true),
            _ => return Ok(left),
        };
        self.lexer.next()?;
        let right = self.expression(0)?;
        let (a, b) = if is_turned {
            (right, left)
        } else {
            (left, right)
        };
        let span = self.tree.span(left).to(self.tree.span(right));
        Ok(self.tree.push(span, Kind::Binary(sign, a, b)))
    }
}

#[cfg(test)]
mod tests;
