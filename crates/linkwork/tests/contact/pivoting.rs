//! The pivoting of Baraff 1994 and 1996 in place of Newton's methods: what is the same, and what is not.

use super::support::{DT, G, at, block, flat, on_floor};
use linkwork::collide::Shape;
use linkwork::constraint::AngleLimit;
use linkwork::math::{norm, sub};
use linkwork::prelude::*;
use linkwork::solve::ContactSolver;
use linkwork::world::Collider;

const SOLVERS: [ContactSolver; 2] = [ContactSolver::Newton, ContactSolver::Pivoting];

/// Runs copies of a world by both solvers, and hands on both after every frame.
fn run_both(world: &World, n_frames: usize, mut each: impl FnMut(&[World; 2], [&StepReport; 2])) {
    let mut worlds = [world.clone(), world.clone()];
    let mut simulators = [Simulator::new(), Simulator::new()];
    for _ in 0..n_frames {
        let mut reports = vec![];
        for ((world, simulator), solver) in worlds.iter_mut().zip(&mut simulators).zip(SOLVERS) {
            let options = StepOptions::interactive(DT).with_contact_solver(solver);
            reports.push(simulator.step(world, &options).unwrap());
        }
        each(&worlds, [&reports[0], &reports[1]]);
    }
}

fn farthest(a: &World, b: &World) -> f64 {
    let pairs = a.state().q.iter().zip(&b.state().q);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Ten blocks that slip, masses alike or a hundredfold apart: 40 contacts that repeat each other, and no friction.
#[test]
fn a_stack_without_friction_rests_by_both() {
    for power in [0.0, 2.0, -2.0] {
        let mut world = flat(0.0);
        for k in 0..10 {
            let mass = 10f64.powf(power * f64::from(k) / 9.0);
            let at = [0.0, 0.1 + 0.2 * f64::from(k), 0.0];
            block(&mut world, [0.1; 3], mass, Pose::at(at), 0.0);
        }
        run_both(&world, 20, |worlds, [_, pivoting]| {
            assert!(pivoting.law_error < 1e-9, "{power}: {pivoting:?}");
            assert!(pivoting.overrun < 1e-9);
            assert!(farthest(&worlds[0], &worlds[1]) < 1e-8, "{power}");
        });
    }
}

/// A four-bar whose rocker hits a stop, with and without rebound: the same motion to round-off.
#[test]
fn a_four_bar_hits_its_stop_by_both() {
    for restitution in [0.0, 0.5] {
        let world = four_bar(restitution);
        let mut blows = [0, 0];
        run_both(&world, 60, |worlds, reports| {
            for (blows, report) in blows.iter_mut().zip(reports) {
                *blows += report.blows;
                assert!(
                    report.law_error < 1e-9 && report.overrun < 1e-9,
                    "{report:?}"
                );
                assert!(report.position_error < 1e-9, "{report:?}");
            }
            assert!(farthest(&worlds[0], &worlds[1]) < 1e-8, "{restitution}");
        });
        assert!(blows[0] >= 1 && blows[0] == blows[1], "{blows:?}");
    }
}

/// Its crank turns, and the rocker may turn by 0.15 rad.
fn four_bar(restitution: f64) -> World {
    let z = [0.0, 0.0, 1.0];
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let points = [
        [0.0, 0.0, 0.0],
        [0.0, 0.1, 0.0],
        [0.4, 0.3, 0.0],
        [0.4, 0.0, 0.0],
    ];
    let mut bars = vec![];
    for k in 0..3 {
        let along = sub(points[k + 1], points[k]);
        let length = norm(along);
        let rod = Rod {
            length,
            radius: 0.01,
            mass: 2.0 * length,
        };
        let middle = [points[k][0] + 0.5 * along[0], points[k][1] + 0.5 * along[1]];
        let pose = Pose::in_plane(middle, along[1].atan2(along[0]));
        let body = world.add_body_at(&format!("bar {k}"), rod, pose).unwrap();
        bars.push((body, 0.5 * length));
    }
    let end = |k: usize, side: f64| bars[k].0.at([side * bars[k].1, 0.0, 0.0]);
    let hinge = Hinge { axis_world: z };
    for (label, a, b) in [
        ("a", GROUND.at(points[0]), end(0, -1.0)),
        ("b", end(0, 1.0), end(1, -1.0)),
        ("c", end(1, 1.0), end(2, -1.0)),
        ("d", GROUND.at(points[3]), end(2, 1.0)),
    ] {
        world.join(label, hinge, a, b).unwrap();
    }
    let rocker = bars[2].0;
    let range = AngleLimit {
        lower: -0.5 * std::f64::consts::PI - 0.15,
        upper: -0.5 * std::f64::consts::PI + 0.15,
        restitution,
    };
    let frames = [
        GROUND.frame_along([0.0; 3], z),
        rocker.frame_along([0.0; 3], z),
    ];
    world.add_constraint("stop", range, &frames).unwrap();
    let crank = bars[0].0;
    world
        .set_v(crank, &[1.0, 0.0, 0.0, 0.0, 0.0, -20.0])
        .unwrap();
    let mut state = world.state().clone();
    let mut simulator = Simulator::new();
    let correction = simulator.velocity_correction(&world, Method::Direct);
    for (v, dv) in state.v.iter_mut().zip(&correction.motion) {
        *v += dv;
    }
    world.set_state(state).unwrap();
    world
}

/// In the plane the box of friction is the cone: a disc that slides begins to roll, by both alike.
#[test]
fn friction_in_the_plane_is_the_same() {
    let mut world = flat(0.2);
    let radius = 0.1;
    let disc = PlanarDisc { radius, mass: 1.0 };
    let body = world.add_body("disc", disc).unwrap();
    let collider = Collider::new(Shape::Disc { radius }).with_friction(0.2);
    world.set_colliders(body, vec![collider]).unwrap();
    world.set_q(body, &[0.0, radius, 0.0]).unwrap();
    world.set_v(body, &[3.0, 0.0, 0.0]).unwrap();
    run_both(&world, 60, |worlds, [_, pivoting]| {
        assert!(pivoting.law_error < 1e-9, "{pivoting:?}");
        assert!(farthest(&worlds[0], &worlds[1]) < 1e-9);
    });
}

/// In space friction is bounded in two directions, each by itself. Down a slope along one of them a block slides as it
/// must. Between them a box holds up to √2 times what a cone holds: the block stays where it should slide, and the
/// report says that the law is not kept.
#[test]
fn friction_in_space_depends_on_directions() {
    let (friction, half) = (0.5f64, [0.2, 0.1, 0.3]);
    let slope = 1.2 * friction.atan();
    for (turn, slides) in [(0.0f64, true), (0.25 * std::f64::consts::PI, false)] {
        let [along, down] = [G * slope.sin(), -G * slope.cos()];
        let gravity = [along * turn.cos(), down, along * turn.sin()];
        let mut world = on_floor(gravity, friction);
        let body = block(&mut world, half, 2.0, Pose::at([0.0, 0.1, 0.0]), friction);
        let (mut worst, mut moved) = (0.0f64, [0.0; 2]);
        run_both(&world, 60, |worlds, [newton, pivoting]| {
            worst = worst.max(pivoting.law_error);
            assert!(newton.law_error < 1e-9);
            moved = [0, 1].map(|k| {
                let [x, _, z] = at(&worlds[k], body);
                x.hypot(z)
            });
        });
        let expected = 0.5 * (along + friction * down);
        assert!(
            (moved[0] - expected).abs() < 1e-3,
            "{turn}: {moved:?} {expected}"
        );
        // Corners may hold against each other across the slope, beyond the cone: that is said too.
        assert!(worst > 1e-3, "{worst}");
        match slides {
            true => assert!((moved[1] - moved[0]).abs() < 1e-8, "{moved:?}"),
            false => assert!(moved[1] < 1e-8, "{moved:?}"),
        }
    }
}

/// What is chosen is an option of the step and nothing that is remembered: a world goes on by either.
#[test]
fn a_world_goes_on_by_either() {
    let mut world = flat(0.0);
    block(&mut world, [0.1; 3], 1.0, Pose::at([0.0, 0.1, 0.0]), 0.0);
    let mut simulator = Simulator::new();
    for frame in 0..20 {
        let options = StepOptions::interactive(DT).with_contact_solver(SOLVERS[frame % 2]);
        let kept = simulator.step(&mut world.clone(), &options).unwrap();
        let fresh = Simulator::new().step(&mut world, &options).unwrap();
        assert_eq!(kept.law_error.to_bits(), fresh.law_error.to_bits());
        assert!(fresh.law_error < 1e-9 && fresh.overrun < 1e-9, "{fresh:?}");
    }
}
