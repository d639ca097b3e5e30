//! JSON as a tree, and where in its text each value stands.
//!
//! Serde reads into types and keeps no places. A scene is read in two steps instead: the text becomes
//! a tree, which is checked against the catalogue and the records; a mistake is then a path, and the
//! tree knows the line.

use std::collections::HashSet;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::export::number_text;
use crate::fault::{Fault, Under};

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins, in bytes: no text is longer than [`super::MAX_BYTES`].
    pub(super) at: u32,
    pub(crate) tree: Tree,
}

/// What a field is called. A text has few names, many times: they are shared.
pub(crate) type Key = Arc<str>;

/// What a value is. A scene of 100 MB has twenty million of them: each has the room it needs, and no more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Null,
    Flag(bool),
    Number(f64),
    Text(Box<str>),
    List(Box<[Node]>),
    /// Keys are unique, in the order of the text.
    Object(Box<[(Key, Node)]>),
    /// Brackets deeper than anything that is read.
    TooDeep,
    /// A text that begins with `=`, worked out.
    Computed(Box<Computed>),
}

/// A text that begins with `=` and what it comes to. Where a text is wanted it is that, and its value does not matter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Computed {
    pub(crate) text: Box<str>,
    pub(crate) value: Result<f64, Fault>,
}

/// No document is nested deeper.
const DEEPEST: usize = 60;

impl Node {
    /// The tree of a text.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut parser = Parser::new(text);
        let parsed = parser.value(0).and_then(|node| {
            parser.skip_space();
            match parser.is_at_end() {
                true => Ok(node),
                false => Err(parser.refuse("trailing characters")),
            }
        });
        parsed.map_err(|fault| Fault {
            place: Some(place(text, parser.at)),
            ..fault
        })
    }

    /// The field of an object; one that is null is left out.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Tree::Object(fields) = &self.tree else {
            return None;
        };
        let field = fields.iter().find(|(own, _)| **own == *name);
        field
            .map(|(_, node)| node)
            .filter(|node| node.tree != Tree::Null)
    }

    /// The number that it is, or comes to; none if it is something else.
    pub(crate) fn number(&self) -> Option<Result<f64, Fault>> {
        match &self.tree {
            Tree::Number(number) => Some(Ok(*number)),
            Tree::Computed(own) => Some(own.value.clone()),
            _ => None,
        }
    }

    /// The text that it is; none if it is something else.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.tree {
            Tree::Text(text) => Some(text),
            Tree::Computed(own) => Some(&own.text),
            _ => None,
        }
    }

    /// A value that stands in no text.
    pub(crate) fn made(tree: Tree) -> Self {
        Self { at: 0, tree }
    }

    /// An object of fields that stand in no text.
    pub(crate) fn object(fields: Vec<(&str, Self)>) -> Self {
        let fields = fields.into_iter().map(|(key, own)| (key.into(), own));
        Self::made(Tree::Object(fields.collect()))
    }

    /// Keeps the fields of these names.
    pub(crate) fn retain(&mut self, is_kept: &dyn Fn(&str) -> bool) {
        if let Tree::Object(fields) = &mut self.tree {
            let kept = fields.iter().filter(|(key, _)| is_kept(key));
            *fields = kept.cloned().collect();
        }
    }

    /// Gives an object a field in place of what it has of that name; without one it has none then.
    pub(crate) fn set(&mut self, name: &str, value: Option<Self>) {
        let Tree::Object(fields) = &mut self.tree else {
            return;
        };
        let found = fields.iter().position(|(key, _)| **key == *name);
        let mut all = std::mem::take(fields).into_vec();
        match (found, value) {
            (Some(at), Some(value)) => all[at].1 = value,
            (Some(at), None) => drop(all.remove(at)),
            (None, Some(value)) => all.push((name.into(), value)),
            (None, None) => {}
        }
        *fields = all.into();
    }

    /// The entry of a list of this name: a field of this object.
    pub(crate) fn entry(&self, list: &str, name: &str) -> Option<&Self> {
        let Tree::List(entries) = &self.get(list)?.tree else {
            return None;
        };
        entries.iter().find(|own| own.name() == Some(name))
    }

    /// What an entry is called.
    pub(crate) fn name(&self) -> Option<&str> {
        self.get("name")?.text()
    }

    /// What is in it, with the name of each field; of a list without.
    pub(crate) fn inner(&self) -> impl Iterator<Item = (Option<&Key>, &Self)> {
        let (entries, fields): (&[Self], &[(Key, Self)]) = match &self.tree {
            Tree::List(entries) => (entries, &[]),
            Tree::Object(fields) => (&[], fields),
            _ => (&[], &[]),
        };
        let entries = entries.iter().map(|own| (None, own));
        entries.chain(fields.iter().map(|(key, own)| (Some(key), own)))
    }

    /// The same, wherever it stands in a text.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        match (&self.tree, &other.tree) {
            (Tree::List(a), Tree::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same(b))
            }
            (Tree::Object(a), Tree::Object(b)) => {
                let same = |(key, own): &(Key, Self)| {
                    let found = b.iter().find(|(other, _)| other == key);
                    found.is_some_and(|(_, other)| own.says_the_same(other))
                };
                a.len() == b.len() && a.iter().all(same)
            }
            (Tree::Number(a), Tree::Number(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }

    /// The fields of what must be an object.
    pub(crate) fn fields(&self) -> Result<&[(Key, Self)], Fault> {
        match &self.tree {
            Tree::Object(fields) => Ok(fields),
            _ => Err(self.wrong("an object, { … }")),
        }
    }

    /// The fields of an object, to be changed.
    pub(crate) fn fields_mut(&mut self) -> impl Iterator<Item = &mut (Key, Self)> {
        let fields = match &mut self.tree {
            Tree::Object(fields) => &mut **fields,
            _ => &mut [],
        };
        fields.iter_mut()
    }

    /// The entries of what must be a list.
    pub(crate) fn entries(&self) -> Result<&[Self], Fault> {
        match &self.tree {
            Tree::List(entries) => Ok(entries),
            _ => Err(self.wrong("a list")),
        }
    }

    /// What it is, for people.
    pub(crate) fn told(&self) -> String {
        match &self.tree {
            Tree::Null => "null".into(),
            Tree::Flag(flag) => flag.to_string(),
            Tree::Number(number) => number_text(*number),
            Tree::Text(text) => format!("\"{text}\""),
            Tree::List(_) => "a list".into(),
            Tree::Object(_) => "an object".into(),
            Tree::TooDeep => "nested too deep".into(),
            Tree::Computed(own) => format!("\"{}\"", own.text),
        }
    }

    /// It is not what must be there.
    pub(crate) fn wrong(&self, wanted: &str) -> Fault {
        Fault::at("", format!("is {}, but must be {wanted}", self.told()))
    }

    /// Line and column, from one, of the value at a path; of the nearest there is, where a step leads
    /// nowhere.
    pub(crate) fn locate(&self, text: &str, path: &str) -> (usize, usize) {
        let mut node = self;
        for part in path.split('.') {
            let (name, entries) = part.split_at(part.find('[').unwrap_or(part.len()));
            let numbers = entries.split(['[', ']']).filter_map(|own| own.parse().ok());
            let inner = match name {
                "" => Some(node),
                name => node.get(name),
            };
            let Some(inner) = inner else { break };
            node = inner;
            for number in numbers {
                let numbered: usize = number;
                match &node.tree {
                    Tree::List(entries) if numbered < entries.len() => node = &entries[numbered],
                    _ => break,
                }
            }
        }
        place(text, node.at as usize)
    }
}

/// As it was read; whole numbers without a point.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = (1_u64 << 53) as f64;
        match &self.tree {
            Tree::Null | Tree::TooDeep => serializer.serialize_unit(),
            Tree::Flag(flag) => serializer.serialize_bool(*flag),
            Tree::Number(own)
                if own.fract() == 0.0
                    && own.abs() < EXACT
                    && own.to_bits() != (-0.0_f64).to_bits() =>
            {
                serializer.serialize_i64(*own as i64)
            }
            Tree::Number(own) => serializer.serialize_f64(*own),
            Tree::Text(text) => serializer.serialize_str(text),
            Tree::Computed(own) => serializer.serialize_str(&own.text),
            Tree::List(entries) => serializer.collect_seq(entries.iter()),
            Tree::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, own) in fields {
                    map.serialize_entry(&**key, own)?;
                }
                map.end()
            }
        }
    }
}

/// What a program wrote has no places.
impl From<Value> for Node {
    fn from(value: Value) -> Self {
        let tree = match value {
            // What is no number has no other word in JSON.
            Value::Null => Tree::Number(f64::NAN),
            Value::Bool(flag) => Tree::Flag(flag),
            Value::Number(number) => Tree::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Tree::Text(text.into()),
            Value::Array(list) => Tree::List(list.into_iter().map(Self::from).collect()),
            Value::Object(map) => {
                let fields = map.into_iter();
                Tree::Object(fields.map(|(key, own)| (key.into(), own.into())).collect())
            }
        };
        Self { at: 0, tree }
    }
}

fn place(text: &str, at: usize) -> (usize, usize) {
    let at = (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    let before = &text[..at.unwrap_or(0)];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

#[derive(Clone)]
pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// The first names of fields that were met.
    keys: Vec<Key>,
}

/// Objects with more fields look their names up.
const MANY: usize = 64;

/// So many names of fields are shared. Names beyond, such as those of joints in a state, are met once.
const SHARED: usize = 64;

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let keys = Vec::new();
        Self { text, at: 0, keys }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// The text is not JSON here, with advice on what stands here.
    fn refuse(&self, problem: &str) -> Fault {
        let (rest, before) = (self.rest(), self.text[..self.at].trim_end());
        if rest.is_empty() {
            return Fault::at("", "the file ends too early")
                .hint("a bracket or a quote is not closed, or the file was cut off");
        }
        let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
        let hint = if begins(&["//", "/*", "#"]) {
            "JSON has no comments; \"why\" is the place for words"
        } else if begins(&["NaN", "Infinity", "-Infinity", "nan", "inf"]) {
            "NaN and infinity are not allowed here"
        } else if before.ends_with(',') && begins(&["}", "]"]) {
            "there is an extra comma: none follows the last entry"
        } else {
            match problem {
                "key must be a string" => "names are in double quotes: \"name\"",
                "expected value" => "look for an extra comma or a missing value",
                "number out of range" => "numbers go up to 1e308",
                _ => "the text is not JSON here: look for a missing comma or quote",
            }
        };
        Fault::at("", problem).hint(hint)
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        self.skip_space();
        let at = self.at;
        let tree = match self.peek() {
            Some(b'{' | b'[') if depth == DEEPEST => self.skip_brackets()?,
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Tree::Text(self.string()?.into()),
            Some(b'-' | b'0'..=b'9') => Tree::Number(self.number()?),
            _ if self.take("true") => Tree::Flag(true),
            _ if self.take("false") => Tree::Flag(false),
            _ if self.take("null") => Tree::Null,
            _ => return Err(self.refuse("expected value")),
        };
        let at = at as u32;
        Ok(Node { at, tree })
    }

    /// The name of a field, shared with those that were met before.
    pub(super) fn key(&mut self) -> Result<Key, Fault> {
        let key = self.string()?;
        if let Some(known) = self.keys.iter().find(|own| ***own == *key) {
            return Ok(known.clone());
        }
        let key = Key::from(key);
        if self.keys.len() < SHARED {
            self.keys.push(key.clone());
        }
        Ok(key)
    }

    /// Goes on behind a comma, or over the bracket that ends a list or an object.
    pub(super) fn goes_on(&mut self, bracket: &str, is_first: bool) -> Result<bool, Fault> {
        self.skip_space();
        if is_first {
            return Ok(!self.take(bracket));
        }
        if self.take(bracket) {
            return Ok(false);
        }
        if !self.take(",") {
            return Err(self.refuse(&format!("expected `,` or `{bracket}`")));
        }
        self.skip_space();
        Ok(true)
    }

    fn list(&mut self, depth: usize) -> Result<Tree, Fault> {
        self.at += 1;
        let mut entries = Vec::new();
        while self.goes_on("]", entries.is_empty())? {
            let entry = self.value(depth + 1);
            let is_comma = matches!(self.peek(), Some(b']' | b'}')) && entry.is_err();
            let under = if is_comma {
                String::new()
            } else {
                format!("[{}]", entries.len())
            };
            entries.push(entry.under(&under)?);
        }
        Ok(Tree::List(entries.into()))
    }

    fn object(&mut self, depth: usize) -> Result<Tree, Fault> {
        self.at += 1;
        let mut fields: Vec<(Key, Node)> = Vec::new();
        let mut many: HashSet<String> = HashSet::new();
        while self.goes_on("}", fields.is_empty())? {
            match self.peek() {
                Some(b'"') => {}
                Some(b'}') => return Err(self.refuse("trailing comma")),
                _ => return Err(self.refuse("key must be a string")),
            }
            let key = self.key()?;
            // Few are compared one by one; a state has a field for each joint.
            let is_taken = match fields.len() {
                0..MANY => fields.iter().any(|(own, _)| *own == key),
                n => {
                    if n == MANY {
                        many = fields.iter().map(|(own, _)| own.to_string()).collect();
                    }
                    !many.insert(key.to_string())
                }
            };
            if is_taken {
                let problem = format!("has \"{key}\" twice");
                return Err(Fault::at("", problem).hint("leave one of them out"));
            }
            self.skip_space();
            if !self.take(":") {
                return Err(self.refuse("expected `:`"));
            }
            let value = self.value(depth + 1).under(&key)?;
            fields.push((key, value));
        }
        Ok(Tree::Object(fields.into()))
    }

    /// Goes over brackets and what is in them.
    fn skip_brackets(&mut self) -> Result<Tree, Fault> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => return Err(self.refuse("expected value")),
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(b'[' | b'{') => depth += 1,
                Some(b']' | b'}') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(Tree::TooDeep);
            }
        }
    }

    fn number(&mut self) -> Result<f64, Fault> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let before = parser.at;
            while let Some(b'0'..=b'9') = parser.peek() {
                parser.at += 1;
            }
            parser.at > before
        };
        self.take("-");
        let is_whole = self.take("0") || digits(self);
        let is_part = !self.take(".") || digits(self);
        let mut is_power = true;
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            is_power = digits(self);
        }
        if !(is_whole && is_part && is_power) {
            return Err(self.refuse("invalid number"));
        }
        match self.text[start..self.at].parse() {
            Ok(number) if f64::is_finite(number) => Ok(number),
            _ => {
                self.at = start;
                Err(self.refuse("number out of range"))
            }
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(letter) = self.rest().chars().next() else {
                return Err(self.refuse("expected a quote"));
            };
            self.at += letter.len_utf8();
            match letter {
                '"' => return Ok(out),
                '\\' => out.push(self.escaped()?),
                '\0'..='\x1f' => return Err(self.refuse("control character inside a string")),
                _ => out.push(letter),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Fault> {
        let letter = self.rest().chars().next();
        self.at += letter.map_or(0, char::len_utf8);
        Ok(match letter {
            Some(letter @ ('"' | '\\' | '/')) => letter,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let high = self.hexadecimal()?;
                let code = match high {
                    // Two halves of a letter beyond 16 bits.
                    0xd800..=0xdbff if self.take("\\u") => {
                        let low = self.hexadecimal()?;
                        0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff)
                    }
                    code => code,
                };
                match char::from_u32(code) {
                    Some(letter) => letter,
                    None => return Err(self.refuse("half a letter in a string")),
                }
            }
            _ => return Err(self.refuse("invalid escape in a string")),
        })
    }

    fn hexadecimal(&mut self) -> Result<u32, Fault> {
        let digits = self
            .rest()
            .get(..4)
            .filter(|own| own.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(code) = code else {
            return Err(self.refuse("invalid escape in a string"));
        };
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_texts() {
        let text =
            "{\n  \"a\": [1, {\"b\\\"\": [], \"c\": \"x],\"},\n    {\"c\": { \"d\": 2 }}]\n}";
        let locate = |path| Node::parse(text).unwrap().locate(text, path);
        assert_eq!(locate(""), (1, 1));
        assert_eq!(locate("a"), (2, 8));
        assert_eq!(locate("a[1].c"), (2, 29));
        assert_eq!(locate("a[2].c.d"), (3, 18));
        // What is not there is where it should be.
        assert_eq!(locate("a[2].e"), (3, 5));
        assert_eq!(locate("a[7]"), (2, 8));
    }

    #[test]
    fn texts_and_numbers_are_read_as_serde_reads_them() {
        for text in [
            r#"{"a": "ü\u00e4\ud83d\ude00\n\"", "b": [-0, 0.1, 1e-300, 123456789012345678901234567890]}"#,
            "[1.7976931348623157e308, 5e-324, 0.30000000000000004]",
            " [ true , false , { } , [ ] ] ",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            let places_apart = |node: &Node| format!("{:?}", node.tree);
            let strip = |text: String| {
                let parts = text.split("at: ");
                let parts = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
                parts.collect::<String>()
            };
            let (ours, theirs) = (Node::parse(text).unwrap(), Node::from(value));
            let sorted = strip(places_apart(&ours));
            assert_eq!(sorted, strip(places_apart(&theirs)));
        }
    }

    /// What a file of 100 MB takes is this, twenty million times.
    #[test]
    fn values_are_small() {
        assert!(size_of::<Node>() <= 32);
        assert!(size_of::<(Key, Node)>() <= 48);
    }

    #[test]
    fn names_that_stand_twice_are_refused_among_few_and_among_many() {
        for n in [2, MANY, MANY + 1, 3 * MANY] {
            let fields: Vec<String> = (0..n).map(|k| format!("\"f{k}\": {k}")).collect();
            let text = format!("{{{}}}", fields.join(","));
            assert!(Node::parse(&text).is_ok());
            for twice in [0, n - 1] {
                let text = format!("{{{}, \"f{twice}\": 0}}", fields.join(","));
                let fault = Node::parse(&text).unwrap_err();
                assert_eq!(fault.problem, format!("has \"f{twice}\" twice"));
            }
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1,",
            "01",
            "1.",
            "-",
            "\"\\x\"",
            "\"\\ud800\"",
            "tru",
            "[1 2]",
            "{1: 2}",
            "\"a\nb\"",
        ] {
            assert!(Node::parse(text).is_err(), "{text}");
        }
    }
}
