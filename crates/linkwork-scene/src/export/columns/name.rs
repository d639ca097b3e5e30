//! Names of columns: segments between dots, such as `body."left arm".position.x`.
//!
//! A segment in quotes may contain anything, with `\"` and `\\` for a quote and a backslash. Outside
//! of quotes `*` stands for any characters, or none, of one segment.

/// One segment of a name that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    text: String,
    /// Whether `*` in it stands for anything: it was not quoted.
    is_pattern: bool,
}

impl Segment {
    /// As it was written, without quotes.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it was written without quotes.
    pub(crate) fn is_bare(&self) -> bool {
        self.is_pattern
    }

    /// Whether it may stand for several.
    pub(crate) fn has_wildcard(&self) -> bool {
        self.is_pattern && self.text.contains('*')
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        if !self.has_wildcard() {
            return self.text == text;
        }
        // What stands between two stars is found as early as possible; the last part is at the end.
        let mut parts = self.text.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else {
            return false;
        };
        let mut parts: Vec<&str> = parts.collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            let Some(at) = rest.find(part) else {
                return false;
            };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }
}

/// A head that had another spelling in earlier versions, and what it is now.
const FORMER: &str = "centre_of_mass";
const FORMER_NOW: &str = "center_of_mass";

/// Takes a name apart, or says what is wrong with it.
pub(crate) fn split(name: &str) -> Result<Vec<Segment>, String> {
    let mut segments = Vec::new();
    let mut rest = name.trim();
    loop {
        let (segment, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted)?,
            None => {
                let end = rest.find('.').unwrap_or(rest.len());
                let text = match &rest[..end] {
                    FORMER if segments.is_empty() => FORMER_NOW,
                    text => text,
                };
                let segment = Segment {
                    text: text.to_owned(),
                    is_pattern: true,
                };
                (segment, &rest[end..])
            }
        };
        if segment.text.is_empty() {
            return Err("has an empty part between its dots".into());
        }
        segments.push(segment);
        if after.is_empty() {
            return Ok(segments);
        }
        rest = after
            .strip_prefix('.')
            .ok_or_else(|| format!("has \"{after}\" after a closing quote, where a dot must be"))?;
    }
}

/// What is inside quotes, and what follows them.
fn unquote(quoted: &str) -> Result<(Segment, &str), String> {
    let mut text = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                let segment = Segment {
                    text,
                    is_pattern: false,
                };
                return Ok((segment, &quoted[at + 1..]));
            }
            '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => text.push(character),
        }
    }
    Err("has a quote that is not closed".into())
}

/// Puts segments together, in quotes where they need them.
pub(crate) fn join<'a>(segments: impl IntoIterator<Item = &'a str>) -> String {
    let mut name = String::new();
    for segment in segments {
        if !name.is_empty() {
            name.push('.');
        }
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if !segment.is_empty() && segment.chars().all(plain) {
            name.push_str(segment);
            continue;
        }
        name.push('"');
        for character in segment.chars() {
            if matches!(character, '"' | '\\') {
                name.push('\\');
            }
            name.push(character);
        }
        name.push('"');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(name: &str) -> Vec<String> {
        let segments = split(name).unwrap();
        segments.into_iter().map(|segment| segment.text).collect()
    }

    #[test]
    fn names_come_apart_and_together() {
        assert_eq!(texts("body.crank.position"), ["body", "crank", "position"]);
        assert_eq!(texts(" body.left arm.q "), ["body", "left arm", "q"]);
        for odd in ["left.arm", "a \"b\" c", "back\\slash", "*", "Größe 1"] {
            let name = join(["body", odd, "q"]);
            assert_eq!(texts(&name), ["body", odd, "q"], "{name}");
        }
        assert_eq!(join(["body", "left arm", "q"]), "body.\"left arm\".q");
        assert_eq!(join(["body", "Größe-1", "q"]), "body.Größe-1.q");
    }

    #[test]
    fn broken_names_are_refused() {
        let problem = |name| split(name).unwrap_err();
        assert!(problem("body..q").contains("empty part"));
        assert!(problem("").contains("empty part"));
        assert!(problem("body.").contains("empty part"));
        assert!(problem("body.\"a").contains("not closed"));
        assert!(problem("body.\"a\"b.q").contains("where a dot must be"));
    }

    #[test]
    fn stars_stand_for_anything_in_one_segment() {
        let matches = |pattern: &str, text| split(pattern).unwrap()[0].matches(text);
        assert!(matches("*", "left.arm") && matches("left*", "left arm"));
        assert!(matches("*arm", "left arm") && matches("l*t*m", "left arm"));
        assert!(matches("a**b", "ab") && !matches("a*a", "a"));
        assert!(!matches("left*x", "left arm") && !matches("\"*\"", "a"));
        assert!(matches("\"*\"", "*"));
    }
}
