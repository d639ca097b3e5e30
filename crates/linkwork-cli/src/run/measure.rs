//! One number for a whole run of a column: its extremes, its mean, its integral, its value at a time.
//!
//! Every step counts, whatever rows are written. Between two steps a column is a straight line:
//!
//! ```text
//!     integral = Σ ½·(xᵢ + xᵢ₊₁)·(tᵢ₊₁ − tᵢ)          mean = integral / (t_end − t_start)
//! ```

use linkwork::prelude::StepReport;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, Reactions};
use serde::Serialize;

use super::recording::parse;
use super::replay::Log;
use crate::failure::Failure;
use crate::numbers::{escaped, short, tabled, time};
use crate::words::list;

/// What becomes of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reducer {
    Last,
    Min,
    Max,
    Mean,
    Integral,
    MinTime,
    MaxTime,
    /// At a time, s.
    At(f64),
}

/// Their words, but for that of a time.
const WORDS: [(&str, Reducer); 7] = [
    ("last", Reducer::Last),
    ("min", Reducer::Min),
    ("max", Reducer::Max),
    ("mean", Reducer::Mean),
    ("integral", Reducer::Integral),
    ("min-time", Reducer::MinTime),
    ("max-time", Reducer::MaxTime),
];

/// What is measured of a column where nothing is said.
const USUAL: [Reducer; 5] = [
    Reducer::Min,
    Reducer::Max,
    Reducer::Mean,
    Reducer::Integral,
    Reducer::Last,
];

impl Reducer {
    fn parse(word: &str) -> Result<Self, Failure> {
        if let Some((_, known)) = WORDS.iter().find(|(own, _)| *own == word) {
            return Ok(*known);
        }
        let at = word
            .strip_prefix("at=")
            .and_then(|own| own.trim().parse().ok());
        if let Some(at) = at.filter(|at: &f64| at.is_finite()) {
            return Ok(Self::At(at));
        }
        let words = WORDS.map(|(word, _)| word).join(", ");
        let problem = format!("--measure: nothing is called \"{word}\"");
        Err(Failure::usage(problem).hint(format!("there is {words}, and at=SECONDS")))
    }

    fn name(self) -> String {
        let known = WORDS.iter().find(|(_, own)| *own == self);
        match (self, known) {
            (Self::At(t), _) => format!("at={t}"),
            (_, Some((word, _))) => (*word).to_owned(),
            (_, None) => String::new(),
        }
    }
}

/// A number that was measured, with the keys of `--report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Measured {
    pub(crate) column: String,
    pub(crate) measure: String,
    /// None where the column was not there.
    pub(crate) value: Option<f64>,
    pub(crate) unit: String,
    /// When an extreme was reached, s.
    pub(crate) time: Option<f64>,
}

/// Looks at columns at every step.
#[derive(Debug)]
pub(crate) struct Measures {
    columns: Columns,
    /// Which column, and what of it.
    wanted: Vec<(usize, Reducer)>,
    tallies: Vec<Tally>,
    /// The value of each that is wanted at a time, once that has passed.
    at: Vec<Option<f64>>,
    /// The length of the last step, s.
    dt: f64,
    row: Vec<f64>,
    before: Vec<f64>,
}

/// What is known of a column so far.
#[derive(Clone, Copy, Debug)]
struct Tally {
    min: (f64, f64),
    max: (f64, f64),
    integral: f64,
    /// Seconds that are in the integral.
    length: f64,
    last: f64,
}

impl Measures {
    /// What it looks at.
    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Of a list such as `joint.A.force:max,energy.total`, or several.
    pub(crate) fn parse(
        scene: &Scene,
        log: Option<&Log>,
        lists: &[String],
        reactions: Reactions,
    ) -> Result<Self, Failure> {
        let mut names: Vec<String> = Vec::new();
        let mut wanted = Vec::new();
        for part in lists.iter().flat_map(|own| list(own)) {
            let (column, reducers) = match colon(part) {
                Some(at) => (&part[..at], vec![Reducer::parse(&part[at + 1..])?]),
                None => (part, USUAL.to_vec()),
            };
            let found = parse(scene, log, Some(column))?;
            let skipped = usize::from(column.trim() != "time");
            for column in &found.columns()[skipped..] {
                names.push(column.name.clone());
                let own = reducers.iter().map(|own| (column.name.clone(), *own));
                wanted.extend(own);
            }
        }
        // Names of columns, each of which stands for itself.
        let list = names.join(",");
        let columns = parse(scene, log, Some(&list))?.with_reactions(reactions);
        let place = |name: &str| columns.columns().iter().position(|own| own.name == name);
        let mut places: Vec<(usize, Reducer)> = Vec::new();
        for own in wanted
            .iter()
            .filter_map(|(name, own)| Some((place(name)?, *own)))
        {
            if !places.contains(&own) {
                places.push(own);
            }
        }
        let none = Tally {
            min: (f64::INFINITY, f64::NAN),
            max: (f64::NEG_INFINITY, f64::NAN),
            integral: 0.0,
            length: 0.0,
            last: f64::NAN,
        };
        Ok(Self {
            tallies: vec![none; columns.columns().len()],
            at: vec![None; places.len()],
            wanted: places,
            columns,
            dt: 0.0,
            row: Vec::new(),
            before: Vec::new(),
        })
    }

    /// Refuses a time that a run from `start` to `end` does not come to, s.
    pub(crate) fn check_times(&self, start: f64, end: f64) -> Result<(), Failure> {
        let near = round_off(start.abs().max(end.abs()), 0.0);
        let asked = self.wanted.iter().filter_map(|(_, own)| match own {
            Reducer::At(time) => Some(*time),
            _ => None,
        });
        for at in asked {
            if at < start - near || at > end + near {
                let (start, end) = (time(start), time(end));
                let problem = format!(
                    "--measure: at={at} is not in the run, which is from {start} s to {end} s"
                );
                return Err(Failure::usage(problem).hint("give a time in it, or more --seconds"));
            }
        }
        Ok(())
    }

    /// What the numbers are called, in their order: `joint.A.force.x:max`.
    pub(crate) fn header(&self) -> Vec<String> {
        let name = |(at, own): &(usize, Reducer)| {
            format!("{}:{}", self.columns.columns()[*at].name, own.name())
        };
        self.wanted.iter().map(name).collect()
    }

    /// Takes the scene at the start, or after a step.
    pub(crate) fn look(&mut self, scene: &Scene, report: Option<&StepReport>) {
        std::mem::swap(&mut self.row, &mut self.before);
        self.columns.sample(scene, report, &mut self.row);
        let t = self.row[0];
        let dt = self.before.first().map_or(0.0, |before| t - before);
        self.dt = dt;
        for (at, (tally, &x)) in self.tallies.iter_mut().zip(&self.row).enumerate() {
            if x < tally.min.0 {
                tally.min = (x, t);
            }
            if x > tally.max.0 {
                tally.max = (x, t);
            }
            if let Some(&before) = self.before.get(at).filter(|own| !own.is_nan())
                && !x.is_nan()
            {
                tally.integral += 0.5 * (before + x) * dt;
                tally.length += dt;
            }
            tally.last = x;
        }
        for ((at, reducer), value) in self.wanted.iter().zip(&mut self.at) {
            if let (Reducer::At(time), None) = (reducer, &value) {
                *value = between(*time, t, dt, self.before.get(*at), self.row[*at]);
            }
        }
    }

    /// The numbers, in the order of the header; not a number where a column was not there.
    pub(crate) fn values(&self) -> Vec<f64> {
        let value = |(own, at): (&(usize, Reducer), &Option<f64>)| {
            let tally = &self.tallies[own.0];
            match own.1 {
                Reducer::Last => tally.last,
                Reducer::Min if tally.min.0.is_finite() => tally.min.0,
                Reducer::Max if tally.max.0.is_finite() => tally.max.0,
                Reducer::Min | Reducer::Max => f64::NAN,
                Reducer::MinTime => tabled(tally.min.1, self.dt),
                Reducer::MaxTime => tabled(tally.max.1, self.dt),
                Reducer::Integral => tally.integral,
                Reducer::Mean if tally.length > 0.0 => tally.integral / tally.length,
                Reducer::Mean => tally.last,
                Reducer::At(_) => at.unwrap_or(f64::NAN),
            }
        };
        self.wanted.iter().zip(&self.at).map(value).collect()
    }

    /// The numbers with their names.
    pub(crate) fn measured(&self) -> Vec<Measured> {
        let values = self.values();
        let measured = |(&(at, reducer), value): (&(usize, Reducer), f64)| {
            let column = &self.columns.columns()[at];
            let unit = match (column.unit, reducer) {
                (_, Reducer::MinTime | Reducer::MaxTime) => "s".to_owned(),
                ("" | "1", Reducer::Integral) => "s".to_owned(),
                (unit, Reducer::Integral) => format!("{unit}·s"),
                ("1", _) => String::new(),
                (unit, _) => unit.to_owned(),
            };
            let time = match reducer {
                Reducer::Min => Some(tabled(self.tallies[at].min.1, self.dt)),
                Reducer::Max => Some(tabled(self.tallies[at].max.1, self.dt)),
                _ => None,
            };
            Measured {
                column: column.name.clone(),
                measure: reducer.name(),
                value: Some(value).filter(|value| value.is_finite()),
                unit,
                time: time.filter(|time| time.is_finite()),
            }
        };
        self.wanted.iter().zip(values).map(measured).collect()
    }
}

/// One line for each column: its name, and all that was measured of it.
pub(super) fn in_words(measured: &[Measured]) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for own in measured {
        let mut words = match own.value {
            Some(value) if own.unit == "s" && own.measure.ends_with("time") => {
                format!("{} {} s", own.measure, time(value))
            }
            Some(value) => format!("{} {} {}", own.measure, short(value), own.unit),
            None => format!("{} not there", own.measure),
        };
        if let Some(at) = own.time {
            words += &format!(" at {} s", time(at));
        }
        let words = words.replace("  ", " ").trim_end().to_owned();
        match lines.last_mut() {
            Some((column, list)) if *column == own.column => list.push(words),
            _ => lines.push((&own.column, vec![words])),
        }
    }
    let line = |(column, words): &(&str, Vec<String>)| {
        format!("{}: {}", escaped(column), words.join(", "))
    };
    lines.iter().map(line).collect()
}

/// The value at a time, if it lies in the step that ends at `t`, or at that end but for round-off.
fn between(time: f64, t: f64, dt: f64, before: Option<&f64>, x: f64) -> Option<f64> {
    let near = round_off(t, dt);
    if (time - t).abs() <= near {
        return Some(x);
    }
    if time > t || time < t - dt {
        return None;
    }
    let part = (time - (t - dt)) / dt;
    before.map(|before| before + part * (x - before))
}

/// What a time may be off by after many steps, s.
fn round_off(t: f64, dt: f64) -> f64 {
    1e-9 * t.abs().max(dt)
}

/// Where the word of a measure is set apart: at the last colon outside of quotes.
fn colon(part: &str) -> Option<usize> {
    let mut is_quoted = false;
    let mut found = None;
    for (at, character) in part.char_indices() {
        is_quoted ^= character == '"';
        if character == ':' && !is_quoted {
            found = Some(at);
        }
    }
    found
}
