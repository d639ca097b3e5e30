//! A dense row-major matrix over storage that somebody else owns.

/// A mutable `n_rows × n_cols` matrix view, row-major.
#[derive(Debug)]
pub struct MatMut<'a> {
    data: &'a mut [f64],
    n_cols: usize,
}

impl<'a> MatMut<'a> {
    /// A view of `data`, whose length must be a multiple of `n_cols`.
    #[inline]
    pub fn new(data: &'a mut [f64], n_cols: usize) -> Self {
        debug_assert!(n_cols > 0 && data.len().is_multiple_of(n_cols) || data.is_empty());
        Self { data, n_cols }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.data.len().checked_div(self.n_cols).unwrap_or(0)
    }

    /// Number of columns.
    pub fn n_cols(&self) -> usize {
        self.n_cols
    }

    /// The entry at `(i, j)`.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.n_cols + j]
    }

    /// Sets the entry at `(i, j)`.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.n_cols + j] = value;
    }

    /// Adds to the entry at `(i, j)`.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.n_cols + j] += value;
    }

    /// Sets every entry.
    pub fn fill(&mut self, value: f64) {
        self.data.fill(value);
    }

    /// Row `i`.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.n_cols..(i + 1) * self.n_cols]
    }

    /// Sets the three entries of row `i` that begin at column `j`.
    #[inline]
    pub fn set3(&mut self, i: usize, j: usize, value: [f64; 3]) {
        self.row_mut(i)[j..j + 3].copy_from_slice(&value);
    }
}
