//! Faure 1999: after any number of iterations the tree's rows hold to machine precision, and the
//! loops' error only falls.

use linkwork::prelude::*;
use linkwork::solve::{Krylov, Outcome};
use linkwork::system::Motion;
use linkwork::world::{BodyRecord, Tree};

use crate::dense::{Matrix, largest, norm};
use crate::random_world::Random;
use crate::scene;

fn budget(max_iterations: usize) -> Method {
    Method::ForestKrylov(
        Krylov::default()
            .with_tolerance(1e-13)
            .with_max_iterations(max_iterations),
    )
}

/// Solves with growing budgets; `is_loop` tells the rows that close loops.
fn check(world: &World, motion: Motion, is_loop: impl Fn(&str) -> bool, can_be_met: bool) {
    let mut last = f64::INFINITY;
    let mut first = None;
    let mut met = None;
    for max_iterations in 0..60 {
        let mut simulator = Simulator::new();
        simulator.prepare(world, motion, budget(max_iterations));
        let solution = simulator.solve_prepared().clone();
        let system = simulator.system();
        let mut b = vec![0.0; system.n_rows()];
        system.right_hand_side(motion, &mut b);
        let jacobian = Matrix::new(system.n_rows(), system.n_v(), system.jacobian_matrix());
        let moved = jacobian.times(&solution.motion);
        let (mut tree, mut loops) = (vec![], vec![]);
        for record in world.constraints() {
            let rows = if is_loop(record.label()) {
                &mut loops
            } else {
                &mut tree
            };
            rows.extend(record.row_range().map(|row| moved[row] - b[row]));
        }
        assert_eq!(loops.len(), simulator.topology().n_loop_rows());
        let size = largest(&moved)
            .max(largest(&b))
            .max(largest(&solution.motion));
        assert!(
            largest(&tree) <= 1e-12 * size,
            "budget {max_iterations}: tree rows off by {:.1e} of {size:.1e}",
            largest(&tree)
        );
        let error = norm(&loops);
        let slack = 1e-13 * first.unwrap_or(size);
        assert!(
            error <= last * (1.0 + 1e-9) + slack,
            "budget {max_iterations}: loops {error:.3e} after {last:.3e}"
        );
        assert!(solution.iterations <= max_iterations);
        assert!(solution.lambda.iter().all(|x| x.is_finite()));
        match solution.outcome {
            Outcome::NotConverged => assert_eq!(solution.iterations, max_iterations),
            Outcome::Exact => met = met.or(Some(max_iterations)),
            Outcome::LeastSquares => assert!(!can_be_met, "budget {max_iterations}"),
        }
        first.get_or_insert(error);
        last = error;
    }
    let first = first.unwrap();
    assert_eq!(met.is_some(), can_be_met, "{last:.1e} of {first:.1e} left");
    if can_be_met {
        assert!(last <= 1e-11 * first, "{last:.1e} of {first:.1e} left");
    }
}

/// The same, with bodies that move every way.
pub(crate) fn shaken(mut world: World) -> World {
    let mut random = Random::new(31);
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for id in ids {
        world.set_v(id, &random.numbers(6, 0.5)).unwrap();
    }
    world
}

#[test]
fn consistent_loops() {
    let far = |label: &str| label.starts_with("rung") && label.ends_with("right");
    for name in ["ladder3:2,3", "ladder3:4,4"] {
        check(&scene(name), Motion::Acceleration, far, true);
        check(&shaken(scene(name)), Motion::Acceleration, far, true);
        check(&shaken(scene(name)), Motion::Velocity, far, true);
    }
}

/// A straight string pinned at both ends, the far pin out of reach.
#[test]
fn contradictory_loops() {
    let mut world = scene("chain:6");
    let last = world.find_body("bar 5").unwrap();
    world
        .join(
            "far",
            Ball,
            last.at([0.5, 0.0, 0.0]),
            GROUND.at([6.5, 0.2, 0.1]),
        )
        .unwrap();
    let far = |label: &str| label.starts_with("far");
    check(&world, Motion::Displacement, far, false);
    // Two closures of one ladder that want different things.
    let mut world = shaken(scene("ladder3:2,2"));
    let end = world.find_body("left 1.1").unwrap().at([0.5, 0.0, 0.0]);
    for (n, to) in [[4.1, 0.0, 0.2], [4.0, 0.3, 0.0]].into_iter().enumerate() {
        world
            .join(&format!("far {n}"), Ball, end, GROUND.at(to))
            .unwrap();
    }
    let far = |label: &str| {
        label.starts_with("far") || label.starts_with("rung") && label.ends_with("right")
    };
    check(&world, Motion::Displacement, far, false);
}

#[test]
fn a_warm_start_at_the_same_instant_costs_nothing() {
    let mut world = shaken(scene("ladder3:3,3"));
    let options = |warm_start| {
        Krylov::default()
            .with_tolerance(1e-9)
            .with_max_iterations(1000)
            .with_warm_start(warm_start)
    };
    for method in [
        Method::ForestKrylov as fn(Krylov) -> Method,
        Method::NormalCg,
    ] {
        let cold = Simulator::new()
            .accelerations(&world, method(options(false)))
            .clone();
        assert!(cold.iterations > 3);
        let mut state = world.state().clone();
        state.lambda.clone_from(&cold.lambda);
        world.set_state(state).unwrap();
        let warm = Simulator::new()
            .accelerations(&world, method(options(true)))
            .clone();
        assert_eq!(warm.iterations, 0);
        assert_eq!(warm.outcome, Outcome::Exact);
        // A little later it still helps.
        world.set_time(0.0).unwrap();
        let id = world.find_body("left 0.0").unwrap();
        let mut v = world.v(id).unwrap().to_vec();
        v[4] += 1e-4;
        world.set_v(id, &v).unwrap();
        let near = Simulator::new()
            .accelerations(&world, method(options(true)))
            .iterations;
        assert!(near < cold.iterations, "{near} of {}", cold.iterations);
    }
}

/// Each loop is scaled by what it could do alone. Closed to the ground at the tip of a tree, it is all there is: one
/// iteration is the answer, whatever joints are on the way, held at the root or flying.
#[test]
fn a_loop_by_itself_takes_one_iteration() {
    let axis_world = [0.3, 0.8, 0.5];
    for is_held in [true, false] {
        for n in 1 + 2 * i32::from(is_held)..=6 {
            let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
            let mut last = GROUND.at([0.1, 0.0, 0.0]);
            for i in 0..n {
                let size = [0.4, 0.2 + 0.1 * f64::from(i), 0.3];
                let mass = 1.0 + 2.0 * f64::from(i % 3);
                let at = [0.5 * f64::from(i), 0.1 * f64::from(i % 2), -0.2];
                let body =
                    world.add_body_at(&format!("body {i}"), Cuboid { size, mass }, Pose::at(at));
                let body = body.unwrap();
                let turn = 0.3 * f64::from(i);
                world
                    .set_v(body, &[0.1, turn, 0.2, 0.3, -turn, 0.4])
                    .unwrap();
                let (label, next) = (format!("joint {i}"), body.at([-0.2, 0.1, 0.0]));
                let joined = match i % 5 {
                    0 if !is_held => Ok(()),
                    0 => world.join(&label, Ball, last, next).map(|_| ()),
                    1 => world
                        .join(&label, Hinge { axis_world }, last, next)
                        .map(|_| ()),
                    2 => (world.join(&label, Cylindrical { axis_world }, last, next)).map(|_| ()),
                    3 => (world.join(&label, Prismatic { axis_world }, last, next)).map(|_| ()),
                    _ => world.join(&label, Weld, last, next).map(|_| ()),
                };
                joined.unwrap();
                last = body.at([0.2, -0.1, 0.1]);
            }
            let ground = GROUND.at([1.0, 0.5, 0.0]);
            let close = world.join("close", Ball, last, ground).unwrap();
            world.set_tree(close, Tree::Loop).unwrap();
            let krylov = Krylov::default().with_tolerance(1e-9);
            let solution = Simulator::new()
                .accelerations(&world, Method::ForestKrylov(krylov))
                .clone();
            let what = format!("{n} bodies, held {is_held}: {:?}", solution.outcome);
            assert!(solution.iterations <= 1, "{what} {}", solution.iterations);
            let exact = Simulator::new()
                .accelerations(&world, Method::Direct)
                .clone();
            let size = largest(&exact.motion);
            let pairs = exact.motion.iter().zip(&solution.motion);
            let off: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
            assert!(largest(&off) < 1e-7 * size, "{what}: {:e}", largest(&off));
        }
    }
}

/// A rope that a weld contradicts: the loop rows cannot be met, and more iterations must not follow
/// round-off into multipliers of any size.
#[test]
fn more_budget_never_makes_a_contradiction_worse() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let size = [0.5, 0.3, 0.2];
    let body = world.add_body("box", Cuboid { size, mass: 1.0 }).unwrap();
    world.set_v(body, &[0.3, 0.1, 0.2, 0.5, -0.4, 0.7]).unwrap();
    let ends = [GROUND.at([0.7, 0.2, 0.1]), body.at([0.1, 0.1, 0.0])];
    world
        .add_constraint("rope", Distance { length: 0.7 }, &ends)
        .unwrap();
    let at = [0.3, 0.0, 0.0];
    world
        .join("weld", Weld, GROUND.at(at), body.at(at))
        .unwrap();
    let mut last = f64::INFINITY;
    for max_iterations in [1, 2, 5, 20, 1000, 100_000] {
        let krylov = Krylov::default()
            .with_tolerance(1e-13)
            .with_max_iterations(max_iterations);
        let mut simulator = Simulator::new();
        let solution = simulator
            .accelerations(&world, Method::ForestKrylov(krylov))
            .clone();
        assert_ne!(
            solution.outcome,
            Outcome::Exact,
            "{max_iterations} iterations"
        );
        let largest = solution.lambda.iter().fold(0.0f64, |m, l| m.max(l.abs()));
        assert!(
            largest < 1e3,
            "{max_iterations} iterations: multipliers of {largest:e}"
        );
        let system = simulator.system();
        let n = system.n_v();
        let jacobian = system.jacobian_matrix();
        let mut b = vec![0.0; system.n_rows()];
        system.right_hand_side(Motion::Acceleration, &mut b);
        // Least squares are of the length of all errors, in meters.
        let moved = Matrix::new(system.n_rows(), n, jacobian.clone()).times(&solution.motion);
        let rows = moved.iter().zip(&b).zip(system.row_scale());
        let left = rows.map(|((moved, b), scale)| scale * (moved - b));
        let left = left.map(|error| error * error).sum::<f64>().sqrt();
        let what = format!("{max_iterations} iterations: {left:e} after {last:e}");
        assert!(left <= last * (1.0 + 1e-9), "{what}");
        last = left;
        let rope: f64 = jacobian[..n]
            .iter()
            .zip(&solution.motion)
            .map(|(j, y)| j * y)
            .sum();
        assert!(
            (rope - b[0]).abs() < 1e-12,
            "the tree's row is off by {:e}",
            rope - b[0]
        );
    }
}
