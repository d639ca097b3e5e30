//! `linkwork fit`: fit what a scene seeks to the rows of a table.

mod track;

use std::io::Write;

use clap::Args;
use linkwork::step::Found;
use linkwork_scene::Scene;
use linkwork_scene::export::{push_number, push_quoted};
use linkwork_scene::formula::{FitErrors, fit_errors};
use linkwork_scene::points;
use serde::Serialize;

use crate::failure::Failure;
use crate::minimize::{self, MinimumArguments};
use crate::numbers::{count, short};
use crate::output::{self, Form};
use crate::search::SearchArguments;
use crate::source;

const AFTER_HELP: &str = "\
Examples:
  linkwork fit fit-ellipse
  linkwork fit fit-ellipse measured.csv --csv errors.csv -o fitted.json
  linkwork fit curve.json points.csv --set k=0.05 --report json
  linkwork fit shape.json cloud.ply --search -o fitted.json
  linkwork fit arm.json markers.trc --centers elbow --csv poses.csv

Wishes for each row of a table (\"for\") are met in least squares, as far as joints and limits allow, as `linkwork minimize`
does. DATA.csv has a line of names, with units where they are not meters, kilograms, seconds and radians (x [mm]), then a line
for each row; it replaces the scene's table. Rows with empty cells are skipped. The exit code is 3 if no
minimum was found.

Points (joints of type \"points\") are CSV, TRC, XYZ or PLY. Bodies follow them frame by frame, and --csv has a line for each frame: poses,
shapes, turns of joints, and errors of points.";

/// Fit what a scene seeks to the rows of a table.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    search: SearchArguments,
    /// The data, as CSV, TRC, XYZ or PLY, in place of the scene's table; - is standard input.
    data: Option<String>,
    /// The table that the data are; without it, the only one.
    #[arg(long, value_name = "NAME", requires = "data")]
    table: Option<String>,
    /// Write how far each row is off, or where bodies are in each frame of points, as CSV; - is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// Look for where bodies begin, from their points alone.
    #[arg(long = "search")]
    search_start: bool,
    /// With --search: points are seen from one side only.
    #[arg(long, requires = "search_start")]
    one_sided: bool,
    /// Find the center of a ball joint first, from how its bodies move; can be given several times.
    #[arg(long, value_name = "JOINT")]
    centers: Vec<String>,
    #[command(flatten)]
    minimum: MinimumArguments,
}

/// The report as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    minimum: minimize::Report,
    fits: Vec<Row>,
}

/// How far a joint is from its table.
#[derive(Serialize)]
struct Row {
    joint: String,
    rows: usize,
    skipped: usize,
    rms: f64,
    largest: f64,
    largest_row: usize,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let search = &arguments.search;
    let csv = arguments.csv.as_deref();
    let open = || match &arguments.data {
        Some(data) => {
            source::open_with(&search.scene, &search.set, arguments.table.as_deref(), data)
        }
        None => search.open(),
    };
    let (mut scene, file) = search.begin(&[("--csv", csv)], open)?;
    if errors(&scene).is_empty() {
        let failure = Failure::simulation("no joint of this scene uses a table");
        return Err(
            failure.hint("give a joint of type formula or points \"for\": the name of a table")
        );
    }
    if !points::times(&scene).is_empty() {
        return track::perform(arguments, scene, file, quiet);
    }
    let table = csv.map(output::begin).transpose()?;
    let report = arguments.minimum.seek(&mut scene, &search.solver)?;
    let is_found = report.found == Found::Minimum;
    search.write(&scene, file, is_found)?;
    let errors = errors(&scene);
    if let Some(mut table) = table {
        table.write_all(rows(&errors).as_bytes())?;
        table.finish()?;
    }
    let told = Report {
        minimum: minimize::told(&scene.world, &report)?,
        fits: errors.iter().map(row).collect(),
    };
    match search.report {
        Form::Json => output::print_json(&told)?,
        // Rows that were asked for have the standard output to themselves.
        Form::Text if csv == Some("-") => output::say(text(&told)),
        Form::Text => output::print(&text(&told))?,
    }
    minimize::ended(&report, quiet)
}

/// Fits by their joints.
fn errors(scene: &Scene) -> Vec<(String, FitErrors)> {
    let joints = scene.world.constraints().iter();
    let fits = joints.filter_map(|record| {
        let errors = fit_errors(&scene.world, record)?;
        Some((record.label().to_owned(), errors))
    });
    fits.collect()
}

fn row((joint, errors): &(String, FitErrors)) -> Row {
    let largest = errors.largest();
    Row {
        joint: joint.clone(),
        rows: errors.rows.len(),
        skipped: errors.n_skipped,
        rms: errors.rms(),
        largest: largest.map_or(0.0, |own| own.error),
        largest_row: largest.map_or(0, |own| own.row + 1),
    }
}

/// How far each row is off, as CSV; rows of a table are counted from one.
fn rows(fits: &[(String, FitErrors)]) -> String {
    let has_two = fits.iter().flat_map(|own| &own.1.rows);
    let has_two = has_two.clone().any(|own| own.at[1].is_some());
    let mut text = match has_two {
        true => "joint,row,at,at_v,error\n".to_owned(),
        false => "joint,row,at,error\n".to_owned(),
    };
    for (joint, errors) in fits {
        for own in &errors.rows {
            push_quoted(&mut text, joint);
            text += &format!(",{},", own.row + 1);
            for at in &own.at[..if has_two { 2 } else { 1 }] {
                if let Some(at) = at {
                    push_number(&mut text, *at);
                }
                text.push(',');
            }
            push_number(&mut text, own.error);
            text.push('\n');
        }
    }
    text
}

fn text(report: &Report) -> String {
    let mut text = minimize::text(&report.minimum);
    for own in &report.fits {
        let rows = count(own.rows, "row", "rows");
        let skipped = match own.skipped {
            0 => String::new(),
            n => format!(" ({} passed over)", count(n, "with a gap", "with gaps")),
        };
        text += &format!(
            "fit {}: rms {} over {rows}{skipped}; largest error in row {}: {}\n",
            own.joint,
            short(own.rms),
            own.largest_row,
            short(own.largest)
        );
    }
    text
}
