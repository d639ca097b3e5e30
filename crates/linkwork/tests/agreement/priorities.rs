//! Priorities: 0 exact, lower ones in least squares on what the priorities above leave, under every method;
//! and rows that push elsewhere.

use linkwork::connector::Site;
use linkwork::constraint::{FramePair, PushedAlong};
use linkwork::math::{cross, mat_vec, quat_to_matrix, sub};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;
use linkwork::world::{BodyRecord, ConstraintRecord};

use crate::dense::{Matrix, largest, solve_kkt};
use crate::random_world::{self, Random};
use crate::{assembled, scene};

fn goal(world: &mut World, label: &str, body: &str, to: [f64; 3], priority: u8, weight: f64) {
    let body = world.find_body(body).unwrap();
    let id = world
        .add_constraint(
            label,
            FramePair::ball(),
            &[GROUND.at(to), body.at([0.4, 0.0, 0.0])],
        )
        .unwrap();
    world.set_priority(id, priority).unwrap();
    world.set_weight(id, weight).unwrap();
}

/// A moving ladder with goals that cannot all be met.
fn pulled_ladder() -> World {
    let mut world = scene("ladder3:2,2");
    let mut random = Random::new(12);
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for id in ids {
        world.set_v(id, &random.numbers(6, 0.3)).unwrap();
    }
    goal(&mut world, "a", "left 1.1", [4.2, 0.1, 0.3], 1, 1.0);
    goal(&mut world, "b", "left 1.1", [4.0, -0.4, 0.1], 1, 3.0);
    goal(&mut world, "c", "left 0.0", [1.0, 0.2, 0.5], 1, 0.5);
    goal(&mut world, "d", "right 1.1", [4.1, 1.3, 0.2], 2, 2.0);
    goal(&mut world, "e", "left 0.0", [0.5, 0.2, 0.1], 4, 1.0);
    world
}

#[test]
fn priorities_equal_the_dense_hierarchy_under_every_method() {
    let world = pulled_ladder();
    for motion in [Motion::Acceleration, Motion::Velocity, Motion::Displacement] {
        let (dense, b) = assembled(&world, motion, &SolveOptions::default());
        assert_eq!(dense.priorities.len(), 4);
        for method in Method::ALL {
            let mut simulator = Simulator::new();
            simulator.prepare(&world, motion, method);
            let force = match motion {
                Motion::Acceleration => simulator.system().force().to_vec(),
                _ => vec![0.0; dense.n_v],
            };
            let answer = dense.solve(&force, &b);
            let solution = simulator.solve_prepared().clone();
            let error = dense.motion_error(&answer, &solution.motion);
            assert!(
                error <= 1.0,
                "{motion:?}, {}: {error:.1e} at condition {:.1e}",
                method.name(),
                answer.sigma_max / answer.sigma_min
            );
            assert!(solution.residual.rows_relative < 1e-12, "{}", method.name());
            assert!(
                solution.residual.force_relative < 1e-12,
                "{}",
                method.name()
            );
            // Priority 1 cannot be met, and the report says by how much.
            assert!(motion != Motion::Displacement || answer.left[1] > 1e-3);
            let moved = dense.jacobian.times(&solution.motion);
            let left = dense.priorities[1..]
                .iter()
                .flatten()
                .fold(0.0f64, |s, &row| s.max((b[row] - moved[row]).abs()));
            assert!((solution.lower_error - left).abs() <= 1e-9 * left.max(1.0));
        }
    }
}

#[test]
fn lower_priorities_do_not_disturb_higher_ones() {
    let whole = pulled_ladder();
    let mut part = whole.clone();
    for label in ["d", "e"] {
        let id = part.find_constraint(label).unwrap();
        part.remove_constraint(id).unwrap();
    }
    let (dense, _) = assembled(&part, Motion::Acceleration, &SolveOptions::default());
    for method in Method::ALL {
        let with = Simulator::new()
            .accelerations(&whole, method)
            .motion
            .clone();
        let without = Simulator::new().accelerations(&part, method).motion.clone();
        let (with, without) = (dense.jacobian.times(&with), dense.jacobian.times(&without));
        for (a, b) in with.iter().zip(&without) {
            assert!((a - b).abs() < 1e-8 * largest(&with), "{}", method.name());
        }
    }
}

#[test]
fn a_heavier_goal_comes_closer() {
    let mut last = f64::INFINITY;
    for weight in [0.1, 1.0, 10.0, 100.0] {
        let mut world = pulled_ladder();
        let id = world.find_constraint("a").unwrap();
        world.set_weight(id, weight).unwrap();
        let rows = world.constraint_record(id).unwrap().row_range();
        let mut simulator = Simulator::new();
        let motion = simulator
            .displacement(&world, Method::Direct)
            .motion
            .clone();
        let system = simulator.system();
        let jacobian = Matrix::new(system.n_rows(), system.n_v(), system.jacobian_matrix());
        let moved = jacobian.times(&motion);
        let left = rows
            .map(|row| (moved[row] + system.c()[row]).powi(2))
            .sum::<f64>()
            .sqrt();
        assert!(left < last, "weight {weight}: {left} after {last}");
        last = left;
    }
}

#[test]
fn random_worlds_with_priorities() {
    let mut compared = 0;
    for seed in 0..40 {
        let mut world = random_world::world(500 + seed, 6, 6);
        let ids: Vec<ConstraintId> = world
            .constraints()
            .iter()
            .map(ConstraintRecord::id)
            .collect();
        let mut random = Random::new(seed);
        for &id in ids.iter().skip(3) {
            world.set_priority(id, random.below(3) as u8).unwrap();
            world.set_weight(id, random.between(0.5, 2.0)).unwrap();
        }
        let (dense, b) = assembled(&world, Motion::Velocity, &SolveOptions::default());
        let zero = vec![0.0; dense.n_v];
        let answer = dense.solve(&zero, &b);
        if answer.left[0] > 1e-11 || !answer.rank_is_clear() {
            continue;
        }
        compared += 1;
        for method in Method::ALL {
            let solution = Simulator::new().velocity_correction(&world, method).clone();
            let error = dense.motion_error(&answer, &solution.motion);
            assert!(error <= 1.0, "seed {seed}, {}: {error:.1e}", method.name());
        }
    }
    assert!(compared > 10, "only {compared} worlds can meet priority 0");
}

/// A row that pushes along another direction than its own equals the nonsymmetric dense solve.
#[test]
fn rows_that_push_elsewhere() {
    let mut world = scene("ladder3:2,2");
    let mut random = Random::new(2);
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for &id in &ids {
        world.set_v(id, &random.numbers(6, 0.5)).unwrap();
    }
    let pushes = [
        (GROUND, ids[3], [1.0, 0.4, 0.2]),
        (ids[0], ids[5], [0.8, -0.3, 0.5]),
    ];
    for (n, (a, b, direction)) in pushes.into_iter().enumerate() {
        let constraint = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction,
        };
        let at = [
            a.frame_along([0.1, 0.2, 0.3], [0.3, 0.5, 1.0]),
            b.at([0.2, 0.1, 0.0]),
        ];
        world
            .add_constraint(&format!("push {n}"), constraint, &at)
            .unwrap();
    }
    let (dense, b) = assembled(&world, Motion::Acceleration, &SolveOptions::default());
    let push = push_matrix(&world, &dense.jacobian, &pushes.map(|(_, _, e)| e));
    let rows: Vec<usize> = (0..b.len()).collect();
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&world, method).clone();
        let (y, lambda) = solve_kkt(&dense, &rows, &push, simulator.system().force(), &b);
        for (a, b) in solution.motion.iter().zip(&y) {
            assert!(
                (a - b).abs() < 1e-9 * largest(&y),
                "{}: {a} {b}",
                method.name()
            );
        }
        for (a, b) in solution.lambda.iter().zip(&lambda) {
            assert!(
                (a - b).abs() < 1e-9 * largest(&lambda),
                "{}: {a} {b}",
                method.name()
            );
        }
        assert!(solution.residual.rows_relative < 1e-12, "{}", method.name());
        assert!(
            solution.residual.force_relative < 1e-12,
            "{}",
            method.name()
        );
        // It is not the motion of a row that pushes along itself.
        let (other, _) = solve_kkt(
            &dense,
            &rows,
            &dense.jacobian,
            simulator.system().force(),
            &b,
        );
        assert!(largest(&crate::dense::difference(&y, &other)) > 1e-3 * largest(&y));
    }
}

/// `J` with the rows of the last constraints replaced by the directions of their forces: `e` on the
/// point of b, `−e` on a at the same place.
fn push_matrix(world: &World, jacobian: &Matrix, directions: &[[f64; 3]]) -> Matrix {
    let mut push = jacobian.clone();
    let first = world.constraints().len() - directions.len();
    for (record, direction) in world.constraints()[first..].iter().zip(directions) {
        let row = record.row_range().start;
        for j in 0..push.cols {
            push.set(row, j, 0.0);
        }
        let [a, b] = record.connectors() else {
            panic!("two connectors")
        };
        let Some(&Site::Frame { rotation, .. }) = a.site() else {
            panic!("a frame")
        };
        let [on_a, on_b] = [a, b].map(|own| own.body().unwrap());
        let pose = world.pose(on_a).unwrap().unwrap();
        let e = mat_vec(
            &quat_to_matrix(pose.rotation),
            mat_vec(&rotation, *direction),
        );
        let place = world.position_world(b).unwrap();
        for (body, sign) in [(on_a, -1.0), (on_b, 1.0)] {
            let Ok(record) = world.body_record(body) else {
                continue;
            };
            let (_, com) = record.body().center_of_mass(world.q(body).unwrap());
            let torque = cross(sub(place, com), e);
            for k in 0..3 {
                push.set(row, record.v_range().start + k, sign * e[k]);
                push.set(row, record.v_range().start + 3 + k, sign * torque[k]);
            }
        }
    }
    push
}
