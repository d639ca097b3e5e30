//! `linkwork run`: a scene through time.

use std::time::Instant;

use clap::Args;
use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, Reactions};
use serde::Serialize;

use crate::check::warnings::open_at_start;
use crate::failure::Failure;
use crate::numbers::{at_least_zero, escaped, positive};
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::source;

mod options;
mod recording;
mod replay;
mod schedule;
mod summary;
mod watch;

use options::StepArguments;
use recording::{Recording, Wanted};
use replay::Log;
use schedule::Schedule;
use summary::Summary;
use watch::{Watch, left_open, refused};

const AFTER_HELP: &str = "\
Examples:
  linkwork run four-bar --seconds 10 --dt 0.001 --csv motion.csv --every 10
  linkwork run four-bar --plot forces.svg --plot-columns 'joint.*.force.magnitude'
  linkwork run mine.json --csv - --columns time,energy.total,body.crank.position | head
  linkwork run mine.json --preset precise --require 1e-8 --report json
  linkwork run mine.json --gltf motion.glb --save end.json
  linkwork run --replay session.jsonl --csv again.csv

Columns: `linkwork run SCENE --list-columns` lists them. A list has commas; * stands for any
characters of one part, as in joint.*.force; what stands at the beginning of names stands for all of
them, as in body.crank. The time is always the first.

--seconds is a whole number of steps where it is one to 1e-9 of itself; else a last, shorter step
takes what is left. The first row is the scene before the first step.

Files appear whole, at the end, or not at all: of a run that fails nothing is written, and what was
there before stays. Where joints are open at the end, by more than 1e-6 m or rad beyond the
tolerance, everything is written, and the exit code is 3.

--save keeps the options of the run, so that running the file goes on as if there had been no pause,
bit by bit. A log may add bodies and joints: their columns are empty until then.";

/// How long a run is that nobody said anything about, s.
const SECONDS: f64 = 5.0;

/// Move a scene through time: tables, plots, motion, a report.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// A file, - for the standard input, or a name of the library.
    #[arg(required_unless_present = "replay")]
    scene: Option<String>,
    /// How long: 5 s when left out; after a replay, no longer.
    #[arg(long, short, value_name = "SECONDS", value_parser = at_least_zero)]
    seconds: Option<f64>,
    /// Do again what a log of commands has (- is the standard input), on SCENE or else on the scene in
    /// its first line.
    #[arg(long, value_name = "LOG")]
    replay: Option<String>,
    #[command(flatten)]
    steps: StepArguments,
    #[command(flatten)]
    outputs: OutputArguments,
    /// Fail with exit code 3 as soon as joints are open by more, m and rad.
    #[arg(long, value_name = "METRES", value_parser = positive)]
    require: Option<f64>,
    /// How to report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
    /// List the columns of the scene, and do not run.
    #[arg(long)]
    list_columns: bool,
}

/// What to write.
#[derive(Debug, Args)]
#[command(next_help_heading = "What to write (- is the standard output)")]
struct OutputArguments {
    /// A table, comma-separated.
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// A table, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<String>,
    /// What the tables have: names with commas; some that tell most when left out.
    #[arg(long, value_name = "LIST")]
    columns: Option<String>,
    /// A plot against time (SVG).
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
    /// What the plot shows; energy when left out.
    #[arg(long, value_name = "LIST", requires = "plot")]
    plot_columns: Option<String>,
    /// The motion (binary glTF), 60 frames a second unless --every or --fps say otherwise.
    #[arg(long, value_name = "FILE")]
    gltf: Option<String>,
    /// A row every so many steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "fps")]
    every: Option<u64>,
    /// So many rows a second, at most.
    #[arg(long, value_name = "RATE", value_parser = positive)]
    fps: Option<f64>,
    /// Forces of joints as the last step took them, which are already there, rather than those of
    /// the instant of each row, which take one more solve.
    #[arg(long)]
    step_forces: bool,
    /// The scene as it is at the end.
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
        ("--save", outputs.save.as_deref()),
        ("--report json", on_output),
    ])?;
    if outputs.columns.is_some() && outputs.csv.is_none() && outputs.jsonl.is_none() {
        let problem = "--columns says what a table has, but none is written";
        return Err(Failure::usage(problem).hint("give --csv FILE or --jsonl FILE too"));
    }
    if arguments.replay.as_deref() == Some("-") && arguments.scene.as_deref() == Some("-") {
        let problem = "SCENE and --replay both read the standard input";
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
            "note: {log} has a scene too, which is passed over: its commands are done on {name}"
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
        progress: Progress::of(n_steps, "running", quiet),
        require: arguments.require,
    };
    let save = outputs.save.as_deref().map(output::begin).transpose()?;

    if !quiet && arguments.report == Form::Text {
        let source = arguments.scene.as_deref().unwrap_or("SCENE");
        if let Some(open) = open_at_start(&scene.world, source)? {
            output::say(format!("warning: {}\n  hint: {}", open.text, open.hint));
        }
    }
    let start = Instant::now();
    if let Some(log) = &log {
        scene = log.replay(scene, &mut watch)?;
    }
    if schedule.n_steps() > 0 {
        watch.summary.add_length(schedule.dt());
    }
    let mut simulator = Simulator::new();
    let t_start = scene.world.state().t;
    for dt in schedule.steps() {
        let options = scene.options.with_dt(dt);
        let stepped = simulator.step(&mut scene.world, &options);
        let report = stepped.map_err(|error| refused(error, &scene.world, t_start))?;
        watch.step(&scene, &report)?;
    }
    let Watch {
        mut summary,
        recording,
        progress,
        ..
    } = watch;
    drop(progress);
    summary.end(&scene.world, start.elapsed().as_secs_f64())?;

    recording.finish(&scene)?;
    if let Some(file) = save {
        output::fill(file, &linkwork_scene::save(&scene).map_err(Failure::Scene)?)?;
    }
    match arguments.report {
        Form::Json => output::print_json(&summary)?,
        Form::Text if quiet => {}
        Form::Text => output::say(summary.in_words(&outputs.files())),
    }
    left_open(&summary.open(), &scene, &title)
}

impl Arguments {
    /// The scene and what to call it: the one that is named, or that of the log.
    fn open(&self, log: Option<&Log>) -> Result<(Scene, String), Failure> {
        let (scene, name) = match (&self.scene, log) {
            (Some(name), _) => (source::open(name)?, name.as_str()),
            (None, Some(log)) => (log.scene()?, "-"),
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
        let all = [&self.csv, &self.jsonl, &self.plot, &self.gltf, &self.save];
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
