//! `contact`: what touches, and what that costs: penetration, energy, rest, residual of the law, work.

mod scenes;

use std::time::Instant;

use linkwork::math::{Vec3, norm, sub};
use linkwork::prelude::*;
use linkwork::step::Effort;
use linkwork::world::GripId;
use scenes::{SCENES, Scene};

use crate::table::{table, us};

/// What was found along a run.
#[derive(Default)]
struct Found {
    n_steps: usize,
    /// Deepest penetration after a frame, m.
    overrun: f64,
    /// Largest rise of energy in a frame, J.
    gain: f64,
    /// Largest rise of energy above the least so far, and its change until the end, J.
    rise: f64,
    change: f64,
    /// How far the body that moved farthest is from where it began, m.
    moved: f64,
    /// What is left of the law, m/s: the largest, and in how many frames it was more than 1e-6.
    law: f64,
    unkept: usize,
    /// Widest joint, m.
    gap: f64,
    /// Fastest coordinate at the end, m/s or rad/s.
    rest: f64,
    effort: Effort,
    blows: usize,
    substeps: usize,
    /// Most contacts that pushed.
    touching: usize,
    us: f64,
    slowest_us: f64,
    failed: Option<String>,
}

/// Runs the scenes whose names have `only` in them.
pub(crate) fn run(only: &[String], options: &StepOptions) -> String {
    let asked = |scene: &&Scene| {
        only.is_empty() || only.iter().any(|part| scene.name.contains(part.as_str()))
    };
    let heading = [
        "scene",
        "pen m",
        "gain J",
        "rise J",
        "change J",
        "moved m",
        "rest",
        "law m/s",
        "> 1e-6",
        "joints m",
        "touching",
        "blows",
        "sub-steps",
        "factors",
        "solves",
        "iterations",
        "µs",
        "slowest",
    ];
    let mut lines = vec![];
    let mut notes = String::new();
    for scene in SCENES.iter().filter(asked) {
        let found = drive(scene, options);
        let mean = |sum: usize| format!("{:.1}", sum as f64 / found.n_steps.max(1) as f64);
        lines.push(vec![
            scene.name.to_owned(),
            format!("{:.0e}", found.overrun),
            format!("{:.0e}", found.gain),
            format!("{:.0e}", found.rise),
            format!("{:+.0e}", found.change),
            format!("{:.0e}", found.moved),
            format!("{:.0e}", found.rest),
            format!("{:.0e}", found.law),
            found.unkept.to_string(),
            format!("{:.0e}", found.gap),
            found.touching.to_string(),
            found.blows.to_string(),
            mean(found.substeps),
            mean(found.effort.factors),
            mean(found.effort.solves),
            mean(found.effort.iterations),
            us(found.us / found.n_steps.max(1) as f64),
            us(found.slowest_us),
        ]);
        if let Some(failed) = found.failed {
            notes += &format!(
                "* {} ends after {} steps: {failed}\n",
                scene.name, found.n_steps
            );
        }
    }
    table(&heading, &lines) + &notes
}

fn drive(scene: &Scene, options: &StepOptions) -> Found {
    let (mut world, dt) = ((scene.build)(), options.dt);
    let mut simulator = Simulator::new();
    let mut found = Found::default();
    let energy = |world: &World| {
        let energy = world.energy().ok();
        energy.map_or(f64::NAN, |own| own.kinetic + own.potential)
    };
    let first = energy(&world);
    let (mut last, mut least) = (first, first);
    let start = places(&world);
    let mut grip = None;
    for frame in 0..(scene.seconds / dt).round() as usize {
        let t = frame as f64 * dt;
        if let (Some(hand), true) = (scene.hand, t > 0.7) {
            pull(&mut world, hand, &mut grip, t - 0.7);
        }
        let began = Instant::now();
        let report = match simulator.step(&mut world, options) {
            Ok(report) => report,
            Err(error) => {
                found.failed = Some(error.to_string());
                break;
            }
        };
        let took = began.elapsed().as_secs_f64() * 1e6;
        found.n_steps += 1;
        found.us += took;
        found.slowest_us = found.slowest_us.max(took);
        found.overrun = found.overrun.max(report.overrun);
        found.law = found.law.max(report.law_error);
        found.unkept += usize::from(report.law_error > 1e-6);
        found.gap = found.gap.max(report.position_error);
        found.blows += report.blows;
        found.substeps += report.substeps;
        found.effort += report.effort;
        found.touching = found.touching.max(world.state().touching.len());
        let now = energy(&world);
        found.gain = found.gain.max(now - last);
        least = least.min(now);
        found.rise = found.rise.max(now - least);
        last = now;
    }
    found.change = last - first;
    found.moved = places(&world)
        .iter()
        .zip(&start)
        .fold(0.0, |most, (a, b)| norm(sub(*a, *b)).max(most));
    found.rest = world
        .state()
        .v
        .iter()
        .fold(0.0, |most, v| v.abs().max(most));
    found
}

/// Pulls at the middle of the third body, sideways at 0.5 m/s.
fn pull(world: &mut World, hand: Drag, grip: &mut Option<(GripId, [f64; 3])>, t: f64) {
    let held = world.bodies()[2].id();
    if grip.is_none()
        && let Ok(Some(pose)) = world.pose(held)
        && let Ok(id) = world.grab(held.at([0.0; 3]), hand)
    {
        *grip = Some((id, pose.position));
    }
    if let Some((id, [x, y, z])) = *grip {
        let goal = [x + 0.5 * t, y, z + 0.1 * t];
        // What is held is there as long as the run is.
        let _ = world.drag(id, goal);
    }
}

/// Where the bodies are.
fn places(world: &World) -> Vec<Vec3> {
    let poses = world.bodies().iter().map(|body| world.pose(body.id()));
    let poses = poses.filter_map(|pose| pose.ok().flatten());
    poses.map(|pose| pose.position).collect()
}
