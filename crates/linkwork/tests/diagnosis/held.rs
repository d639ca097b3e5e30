//! What touches and what is at its stop is counted as held, and said so.

use linkwork::collide::Shape;
use linkwork::constraint::AngleLimit;
use linkwork::diagnose::{Diagnosis, Held, OneSided};
use linkwork::prelude::*;
use linkwork::world::Collider;

/// A floor below y = 0.
fn floor() -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let up = Pose::turned([0.0; 3], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    world
        .set_colliders(GROUND, vec![Collider::new(Shape::Plane).placed(up)])
        .unwrap();
    world
}

/// A top of a table on legs that end in balls.
fn table(world: &mut World, legs: &[[f64; 2]]) -> BodyId {
    let size = [1.0, 0.1, 1.0];
    let pose = Pose::at([0.0, 0.6, 0.0]);
    let top = world
        .add_body_at("table", Cuboid { size, mass: 10.0 }, pose)
        .unwrap();
    let foot = |[x, z]: &[f64; 2]| {
        let shape = Shape::Sphere { radius: 0.1 };
        Collider::new(shape).placed(Pose::at([*x, -0.5, *z]))
    };
    world
        .set_colliders(top, legs.iter().map(foot).collect())
        .unwrap();
    top
}

fn only(diagnosis: &Diagnosis) -> &Held {
    match &diagnosis.holds.by[..] {
        [one] => one,
        other => panic!("{other:?}"),
    }
}

/// Four legs: three hold a table, and the four share its weight in one way of many. Three share nothing.
#[test]
fn a_table_shares_its_weight() {
    let corners = [[0.4, 0.4], [0.4, -0.4], [-0.4, -0.4], [-0.4, 0.4]];
    for (n, is_shared) in [(3, false), (4, true)] {
        let mut world = floor();
        table(&mut world, &corners[..n]);
        let mut simulator = Simulator::new();
        for _ in 0..30 {
            let options = StepOptions::interactive(1.0 / 60.0);
            simulator.step(&mut world, &options).unwrap();
        }
        let found = diagnose(&world);
        assert_eq!((found.mobility, found.held_mobility()), (6, Some(3)));
        assert_eq!((found.holds.n_rows, found.holds.rank), (n, Some(3)));
        let own = only(&found);
        let labels = ["ground", "table"].map(str::to_owned);
        assert_eq!(own.by, OneSided::Touch { labels });
        assert_eq!((own.n_rows, own.is_shared), (n, Some(is_shared)));
    }
}

/// A table that a hinge holds as well: two legs on one side of its axis share the load with each other, and nothing
/// else is open.
#[test]
fn joints_count_with_what_touches() {
    let mut world = floor();
    let top = table(&mut world, &[[0.4, 0.4], [0.4, -0.4]]);
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let at = [-0.5, 0.6, 0.0];
    world
        .join("hinge", hinge, GROUND.at(at), top.at([-0.5, 0.0, 0.0]))
        .unwrap();
    // What is joined to the ground meets it if it asks for it.
    let mut own = world.colliders(top).unwrap().to_vec();
    own.iter_mut().for_each(|own| own.with_joined = true);
    world.set_colliders(top, own).unwrap();
    let found = diagnose(&world);
    assert_eq!((found.mobility, found.held_mobility()), (1, Some(0)));
    assert_eq!((found.holds.n_rows, found.holds.rank), (2, Some(1)));
    assert_eq!(only(&found).is_shared, Some(true));
}

/// A limit is named when it is at its stop, and only then.
#[test]
fn limits_at_their_stops_are_named() {
    for (lower, is_there) in [(0.0, true), (-0.1, false)] {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.02,
            mass: 1.0,
        };
        let bar = world
            .add_body_at("bar", rod, Pose::at([0.5, 0.0, 0.0]))
            .unwrap();
        let axis_world = [0.0, 0.0, 1.0];
        let (on, of) = (GROUND.at([0.0; 3]), bar.at([-0.5, 0.0, 0.0]));
        world.join("hinge", Hinge { axis_world }, on, of).unwrap();
        let frame = |body: BodyId, x: f64| body.frame_along([x, 0.0, 0.0], axis_world);
        let limit = AngleLimit {
            lower,
            upper: 1.0,
            restitution: 0.0,
        };
        world
            .add_constraint("stop", limit, &[frame(GROUND, 0.0), frame(bar, -0.5)])
            .unwrap();
        let found = diagnose(&world);
        assert_eq!(found.mobility, 1);
        assert_eq!(found.held_mobility(), Some(usize::from(!is_there)));
        let named: Vec<_> = found.holds.by.iter().map(|own| own.by.clone()).collect();
        match (&named[..], is_there) {
            ([OneSided::Limit { label, .. }], true) => assert_eq!(label, "stop"),
            ([], false) => {}
            other => panic!("{other:?}"),
        }
    }
}
