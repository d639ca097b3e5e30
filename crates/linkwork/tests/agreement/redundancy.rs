//! Rows that repeat each other, and rows that contradict each other.

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, FramePair, RowUnit, Rows};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::{Krylov, Outcome};
use linkwork::system::Motion;
use linkwork::world::BodyRecord;

use crate::dense::{Dense, largest};
use crate::random_world::Random;
use crate::{assembled, scene};

/// Generic small velocities.
fn moving(mut world: World, seed: u64) -> World {
    let mut random = Random::new(seed);
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for id in ids {
        let n = world.v(id).unwrap().len();
        world.set_v(id, &random.numbers(n, 0.5)).unwrap();
    }
    world
}

/// Every constraint once more.
fn doubled(world: &World) -> World {
    let mut twice = world.clone();
    for record in world.constraints() {
        let pair = *record.constraint().as_frame_pair().unwrap();
        twice
            .add_constraint(
                &format!("{} again", record.label()),
                pair,
                record.connectors(),
            )
            .unwrap();
    }
    twice
}

#[test]
fn a_repeated_joint_changes_nothing() {
    for name in [
        "chain:6",
        "chain-hinge:5",
        "tree:7",
        "ladder3:2,2",
        "hub:10",
    ] {
        let world = moving(scene(name), 4);
        let twice = doubled(&world);
        for motion in [Motion::Acceleration, Motion::Velocity] {
            let (dense, b) = assembled(&world, motion, &SolveOptions::default());
            for method in Method::ALL {
                let (mut one, mut two) = (Simulator::new(), Simulator::new());
                one.prepare(&world, motion, method);
                two.prepare(&twice, motion, method);
                let force = match motion {
                    Motion::Acceleration => one.system().force().to_vec(),
                    _ => vec![0.0; dense.n_v],
                };
                let answer = dense.solve(&force, &b);
                for solution in [one.solve_prepared(), two.solve_prepared()] {
                    let error = dense.motion_error(&answer, &solution.motion);
                    assert!(error <= 1.0, "{name}, {}: {error:.1e}", method.name());
                    assert_eq!(
                        solution.outcome,
                        Outcome::Exact,
                        "{name}, {}",
                        method.name()
                    );
                    assert!(
                        solution.residual.rows_relative < 1e-12,
                        "{name}, {}: {:?}",
                        method.name(),
                        solution.residual
                    );
                    assert!(largest(&solution.lambda) < 1e6, "{name}, {}", method.name());
                }
            }
        }
    }
}

/// A planar four-bar of hinges in space: 20 rows of rank 17, consistent.
fn four_bar() -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let corners = [[0.0, 0.0], [0.3, 1.0], [1.9, 1.2], [2.0, 0.0]];
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let mut end = GROUND.at([0.0; 3]);
    for (i, pair) in corners.windows(2).enumerate() {
        let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = f64::hypot(dx, dy);
        let rod = Rod {
            length,
            radius: 0.04,
            mass: 1.0 + i as f64,
        };
        let pose = Pose::in_plane([0.5 * (x0 + x1), 0.5 * (y0 + y1)], f64::atan2(dy, dx));
        let body = world.add_body_at(&format!("bar {i}"), rod, pose).unwrap();
        let inner = body.at([-0.5 * length, 0.0, 0.0]);
        world
            .join(&format!("hinge {i}"), hinge, end, inner)
            .unwrap();
        end = body.at([0.5 * length, 0.0, 0.0]);
    }
    world
        .join("hinge 3", hinge, end, GROUND.at([2.0, 0.0, 0.0]))
        .unwrap();
    world
}

#[test]
fn a_planar_four_bar_of_hinges_is_consistent() {
    let world = four_bar();
    let (dense, b) = assembled(&world, Motion::Acceleration, &SolveOptions::default());
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&world, method).clone();
        let answer = dense.solve(simulator.system().force(), &b);
        assert!(!answer.full_rank);
        let error = dense.motion_error(&answer, &solution.motion);
        assert!(error <= 1.0, "{}: {error:.1e}", method.name());
        assert_eq!(solution.outcome, Outcome::Exact, "{}", method.name());
        assert!(largest(&solution.motion) > 0.1);
    }
}

/// Two bars on one line, pinned too far apart to meet.
fn too_far_apart() -> World {
    let mut world = World::new();
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let left = world.add_body_at("left", rod, Pose::at([0.5, 0.0, 0.0]));
    let right = world.add_body_at("right", rod, Pose::at([2.1, 0.1, 0.0]));
    let (left, right) = (left.unwrap(), right.unwrap());
    let (inner, outer) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    world
        .join("left pin", Ball, GROUND.at([0.0; 3]), left.at(inner))
        .unwrap();
    world
        .join(
            "right pin",
            Ball,
            GROUND.at([2.6, 0.1, 0.0]),
            right.at(outer),
        )
        .unwrap();
    world
        .join("middle", Ball, left.at(outer), right.at(inner))
        .unwrap();
    world
}

#[test]
fn bars_too_far_apart_meet_in_least_squares() {
    let world = too_far_apart();
    let (dense, b) = assembled(&world, Motion::Displacement, &SolveOptions::default());
    let zero = vec![0.0; dense.n_v];
    // Forest methods keep the two pins and leave the error to the closure.
    let split = dense.with_priorities(&[(0..6).collect(), (6..9).collect()]);
    for method in Method::ALL {
        let keeps_forest = matches!(method, Method::ForestDense | Method::ForestKrylov(_));
        let reference: &Dense = if keeps_forest { &split } else { &dense };
        let answer = reference.solve(&zero, &b);
        let mut simulator = Simulator::new();
        let solution = simulator.displacement(&world, method).clone();
        let error = reference.motion_error(&answer, &solution.motion);
        assert!(error <= 1.0, "{}: {error:.1e}", method.name());
        assert_eq!(solution.outcome, Outcome::LeastSquares, "{}", method.name());
        assert!(
            largest(&solution.lambda) < 1e6,
            "{}: λ grows",
            method.name()
        );
        assert!(solution.lambda.iter().all(|x| x.is_finite()));
        assert!(solution.residual.rows > 0.05);
    }
}

#[test]
fn a_closure_told_two_things_meets_them_halfway() {
    let mut world = moving(scene("ladder3:1,3"), 8);
    let record = world
        .constraint_record(world.find_constraint("rung 1 right").unwrap())
        .unwrap()
        .clone();
    let again = world.add_constraint("again", FramePair::ball(), record.connectors());
    let again = world.constraint_record(again.unwrap()).unwrap().row_range();
    let (dense, _) = assembled(&world, Motion::Velocity, &SolveOptions::default());
    let mut random = Random::new(6);
    let force = random.numbers(dense.n_v, 3.0);
    let mut b = dense.jacobian.times(&random.numbers(dense.n_v, 1.0));
    for (k, row) in again.clone().enumerate() {
        b[row] += [0.4, -0.2, 0.1][k];
    }
    let answer = dense.solve(&force, &b);
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        simulator.prepare(&world, Motion::Velocity, method);
        let solution = simulator.solve_for(Some(&force), Some(&b)).clone();
        let error = dense.motion_error(&answer, &solution.motion);
        assert!(error <= 1.0, "{}: {error:.1e}", method.name());
        assert_eq!(solution.outcome, Outcome::LeastSquares, "{}", method.name());
        assert!(
            largest(&solution.lambda) < 1e6,
            "{}: λ grows",
            method.name()
        );
        // Halfway: both are off by the same, in opposite directions.
        let moved = dense.jacobian.times(&solution.motion);
        for (a, c) in record.row_range().zip(again.clone()) {
            assert!((moved[a] - b[a] + moved[c] - b[c]).abs() < 1e-9);
        }
        // The next right-hand side on the same factor is not disturbed.
        let fits = dense.jacobian.times(&random.numbers(dense.n_v, 1.0));
        let answer = dense.solve(&force, &fits);
        let solution = simulator.solve_for(Some(&force), Some(&fits)).clone();
        assert_eq!(solution.outcome, Outcome::Exact, "{}", method.name());
        assert!(dense.motion_error(&answer, &solution.motion) <= 1.0);
    }
}

/// A constraint whose rows depend on nothing here and now: the worst geometry can do.
#[derive(Debug)]
struct Empty {
    c: f64,
}

impl Constraint for Empty {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3; 2]
    }
    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter; 2]
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn eval(&self, _t: f64, _inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c.fill(self.c);
    }
}

#[test]
fn rows_that_depend_on_nothing_disturb_nobody() {
    let worlds = [scene("chain:3"), scene("ladder3:1,2"), {
        let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
        world.add_body("free", Particle { mass: 2.0 }).unwrap();
        world
    }];
    for plain in worlds {
        let plain = moving(plain, 3);
        let ids: Vec<BodyId> = plain.bodies().iter().map(BodyRecord::id).collect();
        for c in [0.0, 0.3] {
            let mut world = plain.clone();
            for (n, &id) in ids.iter().enumerate() {
                let at = [GROUND.at([0.0; 3]), id.at([0.0; 3])];
                let label = format!("empty {n}");
                world.add_constraint(&label, Empty { c }, &at).unwrap();
            }
            for motion in [Motion::Acceleration, Motion::Displacement] {
                for method in Method::ALL {
                    let (mut with, mut without) = (Simulator::new(), Simulator::new());
                    with.prepare(&world, motion, method);
                    without.prepare(&plain, motion, method);
                    let (with, without) = (with.solve_prepared(), without.solve_prepared());
                    let name = method.name();
                    for (a, b) in with.motion.iter().zip(&without.motion) {
                        let size = largest(&without.motion).max(1.0);
                        assert!((a - b).abs() <= 1e-10 * size, "{name}, {motion:?}: {a} {b}");
                    }
                    assert!(
                        with.lambda.iter().all(|x| x.abs() < 1e6),
                        "{name}: {with:?}"
                    );
                    let contradicts = motion == Motion::Displacement && c != 0.0;
                    assert_eq!(with.residual.rows > 0.1, contradicts, "{name}, {motion:?}");
                    assert_eq!(
                        with.outcome == Outcome::Exact,
                        !contradicts,
                        "{name}, {with:?}"
                    );
                }
            }
        }
    }
}

/// A flat four-bar of spatial hinges, one bar far lighter or heavier than the others: redundant rows
/// and masses that differ by many powers of ten at once.
#[test]
fn redundant_rows_between_very_different_masses() {
    for exponent in [-9, -7, -5, 5, 7, 9] {
        let ratio = 10f64.powi(exponent);
        let mut world = linkwork_scene::scene("four-bar").unwrap();
        let coupler = world.find_body("coupler").unwrap();
        let record = world.body_record(coupler).unwrap();
        let mut properties = *record.body().as_rigid().unwrap().properties();
        properties.mass *= ratio;
        properties.inertia_body = properties.inertia_body.map(|i| i * ratio);
        world
            .replace_body(coupler, RigidBody::new(properties))
            .unwrap();
        let mut simulator = Simulator::new();
        let direct = simulator.accelerations(&world, Method::Direct).clone();
        let krylov = Method::ForestKrylov(Krylov::TIGHT);
        let other = simulator.accelerations(&world, krylov).motion.clone();
        assert_eq!(direct.outcome, Outcome::Exact, "mass ratio 1e{exponent}");
        let size = other.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        for (a, b) in direct.motion.iter().zip(&other) {
            assert!(
                (a - b).abs() < 1e-6 * size,
                "mass ratio 1e{exponent}: {a} against {b}"
            );
        }
    }
}
