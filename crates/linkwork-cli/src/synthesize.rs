//! `linkwork synthesize`: four-bars, or the linkage of a scene, that follow a path.

use std::fs;
use std::io;

use clap::Args;
use linkwork_scene::synthesis::{Choice, Found, Path, Redesigned, Wish, four_bars, redesign};
use serde::Serialize;

use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::numbers::short;
use crate::output::{self, Form};
use crate::source::{self, SetArguments};

const AFTER_HELP: &str = "\
Examples:
  linkwork synthesize path.csv -o linkage.json     the best four-bar, as a scene that runs
  linkwork synthesize path.csv --found 10          list the ten best, write nothing
  linkwork synthesize path.csv --choose 3 -o c.json
  linkwork synthesize steps.csv --timed            points are equal turns of the crank apart
  linkwork synthesize six-bar.json path.csv --keep A,crank -o fitted.json

PATH is a table: x, y in meters on each line, in the order in which they are drawn. A path whose
ends nearly meet is closed, unless --open says otherwise.

The table on standard error has, for each linkage: the root of the mean square distance from the
path, the largest distance, whether the crank passes the points in order and without being taken
apart (branch), what turns fully (Grashof), and how far the angle between coupler and rocker gets
from 90 degrees. If no linkage that was found draws the path in one turn, the exit code is 3 and no
file is written unless --anyway is given.

With a SCENE before PATH the search starts from its linkage: hinges of the plane are pins, the bar with a
drive is the crank, the only trace draws. Lengths of bars, places of pins and pivots are changed until
the pen follows the path; --keep names those that stay. If none stays, the linkage is first laid on the
path: moved, turned and scaled as a whole. The measures are listed on standard error.";

/// Find four-bars whose coupler point follows a path.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A table of points, - for standard input; before it the scene whose linkage is fitted.
    #[arg(required = true, num_args = 1..=2, value_name = "[SCENE] PATH")]
    files: Vec<String>,
    /// The trace or connector of the scene that draws. Default: its only trace.
    #[arg(long, value_name = "NAME")]
    pen: Option<String>,
    /// The bar of the scene that turns. Default: the driven one.
    #[arg(long, value_name = "BODY")]
    crank: Option<String>,
    /// Measures of the scene that stay as they are: numbers, pins or bars by their names.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    keep: Vec<String>,
    /// The file for the scene of the chosen linkage; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// Which linkage is written, by its number in the table.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    choose: u32,
    /// How many linkages are looked for.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    found: u32,
    /// How many points of the path are compared.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(12..=1000))]
    points: u32,
    /// The points of the path are equal turns of the crank apart.
    #[arg(long)]
    timed: bool,
    /// The path has two ends.
    #[arg(long, conflicts_with = "closed")]
    open: bool,
    /// The path ends where it begins.
    #[arg(long)]
    closed: bool,
    /// Write the file even if the linkage does not draw the path in one turn.
    #[arg(long, requires = "output")]
    anyway: bool,
    /// Form of the report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
}

/// A linkage, as JSON.
#[derive(Serialize)]
struct Row {
    rms: f64,
    worst: Option<f64>,
    in_order: bool,
    one_branch: bool,
    grashof: &'static str,
    transmission_deg: Option<[f64; 2]>,
    crank_pivot: [f64; 2],
    rocker_pivot: [f64; 2],
    lengths: [f64; 3],
    pen: [f64; 2],
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let on_output = (arguments.report == Form::Json).then_some("-");
    let to = arguments.output.as_deref();
    output::check_distinct(&[("--output", to), ("--report json", on_output)])?;
    if let [scene, path] = &arguments.files[..] {
        return perform_redesign(arguments, scene, path, quiet);
    }
    if arguments.pen.is_some() || arguments.crank.is_some() || !arguments.keep.is_empty() {
        let problem = "--pen, --crank and --keep are about the linkage of a scene";
        return Err(Failure::usage(problem).hint("name the scene before the path"));
    }
    let found = find(arguments)?;
    match arguments.report {
        Form::Json => {
            let rows: Vec<Row> = found.iter().map(row).collect();
            output::print_json(&rows)?;
        }
        Form::Text if !quiet => output::say(table(&found)),
        Form::Text => {}
    }
    let chosen = chosen(arguments, &found)?;
    if let Some(to) = to.filter(|_| chosen.is_sound() || arguments.anyway) {
        let scene = chosen.scene(arguments.path()).map_err(Failure::Scene)?;
        output::write(to, &scene)?;
    }
    match chosen.is_sound() || arguments.anyway {
        true => Ok(()),
        false => {
            let problem = format!(
                "{}: linkage {} does not draw the path in one turn",
                arguments.path(),
                arguments.choose
            );
            Err(Failure::simulation(problem)
                .hint("choose another, ask for more with --found, or draw a smoother path"))
        }
    }
}

impl Arguments {
    fn path(&self) -> &str {
        self.files.last().map_or("-", String::as_str)
    }

    fn wish(&self) -> Wish {
        Wish::default()
            .with_points(self.points as usize)
            .with_found(self.found.max(self.choose) as usize)
            .timed(self.timed)
    }
}

/// A linkage of a scene with other measures.
fn perform_redesign(
    arguments: &Arguments,
    name: &str,
    path: &str,
    quiet: bool,
) -> Result<(), Failure> {
    let scene = source::open(name, &SetArguments::default())?;
    let choice = Choice {
        pen: arguments.pen.clone(),
        crank: arguments.crank.clone(),
        kept: arguments.keep.clone(),
    };
    let found = redesign(&scene, &read(arguments)?, &arguments.wish(), &choice);
    let found = found.map_err(|fault| Failure::Scene(fault.in_file(name)))?;
    match arguments.report {
        Form::Json => output::print_json(&Fitted::of(&found))?,
        Form::Text if !quiet => output::say(measures(&found)),
        Form::Text => {}
    }
    if !(found.is_sound() || arguments.anyway) {
        let problem = format!("{path}: the linkage does not draw it in one turn");
        let hint = "begin with a linkage that is nearer, keep fewer measures, or write it --anyway";
        return Err(Failure::simulation(problem).hint(hint));
    }
    match &arguments.output {
        Some(to) => output::write(to, &found.scene(path).map_err(Failure::Scene)?),
        None => Ok(()),
    }
}

/// What was found of a scene's linkage, as JSON.
#[derive(Serialize)]
struct Fitted {
    rms_before: f64,
    rms: f64,
    worst: Option<f64>,
    in_order: bool,
    one_branch: bool,
    measures: std::collections::BTreeMap<String, f64>,
}

impl Fitted {
    fn of(found: &Redesigned) -> Self {
        Self {
            rms_before: found.rms_before,
            rms: found.rms,
            worst: found.worst,
            in_order: found.is_in_order,
            one_branch: found.is_one_branch,
            measures: found.measures.iter().cloned().collect(),
        }
    }
}

fn measures(found: &Redesigned) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let mut text = format!(
        "rms {} m, before {} m; worst {} m; order {}; branch {}",
        short(found.rms),
        short(found.rms_before),
        found.worst.map_or("-".to_owned(), short),
        yes(found.is_in_order),
        yes(found.is_one_branch),
    );
    for (name, value) in &found.measures {
        text += &format!("\n  {name:<32} {value:>12.6} m");
    }
    text
}

/// The path of a table.
fn read(arguments: &Arguments) -> Result<Path, Failure> {
    let name = arguments.path();
    let refuse = |fault: linkwork_scene::Fault| Failure::Scene(fault.in_file(name));
    let text = match name {
        "-" => io::read_to_string(io::stdin().lock()),
        path => {
            inputs::remember(path.as_ref(), Input::Other);
            fs::read_to_string(path)
        }
    };
    let text = text.map_err(|error| refuse(linkwork_scene::Fault::at("", error.to_string())))?;
    let is_closed = match (arguments.open, arguments.closed) {
        (false, false) => None,
        (_, is_closed) => Some(is_closed),
    };
    Path::read(&text, is_closed).map_err(refuse)
}

fn find(arguments: &Arguments) -> Result<Vec<Found>, Failure> {
    let found = four_bars(&read(arguments)?, &arguments.wish());
    found.map_err(|fault| Failure::Simulation(fault.in_file(arguments.path())))
}

fn chosen<'f>(arguments: &Arguments, found: &'f [Found]) -> Result<&'f Found, Failure> {
    found.get(arguments.choose as usize - 1).ok_or_else(|| {
        let problem = format!("--choose {}: {} were found", arguments.choose, found.len());
        Failure::usage(problem).hint("choose one of the table")
    })
}

fn row(found: &Found) -> Row {
    let bar = &found.bar;
    Row {
        rms: found.rms,
        worst: found.worst,
        in_order: found.is_in_order,
        one_branch: found.is_one_branch,
        grashof: bar.grashof().name(),
        transmission_deg: bar.transmission_deg(),
        crank_pivot: bar.crank_pivot,
        rocker_pivot: bar.rocker_pivot,
        lengths: bar.lengths,
        pen: bar.pen,
    }
}

fn table(found: &[Found]) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let mut text = format!(
        "{:>2}  {:>9}  {:>9}  {:>5}  {:>6}  {:<13}  {:>12}",
        "", "rms, m", "worst, m", "order", "branch", "Grashof", "transmission"
    );
    for (at, own) in found.iter().enumerate() {
        let worst = own.worst.map_or("-".to_owned(), short);
        let off = own.bar.worst_transmission_deg();
        let off = off.map_or("-".to_owned(), |off| format!("90 ± {off:.0}°"));
        text += &format!(
            "\n{:>2}  {:>9}  {worst:>9}  {:>5}  {:>6}  {:<13}  {off:>12}",
            at + 1,
            short(own.rms),
            yes(own.is_in_order),
            yes(own.is_one_branch),
            own.grashof().name(),
        );
    }
    text
}
