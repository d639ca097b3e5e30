//! `targets`: what stepping and editing are held to, as ratios within one run.

use std::time::Instant;

use linkwork::prelude::*;

use crate::snap::{self, median};
use crate::table::{table, us};

/// The step of the first target.
const DT: f64 = 1e-3;
/// So many steps from the start, in batches.
const STEPS: usize = 400;
const BATCH: usize = 10;

/// Measures and lays out the targets.
pub(crate) fn run() -> Result<String, String> {
    Ok(format!(
        "What stepping is held to\n\n{}",
        table(&["ratio", "measured", "wanted", ""], &lines()?)
    ))
}

/// One line of a table for each target.
pub(crate) fn lines() -> Result<Vec<Vec<String>>, String> {
    let step = step_against_solve("ladder:6,96")?;
    let closed = step.gap <= 1e-9;
    let mut lines = vec![
        verdict(
            "ladder:6,96 at 1 ms: interactive step / direct",
            step.ratio,
            "≤ 5",
            step.ratio <= 5.0 && closed,
        ),
        vec![
            "  its largest gap, m".into(),
            format!("{:.1e}", step.gap),
            "≤ 1e-9".into(),
            word(closed),
        ],
    ];
    for name in snap::SCENES {
        let snap = snap::measure(name)?;
        for (what, answer) in [("snap", snap.snap), ("unsnap", snap.unsnap)] {
            for (and, ms) in [("solve", answer.solve), ("step", answer.step)] {
                let what = format!("{name}: {what} and {and}, ms");
                lines.push(verdict(&what, ms, "≤ 1", ms <= 1.0));
            }
        }
    }
    Ok(lines)
}

/// A line that says whether a target holds.
pub(crate) fn verdict(what: &str, value: f64, wanted: &str, holds: bool) -> Vec<String> {
    vec![what.into(), us(value), wanted.into(), word(holds)]
}

fn word(holds: bool) -> String {
    if holds { "holds" } else { "missed" }.into()
}

struct Compared {
    /// The median over batches.
    ratio: f64,
    /// The largest over the run, metres.
    gap: f64,
}

/// Interactive steps from the start of a scene, each batch against as many direct solves of where
/// it ends.
fn step_against_solve(name: &str) -> Result<Compared, String> {
    let mut world = linkwork_scene::scene(name).map_err(|error| error.to_string())?;
    let (mut stepper, mut solver) = (Simulator::new(), Simulator::new());
    let options = StepOptions::interactive(DT);
    let mut gap = 0.0f64;
    let mut ratios = vec![];
    for batch in 0..=STEPS / BATCH {
        let start = Instant::now();
        for _ in 0..BATCH {
            let report = stepper.step(&mut world, &options);
            let report = report.map_err(|error| error.to_string())?;
            gap = gap.max(report.position_error);
        }
        let steps = start.elapsed();
        solver.accelerations(&world, Method::Direct);
        let start = Instant::now();
        for _ in 0..BATCH {
            solver.accelerations(&world, Method::Direct);
        }
        // The first batch compiles.
        if batch > 0 {
            ratios.push(steps.as_secs_f64() / start.elapsed().as_secs_f64());
        }
    }
    let errors = world.constraint_errors().map_err(|e| e.to_string())?;
    for error in errors {
        gap = gap.max(error.position);
    }
    Ok(Compared {
        ratio: median(ratios),
        gap,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_costs_a_few_solves_and_closes() {
        let compared = step_against_solve("ladder:2,1").unwrap();
        assert!(compared.gap <= 1e-9, "{}", compared.gap);
        assert!(compared.ratio > 1.0 && compared.ratio < 100.0);
        assert_eq!(verdict("x", 3.0, "≤ 5", true).last().unwrap(), "holds");
        assert_eq!(verdict("x", 6.0, "≤ 5", false).last().unwrap(), "missed");
    }
}
