//! `compare`: two builds run in turns on every row of `papers` and `targets`.
//!
//! Both programs run at once, each as `linkwork-bench rows`, and wait for their turns, so that what
//! else the machine does hits both alike. Each is started a few times, because where memory happens to
//! lie changes times by some percent for as long as a program runs. The fastest of all turns counts.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::rows::{Row, TURNS, parse};
use crate::table::{table, us};

/// Both programs are started so often. The fastest of 15 turns counts.
const STARTS: usize = 15 / TURNS;
/// Rows that are slower are measured again by themselves, with up to so many starts, before they fail: on a
/// busy machine a run of 60 ms is seldom left alone.
const MORE_STARTS: usize = 9;
/// A row fails when the new build takes more than this of the old one's time.
const MOST: f64 = 1.03;
/// Rows of this method are the same code in both builds: they tell how steady the machine was.
const CONTROL: &str = ": faer";

/// A row of both builds, the fastest so far in microseconds.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    name: String,
    old: f64,
    new: f64,
}

impl Compared {
    fn ratio(&self) -> f64 {
        self.new / self.old
    }

    fn is_control(&self) -> bool {
        self.name.ends_with(CONTROL)
    }

    /// A time that is no number is too slow.
    fn is_slower(&self) -> bool {
        let is_fine = self.ratio() <= MOST;
        !is_fine && !self.is_control()
    }
}

/// Measures both and lays out the result; an error if a row is slower.
pub(crate) fn run(old: &Path, new: &Path) -> Result<String, String> {
    let (both, one) = common(names(old)?, names(new)?);
    let mut rows = vec![];
    for _ in 0..STARTS {
        measure(old, new, &both, &mut rows)?;
    }
    for _ in 0..MORE_STARTS {
        let slower = rows.iter().filter(|row| row.is_slower());
        let slower: Vec<String> = slower.map(|row| row.name.clone()).collect();
        if slower.is_empty() {
            break;
        }
        measure(old, new, &slower, &mut rows)?;
    }
    let unmatched = match one.is_empty() {
        true => String::new(),
        false => format!("\nin one build only: {}", one.join("; ")),
    };
    match judge(&rows) {
        Ok(text) => Ok(text + &unmatched),
        Err(text) => Err(text + &unmatched),
    }
}

/// The rows of a build. It takes all its turns alone, because builds tell names only with times.
fn names(program: &Path) -> Result<Vec<String>, String> {
    let mut build = Build::start(program, &[])?;
    let mut names = vec![];
    while let Some(rows) = build.turn()? {
        let new = rows.into_iter().map(|(name, _)| name);
        names.extend(new.filter(|name| !names.contains(name)).collect::<Vec<_>>());
    }
    Ok(names)
}

/// What both builds have, and what only one has: versions may bench different scenes.
fn common(old: Vec<String>, new: Vec<String>) -> (Vec<String>, Vec<String>) {
    let only_new = new.iter().filter(|name| !old.contains(name)).cloned();
    let only_new: Vec<String> = only_new.collect();
    let (both, mut one): (Vec<_>, Vec<_>) = old.into_iter().partition(|name| new.contains(name));
    one.extend(only_new);
    (both, one)
}

/// Starts both programs once on some rows, and keeps the faster times.
fn measure(
    old: &Path,
    new: &Path,
    only: &[String],
    rows: &mut Vec<Compared>,
) -> Result<(), String> {
    let mut builds = [Build::start(old, only)?, Build::start(new, only)?];
    for turn in 0.. {
        // Who comes second finds the machine as the first left it.
        let order = if turn % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut told = [None, None];
        for at in order {
            told[at] = builds[at].turn()?;
        }
        let (old_rows, new_rows) = match told {
            [Some(old), Some(new)] => (old, new),
            [None, None] => break,
            _ => return Err("one build has more rows than the other".to_owned()),
        };
        if old_rows.len() != new_rows.len() {
            return Err("the builds have different rows".to_owned());
        }
        for ((name, old), (other, new)) in old_rows.into_iter().zip(new_rows) {
            if name != other {
                return Err(format!(
                    "the builds have different rows: {name} and {other}"
                ));
            }
            match rows.iter_mut().find(|row| row.name == name) {
                Some(row) => (row.old, row.new) = (row.old.min(old), row.new.min(new)),
                None => rows.push(Compared { name, old, new }),
            }
        }
    }
    Ok(())
}

/// A program that takes turns.
struct Build {
    name: String,
    child: Child,
    asks: ChildStdin,
    tells: Lines<BufReader<ChildStdout>>,
}

impl Build {
    fn start(program: &Path, only: &[String]) -> Result<Self, String> {
        let name = program.display().to_string();
        let mut child = Command::new(program)
            .arg("rows")
            .args(only)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name} did not start ({error})"))?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(asks), Some(tells)) = pipes else {
            return Err(format!("{name} has no pipes"));
        };
        Ok(Self {
            name,
            child,
            asks,
            tells: BufReader::new(tells).lines(),
        })
    }

    /// Asks for one turn; none when all are done.
    fn turn(&mut self) -> Result<Option<Vec<Row>>, String> {
        // A program that has ended does not listen: that is seen when nothing is told.
        let _ = writeln!(self.asks);
        let line = match self.tells.next() {
            Some(line) => line.map_err(|error| format!("{}: {error}", self.name))?,
            None => return Err(self.failure()),
        };
        match line.is_empty() {
            true => Ok(None),
            false => parse(&line)
                .map(Some)
                .ok_or_else(|| format!("{} says {line:?}", self.name)),
        }
    }

    /// Why a program ended before its time.
    fn failure(&mut self) -> String {
        let how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        format!(
            "`{} rows` ended early ({how}); a version from before that command needs the bench/ of this one",
            self.name
        )
    }
}

/// The table, and what follows from it.
fn judge(rows: &[Compared]) -> Result<String, String> {
    if rows.is_empty() {
        return Err("no row was measured".to_owned());
    }
    let line = |row: &Compared| {
        let word = match row {
            row if row.is_slower() => "slower",
            row if row.is_control() => "control",
            _ => "",
        };
        vec![
            row.name.clone(),
            us(row.old),
            us(row.new),
            format!("{:.3}", row.ratio()),
            word.to_owned(),
        ]
    };
    let lines: Vec<_> = rows.iter().map(line).collect();
    let heading = ["row", "old µs", "new µs", "new / old", ""];
    let times = table(&heading, &lines);
    let n_slower = rows.iter().filter(|row| row.is_slower()).count();
    let ours = rows.iter().filter(|row| !row.is_control());
    let logs: Vec<f64> = ours.map(|row| row.ratio().ln()).collect();
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    let text = format!(
        "{times}\n{}\ngeometric mean of {} rows {mean:.3}, {n_slower} more than {:.0} % slower",
        held(rows),
        logs.len(),
        100.0 * (MOST - 1.0)
    );
    if n_slower == 0 { Ok(text) } else { Err(text) }
}

/// Ratios of rows within each build.
fn held(rows: &[Compared]) -> String {
    let lines: Vec<Vec<String>> = HELD
        .iter()
        .filter_map(|held| {
            let find = |name: &str| rows.iter().find(|row| row.name == name);
            let (over, under) = (find(held.over)?, find(held.under)?);
            let (was, is) = (over.old / under.old, over.new / under.new);
            let (sign, holds) = match held.bound {
                Bound::AtLeast(bound) => (format!("≥ {bound}"), is >= bound),
                Bound::AtMost(bound) => (format!("≤ {bound}"), is <= bound),
            };
            let word = if holds { "holds" } else { "missed" };
            Some(vec![
                format!("{} / {}", held.over, held.under),
                format!("{was:.2}"),
                format!("{is:.2}"),
                sign,
                word.to_owned(),
            ])
        })
        .collect();
    table(&["ratio", "old", "new", "wanted", ""], &lines)
}

/// A ratio of two rows of one build, and where it must lie.
struct Held {
    over: &'static str,
    under: &'static str,
    bound: Bound,
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// What the engine is held to. The chains have as many bodies each.
const HELD: [Held; 3] = [
    Held {
        over: "ladder:6,96 in motion: faer",
        under: "ladder:6,96 in motion: direct",
        bound: Bound::AtLeast(2.0),
    },
    Held {
        over: "chain-hinge:1000: direct",
        under: "chain:1000: direct",
        bound: Bound::AtMost(1.5),
    },
    Held {
        over: "ladder:6,77: snap and step",
        under: "ladder:6,77: direct, between snaps",
        bound: Bound::AtMost(5.5),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, old: f64, new: f64) -> Compared {
        Compared {
            name: name.to_owned(),
            old,
            new,
        }
    }

    #[test]
    fn slower_rows_fail_and_are_named() {
        let rows = [
            row("chain:1000: direct", 100.0, 102.9),
            row("chain-hinge:1000: direct", 150.0, 140.0),
            row("ladder:6,96 in motion: faer", 100.0, 120.0),
        ];
        let text = judge(&rows).unwrap();
        assert!(text.contains("0 more than 3 % slower"), "{text}");
        assert!(text.contains("control"), "{text}");
        assert!(text.contains("1.50  1.36   ≤ 1.5  holds"), "{text}");
        for slow in [103.1, f64::NAN, f64::INFINITY] {
            let rows = [row("chain:1000: direct", 100.0, slow)];
            let text = judge(&rows).unwrap_err();
            assert!(text.contains("slower"), "{text}");
        }
        assert!(judge(&[]).is_err());
    }

    #[test]
    fn rows_of_one_build_are_told_and_not_compared() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (both, one) = common(names(&["a", "b", "c"]), names(&["d", "c", "a"]));
        assert_eq!(both, names(&["a", "c"]));
        assert_eq!(one, names(&["b", "d"]));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let message = run(Path::new("no-such-bench"), Path::new("nor-this")).unwrap_err();
        assert!(message.contains("no-such-bench"), "{message}");
    }
}
