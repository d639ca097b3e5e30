//! What a factor and an edit cost, by counting.

use linkwork::prelude::*;
use linkwork::system::Motion;

use crate::scene;

fn n_operations(name: &str) -> usize {
    let mut simulator = Simulator::new();
    simulator.prepare(&scene(name), Motion::Acceleration, Method::Direct);
    simulator.n_operations()
}

#[test]
fn the_factor_of_chains_ladders_and_hubs_costs_linearly() {
    for build in [
        |n: usize| format!("chain:{n}"),
        |n: usize| format!("chain-hinge:{n}"),
        |n: usize| format!("tree:{n}"),
        |n: usize| format!("ladder:1,{n}"),
        |n: usize| format!("ladder:6,{n}"),
        |n: usize| format!("hub:{n}"),
    ] {
        let mut last = n_operations(&build(64));
        for n in [128, 256, 512] {
            let now = n_operations(&build(n));
            let ratio = now as f64 / last as f64;
            assert!(ratio <= 2.2, "{}: {last} then {now}", build(n));
            assert!(ratio >= 1.8, "{}: {last} then {now}", build(n));
            last = now;
        }
    }
}

/// A square grid of n bars has separators of √n, so a perfect order takes n^1.5 block operations.
/// Minimum degree takes 760, 6893, 67304, 728979 for 4, 8, 16, 32 meshes a side: n^1.6 to n^1.72.
#[test]
fn the_factor_of_a_grid_costs_less_than_its_square() {
    let mut last = n_operations("grid:4,4");
    for w in [8, 16, 32] {
        let now = n_operations(&format!("grid:{w},{w}"));
        let ratio = now as f64 / last as f64;
        // Four times the bars; 4^1.75 = 11.3.
        assert!(ratio <= 11.3, "grid {w}: {last} then {now}");
        last = now;
    }
}

/// Several ladders in one world.
fn ladders(n: usize) -> (World, Vec<Vec<BodyId>>) {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let mut all = vec![];
    let (inner, outer) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    for k in 0..n {
        let mut ids = vec![];
        let mut ends = [
            GROUND.at([0.0, 0.0, 3.0 * k as f64]),
            GROUND.at([0.0, 1.0, 3.0 * k as f64]),
        ];
        for i in 0..4 {
            let mut next = vec![];
            for (side, end) in ends.iter().enumerate() {
                let rod = Rod {
                    length: 1.0,
                    radius: 0.05,
                    mass: 1.0 + side as f64,
                };
                let label = format!("{k}.{i}.{side}");
                let at = Pose::at([i as f64 + 0.5, side as f64, 3.0 * k as f64]);
                let body = world.add_body_at(&label, rod, at).unwrap();
                world.join(&label, Ball, *end, body.at(inner)).unwrap();
                next.push(body.at(outer));
                ids.push(body);
            }
            let tie = Distance { length: 1.0 };
            world
                .add_constraint(&format!("{k}.{i} tie"), tie, &next)
                .unwrap();
            ends = [next[0], next[1]];
        }
        all.push(ids);
    }
    (world, all)
}

#[test]
fn an_edit_re_analyses_only_what_it_touches() {
    let (mut world, ids) = ladders(5);
    let mut simulator = Simulator::new();
    let mut analyzed = |world: &World| {
        simulator.accelerations(world, Method::Direct);
        (
            simulator.topology().n_components(),
            simulator.topology().n_analyzed(),
        )
    };
    assert_eq!(analyzed(&world), (5, 5));

    // Another constraint, then none.
    let tie = world
        .add_constraint(
            "tie",
            Distance { length: 3.0 },
            &[ids[2][0].at([0.0; 3]), ids[2][5].at([0.0; 3])],
        )
        .unwrap();
    assert_eq!(analyzed(&world), (5, 1));
    let removed = world.remove_constraint(tie).unwrap();
    assert_eq!(analyzed(&world), (5, 1));
    world.restore_removed(&removed).unwrap();
    assert_eq!(analyzed(&world), (5, 1));
    world.set_constraint_enabled(tie, false).unwrap();
    assert_eq!(analyzed(&world), (5, 1));

    // A body taken out of the middle leaves its ladder in one piece here (the other side holds).
    world.set_body_enabled(ids[4][3], false).unwrap();
    assert_eq!(analyzed(&world).1, 1);

    // Two ladders tied together are one component.
    let bridge = world
        .join(
            "bridge",
            Ball,
            ids[0][7].at([0.5, 0.0, 0.0]),
            ids[1][7].at([0.5, 0.0, 0.0]),
        )
        .unwrap();
    assert_eq!(analyzed(&world), (4, 1));
    world.remove_constraint(bridge).unwrap();
    assert_eq!(analyzed(&world), (5, 2));

    // A body of its own.
    let rod = Rod {
        length: 1.0,
        radius: 0.1,
        mass: 1.0,
    };
    let free = world.add_body("free", rod).unwrap();
    assert_eq!(analyzed(&world), (6, 1));
    world.remove_body(free).unwrap();
    assert_eq!(analyzed(&world), (5, 0));

    // What is not structure re-analyzes nothing.
    let spring = Spring {
        stiffness: 1.0,
        rest_length: 1.0,
        damping: 0.0,
    };
    let at = [GROUND.at([0.0; 3]), ids[3][0].at([0.0; 3])];
    let spring = world.add_behavior("spring", spring, &at).unwrap();
    assert_eq!(analyzed(&world), (5, 0));
    world.remove_behavior(spring).unwrap();
    assert_eq!(analyzed(&world), (5, 0));
    let tied = world.find_constraint("3.2 tie").unwrap();
    world.set_compliance(tied, &[1e-3]).unwrap();
    assert_eq!(analyzed(&world), (5, 0));
    world.replace_body(ids[3][0], rod).unwrap();
    assert_eq!(analyzed(&world), (5, 0));
    world.set_v(ids[3][0], &[0.1; 6]).unwrap();
    world.set_time(1.0).unwrap();
    assert_eq!(analyzed(&world), (5, 0));

    // A lower priority leaves the factor of its ladder.
    world.set_priority(tied, 1).unwrap();
    assert_eq!(analyzed(&world).1, 1);
}
