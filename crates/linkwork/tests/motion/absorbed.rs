//! Soft rows on one body are absorbed by it: any number of springs to the ground, as if they were rows.
//! `NormalDense` keeps them as rows, so it is the form they are compared with.

use linkwork::body::PlanarBody;
use linkwork::constraint::FramePair;
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;

use crate::support::{Run, below, closed_to, difference};

/// Points on a spiral over a sphere.
fn spiral(i: usize, n: usize) -> [f64; 3] {
    let (height, turn) = (1.0 - (2 * i + 1) as f64 / n as f64, 2.4 * i as f64);
    let across = (1.0 - height * height).sqrt();
    [across * turn.cos(), across * turn.sin(), height]
}

/// A box on `n` springs to the ground, `k` N/m in all; with `hung`, a chain of two more boxes hangs on it
/// by a hinge and a ball joint, and a rod holds the last to the ground: a loop.
fn on_springs(n: usize, k: f64, damping: f64, hung: bool) -> World {
    let mut world = World::with_gravity([0.5, 0.2, -9.81]).unwrap();
    let cuboid = Cuboid {
        size: [0.4, 0.3, 0.2],
        mass: 1.0,
    };
    let body = world.add_body("box", cuboid).unwrap();
    world
        .set_v(body, &[0.3, -0.2, 0.1, 1.0, 2.0, -0.5])
        .unwrap();
    for i in 0..n {
        let out = spiral(i, n);
        let spring = Spring {
            stiffness: k / n as f64,
            rest_length: 0.8,
            damping: damping / n as f64,
        };
        let (a, b) = (GROUND.at(out), body.at(out.map(|x| 0.15 * x)));
        world
            .add_spring(&format!("spring {i}"), spring, a, b)
            .unwrap();
    }
    if hung {
        let mut above = body;
        for i in 1..3 {
            let z = -0.6 * f64::from(i);
            let below = world
                .add_body_at(&format!("box {i}"), cuboid, Pose::at([0.0, 0.0, z]))
                .unwrap();
            let ([a, b], label) = ([[0.0, 0.0, -0.3], [0.0, 0.0, 0.3]], format!("joint {i}"));
            let made = match i {
                1 => {
                    let frames = [above.frame_at(a), below.frame_at(b)];
                    world.add_constraint(&label, FramePair::hinge(), &frames)
                }
                _ => world.add_constraint(&label, FramePair::ball(), &[above.at(a), below.at(b)]),
            };
            made.unwrap();
            above = below;
        }
        let (a, b) = (GROUND.at([0.5, 0.0, -1.6]), above.at([0.0, 0.0, -0.1]));
        let length = (0.5f64 * 0.5 + 0.3 * 0.3).sqrt();
        world
            .add_constraint("rod", Distance { length }, &[a, b])
            .unwrap();
    }
    world
}

/// Bodies of the plane on springs: a pin between them, and one to the ground.
fn in_plane(n: usize) -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let plate = PlanarBody {
        mass: 1.0,
        inertia: 0.02,
        com_body: [0.05, 0.0],
        outline: None,
    };
    let a = world.add_body("a", plate).unwrap();
    let b = world
        .add_body_at("b", plate, Pose::in_plane([0.4, 0.0], 0.0))
        .unwrap();
    world
        .add_constraint(
            "pin",
            FramePair::ball(),
            &[a.at([0.2, 0.0]), b.at([-0.2, 0.0])],
        )
        .unwrap();
    for i in 0..n {
        let [x, y, _] = spiral(i, n);
        let spring = Spring {
            stiffness: 300.0 / n as f64,
            rest_length: 0.5,
            damping: 0.1,
        };
        let (from, to) = (GROUND.at([x, y]), [a, b][i % 2].at([0.1 * x, 0.1 * y]));
        world
            .add_spring(&format!("spring {i}"), spring, from, to)
            .unwrap();
    }
    world
}

/// Steps two copies of a world for a second, absorbed and as rows, and compares them all along.
fn follow(start: &World, options: StepOptions, tolerance: f64) {
    // Joints left open by 1e-9 m would hide what is compared.
    let options = &closed_to(options, 1e-13);
    let rows = options.by(Method::NormalDense);
    let (mut absorbed, mut plain) = (start.clone(), start.clone());
    let (mut one, mut other) = (Simulator::new(), Simulator::new());
    let n_steps = (1.0 / options.dt).round() as usize;
    for _ in 0..n_steps {
        one.step(&mut absorbed, options).unwrap();
        other.step(&mut plain, &rows).unwrap();
        let (a, b) = (absorbed.state(), plain.state());
        for (what, a, b) in [
            ("q", &a.q, &b.q),
            ("v", &a.v, &b.v),
            ("λ", &a.lambda, &b.lambda),
        ] {
            let off = relative(a, b);
            assert!(off <= tolerance, "{what} at {}: {off}", absorbed.state().t);
        }
    }
}

#[test]
fn many_springs_move_bodies_as_rows_do() {
    let worlds = [
        on_springs(40, 2000.0, 3.0, false),
        on_springs(20, 2000.0, 3.0, true),
        in_plane(30),
    ];
    for world in worlds {
        follow(&world, StepOptions::interactive(1.0 / 60.0), 1e-9);
        follow(&world, StepOptions::precise(1.0 / 60.0), 1e-9);
        follow(&world, StepOptions::symplectic4(1.0 / 60.0), 1e-9);
    }
}

#[test]
#[ignore = "slow: the row form of 400 springs is a dense matrix"]
fn four_hundred_springs_move_a_body_as_rows_do() {
    let world = on_springs(400, 2000.0, 3.0, false);
    follow(&world, StepOptions::interactive(1.0 / 60.0), 1e-9);
    follow(&world, StepOptions::precise(1.0 / 60.0), 1e-9);
}

/// Every method and every motion, with what the springs must do as their multipliers.
#[test]
fn absorbed_rows_solve_the_same_equations() {
    for world in [on_springs(30, 1e5, 3.0, true), in_plane(30)] {
        for motion in [
            Motion::Acceleration,
            Motion::Velocity,
            Motion::Displacement,
            Motion::Flow,
        ] {
            for horizon in [None, Some(1e-3), Some(1.0)] {
                let options = |method: Method| SolveOptions::from(method).with_horizon(horizon);
                let mut rows = Simulator::new();
                rows.prepare(&world, motion, options(Method::NormalDense));
                let rows = rows.solve_prepared().clone();
                for method in Method::ALL {
                    let mut simulator = Simulator::new();
                    simulator.prepare(&world, motion, options(method));
                    let absorbed = simulator.solve_prepared();
                    for (what, a, b) in [
                        ("y", &absorbed.motion, &rows.motion),
                        ("λ", &absorbed.lambda, &rows.lambda),
                    ] {
                        let off = relative(a, b);
                        assert!(off <= 1e-9, "{what} by {method} of {motion:?}: {off}");
                    }
                    let residual = absorbed.residual;
                    below("rows", residual.rows_relative, 1e-10);
                    below("forces", residual.force_relative, 1e-10);
                }
            }
        }
    }
}

/// In any legal order of elimination.
#[test]
fn the_order_of_elimination_does_not_matter() {
    let world = on_springs(30, 1e5, 3.0, true);
    let options = SolveOptions::from(Method::Direct).with_horizon(Some(0.01));
    let expected = Simulator::new().accelerations(&world, options).clone();
    for seed in 0..5 {
        let mut simulator = Simulator::new();
        match seed {
            0 => simulator.set_bodies_first(),
            seed => simulator.set_elimination_seed(seed),
        }
        let found = simulator.accelerations(&world, options);
        below("y", relative(&found.motion, &expected.motion), 1e-11);
        below("λ", relative(&found.lambda, &expected.lambda), 1e-11);
    }
}

/// The largest difference, relative to the largest number or to one.
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().fold(1.0f64, |m, a| m.max(a.abs()));
    difference(a, b) / size
}

/// A frame costs what filling the springs costs: no matrix of their size is left, unless they are so few
/// that it does not pay or so stiff that the body's block would lose its mass.
#[test]
fn many_springs_leave_no_core() {
    let blocks = |n: usize, k: f64| {
        let mut simulator = Simulator::new();
        simulator.accelerations(&on_springs(n, k, 0.0, true), Method::Direct);
        let topology = simulator.topology();
        (topology.n_core_blocks(), topology.n_loops())
    };
    // The rod alone holds the boxes to the ground, so that no loop is left.
    assert_eq!(blocks(400, 2000.0), (0, 0));
    assert_eq!(blocks(7, 2000.0), (0, 0));
    for (n, k) in [(6, 2000.0), (7, 1e12)] {
        let (blocks, loops) = blocks(n, k);
        assert!(blocks > 0, "{n} springs of {k} N/m");
        assert_eq!(loops, n);
    }
}

/// Slow springs keep energy, as rows do; damping takes it.
#[test]
fn four_hundred_springs_keep_energy() {
    let world = on_springs(400, 500.0, 0.0, false);
    let mut run = Run::new(world, StepOptions::interactive(1.0 / 240.0));
    run.until(2.0);
    below("drift", run.relative_drift(), 1e-2);
    assert_eq!(run.last_resorts, 0);
    let world = on_springs(400, 500.0, 5.0, false);
    let mut run = Run::new(world, StepOptions::interactive(1.0 / 60.0));
    let mut last = run.start.total();
    for _ in 0..120 {
        run.step();
        let now = run.world.energy().unwrap().total();
        assert!(now <= last + 1e-3 * run.start.total().abs(), "{last} {now}");
        last = now;
    }
}

/// What the springs say their forces are is what moves the body.
#[test]
fn reactions_of_absorbed_springs_balance() {
    let world = on_springs(400, 2000.0, 3.0, false);
    let body = world.bodies()[0].id();
    let mut simulator = Simulator::new();
    let options = SolveOptions::from(Method::Direct).with_horizon(Some(0.01));
    let solution = simulator.accelerations(&world, options).clone();
    let mut total = [0.5, 0.2, -9.81];
    for record in world.constraints() {
        let reaction = world.reaction(record.id(), &solution.lambda, ReactionOptions::default());
        for (total, force) in total.iter_mut().zip(reaction.unwrap().force) {
            *total += force;
        }
    }
    let accelerated = solution.of_body(&world, body).unwrap();
    below("force", difference(&total, &accelerated[..3]), 1e-9);
}
