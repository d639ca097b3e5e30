//! The variants of a sweep: every combination of the values of all `--over`.

use linkwork_scene::Fault;
use linkwork_scene::read::Setting;

use crate::words::list;

/// A path and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Over {
    /// Each value, at the path.
    pub(crate) settings: Vec<Setting>,
}

/// More variants than a table has rows for.
pub(crate) const MOST: usize = 10_000_000;

impl Over {
    pub(crate) fn path(&self) -> &str {
        self.settings.first().map_or("", Setting::path)
    }

    /// Reads `PATH=FROM:TO:N` or `PATH=A,B,C`.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let hint = "write PATH=FROM:TO:N, such as bodies.crank.length=0.05:0.15:50, or PATH=A,B,C";
        let whole: Setting = text.parse().map_err(|fault: Fault| fault.hint(hint))?;
        let path = whole.path();
        let values = text.trim_start()[path.len()..].trim_start();
        let values = values.strip_prefix('=').unwrap_or_default().trim();
        let values = match range(values) {
            Some(values) => values.map_err(|problem| Fault::at(path, problem).hint(hint))?,
            None => list(values).into_iter().map(str::to_owned).collect(),
        };
        if values.is_empty() {
            return Err(Fault::at(path, "has no values").hint(hint));
        }
        let settings = values.iter().map(|value| Setting::new(path, value));
        let settings: Result<Vec<Setting>, Fault> = settings.collect();
        settings.map(|settings| Self { settings })
    }
}

/// `FROM:TO:N`, evenly spaced with both ends, if it is of that form: two numbers with a colon between, to begin with.
fn range(text: &str) -> Option<Result<Vec<String>, String>> {
    let mut parts = text.split(':');
    let mut number = || {
        let value = parts.next()?.trim().parse::<f64>().ok();
        value.filter(|own| own.is_finite())
    };
    let (from, to) = (number()?, number()?);
    let (Some(n), None) = (parts.next(), parts.next()) else {
        return Some(Err(format!("\"{text}\" is not FROM:TO:N")));
    };
    let n = n.trim().parse::<usize>().ok();
    let Some(n) = n.filter(|n| (1..=MOST).contains(n)) else {
        return Some(Err(format!("takes from 1 to {MOST} values")));
    };
    let value = |k: usize| match k {
        0 => from,
        _ if k == n - 1 => to,
        _ => decimal(from + (to - from) * (k as f64 / (n - 1) as f64)),
    };
    Some(Ok((0..n).map(|k| format!("{:?}", value(k))).collect()))
}

/// Fifteen digits: 0.45 is what people expect, not a number that differs in its last bit.
fn decimal(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

/// How many variants there are; none if too many.
pub(crate) fn n_variants(overs: &[Over]) -> Option<usize> {
    let mut n: usize = 1;
    for over in overs {
        n = n.checked_mul(over.settings.len()).filter(|n| *n <= MOST)?;
    }
    Some(n)
}

/// What one variant sets; the last `--over` changes fastest.
pub(crate) fn settings(overs: &[Over], variant: usize) -> Vec<Setting> {
    let mut rest = variant;
    let mut settings = Vec::new();
    for over in overs.iter().rev() {
        let n = over.settings.len();
        settings.push(over.settings[rest % n].clone());
        rest /= n;
    }
    settings.reverse();
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let over = Over::parse(text).unwrap();
        over.settings.iter().map(Setting::value).collect()
    }

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!(values("a.b=0.05:0.15:3"), ["0.05", "0.1", "0.15"]);
        assert_eq!(values("a.b=0.05:0.5:10")[8], "0.45");
        assert_eq!(values("a.b=0.1:7:1"), ["0.1"]);
        assert_eq!(values("a.b=1:-1:2"), ["1", "-1"]);
    }

    #[test]
    fn lists_may_have_lists() {
        assert_eq!(values("a=[0,1],[2,3]"), ["[0, 1]", "[2, 3]"]);
        assert_eq!(values(r#"a."b=c"=x,"y,z",1/2"#), ["x", "y,z", "0.5"]);
        for bad in ["a", "a=", "a=1:2", "a=1:2:0", "a=1:2:x", "a=1:2:3:4"] {
            assert!(Over::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_changes_fastest() {
        let overs = ["a=1,2", "b=x,y,z"].map(|text| Over::parse(text).unwrap());
        assert_eq!(n_variants(&overs), Some(6));
        let row = |k| -> Vec<String> { settings(&overs, k).iter().map(Setting::value).collect() };
        assert_eq!(
            (row(0), row(5)),
            (vec!["1".into(), "x".into()], vec!["2".into(), "z".into()])
        );
        assert_eq!(row(2), ["1", "z"]);
    }
}
