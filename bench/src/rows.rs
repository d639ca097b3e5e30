//! `rows`: every time of `papers` and `targets`, one turn at a time, for `compare`.
//!
//! The rows come in groups that are measured together. For every line on the standard input the
//! present group takes one turn and prints a line: its rows, separated by tabs, each as its name, an
//! equals sign and microseconds. After [`TURNS`] turns the next group begins.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use linkwork::prelude::*;

use crate::papers;
use crate::snap::{self, Snapping};
use crate::solve::{Contestant, Entry, Velocities, scene};
use crate::targets;

/// Turns of every group in one run of the program.
pub(crate) const TURNS: usize = 5;
/// A turn of a solve repeats it for so long, and at least once.
const TURN: Duration = Duration::from_millis(15);
/// The solve is timed in batches of about so long: the clock is not free.
const BATCH: Duration = Duration::from_micros(200);
/// A joint is removed and made so often in a turn.
const SNAPS: usize = 8;

/// What is timed around a snap.
const SNAP_ROWS: [&str; 6] = [
    "snap and solve",
    "snap and step",
    "unsnap and solve",
    "unsnap and step",
    "direct, between snaps",
    "step, between snaps",
];

/// A row: its name, and microseconds.
pub(crate) type Row = (String, f64);

/// Serves turns until all groups had theirs, or those of some rows.
pub(crate) fn run(only: &[String]) -> Result<String, String> {
    let mut asked = std::io::stdin().lock().lines();
    let mut turns = |turn: &mut dyn FnMut() -> Result<Vec<Row>, String>| {
        for _ in 0..TURNS {
            match asked.next() {
                Some(line) => line.map_err(|error| error.to_string())?,
                None => return Err("the standard input ended early".to_owned()),
            };
            println!("{}", line(&turn()?));
            std::io::stdout()
                .flush()
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    let is_asked = |name: &str| only.is_empty() || only.iter().any(|asked| asked == name);
    for structure in papers::structures()? {
        for entry in &structure.methods {
            let name = format!("{}: {}", structure.name, entry.name);
            if is_asked(&name) {
                solves(name, &structure.world, entry, &mut turns)?;
            }
        }
    }
    for (how, velocities) in targets::STARTS {
        let name = format!("{} {how}: interactive step", targets::SCENE);
        if is_asked(&name) {
            steps(&name, velocities, &mut turns)?;
        }
    }
    for name in snap::SCENES {
        if !SNAP_ROWS
            .iter()
            .any(|row| is_asked(&format!("{name}: {row}")))
        {
            continue;
        }
        let mut snapping = Snapping::new(name)?;
        turns(&mut || snaps(&mut snapping))?;
    }
    Ok(String::new())
}

/// Takes the turns of a group.
type Turns<'a> = dyn FnMut(&mut dyn FnMut() -> Result<Vec<Row>, String>) -> Result<(), String> + 'a;

/// A solve of a structure by one method.
fn solves(name: String, world: &World, entry: &Entry, turns: &mut Turns<'_>) -> Result<(), String> {
    let mut contestant = Contestant::new(entry, world)?;
    // Compiles, and warms up.
    contestant.candidate().run();
    turns(&mut || Ok(vec![(name.clone(), fastest(&mut contestant))]))
}

/// Microseconds of the fastest batch of a turn, by run.
fn fastest(contestant: &mut Contestant<'_>) -> f64 {
    let start = Instant::now();
    contestant.answer();
    let one = start.elapsed();
    let n = (BATCH.as_secs_f64() / one.as_secs_f64().max(1e-9)).ceil();
    let n = (n as u32).clamp(1, 100_000);
    let mut best = one;
    while start.elapsed() < TURN {
        let batch = Instant::now();
        for _ in 0..n {
            contestant.answer();
        }
        best = best.min(batch.elapsed() / n);
    }
    best.as_secs_f64() * 1e6
}

/// Interactive steps of the largest ladder. Each step counts with its fastest time of all turns.
fn steps(name: &str, velocities: Velocities, turns: &mut Turns<'_>) -> Result<(), String> {
    let start = scene(targets::SCENE, velocities)?;
    let options = StepOptions::interactive(targets::DT);
    let mut best = vec![f64::INFINITY; targets::STEPS];
    turns(&mut || {
        let (mut world, mut simulator) = (start.clone(), Simulator::new());
        for best in &mut best {
            let clock = Instant::now();
            let report = simulator.step(&mut world, &options);
            *best = best.min(clock.elapsed().as_secs_f64() * 1e6);
            report.map_err(|error| error.to_string())?;
        }
        // The first step compiles.
        let mean = best[1..].iter().sum::<f64>() / (best.len() - 1) as f64;
        Ok(vec![(name.to_owned(), mean)])
    })
}

/// Removes and makes a joint a few times. The fastest of all turns counts.
fn snaps(snapping: &mut Snapping) -> Result<Vec<Row>, String> {
    for _ in 0..SNAPS {
        snapping.round()?;
    }
    let best = snapping.best();
    let times = [
        best.snap.solve,
        best.snap.step,
        best.unsnap.solve,
        best.unsnap.step,
        best.direct,
        best.step,
    ];
    let row = |(what, ms): (&str, f64)| (format!("{}: {what}", best.scene), 1e3 * ms);
    Ok(SNAP_ROWS.into_iter().zip(times).map(row).collect())
}

/// Rows as they are sent.
fn line(rows: &[Row]) -> String {
    let rows = rows.iter().map(|(name, us)| format!("{name}={us:.4}"));
    rows.collect::<Vec<_>>().join("\t")
}

/// Rows as they were sent.
pub(crate) fn parse(line: &str) -> Option<Vec<Row>> {
    let row = |text: &str| {
        let (name, us) = text.rsplit_once('=')?;
        Some((name.to_owned(), us.parse().ok()?))
    };
    line.split('\t').map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let rows = vec![("a: b".to_owned(), 1.5), ("c=d".to_owned(), 20.25)];
        assert_eq!(parse(&line(&rows)), Some(rows));
        assert_eq!(parse("error: no such command"), None);
    }

    #[test]
    fn a_snap_has_its_rows() {
        let mut snapping = Snapping::new("ladder:2,3").unwrap();
        let rows = snaps(&mut snapping).unwrap();
        assert_eq!(rows[1].0, "ladder:2,3: snap and step");
        assert!(rows.iter().all(|(_, us)| *us > 0.0 && us.is_finite()));
    }
}
