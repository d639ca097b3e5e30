//! What a run writes while it goes: tables, a plot, and the motion.

use std::iter;

use linkwork::diagnose::{DiagnoseOptions, diagnose_with};
use linkwork::prelude::StepReport;
use linkwork_scene::export::{
    Columns, ColumnsChoice, CsvWriter, FrameRate, JsonLinesWriter, Plot, Reactions, Recorder,
    WholeFile,
};
use linkwork_scene::{Fault, Scene};

use super::doubts::without_numbers;
use super::measure::Measures;
use super::replay::Log;
use crate::check::warnings::Warning;
use crate::failure::Failure;
use crate::numbers::tabled;
use crate::output;
use crate::words;

/// What to record, and where to.
#[derive(Debug, Default)]
pub(crate) struct Wanted<'a> {
    pub(crate) csv: Option<&'a str>,
    pub(crate) jsonl: Option<&'a str>,
    /// Names of columns with commas between; some that tell most when left out.
    pub(crate) columns: Option<&'a str>,
    pub(crate) plot: Option<&'a str>,
    pub(crate) plot_columns: Option<&'a str>,
    /// The column that the others are plotted against; time when left out.
    pub(crate) plot_x: Option<&'a str>,
    /// What is measured of columns, over all steps.
    pub(crate) measure: &'a [String],
    pub(crate) gltf: Option<&'a str>,
    pub(crate) every: Option<u64>,
    pub(crate) fps: Option<f64>,
    pub(crate) reactions: Reactions,
    pub(crate) title: &'a str,
    pub(crate) n_steps: u64,
}

/// What a plot shows when nothing is asked for.
const PLOTTED: &str = "energy";
/// A plot keeps at most so many numbers; of longer runs it takes every second, third, … row.
const MOST_PLOTTED: u64 = 20_000_000;

/// Everything a run writes while it goes. Dropped, it leaves no file.
#[derive(Debug)]
pub(crate) struct Recording {
    pace: Pace,
    tables: Option<Tables>,
    plot: Option<Plotted>,
    motion: Option<(Recorder, WholeFile)>,
    measures: Option<Measures>,
    row: Vec<f64>,
}

/// One set of columns, in one file or two.
#[derive(Debug)]
struct Tables {
    columns: Columns,
    /// How many of them are shares: each has another column that says so.
    n_shares: usize,
    csv: Option<CsvWriter<WholeFile>>,
    jsonl: Option<JsonLinesWriter<WholeFile>>,
}

#[derive(Debug)]
struct Plotted {
    columns: Columns,
    plot: Plot,
    file: WholeFile,
    /// Every so many rows are drawn.
    stride: u64,
    n_rows: u64,
}

impl Recording {
    /// The columns whose numbers are only shares where the scene is, each once.
    pub(crate) fn undetermined(&self, scene: &Scene) -> Vec<String> {
        let tables = self.tables.iter().map(|own| &own.columns);
        let plots = self.plot.iter().map(|own| &own.columns);
        let measures = self.measures.iter().map(Measures::columns);
        undetermined(scene, tables.chain(plots).chain(measures))
    }

    /// The formulas of columns that came to no number in some row.
    pub(crate) fn without_numbers(&self) -> Option<Warning> {
        let tables = self.tables.iter().map(|own| &own.columns);
        let plots = self.plot.iter().map(|own| &own.columns);
        let measures = self.measures.iter().map(Measures::columns);
        without_numbers(tables.chain(plots).chain(measures))
    }

    /// Begins every file that is wanted, and writes the first row: the scene before the first step.
    /// What a log adds later has its columns too; until then they are empty.
    pub(crate) fn begin(
        scene: &Scene,
        log: Option<&Log>,
        wanted: &Wanted<'_>,
    ) -> Result<Self, Failure> {
        let tables = match wanted.csv.is_some() || wanted.jsonl.is_some() {
            true => Some(Tables::begin(scene, log, wanted)?),
            false => None,
        };
        let plot = match wanted.plot {
            Some(path) => Some(Plotted::begin(scene, log, wanted, path)?),
            None => None,
        };
        let motion = match wanted.gltf {
            Some(path) => {
                // At rows, where somebody said how often; else as often as screens show them.
                let paced = wanted.every.is_some() || wanted.fps.is_some();
                let rate = match paced {
                    true => FrameRate::EveryStep,
                    false => FrameRate::default(),
                };
                Some((Recorder::new(scene, rate), output::begin(path)?))
            }
            None => None,
        };
        let measures = match wanted.measure {
            [] => None,
            lists => Some(Measures::parse(scene, log, lists, wanted.reactions)?),
        };
        let mut recording = Self {
            pace: Pace::new(wanted, scene.world.state().t),
            tables,
            plot,
            motion,
            measures,
            row: Vec::new(),
        };
        recording.look(scene, None);
        recording.row(scene, None)?;
        Ok(recording)
    }

    /// Takes the scene after a step, if it is due.
    pub(crate) fn step(&mut self, scene: &Scene, report: &StepReport) -> Result<(), Failure> {
        self.look(scene, Some(report));
        match self.pace.take_due(scene.world.state().t) {
            true => self.row(scene, Some(report)),
            false => {
                let tables = self.tables.iter_mut().map(|own| &mut own.columns);
                let plots = self.plot.iter_mut().map(|own| &mut own.columns);
                tables.chain(plots).for_each(|own| own.follow(scene));
                Ok(())
            }
        }
    }

    fn look(&mut self, scene: &Scene, report: Option<&StepReport>) {
        if let Some(measures) = &mut self.measures {
            measures.look(scene, report);
        }
    }

    /// What was measured.
    pub(crate) fn measures(&self) -> Option<&Measures> {
        self.measures.as_ref()
    }

    fn row(&mut self, scene: &Scene, report: Option<&StepReport>) -> Result<(), Failure> {
        if let Some(tables) = &mut self.tables {
            tables.columns.sample(scene, report, &mut self.row);
            // The first column is always the time.
            self.row[0] = tabled(self.row[0], scene.options.dt);
            self.row.extend(iter::repeat_n(1.0, tables.n_shares));
            if let Some(csv) = &mut tables.csv {
                csv.row(&self.row)?;
            }
            if let Some(jsonl) = &mut tables.jsonl {
                jsonl.row(&self.row)?;
            }
        }
        if let Some(own) = &mut self.plot {
            if own.n_rows.is_multiple_of(own.stride) {
                own.columns.sample(scene, report, &mut self.row);
                own.plot.row(&self.row);
            } else {
                own.columns.follow(scene);
            }
            own.n_rows += 1;
        }
        if let Some((recorder, _)) = &mut self.motion {
            recorder.record(scene);
        }
        Ok(())
    }

    /// Puts every file in place.
    pub(crate) fn finish(self, scene: &Scene) -> Result<(), Failure> {
        if let Some(tables) = self.tables {
            if let Some(csv) = tables.csv {
                csv.finish()?.finish()?;
            }
            if let Some(jsonl) = tables.jsonl {
                jsonl.finish()?.finish()?;
            }
        }
        if let Some(mut own) = self.plot {
            own.plot.write(&mut own.file)?;
            own.file.finish()?;
        }
        if let Some((recorder, mut file)) = self.motion {
            recorder.finish(scene, &mut file)?;
            file.finish()?;
        }
        Ok(())
    }
}

impl Tables {
    fn begin(scene: &Scene, log: Option<&Log>, wanted: &Wanted<'_>) -> Result<Self, Failure> {
        let columns = parse(scene, log, wanted.columns)?.with_reactions(wanted.reactions);
        let shares = undetermined(scene, iter::once(&columns));
        let mut header = columns.header();
        header.extend(shares.iter().map(|own| format!("{own}.undetermined")));
        let csv = match wanted.csv {
            Some(path) => Some(CsvWriter::new(output::begin(path)?, &header)?),
            None => None,
        };
        let jsonl = match wanted.jsonl {
            Some(path) => Some(JsonLinesWriter::new(output::begin(path)?, &header)),
            None => None,
        };
        Ok(Self {
            columns,
            n_shares: shares.len(),
            csv,
            jsonl,
        })
    }
}

impl Plotted {
    fn begin(
        scene: &Scene,
        log: Option<&Log>,
        wanted: &Wanted<'_>,
        path: &str,
    ) -> Result<Self, Failure> {
        let names = wanted.plot_columns.unwrap_or(PLOTTED);
        let list = match wanted.plot_x {
            Some(x) => format!("{},{names}", one_column(scene, log, x)?),
            None => format!("time,{names}"),
        };
        let columns = choose(scene, log, &list)?.with_reactions(wanted.reactions);
        let plot = Plot::new(wanted.title, columns.columns());
        let n_numbers = wanted
            .n_steps
            .saturating_mul(columns.columns().len() as u64);
        Ok(Self {
            plot: match columns.columns().first() {
                Some(x) => plot.against(&x.name),
                None => plot,
            },
            columns,
            file: output::begin(path)?,
            stride: 1 + n_numbers / MOST_PLOTTED,
            n_rows: 0,
        })
    }
}

/// The columns that rigid statics leaves open where the scene is, each once: shares of what several joints bear
/// together.
fn undetermined<'c>(scene: &Scene, all: impl Iterator<Item = &'c Columns>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let options = DiagnoseOptions::default().max_motions(0).look_nearby(false);
    let mut diagnosis = None;
    for columns in all.filter(|own| own.has_forces()) {
        let diagnosis = diagnosis.get_or_insert_with(|| diagnose_with(&scene.world, &options));
        for name in columns.undetermined(scene, diagnosis) {
            if !found.iter().any(|own| own == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// Columns by a list with commas, time before all others; some that tell most when there is none.
pub(super) fn parse(
    scene: &Scene,
    log: Option<&Log>,
    list: Option<&str>,
) -> Result<Columns, Failure> {
    match list {
        Some(list) => choose(scene, log, &format!("time,{list}")),
        None => choose(scene, log, ""),
    }
}

/// The name of the one column that a name stands for.
fn one_column(scene: &Scene, log: Option<&Log>, name: &str) -> Result<String, Failure> {
    let columns = choose(scene, log, name)?;
    let names = columns.header();
    match names.as_slice() {
        [own] => Ok(own.to_string()),
        names => {
            let n = names.len();
            let problem = format!("--plot-x: {name} stands for {n} columns");
            let hint = format!("choose one of them: {}", names[..n.min(6)].join(", "));
            Err(Failure::usage(problem).hint(hint))
        }
    }
}

/// Columns by a list with commas; some that tell most when it is empty.
fn choose(scene: &Scene, log: Option<&Log>, list: &str) -> Result<Columns, Failure> {
    let names = words::list(list);
    let listed = "`linkwork run SCENE --list-columns` lists them";
    let refuse = |fault: Fault| {
        let hint = fault.hint.clone().unwrap_or_default();
        let hint = hint.replace(Columns::ADVICE, "");
        let hint = format!("{} {listed}", hint.trim());
        Failure::Usage(fault.hint(hint.trim()))
    };
    let mut choice = ColumnsChoice::new(&names).map_err(refuse)?;
    choice.look(scene);
    if let Some(log) = log {
        log.rehearse(scene, &mut |scene| choice.look(scene))?;
    }
    choice.finish().map_err(refuse)
}

/// Which steps become rows.
#[derive(Debug)]
enum Pace {
    /// One of so many.
    Every { n: u64, n_since: u64 },
    /// So many a second, at most; each is a state that was stepped to, none is made up.
    PerSecond { rate: f64, start: f64, due: f64 },
}

impl Pace {
    fn new(wanted: &Wanted<'_>, start: f64) -> Self {
        match wanted.fps {
            Some(rate) => Self::PerSecond {
                rate,
                start,
                due: 1.0,
            },
            None => Self::Every {
                n: wanted.every.unwrap_or(1),
                n_since: 0,
            },
        }
    }

    fn take_due(&mut self, t: f64) -> bool {
        match self {
            Self::Every { n, n_since } => {
                *n_since += 1;
                let is_due = *n_since == *n;
                if is_due {
                    *n_since = 0;
                }
                is_due
            }
            Self::PerSecond { rate, start, due } => {
                // Steps that add up to a frame may fall short of it by round-off.
                let passed = (t - *start) * *rate + 1e-6;
                let is_due = passed >= *due;
                if is_due {
                    *due = passed.floor() + 1.0;
                }
                is_due
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_outside_of_quotes() {
        let list = r#"time, body."a, b".position,,energy"#;
        assert_eq!(
            words::list(list),
            ["time", r#"body."a, b".position"#, "energy"]
        );
    }

    #[test]
    fn rows_come_at_their_pace() {
        let rows = |wanted: &Wanted<'_>, dt: f64| -> Vec<u32> {
            let mut pace = Pace::new(wanted, 0.0);
            (1..=100)
                .filter(|step| pace.take_due(f64::from(*step) * dt))
                .collect()
        };
        let every = Wanted {
            every: Some(40),
            ..Wanted::default()
        };
        assert_eq!(rows(&every, 0.01), [40, 80]);
        let per_second = Wanted {
            fps: Some(4.0),
            ..Wanted::default()
        };
        assert_eq!(rows(&per_second, 0.01), [25, 50, 75, 100]);
        // Faster than the steps: all of them.
        assert_eq!(rows(&per_second, 0.5).len(), 100);
    }
}
