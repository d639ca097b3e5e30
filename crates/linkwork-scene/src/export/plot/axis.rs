//! Axes: a range that is a little more than what is shown, and round numbers on it.

/// A range of values, as they are or as powers of ten.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
}

/// Round numbers on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Value and label.
    pub(super) marks: Vec<(f64, String)>,
    /// What labels are to be multiplied with and added to, if anything.
    pub(super) note: Option<String>,
}

impl Axis {
    /// From the least to the greatest value, exactly.
    pub(super) fn exact(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        let (low, high) = widened(low, high);
        Self {
            low,
            high,
            is_log: false,
        }
    }

    /// With a little room at both ends.
    pub(super) fn roomy(values: impl Iterator<Item = f64>) -> Self {
        let exact = Self::exact(values);
        let room = 0.05 * (exact.high - exact.low);
        Self {
            low: exact.low - room,
            high: exact.high + room,
            is_log: false,
        }
    }

    /// Whole powers of ten; what is not positive is at the lower end.
    pub(super) fn powers(values: impl Iterator<Item = f64>) -> Self {
        let positive = values.filter(|value| *value > 0.0 && value.is_finite());
        let (low, high) = range(positive.map(f64::log10));
        let (low, high) = if low > high {
            (-16.0, -15.0)
        } else {
            (low.floor(), high.ceil())
        };
        Self {
            low,
            high: high.max(low + 1.0),
            is_log: true,
        }
    }

    /// From zero at the lower end to one at the upper.
    pub(super) fn part(&self, value: f64) -> f64 {
        let value = match self.is_log {
            true if value > 0.0 => value.log10(),
            true => self.low,
            false => value,
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// About `n` round numbers.
    pub(super) fn ticks(&self, n: usize) -> Ticks {
        if self.is_log {
            return self.power_ticks(n);
        }
        let step = round_step((self.high - self.low) / n.max(1) as f64);
        // An end that is round but for round-off has its number too.
        let first = (self.low / step - 1e-6).ceil();
        let count = ((self.high / step + 1e-6).floor() - first) as usize;
        let values: Vec<f64> = (0..=count).map(|k| (first + k as f64) * step).collect();
        // Labels differ in their last digits only: those before are said once.
        let size = self.low.abs().max(self.high.abs());
        let coarse = 10f64.powi((self.high - self.low).log10().ceil() as i32 + 1);
        let offset = if step < 1e-5 * size {
            (self.low / coarse).round() * coarse
        } else {
            0.0
        };
        let largest = values
            .iter()
            .fold(0.0, |a: f64, v| a.max((v - offset).abs()));
        let exponent = if largest > 0.0 {
            largest.log10().floor() as i32
        } else {
            0
        };
        let exponent = if (-3..5).contains(&exponent) {
            0
        } else {
            exponent
        };
        let unit = 10f64.powi(exponent);
        let decimals = (-(step / unit).log10().floor()).max(0.0) as usize;
        let label = |value: f64| minus(format!("{:.decimals$}", (value - offset) / unit));
        let marks = values.iter().map(|&value| (value, label(value))).collect();
        let mut note = String::new();
        if exponent != 0 {
            note = format!("×10{}", superscript(exponent));
        }
        if offset != 0.0 {
            let digits = (-coarse.log10().round()).max(0.0) as usize;
            let text = minus(format!("{offset:.digits$}"));
            let text = match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.'),
                false => text.as_str(),
            };
            note = format!("{note} + {text}").replace("+ −", "− ");
        }
        let note = Some(note.trim().to_owned()).filter(|note| !note.is_empty());
        Ticks { marks, note }
    }

    fn power_ticks(&self, n: usize) -> Ticks {
        let every = (((self.high - self.low) / n.max(1) as f64).ceil() as i32).max(1);
        let powers = (self.low as i32..=self.high as i32).filter(|k| k % every == 0);
        Ticks {
            marks: powers
                .map(|k| (10f64.powi(k), format!("10{}", superscript(k))))
                .collect(),
            note: None,
        }
    }
}

/// The least and the greatest finite value; upside down if there is none.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// A range that can be divided: what does not vary, or only by round-off, is in the middle.
fn widened(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if high - low > 1e-12 * size {
        return (low, high);
    }
    let room = if size > 0.0 { 0.1 * size } else { 1.0 };
    (low - room, high + room)
}

/// The nearest of 1, 2, 5 or 10 times a power of ten, by ratio.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powi(step.log10().floor() as i32);
    let away = |k: f64| (k * power / step).ln().abs();
    let nearest = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .min_by(|a, b| away(*a).total_cmp(&away(*b)));
    nearest.unwrap_or(1.0) * power
}

/// With a true minus, and no minus before zero.
fn minus(label: String) -> String {
    match label.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => label,
    }
}

fn superscript(exponent: i32) -> String {
    let digit = |c| match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    };
    exponent.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, Option<String>) {
        let ticks = Axis::exact([low, high].into_iter()).ticks(5);
        (
            ticks.marks.into_iter().map(|mark| mark.1).collect(),
            ticks.note,
        )
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(labels(0.0, 10.0).0, ["0", "2", "4", "6", "8", "10"]);
        let expected = ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"];
        assert_eq!(labels(-0.3, 0.3).0, expected);
        let (large, note) = labels(0.0, 4e6);
        assert_eq!(large, ["0", "1", "2", "3", "4"]);
        assert_eq!(note.unwrap(), "×10⁶");
        let (small, note) = labels(-1e-7, 1e-7);
        assert_eq!(
            (small[0].as_str(), note.as_deref()),
            ("−1.0", Some("×10⁻⁷"))
        );
    }

    #[test]
    fn what_hardly_varies_has_an_offset() {
        let (texts, note) = labels(-24.525, -24.525 + 1e-8);
        assert!(texts.iter().all(|label| label.len() < 6), "{texts:?}");
        assert_eq!(note.unwrap(), "×10⁻⁹ − 24.525");
        assert_eq!(labels(1.2e9, 1.2e9 + 100.0).1.unwrap(), "+ 1200000000");
    }

    #[test]
    fn what_does_not_vary_is_in_the_middle() {
        let axis = Axis::roomy([3.0, 3.0 + 1e-15].into_iter());
        assert!((axis.part(3.0) - 0.5).abs() < 1e-9);
        assert_eq!(Axis::roomy([0.0].into_iter()).part(0.0), 0.5);
        assert!(Axis::roomy([f64::NAN].into_iter()).part(0.5).is_finite());
    }

    #[test]
    fn powers_are_whole() {
        let axis = Axis::powers([0.0, 2e-13, 3e-10].into_iter());
        assert_eq!((axis.low, axis.high), (-13.0, -9.0));
        assert_eq!((axis.part(0.0), axis.part(1e-11)), (0.0, 0.5));
        assert_eq!(axis.ticks(5).marks[1].1, "10⁻¹²");
    }
}
