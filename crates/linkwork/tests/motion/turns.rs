//! Angles over full turns: screws, drives, couplings and torsion springs count them.

use std::f64::consts::TAU;

use linkwork::behavior::TorsionSpring;
use linkwork::body::{MassProperties, PlanarBody};
use linkwork::constraint::Coupling;
use linkwork::prelude::*;

use crate::support::precise;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const DT: f64 = 1.0 / 60.0;

/// A body on a hinge along x.
fn wheel(world: &mut World, label: &str) -> BodyId {
    let body = RigidBody::new(MassProperties::centered(1.0, [0.01; 3]));
    let body = world.add_body(label, body).unwrap();
    let axle = format!("axle of {label}");
    let (ground, hub) = (GROUND.at([0.0; 3]), body.at([0.0; 3]));
    world
        .join(&axle, Hinge { axis_world: X }, ground, hub)
        .unwrap();
    body
}

fn drive(world: &mut World, body: BodyId, rate: f64) {
    let frames = [GROUND.frame_at([0.0; 3]), body.frame_at([0.0; 3])];
    let function = AngleDrive::new(Ramp { start: 0.0, rate });
    world.add_constraint("drive", function, &frames).unwrap();
}

fn run(world: &mut World, options: &StepOptions, n: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..n {
        simulator.step(world, options).unwrap();
    }
}

/// A screw that is driven while its nut cannot move is forced off its thread, further with every turn. It
/// does not catch the next thread.
#[test]
fn a_screw_does_not_jump_threads() {
    let lead = 0.02;
    for rate in [20.0, -20.0] {
        let mut world = World::new();
        let spindle = wheel(&mut world, "spindle");
        drive(&mut world, spindle, rate);
        let nut = RigidBody::new(MassProperties::centered(1.0, [0.01; 3]));
        let nut = world.add_body("nut", nut).unwrap();
        let (ground, middle) = (GROUND.at([0.0; 3]), nut.at([0.0; 3]));
        let guide = Prismatic { axis_world: X };
        world.join("guide", guide, ground, middle).unwrap();
        world.join("stop", Ball, ground, middle).unwrap();
        let frames = [spindle.frame_at([0.0; 3]), nut.frame_at([0.0; 3])];
        let thread = Screw { pitch: lead / TAU };
        let thread = world.add_constraint("thread", thread, &frames).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(DT);
        // Thread, stop and axle give alike: each by a third of what the spindle advances.
        let each = lead / 3.0 * rate.abs() * DT / TAU;
        let mut before = 0.0;
        for step in 0..120 {
            let report = simulator.step(&mut world, &options).unwrap();
            let now = world.q(nut).unwrap()[0];
            let moved = (now - before).abs();
            assert!((moved - each).abs() < 0.01 * each, "{rate} {step}: {moved}");
            before = now;
            let off = world.constraint_values(thread).unwrap().0[4].abs();
            let made = f64::from(step + 1) * each;
            assert!((off - made).abs() < 0.01 * made, "{rate} {step}: {off}");
            assert!(report.position_error > 0.5 * made);
        }
    }
}

/// A drive takes its joint through many turns a frame, from rest too, and a spring on a free wheel counts
/// the turns of any spin.
#[test]
fn fast_spins_are_counted() {
    for options in [StepOptions::interactive(DT), precise(DT, Some(1e-9))] {
        for rate in [3.0, -40.0, 1000.0] {
            let mut world = World::new();
            let driven = wheel(&mut world, "driven");
            drive(&mut world, driven, rate);
            let free = wheel(&mut world, "free");
            world.set_v(free, &[0.0, 0.0, 0.0, rate, 0.0, 0.0]).unwrap();
            let counter = TorsionSpring {
                stiffness: 0.0,
                rest_angle: 0.0,
                damping: 0.0,
            };
            let frames = [GROUND.frame_at([0.0; 3]), free.frame_at([0.0; 3])];
            world.add_behavior("counter", counter, &frames).unwrap();
            run(&mut world, &options, 100);
            let turns = (rate * 100.0 * DT / TAU).round();
            let counted = &world.state().turns;
            assert_eq!(counted.joints, [turns], "{rate}");
            assert_eq!(counted.springs, [turns], "{rate}");
            let c = world.constraint_values(world.find_constraint("drive").unwrap());
            assert!(c.unwrap().0[0].abs() < 1e-6, "{rate}");
        }
    }
}

/// A spring that rests further than half a turn away unwinds as far: θ = φ₀·(1 − cos ωt).
#[test]
fn a_torsion_spring_may_rest_turns_away() {
    for rest_angle in [3.3, -5.0, 20.0, -TAU] {
        for options in [precise(DT, Some(1e-10)), StepOptions::interactive(1e-4)] {
            let mut world = World::new();
            let body = wheel(&mut world, "wheel");
            let frames = [GROUND.frame_at([0.0; 3]), body.frame_at([0.0; 3])];
            let spring = TorsionSpring {
                stiffness: 1.0,
                rest_angle,
                damping: 0.0,
            };
            world.add_behavior("spring", spring, &frames).unwrap();
            let energy = world.energy().unwrap().total();
            assert!((energy - 0.5 * rest_angle * rest_angle).abs() < 1e-12);
            let n = (0.5 / options.dt).round();
            run(&mut world, &options, n as usize);
            // ω = √(k/I) = 10 rad/s.
            let rate = rest_angle * 10.0 * (10.0 * n * options.dt).sin();
            let found = world.v(body).unwrap()[3];
            assert!(
                (found - rate).abs() < 1e-4 * rest_angle.abs(),
                "{rest_angle}: {found}, {rate}"
            );
        }
    }
}

/// In space and in the plane alike a spring counts from the angle where it begins to the rest that was written, which
/// need not be the short way: φ = φ₀ + (φ₁ − φ₀)·cos ωt. (In space it took the short way to a rest within half a turn.)
#[test]
fn a_torsion_spring_rests_where_it_is_written() {
    for (begin, rest_angle) in [
        (3.0, -3.0),
        (-2.0, 2.5),
        (0.3, 20.0),
        (3.0, -20.0),
        (0.4, 1.0),
    ] {
        let spring = TorsionSpring {
            stiffness: 1.0,
            rest_angle,
            damping: 0.0,
        };
        let mut space = World::new();
        let body = wheel(&mut space, "wheel");
        let turned = Pose::turned([0.0; 3], [begin, 0.0, 0.0]);
        space.set_pose(body, turned).unwrap();
        let frames = [GROUND.frame_at([0.0; 3]), body.frame_at([0.0; 3])];
        space.add_behavior("spring", spring, &frames).unwrap();

        let mut plane = World::new();
        let disc = PlanarBody {
            mass: 1.0,
            inertia: 0.01,
            com_body: [0.0; 2],
            outline: None,
        };
        let disc = plane.add_body("disc", disc).unwrap();
        plane.set_q(disc, &[0.0, 0.0, begin]).unwrap();
        let flat = [GROUND.frame2([0.0; 2], 0.0), disc.frame2([0.0; 2], 0.0)];
        plane.add_behavior("spring", spring, &flat).unwrap();

        for (mut world, body, rate) in [(space, body, 3), (plane, disc, 2)] {
            let way = begin - rest_angle;
            let energy = world.energy().unwrap().total();
            assert!(
                (energy - 0.5 * way * way).abs() < 1e-9,
                "{rest_angle}: {energy}"
            );
            run(&mut world, &precise(DT, Some(1e-10)), 30);
            // ω = √(k/I) = 10 rad/s.
            let found = world.v(body).unwrap()[rate];
            let expected = -10.0 * way * (10.0 * 30.0 * DT).sin();
            let off = (found - expected).abs();
            assert!(
                off < 1e-6 * way.abs(),
                "{begin} {rest_angle}: {found}, {expected}"
            );
            let after = world.energy().unwrap().total();
            assert!((after - energy).abs() < 1e-6 * energy);
        }
    }
}

/// A torsion spring is wound up by a spinning wheel, for several turns, and throws it back: energy stays.
#[test]
fn a_torsion_spring_is_wound_up() {
    let spin = 60.0;
    let mut world = World::new();
    let free = wheel(&mut world, "free");
    world.set_v(free, &[0.0, 0.0, 0.0, spin, 0.0, 0.0]).unwrap();
    let (inertia, stiffness) = (0.01, 0.02);
    let spring = TorsionSpring {
        stiffness,
        rest_angle: 0.5,
        damping: 0.0,
    };
    let frames = [GROUND.frame_at([0.0; 3]), free.frame_at([0.0; 3])];
    world.add_behavior("spring", spring, &frames).unwrap();
    let before = world.energy().unwrap().total();
    let omega = f64::sqrt(stiffness / inertia);
    let options = precise(DT, Some(1e-9));
    let mut simulator = Simulator::new();
    let mut most = 0.0f64;
    for step in 1..=300 {
        simulator.step(&mut world, &options).unwrap();
        let t = f64::from(step) * DT;
        let deflection = spin / omega * (omega * t).sin() - 0.5 * (omega * t).cos();
        let energy = world.energy().unwrap();
        let stored = 0.5 * stiffness * deflection * deflection;
        assert!((energy.potential - stored).abs() < 1e-5 * before, "{step}");
        assert!((energy.total() - before).abs() < 1e-6 * before, "{step}");
        most = most.max(deflection);
    }
    assert!(most > 6.0 * TAU);
}

/// Half a turn for each: not to be told apart without counting.
#[test]
fn couplings_of_any_ratio_go_through_many_turns() {
    for ratio in [0.5, -2.5, 3.0] {
        let mut world = World::new();
        let leading = wheel(&mut world, "leading");
        drive(&mut world, leading, 8.0);
        let following = wheel(&mut world, "following");
        let ground = GROUND.frame_at([0.0; 3]);
        let frames = [leading, following].map(|wheel| wheel.frame_at([0.0; 3]));
        let inputs = [ground, frames[0], ground, frames[1]];
        let coupling = Coupling::of_angles(ratio, 0.0);
        world.add_constraint("belt", coupling, &inputs).unwrap();
        run(&mut world, &StepOptions::interactive(DT), 400);
        let belt = world.find_constraint("belt").unwrap();
        assert!(world.constraint_values(belt).unwrap().0[0].abs() < 1e-6);
        let angle = 8.0 * 400.0 * DT;
        let turns = [angle, angle, ratio * angle].map(|angle| (angle / TAU).round());
        assert_eq!(world.state().turns.joints, turns, "{ratio}");
    }
}

/// Turns are state: a simulator that is dropped after every step gives the same bits, a snapshot brings
/// them back, and the hash tells them.
#[test]
fn turns_are_state() {
    let mut world = World::new();
    let driven = wheel(&mut world, "driven");
    drive(&mut world, driven, 50.0);
    let options = StepOptions::interactive(DT);
    let start = world.snapshot();
    let mut kept = Simulator::new();
    let mut hashes = vec![];
    for _ in 0..100 {
        kept.step(&mut world, &options).unwrap();
        hashes.push(world.state_hash());
    }
    let turns = world.state().turns.clone();
    assert!(turns.joints[0] > 10.0);
    world.restore(&start).unwrap();
    assert!(world.state().turns.joints[0].is_infinite());
    for hash in hashes {
        Simulator::new().step(&mut world, &options).unwrap();
        assert_eq!(world.state_hash(), hash);
    }
    assert_eq!(world.state().turns, turns);
    let hash = world.state_hash();
    let mut state = world.state().clone();
    state.turns.joints[0] += 1.0;
    world.set_state(state).unwrap();
    assert_ne!(world.state_hash(), hash);
    let c = world.constraint_values(world.find_constraint("drive").unwrap());
    assert!((c.unwrap().0[0] - TAU).abs() < 1e-6);
}

#[test]
fn turns_that_are_none_are_refused() {
    let mut world = World::new();
    let driven = wheel(&mut world, "driven");
    drive(&mut world, driven, 50.0);
    for count in [0.5, 1e18, -1e18, f64::NAN, f64::NEG_INFINITY] {
        let mut state = world.state().clone();
        state.turns.joints[0] = count;
        let problem = world.set_state(state).unwrap_err().to_string();
        assert!(problem.contains("whole number"), "{problem}");
    }
    let mut state = world.state().clone();
    state.turns.joints.push(0.0);
    assert!(world.set_state(state).is_err());
}
