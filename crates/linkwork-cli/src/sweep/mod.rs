//! `linkwork sweep`: one run for every combination of values, and one table of what was measured.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use clap::Args;
use linkwork_scene::Fault;
use linkwork_scene::export::{Reactions, push_number, push_quoted};
use linkwork_scene::read::{self, Setting};

use crate::closing::closed;
use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::interrupt;
use crate::numbers::{at_least_one, at_least_zero, count, escaped};
use crate::output;
use crate::progress::Progress;
use crate::run::contacts::Contacts;
use crate::run::measure::Measures;
use crate::run::options::StepArguments;
use crate::run::recording::{Recording, Wanted};
use crate::run::requirement::Requirement;
use crate::run::schedule::Schedule;
use crate::run::summary::{Summary, shares};
use crate::run::watch::{EnergyWatch, Watch, left_open};
use crate::run::{SECONDS, travel};
use crate::source::{Draft, SetArguments};

mod grid;
mod table;

use grid::{Over, fields};
use table::Table;

const AFTER_HELP: &str = "\
Examples:
  linkwork sweep four-bar.json --over bodies.crank.length=0.05:0.15:50 --measure body.rocker.position.x --csv reach.csv
  linkwork sweep four-bar.json --over bodies.crank.length=0.08,0.1 --over joints.A.motor.speed_deg=90:360:4 \\
    --measure 'joint.*.force.magnitude:max' --seconds 2 --dt 0.001 --csv forces.csv
  linkwork sweep chain:5 --over world.gravity.1=-9.81,-1.62 --measure energy.kinetic:max,energy.total:at=2.5
  linkwork sweep four-bar-design --designs sizes.csv --measure joint.A.force.magnitude:max

Paths are those of --set of `linkwork run`. FROM:TO:N are N values, evenly spaced, with both ends; A,B,C
are these values. A design table has a line of paths, then a line of values for each variant; empty cells
set nothing. All combinations are run, on all cores; the last --over changes fastest.

The table has a row for each variant: its number, what it sets, what was measured, its status, and why.
The status is ok, shares (why names forces that statics does not determine), doubtful (there are
warnings, which `linkwork run` with the same values prints in full) or failed, without numbers: it could
not be built, joints could not be closed or are open at the end, a step was refused. The numbers are
bit-identical to those of `linkwork run SCENE --set … --measure …`.

While it runs, rows are in FILE.part. After control-C, or if the machine stops, the same command computes
the missing rows. FILE.lock keeps a second sweep away; if it exists although none runs, remove it. The
exit code is 0 if at least one variant did not fail, else 3.";

/// Run a scene for every combination of values and write one table.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// A file, - for standard input, or a library name.
    scene: String,
    /// Values of a field of the scene: PATH=FROM:TO:N or PATH=A,B,C.
    #[arg(long, value_name = "PATH=VALUES", required_unless_present = "designs", value_parser = Over::parse)]
    over: Vec<Over>,
    /// A design table: paths and, line by line, the values of variants (CSV).
    #[arg(long, value_name = "FILE")]
    designs: Option<String>,
    /// What to measure: columns, each with :min, :max, :mean, :integral, :last, :min-time, :max-time or
    /// :at=SECONDS; without one, the first five of these.
    #[arg(long, value_name = "LIST", required = true)]
    measure: Vec<String>,
    #[command(flatten)]
    set: SetArguments,
    /// The table, comma-separated; - is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    csv: String,
    /// How long each run is.
    #[arg(long, short, value_name = "SECONDS", value_parser = at_least_zero, default_value_t = SECONDS)]
    seconds: f64,
    #[command(flatten)]
    steps: StepArguments,
    /// Measure the joint forces that the last step computed, not those of the instant.
    #[arg(long)]
    step_forces: bool,
    /// Runs fail as soon as a joint is open by more than this, m and rad; off never fails. Default: as
    /// `linkwork run`.
    #[arg(long, value_name = "METERS|off")]
    require: Option<Requirement>,
    /// How many runs at a time. Default: as many as there are cores.
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    jobs: Option<NonZeroUsize>,
}

/// What came of a variant.
struct Row {
    variant: usize,
    outcome: Outcome,
    line: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Ok,
    Shares,
    Doubtful,
    Failed,
}

impl Outcome {
    const ALL: [Self; 4] = [Self::Ok, Self::Shares, Self::Doubtful, Self::Failed];

    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Shares => "shares",
            Self::Doubtful => "doubtful",
            Self::Failed => "failed",
        }
    }
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let draft = Draft::open(&arguments.scene)?;
    let overs = overs(arguments)?;
    distinct(&overs, &draft)?;
    let Some(n) = grid::n_variants(&overs) else {
        let problem = format!("these are more than {} variants", grid::MOST);
        return Err(Failure::usage(problem).hint("give fewer values"));
    };
    let plan = Plan::new(arguments, &overs, &draft)?;
    let mut table = Table::begin(&arguments.csv, plan.header(), plan.mark(), |line| {
        plan.variant_of(line)
    })?;
    let missing: Vec<usize> = (0..n).filter(|own| !table.has(*own)).collect();
    let n_kept = n - missing.len();
    if n_kept > 0 && !quiet {
        output::say(format!("going on: {n_kept} of {n} rows are there"));
    }
    if let (Some(part), 1.., false) = (table.part(), table.n_left_out(), quiet) {
        let lines = count(table.n_left_out(), "line", "lines");
        output::say(format!(
            "note: left out {lines} of {part}: no rows of this sweep, or twice the same"
        ));
    }
    let mut n_failed = table.rows().filter(|row| is_failed(row)).count();
    let mut progress = Progress::of(n as u64, "sweeping", quiet);
    let jobs = arguments
        .jobs
        .or_else(|| thread::available_parallelism().ok());
    let jobs = jobs.map_or(1, NonZeroUsize::get).min(missing.len().max(1));
    let mut n_done = n_kept;
    let taken = in_parallel(
        jobs,
        &missing,
        |variant| plan.row(variant),
        |rows| {
            for row in rows {
                n_failed += usize::from(row.outcome == Outcome::Failed);
                table.take(row.variant, row.line)?;
                n_done += 1;
                let failed = || format!("{n_done} of {n}, {n_failed} failed");
                progress.at(n_done as u64, failed);
            }
            Ok(())
        },
    );
    drop(progress);
    taken?;
    if n_done < n {
        return Err(Failure::Interrupted(match table.part() {
            Some(part) => format!(
                " after {n_done} of {n} variants, which are in {part}; the same command goes on"
            ),
            None => format!(" after {n_done} of {n} variants"),
        }));
    }
    table.finish()?;
    if n_failed == n {
        return Err(Failure::simulation(
            "no variant could be run; the rows say why",
        ));
    }
    if !quiet {
        let failed = match n_failed {
            0 => String::new(),
            failed => format!(", {failed} failed: their rows say why"),
        };
        output::say(format!("{}{failed}", count(n, "variant", "variants")));
    }
    Ok(())
}

/// What is varied: the design table first, so that it changes slowest.
fn overs(arguments: &Arguments) -> Result<Vec<Over>, Failure> {
    let mut overs = Vec::new();
    if let Some(file) = &arguments.designs {
        let refuse = |fault: Fault| Failure::Usage(fault.in_file(file));
        inputs::remember(Path::new(file), Input::Other);
        let text = read::read_text(Path::new(file)).map_err(refuse)?;
        overs.push(Over::designs(&text).map_err(refuse)?);
    }
    overs.extend(arguments.over.iter().cloned());
    Ok(overs)
}

/// Refuses two lists of values for one field: the second would undo the first.
fn distinct(overs: &[Over], draft: &Draft) -> Result<(), Failure> {
    let mut known: Vec<(String, &str)> = Vec::new();
    for over in overs {
        for (at, path) in over.paths.iter().enumerate() {
            let set = over.choices.iter().find_map(|own| own[at].as_ref());
            let Some(place) = set.and_then(|own| draft.place(own)) else {
                continue;
            };
            if let Some((_, first)) = known.iter().find(|own| own.0 == place) {
                let problem = format!("{first} and {path} set the same field");
                return Err(Failure::usage(problem).hint("give all values of it in one place"));
            }
            known.push((place, path));
        }
    }
    Ok(())
}

fn is_failed(row: &str) -> bool {
    fields(row, ',').iter().rev().nth(1) == Some(&Outcome::Failed.word().to_owned())
}

/// Works on several things at a time, and gives what comes of them to one who takes it. What is interrupted
/// comes to nothing; if taking fails no more is begun.
fn in_parallel<T: Send>(
    jobs: usize,
    items: &[usize],
    work: impl Fn(usize) -> Option<T> + Sync,
    take: impl FnOnce(Receiver<T>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !is_over.load(Ordering::Relaxed) && !interrupt::is_asked() {
                    let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(done) = work(*item) else { return };
                    if sender.send(done).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let taken = take(receiver);
        is_over.store(true, Ordering::Relaxed);
        taken
    })
}

/// What is the same for all variants.
struct Plan<'a> {
    arguments: &'a Arguments,
    overs: &'a [Over],
    draft: &'a Draft,
    /// What the measured columns are called.
    measured: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Refuses what no variant can do: paths and columns that do not exist, options that make no sense.
    fn new(arguments: &'a Arguments, overs: &'a [Over], draft: &'a Draft) -> Result<Self, Failure> {
        let set = arguments.set.list();
        let scene = draft.variant(set)?.scene;
        let options = arguments.steps.over(&scene.options)?;
        Schedule::new(arguments.seconds, options.dt)?;
        let measures = Measures::parse(&scene, None, &arguments.measure, arguments.reactions())?;
        let mut paths = overs.iter().flat_map(|own| &own.paths);
        if !paths.any(|own| own.starts_with("state")) {
            let start = scene.world.state().t;
            measures.check_times(start, start + arguments.seconds)?;
        }
        for over in overs {
            let with = |own: &Vec<Option<Setting>>| {
                let all: Vec<Setting> = set.iter().chain(own.iter().flatten()).cloned().collect();
                draft.variant(&all).err()
            };
            let mut tried = over.choices.iter().map(with);
            let first = tried.next().flatten();
            if let Some(Failure::Usage(mut fault)) = first
                && tried.all(|own| matches!(own, Some(Failure::Usage(_))))
            {
                if let [path] = &over.paths[..] {
                    fault.path = format!("--over {path}");
                }
                return Err(Failure::Usage(fault));
            }
        }
        Ok(Self {
            arguments,
            overs,
            draft,
            measured: measures.header(),
        })
    }

    fn header(&self) -> String {
        let mut line = "variant".to_owned();
        let paths = self.overs.iter().flat_map(|own| &own.paths);
        let measured = self.measured.iter().map(String::as_str);
        for name in paths
            .map(String::as_str)
            .chain(measured)
            .chain(["status", "why"])
        {
            line.push(',');
            push_quoted(&mut line, name);
        }
        line + "\n"
    }

    /// The same for the same sweep, another one for another: what its rows depend on.
    fn mark(&self) -> u64 {
        let own = self.arguments;
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{} {} {:?} {:?} {:?} {} {:?} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            self.draft.text(),
            self.overs,
            own.measure,
            own.set,
            own.seconds,
            own.steps,
            own.step_forces,
            own.require
        );
        // FNV-1a.
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, fold)
    }

    /// The variant whose row a line is: as many fields as the header has, the values that the variant sets, numbers
    /// or nothing where something is measured, and a status.
    fn variant_of(&self, line: &str) -> Option<usize> {
        let overs = self.overs;
        let n_paths = overs.iter().map(|own| own.paths.len()).sum();
        let fields = fields(line, ',');
        let variant = fields[0].parse::<usize>().ok()?;
        let is_one = variant < grid::n_variants(overs)? && variant.to_string() == fields[0];
        let (set, rest) = fields[1..].split_at_checked(n_paths)?;
        let (measured, ended) = rest.split_at_checked(self.measured.len())?;
        let [status, _why] = ended else { return None };
        let settings = grid::settings(overs, variant).into_iter();
        let settings = settings.map(|own| grid::told(own.as_ref()));
        let is_number = |text: &String| text.is_empty() || text.parse::<f64>().is_ok();
        let is_row = is_one
            && settings.eq(set.iter().cloned())
            && measured.iter().all(is_number)
            && Outcome::ALL.iter().any(|own| own.word() == status);
        is_row.then_some(variant)
    }

    /// Runs a variant; none if it was interrupted.
    fn row(&self, variant: usize) -> Option<Row> {
        let settings = grid::settings(self.overs, variant);
        let mut values = vec![f64::NAN; self.measured.len()];
        let (outcome, why) = match self.run(&settings, &mut values) {
            Ok((outcome, why)) => (outcome, why),
            Err(Failure::Interrupted(_)) => return None,
            Err(failure) => (Outcome::Failed, told(&failure)),
        };
        let mut line = variant.to_string();
        for setting in &settings {
            line.push(',');
            push_quoted(&mut line, &grid::told(setting.as_ref()));
        }
        for value in values {
            line.push(',');
            push_number(&mut line, value);
        }
        line.push(',');
        line.push_str(outcome.word());
        line.push(',');
        push_quoted(&mut line, &why);
        line.push('\n');
        Some(Row {
            variant,
            outcome,
            line,
        })
    }

    /// As `linkwork run` does it; gives what makes the result doubtful, and which numbers are shares.
    fn run(
        &self,
        settings: &[Option<Setting>],
        values: &mut Vec<f64>,
    ) -> Result<(Outcome, String), Failure> {
        let own = self.arguments;
        let settings = settings.iter().flatten();
        let all: Vec<Setting> = own.set.list().iter().chain(settings).cloned().collect();
        let mut scene = closed(self.draft.variant(&all)?)?;
        scene.options = own.steps.over(&scene.options)?;
        let schedule = Schedule::new(own.seconds, scene.options.dt)?;
        let wanted = Wanted {
            measure: &own.measure,
            reactions: own.reactions(),
            ..Wanted::default()
        };
        let mut watch = Watch {
            summary: Summary::begin(&own.scene, &scene, &scene.options)?,
            recording: Recording::begin(&scene, None, &wanted)?,
            contacts: Contacts::default(),
            progress: Progress::of(0, "", true),
            requirement: own.require.unwrap_or_default(),
        };
        if let Some(measures) = watch.recording.measures() {
            let start = scene.world.state().t;
            measures.check_times(start, start + own.seconds)?;
        }
        let mut energy = EnergyWatch::new(&scene, schedule.n_steps())?;
        travel(&mut scene, schedule, &mut watch, &mut energy)?;
        let mut summary = watch.summary;
        summary.end(&scene.world, 0.0)?;
        summary.doubt(energy.doubt(&scene));
        summary.doubt(watch.recording.without_numbers());
        energy.garbage(watch.requirement, &own.scene)?;
        left_open(&summary.open(), &scene, &own.scene)?;
        if let Some(measures) = watch.recording.measures() {
            if measures.header() != self.measured {
                let problem = "the columns are others than those of the scene without --over";
                return Err(Failure::usage(problem));
            }
            // Only what came to a good end has numbers.
            *values = measures.values();
        }
        let doubts = summary.warnings().iter().map(|own| own.text.clone());
        let mut why: Vec<String> = doubts.collect();
        let mut outcome = match why.is_empty() {
            true => Outcome::Ok,
            false => Outcome::Doubtful,
        };
        let undetermined = watch.recording.undetermined(&scene);
        if !undetermined.is_empty() {
            why.push(shares(&undetermined));
            outcome = match outcome {
                Outcome::Ok => Outcome::Shares,
                other => other,
            };
        }
        Ok((outcome, why.join("; ")))
    }
}

impl Arguments {
    fn reactions(&self) -> Reactions {
        match self.step_forces {
            true => Reactions::OfStep,
            false => Reactions::OfInstant,
        }
    }
}

/// A failure in one line.
fn told(failure: &Failure) -> String {
    let fault = match failure {
        Failure::Usage(fault) | Failure::Scene(fault) | Failure::Simulation(fault) => fault,
        other => return other.to_string(),
    };
    let text = Fault {
        hint: None,
        ..fault.clone()
    }
    .to_string();
    escaped(&text.replace('\n', " "))
}
