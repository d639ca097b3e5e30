//! Springs too stiff for explicit steps, under `precise`: they act like rods, cost little, and are named.

use linkwork::constraint::{Constraint, FramePair};
use linkwork::prelude::*;
use linkwork::step::{Rung, Stiffest};

use crate::support::{G, Run, below, close, difference, point, precise};

const FRAME: f64 = 1.0 / 60.0;

/// Makes a joint give way in all of its rows.
fn soften(world: &mut World, label: &str, stiffness: f64, damping: f64) {
    let id = world.find_constraint(label).unwrap();
    let n = world.constraint_record(id).unwrap().row_range().len();
    world.set_compliance(id, &vec![1.0 / stiffness; n]).unwrap();
    world.set_damping(id, &vec![damping; n]).unwrap();
}

/// A kilogram on a massless line of 1 m, let go at 0.5 rad.
fn pendulum() -> World {
    let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
    let at = Pose::at([0.5f64.sin(), 0.0, -0.5f64.cos()]);
    let bob = world
        .add_body_at("bob", Particle { mass: 1.0 }, at)
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    world
        .add_constraint("line", Distance { length: 1.0 }, &ends)
        .unwrap();
    world
}

fn springy(stiffness: f64) -> World {
    let mut world = pendulum();
    soften(&mut world, "line", stiffness, 0.0);
    world
}

/// Two rods in a row on a hinge, let go level, fast about all axes but those of the hinge.
fn bar(between: impl Constraint) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let [a, b] = [("inner", 0.5), ("outer", 1.5)].map(|(label, x)| {
        world
            .add_body_at(label, rod, Pose::at([x, 0.0, 0.0]))
            .unwrap()
    });
    let end = a.at([-0.5, 0.0, 0.0]);
    world.join("foot", Ball, GROUND.at([0.0; 3]), end).unwrap();
    let ends = [a.frame_at([0.5, 0.0, 0.0]), b.frame_at([-0.5, 0.0, 0.0])];
    world.add_constraint("between", between, &ends).unwrap();
    world.set_v(a, &[0.0, 1.0, 0.0, 5.0, 0.0, 2.0]).unwrap();
    world.set_v(b, &[0.0, 3.0, 0.0, 5.0, 0.0, 2.0]).unwrap();
    world
}

fn run(world: World, options: StepOptions, frames: usize) -> Run {
    let mut run = Run::new(world, options);
    (0..frames).for_each(|_| drop(run.step()));
    run
}

/// A bob on a stiff spring swings like one on a rod. In two seconds explicit steps would take 30,000 factors
/// at 1e8 N/m and three million at 1e12.
#[test]
fn stiff_lines_swing_like_rods() {
    for dt in [FRAME, 1.0 / 240.0, 1e-3] {
        let n = (2.0 / dt).round() as usize;
        let rigid = run(pendulum(), StepOptions::precise(dt), n);
        let expected = point(&rigid.world, "bob", [0.0; 3]);
        for stiffness in [2e10, 1e12, 1e15, 1e300] {
            let mut run = Run::new(springy(stiffness), StepOptions::precise(dt));
            let line = run.world.find_constraint("line").unwrap();
            for _ in 0..n {
                let report = run.step();
                assert_eq!(report.stiffest, Some(Stiffest::Constraint(line)));
                assert_eq!(report.rungs.of(Rung::Stiff), report.substeps);
            }
            let name = format!("{stiffness:e} N/m, {dt} s");
            let found = point(&run.world, "bob", [0.0; 3]);
            close(&name, &found, &expected, 3e-9 + 2.0 * G / stiffness);
            let n_factors = run.effort.factors;
            assert!(n_factors < 30 * n + 20_000, "{name}: {n_factors} factors");
        }
    }
}

/// Below the limit the vibration is followed, and keeps its energy; nothing is named.
#[test]
fn what_a_frame_shows_is_followed() {
    let mut world = springy(1e5);
    let bob = world.find_body("bob").unwrap();
    world.set_v(bob, &[0.1, 0.0, -0.2]).unwrap();
    let mut run = Run::new(world, StepOptions::precise(FRAME));
    for _ in 0..60 {
        assert_eq!(run.step().stiffest, None);
    }
    below("energy", run.drift(), 1e-6);
}

/// With whole frames as steps the error falls by order 5 where the spring is a rod.
#[test]
fn whole_steps_are_of_order_five() {
    let exact = run(pendulum(), StepOptions::precise(1e-3), 480);
    let expected = point(&exact.world, "bob", [0.0; 3]);
    let error = |n: usize| {
        let options = precise(0.48 / n as f64, None);
        let run = run(springy(1e13), options, n);
        difference(&point(&run.world, "bob", [0.0; 3]), &expected)
    };
    let (coarse, fine) = (error(4), error(8));
    let order = (coarse / fine).log2();
    assert!(order > 4.5, "{order}: {coarse:e}, {fine:e}");
}

/// Rods that a stiff weld holds, with and without damping, are one bar; also where all six of its rows are
/// springs, the bar turns about all axes, and a joint is hard.
#[test]
fn stiff_welds_make_one_bar() {
    let rigid = run(bar(FramePair::weld()), StepOptions::precise(FRAME), 60);
    let expected = point(&rigid.world, "outer", [0.5, 0.0, 0.0]);
    for (stiffness, damping) in [(1e12, 0.0), (1e12, 1e6), (1e12, 1e12), (1e10, 1e3)] {
        let mut world = bar(FramePair::weld());
        soften(&mut world, "between", stiffness, damping);
        let run = run(world, StepOptions::precise(FRAME), 60);
        let name = format!("{stiffness:e} N/m, {damping:e} N·s/m");
        let found = point(&run.world, "outer", [0.5, 0.0, 0.0]);
        close(&name, &found, &expected, 1e-7);
        below(&name, run.drift(), 1e-6 * rigid.fall);
        below(&name, run.gap, 1e-12);
        let n_factors = run.effort.factors;
        assert!(n_factors < 60_000, "{name}: {n_factors} factors");
    }
}

/// A vibration that no frame shows, and that does nothing to the swing, dies out at once and costs little. One
/// that pulls hard on what it holds is followed as far as that shows; it may cost as much as explicit steps.
#[test]
fn small_vibration_too_fast_for_frames_dies_out() {
    let rigid = run(pendulum(), StepOptions::precise(FRAME), 120);
    let expected = point(&rigid.world, "bob", [0.0; 3]);
    for (stiffness, stretch) in [(1e10, 1e-8), (1e12, 1e-9), (1e12, 1e-7)] {
        let mut world = springy(stiffness);
        let bob = world.find_body("bob").unwrap();
        let at = Pose::at([0.5f64.sin(), 0.0, -0.5f64.cos()].map(|x| (1.0 + stretch) * x));
        world.set_pose(bob, at).unwrap();
        let run = run(world, StepOptions::precise(FRAME), 120);
        let name = format!("{stiffness:e} N/m, stretched by {stretch:e} m");
        below(&name, run.gain, 1e-9);
        // What is left is what the weight stretches.
        let elastic = run.world.energy().unwrap().elastic;
        below(&name, elastic, 1.1 * G * G / stiffness);
        let found = point(&run.world, "bob", [0.0; 3]);
        close(&name, &found, &expected, 1e-8 + 10.0 * stretch);
        let n_factors = run.effort.factors;
        assert!(n_factors < 30_000, "{name}: {n_factors} factors");
    }
}

/// A simulator that is new at every step gives the same bits: stiffness is seen from the state.
#[test]
fn stiffness_is_seen_from_the_state_alone() {
    let mut kept = run(springy(1e12), StepOptions::precise(FRAME), 20);
    let mut fresh = springy(1e12);
    for _ in 0..20 {
        Simulator::new()
            .step(&mut fresh, &StepOptions::precise(FRAME))
            .unwrap();
    }
    assert_eq!(kept.world.state_hash(), fresh.state_hash());
    kept.step();
    assert_ne!(kept.world.state_hash(), fresh.state_hash());
}
