//! Bodies that follow points, frame by frame: the part of `linkwork fit` for joints of type "points".

use std::io::Write;

use linkwork::prelude::*;
use linkwork::step::Found;
use linkwork_scene::Scene;
use linkwork_scene::export::{WholeFile, push_number, push_quoted};
use linkwork_scene::points::{self, Fitted, TrackOptions};
use serde::Serialize;

use super::Arguments;
use crate::failure::Failure;
use crate::numbers::{count, short};
use crate::output::{self, Form};

/// The report as JSON.
#[derive(Serialize)]
struct Report {
    frames: usize,
    steps: usize,
    /// Frames in which no minimum was found.
    unsettled: usize,
    /// The largest gap of exact joints, meters.
    position_error: f64,
    centers: Vec<Center>,
    pulls: Vec<Pull>,
}

#[derive(Serialize)]
struct Center {
    joint: String,
    moved: f64,
}

/// How far the points of a joint were off.
#[derive(Serialize)]
struct Pull {
    joint: String,
    /// The mean over all frames, and the frame that is furthest off.
    rms: f64,
    largest: f64,
    largest_time: f64,
}

/// Goes through all frames.
pub(super) fn perform(
    arguments: &Arguments,
    mut scene: Scene,
    file: Option<WholeFile>,
    quiet: bool,
) -> Result<(), Failure> {
    let search = &arguments.search;
    let table = arguments.csv.as_deref().map(output::begin).transpose()?;
    let minimize = arguments.minimum.options(&search.solver)?;
    let options = TrackOptions {
        minimize,
        ..TrackOptions::default()
    };
    let refuse = |fault: linkwork_scene::Fault| Failure::Scene(fault.in_file(&search.scene));
    let times = points::times(&scene);
    if arguments.search_start {
        scene.world.set_time(times[0])?;
        points::find_start(&mut scene, arguments.one_sided).map_err(refuse)?;
    }
    let moved = points::find_centers(&mut scene, &arguments.centers, &options).map_err(refuse)?;
    let names = points::report_names(&scene);
    let (mut rows, mut frames) = (Vec::new(), Vec::new());
    let mut simulator = Simulator::new();
    for time in times {
        let fitted = points::fit_frame(&mut scene, &mut simulator, time, &options);
        frames.push(fitted.map_err(refuse)?);
        rows.push(points::report_row(&scene));
    }
    let told = report(arguments, &names, &rows, &frames, &moved);
    search.write(&scene, file, told.unsettled == 0)?;
    if let Some(mut table) = table {
        table.write_all(csv(&names, &rows).as_bytes())?;
        table.finish()?;
    }
    match search.report {
        Form::Json => output::print_json(&told)?,
        // Rows that were asked for have the standard output to themselves.
        Form::Text if arguments.csv.as_deref() == Some("-") => output::say(text(&told)),
        Form::Text => output::print(&text(&told))?,
    }
    if told.unsettled == 0 {
        if !quiet {
            let frames = count(told.frames, "frame", "frames");
            output::say(format!(
                "a minimum in {frames}, {} steps in all",
                told.steps
            ));
        }
        return Ok(());
    }
    let frames = count(told.frames, "frame", "frames");
    let failure = format!("no minimum in {} of {frames}", told.unsettled);
    Err(Failure::simulation(failure).hint("give more --iterations, or a larger --tolerance"))
}

fn report(
    arguments: &Arguments,
    names: &[String],
    rows: &[Vec<f64>],
    frames: &[Fitted],
    moved: &[f64],
) -> Report {
    let is_rms = |name: &&String| name.ends_with(".rms");
    let pulls = names.iter().enumerate().filter(|own| is_rms(&own.1));
    let pulls = pulls.map(|(at, name)| {
        let mean = rows.iter().map(|row| row[at]).sum::<f64>() / rows.len().max(1) as f64;
        let worst = rows.iter().max_by(|a, b| a[at].total_cmp(&b[at]));
        Pull {
            joint: name.trim_end_matches(".rms").to_owned(),
            rms: mean,
            largest: worst.map_or(0.0, |row| row[at]),
            largest_time: worst.map_or(0.0, |row| row[0]),
        }
    });
    let centers = arguments.centers.iter().zip(moved);
    let centers = centers.map(|(joint, moved)| Center {
        joint: joint.clone(),
        moved: *moved,
    });
    Report {
        frames: frames.len(),
        steps: frames.iter().map(|own| own.iterations).sum(),
        unsettled: frames
            .iter()
            .filter(|own| own.found != Found::Minimum)
            .count(),
        position_error: frames
            .iter()
            .map(|own| own.position_error)
            .fold(0.0, f64::max),
        centers: centers.collect(),
        pulls: pulls.collect(),
    }
}

fn csv(names: &[String], rows: &[Vec<f64>]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "," });
        push_quoted(&mut text, name);
    }
    text.push('\n');
    for row in rows {
        for (at, value) in row.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { "," });
            push_number(&mut text, *value);
        }
        text.push('\n');
    }
    text
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for own in &report.centers {
        text += &format!(
            "center of {}: {} m from where it was\n",
            own.joint,
            short(own.moved)
        );
    }
    for own in &report.pulls {
        text += &format!(
            "points of {}: rms {} in the mean, {} at most, at {} s\n",
            own.joint,
            short(own.rms),
            short(own.largest),
            short(own.largest_time)
        );
    }
    text + &format!(
        "joints are open by at most {} m\n",
        short(report.position_error)
    )
}
