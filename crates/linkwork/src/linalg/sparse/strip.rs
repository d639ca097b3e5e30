//! A few columns of a panel at once: each row is looked up once for all of them.

/// So many columns at once: their numbers stay in registers.
pub(super) const STRIP: usize = 4;

/// `K` columns that follow each other, from the diagonal of the first on.
pub(super) struct Strip<'a, const K: usize> {
    /// Their own rows, and those below.
    own: [usize; K],
    below: &'a [u32],
    /// The triangle at the top, row by row, and the rest of each column.
    top: [[f64; K]; K],
    columns: [&'a [f64]; K],
}

/// As wide as a panel has columns left.
pub(super) enum AnyStrip<'a> {
    One(Strip<'a, 1>),
    Two(Strip<'a, 2>),
    Three(Strip<'a, 3>),
    Four(Strip<'a, STRIP>),
}

impl<'a, const K: usize> Strip<'a, K> {
    /// The columns have `n` numbers each; `rows` and `values` begin at the diagonal of the first.
    #[inline(always)]
    pub(super) fn new(rows: &'a [u32], values: &'a [f64], n: usize) -> Self {
        let (own, below) = rows.split_at(K);
        let column = |k: usize| &values[k * n..][..rows.len()];
        Self {
            own: std::array::from_fn(|k| own[k] as usize),
            below,
            top: std::array::from_fn(|i| {
                std::array::from_fn(|k| if k <= i { column(k)[i] } else { 0.0 })
            }),
            columns: std::array::from_fn(|k| &column(k)[K..]),
        }
    }

    /// `x ← L⁻¹·x`, as far as these columns go. What is zero so far costs nothing: loads of few nodes change few
    /// columns.
    #[inline(always)]
    fn forward(&self, x: &mut [f64]) {
        let mut own = [0.0; K];
        for i in 0..K {
            let mut left = x[self.own[i]];
            for k in 0..i {
                left -= self.top[i][k] * own[k];
            }
            own[i] = left / self.top[i][i];
            x[self.own[i]] = own[i];
        }
        if own.iter().all(|own| *own == 0.0) {
            return;
        }
        let columns = self.columns.map(|column| &column[..self.below.len()]);
        for (at, &row) in self.below.iter().enumerate() {
            let mut left = x[row as usize];
            for k in 0..K {
                left -= columns[k][at] * own[k];
            }
            x[row as usize] = left;
        }
    }

    /// `x ← L⁻ᵀ·x`, as far as these columns go.
    #[inline(always)]
    fn backward(&self, x: &mut [f64]) {
        let mut sums = [0.0; K];
        let columns = self.columns.map(|column| &column[..self.below.len()]);
        for (at, &row) in self.below.iter().enumerate() {
            let x = x[row as usize];
            for k in 0..K {
                sums[k] += columns[k][at] * x;
            }
        }
        for k in (0..K).rev() {
            let mut left = x[self.own[k]] - sums[k];
            for i in k + 1..K {
                left -= self.top[i][k] * x[self.own[i]];
            }
            x[self.own[k]] = left / self.top[k][k];
        }
    }

    /// `out ← out + A·y`, as far as these columns, and the rows that mirror them, go.
    #[inline(always)]
    fn multiply(&self, y: &[f64], out: &mut [f64]) {
        let own = self.own.map(|row| y[row]);
        let mut sums = [0.0; K];
        let columns = self.columns.map(|column| &column[..self.below.len()]);
        for (at, &row) in self.below.iter().enumerate() {
            let (y, mut sum) = (y[row as usize], 0.0);
            for k in 0..K {
                sum += columns[k][at] * own[k];
                sums[k] += columns[k][at] * y;
            }
            out[row as usize] += sum;
        }
        for i in 0..K {
            for k in 0..K {
                sums[i] += self.top[i.max(k)][i.min(k)] * own[k];
            }
            out[self.own[i]] += sums[i];
        }
    }
}

impl AnyStrip<'_> {
    #[inline]
    pub(super) fn forward(self, x: &mut [f64]) {
        match self {
            Self::One(strip) => strip.forward(x),
            Self::Two(strip) => strip.forward(x),
            Self::Three(strip) => strip.forward(x),
            Self::Four(strip) => strip.forward(x),
        }
    }

    #[inline]
    pub(super) fn backward(self, x: &mut [f64]) {
        match self {
            Self::One(strip) => strip.backward(x),
            Self::Two(strip) => strip.backward(x),
            Self::Three(strip) => strip.backward(x),
            Self::Four(strip) => strip.backward(x),
        }
    }

    #[inline]
    pub(super) fn multiply(self, y: &[f64], out: &mut [f64]) {
        match self {
            Self::One(strip) => strip.multiply(y, out),
            Self::Two(strip) => strip.multiply(y, out),
            Self::Three(strip) => strip.multiply(y, out),
            Self::Four(strip) => strip.multiply(y, out),
        }
    }
}
