//! Numbers of the command line, and numbers for people.

use std::num::NonZeroUsize;

/// Seconds above zero: `0.001`, or a fraction such as `1/60`.
pub(crate) fn step(text: &str) -> Result<f64, String> {
    let seconds = number(text)?;
    if seconds <= 0.0 {
        return Err("give seconds, more than zero, such as 0.001 or 1/60".to_owned());
    }
    Ok(seconds)
}

/// Zero or more.
pub(crate) fn at_least_zero(text: &str) -> Result<f64, String> {
    let seconds = number(text)?;
    if seconds < 0.0 {
        return Err("give zero or more".to_owned());
    }
    Ok(seconds)
}

/// A whole number of something.
pub(crate) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let refused = |_| "give a whole number above zero".to_owned();
    text.trim().parse().map_err(refused)
}

/// More than zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value <= 0.0 {
        return Err("give a number above zero, such as 1e-6".to_owned());
    }
    Ok(value)
}

/// A tolerance as people type it: `1e-9`.
pub(crate) fn power(value: f64) -> String {
    format!("{value:e}")
}

fn number(text: &str) -> Result<f64, String> {
    let parse = |text: &str| {
        let number = text.trim().parse::<f64>();
        number.map_err(|_| format!("\"{text}\" is not a number"))
    };
    let value = match text.split_once('/') {
        Some((above, below)) => parse(above)? / parse(below)?,
        None => parse(text)?,
    };
    match value.is_finite() {
        true => Ok(value),
        false => Err("is not a finite number".to_owned()),
    }
}

/// A length for people: `0.12 m`, `3.4e-10 m`.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-3..1e5).contains(&size) {
        // Three digits that count, without zeros at the end.
        let digits = (2.0 - size.max(1e-3).log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{value:.digits$}");
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => &text,
        };
        return text.to_owned();
    }
    format!("{value:.1e}")
}

/// A number with all its digits, which reads back as the same.
pub(crate) fn exact(value: f64) -> String {
    let size = value.abs();
    match size == 0.0 || (1e-5..1e15).contains(&size) {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}

/// A time for people: `0.05`, `123.456`; what steps add up to is not told to its last bit.
pub(crate) fn time(seconds: f64) -> String {
    let size = seconds.abs();
    if size != 0.0 && !(1e-6..1e15).contains(&size) {
        return format!("{seconds:.1e}");
    }
    // Six digits that count, or all that are before the point.
    let digits = (5.0 - size.max(1e-6).log10().floor()).clamp(3.0, 11.0) as usize;
    let text = format!("{seconds:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A time for tables: rounded to a millionth of a step, or a little finer, so that 0.05 is what a
/// twentieth of a second is, however many steps it took.
pub(crate) fn tabled(time: f64, dt: f64) -> f64 {
    let digits = 6.0 - dt.log10().floor();
    if !(0.0..=15.0).contains(&digits) {
        return time;
    }
    // The decimal is the nearest that a number can be.
    let text = format!("{time:.*}", digits as usize);
    text.parse().unwrap_or(time)
}

/// "1 joint", "3 joints".
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A name that a terminal shows and does not obey: control characters, and those that turn the
/// direction of text, are written as `\u{1b}` or `\n`.
pub(crate) fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        let turns = matches!(character, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match character.is_control() || turns {
            true => text.extend(character.escape_debug()),
            false => text.push(character),
        }
    }
    text
}

/// Names in quotes with commas, the first few of them.
pub(crate) fn names<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("\"{}\"", escaped(name.as_ref())))
        .collect();
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown.join(", "),
        Some(more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_seconds_or_fractions() {
        assert_eq!(step("1/60"), Ok(1.0 / 60.0));
        assert_eq!(step(" 1e-3"), Ok(0.001));
        for bad in ["0", "-1", "nan", "inf", "1/0", "x", "", "1e400"] {
            assert!(step(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn exact_numbers_read_back_and_are_short() {
        let texts = [
            "0",
            "1",
            "-0.25",
            "0.1",
            "1e-5",
            "4.46e-22",
            "-4921851851340.305",
            "2.4e147",
        ];
        for text in texts {
            let value: f64 = text.parse().unwrap();
            let told = exact(value);
            assert_eq!(told.parse(), Ok(value));
            assert!(told.len() <= text.len().max(7), "{told}");
        }
    }

    #[test]
    fn names_do_not_drive_terminals() {
        let name = "a\u{1b}[2J\n\u{9b}b\u{202e} \"ü\\";
        assert_eq!(escaped(name), "a\\u{1b}[2J\\n\\u{9b}b\\u{202e} \"ü\\");
    }

    #[test]
    fn times_are_as_clocks_show_them() {
        let steps = |n: usize, dt: f64| (0..n).fold(0.0, |t, _| t + dt);
        assert_ne!(steps(3, 0.1), 0.3);
        assert_eq!(tabled(steps(3, 0.1), 0.1), 0.3);
        assert_eq!(tabled(steps(6, 0.05), 0.05), 0.3);
        assert_eq!(tabled(steps(100_000, 0.01), 0.01), 1000.0);
        assert_eq!(tabled(steps(3, 1.0 / 60.0), 1.0 / 60.0), 0.05);
        assert!((tabled(1.0 / 60.0, 1.0 / 60.0) - 1.0 / 60.0).abs() < 1e-8);
        assert_eq!(tabled(steps(7, 1e-12), 1e-12), steps(7, 1e-12));
        for (seconds, text) in [
            (0.0, "0"),
            (steps(6, 0.05), "0.3"),
            (1.0 / 60.0, "0.0166667"),
            (123.456, "123.456"),
            (36000.0, "36000"),
            (1e-9, "1.0e-9"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (12.3456, "12.3"),
            (1234.5, "1234"),
            (0.00123, "0.00123"),
            (1e-9, "1.0e-9"),
            (-2.5e7, "-2.5e7"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
