//! `linkwork run`: a scene through time.

use std::time::Instant;

use clap::Args;
use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, Reactions};
use serde::Serialize;

use crate::check::overlap::Overlaps;
use crate::check::warnings::{needs_momentum, open_at_start, pushes_nothing, unknown_groups};
use crate::failure::Failure;
use crate::numbers::{at_least_zero, escaped, positive, time};
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::source::{self, FilmSetting, SetArguments};

pub(crate) mod contacts;
mod doubts;
pub(crate) mod measure;
pub(crate) mod options;
pub(crate) mod recording;
mod replay;
pub(crate) mod requirement;
pub(crate) mod schedule;
pub(crate) mod summary;
pub(crate) mod watch;

use contacts::Contacts;
use measure::Measures;
use options::StepArguments;
use recording::{Recording, Wanted};
use replay::Log;
use requirement::Requirement;
use schedule::Schedule;
use summary::Summary;
use watch::{EnergyWatch, Watch, left_open, refused};

const AFTER_HELP: &str = "\
Examples:
  linkwork run four-bar --seconds 10 --dt 0.001 --csv motion.csv --every 10
  linkwork run four-bar --plot forces.svg --plot-columns 'joint.*.force.magnitude'
  linkwork run four-bar --plot curve.svg --plot-x body.coupler.position.x --plot-columns body.coupler.position.y
  linkwork run mine.json --csv - --columns time,energy.total,body.crank.position | head
  linkwork run mine.json --set bodies.crank.length=0.12 --set world.dt=1/1000 --measure joint.A.torque.z
  linkwork run mine.json --preset precise --require 1e-8 --report json
  linkwork run mine.json --gltf motion.glb --save end.json
  linkwork run snake.json --film photo=frames --film-rate 25 --csv track.csv
  linkwork run --replay session.jsonl --csv again.csv

Columns: `linkwork run SCENE --list-columns` lists them. Separate them with commas. * matches any
characters of one part of a name, as in joint.*.force; the beginning of a name matches all names
that begin with it, as in body.crank; a whole name matches itself. A column that begins with = is a
formula over names of the scene, as in '=norm(bob - tip)'. The first column is always the time.

If --seconds is not a whole number of steps (to a relative 1e-9), the last step is shorter. The
first row is the scene before the first step.

A run ends with exit code 3 as soon as a joint of priority 0 cannot be closed: a drive is out of
reach, or joints contradict each other. Joints may be open by 1e-6 m or rad, or by --tolerance if
that is larger; --require sets another limit. Steps of --integrator, and steps that --iterations cuts
short, are only checked if --require has a number.

The same steps must keep the law of contacts, limits, motors and friction to 1e-6 m/s: no contact
pulls, no body slides below its friction limit, no motor exceeds its bound. Nor may a body penetrate
another or exceed a limit by more than 1e-6 m. A run with a larger error continues and is written
whole, with a warning, and its exit code is 3. With a number in --require it ends at that step; with
--require off the exit code is 0.

--set takes a path as `linkwork format SCENE` shows it: a list, the name of an entry, a field; numbers
count entries of lists, as in world.gravity.1 or world.gravity[1]. Names with dots or spaces are in
quotes: 'bodies.\"left arm\".mass=2'. A size of a body moves what is attached to the body, as in the
lab. Joints that the settings open are closed before the run.

Forces that statics does not determine, because several joints share a load, are listed in the report
as undetermined; in tables a column NAME.undetermined is 1.

Files are written whole, at the end, or not at all: a run that fails writes nothing and leaves existing
files as they were. Control-C ends a run after a whole step: files and report are written up to there,
and the exit code is 130. Times in tables are rounded to a millionth of a step. A step that gains energy
which nothing put in is taken in parts, or refused: exit code 3. Steps of --integrator are taken; the
exit code is 3 if in the end most of what moves was gained. With --require off, a run continues with
open joints; if they are open at the end, everything is written and the exit code is 3.

--save keeps the options of the run. Running the saved file continues the run, bit for bit. A log
may add bodies and joints; their columns are empty until then.";

/// How long a run is without `--seconds`, s.
pub(crate) const SECONDS: f64 = 5.0;

/// Run a scene and write tables, plots, motion and a report.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// A file, - for standard input, or a library name.
    #[arg(required_unless_present = "replay")]
    scene: Option<String>,
    #[command(flatten)]
    set: SetArguments,
    /// Make a picture of the scene a film: all PNG files of a folder, in the order of their names. Can
    /// be given several times.
    #[arg(long = "film", value_name = "NAME=FOLDER", requires = "scene")]
    films: Vec<FilmSetting>,
    /// How many pictures of a film follow each other in a second.
    #[arg(long, value_name = "RATE", default_value_t = 30.0, value_parser = positive)]
    film_rate: f64,
    /// How long to run. Default: 5; after a replay: 0.
    #[arg(long, short, value_name = "SECONDS", value_parser = at_least_zero)]
    seconds: Option<f64>,
    /// Replay a log of commands (- is standard input), on SCENE or on the scene in its first line.
    #[arg(long, value_name = "LOG")]
    replay: Option<String>,
    #[command(flatten)]
    steps: StepArguments,
    #[command(flatten)]
    outputs: OutputArguments,
    /// Fail with exit code 3 as soon as a joint is open by more than this, m and rad, or the law of
    /// contacts is missed by more than this, m/s; off never fails. Default: 1e-6 with presets, off
    /// with --integrator.
    #[arg(long, value_name = "METERS|off")]
    require: Option<Requirement>,
    /// Form of the report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
    /// List the columns of the scene and do not run.
    #[arg(long)]
    list_columns: bool,
}

/// What to write.
#[derive(Debug, Args)]
#[command(next_help_heading = "What to write (- is standard output)")]
struct OutputArguments {
    /// A table, comma-separated.
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// A table, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<String>,
    /// Columns of the tables, separated by commas. Default: time, energy and positions.
    #[arg(long, value_name = "LIST")]
    columns: Option<String>,
    /// A plot (SVG).
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
    /// Columns of the plot. Default: energy.
    #[arg(long, value_name = "LIST", requires = "plot")]
    plot_columns: Option<String>,
    /// The column that the others are plotted against. Default: time.
    #[arg(long, value_name = "COLUMN", requires = "plot")]
    plot_x: Option<String>,
    /// Numbers for the report: columns, each with :min, :max, :mean, :integral, :last, :min-time,
    /// :max-time or :at=SECONDS; without one, the first five of these.
    #[arg(long, value_name = "LIST")]
    measure: Vec<String>,
    /// The motion (binary glTF), 60 frames per second unless --every or --fps is given.
    #[arg(long, value_name = "FILE")]
    gltf: Option<String>,
    /// Write a row every N steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "fps")]
    every: Option<u64>,
    /// Write at most so many rows per second.
    #[arg(long, value_name = "RATE", value_parser = positive)]
    fps: Option<f64>,
    /// Write the joint forces that the last step computed, not those at the instant of each row,
    /// which need one more solve.
    #[arg(long)]
    step_forces: bool,
    /// Contacts, stops and bounds that began and ended: a table, comma-separated.
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// The scene at the end.
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let outputs = &arguments.outputs;
    let on_output = (arguments.report == Form::Json).then_some("-");
    output::check_distinct(&[
        ("--csv", outputs.csv.as_deref()),
        ("--jsonl", outputs.jsonl.as_deref()),
        ("--plot", outputs.plot.as_deref()),
        ("--gltf", outputs.gltf.as_deref()),
        ("--events", outputs.events.as_deref()),
        ("--save", outputs.save.as_deref()),
        ("--report json", on_output),
    ])?;
    if outputs.columns.is_some() && outputs.csv.is_none() && outputs.jsonl.is_none() {
        let problem = "--columns chooses the columns of a table, but no table is written";
        return Err(Failure::usage(problem).hint("give --csv FILE or --jsonl FILE too"));
    }
    if arguments.replay.as_deref() == Some("-") && arguments.scene.as_deref() == Some("-") {
        let problem = "SCENE and --replay both read standard input";
        return Err(Failure::usage(problem).hint("give one of them as a file"));
    }
    let log = arguments.replay.as_deref().map(Log::read).transpose()?;
    let (mut scene, title) = arguments.open(log.as_ref())?;
    if let (Some(name), Some(log)) = (&arguments.scene, &log)
        && log.has_scene()
        && !quiet
    {
        let log = log.file();
        output::say(format!(
            "note: {log} has a scene too, which is ignored: its commands are applied to {name}"
        ));
    }
    if arguments.list_columns {
        return list_columns(&scene, arguments.report);
    }
    scene.options = arguments.steps.over(&scene.options)?;
    let seconds = arguments.seconds.unwrap_or(match log {
        Some(_) => 0.0,
        None => SECONDS,
    });
    let schedule = Schedule::new(seconds, scene.options.dt)?;
    let n_replayed = log.as_ref().map_or(0, Log::n_steps);
    let n_steps = schedule.n_steps().saturating_add(n_replayed);
    let mut watch = Watch {
        summary: Summary::begin(&title, &scene, &scene.options)?,
        recording: Recording::begin(&scene, log.as_ref(), &outputs.wanted(&title, n_steps))?,
        contacts: Contacts::new(outputs.events.is_some()),
        progress: Progress::of(n_steps, "running", quiet),
        requirement: arguments.require.unwrap_or_default(),
    };
    if let (Some(measures), None) = (watch.recording.measures(), &log) {
        let start = scene.world.state().t;
        measures.check_times(start, start + seconds)?;
    }
    let save = outputs
        .save
        .as_deref()
        .map(output::begin_scene)
        .transpose()?;
    let events = outputs.events.as_deref().map(output::begin).transpose()?;

    let source = arguments.scene.as_deref().unwrap_or("SCENE");
    if !quiet
        && arguments.report == Form::Text
        && let Some(open) = open_at_start(&scene.world, source)?
    {
        output::say(format!("warning: {}\n  hint: {}", open.text, open.hint));
    }
    let overlaps = Overlaps::of(&scene.world);
    let idle = [
        pushes_nothing(&scene.world),
        needs_momentum(&scene.world),
        unknown_groups(&scene),
        overlaps.warning(),
    ];
    let start = Instant::now();
    let replayed = log.as_ref().map(|log| log.replay(&mut scene, &mut watch));
    let mut energy = EnergyWatch::new(&scene, schedule.n_steps())?;
    let ended = replayed.unwrap_or(Ok(()));
    let ended = ended.and_then(|()| travel(&mut scene, schedule, &mut watch, &mut energy));
    let interrupted = match ended {
        Err(Failure::Interrupted(_)) => true,
        other => other.map(|()| false)?,
    };
    let Watch {
        mut summary,
        recording,
        contacts,
        progress,
        requirement,
    } = watch;
    summary.begun = contacts.begun;
    drop(progress);
    summary.end(&scene.world, start.elapsed().as_secs_f64())?;
    for warning in idle {
        summary.doubt(warning);
    }
    summary.doubt(energy.doubt(&scene));
    summary.doubt(recording.without_numbers());
    summary.undetermined = recording.undetermined(&scene);
    summary.apart = overlaps.apart;
    let measures = recording.measures();
    summary.measures = measures.map_or(Vec::new(), Measures::measured);
    summary.interrupted = interrupted;

    recording.finish(&scene)?;
    if let (Some(file), Some(rows)) = (events, &contacts.rows) {
        output::fill(file, rows)?;
    }
    if let Some(file) = save {
        output::fill(
            file,
            &linkwork_scene::save(&scene).map_err(|fault| Failure::Scene(fault.in_file(source)))?,
        )?;
    }
    match arguments.report {
        Form::Json => output::print_json(&summary)?,
        Form::Text if quiet => {}
        Form::Text => output::say(summary.in_words(&outputs.files())),
    }
    if interrupted {
        let at = time(scene.world.state().t);
        let files = outputs.files();
        return Err(Failure::Interrupted(match files.is_empty() {
            true => format!(" at {at} s"),
            false => format!(" at {at} s, where these end: {}", files.join(", ")),
        }));
    }
    energy.garbage(requirement, &title)?;
    left_open(&summary.open(), &scene, &title)?;
    summary.unlawful(&title)
}

/// Takes the steps of a schedule.
pub(crate) fn travel(
    scene: &mut Scene,
    schedule: Schedule,
    watch: &mut Watch,
    energy: &mut EnergyWatch,
) -> Result<(), Failure> {
    if schedule.n_steps() > 0 {
        watch.summary.add_length(schedule.dt());
    }
    let forgetful = || Simulator::new().remembering(0);
    let mut simulator = forgetful();
    let t_start = scene.world.state().t;
    let mut steps = schedule.steps().peekable();
    while let Some(dt) = steps.next() {
        let options = scene.options.with_dt(dt);
        let stepped = simulator.step(&mut scene.world, &options);
        let report = stepped.map_err(|error| refused(error, &scene.world, t_start))?;
        if steps.peek().is_none() {
            // What looks at the last state needs as much room as the steps did.
            simulator = forgetful();
        }
        energy.step(&scene.world, &report)?;
        watch.step(scene, &report)?;
    }
    Ok(())
}

impl Arguments {
    /// The scene and what to call it: the one that is named, or that of the log.
    fn open(&self, log: Option<&Log>) -> Result<(Scene, String), Failure> {
        let (scene, name) = match (&self.scene, log) {
            (Some(name), _) if !self.films.is_empty() => {
                let scene = source::open_filmed(name, &self.set, &self.films, self.film_rate)?;
                (scene, name.as_str())
            }
            (Some(name), _) => (source::open_closed(name, &self.set)?, name.as_str()),
            (None, Some(log)) => (log.scene(&self.set)?, "-"),
            (None, None) => return Err(Failure::usage("no scene is given")),
        };
        let title = source::title(&scene, name);
        Ok((scene, title))
    }
}

impl OutputArguments {
    fn wanted<'a>(&'a self, title: &'a str, n_steps: u64) -> Wanted<'a> {
        Wanted {
            csv: self.csv.as_deref(),
            jsonl: self.jsonl.as_deref(),
            columns: self.columns.as_deref(),
            plot: self.plot.as_deref(),
            plot_columns: self.plot_columns.as_deref(),
            plot_x: self.plot_x.as_deref(),
            measure: &self.measure,
            gltf: self.gltf.as_deref(),
            every: self.every,
            fps: self.fps,
            reactions: match self.step_forces {
                true => Reactions::OfStep,
                false => Reactions::OfInstant,
            },
            title,
            n_steps,
        }
    }

    /// The files that were written.
    fn files(&self) -> Vec<&str> {
        let all = [
            &self.csv,
            &self.jsonl,
            &self.plot,
            &self.gltf,
            &self.events,
            &self.save,
        ];
        let all = all.into_iter().filter_map(|path| path.as_deref());
        all.filter(|path| *path != "-").collect()
    }
}

/// A column that can be asked for, with the keys of `--list-columns --report json`.
#[derive(Serialize)]
struct Listed<'c> {
    name: &'c str,
    unit: &'c str,
    about: &'c str,
}

fn list_columns(scene: &Scene, form: Form) -> Result<(), Failure> {
    let columns = Columns::list(scene);
    if form == Form::Json {
        let listed: Vec<Listed<'_>> = columns
            .iter()
            .map(|column| Listed {
                name: &column.name,
                unit: &column.unit,
                about: column.about,
            })
            .collect();
        return output::print_json(&listed);
    }
    let longest = |length: fn(&linkwork_scene::export::ColumnInfo) -> usize| {
        columns.iter().map(length).max().unwrap_or(0)
    };
    let name = longest(|column| escaped(&column.name).chars().count());
    let unit = longest(|column| column.unit.chars().count());
    let mut text = String::new();
    for column in &columns {
        text += &format!(
            "{:<name$}  {:<unit$}  {}\n",
            escaped(&column.name),
            column.unit,
            column.about
        );
    }
    output::print(&text)
}
