//! Steps are judged from both ends: energy does not leak where their length changes.

use linkwork::prelude::*;
use linkwork_scene::export::{EnergyAccount, energy_rate};

/// What a scene lost and gained under its own options, as parts of what it exchanges.
fn drift(name: &str, seconds: f64) -> (f64, f64) {
    let mut scene = linkwork_scene::library::open(name).unwrap();
    let n_frames = (seconds / scene.options.dt).round() as u64;
    let (world, options) = (&mut scene.world, &scene.options);
    let mut simulator = Simulator::new();
    // What is shaken or driven takes hold in the first frame.
    simulator.step(world, options).unwrap();
    let mut account = EnergyAccount::begin(world, n_frames).unwrap();
    for _ in 0..n_frames {
        simulator.step(world, options).unwrap();
        account.frame(world, options.dt).unwrap();
    }
    let drift = account.drift(world).unwrap();
    (drift.loss / drift.exchanged, drift.gain / drift.exchanged)
}

/// Judged from their start alone, steps lost 33, 8 and 4 % of what is exchanged.
#[test]
fn frames_that_are_split_and_joined_do_not_leak() {
    for (name, loss, gain) in [
        ("baraff-chains-96-12", 0.07, 0.02),
        ("shaken-plate", 0.01, 0.01),
        ("grid:4,4", 0.02, 0.005),
    ] {
        let (lost, gained) = drift(name, 20.0);
        assert!(lost < loss, "{name} lost {lost}");
        assert!(gained < gain, "{name} gained {gained}");
    }
}

/// A motor turns ever faster; steps that were judged from their start lost two thirds of its work in a second.
#[test]
fn a_motor_gets_faster() {
    let mut scene = linkwork_scene::library::open("andrews").unwrap();
    let (world, options) = (&mut scene.world, &scene.options);
    let (mut simulator, mut looker) = (Simulator::new(), Simulator::new());
    let start = world.energy().unwrap().total();
    let mut before = energy_rate(&mut looker, world, options.dt).unwrap();
    let mut work = 0.0;
    while world.state().t < 0.75 {
        simulator.step(world, options).unwrap();
        let power = energy_rate(&mut looker, world, options.dt).unwrap();
        work += 0.5 * options.dt * (before + power);
        before = power;
    }
    let gained = world.energy().unwrap().total() - start;
    assert!(work > 100.0, "{work}");
    assert!((gained / work - 1.0).abs() < 0.05, "{gained} of {work}");
}
