//! What touched is known of the places where bodies are: of what is put elsewhere it is forgotten, and edits renumber
//! it.

use super::support::{ball, flat, run};
use linkwork::prelude::*;

/// Three balls that rest on a floor.
fn balls() -> (World, [BodyId; 3]) {
    let mut world = flat(0.5);
    let balls = [0.0, 1.0, 2.0].map(|x| ball(&mut world, 0.1, [x, 0.1, 0.0]));
    run(&mut world, 10, |_, _| ());
    assert_eq!(touch(&world), balls);
    (world, balls)
}

/// Who touches the floor, with which force each.
fn touch(world: &World) -> Vec<BodyId> {
    let touching = world.state().touching.iter();
    let bodies = touching.map(|own| {
        let [ground, body] = world.touching_bodies(own).unwrap();
        assert_eq!(ground, GROUND);
        let at = world.pose(body).unwrap().unwrap().position;
        let apart = own.point_world[0] - at[0];
        assert!(apart.abs() < 1e-9 && (own.force_world[1] - 9.81).abs() < 1e-9);
        body
    });
    bodies.collect()
}

#[test]
fn what_is_put_elsewhere_has_touched_nothing_there() {
    let (mut world, [a, b, c]) = balls();
    let pose = world.pose(b).unwrap().unwrap();
    world.set_pose(b, pose).unwrap();
    world.set_v(b, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    assert_eq!(touch(&world), [a, b, c]);
    world.set_pose(b, Pose::at([1.0, 1.0, 0.0])).unwrap();
    assert_eq!(touch(&world), [a, c]);
    let q = [5.0, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0];
    world.set_q(a, &q).unwrap();
    assert_eq!(touch(&world), [c]);
    world.set_time(7.0).unwrap();
    assert_eq!(touch(&world), [c]);
}

#[test]
fn a_body_with_prescribed_motion_leaves_what_it_touched_as_time_is_set() {
    use linkwork::body::SineMotion;
    use linkwork::collide::Shape;
    use linkwork::world::Collider;
    let (mut world, _) = balls();
    let sine = SineMotion {
        middle: Pose::at([0.0, -0.5, 0.0]),
        amplitude_world: [0.0, 0.03, 0.0],
        swing_world: [0.0; 3],
        frequency: 0.3,
        phase: -std::f64::consts::TAU * 0.3 * world.state().t,
    };
    let lift = world.add_body("lift", Kinematic::new(sine)).unwrap();
    let top = Collider::new(Shape::Box {
        half: [0.3, 0.5, 0.3],
    });
    world.set_colliders(lift, vec![top]).unwrap();
    run(&mut world, 10, |_, _| ());
    let on_lift = |world: &World| {
        let touching = world.state().touching.iter();
        let bodies = touching.filter_map(|own| world.touching_bodies(own));
        (
            bodies.clone().filter(|own| own.contains(&lift)).count(),
            bodies.count(),
        )
    };
    assert_eq!(on_lift(&world), (1, 3));
    world.set_time(world.state().t + 0.1).unwrap();
    assert_eq!(on_lift(&world), (0, 2));
}

#[test]
fn edits_renumber_what_touched() {
    let (mut world, [a, b, c]) = balls();
    let whole = world.clone();
    let colliders = world.colliders(a).unwrap().to_vec();
    world.set_colliders(a, vec![]).unwrap();
    assert_eq!(touch(&world), [b, c]);
    world
        .set_colliders(a, [colliders.clone(), colliders].concat())
        .unwrap();
    assert_eq!(touch(&world), [b, c]);
    world.set_body_enabled(b, false).unwrap();
    assert_eq!(touch(&world), [c]);
    world.set_body_enabled(b, true).unwrap();
    let gone = world.remove_body(a).unwrap();
    assert_eq!(touch(&world), [c]);
    world.restore_removed(&gone).unwrap();
    assert_eq!(touch(&world), [c]);

    // It goes on as if it had never been otherwise.
    let mut less = whole.clone();
    less.remove_body(a).unwrap();
    assert_eq!(touch(&less), [b, c]);
    run(&mut less, 1, |_, report| assert!(report.law_error < 1e-9));
    assert_eq!(touch(&less), [b, c]);
    let mut without_floor = whole;
    without_floor.set_colliders(GROUND, vec![]).unwrap();
    assert_eq!(without_floor.state().touching, []);
}

/// An assembly moves one of them: the others still touch.
#[test]
fn assembly_forgets_what_moved() {
    let (mut world, [a, b, c]) = balls();
    world
        .join("hook", Ball, GROUND.at([1.0, 1.0, 0.0]), b.at([0.0; 3]))
        .unwrap();
    let report = Simulator::new()
        .assemble(&mut world, &AssembleOptions::default())
        .unwrap();
    assert!(report.position_error < 1e-9);
    assert_eq!(touch(&world), [a, c]);
    world.set_dynamics(Dynamics::Assembly);
    world.set_pose(c, Pose::at([3.0, 0.1, 0.0])).unwrap();
    run(&mut world, 1, |_, _| ());
    assert_eq!(touch(&world), [a]);
}
