//! The known name nearest to a wrong one.

/// Of all known names the one in the fewest edits, if they are few: one, and one more for every four letters.
/// A name of which nothing would be left is not near.
pub(crate) struct Nearest<'w> {
    wrong: &'w str,
    row: Vec<usize>,
    /// Edits, whether the first letter is another, and the name.
    best: Option<(usize, bool, String)>,
}

impl<'w> Nearest<'w> {
    /// Nothing is known yet.
    pub(crate) fn new(wrong: &'w str) -> Self {
        Self {
            wrong,
            row: Vec::new(),
            best: None,
        }
    }

    /// One more name.
    pub(crate) fn offer(&mut self, known: &str) {
        let letters = self.wrong.chars().count();
        // A name that is much longer or shorter needs no comparison.
        let most = (1 + letters / 4).min(letters.saturating_sub(1));
        if known.chars().count().abs_diff(letters) > most {
            return;
        }
        let far = distance(self.wrong, known, &mut self.row);
        let is_other = known.chars().next() != self.wrong.chars().next();
        let is_nearer = match &self.best {
            None => true,
            Some((best, other, name)) => (far, is_other, known) < (*best, *other, name.as_str()),
        };
        if far <= most && is_nearer {
            self.best = Some((far, is_other, known.to_owned()));
        }
    }

    /// Whether nothing near was offered.
    pub(crate) fn is_empty(&self) -> bool {
        self.best.is_none()
    }

    /// The nearest.
    pub(crate) fn found(self) -> Option<String> {
        self.best.map(|(.., name)| name)
    }
}

/// Letters that are inserted, left out or changed; capitals are no change.
fn distance(a: &str, b: &str, row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.chars().count());
    let mut last = row.len() - 1;
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        last = row[0];
        for (j, y) in b.chars().enumerate() {
            let change = corner + usize::from(!x.eq_ignore_ascii_case(&y));
            corner = row[j + 1];
            last = change.min(last + 1).min(corner + 1);
            row[j + 1] = last;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(wrong: &str, known: &[&str]) -> Option<String> {
        let mut nearest = Nearest::new(wrong);
        known.iter().for_each(|known| nearest.offer(known));
        nearest.found()
    }

    #[test]
    fn few_edits_are_near() {
        assert_eq!(nearest("tt", &["x", "t", "tau"]).as_deref(), Some("t"));
        assert_eq!(nearest("raduis", &["radius"]).as_deref(), Some("radius"));
        assert_eq!(
            nearest("Crank", &["crank", "cranks"]).as_deref(),
            Some("crank")
        );
        assert_eq!(
            nearest("krank", &["crank.tip", "crank"]).as_deref(),
            Some("crank")
        );
        // One letter has nothing in common with another.
        assert_eq!(nearest("a", &["x", "ab"]), None);
        assert_eq!(nearest("length", &["width"]), None);
        assert_eq!(nearest("sn", &["ln", "sin"]).as_deref(), Some("sin"));
        // Of two that are as near, the first by name, whatever the order.
        assert_eq!(nearest("ab", &["ac", "aa"]).as_deref(), Some("aa"));
        assert_eq!(nearest("ab", &["aa", "ac"]).as_deref(), Some("aa"));
    }

    #[test]
    fn distances_are_those_of_the_definition() {
        for (a, b, far) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(a, b, &mut Vec::new()), far, "{a} {b}");
            assert_eq!(distance(b, a, &mut Vec::new()), far, "{b} {a}");
        }
    }
}
