//! Any legal elimination order gives the same motion, also where pivots are singular in ordinary
//! poses: flat grids, straight strings, hung plates, rings with collinear bars.

use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::{Outcome, Solution};
use linkwork::system::Motion;
use linkwork::world::BodyRecord;

use crate::dense::{Answer, Dense};
use crate::random_world::{self, Random};
use crate::{assembled, scene};

const INNER: [f64; 3] = [-0.5, 0.0, 0.0];
const OUTER: [f64; 3] = [0.5, 0.0, 0.0];

fn rod() -> Rod {
    Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    }
}

/// A bar from `from`, turned by a rotation vector.
fn bar(world: &mut World, label: &str, from: [f64; 3], turn: [f64; 3]) -> (BodyId, [f64; 3]) {
    let half = linkwork::math::mat_vec(&linkwork::math::rotation_exp(turn), OUTER);
    let (mut center, mut end) = (from, from);
    for k in 0..3 {
        center[k] += half[k];
        end[k] += 2.0 * half[k];
    }
    let body = world.add_body_at(label, rod(), Pose::turned(center, turn));
    (body.unwrap(), end)
}

/// A string of `n` bars from `from` along `turn`·x; returns the last end, as a place and a point.
fn string(
    world: &mut World,
    label: &str,
    n: usize,
    from: ([f64; 3], Connector),
    turn: [f64; 3],
) -> ([f64; 3], Connector) {
    let (mut at, mut end) = from;
    for i in 0..n {
        let (body, outer) = bar(world, &format!("{label} {i}"), at, turn);
        world
            .join(&format!("{label} {i}"), Ball, end, body.at(INNER))
            .unwrap();
        (at, end) = (outer, body.at(OUTER));
    }
    (at, end)
}

/// A straight string pinned at both ends.
fn pinned_string(n: usize) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let start = ([0.0; 3], GROUND.at([0.0; 3]));
    let (at, end) = string(&mut world, "bar", n, start, [0.0; 3]);
    world.join("far end", Ball, end, GROUND.at(at)).unwrap();
    world
}

/// A plate hung on straight vertical strings.
fn hung_plate(n_strings: usize, n_bars: usize) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let plate = Cuboid {
        size: [2.0, 2.0, 0.1],
        mass: 5.0,
    };
    let depth = n_bars as f64;
    let plate = world.add_body_at("plate", plate, Pose::at([0.0, 0.0, -depth]));
    let plate = plate.unwrap();
    let down = [0.0, std::f64::consts::FRAC_PI_2, 0.0];
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    for (i, [x, y]) in corners.into_iter().take(n_strings).enumerate() {
        let label = format!("string {i}");
        let top = [x, y, 0.0];
        let (_, end) = string(&mut world, &label, n_bars, (top, GROUND.at(top)), down);
        world
            .join(&format!("{label} plate"), Ball, end, plate.at([x, y, 0.0]))
            .unwrap();
    }
    world
}

/// A ring of three bars and the ground, all ball joints, two bars in one line.
fn ring() -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let start = ([0.0; 3], GROUND.at([0.0; 3]));
    let (at, end) = string(&mut world, "straight", 2, start, [0.0; 3]);
    let (at, end) = string(&mut world, "up", 1, (at, end), [0.0, 0.0, 2.0]);
    world.join("close", Ball, end, GROUND.at(at)).unwrap();
    world
}

/// The same ring of four bars, free in space.
fn free_ring() -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let start = bar(&mut world, "first", [0.0; 3], [0.0; 3]);
    let (at, end) = string(
        &mut world,
        "straight",
        1,
        (start.1, start.0.at(OUTER)),
        [0.0; 3],
    );
    // Two more bars lead back: they meet over the middle of the straight side at a sharp angle.
    let back = [0.0, 0.0, std::f64::consts::PI];
    let (at, end) = string(&mut world, "back", 1, (at, end), back);
    let (_, end) = string(&mut world, "home", 1, (at, end), back);
    world.join("close", Ball, end, start.0.at(INNER)).unwrap();
    world
}

/// A moving version of a world: generic velocities.
fn moving(mut world: World, seed: u64) -> World {
    let mut random = Random::new(seed);
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for id in ids {
        let n = world.v(id).unwrap().len();
        world.set_v(id, &random.numbers(n, 1.0)).unwrap();
    }
    world
}

/// The default order, bodies first and many random orders, on loads and rows that can be met.
fn check(world: &World, name: &str, n_seeds: u64) {
    let (dense, _) = assembled(world, Motion::Acceleration, &SolveOptions::default());
    let mut random = Random::new(5);
    let force = random.numbers(dense.n_v, 5.0);
    let b = dense.jacobian.times(&random.numbers(dense.n_v, 2.0));
    let answer = dense.solve(&force, &b);
    // The world's own right-hand side, where it can be met too.
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
    let mut own_b = vec![0.0; b.len()];
    simulator
        .system()
        .right_hand_side(Motion::Acceleration, &mut own_b);
    let own = dense.solve(simulator.system().force(), &own_b);
    let can_be_met = own.left[0] < 1e-11;

    let check_one = |simulator: &mut Simulator, order: &str| {
        let solution = simulator.accelerations(world, Method::Direct).clone();
        assert!(
            solution
                .motion
                .iter()
                .chain(&solution.lambda)
                .all(|x| x.is_finite()),
            "{name}, {order}: not finite"
        );
        agree(&dense, &own, &solution, &format!("{name}, {order}"));
        if can_be_met {
            assert_eq!(solution.outcome, Outcome::Exact, "{name}, {order}");
        }
        let solution = simulator.solve_for(Some(&force), Some(&b)).clone();
        agree(
            &dense,
            &answer,
            &solution,
            &format!("{name}, {order}, random"),
        );
        assert_eq!(solution.outcome, Outcome::Exact, "{name}, {order}");
    };
    check_one(&mut simulator, "default order");
    simulator.set_bodies_first();
    check_one(&mut simulator, "bodies first");
    for seed in 1..=n_seeds {
        simulator.set_elimination_seed(seed);
        check_one(&mut simulator, &format!("seed {seed}"));
    }
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        simulator.prepare(world, Motion::Acceleration, method);
        let solution = simulator.solve_for(Some(&force), Some(&b));
        agree(
            &dense,
            &answer,
            solution,
            &format!("{name}, {}", method.name()),
        );
    }
}

fn agree(dense: &Dense, answer: &Answer, solution: &Solution, what: &str) {
    let error = dense.motion_error(answer, &solution.motion);
    assert!(
        error <= 1.0,
        "{what}: off by {error:.1e} of what is allowed, condition {:.1e}, {:?} {:?}",
        answer.sigma_max / answer.sigma_min,
        solution.outcome,
        solution.residual,
    );
}

#[test]
fn random_loopy_graphs() {
    for seed in 0..12 {
        let world = random_world::world(100 + seed, 10, 4);
        let (dense, b) = assembled(&world, Motion::Acceleration, &SolveOptions::default());
        if dense.solve(&vec![0.0; dense.n_v], &b).rank_is_clear() {
            check(&world, &format!("random {seed}"), 10);
        }
    }
}

#[test]
fn flat_grids() {
    check(&scene("grid:2,2"), "grid 2×2", 20);
    check(&scene("grid:4,4"), "grid 4×4", 10);
    check(&moving(scene("grid:3,3"), 2), "moving grid 3×3", 10);
}

#[test]
fn straight_strings_pinned_at_both_ends() {
    for n in [1, 2, 3, 7] {
        check(&pinned_string(n), &format!("string of {n}"), 10);
        check(
            &moving(pinned_string(n), 7),
            &format!("moving string of {n}"),
            10,
        );
    }
}

#[test]
fn a_plate_on_straight_strings() {
    for (n_strings, n_bars) in [(1, 3), (3, 1), (3, 3), (4, 2), (4, 5)] {
        let name = format!("plate on {n_strings} strings of {n_bars}");
        check(&hung_plate(n_strings, n_bars), &name, 15);
    }
}

#[test]
fn rings_with_collinear_bars() {
    check(&ring(), "ring", 20);
    check(&free_ring(), "folded ring", 20);
    check(&moving(ring(), 3), "moving ring", 20);
}

#[test]
fn hubs_in_loops() {
    // A disc with twelve pairs of arms that meet in pairs: a hub of degree 25 on loops.
    let mut world = scene("hub:24");
    for i in 0..12 {
        let id = |k: usize| world.find_body(&format!("arm {k}")).unwrap();
        let (a, b) = (id(2 * i).at(OUTER), id(2 * i + 1).at(OUTER));
        let length = 1.0;
        world
            .add_constraint(&format!("tie {i}"), Distance { length }, &[a, b])
            .unwrap();
    }
    check(&moving(world, 9), "tied hub", 20);
}
