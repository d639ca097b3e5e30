//! Sensors: they push nothing, and tell who is in them.

use super::support::{DT, G, add, ball, flat};
use linkwork::collide::{Polygon, Polyhedron, Shape};
use linkwork::prelude::*;
use linkwork::step::Event;
use linkwork::world::{Collider, Sensed};
use std::sync::Arc;

/// A body that does not move, with a sensor.
fn fixed_sensor(world: &mut World, shape: Shape, position: [f64; 3]) -> BodyId {
    let still = linkwork::body::FixedPose(Pose::at(position));
    let id = world.add_body("gate", Kinematic::new(still)).unwrap();
    world
        .set_colliders(id, vec![Collider::sensor(shape)])
        .unwrap();
    id
}

/// A ball falls through a gate: it enters when its lowest point is at the top, y = 2, and leaves when its highest one
/// is at the bottom, y = 1. The motion has the bits that it has without the gate, also where it touches the floor.
#[test]
fn a_ball_that_falls_through_a_gate_enters_and_leaves_it() {
    let mut plain = flat(0.5);
    let mut world = flat(0.5);
    let own = [&mut plain, &mut world].map(|world| ball(world, 0.1, [0.0, 3.0, 0.0]))[1];
    let half = [0.5; 3];
    let gate = fixed_sensor(&mut world, Shape::Box { half }, [0.0, 1.5, 0.0]);
    let (mut simulator, options) = (Simulator::new(), StepOptions::interactive(DT));
    let mut events = vec![];
    for _ in 0..120 {
        Simulator::new().step(&mut plain, &options).unwrap();
        let report = simulator.step(&mut world, &options).unwrap();
        let t = world.state().t;
        events.extend(report.events.into_iter().map(|event| (t, event)));
        assert_eq!(plain.state().touching, world.state().touching);
        assert_eq!(plain.state().v, world.state().v);
        let is_inside = (0.9..2.1).contains(&world.pose(own).unwrap().unwrap().position[1]);
        assert_eq!(world.sensed_by(gate).unwrap().contains(&own), is_inside);
    }
    let [(enters, Event::Entered(came)), (leaves, Event::Left(left))] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(came, left);
    assert_eq!((came.sensor, came.body), (gate, own));
    for (time, way) in [(enters, 0.9f64), (leaves, 2.1)] {
        let expected = (2.0 * way / G).sqrt();
        assert!(
            *time >= expected && *time < expected + DT,
            "{time} {expected}"
        );
    }
    let list: Vec<Sensed> = world.sensed();
    assert!(list.is_empty(), "{list:?}");
}

fn solids(size: f64) -> [Shape; 5] {
    let corners = [
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ];
    let corners = corners.map(|corner| corner.map(|x| x * size));
    [
        Shape::Sphere { radius: size },
        Shape::Capsule {
            half_length: size,
            radius: 0.5 * size,
        },
        Shape::Box { half: [size; 3] },
        Shape::Cylinder {
            half_length: size,
            radius: size,
        },
        Shape::Hull(Arc::new(Polyhedron::new(&corners).unwrap())),
    ]
}

fn flat_shapes(size: f64) -> [Shape; 2] {
    let corners = vec![[-size, -size], [size, -size], [0.0, size]];
    [
        Shape::Disc { radius: size },
        Shape::Polygon(Arc::new(Polygon::new(corners, 0.1 * size).unwrap())),
    ]
}

/// However small something is, and however deep inside: it is sensed, and it is not where it is beside.
#[test]
fn what_is_wholly_inside_is_sensed() {
    for large in solids(1.0).into_iter().chain([Shape::Plane]) {
        for small in solids(0.05) {
            let mut world = World::new();
            let gate = fixed_sensor(&mut world, large.clone(), [0.0; 3]);
            let sphere = Sphere {
                radius: 0.1,
                mass: 1.0,
            };
            let own = add(
                &mut world,
                sphere,
                Pose::at([-0.2, 0.03, -0.04]),
                Collider::new(small.clone()),
            );
            assert_eq!(
                world.sensed_by(gate).unwrap(),
                [own],
                "{small:?} in {large:?}"
            );
            world.set_pose(own, Pose::at([3.0, 0.1, 0.0])).unwrap();
            assert_eq!(world.sensed_by(gate).unwrap(), [], "{small:?} by {large:?}");
        }
    }
    for large in flat_shapes(1.0) {
        for small in flat_shapes(0.05) {
            let mut world = World::new();
            let disc = PlanarDisc {
                radius: 0.1,
                mass: 1.0,
            };
            let gate = world.add_body("gate", disc).unwrap();
            let sensor = Collider::sensor(large.clone());
            world.set_colliders(gate, vec![sensor]).unwrap();
            let own = world.add_body("small", disc).unwrap();
            world
                .set_colliders(own, vec![Collider::new(small.clone())])
                .unwrap();
            world.set_q(own, &[0.1, -0.2, 1.0]).unwrap();
            assert_eq!(
                world.sensed_by(gate).unwrap(),
                [own],
                "{small:?} in {large:?}"
            );
            world.set_q(own, &[3.0, -0.2, 1.0]).unwrap();
            assert_eq!(world.sensed_by(gate).unwrap(), [], "{small:?} by {large:?}");
        }
    }
}

/// The same rules as for colliders: of joints, groups, and what takes part. Sensors do not see each other, rays do not
/// see them.
#[test]
fn sensors_see_what_colliders_would_meet() {
    let mut world = flat(0.5);
    let [arm, other] = [[0.0, 1.0, 0.0], [0.1, 1.0, 0.0]].map(|at| ball(&mut world, 0.1, at));
    let seen = |world: &World| world.sensed_by(arm).unwrap();
    let mut sensor = Collider::sensor(Shape::Sphere { radius: 0.3 });
    world.set_colliders(arm, vec![sensor.clone()]).unwrap();
    assert_eq!(seen(&world), [other]);
    assert_eq!(
        world
            .cast_ray([-0.15, 2.0, 0.0], [0.0, -1.0, 0.0])
            .unwrap()
            .body,
        GROUND
    );
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let joint = world
        .join("hinge", hinge, arm.at([0.1, 0.0, 0.0]), other.at([0.0; 3]))
        .unwrap();
    assert_eq!(seen(&world), []);
    sensor.with_joined = true;
    world.set_colliders(arm, vec![sensor.clone()]).unwrap();
    assert_eq!(seen(&world), [other]);
    world.set_constraint_enabled(joint, false).unwrap();
    sensor.with_joined = false;
    sensor.not_with = 1;
    world.set_colliders(arm, vec![sensor.clone()]).unwrap();
    assert_eq!(seen(&world), []);
    sensor.not_with = 0;
    world.set_colliders(arm, vec![sensor]).unwrap();
    assert_eq!(seen(&world), [other]);
    let second = Collider::sensor(Shape::Sphere { radius: 0.2 });
    world.set_colliders(other, vec![second]).unwrap();
    assert_eq!(world.sensed(), []);
    // The floor is in a sensor that reaches below it.
    world.set_pose(arm, Pose::at([0.0, 0.25, 0.0])).unwrap();
    assert_eq!(seen(&world), [GROUND]);
    world.set_body_enabled(arm, false).unwrap();
    assert_eq!(world.sensed(), []);
}

/// Who is in whom before anything moves, and how deep; what only touches, is joined or is a sensor is not told.
#[test]
fn bodies_that_are_in_each_other_are_told() {
    let mut world = flat(0.0);
    let [low, high, far] = [0.07, 0.25, 0.5].map(|y| ball(&mut world, 0.1, [0.0, y, 0.0]));
    let told = world.overlaps();
    let expected = [([GROUND, low], 0.03), ([low, high], 0.02)];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (own, (bodies, depth)) in told.iter().zip(expected) {
        assert_eq!(own.bodies, bodies);
        assert!((own.depth - depth).abs() < 1e-12, "{own:?}");
        assert!(own.collide);
    }
    // What its groups keep apart is told, too.
    let mut other = world.colliders(low).unwrap().to_vec();
    other[0].not_with = 2;
    let was = world.colliders(high).unwrap()[0].groups;
    let mut upper = world.colliders(high).unwrap().to_vec();
    upper[0].groups = was | 2;
    let mut apart = world.clone();
    apart.set_colliders(low, other).unwrap();
    apart.set_colliders(high, upper).unwrap();
    let told: Vec<_> = apart.overlaps().iter().map(|own| own.collide).collect();
    assert_eq!(told, [true, false]);
    let middle = [0.0, 0.16, 0.0];
    let inputs = [low.at([0.0, 0.09, 0.0]), high.at([0.0, -0.09, 0.0])];
    world
        .add_constraint("joint", linkwork::constraint::FramePair::ball(), &inputs)
        .unwrap();
    fixed_sensor(&mut world, Shape::Sphere { radius: 0.1 }, middle);
    assert_eq!(world.overlaps().len(), 1);
    assert!(
        world
            .overlaps()
            .iter()
            .all(|own| !own.bodies.contains(&far))
    );
}

/// What welds hold together is one part: what is joined to one of its bodies does not collide with the others, unless
/// asked to. The ground is no body of a part.
#[test]
fn what_is_welded_is_one_part() {
    let mut world = flat(0.0);
    let [left, middle, right, arm] =
        [-0.05, 0.0, 0.05, 0.1].map(|x| ball(&mut world, 0.1, [x, 0.5, 0.0]));
    assert_eq!(world.overlaps().len(), 6);
    let on = |id: BodyId, x: f64| id.at([0.1 - x, 0.0, 0.0]);
    world
        .join("one", Weld, on(left, -0.05), on(middle, 0.0))
        .unwrap();
    world
        .join("two", Weld, on(right, 0.05), on(middle, 0.0))
        .unwrap();
    let pairs = |world: &World| -> Vec<[BodyId; 2]> {
        world.overlaps().iter().map(|own| own.bodies).collect()
    };
    assert_eq!(pairs(&world), [[left, arm], [middle, arm], [right, arm]]);
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    world
        .join("elbow", hinge, on(left, -0.05), on(arm, 0.1))
        .unwrap();
    assert!(pairs(&world).is_empty());
    let mut colliders = world.colliders(arm).unwrap().to_vec();
    colliders[0].with_joined = true;
    let mut asked = world.clone();
    asked.set_colliders(arm, colliders).unwrap();
    assert_eq!(pairs(&asked), [[left, arm], [middle, arm], [right, arm]]);
    // Two that are bolted to the ground, each by itself.
    let mut world = flat(0.0);
    let two = [0.0, 0.1].map(|x| (x, ball(&mut world, 0.1, [x, 0.5, 0.0])));
    for (label, (x, id)) in ["here", "there"].into_iter().zip(two) {
        world
            .join(label, Weld, GROUND.at([x, 0.5, 0.0]), id.at([0.0; 3]))
            .unwrap();
    }
    assert_eq!(pairs(&world), [two.map(|(_, id)| id)]);
}
