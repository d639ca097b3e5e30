//! `linkwork run`: a scene through time.

use std::time::Instant;

use clap::Args;
use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, Reactions};
use serde::Serialize;

use crate::assemble::Form;
use crate::failure::Failure;
use crate::numbers::{at_least_zero, positive, short};
use crate::progress::Progress;
use crate::{interrupt, output, source};

mod options;
mod recording;
mod schedule;
mod summary;

use options::StepArguments;
use recording::{Recording, Wanted, write_whole};
use schedule::Schedule;
use summary::{Summary, label};

const AFTER_HELP: &str = "\
Examples:
  linkwork run four-bar --seconds 10 --dt 0.001 --csv motion.csv --every 10
  linkwork run four-bar --plot forces.svg --plot-columns 'joint.*.force'
  linkwork run mine.json --csv - --columns time,energy.total,body.crank.position | head
  linkwork run mine.json --preset precise --require 1e-8 --report json
  linkwork run mine.json --gltf motion.glb --save end.json

Columns: `linkwork run SCENE --list-columns` lists them. A list has commas; * stands for any
characters of one part, as in joint.*.force; what stands at the beginning of names stands for all of
them, as in body.crank. The time is always the first.

--seconds is a whole number of steps where it is one to 1e-9 of itself; else a last, shorter step
takes what is left. The first row is the scene before the first step.

Files appear whole, at the end, or not at all: of a run that fails nothing is written, and what was
there before stays. --save keeps the options of the run, so that running the file goes on as if there
had been no pause, bit by bit.";

/// Move a scene through time: tables, plots, motion, a report.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A file, - for the standard input, or a name of the library.
    scene: String,
    /// How long.
    #[arg(long, short, value_name = "SECONDS", default_value = "5", value_parser = at_least_zero)]
    seconds: f64,
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
    /// Forces of joints at the instant of each row, which takes one more solve, rather than their
    /// mean over the last step.
    #[arg(long)]
    instant: bool,
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
    let mut scene = source::open(&arguments.scene)?;
    if arguments.list_columns {
        return list_columns(&scene, arguments.report);
    }
    scene.options = arguments.steps.over(&scene.options)?;
    let schedule = Schedule::new(arguments.seconds, scene.options.dt)?;
    let title = source::title(&scene, &arguments.scene);
    let wanted = outputs.wanted(&title, schedule.n_steps());
    let mut recording = Recording::begin(&scene, &wanted)?;
    let save = outputs.save.as_deref().map(output::begin).transpose()?;

    let mut summary = Summary::begin(&title, &scene, &scene.options)?;
    let start = Instant::now();
    let mut progress = Progress::of(schedule.n_steps(), "running", quiet);
    let mut simulator = Simulator::new();
    for dt in schedule.steps() {
        interrupt::check()?;
        let options = StepOptions {
            dt,
            ..scene.options
        };
        let stepped = simulator.step(&mut scene.world, &options);
        let report = stepped.map_err(|error| refused(error, &scene.world))?;
        summary.step(&scene.world, &report);
        if let Some(tolerance) = arguments.require {
            report
                .require(tolerance)
                .map_err(|error| not_closed(&error, &scene.world))?;
        }
        recording.step(&scene, &report)?;
        progress.at(summary.n_steps(), || {
            format!("{} s", short(scene.world.state().t))
        });
    }
    drop(progress);
    summary.end(&scene.world, start.elapsed().as_secs_f64())?;

    recording.finish(&scene)?;
    if let Some(file) = save {
        write_whole(file, &linkwork_scene::save(&scene).map_err(Failure::Scene)?)?;
    }
    match arguments.report {
        Form::Json => output::print_json(&summary),
        Form::Text if quiet => Ok(()),
        Form::Text => {
            eprintln!("{}", summary.in_words(&outputs.files()));
            Ok(())
        }
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
            reactions: match self.instant {
                true => Reactions::OfInstant,
                false => Reactions::OfStep,
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

/// A step that was refused, with the time it was tried at.
fn refused(error: StepError, world: &World) -> Failure {
    let at = short(world.state().t);
    match Failure::from(error) {
        Failure::Simulation(fault) => {
            Failure::simulation(format!("at {at} s: {}", fault.problem)).hint(format!(
                "a smaller --dt may help; --seconds {at} --save before.json keeps what was there before"
            ))
        }
        other => other,
    }
}

/// Joints that are open by more than `--require` allows.
fn not_closed(error: &StepError, world: &World) -> Failure {
    let StepError::NotClosed {
        constraint,
        error,
        tolerance,
    } = error
    else {
        return Failure::simulation(error.to_string());
    };
    let joint = constraint.and_then(|id| label(world, id));
    let joint = joint.map_or("a joint".to_owned(), |joint| format!("\"{joint}\""));
    let at = short(world.state().t);
    let problem = format!("at {at} s {joint} is open by {error:.1e}, more than {tolerance:e}");
    Failure::simulation(problem).hint("a smaller --dt or --preset precise closes better")
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
    let name = longest(|column| column.name.chars().count());
    let unit = longest(|column| column.unit.chars().count());
    let mut text = String::new();
    for column in &columns {
        text += &format!(
            "{:<name$}  {:<unit$}  {}\n",
            column.name, column.unit, column.about
        );
    }
    output::print(&text)
}
