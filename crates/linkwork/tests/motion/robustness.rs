//! Whipping chains at 60 frames a second, a million times heavier ends, uneven frames.

use linkwork::prelude::*;

use crate::support::{Run, below, body, precise, scene};

const FRAME: f64 = 1.0 / 60.0;

/// 60 s at 60 frames a second: closed at every frame, energy neither gained nor much of it lost.
fn a_minute(name: &str) {
    let mut run = Run::new(scene(name), StepOptions::interactive(FRAME));
    for _ in 0..3600 {
        let report = run.step();
        below(&format!("{name}, gap"), report.position_error, 1e-9);
    }
    below(&format!("{name}, gained"), run.gain / run.fall, 5e-3);
    below(&format!("{name}, lost"), run.loss / run.fall, 0.1);
}

#[test]
fn a_minute_of_chain_10() {
    a_minute("chain:10");
}

#[test]
fn a_minute_of_ladder() {
    a_minute("ladder3:12,1");
}

#[test]
fn a_minute_of_chain_100() {
    a_minute("chain:100");
}

#[test]
fn a_minute_of_tree() {
    a_minute("tree:127");
}

/// The same with a last bar that weighs a million times as much.
fn heavy_end(name: &str, label: &str, seconds: usize) {
    let mut world = scene(name);
    let heavy = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1e6,
    };
    world.replace_body(body(&world, label), heavy).unwrap();
    let mut run = Run::new(world, StepOptions::interactive(FRAME));
    for _ in 0..60 * seconds {
        let report = run.step();
        below(&format!("{name} heavy, gap"), report.position_error, 1e-9);
    }
    below(&format!("{name} heavy, gained"), run.gain / run.fall, 5e-3);
}

const ENDS: [(&str, &str); 4] = [
    ("chain:10", "bar 9"),
    ("ladder3:12,1", "rung 0"),
    ("chain:100", "bar 99"),
    ("tree:127", "bar 126"),
];

#[test]
fn heavy_ends_for_three_seconds() {
    for (name, label) in ENDS {
        heavy_end(name, label, 3);
    }
}

#[test]
#[ignore = "slow: two minutes"]
fn heavy_ends_for_a_minute() {
    for (name, label) in ENDS {
        heavy_end(name, label, 60);
    }
}

/// Quiet steps cost one factor each.
#[test]
fn one_factor_a_step() {
    let mut run = Run::new(scene("ladder3:12,1"), StepOptions::interactive(1e-3));
    for step in 0..2000 {
        let report = run.step();
        below("gap", report.position_error, 1e-9);
        // The first step has no factor to start from.
        let factors = if step == 0 { 2 } else { 1 };
        assert_eq!(report.effort.factors, factors, "step {step}");
    }
    below("energy", run.relative_drift(), 2e-5);
}

#[test]
fn precise_keeps_energy() {
    for (name, dt, tolerance) in [
        ("ladder3:12,1", 1e-3, 1e-10),
        ("ladder3:12,1", FRAME, 1e-10),
        ("chain:10", FRAME, 2e-10),
    ] {
        let mut run = Run::new(scene(name), precise(dt, Some(1e-9)));
        run.until(2.0);
        below(name, run.relative_drift(), tolerance);
        below(name, run.gap, 1e-12);
    }
}

/// Frames of uneven length, half as long to half as long again.
#[test]
fn jittered_frames() {
    for (name, dt, t, gain, loss, gap) in [
        ("chain:10", 1e-3, 2.0, 3e-5, 3e-5, 1e-9),
        ("ladder3:12,1", 1e-3, 2.0, 3e-5, 3e-5, 1e-9),
        ("chain:10", FRAME, 20.0, 5e-3, 0.1, 1e-6),
        ("ladder3:12,1", FRAME, 20.0, 5e-3, 0.1, 1e-6),
    ] {
        let mut run = Run::new(scene(name), StepOptions::interactive(dt));
        let mut random = crate::random_world::Random::new(1);
        while run.world.state().t < t {
            run.options.dt = dt * random.between(0.5, 1.5);
            run.step();
        }
        below(name, run.gap, gap);
        below(name, run.gain / run.fall, gain);
        below(name, run.loss / run.fall, loss);
    }
}
