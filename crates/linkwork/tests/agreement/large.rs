//! Bodies with hundreds of coordinates, diagonal and opaque, on trees and loops.

use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::Outcome;
use linkwork::system::Motion;

use crate::assembled;
use crate::dense::largest;
use crate::lumped::LumpedBar;
use crate::random_world::Random;

const INNER: [f64; 3] = [-0.5, 0.0, 0.0];
const OUTER: [f64; 3] = [0.5, 0.0, 0.0];

/// Two soft bars held by rigid ones at several nodes, with loops through both.
fn world(bar: fn(usize) -> LumpedBar) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let mut random = Random::new(17);
    let long = world.add_body("long", bar(100)).unwrap();
    let short = world.add_body("short", bar(20)).unwrap();
    for id in [long, short] {
        let n = world.v(id).unwrap().len();
        let q: Vec<f64> = world
            .q(id)
            .unwrap()
            .iter()
            .map(|q| q + random.between(-0.01, 0.01))
            .collect();
        world.set_q(id, &q).unwrap();
        world.set_v(id, &random.numbers(n, 0.3)).unwrap();
    }
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 0.5,
    };
    let mut rods = vec![];
    for i in 0..5 {
        let pose = Pose::turned(random.vector(1.0), random.vector(1.0));
        let id = world.add_body_at(&format!("rod {i}"), rod, pose).unwrap();
        world.set_v(id, &random.numbers(6, 0.5)).unwrap();
        rods.push(id);
    }
    let links = [
        (GROUND.at([0.0; 3]), long.node(0)),
        (long.node(40), rods[0].at(INNER)),
        (rods[0].at(OUTER), rods[1].at(INNER)),
        (long.node(99), rods[2].at(INNER)),
        // A loop through the long bar, and one through both.
        (rods[1].at(OUTER), long.node(70)),
        (rods[2].at(OUTER), short.node(19)),
        (short.node(0), rods[3].at(INNER)),
        (rods[3].at(OUTER), long.node(10)),
        (rods[4].at(INNER), short.node(7)),
    ];
    for (n, (a, b)) in links.into_iter().enumerate() {
        world.join(&format!("joint {n}"), Ball, a, b).unwrap();
    }
    // A string between two nodes of one body.
    world
        .add_constraint(
            "string",
            Distance { length: 2.0 },
            &[long.node(20), long.node(30)],
        )
        .unwrap();
    world
}

#[test]
fn all_methods_agree_on_large_bodies() {
    for bar in [LumpedBar::diagonal, LumpedBar::opaque, LumpedBar::patterned] {
        let world = world(bar);
        for motion in [Motion::Acceleration, Motion::Velocity] {
            let (dense, b) = assembled(&world, motion, &SolveOptions::default());
            assert_eq!(dense.n_v, 300 + 60 + 30);
            for method in Method::ALL {
                let mut simulator = Simulator::new();
                simulator.prepare(&world, motion, method);
                let force = match motion {
                    Motion::Acceleration => simulator.system().force().to_vec(),
                    _ => vec![0.0; dense.n_v],
                };
                let answer = dense.solve(&force, &b);
                assert!(answer.full_rank && answer.rank_is_clear());
                let solution = simulator.solve_prepared().clone();
                let error = dense.motion_error(&answer, &solution.motion);
                assert!(error <= 1.0, "{}: {error:.1e}", method.name());
                let error = dense.lambda_error(&answer, &solution.lambda);
                assert!(error <= 1.0, "{}: λ {error:.1e}", method.name());
                assert_eq!(solution.outcome, Outcome::Exact, "{}", method.name());
            }
        }
    }
}

/// Priorities and random orders take large bodies too.
#[test]
fn large_bodies_under_goals_and_other_orders() {
    for bar in [LumpedBar::diagonal, LumpedBar::opaque, LumpedBar::patterned] {
        let mut world = world(bar);
        let long = world.find_body("long").unwrap();
        for (n, to) in [[5.0, 0.2, 0.0], [4.9, 0.0, 0.3]].into_iter().enumerate() {
            let goal = world.join(&format!("goal {n}"), Ball, GROUND.at(to), long.node(50));
            world.set_priority(goal.unwrap(), 1).unwrap();
        }
        let (dense, b) = assembled(&world, Motion::Displacement, &SolveOptions::default());
        let answer = dense.solve(&vec![0.0; dense.n_v], &b);
        assert!(answer.left[1] > 0.05);
        for method in Method::ALL {
            let solution = Simulator::new().displacement(&world, method).clone();
            let error = dense.motion_error(&answer, &solution.motion);
            assert!(error <= 1.0, "{}: {error:.1e}", method.name());
        }
        let mut simulator = Simulator::new();
        for seed in 0..8 {
            match seed {
                7 => simulator.set_bodies_first(),
                _ => simulator.set_elimination_seed(seed),
            }
            let solution = simulator.displacement(&world, Method::Direct).clone();
            let error = dense.motion_error(&answer, &solution.motion);
            assert!(error <= 1.0, "order {seed}: {error:.1e}");
            assert!(largest(&solution.lambda).is_finite());
        }
    }
}
