//! The variants of a sweep: every combination of the rows of a design table and the values of all `--over`.

use linkwork_scene::Fault;
use linkwork_scene::read::Setting;

use crate::numbers::escaped;
use crate::words::list;

/// Paths that are set together, and the values they take in turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Over {
    pub(crate) paths: Vec<String>,
    /// A value for each path, none where the scene keeps its own.
    pub(crate) choices: Vec<Vec<Option<Setting>>>,
}

/// More variants than a table has rows for.
pub(crate) const MOST: usize = 10_000_000;

impl Over {
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
        let choice = |value: &String| Setting::new(path, value).map(|own| vec![Some(own)]);
        Ok(Self {
            paths: vec![path.to_owned()],
            choices: values.iter().map(choice).collect::<Result<_, Fault>>()?,
        })
    }

    /// Reads a design table: a line of paths, then a line of values for each variant. An empty cell sets nothing.
    /// Between cells stand commas, semicolons or tabs, whichever the first line has.
    pub(crate) fn designs(text: &str) -> Result<Self, Fault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        let mut lines = lines.map(|(at, line)| (at + 1, line));
        let hint = "write a line of paths, such as L,bodies.crank.mass, and a line of values for each variant";
        let (_, head) = lines
            .next()
            .ok_or_else(|| Fault::at("", "is empty").hint(hint))?;
        let between = ['\t', ';'].into_iter().find(|own| head.contains(*own));
        let between = between.unwrap_or(',');
        let trimmed = |line| {
            let cells = fields(line, between).into_iter();
            cells.map(|own| own.trim().to_owned()).collect::<Vec<_>>()
        };
        let paths = trimmed(head);
        let mut choices = Vec::new();
        for (at, line) in lines {
            let in_line = |fault: Fault| Fault {
                place: Some((at, 1)),
                ..fault
            };
            let cells = trimmed(line);
            if cells.len() != paths.len() {
                let problem = format!("has {} cells for {} paths", cells.len(), paths.len());
                let fault = Fault::at("", problem).hint("leave a cell empty where nothing is set");
                return Err(in_line(fault));
            }
            let set = |(path, cell): (&String, &String)| match cell.is_empty() {
                true => Ok(None),
                false => Setting::new(path, cell).map(Some),
            };
            let choice = paths.iter().zip(&cells).map(set);
            choices.push(choice.collect::<Result<Vec<_>, Fault>>().map_err(in_line)?);
        }
        match choices.is_empty() {
            true => Err(Fault::at("", "has paths, but no values").hint(hint)),
            false => Ok(Self { paths, choices }),
        }
    }
}

/// The fields of a line of a table; quotes within quotes are doubled.
pub(crate) fn fields(line: &str, between: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.trim_end_matches('\n').chars().peekable();
    while let (Some(character), Some(field)) = (characters.next(), fields.last_mut()) {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            other if other == between && !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    fields
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
        n = n.checked_mul(over.choices.len()).filter(|n| *n <= MOST)?;
    }
    Some(n)
}

/// What one variant sets, for each path; the last `--over` changes fastest.
pub(crate) fn settings(overs: &[Over], variant: usize) -> Vec<Option<Setting>> {
    let mut rest = variant;
    let mut chosen = Vec::new();
    for over in overs.iter().rev() {
        let n = over.choices.len();
        chosen.push(&over.choices[rest % n]);
        rest /= n;
    }
    chosen.into_iter().rev().flatten().cloned().collect()
}

/// A value as the table of a sweep has it; nothing where nothing is set.
pub(crate) fn told(setting: Option<&Setting>) -> String {
    setting.map_or_else(String::new, |own| escaped(&own.value()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let over = Over::parse(text).unwrap();
        let choices = over.choices.iter().flatten();
        choices.map(|own| told(own.as_ref())).collect()
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
        let row = |k| -> Vec<String> {
            let all = settings(&overs, k);
            all.iter().map(|own| told(own.as_ref())).collect()
        };
        assert_eq!(
            (row(0), row(5)),
            (vec!["1".into(), "x".into()], vec!["2".into(), "z".into()])
        );
        assert_eq!(row(2), ["1", "z"]);
    }

    #[test]
    fn a_design_table_has_a_line_for_each_variant() {
        let text = "\u{feff}# lengths\nL; bodies.a.from ;\"w\"\n0.5;[0, 1];\n\n;;=L/2\n";
        let designs = Over::designs(text).unwrap();
        assert_eq!(designs.paths, ["L", "bodies.a.from", "w"]);
        let overs = [designs, Over::parse("b=1,2").unwrap()];
        assert_eq!(n_variants(&overs), Some(4));
        let row = |k| -> Vec<String> {
            let all = settings(&overs, k);
            all.iter().map(|own| told(own.as_ref())).collect()
        };
        assert_eq!(row(1), ["0.5", "[0, 1]", "", "2"]);
        assert_eq!(row(2), ["", "", "=L/2", "1"]);
        for (bad, words) in [
            ("", "is empty"),
            ("# only\n", "is empty"),
            ("L,w\n", "no values"),
            ("L,w\n1\n", "has 1 cells for 2 paths"),
            ("L,w\n1,2,3\n", "has 3 cells for 2 paths"),
            ("L,\n1,2\n", ""),
        ] {
            let fault = Over::designs(bad).unwrap_err();
            assert!(fault.to_string().contains(words), "{fault}");
        }
    }
}
