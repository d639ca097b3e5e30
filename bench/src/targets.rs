//! `targets`: what stepping and editing are held to, as ratios within one run.

use std::time::Instant;

use linkwork::prelude::*;

use crate::drive::drive;
use crate::snap;
use crate::solve::{Velocities, scene};
use crate::table::{table, us};

/// The scene of the first targets, and how its bodies start.
pub(crate) const SCENE: &str = "ladder:6,96";
pub(crate) const STARTS: [(&str, Velocities); 2] = [
    ("from rest", Velocities::Rest),
    ("in motion", Velocities::Allowed),
];
/// The step of the first targets.
pub(crate) const DT: f64 = 1e-3;
/// The run of the first targets: so many steps, so often.
pub(crate) const STEPS: usize = 200;
const RUNS: usize = 8;

/// Measures and lays out the targets.
pub(crate) fn run() -> Result<String, String> {
    Ok(format!(
        "What stepping is held to\n\n{}",
        table(&["ratio", "measured", "wanted", ""], &lines()?)
    ))
}

/// One line of a table for each target.
pub(crate) fn lines() -> Result<Vec<Vec<String>>, String> {
    let mut lines = vec![];
    for (how, velocities) in STARTS {
        let step = step_against_solve(SCENE, velocities)?;
        let closed = step.gap <= 1e-9;
        let what = format!("{SCENE} at 1 ms, {how}: interactive step / direct");
        lines.push(verdict(
            &what,
            step.ratio,
            "≤ 5",
            step.ratio <= 5.0 && closed,
        ));
        lines.push(vec![
            "  its largest gap, m".into(),
            format!("{:.2e}", step.gap),
            "≤ 1e-9".into(),
            word(closed),
        ]);
    }
    for name in snap::SCENES {
        let snap = snap::measure(name)?;
        for (what, answer) in [("snap", snap.snap), ("unsnap", snap.unsnap)] {
            for (and, ms) in [("solve", answer.solve), ("step", answer.step)] {
                let what = format!("{name}: {what} and {and}, ms");
                lines.push(verdict(&what, ms, "≤ 1", ms <= 1.0));
            }
        }
        if name == "ladder:6,77" {
            let ratio = snap.snap.step / snap.direct;
            let what = format!("{name}: snap and step / direct");
            lines.push(verdict(&what, ratio, "≤ 5.5", ratio <= 5.5));
        }
    }
    lines.extend(springs()?);
    Ok(lines)
}

/// Springs on one body, and how often a run of a second is repeated.
const SPRINGS: usize = 400;
const SPRING_RUNS: usize = 3;
const FRAME: f64 = 1.0 / 60.0;

/// Many springs on one body are absorbed by it: they cost what filling them costs.
fn springs() -> Result<Vec<Vec<String>>, String> {
    let many = spring_frame(SPRINGS).map_err(|error| error.to_string())?;
    let one = spring_frame(1).map_err(|error| error.to_string())?;
    let what = format!("{SPRINGS} springs from one body to the ground: interactive frame, ms");
    Ok(vec![
        verdict(&what, many, "≤ 0.3", many <= 0.3),
        verdict(
            "  over the same body with one spring",
            many / one,
            "≤ 120",
            many / one <= 120.0,
        ),
    ])
}

/// Milliseconds of a mean frame of a box on springs; each frame with its fastest time.
fn spring_frame(n: usize) -> Result<f64, linkwork::Error> {
    let start = box_on_springs(n)?;
    let options = StepOptions::interactive(FRAME);
    let mut best = [f64::INFINITY; 60];
    for _ in 0..SPRING_RUNS {
        let (mut world, mut simulator) = (start.clone(), Simulator::new());
        for best in &mut best {
            let clock = Instant::now();
            simulator.step(&mut world, &options)?;
            *best = best.min(clock.elapsed().as_secs_f64());
        }
    }
    // The first step compiles.
    Ok(1e3 * best[1..].iter().sum::<f64>() / (best.len() - 1) as f64)
}

/// A box of 1 kg on springs of 1000 N/m in all, from points all over it to points of the ground.
fn box_on_springs(n: usize) -> Result<World, linkwork::Error> {
    let mut world = World::with_gravity([0.0, 0.0, -9.81])?;
    let cuboid = Cuboid {
        size: [0.4, 0.3, 0.2],
        mass: 1.0,
    };
    let body = world.add_body("box", cuboid)?;
    for i in 0..n {
        // The golden angle: points on a spiral over a sphere.
        let (height, turn) = (1.0 - (2 * i + 1) as f64 / n as f64, 2.4 * i as f64);
        let across = (1.0 - height * height).sqrt();
        let out = [across * turn.cos(), across * turn.sin(), height];
        let ends = [GROUND.at(out), body.at(out.map(|x| 0.1 * x))];
        let label = format!("spring {i}");
        let spring = Spring {
            stiffness: 1000.0 / n as f64,
            rest_length: 0.9,
            damping: 0.01,
        };
        world.add_spring(&label, spring, ends[0], ends[1])?;
    }
    Ok(world)
}

/// A line that says whether a target holds.
pub(crate) fn verdict(what: &str, value: f64, wanted: &str, holds: bool) -> Vec<String> {
    vec![what.into(), us(value), wanted.into(), word(holds)]
}

fn word(holds: bool) -> String {
    if holds { "holds" } else { "missed" }.into()
}

struct Compared {
    /// A step over a solve.
    ratio: f64,
    /// The largest over the run, meters.
    gap: f64,
}

/// Interactive steps of a scene, each against a direct solve of where it ends. The run is repeated,
/// and each step and each solve counts with its fastest time.
fn step_against_solve(name: &str, velocities: Velocities) -> Result<Compared, String> {
    let start = scene(name, velocities)?;
    let options = StepOptions::interactive(DT);
    let gap = drive(&mut start.clone(), &options, STEPS)?.gap;
    let mut best = vec![[f64::INFINITY; 2]; STEPS];
    for _ in 0..RUNS {
        let mut world = start.clone();
        let (mut stepper, mut solver) = (Simulator::new(), Simulator::new());
        for best in &mut best {
            let clock = Instant::now();
            let report = stepper.step(&mut world, &options);
            best[0] = best[0].min(clock.elapsed().as_secs_f64());
            report.map_err(|error| error.to_string())?;
            // Once to warm up.
            solver.accelerations(&world, Method::Direct);
            let clock = Instant::now();
            solver.accelerations(&world, Method::Direct);
            best[1] = best[1].min(clock.elapsed().as_secs_f64());
        }
    }
    // The first step compiles.
    let sum = |what: usize| best[1..].iter().map(|best| best[what]).sum::<f64>();
    Ok(Compared {
        ratio: sum(0) / sum(1),
        gap,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_costs_a_few_solves_and_closes() {
        let compared = step_against_solve("chain:2", Velocities::Allowed).unwrap();
        assert!(compared.gap <= 1e-9, "{}", compared.gap);
        assert!(compared.ratio > 1.0 && compared.ratio < 100.0);
        assert_eq!(verdict("x", 3.0, "≤ 5", true).last().unwrap(), "holds");
        assert_eq!(verdict("x", 6.0, "≤ 5", false).last().unwrap(), "missed");
    }
}
