//! Scenes in the user's hands: dragged, shaken, bitten and bound while they move.

use linkwork::connector::Connector;
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::stabilize::Stabilization;
use linkwork::world::GripId;

use crate::{build, point};

const DT: f64 = 1.0 / 60.0;
const FORCE: Drag = Drag::Force {
    stiffness: 2000.0,
    damping: 50.0,
};

/// The two iterative methods with so many iterations in a solve.
fn iterated(max_iterations: usize, warm_start: bool) -> [Method; 2] {
    let krylov = Krylov::default()
        .with_tolerance(1e-12)
        .with_max_iterations(max_iterations)
        .with_warm_start(warm_start);
    [Method::NormalCg(krylov), Method::ForestKrylov(krylov)]
}

/// Faure's step as printed, and the interactive one with as many iterations to spend.
fn cut_short(outer: usize, inner: usize) -> [StepOptions; 2] {
    let rule = Stabilization::Displacement { iterations: outer };
    [
        StepOptions::parts(DT, Integrator::Stoermer, rule),
        StepOptions::interactive(DT).within(
            Budget::default()
                .with_max_iterations(outer * inner)
                .with_tolerance(1e-9),
        ),
    ]
}

/// The structure, held by a corner.
fn held_structure(drag: Drag) -> (World, GripId, [f64; 3]) {
    let mut world = build("structure-56");
    let corner = point(&world, "along 0.0", [-0.1, 0.0, 0.0]);
    let start = world.position_world(&corner).unwrap();
    let grip = world.grab(corner, drag).unwrap();
    (world, grip, start)
}

/// Moves the hand by 0.5 m to the side and once up and down within a second; the mean gap.
fn wave(
    world: &mut World,
    simulator: &mut Simulator,
    options: &StepOptions,
    (grip, start): (GripId, [f64; 3]),
) -> f64 {
    let mut sum = 0.0;
    for frame in 1..=60 {
        let s = f64::from(frame) / 60.0;
        let up = 0.5 * (std::f64::consts::TAU * s).sin();
        let goal = [start[0] - 0.5 * s, start[1] + up, start[2]];
        world.drag(grip, goal).unwrap();
        sum += simulator.step(world, options).unwrap().position_error;
    }
    sum / 60.0
}

/// Faure 1998, fig. 5: with 2×5 iterations it stretches but stays together, with 3×50 it looks
/// exact, and however coarse it is, it never flies apart.
#[test]
fn a_structure_is_dragged_with_few_and_with_many_iterations() {
    for drag in [Drag::Pin, Drag::Follow, FORCE] {
        for (warm, scheme) in [(false, 0), (false, 1), (true, 1)] {
            for method in 0..2 {
                let mut gaps = vec![];
                for (outer, inner) in [(2, 5), (3, 50)] {
                    let method = iterated(inner, warm)[method];
                    let options = cut_short(outer, inner)[scheme].by(method);
                    let (mut world, grip, start) = held_structure(drag);
                    let mut simulator = Simulator::new();
                    let hand = (grip, start);
                    gaps.push(wave(&mut world, &mut simulator, &options, hand));
                    // The hand rests; the structure swings on. Long runs only when coarse.
                    let mut largest = 0.0f64;
                    for _ in 0..(if outer == 2 { 300 } else { 60 }) {
                        let report = simulator.step(&mut world, &options).unwrap();
                        largest = largest.max(report.position_error);
                    }
                    let what = format!("{} {drag:?} {outer}×{inner}", method.name());
                    // The structure is 0.8 m wide.
                    assert!(largest < 0.8, "{what}: {largest:e}");
                    let speed = world.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
                    assert!(speed < 100.0, "{what}: {speed:e}");
                }
                assert!(gaps[0] > 5.0 * gaps[1], "{drag:?} {scheme}: {gaps:?}");
                assert!(gaps[1] < 2e-3, "{drag:?} {scheme}: {gaps:?}");
            }
        }
    }
}

/// … and once the hand rests, precision is recovered.
#[test]
fn precision_is_recovered_when_the_hand_rests() {
    for drag in [Drag::Pin, Drag::Follow] {
        for dynamics in [Dynamics::Assembly, Dynamics::FirstOrder] {
            for (outer, inner) in [(2, 5), (3, 50)] {
                for method in [iterated(inner, true), iterated(inner, false)].concat() {
                    let (mut world, grip, start) = held_structure(drag);
                    let gravity = world.find_behavior("gravity").unwrap();
                    world.remove_behavior(gravity).unwrap();
                    world.set_dynamics(dynamics);
                    // To draw it, plain gradients need some 300 products for each of two or three
                    // corrections, and ten a frame are all they have.
                    let is_slow = (inner, method.name()) == (5, "normal-cg");
                    let frames = if is_slow { 75 } else { 30 };
                    let options = cut_short(outer, inner)[1].by(method);
                    let options = options.within(options.budget.with_tolerance(1e-6));
                    let mut simulator = Simulator::new();
                    wave(&mut world, &mut simulator, &options, (grip, start));
                    let what = format!("{} {drag:?} {dynamics:?} {outer}×{inner}", method.name());
                    let mut gap = f64::INFINITY;
                    for _ in 0..frames {
                        let report = simulator.step(&mut world, &options).unwrap();
                        gap = report.position_error;
                        assert!(report.effort.iterations <= outer * inner, "{what}");
                    }
                    assert!(gap <= 1e-6, "{what}: {gap:e}");
                    let left = way_to_go(&world, grip);
                    assert!(left < 0.02, "{what}: {left}");
                }
            }
        }
    }
}

/// How far what is held is from its goal.
fn way_to_go(world: &World, grip: GripId) -> f64 {
    let record = world.grip_record(grip).unwrap();
    let held = world.position_world(record.held()).unwrap();
    let goal = world.position_world(&record.hand().at([0.0; 3])).unwrap();
    (0..3)
        .map(|k| (held[k] - goal[k]).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// The same for mechanisms that hang on the ground, where a goal may be out of reach, with ten iterations a
/// frame.
#[test]
fn mechanisms_recover_when_the_hand_rests() {
    for (scene, body, at) in [
        ("four-bar", "crank", [0.5, 0.0, 0.0]),
        ("ladder3:6,2", "rung 1", [0.1, 0.0, 0.0]),
    ] {
        for drag in [Drag::Pin, Drag::Follow] {
            for dynamics in [Dynamics::Assembly, Dynamics::FirstOrder] {
                for method in [iterated(5, true), iterated(5, false)].concat() {
                    let mut world = build(scene);
                    if let Some(gravity) = world.find_behavior("gravity") {
                        world.remove_behavior(gravity).unwrap();
                    }
                    world.set_dynamics(dynamics);
                    let held = point(&world, body, at);
                    let start = world.position_world(&held).unwrap();
                    let grip = world.grab(held, drag).unwrap();
                    let mut options = cut_short(2, 5)[1].by(method);
                    options.budget.tolerance = 1e-6;
                    let mut simulator = Simulator::new();
                    for frame in 1..=60 {
                        let s = f64::from(frame) / 60.0;
                        let up = 0.2 * (std::f64::consts::TAU * s).sin();
                        let goal = [start[0] - 0.2 * s, start[1] + up, start[2]];
                        world.drag(grip, goal).unwrap();
                        simulator.step(&mut world, &options).unwrap();
                    }
                    let what = format!("{scene} {} {drag:?} {dynamics:?}", method.name());
                    let mut gap = f64::INFINITY;
                    for _ in 0..30 {
                        let report = simulator.step(&mut world, &options).unwrap();
                        gap = report.position_error;
                        assert!(report.effort.iterations <= 10, "{what}");
                    }
                    assert!(gap <= 1e-6, "{what}: {gap:e}");
                    // The crank's goal is 0.083 m out of its reach.
                    let least = f64::from(u8::from((scene, drag) == ("four-bar", Drag::Follow)));
                    let left = way_to_go(&world, grip) - 0.083 * least;
                    assert!((-1e-3..0.03).contains(&left), "{what}: {left}");
                }
            }
        }
    }
}

/// Faure 1998, fig. 6: a plate on strings is shaken to and fro, twice a second.
#[test]
fn a_plate_is_shaken_by_the_hand() {
    for drag in [Drag::Pin, Drag::Follow, FORCE] {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            let mut world = build("shaken-plate");
            world.set_dynamics(dynamics);
            let edge = point(&world, "plate", [0.6, 0.0, 0.0]);
            let start = world.position_world(&edge).unwrap();
            let grip = world.grab(edge, drag).unwrap();
            let mut simulator = Simulator::new();
            let (mut gap, mut kinetic, mut moved) = (0.0f64, 0.0f64, 0.0f64);
            for frame in 1..=120 {
                let phase = std::f64::consts::TAU * 2.0 * f64::from(frame) * DT;
                let goal = [start[0] + 0.2 * phase.sin(), start[1], start[2]];
                world.drag(grip, goal).unwrap();
                let report = simulator
                    .step(&mut world, &StepOptions::interactive(DT))
                    .unwrap();
                gap = gap.max(report.position_error);
                kinetic = kinetic.max(world.energy().unwrap().kinetic);
                moved = moved.max((world.position_world(&edge).unwrap()[0] - start[0]).abs());
            }
            assert!(gap < 1e-6, "{drag:?} {dynamics:?}: {gap:e}");
            // Single strings whirl: a micrometer more of the hand's way changes the fastest spin from 80 to 150 rad/s,
            // but the energy only from 146 to 163 J.
            assert!(kinetic < 200.0, "{drag:?} {dynamics:?}: {kinetic}");
            let held = dynamics == Dynamics::Assembly && drag == FORCE;
            assert!(held || moved > 0.1, "{drag:?} {dynamics:?}: {moved}");
        }
    }
}

/// Faure 1999, fig. 4: a fish is led to a weed, bites, pulls and lets go, while a hand holds the
/// other weed by its tip; then the weeds are bound to each other and parted. Loops open and close.
#[test]
fn fishes_and_hands_pull_weeds_while_loops_open_and_close() {
    let second = Dynamics::SecondOrder;
    for (drag, dynamics) in [
        (Drag::Pin, Dynamics::FirstOrder),
        (Drag::Follow, second),
        (FORCE, second),
    ] {
        let mut world = build("sea-weeds");
        world.set_dynamics(dynamics);
        let mouth = point(&world, "fish 0", [0.15, 0.0, 0.0]);
        let leaf = point(&world, "weed 0 branch 11.3", [0.06, 0.0, 0.0]);
        let twig = point(&world, "weed 0 branch 7.3", [0.06, 0.0, 0.0]);
        let tip = point(&world, "weed 1 stem 11", [0.06, 0.0, 0.0]);
        let at = |world: &World, of: &Connector| world.position_world(of).unwrap();
        let fish = world.grab(mouth, drag).unwrap();
        let hand = world.grab(tip, drag).unwrap();
        let (from, home) = (at(&world, &mouth), at(&world, &tip));
        let mut simulator = Simulator::new();
        let (mut bite, mut knot, mut events) = (None, None, 0);
        for frame in 0..240 {
            let s = f64::from(frame) * DT;
            let to = at(&world, &leaf);
            let goal = match frame {
                // To the leaf, by a part of the way that is left.
                0..60 => {
                    let part = 1.0 / f64::from(60 - frame);
                    let x = at(&world, &mouth);
                    [0, 1, 2].map(|k| x[k] + part * (to[k] - x[k]))
                }
                // Away with it, and round.
                _ => [
                    from[0] + 0.4 * s.sin() + 0.4,
                    from[1] + 0.2 * s.cos(),
                    from[2],
                ],
            };
            world.drag(fish, goal).unwrap();
            let up = 0.1 * (4.0 * s).sin();
            world
                .drag(hand, [home[0] - 0.1 * s, home[1] + up, home[2]])
                .unwrap();
            match frame {
                60 => {
                    bite = Some(world.join_over("bite", Ball, (mouth, leaf), 0.25).unwrap());
                }
                100 => {
                    knot = Some(world.join_over("knot", Ball, (tip, twig), 0.5).unwrap());
                }
                160 => {
                    world.remove_constraint(bite.take().unwrap()).unwrap();
                }
                200 => {
                    world.remove_constraint(knot.take().unwrap()).unwrap();
                }
                _ => {}
            }
            let report = simulator
                .step(&mut world, &StepOptions::interactive(DT))
                .unwrap();
            events += report.events.len();
            let (bites, knots) = ((60..160).contains(&frame), (100..200).contains(&frame));
            let n_loops = match drag {
                // Roots let go: the knot closes a loop over the fish, while that bites.
                Drag::Pin => usize::from(bites && knots),
                // Over both roots.
                Drag::Follow => usize::from(knots),
                // Springs are rows like others: the hand at the tip closes a loop too.
                _ => 1 + usize::from(bites) + usize::from(knots),
            };
            let n_loop_rows = simulator.topology().n_loop_rows();
            assert_eq!(n_loop_rows, 3 * n_loops, "{drag:?} {frame}");
            // The weeds' roots gave way to pins; once nothing holds them they come home.
            let comes_home = drag == Drag::Pin && (200..210).contains(&frame);
            assert!(report.position_error < if comes_home { 0.1 } else { 1e-6 });
        }
        assert_eq!(events, 2, "bite and knot closed");
    }
}

/// A root that gave way to a pin comes home when the hand lets go, and joints hold meanwhile.
#[test]
fn joints_hold_while_a_root_gives_way_and_when_it_comes_home() {
    for dynamics in [
        Dynamics::FirstOrder,
        Dynamics::Assembly,
        Dynamics::SecondOrder,
    ] {
        for beyond in [0.05, 0.5] {
            let mut world = build("sea-weeds");
            world.set_dynamics(dynamics);
            let tip = point(&world, "weed 0 stem 11", [0.06, 0.0, 0.0]);
            let home = world.position_world(&tip).unwrap();
            let hand = world.grab(tip, Drag::Pin).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(DT);
            let mut gave = 0.0f64;
            for frame in 0..60 {
                let s = f64::from(frame) / 60.0;
                let goal = [home[0] + beyond * s, home[1] + (0.1 + beyond) * s, home[2]];
                world.drag(hand, goal).unwrap();
                let report = simulator.step(&mut world, &options).unwrap();
                let gap = report.position_error;
                assert!(gap < 1e-6, "{dynamics:?} {beyond}: {gap:e}");
                gave = report.gave_way.iter().fold(0.0, |m, g| m.max(g.error));
            }
            assert!(gave > beyond, "{dynamics:?}: gave way by {gave}");
            world.release(hand).unwrap();
            for frame in 0..20 {
                let report = simulator.step(&mut world, &options).unwrap();
                let gap = report.position_error;
                let enough = if frame < 6 { 0.1 } else { 1e-8 };
                assert!(gap < enough, "{dynamics:?} {beyond} {frame}: {gap:e}");
            }
        }
    }
}

/// Inverse kinematics: in a first-order world a hand is led about while the feet stay where they
/// are, by hands of their own; then another hand takes the head.
#[test]
fn a_humanoid_is_posed_by_its_hand() {
    for drag in [Drag::Follow, Drag::Pin] {
        let mut world = build("humanoid");
        if let Some(gravity) = world.find_behavior("gravity") {
            world.remove_behavior(gravity).unwrap();
        }
        world.set_dynamics(Dynamics::FirstOrder);
        let feet = ["left foot", "right foot"].map(|foot| {
            let body = world.find_body(foot).unwrap();
            world.grab(body.frame_at([0.0; 3]), Drag::Follow).unwrap()
        });
        let hand = point(&world, "left hand", [0.0; 3]);
        let soles = ["left foot", "right foot"].map(|foot| point(&world, foot, [0.0; 3]));
        let stood = soles.map(|sole| world.position_world(&sole).unwrap());
        let start = world.position_world(&hand).unwrap();
        let grip = world.grab(hand, drag).unwrap();
        let mut simulator = Simulator::new();
        let mut miss = 0.0f64;
        for frame in 1..=120 {
            let s = std::f64::consts::TAU * f64::from(frame) / 120.0;
            let goal = [
                start[0] + 0.1 * s.sin(),
                start[1] + 0.2 * (1.0 - s.cos()),
                start[2] + 0.1 * (1.0 - s.cos()),
            ];
            world.drag(grip, goal).unwrap();
            let report = simulator
                .step(&mut world, &StepOptions::interactive(DT))
                .unwrap();
            report.require(2e-9).unwrap();
            let now = world.position_world(&hand).unwrap();
            miss = (0..3).fold(miss, |m, k| m.max((now[k] - goal[k]).abs()));
            for (sole, at) in soles.iter().zip(&stood) {
                let now = world.position_world(sole).unwrap();
                let slip = (0..3).fold(0.0f64, |m, k| m.max((now[k] - at[k]).abs()));
                assert!(slip < 1e-6, "{drag:?} {frame}: a foot slipped by {slip:e}");
            }
        }
        assert!(miss < 1e-6, "{drag:?}: {miss:e}");
        // Let go, and nothing moves any more.
        let head = point(&world, "head", [0.0; 3]);
        world.grab(head, drag).unwrap();
        for grip in [grip, feet[0], feet[1]] {
            world.release(grip).unwrap();
        }
        let before = world.state().q.clone();
        simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
        let pairs = before.iter().zip(&world.state().q);
        let moved = pairs.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(moved < 1e-9, "{drag:?}: {moved:e}");
    }
}

/// Faure 1999, §3.4, in motion and under every method: only bindings of level 1 give way.
#[test]
fn characters_keep_their_joints_under_every_method() {
    for method in Method::ALL {
        let dynamics = Dynamics::Assembly;
        let mut world = build("three-characters");
        world.set_dynamics(dynamics);
        let hand = point(&world, "1 left hand", [0.0; 3]);
        let start = world.position_world(&hand).unwrap();
        let grip = world.grab(hand, Drag::Follow).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(DT).by(method);
        for frame in 1..=6 {
            let up = 0.02 * f64::from(frame);
            world
                .drag(grip, [start[0], start[1] + up, start[2]])
                .unwrap();
            let report = simulator.step(&mut world, &options).unwrap();
            let closed = report.require(5e-9);
            let what = format!("{} {dynamics:?} {frame}", method.name());
            assert!(closed.is_ok(), "{what}: {closed:?}");
            assert!(!report.gave_way.is_empty(), "{what}");
            for gave in &report.gave_way {
                let record = world.constraint_record(gave.constraint).unwrap();
                assert!(record.priority() > 0, "{what}: {}", record.label());
            }
        }
    }
}
