//! The pattern of a mass matrix that is mostly zero.

use crate::error::Error;
use crate::linalg::order::{Key, sort};

/// Which entries of a symmetric matrix are not zero, and in which order it is factored.
///
/// A body whose [`MassKind`](super::MassKind) is `Patterned` writes one number for each entry, in the order of this
/// list. What strains and soft rows add to the matrix need not be in it: the engine finds that by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MassPattern {
    n: usize,
    entries: Vec<(u32, u32)>,
    order: Option<Vec<u32>>,
}

impl MassPattern {
    /// Entries as (row, column), each once, on or below the diagonal; the whole diagonal is among them.
    pub fn new(n: usize, entries: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, Error> {
        let entries: Vec<(u32, u32)> = entries.into_iter().collect();
        let wrong = |what: String| Err(Error::field("entries", what));
        if let Some((i, j)) = entries.iter().find(|(i, j)| i < j || *i as usize >= n) {
            return wrong(format!("contain ({i}, {j}); give 0 ≤ column ≤ row < {n}"));
        }
        let keys = entries.iter().enumerate();
        let mut keys: Vec<Key> = keys
            .map(|(at, &(i, j))| (u64::from(i) << 32 | u64::from(j), at as u32))
            .collect();
        sort(&mut keys);
        if let Some(pair) = keys.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (i, j) = entries[pair[0].1 as usize];
            return wrong(format!("contain ({i}, {j}) twice; give it once"));
        }
        if entries.iter().filter(|(i, j)| i == j).count() != n {
            return wrong(format!(
                "lack a part of the diagonal; give ({{i}}, {{i}}) for all {n}"
            ));
        }
        Ok(Self {
            n,
            entries,
            order: None,
        })
    }

    /// All entries within `reach` of the diagonal, row by row, in groups of `group` coordinates that do not mix: the
    /// coordinates x and y of points, say. Where the ends meet, the order goes 0, n − 1, 1, n − 2, …, in which the
    /// matrix is a band again.
    pub fn band(n_points: usize, group: usize, reach: usize, closed: bool) -> Self {
        let mut entries = Vec::new();
        for i in 0..n_points {
            for j in 0..=i {
                let apart = i - j;
                if apart <= reach || (closed && n_points - apart <= reach) {
                    let at = |point: usize, k: usize| (point * group + k) as u32;
                    entries.extend((0..group).map(|k| (at(i, k), at(j, k))));
                }
            }
        }
        let point = |k: usize| match (closed, k % 2) {
            (false, _) => k,
            (true, 0) => k / 2,
            (true, _) => n_points - 1 - k / 2,
        };
        let order =
            (0..n_points).flat_map(|k| (0..group).map(move |of| (point(k) * group + of) as u32));
        Self {
            n: n_points * group,
            entries,
            order: Some(order.collect()),
        }
    }

    /// Factored in this order of its rows; else in one that the engine finds.
    pub fn with_order(mut self, order: Vec<u32>) -> Result<Self, Error> {
        let mut seen = vec![false; self.n];
        for &index in &order {
            match seen.get_mut(index as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(Error::field(
                        "order",
                        format!("contains {index} out of turn"),
                    ));
                }
            }
        }
        if order.len() != self.n {
            let problem = format!("has {} rows of {}", order.len(), self.n);
            return Err(Error::field("order", problem));
        }
        self.order = Some(order);
        Ok(self)
    }

    /// Rows and columns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The entries, in the order in which a body writes them.
    pub fn entries(&self) -> &[(u32, u32)] {
        &self.entries
    }

    /// The order in which it is factored, if the body knows one.
    pub fn order(&self) -> Option<&[u32]> {
        self.order.as_deref()
    }

    /// `out ← A·y` with the numbers a body wrote.
    pub fn multiply(&self, values: &[f64], y: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (&(i, j), value) in self.entries.iter().zip(values) {
            let (i, j) = (i as usize, j as usize);
            out[i] += value * y[j];
            if i != j {
                out[j] += value * y[i];
            }
        }
    }

    /// The same numbers as a full matrix.
    pub fn expand(&self, values: &[f64]) -> Vec<f64> {
        let mut full = vec![0.0; self.n * self.n];
        for (&(i, j), value) in self.entries.iter().zip(values) {
            full[i as usize * self.n + j as usize] = *value;
            full[j as usize * self.n + i as usize] = *value;
        }
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pattern_is_refused() {
        let problem = |entries: &[(u32, u32)]| {
            let pattern = MassPattern::new(2, entries.iter().copied());
            pattern.unwrap_err().to_string()
        };
        assert!(problem(&[(0, 0), (1, 1), (0, 1)]).contains("(0, 1)"));
        assert!(problem(&[(0, 0), (1, 1), (1, 1)]).contains("twice"));
        assert!(problem(&[(0, 0), (1, 0)]).contains("diagonal"));
        let pattern = MassPattern::new(2, [(0, 0), (1, 1), (1, 0)]).unwrap();
        let order = |order: &[u32]| pattern.clone().with_order(order.to_vec());
        assert!(order(&[1, 0]).is_ok());
        assert!(order(&[1]).unwrap_err().to_string().contains("1 rows of 2"));
        assert!(
            order(&[1, 1])
                .unwrap_err()
                .to_string()
                .contains("1 out of turn")
        );
        assert_eq!(pattern.expand(&[2.0, 3.0, 0.5]), [2.0, 0.5, 0.5, 3.0]);
    }

    #[test]
    fn closed_bands_are_folded() {
        let band = MassPattern::band(5, 2, 1, true);
        assert_eq!(band.order().unwrap(), [0, 1, 8, 9, 2, 3, 6, 7, 4, 5]);
        assert!(band.entries().contains(&(8, 0)) && band.entries().contains(&(9, 1)));
        assert!(!band.entries().contains(&(9, 0)));
        assert_eq!(band.entries().len(), 2 * 10);
    }
}
