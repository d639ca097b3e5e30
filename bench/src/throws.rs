//! `throws`: random bodies thrown on a floor, and whether anything went wrong.

#[path = "../../crates/linkwork/tests/contact/judge.rs"]
mod judge;
#[path = "../../crates/linkwork/tests/contact/throw.rs"]
mod throw;

use std::fmt::Write;
use std::path::Path;

use judge::{Found, TOLD, judge};

use crate::table::table;

/// How many seeds a line of the table names.
const NAMED: usize = 6;

/// What is asked for.
pub(crate) struct Asked<'a> {
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) threads: u64,
    pub(crate) record: Option<&'a Path>,
}

/// One thing that is watched: how many throws and frames had it, and the worst of them.
struct Line {
    name: &'static str,
    throws: usize,
    frames: usize,
    /// Worst first; of equals, the smaller seed.
    worst: Vec<(f64, u64)>,
}

/// All that was watched.
struct Tally {
    n_throws: usize,
    n_frames: usize,
    n_driven: usize,
    n_blows: usize,
    lines: [Line; 9],
    refusals: Vec<(u64, String)>,
}

impl Line {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            throws: 0,
            frames: 0,
            worst: vec![],
        }
    }

    /// A throw with so many frames of it, the worst of this size.
    fn note(&mut self, seed: u64, frames: usize, size: f64) {
        self.throws += usize::from(frames > 0);
        self.frames += frames;
        if frames > 0 {
            self.keep((size, seed));
        }
    }

    fn keep(&mut self, one: (f64, u64)) {
        self.worst.push(one);
        self.worst
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.worst.truncate(NAMED);
    }

    fn add(&mut self, other: Self) {
        self.throws += other.throws;
        self.frames += other.frames;
        for one in other.worst {
            self.keep(one);
        }
    }
}

impl Tally {
    fn new() -> Self {
        Self {
            n_throws: 0,
            n_frames: 0,
            n_driven: 0,
            n_blows: 0,
            lines: [
                Line::new("refused"),
                Line::new("not finite"),
                Line::new("gain > 0.1 %, contact"),
                Line::new("gain > 0.1 %, without contact too"),
                Line::new("overrun > 1e-6 m"),
                Line::new("gain or overrun, law not said"),
                Line::new("law > 1e-6 m/s, said"),
                Line::new("joints open > 1e-6 m"),
                Line::new("joints or ropes not as said"),
            ],
            refusals: vec![],
        }
    }

    fn note(&mut self, seed: u64, found: Found) {
        self.n_throws += 1;
        self.n_frames += found.n_frames;
        self.n_driven += usize::from(found.is_driven);
        self.n_blows += found.blows;
        let is_refused = usize::from(found.refused.is_some());
        let is_untold = usize::from(found.untold > TOLD);
        let worse = found.gain.max(found.overrun);
        let of_lines = [
            (is_refused, 0.0),
            (usize::from(found.not_finite), 0.0),
            (found.gaining, found.gain),
            (found.excused, found.gain),
            (found.sunk, found.overrun),
            (found.unsaid, worse),
            (found.said, found.law),
            (found.open, found.gap),
            (is_untold, found.untold),
        ];
        for (line, (frames, size)) in self.lines.iter_mut().zip(of_lines) {
            line.note(seed, frames, size);
        }
        if let Some(refused) = found.refused {
            self.refusals.push((seed, refused));
        }
    }

    fn add(&mut self, other: Self) {
        self.n_throws += other.n_throws;
        self.n_frames += other.n_frames;
        self.n_driven += other.n_driven;
        self.n_blows += other.n_blows;
        for (own, other) in self.lines.iter_mut().zip(other.lines) {
            own.add(other);
        }
        self.refusals.extend(other.refusals);
        self.refusals.sort();
    }

    fn text(&self, asked: &Asked<'_>) -> String {
        let mut out = format!(
            "# {} throws from seed {}: {} driven, {} frames, {} blows\n",
            self.n_throws, asked.seed, self.n_driven, self.n_frames, self.n_blows
        );
        let rows: Vec<Vec<String>> = self
            .lines
            .iter()
            .map(|line| {
                let named = line.worst.iter();
                let named: Vec<String> = named
                    .map(|(size, seed)| match *size == 0.0 {
                        true => format!("{seed}"),
                        false => format!("{seed} ({size:.0e})"),
                    })
                    .collect();
                let counts = [line.throws.to_string(), line.frames.to_string()];
                let [throws, frames] = counts;
                vec![line.name.to_owned(), throws, frames, named.join(" ")]
            })
            .collect();
        out += &table(&["what", "throws", "frames", "worst seeds"], &rows);
        for (seed, refused) in &self.refusals {
            let _ = writeln!(out, "refused {seed}: {refused}");
        }
        out
    }

    /// What must not be: refusals, numbers that are none, energy from contact, reports that are wrong.
    fn is_bad(&self) -> bool {
        let mut bad = self.lines[..3].iter().chain(&self.lines[8..]);
        bad.any(|line| line.throws > 0)
    }
}

/// Throws; an error where something went wrong that must not.
pub(crate) fn run(asked: &Asked<'_>) -> Result<String, String> {
    if asked.count == 1 {
        return Ok(one(asked.seed));
    }
    let threads = asked.threads.max(1);
    let part = |first: u64| {
        let mut tally = Tally::new();
        let mut k = first;
        while k < asked.count {
            let seed = asked.seed + k;
            tally.note(seed, judge(seed, |_| ()));
            k += threads;
        }
        tally
    };
    let mut tally = Tally::new();
    let tallies: Vec<_> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || part(first)))
            .collect();
        all.into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect()
    });
    for own in tallies {
        let Ok(own) = own else {
            return Err("A throw panicked; its message is above.".to_owned());
        };
        tally.add(own);
    }
    let text = tally.text(asked);
    if let Some(path) = asked.record {
        let written = std::fs::write(path, &text);
        written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    match tally.is_bad() {
        true => Err(text),
        false => Ok(text),
    }
}

/// One throw, frame by frame.
fn one(seed: u64) -> String {
    let heading = [
        "frame",
        "energy J",
        "gain",
        "overrun m",
        "law m/s",
        "joints m",
        "touching",
        "blows",
        "sub-steps",
        "retaken",
        "iterations",
    ];
    let mut rows: Vec<Vec<String>> = vec![];
    let found = judge(seed, |frame| {
        let report = frame.report;
        rows.push(vec![
            rows.len().to_string(),
            format!("{:.6e}", frame.energy),
            format!("{:.1e}", frame.gain),
            format!("{:.0e}", report.overrun),
            format!("{:.0e}", report.law_error),
            format!("{:.0e}", report.position_error),
            frame.world.state().touching.len().to_string(),
            report.blows.to_string(),
            report.substeps.to_string(),
            report.retaken.to_string(),
            report.effort.iterations.to_string(),
        ]);
    });
    let mut out = String::new();
    if let Ok(thrown) = throw::throw(seed) {
        for body in thrown.world.bodies() {
            let _ = writeln!(
                out,
                "{}: {:?}",
                body.label(),
                thrown.world.colliders(body.id())
            );
        }
        for constraint in thrown.world.constraints() {
            let _ = writeln!(out, "{}", constraint.label());
        }
    }
    out + &table(&heading, &rows) + &format!("{found:?}\n")
}
