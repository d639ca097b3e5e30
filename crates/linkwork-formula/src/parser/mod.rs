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

use crate::catalogue;
use crate::lexer::{Lexer, Token};
use crate::limits::{MAX_DEPTH, MAX_PROBLEMS};
use crate::messages::Say;
use crate::nearest::Nearest;
use crate::problem::{Checked, Problem, Span};
use crate::tree::{Kind, NodeId, Sign, Tree};

/// The statements of a text, one a line or between semicolons; or all that is wrong with them.
pub(crate) fn parse(text: &str, source: u16) -> Result<Tree, Vec<Problem>> {
    let mut parser = Parser::new(text, source).map_err(|problem| vec![*problem])?;
    let mut problems = Vec::new();
    while let Err(problem) = parser.statements() {
        problems.push(*problem);
        parser.lexer.skip_line();
        parser.depth = 0;
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
        Token::Name(_) | Token::Quoted(_) | Token::Sign('(' | '[')
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

    fn is(&self, sign: char) -> bool {
        self.lexer.token == Token::Sign(sign)
    }

    fn eat(&mut self, sign: char) -> Checked<bool> {
        let is_there = self.is(sign);
        if is_there {
            self.lexer.next()?;
        }
        Ok(is_there)
    }

    /// Something is wrong here, before what stands here.
    fn here(&self, say: Say) -> Box<Problem> {
        Problem::say(self.lexer.span, say, &[&self.lexer.told()])
    }

    /// What stands here stands for nothing.
    fn unexpected(&self) -> Box<Problem> {
        let (told, word) = (self.lexer.told(), self.lexer.span.of(self.lexer.text));
        let say = match self.lexer.token {
            Token::Sign(')' | ']') => Say::NoBracketIsOpen,
            Token::Sign('<' | '>') => Say::NoLimit,
            Token::Sign('=') => Say::NoDefinition,
            Token::Word(_) => Say::NeedsQuotes,
            _ => Say::Unexpected,
        };
        Problem::say(self.lexer.span, say, &[&told, word])
    }

    /// A value stands here, directly after another.
    fn no_operator(&self, left: NodeId) -> Box<Problem> {
        let span = self.tree.span(left);
        let before = span.of(self.lexer.text);
        if catalogue::function(before).is_some() {
            return Problem::say(span, Say::IsAFunction, &[before, before]);
        }
        let mut statement = Nearest::new(before);
        for word in ["minimize", "maximize", "curve", "surface"] {
            statement.offer(word);
        }
        if let Some(word) = statement.found() {
            return Problem::say(span, Say::DidYouMean, &[before, &word]).edit(span, word);
        }
        let with = ["*", self.lexer.span.of(self.lexer.text)].concat();
        self.here(Say::NoOperator).edit(self.lexer.span, with)
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
            return Err(Problem::say(self.lexer.span, Say::TooDeep, &[&limit]));
        }
        self.depth += 1;
        let mut left = self.atom()?;
        loop {
            let (sign, power) = match self.lexer.token {
                Token::Sign('+') => (Sign::Add, 1),
                Token::Sign('-') => (Sign::Subtract, 1),
                Token::Sign('*') => (Sign::Multiply, 2),
                Token::Sign('/') => (Sign::Divide, 2),
                Token::Sign('^') => (Sign::Power, 4),
                Token::Power(n) => {
                    let two = self.tree.push(self.lexer.span, Kind::Number(n));
                    left = self.binary(Sign::Power, left, two);
                    self.lexer.next()?;
                    continue;
                }
                Token::Sign('.') => {
                    left = self.member(left)?;
                    continue;
                }
                Token::Sign('(') if self.is_path(left) => {
                    left = self.call(left)?;
                    continue;
                }
                token if is_factor(token) && self.is_literal(left) => (Sign::Implied, 3),
                token if is_factor(token) || matches!(token, Token::Number(_)) => {
                    return Err(self.no_operator(left));
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
        let factor = Span {
            start: digits,
            ..factor
        };
        let (left, of) = (self.tree.span(left).of(text), factor.of(text).trim());
        let sign = if sign == Sign::Divide { "/" } else { "^" };
        let readings = |left: &str| {
            let one = [left, sign, "(", number, "*", of, ")"].concat();
            [one, ["(", left, sign, number, ")*", of].concat()]
        };
        let [one, other] = readings(if left.len() > 40 { "…" } else { left });
        let problem = Problem::say(whole, Say::TwoWays, &[&one, &other]);
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
            Token::Sign(sign @ ('-' | '+')) => {
                self.lexer.next()?;
                let of = self.expression(3)?;
                if sign == '+' {
                    return Ok(of);
                }
                let span = span.to(self.tree.span(of));
                Ok(self.tree.push(span, Kind::Negate(of)))
            }
            Token::Sign('(') => {
                self.open()?;
                let inner = self.expression(0)?;
                self.close(')', span)?;
                self.tree.nodes[inner as usize].span = span.to(self.lexer.last);
                Ok(inner)
            }
            Token::Sign('[') => {
                self.open()?;
                let parts = self.list(']', span)?;
                let list = self.tree.list(&parts);
                Ok(self.tree.push(span.to(self.lexer.last), Kind::Vector(list)))
            }
            Token::Word(_) => Err(self.unexpected()),
            _ => Err(self.here(Say::NoValue)),
        }
    }

    /// A name, in quotes or not.
    fn name(&mut self) -> Checked<NodeId> {
        let (Token::Name(name) | Token::Quoted(name)) = self.lexer.token else {
            return Err(self.here(Say::NoName));
        };
        let is_quoted = matches!(self.lexer.token, Token::Quoted(_));
        let kind = Kind::Name(name.into(), is_quoted);
        let node = self.tree.push(self.lexer.span, kind);
        self.lexer.next()?;
        Ok(node)
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
            return Err(self.here(Say::NoName));
        };
        let span = self.tree.span(of).to(self.lexer.span);
        self.lexer.next()?;
        Ok(self.tree.push(span, Kind::Member(of, name.into())))
    }

    fn call(&mut self, of: NodeId) -> Checked<NodeId> {
        let opened = self.lexer.span;
        self.open()?;
        let with = self.list(')', opened)?;
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
    fn close(&mut self, close: char, opened: Span) -> Checked<()> {
        if self.is(close) {
            self.lexer.brackets -= 1;
            return self.lexer.next();
        }
        let (told, open) = (self.lexer.told(), opened.of(self.lexer.text));
        let close = if close == ')' { ")" } else { "]" };
        Err(Problem::say(opened, Say::NotClosed, &[open, close, &told]))
    }

    fn list(&mut self, close: char, opened: Span) -> Checked<Vec<NodeId>> {
        let mut parts = Vec::new();
        while !(parts.is_empty() && self.is(close)) {
            let part = self.expression(0)?;
            parts.push(self.comparison(part)?);
            if !self.eat(',')? {
                break;
            }
        }
        self.close(close, opened)?;
        Ok(parts)
    }

    /// `a < b` and its like, where something is chosen by it.
    fn comparison(&mut self, left: NodeId) -> Checked<NodeId> {
        let (sign, is_turned) = match self.lexer.token {
            Token::Sign('<') => (Sign::Less, false),
            Token::Sign('>') => (Sign::Less, true),
            Token::Sign('≤') => (Sign::AtMost, false),
            Token::Sign('≥') => (Sign::AtMost, true),
            _ => return Ok(left),
        };
        self.lexer.next()?;
        let right = self.expression(0)?;
        let node = self.binary(sign, left, right);
        if is_turned {
            self.tree.nodes[node as usize].kind = Kind::Binary(sign, right, left);
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests;
