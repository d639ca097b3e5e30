//! Weights of exact constraints (Faure 1998, §5; Faure 1999, §6): they steer what iterations that are cut short
//! leave, not what they end at; and the tolerance, which every constraint meets by itself (Faure 1999, §4.2).

use linkwork::prelude::*;
use linkwork::solve::{Krylov, Outcome};
use linkwork::system::Motion;
use linkwork::world::{BodyRecord, ConstraintRecord};

use crate::dense::{Matrix, largest, norm};
use crate::faure::shaken;
use crate::random_world::{self, Random};
use crate::scene;

type Iterating = fn(Krylov) -> Method;
const METHODS: [Iterating; 2] = [Method::ForestKrylov, Method::NormalCg];

fn cut(method: Iterating, max_iterations: usize) -> Method {
    method(Krylov::TIGHT.with_max_iterations(max_iterations))
}

/// The error of each constraint, scaled to meters: after a solve, and without constraint forces.
fn errors(world: &World, motion: Motion, method: Method) -> (Vec<f64>, Vec<f64>, Outcome) {
    let mut simulator = Simulator::new();
    simulator.prepare(world, motion, method);
    let solution = simulator.solve_prepared().clone();
    let system = simulator.system();
    let mut b = vec![0.0; system.n_rows()];
    system.right_hand_side(motion, &mut b);
    let jacobian = Matrix::new(system.n_rows(), system.n_v(), system.jacobian_matrix());
    let mut free = vec![0.0; system.n_v()];
    if motion == Motion::Acceleration {
        let mass = Matrix::new(system.n_v(), system.n_v(), system.mass_matrix());
        free = crate::dense::lu_solve(&mass, system.force());
    }
    let (moved, free) = (jacobian.times(&solution.motion), jacobian.times(&free));
    let (mut left, mut before) = (vec![], vec![]);
    for record in world.constraints() {
        let off = |motion: &[f64], lambda: &[f64]| {
            let row = |row: usize| {
                let soft = system.compliance()[row] * lambda[row];
                system.row_scale()[row] * (b[row] - motion[row] - soft)
            };
            norm(&record.row_range().map(row).collect::<Vec<_>>())
        };
        left.push(off(&moved, &solution.lambda));
        before.push(off(&free, &vec![0.0; b.len()]));
    }
    (left, before, solution.outcome)
}

/// Gives every constraint a weight between 10⁻ᵖ and 10ᵖ.
fn weigh(world: &mut World, random: &mut Random, power: f64) {
    let ids: Vec<_> = (world.constraints().iter().map(ConstraintRecord::id)).collect();
    for id in ids {
        let weight = 10f64.powf(random.between(-power, power));
        world.set_weight(id, weight.clamp(1e-6, 1e6)).unwrap();
    }
}

/// A ladder that closes loops and moves every way, and the places of constraints that close them.
fn ladder() -> (World, Vec<usize>) {
    let world = shaken(scene("ladder3:1,6"));
    let closes = |label: &str| label.starts_with("rung") && label.ends_with("right");
    let records = world.constraints().iter().enumerate();
    let loops = records.filter(|(_, record)| closes(record.label()));
    let loops = loops.map(|(at, _)| at).collect();
    (world, loops)
}

#[test]
fn heavy_constraints_are_met_first() {
    let (mut world, loops) = ladder();
    for (method, budgets) in METHODS.into_iter().zip([[4, 5, 6], [10, 20, 40]]) {
        for max_iterations in budgets {
            let method = cut(method, max_iterations);
            let (even, _, _) = errors(&world, Motion::Acceleration, method);
            for &at in &loops {
                let id = world.constraints()[at].id();
                world.set_weight(id, 1e3).unwrap();
                let (own, _, outcome) = errors(&world, Motion::Acceleration, method);
                world.set_weight(id, 1.0).unwrap();
                assert_eq!(outcome, Outcome::NotConverged);
                let what = format!("{method} {max_iterations} {at}");
                // The others are not much worse for it, and nobody is worse off than the heavy one was.
                assert!(own[at] < 1e-3 * largest(&own), "{what}: {:.1e}", own[at]);
                assert!(
                    own[at] < 2e-2 * even[at],
                    "{what}: {:.1e} after {:.1e}",
                    own[at],
                    even[at]
                );
            }
        }
    }
}

/// Weights differ by up to twelve orders of magnitude. To the last bit: a solve that converges knows none.
#[test]
fn weights_do_not_change_what_iterations_end_at() {
    for (name, seed) in [("ladder3:2,3", 1), ("ladder3:4,6", 2), ("grid:4,4", 3)] {
        let mut world = shaken(scene(name));
        let solve = |world: &World, method| Simulator::new().accelerations(world, method).clone();
        let method = |at: usize| METHODS[at](Krylov::default().with_tolerance(1e-11));
        let exact = [0, 1].map(|at| solve(&world, method(at)));
        let mut random = Random::new(seed);
        for power in [0.5, 3.0, 6.0] {
            weigh(&mut world, &mut random, power);
            for at in [0, 1] {
                let (own, what) = (solve(&world, method(at)), method(at).name());
                assert_eq!(own.outcome, Outcome::Exact, "{name} {what} 1e±{power}");
                assert_eq!(own.motion, exact[at].motion, "{name} {what} 1e±{power}");
                assert_eq!(own.lambda, exact[at].lambda, "{name} {what} 1e±{power}");
            }
        }
    }
}

/// Only ratios count; and powers of two round nothing.
#[test]
fn equal_weights_are_no_weights() {
    let (mut world, _) = ladder();
    let ids: Vec<_> = (world.constraints().iter().map(ConstraintRecord::id)).collect();
    for method in METHODS.map(|method| cut(method, 5)) {
        let bits = |world: &World| {
            let solution = Simulator::new().accelerations(world, method).clone();
            let numbers = [solution.motion, solution.lambda].concat();
            numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        let one = bits(&world);
        for weight in [8.0, 0.125, 1.0] {
            for &id in &ids {
                world.set_weight(id, weight).unwrap();
            }
            assert_eq!(bits(&world), one, "{method} {weight}");
        }
    }
}

/// A point that is told two things: which of them gives way is no matter of weights, as with `direct`.
#[test]
fn contradictions_meet_halfway_whatever_the_weights() {
    for method in METHODS {
        let mut world = scene("chain:3");
        let end = world.find_body("bar 2").unwrap().at([0.5, 0.0, 0.0]);
        for (label, y, weight) in [("light", 0.1, 1.0), ("heavy", 0.2, 4.0)] {
            let id = world.join(label, Ball, end, GROUND.at([3.0, y, 0.0]));
            world.set_weight(id.unwrap(), weight).unwrap();
        }
        let method = method(Krylov::TIGHT);
        let (left, _, outcome) = errors(&world, Motion::Displacement, method);
        assert_eq!(outcome, Outcome::LeastSquares, "{method}");
        let [.., light, heavy] = left[..] else {
            panic!()
        };
        assert!((light - 0.05).abs() < 1e-9, "{method}: {light}");
        assert!((heavy - 0.05).abs() < 1e-9, "{method}: {heavy}");
    }
}

/// Torn apart, and closed by few iterations a frame.
#[test]
fn precision_is_recovered_whatever_the_weights() {
    for (at, budget) in [(0, 5), (0, 10), (1, 5), (1, 10)] {
        for power in [0.0, 0.6, 6.0] {
            let mut world = scene("grid:4,4");
            world.set_dynamics(Dynamics::Assembly);
            let mut random = Random::new(9);
            let bodies: Vec<_> = world.bodies().iter().map(BodyRecord::id).collect();
            for id in bodies {
                let mut q = world.q(id).unwrap().to_vec();
                for (q, by) in q.iter_mut().zip(random.numbers(3, 0.05)) {
                    *q += by;
                }
                world.set_q(id, &q).unwrap();
            }
            weigh(&mut world, &mut random, power);
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0)
                .by(METHODS[at](Krylov::default()))
                .within(Budget::default().with_max_iterations(budget));
            let mut left = 0.0;
            for _ in 0..100 {
                left = simulator.step(&mut world, &options).unwrap().position_error;
            }
            let what = format!("{} {budget} 1e±{power}", options.method);
            assert!(left <= 1e-9, "{what}: {left:.1e} m");
        }
    }
}

/// In motion, with few iterations a frame: a heavy joint is open less on the average. (Weights counted in every solve
/// of a frame, also in those that others follow; its gap grew up to ten times, and all others with it.)
#[test]
fn heavy_joints_open_less_in_motion() {
    for name in ["chain:12", "grid:4,4"] {
        let run = |heavy: Option<usize>| {
            let mut world = scene(name);
            if let Some(at) = heavy {
                let id = world.constraints()[at].id();
                world.set_weight(id, 1e3).unwrap();
            }
            let options = StepOptions::interactive(1.0 / 60.0)
                .by(Method::NormalCg(Krylov::default()))
                .within(Budget::default().with_max_iterations(10));
            let mut simulator = Simulator::new();
            let mut gaps = vec![0.0; world.constraints().len()];
            for _ in 0..120 {
                simulator.step(&mut world, &options).unwrap();
                let errors = world.constraint_errors().unwrap();
                for (gap, error) in gaps.iter_mut().zip(errors) {
                    *gap += error.position / 120.0;
                }
            }
            gaps
        };
        let even = run(None);
        for at in (0..even.len()).step_by(even.len() / 8) {
            let own = run(Some(at))[at];
            assert!(own < even[at], "{name} {at}: {own:e} after {:e}", even[at]);
        }
    }
}

/// "1e-3 for each kinematic constraint", of the largest error without constraint forces.
#[test]
fn every_constraint_meets_the_tolerance() {
    let mut worlds: Vec<World> = (0..12)
        .map(|seed| random_world::world(seed, 6 + seed as usize, 3))
        .collect();
    worlds.push(ladder().0);
    worlds.push(shaken(scene("grid:4,4")));
    let mut random = Random::new(77);
    let mut n_met = 0;
    for (at, world) in worlds.iter_mut().enumerate() {
        for power in [0.0, 1.0] {
            weigh(world, &mut random, power);
            for tolerance in [1e-1, 1e-3, 1e-6] {
                for method in METHODS {
                    let method = method(Krylov::TIGHT.with_tolerance(tolerance));
                    for motion in [Motion::Acceleration, Motion::Displacement] {
                        let (left, before, outcome) = errors(world, motion, method);
                        if outcome != Outcome::Exact {
                            continue;
                        }
                        n_met += 1;
                        let part = largest(&left) / largest(&before);
                        assert!(
                            part <= tolerance * (1.0 + 1e-6) || largest(&left) < 1e-12,
                            "world {at} {motion:?} {method} {tolerance:e}: {part:.2e}"
                        );
                    }
                }
            }
        }
    }
    assert!(n_met > 200, "{n_met} solves converged");
}
