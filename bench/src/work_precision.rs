//! `work-precision`: error against cost over step sizes, as CSV and as a plot.
//!
//! Error is the largest distance of any mass center from the reference at the end. The reference is
//! `Precise` at its tightest; a second one, at ten times the tolerance, says how good it is.

use std::fmt::Write;
use std::path::Path;

use linkwork::prelude::*;

use crate::drive::{Run, distance, drive, n_steps, time};
use crate::plot::{Labels, Point, Series, draw};
use crate::preset::{Preset, parse_presets};
use crate::table::{table, us};

/// The longest step; each of the others is half as long as the one before.
const LONGEST: f64 = 1.0 / 30.0;
const N_SIZES: u32 = 8;
/// Tolerances of the curve that has one step size and many tolerances.
const TOLERANCES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
const BY_TOLERANCE: &str = "precise, by tolerance";
/// Of the reference.
const TIGHT: f64 = 1e-13;

/// One run of one curve.
struct Sample {
    /// The curve it belongs to.
    curve: String,
    preset: String,
    dt: f64,
    /// None if the run failed.
    error: Option<f64>,
    us: f64,
    run: Run,
}

/// Measures, writes both files and says what was found.
pub(crate) fn run(scene: &str, presets: &str, seconds: f64, out: &Path) -> Result<String, String> {
    let presets = parse_presets(presets)?;
    let world = linkwork_scene::scene(scene).map_err(|error| error.to_string())?;
    let truth = reference(&world, seconds, TIGHT)?;
    let doubt = distance(&truth, &reference(&world, seconds, 10.0 * TIGHT)?);
    let mut samples = vec![];
    for preset in &presets {
        for k in 0..N_SIZES {
            let dt = LONGEST / f64::from(1 << k);
            samples.push(sample(&preset.name, preset, (&world, &truth), seconds, dt)?);
        }
    }
    if presets.iter().any(|preset| preset.name == "precise") {
        for tolerance in TOLERANCES {
            let preset = Preset::precise(tolerance);
            let worlds = (&world, &truth);
            samples.push(sample(BY_TOLERANCE, &preset, worlds, seconds, LONGEST)?);
        }
    }
    let stem = scene.replace([':', ','], "-");
    let write = |extension: &str, content: &str| {
        let path = out.join(format!("{stem}.{extension}"));
        std::fs::create_dir_all(out)
            .and_then(|()| std::fs::write(&path, content))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(path.display().to_string())
    };
    let csv = write("csv", &to_csv(scene, seconds, doubt, &samples))?;
    let svg = write("svg", &to_svg(scene, seconds, doubt, &samples))?;
    Ok(format!(
        "{scene}, {seconds} s. Reference: precise:{TIGHT:e}, {doubt:.1e} m from precise:{:e}\n\n{}\n{csv}\n{svg}",
        10.0 * TIGHT,
        to_table(&samples)
    ))
}

/// The state after so many seconds by steps that are controlled to `tolerance`.
fn reference(world: &World, seconds: f64, tolerance: f64) -> Result<World, String> {
    let mut world = world.clone();
    let n = n_steps(seconds, LONGEST);
    let mut options = Preset::precise(tolerance).options(seconds / n as f64);
    options.budget.tolerance = 1e-14;
    let mut simulator = Simulator::new();
    for _ in 0..n {
        let report = simulator.step(&mut world, &options);
        report.map_err(|error| format!("the reference failed: {error}"))?;
    }
    Ok(world)
}

/// One run from the start, with whole steps of about `dt`, against the reference.
fn sample(
    curve: &str,
    preset: &Preset,
    (start, truth): (&World, &World),
    seconds: f64,
    dt: f64,
) -> Result<Sample, String> {
    let n = n_steps(seconds, dt);
    let dt = seconds / n as f64;
    let options = preset.options(dt);
    let mut world = start.clone();
    let run = drive(&mut world, &options, n)?;
    let error = run.failed.is_none().then(|| distance(&world, truth));
    Ok(Sample {
        curve: curve.to_owned(),
        preset: preset.name.clone(),
        dt,
        error,
        us: time(start, &options, run.n_steps),
        run,
    })
}

fn to_csv(scene: &str, seconds: f64, doubt: f64, samples: &[Sample]) -> String {
    let mut csv = String::from(
        "scene,seconds,curve,preset,dt_s,steps,error_m,reference_error_m,us_total,factors,solves,\
         substeps,energy_drift,max_gap_m,max_angle_gap_rad,failed\n",
    );
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for sample in samples {
        let run = &sample.run;
        let error = sample.error.map_or(String::new(), |e| format!("{e:.4e}"));
        let _ = writeln!(
            csv,
            "{},{seconds},{},{},{:e},{},{error},{doubt:.1e},{:.1},{},{},{},{:.4e},{:.3e},{:.3e},{}",
            quoted(scene),
            quoted(&sample.curve),
            sample.preset,
            sample.dt,
            run.n_steps,
            sample.us,
            run.effort.factors,
            run.effort.solves,
            run.substeps,
            run.energy_drift,
            run.gap,
            run.angle_gap,
            run.failed.as_deref().map_or(String::new(), quoted),
        );
    }
    csv
}

fn to_svg(scene: &str, seconds: f64, doubt: f64, samples: &[Sample]) -> String {
    let mut series: Vec<Series> = vec![];
    for sample in samples {
        let point = Point {
            x: [sample.us, sample.dt],
            y: sample.error,
        };
        match series.last_mut() {
            Some(last) if last.name == sample.curve => last.points.push(point),
            _ => series.push(Series {
                name: sample.curve.clone(),
                points: vec![point],
                in_panel: [true, sample.curve != BY_TOLERANCE],
            }),
        }
    }
    let labels = Labels {
        title: format!("{scene}: error after {seconds} s"),
        x: ["time to compute, µs", "step, s"],
        y: "largest error of a mass center, m",
        floor: (doubt.max(1e-15), "error of the reference, about"),
        footnote: "Left: nearer to the lower left corner is better. Crosses at the upper edge: the run failed, or its error is above 100 m.",
    };
    draw(&labels, &series)
}

fn to_table(samples: &[Sample]) -> String {
    let heading = [
        "curve", "preset", "step s", "error m", "order", "µs", "factors", "solves", "energy",
        "gap m",
    ];
    let mut lines = vec![];
    let mut last: Option<&Sample> = None;
    for sample in samples {
        let before = last.filter(|last| last.preset == sample.preset);
        let order = before.and_then(|before| {
            let ratio = before.error? / sample.error?;
            Some(ratio.ln() / (before.dt / sample.dt).ln())
        });
        lines.push(vec![
            sample.curve.clone(),
            sample.preset.clone(),
            format!("{:.2e}", sample.dt),
            sample
                .error
                .map_or("failed".into(), |error| format!("{error:.2e}")),
            order.map_or(String::new(), |order| format!("{order:.1}")),
            us(sample.us),
            sample.run.effort.factors.to_string(),
            sample.run.effort.solves.to_string(),
            format!("{:.1e}", sample.run.energy_drift),
            format!("{:.1e}", sample.run.gap),
        ]);
        last = Some(sample);
    }
    table(&heading, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders of convergence between three step sizes, on a pendulum of two rods.
    fn orders(name: &str, coarsest: usize) -> [f64; 2] {
        let seconds = 0.5;
        let start = linkwork_scene::scene("chain:2").unwrap();
        let truth = reference(&start, seconds, TIGHT).unwrap();
        let preset = &parse_presets(name).unwrap()[0];
        let errors = [1, 2, 4].map(|k| {
            let n = k * coarsest;
            let mut options = preset.options(seconds / n as f64);
            options.budget.tolerance = 1e-13;
            let mut world = start.clone();
            let run = drive(&mut world, &options, n).unwrap();
            assert_eq!(run.failed, None, "{name}");
            distance(&world, &truth)
        });
        [0, 1].map(|k| (errors[k] / errors[k + 1]).log2())
    }

    #[test]
    fn second_order_presets() {
        for name in ["interactive", "stoermer"] {
            let orders = orders(name, 100);
            assert!(orders.iter().all(|order| *order > 1.8), "{name} {orders:?}");
        }
    }

    #[test]
    fn fourth_order_presets() {
        for name in ["rk4", "symplectic4"] {
            let orders = orders(name, 50);
            assert!(orders.iter().all(|order| *order > 3.8), "{name} {orders:?}");
        }
    }

    #[test]
    fn first_order_presets() {
        for name in ["euler", "symplectic-euler", "faure1998"] {
            let orders = orders(name, 200);
            let is_one = |order: &f64| (0.8..1.2).contains(order);
            assert!(orders.iter().all(is_one), "{name} {orders:?}");
        }
    }

    #[test]
    fn the_reference_is_good_and_failures_are_kept() {
        let start = linkwork_scene::scene("chain:2").unwrap();
        let truth = reference(&start, 0.2, TIGHT).unwrap();
        let other = reference(&start, 0.2, 10.0 * TIGHT).unwrap();
        assert!(distance(&truth, &other) < 1e-11);

        let failed = Sample {
            curve: "euler".into(),
            preset: "euler".into(),
            dt: 0.1,
            error: None,
            us: 1.0,
            run: Run {
                failed: Some("body \"a\" is not finite".into()),
                ..Run::default()
            },
        };
        let csv = to_csv("ladder3:12,1", 1.0, 1e-13, &[failed]);
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with("scene,seconds,curve,preset,dt_s,steps,error_m,"));
        assert!(lines[1].starts_with("\"ladder3:12,1\",1,\"euler\",euler,1e-1,0,,1.0e-13,"));
        assert!(lines[1].ends_with(",\"body \"\"a\"\" is not finite\""));
    }
}
