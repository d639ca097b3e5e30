//! Names that are given once only.

use std::collections::BTreeMap;

/// The names that are taken, each with the number to try next.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, usize>);

impl Names {
    /// Names of bodies: the ground has one.
    pub(crate) fn of_bodies() -> Self {
        Self(BTreeMap::from([("ground".to_owned(), 2)]))
    }

    /// The name, or if it is taken the name with a number that makes it unique.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let mut own = name.to_owned();
        while let Some(n) = self
            .0
            .get(name)
            .copied()
            .filter(|_| self.0.contains_key(&own))
        {
            own = format!("{name} {n}");
            self.0.insert(name.to_owned(), n + 1);
        }
        self.0.insert(own.clone(), 2);
        own
    }
}
