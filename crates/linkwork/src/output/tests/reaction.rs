//! Forces and torques that statics gives by hand.

use crate::output::Expressed;
use crate::world::{Joint, PlanarSlide, PointInSlot, PointOnPlane};
use std::f64::consts::FRAC_PI_2;

use super::*;
use crate::error::Item;

const WEIGHT: f64 = 2.0 * G;
const HOOK: Vec3 = [0.3, 1.0, -0.2];

fn ball() -> Sphere {
    Sphere {
        radius: 0.1,
        mass: 2.0,
    }
}

/// A weight whose center is half a meter below the point where it hangs.
fn hang(joint: impl Joint) -> (World, BodyId, ConstraintId) {
    let mut world = under_gravity();
    let pose = Pose::at([HOOK[0], HOOK[1] - 0.5, HOOK[2]]);
    let weight = world.add_body_at("weight", ball(), pose).unwrap();
    let (a, b) = (GROUND.at(HOOK), weight.at([0.0, 0.5, 0.0]));
    let hook = world.join("hook", joint, a, b).unwrap();
    (world, weight, hook)
}

fn check_hanging((world, weight, hook): (World, BodyId, ConstraintId)) {
    let lambda = solve(&world).lambda;
    let joint = format!("{:?}", world.constraint_record(hook).unwrap().constraint());
    let up = world
        .reaction(hook, &lambda, ReactionOptions::default())
        .unwrap();
    assert_eq!((up.body, up.connector), (Some(weight), 1));
    assert_eq!((&*up.acts_on, &*up.constraint_label), ("weight", "hook"));
    assert_close(&joint, &up.force, &[0.0, WEIGHT, 0.0], 1e-11);
    assert_close(&joint, &up.torque, &[0.0; 3], 1e-11);
    assert_close(&joint, &up.point_world, &HOOK, 1e-15);
    let down = world.reaction(hook, &lambda, on(0)).unwrap();
    assert_eq!((down.body, &*down.acts_on), (Some(GROUND), "ground"));
    assert_close(&joint, &down.force, &[0.0, -WEIGHT, 0.0], 1e-11);
    assert_close(&joint, &down.torque, &[0.0; 3], 1e-11);
}

#[test]
fn every_joint_carries_a_hanging_weight() {
    let (across, up) = ([1.0, 0.0, 0.3], [0.0, 1.0, 0.0]);
    check_hanging(hang(Ball));
    check_hanging(hang(Weld));
    check_hanging(hang(Hinge { axis_world: across }));
    check_hanging(hang(Hinge { axis_world: up }));
    check_hanging(hang(Universal {
        axis_a_world: across,
        axis_b_world: up,
    }));
    check_hanging(hang(Cylindrical { axis_world: across }));
    check_hanging(hang(Prismatic { axis_world: across }));
    check_hanging(hang(PlanarSlide { normal_world: up }));
    check_hanging(hang(PointInSlot { axis_world: across }));
    check_hanging(hang(PointOnPlane { normal_world: up }));
}

#[test]
fn a_thread_pulls_along_itself() {
    let mut world = under_gravity();
    let bob = world.add_body("bob", Particle { mass: 2.0 }).unwrap();
    let ends = [GROUND.at([0.0, 0.7, 0.0]), bob.at([0.0; 3])];
    let thread = Distance { length: 0.7 };
    let thread = world.add_constraint("thread", thread, &ends).unwrap();
    let lambda = solve(&world).lambda;
    let pull = world.reaction(thread, &lambda, on(1)).unwrap();
    assert_close("bob", &pull.force, &[0.0, WEIGHT, 0.0], 1e-12);
    let pull = world.reaction(thread, &lambda, on(0)).unwrap();
    assert_close("ground", &pull.force, &[0.0, -WEIGHT, 0.0], 1e-12);
}

#[test]
fn a_cantilever_is_held_by_a_torque_at_the_wall() {
    let mut world = under_gravity();
    let rod = Rod {
        length: 1.0,
        radius: 0.01,
        mass: 2.0,
    };
    let rod = world.add_body("rod", rod).unwrap();
    let (wall, end) = (GROUND.at([-0.5, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0]));
    let root = world.join("root", Weld, wall, end).unwrap();
    let lambda = solve(&world).lambda;
    let held = world.reaction(root, &lambda, on(1)).unwrap();
    assert_close("force", &held.force, &[0.0, WEIGHT, 0.0], 1e-10);
    assert_close("torque", &held.torque, &[0.0, 0.0, 0.5 * WEIGHT], 1e-10);
    let at_center = world.reaction(root, &lambda, about([0.0; 3])).unwrap();
    assert_close("about the center", &at_center.torque, &[0.0; 3], 1e-10);
    assert_eq!(at_center.point_world, [0.0; 3]);
    let at_tip = world
        .reaction(root, &lambda, about([0.5, 0.0, 0.0]))
        .unwrap();
    assert_close(
        "about the tip",
        &at_tip.torque,
        &[0.0, 0.0, -0.5 * WEIGHT],
        1e-10,
    );
}

#[test]
fn a_slot_is_loaded_where_the_point_is() {
    let mut world = under_gravity();
    let pose = Pose::at([0.7, 0.0, 0.0]);
    let bead = world
        .add_body_at("bead", Particle { mass: 2.0 }, pose)
        .unwrap();
    let slot = PointInSlot {
        axis_world: [1.0, 0.0, 0.0],
    };
    let wire = world
        .join("wire", slot, GROUND.at([0.0; 3]), bead.at([0.0; 3]))
        .unwrap();
    let lambda = solve(&world).lambda;
    let load = world.reaction(wire, &lambda, on(0)).unwrap();
    assert_close("force", &load.force, &[0.0, -WEIGHT, 0.0], 1e-12);
    assert_close("torque", &load.torque, &[0.0, 0.0, -0.7 * WEIGHT], 1e-12);
}

#[test]
fn a_force_can_be_seen_from_any_frame() {
    let mut world = under_gravity();
    // The body's x points along the world's y.
    let pose = Pose::turned([0.0; 3], [0.0, 0.0, FRAC_PI_2]);
    let weight = world.add_body_at("weight", ball(), pose).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, -1.0, 0.0],
    };
    let (a, b) = (GROUND.at([0.0; 3]), weight.at([0.0; 3]));
    let hook = world.join("hook", hinge, a, b).unwrap();
    let other = world.add_body_at(
        "other",
        ball(),
        Pose::turned([0.0; 3], [-FRAC_PI_2, 0.0, 0.0]),
    );
    let other = other.unwrap();
    let lambda = solve(&world).lambda;
    for (axes, force) in [
        (Expressed::World, [0.0, WEIGHT, 0.0]),
        (Expressed::Body(GROUND), [0.0, WEIGHT, 0.0]),
        (Expressed::Body(weight), [WEIGHT, 0.0, 0.0]),
        (Expressed::Body(other), [0.0, 0.0, WEIGHT]),
        (Expressed::Connector(0), [-WEIGHT, 0.0, 0.0]),
        (Expressed::Connector(1), [-WEIGHT, 0.0, 0.0]),
    ] {
        let seen = world.reaction(hook, &lambda, expressed(axes)).unwrap();
        assert_close(&format!("{axes:?}"), &seen.force, &force, 1e-11);
    }
}

#[test]
fn a_hinge_carries_no_torque_about_its_axis() {
    let mut world = under_gravity();
    let pose = Pose::turned([0.2, 0.1, -0.3], [0.4, -0.8, 0.3]);
    let body = world.add_body_at("body", odd_body(3.0), pose).unwrap();
    let axis = [0.6, 0.0, 0.8];
    let hinge = Hinge { axis_world: axis };
    let pivot = world
        .join(
            "pivot",
            hinge,
            GROUND.at([0.2, 0.1, -0.3]),
            body.at([0.0; 3]),
        )
        .unwrap();
    let com = world.center_of_mass().unwrap().1;
    let omega = crate::math::scale(2.5, axis);
    let v = crate::math::cross(omega, crate::math::sub(com, pose.position));
    world
        .set_v(body, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
        .unwrap();
    let lambda = solve(&world).lambda;
    for side in 0..2 {
        let options = ReactionOptions {
            expressed: Expressed::Connector(side),
            ..on(side)
        };
        let [x, y, z] = world.reaction(pivot, &lambda, options).unwrap().torque;
        assert!(x.abs() < 1e-10 && y.abs() > 0.1 && z.abs() > 0.1);
    }
}

#[test]
fn what_is_disabled_exerts_nothing() {
    let (mut world, weight, hook) = hang(Ball);
    let lambda = solve(&world).lambda;
    world.set_constraint_enabled(hook, false).unwrap();
    let idle = world.reaction(hook, &lambda, on(1)).unwrap();
    assert_eq!((idle.force, idle.torque), ([0.0; 3], [0.0; 3]));
    world.set_constraint_enabled(hook, true).unwrap();
    world.set_body_enabled(weight, false).unwrap();
    assert_eq!(
        world.reaction(hook, &lambda, on(1)).unwrap().force,
        [0.0; 3]
    );
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let (mut world, weight, hook) = hang(Ball);
    let lambda = solve(&world).lambda;
    let ask = |lambda: &[f64], options| world.reaction(hook, lambda, options).unwrap_err();
    assert_eq!(
        ask(&lambda[..2], on(1)).to_string(),
        "lambda: this world has 3 numbers, but 2 were given; compute them again after an edit"
    );
    assert_eq!(
        ask(&lambda, on(2)).to_string(),
        "constraint \"hook\": on is connector 2; give one of 0 to 1"
    );
    assert_eq!(
        ask(&lambda, expressed(Expressed::Connector(0))).to_string(),
        "constraint \"hook\": expressed is connector 0, a point in space, which has no axes; \
         take a frame, a body or the world"
    );
    let (other, stranger, foreign) = hang(Ball);
    let unknown = Error::UnknownId {
        item: Item::Constraint,
        number: 1,
        foreign: true,
        removed: false,
    };
    assert_eq!(world.reaction(foreign, &lambda, on(1)), Err(unknown));
    let solution = solve(&other);
    assert!(solution.of_body(&other, stranger).is_ok());
    assert!(solution.of_body(&world, stranger).is_err());
    assert!(solution.of_constraint(&world, foreign).is_err());
    assert_eq!(solution.of_body(&world, GROUND).unwrap(), [0.0; 0]);
    world.remove_body(weight).unwrap();
    let gone = world.reaction(hook, &[], on(1)).unwrap_err();
    assert!(matches!(gone, Error::UnknownId { removed: true, .. }));
    let short = solution.of_body(&world, GROUND).unwrap_err();
    assert!(matches!(
        short,
        Error::WrongLength {
            expected: 0,
            given: 6,
            ..
        }
    ));
}
