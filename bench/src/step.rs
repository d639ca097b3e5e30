//! `step`: whole steps of scenes from their start, by presets: what they cost and what they keep.

use crate::drive::{Run, drive, n_steps, time};
use crate::json;
use crate::preset::{Preset, parse_presets};
use crate::solve::{Entry, parse_methods};
use crate::table::{table, us};

/// How long steps are, and how far they go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) dt: f64,
    pub(crate) seconds: f64,
    /// How closed constraints must be; the engine's own choice if none.
    pub(crate) tolerance: Option<f64>,
}

/// One line of the result.
#[derive(Clone, Debug)]
struct Row {
    scene: String,
    preset: String,
    method: String,
    dt: f64,
    us_per_step: f64,
    run: Run,
}

/// Measures and lays out the result.
pub(crate) fn run(
    scenes: &[String],
    presets: &str,
    methods: &str,
    span: Span,
    json: bool,
) -> Result<String, String> {
    let presets = parse_presets(presets)?;
    let methods = engine_methods(methods)?;
    let mut rows = vec![];
    for scene in scenes {
        for preset in &presets {
            for method in &methods {
                rows.push(row(scene, preset, method, span)?);
            }
        }
    }
    Ok(if json {
        let objects: Vec<String> = rows.iter().map(json_row).collect();
        json::array(&objects)
    } else {
        to_table(&rows)
    })
}

/// The methods a step can use: all but the baseline.
fn engine_methods(list: &str) -> Result<Vec<Entry>, String> {
    let mut entries = parse_methods(list)?;
    if list == "all" {
        entries.retain(|entry| entry.method.is_some());
    }
    if entries.iter().any(|entry| entry.method.is_none()) {
        return Err("faer only solves; a step needs a method of the engine".into());
    }
    Ok(entries)
}

fn row(scene: &str, preset: &Preset, entry: &Entry, span: Span) -> Result<Row, String> {
    let world = linkwork_scene::scene(scene).map_err(|error| error.to_string())?;
    let mut options = preset.options(span.dt);
    if let Some(method) = entry.method {
        options = options.by(method);
    }
    if let Some(tolerance) = span.tolerance {
        options.budget.tolerance = tolerance;
    }
    let run = drive(&mut world.clone(), &options, n_steps(span.seconds, span.dt))?;
    let us_total = time(&world, &options, run.n_steps);
    Ok(Row {
        scene: scene.to_owned(),
        preset: preset.name.clone(),
        method: entry.name.clone(),
        dt: span.dt,
        us_per_step: us_total / run.n_steps as f64,
        run,
    })
}

fn json_row(row: &Row) -> String {
    let run = &row.run;
    let mean = |sum| format!("{:.3}", run.mean(sum));
    let failed = run.failed.as_deref();
    json::object(&[
        ("scene", json::text(&row.scene)),
        ("preset", json::text(&row.preset)),
        ("dt", row.dt.to_string()),
        (
            "us_per_step",
            match row.us_per_step {
                us if us.is_finite() => format!("{us:.3}"),
                _ => "null".into(),
            },
        ),
        ("max_gap_m", json::small(Some(run.gap))),
        ("max_angle_gap", json::small(Some(run.angle_gap))),
        ("energy_drift", json::small(Some(run.energy_drift))),
        ("momentum_drift", json::small(run.momentum_drift)),
        ("iterations_mean", mean(run.effort.iterations)),
        ("allocations", run.allocations.to_string()),
        ("method", json::text(&row.method)),
        ("steps", run.n_steps.to_string()),
        ("factors_mean", mean(run.effort.factors)),
        ("solves_mean", mean(run.effort.solves)),
        ("substeps_mean", mean(run.substeps)),
        ("refused_mean", mean(run.refused)),
        ("last_resorts", run.last_resorts.to_string()),
        (
            "final_energy_change",
            json::small(Some(run.final_energy_change)),
        ),
        ("failed", failed.map_or("null".into(), json::text)),
    ])
}

fn to_table(rows: &[Row]) -> String {
    let heading = [
        "scene",
        "preset",
        "method",
        "µs/step",
        "gap m",
        "gap rad",
        "energy",
        "at end",
        "momentum",
        "iterations",
        "factors",
        "substeps",
        "refused",
        "last resorts",
        "allocations",
    ];
    let mut notes = String::new();
    let mut lines = vec![];
    for row in rows {
        let run = &row.run;
        let mark = if run.failed.is_some() { "*" } else { "" };
        if let Some(failed) = &run.failed {
            let at = run.n_steps as f64 * row.dt;
            notes += &format!(
                "* {}, {}: ends at {at:.3} s: {failed}\n",
                row.scene, row.preset
            );
        }
        lines.push(vec![
            row.scene.clone(),
            format!("{}{mark}", row.preset),
            row.method.clone(),
            us(row.us_per_step),
            format!("{:.1e}", run.gap),
            format!("{:.1e}", run.angle_gap),
            format!("{:.1e}", run.energy_drift),
            format!("{:+.1e}", run.final_energy_change),
            run.momentum_drift
                .map_or("–".into(), |drift| format!("{drift:.1e}")),
            format!("{:.2}", run.mean(run.effort.iterations)),
            format!("{:.2}", run.mean(run.effort.factors)),
            format!("{:.2}", run.mean(run.substeps)),
            format!("{:.2}", run.mean(run.refused)),
            run.last_resorts.to_string(),
            run.allocations.to_string(),
        ]);
    }
    table(&heading, &lines) + &notes
}

/// Reads seconds: `0.001`, or a fraction such as `1/60`.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let seconds = match text.split_once('/') {
        Some((a, b)) => number(a).zip(number(b)).map(|(a, b)| a / b),
        None => number(text),
    };
    let valid = |seconds: &f64| seconds.is_finite() && *seconds > 0.0;
    seconds
        .filter(valid)
        .ok_or_else(|| "write seconds above zero, such as 0.001 or 1/60".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span {
        dt: 0.001,
        seconds: 0.01,
        tolerance: None,
    };

    #[test]
    fn json_begins_with_the_promised_fields() {
        let text = super::run(&["chain:2".into()], "interactive", "direct", SPAN, true).unwrap();
        let names: Vec<&str> = text
            .split('"')
            .filter(|part| !part.is_empty())
            .zip(text.split('"').filter(|part| !part.is_empty()).skip(1))
            .filter(|(_, after)| after.starts_with(':'))
            .map(|(name, _)| name)
            .collect();
        let promised = [
            "scene",
            "preset",
            "dt",
            "us_per_step",
            "max_gap_m",
            "max_angle_gap",
            "energy_drift",
            "momentum_drift",
            "iterations_mean",
            "allocations",
        ];
        assert_eq!(names[..10], promised);
        assert!(text.starts_with(
            "[\n  {\"scene\": \"chain:2\", \"preset\": \"interactive\", \"dt\": 0.001, "
        ));
        assert!(text.contains("\"momentum_drift\": null"));
        assert!(text.contains("\"allocations\": 0, \"method\": \"direct\", \"steps\": 10"));
        assert!(text.ends_with("\"failed\": null}\n]"));
    }

    #[test]
    fn a_run_that_ends_early_is_explained() {
        let span = Span {
            dt: 0.5,
            seconds: 100.0,
            tolerance: None,
        };
        let run = |json| super::run(&["chain:3".into()], "euler+none", "direct", span, json);
        let text = run(false).unwrap();
        assert!(text.contains("euler+none*"), "{text}");
        assert!(text.contains("s: step refused"), "{text}");
        assert!(run(true).unwrap().contains("\\\"bar"));
    }

    #[test]
    fn methods_are_those_of_the_engine() {
        assert_eq!(engine_methods("all").unwrap().len(), 5);
        assert!(engine_methods("direct,faer").is_err());
    }

    #[test]
    fn seconds_may_be_fractions() {
        assert_eq!(parse_seconds("0.001"), Ok(0.001));
        assert_eq!(parse_seconds("1/60"), Ok(1.0 / 60.0));
        for text in ["0", "-1", "x", "1/0", "1/"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
