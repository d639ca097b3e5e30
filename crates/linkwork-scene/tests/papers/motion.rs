//! Scenes in motion, a frame of 1/60 s after the other.

use linkwork::prelude::*;

use crate::{build, point};

/// What a run must keep to.
struct Limits {
    /// Gaps of joints at every frame, meters.
    gap: f64,
    /// Energy above that of the start, as a part of the largest change of potential energy.
    gain: f64,
    /// Energy below it.
    loss: f64,
}

/// Steps for so many seconds.
fn run(name: &str, world: &mut World, seconds: usize, limits: &Limits) {
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let start = world.energy().unwrap();
    let (mut gain, mut loss, mut fall) = (0.0f64, 0.0f64, 0.0f64);
    for frame in 0..60 * seconds {
        let report = simulator.step(world, &options).unwrap();
        let closed = report.require(limits.gap);
        assert!(closed.is_ok(), "{name}, frame {frame}: {closed:?}");
        let energy = world.energy().unwrap();
        fall = fall.max((energy.potential - start.potential).abs());
        gain = gain.max(energy.total() - start.total());
        loss = loss.max(start.total() - energy.total());
    }
    assert!(
        gain <= limits.gain * fall && loss <= limits.loss * fall,
        "{name}: +{gain} −{loss} J of {fall} J"
    );
}

/// A minute on strings: nothing comes apart, energy stays.
#[test]
fn humanoid_on_strings() {
    let mut world = build("humanoid-on-strings");
    let limits = Limits {
        gap: 1e-6,
        gain: 0.005,
        loss: 0.1,
    };
    run("humanoid", &mut world, 60, &limits);
}

/// The hard case: the strings are slack and pull all at once. Energy may be lost, never gained.
#[test]
fn humanoid_drops_onto_slack_strings() {
    for slack in [2, 25] {
        let name = format!("humanoid-on-strings:{slack}");
        let mut world = build(&name);
        let limits = Limits {
            gap: 1e-6,
            gain: 0.005,
            loss: 1.0,
        };
        run(&name, &mut world, 5, &limits);
    }
}

/// A sheet, flat and so in a singular pose, hung by a corner.
#[test]
fn sheet() {
    let mut world = build("sheet");
    let corner = point(&world, "along 0.0", [-0.1, 0.0, 0.0]);
    let at = world.position_world(&corner).unwrap();
    world.join("nail", Ball, GROUND.at(at), corner).unwrap();
    let limits = Limits {
        gap: 1e-6,
        gain: 0.005,
        loss: 0.1,
    };
    run("sheet", &mut world, 2, &limits);
}

/// Weeds sway and fishes swim; water takes energy and gives none.
#[test]
fn sea_weeds() {
    let mut world = build("sea-weeds");
    let limits = Limits {
        gap: 1e-8,
        gain: 0.0,
        loss: 1.0,
    };
    run("sea-weeds", &mut world, 2, &limits);
    for (fish, way) in [("fish 0", 1.0), ("fish 1", -1.0)] {
        let at = world
            .position_world(&point(&world, fish, [0.0; 3]))
            .unwrap();
        assert!(way * at[0] > -1.0 + 0.3, "{fish} swam: {at:?}");
    }
}

/// A mouth that bites a weed closes a loop (Faure 1999, §5).
#[test]
fn a_fish_bites() {
    let mut world = build("sea-weeds");
    let tip = world.find_body("weed 0 branch 11.3").unwrap();
    let fish = world.find_body("fish 0").unwrap();
    let (mouth, leaf) = (fish.at([0.15, 0.0, 0.0]), tip.at([0.06, 0.0, 0.0]));
    let at = world.position_world(&leaf).unwrap();
    let pose = Pose::at([at[0] - 0.15, at[1], at[2]]);
    world.set_pose(fish, pose).unwrap();
    world.join("bite", Ball, mouth, leaf).unwrap();
    // The bite stops the fish's speed relative to the weed: no energy is gained.
    let limits = Limits {
        gap: 1e-8,
        gain: 0.0,
        loss: 1.0,
    };
    run("bite", &mut world, 2, &limits);
}

/// Strings in parallel hold a plate more than once.
#[test]
fn plates_on_strings() {
    let limits = Limits {
        gap: 1e-6,
        gain: 0.005,
        loss: 0.1,
    };
    run("plate", &mut build("shaken-plate"), 5, &limits);
    run("pendulum", &mut build("string-pendulum"), 5, &limits);
}
