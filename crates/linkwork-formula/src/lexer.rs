//! From text to words and signs.

use crate::catalogue::RESERVED;
use crate::limits::MAX_BYTES;
use crate::messages::Say;
use crate::problem::{Checked, Problem, Span};

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    Number(f64),
    Name(&'t str),
    /// What stood between quotes.
    Quoted(&'t str),
    /// A word that is no name.
    Word(&'static str),
    /// One of [`SIGNS`].
    Sign(char),
    /// `²` or `³`.
    Power(f64),
    /// The end of a statement.
    Break,
    End,
}

/// Signs that stand for themselves.
const SIGNS: &str = "+-*/^()[],=~.<>≤≥";

/// How signs are written otherwise, the longer ones first: each is followed by the sign it stands for.
const WRITTEN: &str = "==≡ <=≤ >=≥ ..‥ ·* ×* ⋅* ∗* −- –- ÷/";

/// `..` and `==` as signs.
pub(crate) const RANGE: char = '‥';
pub(crate) const EQUALS: char = '≡';

/// Signs of other languages, and how it is said here.
const INSTEAD: [(&str, &str); 11] = [
    ("|", "write abs(x) of a number, norm(v) of a vector"),
    ("{}", "write if(x < 0, a, b) for cases, in 0..2 for a range"),
    ("%", "write 5percent, or mod(x, m)"),
    (
        "!",
        "there is no factorial; if(a < b, 0, 1) is the opposite of a < b",
    ),
    (":", "write = to define, in 0..2 for a range"),
    (
        "\"`’‘“”",
        "names of several words stand between straight single quotes",
    ),
    ("√", "write sqrt(x)"),
    ("∑", "write sum(k, 1, n, expression)"),
    (
        "∫",
        "there are no integrals, except length(curve) and area(curve)",
    ),
    ("¹⁰⁴⁵⁶⁷⁸⁹ⁿ", "write x^n"),
    ("&?@$\\", "operators are + − * / ^"),
];

/// Signs in a row that mean nothing here, and how it is said.
const MISWRITTEN: [(&str, &str); 6] = [
    ("...", "write .. for a range: 0..2"),
    ("**", "write ^ for powers"),
    ("===", "write =="),
    (
        "!=",
        "nothing can be held unequal; in if(a, b, c) a may be a difference",
    ),
    ("=>", "write >="),
    ("=<", "write <="),
];

/// Walks over a text.
pub(crate) struct Lexer<'t> {
    pub(crate) text: &'t str,
    source: u16,
    at: usize,
    pub(crate) token: Token<'t>,
    pub(crate) span: Span,
    /// Where the last token ended.
    pub(crate) last: Span,
    /// Open brackets: within them a line may end.
    pub(crate) brackets: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str, source: u16) -> Checked<Self> {
        let span = Span {
            source,
            ..Span::default()
        };
        if text.len() > MAX_BYTES {
            let [length, limit] = [text.len(), MAX_BYTES].map(|n| n.to_string());
            return Err(Problem::say(span, Say::TooLong, &[&length, &limit]));
        }
        let (token, last) = (Token::End, span);
        Ok(Self {
            text,
            source,
            at: 0,
            token,
            span,
            last,
            brackets: 0,
        })
    }

    fn at(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start as u16, end as u16);
        Span {
            source: self.source,
            start,
            end,
        }
    }

    fn put(&mut self, length: usize, token: Token<'t>) {
        self.span = self.at(self.at, self.at + length);
        self.at += length;
        self.token = token;
    }

    /// Goes on to the next token.
    pub(crate) fn next(&mut self) -> Checked<()> {
        self.last = self.span;
        self.skip();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            self.put(0, Token::End);
            return Ok(());
        };
        let width = first.len_utf8();
        match first {
            '\n' | ';' => self.put(1, Token::Break),
            '\'' => return self.quoted(),
            '0'..='9' => return self.number(),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => return self.number(),
            '²' => self.put(width, Token::Power(2.0)),
            '³' => self.put(width, Token::Power(3.0)),
            '°' => self.put(width, Token::Name("deg")),
            _ if is_letter(first) => {
                let is_end = |c: char| !(is_letter(c) || c.is_ascii_digit());
                let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                let token = match RESERVED.into_iter().find(|own| *own == name) {
                    Some(word) => Token::Word(word),
                    None => Token::Name(name),
                };
                self.put(name.len(), token);
            }
            _ => return self.sign(first),
        }
        Ok(())
    }

    /// Over spaces and comments, and over the ends of lines within brackets.
    fn skip(&mut self) {
        let mut is_comment = false;
        for (n, c) in self.text[self.at..].char_indices() {
            let is_line = c == '\n';
            let is_space = matches!(c, ' ' | '\t' | '\r' | '\u{a0}' | '\u{2009}' | '\u{feff}');
            is_comment = !is_line && (is_comment || c == '#');
            if !(is_comment || is_space || (is_line && self.brackets > 0)) {
                self.at += n;
                return;
            }
        }
        self.at = self.text.len();
    }

    /// Over the rest of a line, after a mistake in it.
    pub(crate) fn skip_line(&mut self) {
        self.brackets = 0;
        let rest = &self.text[self.at..];
        let is_over = self.token == Token::Break;
        if !is_over {
            self.at += rest.find(['\n', ';']).unwrap_or(rest.len());
        }
    }

    fn sign(&mut self, first: char) -> Checked<()> {
        let rest = &self.text[self.at..];
        if let Some((own, hint)) = MISWRITTEN.iter().find(|own| rest.starts_with(own.0)) {
            self.put(own.len(), Token::End);
            let told = ["\"", own, "\""].concat();
            return Err(Problem::say(self.span, Say::NoMeaning, &[&told, hint]));
        }
        for written in WRITTEN.split(' ') {
            let sign = written.chars().next_back().unwrap_or(first);
            let written = &written[..written.len() - sign.len_utf8()];
            if rest.starts_with(written) {
                self.put(written.len(), Token::Sign(sign));
                return Ok(());
            }
        }
        let width = first.len_utf8();
        if SIGNS.contains(first) {
            self.put(width, Token::Sign(first));
            return Ok(());
        }
        self.put(width, Token::End);
        // What cannot be seen is told by its number.
        let told = match first.is_control() {
            true => first.escape_unicode().to_string(),
            false => ["\"", &rest[..width], "\""].concat(),
        };
        let known = INSTEAD.iter().find(|(own, _)| own.contains(first));
        let hint = known.map_or("", |(_, hint)| hint);
        Err(Problem::say(self.span, Say::NoMeaning, &[&told, hint]))
    }

    fn quoted(&mut self) -> Checked<()> {
        let inner = &self.text[self.at + 1..];
        let end = inner.find(['\'', '\n']).unwrap_or(inner.len());
        if !inner[end..].starts_with('\'') {
            let span = self.at(self.at, self.at + 1);
            self.put(1 + end, Token::End);
            return Err(Problem::say(span, Say::OpenQuote, &[]));
        }
        self.put(end + 2, Token::Quoted(&inner[..end]));
        Ok(())
    }

    fn number(&mut self) -> Checked<()> {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let digits = |mut n: usize| {
            while bytes.get(n).is_some_and(u8::is_ascii_digit) {
                n += 1;
            }
            n
        };
        let mut n = digits(0);
        // "1..5" is a range, not "1." and ".5".
        if bytes.get(n) == Some(&b'.') && bytes.get(n + 1) != Some(&b'.') {
            n = digits(n + 1);
        }
        if let Some(b'e' | b'E') = bytes.get(n) {
            let sign = matches!(bytes.get(n + 1), Some(b'+' | b'-'));
            let start = n + 1 + usize::from(sign);
            // "2e" is twice e.
            n = if digits(start) > start {
                digits(start)
            } else {
                n
            };
        }
        match rest[..n].parse::<f64>() {
            Ok(number) if number.is_finite() => self.put(n, Token::Number(number)),
            _ => {
                self.put(n, Token::End);
                return Err(Problem::say(self.span, Say::TooLarge, &[&rest[..n]]));
            }
        }
        Ok(())
    }

    /// What stands here, for people.
    pub(crate) fn told(&self) -> String {
        match self.token {
            Token::Break => "the end of the line".into(),
            Token::End => "the end".into(),
            _ => ["\"", self.span.of(self.text), "\""].concat(),
        }
    }
}

/// Letters of any script. What is not ASCII is a letter, but for signs, punctuation and drawings: tables of all
/// letters would be larger than the parser.
pub(crate) fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || c == '_';
    }
    !matches!(c,
        '\u{80}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}' | '×' | '÷'
        | '\u{2000}'..='\u{207f}' | '\u{208a}'..='\u{208e}' | '\u{20a0}'..='\u{20cf}'
        | '\u{2190}'..='\u{2bff}' | '\u{2e00}'..='\u{2e7f}' | '\u{3000}'..='\u{3020}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe6f}' | '\u{feff}'..='\u{ff20}' | '\u{fff0}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        let mut lexer = Lexer::new(text, 0).unwrap();
        let mut out = Vec::new();
        loop {
            match lexer.next() {
                Err(problem) => {
                    out.push(format!("! {problem}"));
                    break;
                }
                Ok(()) => match lexer.token {
                    Token::End => break,
                    Token::Number(x) => out.push(x.to_string()),
                    Token::Name(x) => out.push(x.to_owned()),
                    Token::Quoted(x) => out.push(format!("<{x}>")),
                    Token::Word(x) => out.push(x.to_uppercase()),
                    Token::Sign(x) => out.push(x.to_string()),
                    Token::Power(x) => out.push(format!("^{x}")),
                    Token::Break => out.push("|".into()),
                },
            }
        }
        out.join(" ")
    }

    #[test]
    fn words_and_signs() {
        for (text, found) in [
            ("2x+.5", "2 x + 0.5"),
            ("1e3 1e-2 2e 2e+x", "1000 0.01 2 e 2 e + x"),
            ("0..2 1.. .5", "0 ‥ 2 1 ‥ 0.5"),
            ("k = 1 in 0..tau # a slider", "k = 1 IN 0 ‥ tau"),
            ("a ≤ b·c − d÷e", "a ≤ b * c - d / e"),
            ("30° x²", "30 deg x ^2"),
            ("größe Länge α₁ 長さ", "größe Länge α₁ 長さ"),
            ("'bar 2'.tip 'weight'", "<bar 2> . tip <weight>"),
            ("a\n;b", "a | | b"),
            ("\u{a0}a\r\n", "a |"),
        ] {
            assert_eq!(tokens(text), found, "{text}");
        }
    }

    #[test]
    fn what_means_nothing() {
        for (text, told) in [
            (
                "|x|",
                "! \"|\" means nothing here; write abs(x) of a number, norm(v) of a vector",
            ),
            ("a 1e999", "a ! 1e999 is too large; numbers go up to 1e308"),
            (
                "'bar",
                "! the quote is not closed; 'bar 2' is a name; der(y, x) is a derivative",
            ),
            (
                "0...2",
                "0 ! \"...\" means nothing here; write .. for a range: 0..2",
            ),
            ("a**2", "a ! \"**\" means nothing here; write ^ for powers"),
            ("a === b", "a ! \"===\" means nothing here; write =="),
            ("a => b", "a ! \"=>\" means nothing here; write >="),
            ("a =< b", "a ! \"=<\" means nothing here; write <="),
            ("\u{1}", "! \\u{1} means nothing here"),
            ("a → b", "a ! \"→\" means nothing here"),
        ] {
            assert_eq!(tokens(text), told, "{text}");
        }
        for (signs, _) in INSTEAD {
            for sign in signs.chars() {
                let told = tokens(&sign.to_string());
                assert!(told.contains("means nothing here; "), "{told}");
            }
        }
    }

    #[test]
    fn long_texts_are_refused() {
        assert!(Lexer::new(&"x".repeat(MAX_BYTES), 0).is_ok());
        let problem = Lexer::new(&"x".repeat(10 << 20), 0).err().unwrap();
        assert_eq!(problem.message, "has 10485760 bytes, more than 16384");
    }
}
