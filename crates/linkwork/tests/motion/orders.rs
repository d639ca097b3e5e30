//! The order of every integrator, from three step sizes.

use linkwork::behavior::JointFriction;
use linkwork::body::{MassProperties, PrescribedMotion, SineMotion};
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::step::Scheme;
use linkwork::world::BodyRecord;

use crate::support::{after, body, difference, free_top, precise, scene, unguarded};

/// Where the bodies are, as points: quaternions are the same with either sign.
fn places(world: &World) -> Vec<f64> {
    let mut places = vec![];
    for record in world.bodies() {
        let q = &world.state().q[record.q_range()];
        let sign = q.get(3).map_or(1.0, |w| w.signum());
        let signed = q.iter().enumerate();
        places.extend(signed.map(|(k, q)| if k < 3 { *q } else { sign * q }));
    }
    places
}

/// The exponent p of an error that goes as hᵖ: log₂ of how much closer half the step is.
fn observed(world: &World, options: StepOptions, t: f64, n: usize) -> (f64, f64) {
    let at: Vec<Vec<f64>> = [1, 2, 4]
        .iter()
        .map(|times| places(&after(world, options, t, times * n)))
        .collect();
    let (coarse, fine) = (difference(&at[0], &at[1]), difference(&at[1], &at[2]));
    ((coarse / fine).log2(), fine)
}

#[track_caller]
fn check(name: &str, world: &World, options: StepOptions, n: usize, order: f64) {
    let options = options.within(Budget::default().with_tolerance(1e-13));
    let (found, error) = observed(world, options, 0.5, n);
    // Where errors of several orders mix, high orders look higher still.
    let above = if order > 2.0 { 1.0 } else { 0.2 };
    assert!(
        found > order - 0.2 && found < order + above,
        "{name} {:?}: order {found}, expected {order}; errors to {error:e}",
        options.scheme
    );
}

/// Every integrator, the number of steps in half a second, and its order. Without control, Dormand
/// and Prince's method is of order five.
fn integrators() -> Vec<(StepOptions, usize, f64)> {
    let post = Stabilization::Post { iterations: 10 };
    let parts = |integrator| StepOptions::parts(1.0, integrator, post);
    vec![
        (parts(Integrator::Euler), 800, 1.0),
        (parts(Integrator::SymplecticEuler), 800, 1.0),
        (parts(Integrator::Stoermer), 200, 2.0),
        (parts(Integrator::Rk4), 60, 4.0),
        (unguarded(1.0), 200, 2.0),
        (StepOptions::symplectic4(1.0), 100, 4.0),
        (precise(1.0, None), 40, 5.0),
    ]
}

fn check_all(name: &str, world: &World) {
    for (options, n, order) in integrators() {
        check(name, world, options, n, order);
    }
}

/// With forces that depend on velocities a RATTLE step is not its own mirror image, and a
/// composition of such steps is of order three.
fn check_all_with_drag(name: &str, world: &World) {
    for (options, n, order) in integrators() {
        let is_composed = options.scheme == Scheme::Symplectic4;
        check(
            name,
            world,
            options,
            n,
            if is_composed { 3.0 } else { order },
        );
    }
}

#[test]
fn two_rods() {
    check_all("two rods of the plane", &scene("double-pendulum"));
    check_all("two rods in space", &scene("chain:2"));
    check_all("two rods on hinges", &scene("chain-hinge:2"));
}

/// Schemes that fly are exact where nothing acts.
fn check_all_without_forces(name: &str, world: &World) {
    for (options, n, order) in integrators() {
        match options.scheme {
            Scheme::Interactive(_) | Scheme::Precise(_) | Scheme::Symplectic4 => {
                let (_, error) = observed(world, options, 0.5, n / 20);
                assert!(error < 1e-12, "{name} {:?}: {error:e}", options.scheme);
            }
            _ => check(name, world, options, n, order),
        }
    }
}

#[test]
fn a_free_body() {
    let mut world = free_top([1.0, 2.0, 3.0], [1.5, 2.0, 2.5]);
    check_all_without_forces("free body", &world);
    // Moments along no axis of the body frame, and a center of mass beside its origin.
    let skew = RigidBody::new(MassProperties {
        mass: 2.0,
        com_body: [0.1, -0.2, 0.3],
        inertia_body: [1.0, 1.5, 2.0, 0.2, -0.1, 0.3],
    });
    world.replace_body(body(&world, "top"), skew).unwrap();
    check_all_without_forces("skew body", &world);
}

/// A loop whose rows repeat each other, and springs and a motor.
#[test]
fn loops() {
    check_all("four-bar", &scene("four-bar"));
    for (options, n, order) in integrators() {
        // Twenty steps of order five are as exact as the solves.
        if order < 5.0 {
            check("bricard", &scene("bricard"), options, n, order);
        }
    }
}

/// The presets carry a loop whose rows repeat each other over frames of 1/60 s. Explicit stages are open by more
/// than they move the loop at such a step: Rk4 holds it fast there, and needs 1/120 s.
#[test]
fn long_steps_do_not_lock_a_redundant_loop() {
    let rule = Stabilization::Post { iterations: 10 };
    for (n, options, tolerance) in [
        (120, StepOptions::interactive(1.0 / 60.0), 3e-4),
        (120, StepOptions::precise(1.0 / 60.0), 1e-8),
        (120, StepOptions::symplectic4(1.0 / 60.0), 1e-8),
        (
            240,
            StepOptions::parts(1.0 / 120.0, Integrator::Rk4, rule),
            1e-8,
        ),
    ] {
        let end = after(&scene("bricard"), options, 2.0, n);
        let found = crate::support::point(&end, "rod 2", [0.5, 0.0, 0.0]);
        let expected = [-0.778135373, -0.980352683, -0.197252671];
        let name = format!("{:?}", options.scheme);
        crate::support::close(&name, &found, &expected, tolerance);
    }
}

fn with_drag(mut world: World) -> World {
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for (k, id) in ids.into_iter().enumerate() {
        let drag = ViscousDrag {
            linear: 1.0,
            angular: 0.02,
        };
        let at = [id.frame_at([0.2, 0.0, 0.0])];
        world.add_behavior(&format!("drag {k}"), drag, &at).unwrap();
    }
    world
}

/// Forces that depend on velocities keep the order.
#[test]
fn drag_and_friction() {
    check_all_with_drag("two rods in oil", &with_drag(scene("chain:2")));
    let top = free_top([1.0, 2.0, 3.0], [1.5, 2.0, 2.5]);
    check_all_with_drag("free body in oil", &with_drag(top));
    let mut world = scene("chain-hinge:2");
    let (upper, lower) = (body(&world, "bar 0"), body(&world, "bar 1"));
    let friction = JointFriction {
        angular: 0.5,
        linear: 0.0,
    };
    let y = [0.0, 1.0, 0.0];
    let ends = [
        upper.frame_along([0.5, 0.0, 0.0], y),
        lower.frame_along([-0.5, 0.0, 0.0], y),
    ];
    world.add_behavior("friction", friction, &ends).unwrap();
    check_all_with_drag("rusty hinge", &world);
}

/// An anchor that is carried about.
#[test]
fn moving_anchor() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let carried = SineMotion {
        middle: Pose::at([0.0; 3]),
        amplitude_world: [0.2, 0.1, 0.05],
        swing_world: [0.3, 0.0, 0.4],
        frequency: 1.0,
        phase: 0.4,
    };
    let start = carried.at(0.0).pose;
    let anchor = world.add_body("anchor", Kinematic::new(carried)).unwrap();
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let hook = linkwork::math::mat_vec(
        &linkwork::math::quat_to_matrix(start.rotation),
        [0.1, 0.0, 0.0],
    );
    let hook = linkwork::math::add(start.position, hook);
    let at = linkwork::math::add(hook, [0.5, 0.0, 0.0]);
    let rod = world.add_body_at("rod", rod, Pose::at(at)).unwrap();
    let ends = (anchor.at([0.1, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0]));
    world.join("hook", Ball, ends.0, ends.1).unwrap();
    // Rates that fit the anchor's from the start.
    let mut simulator = Simulator::new();
    let motion = simulator.velocity_correction(&world, Method::Direct);
    let v = motion.of_body(&world, rod).unwrap().to_vec();
    world.set_v(rod, &v).unwrap();
    check_all("moving anchor", &world);
}

/// Soft rows are of the integrator's order too: implicit over a step where it is of order one or
/// two, plain springs for the rest.
#[test]
fn soft_rows() {
    let mut world = scene("chain:2");
    let joint = world.find_constraint("joint 1").unwrap();
    world.set_compliance(joint, &[1e-2; 3]).unwrap();
    world.set_damping(joint, &[0.5; 3]).unwrap();
    let post = Stabilization::Post { iterations: 10 };
    for (options, n, order) in [
        (
            StepOptions::parts(1.0, Integrator::SymplecticEuler, post),
            800,
            1.0,
        ),
        (StepOptions::parts(1.0, Integrator::Rk4, post), 100, 4.0),
        (unguarded(1.0), 400, 2.0),
        (precise(1.0, None), 100, 5.0),
    ] {
        check("soft joint", &world, options, n, order);
    }
}

/// Faure 1998, §4.2 as printed pushes along J of where the step ends: first order.
#[test]
fn faure_1998() {
    let rule = Stabilization::Displacement { iterations: 3 };
    let options = StepOptions::parts(1.0, Integrator::Stoermer, rule);
    for name in ["double-pendulum", "chain:2", "four-bar"] {
        check(name, &scene(name), options, 800, 1.0);
    }
}

/// Without stabilization, and with feedback, orders are those of the integrators.
#[test]
fn other_rules() {
    let rules = [
        Stabilization::None,
        Stabilization::Feedback {
            stiffness: 5.0,
            damping: 2.0,
        },
        Stabilization::Baumgarte {
            alpha: 5.0,
            beta: 5.0,
        },
    ];
    for rule in rules {
        for (integrator, n, order) in [
            (Integrator::Euler, 800, 1.0),
            (Integrator::SymplecticEuler, 800, 1.0),
            (Integrator::Rk4, 60, 4.0),
        ] {
            let options = StepOptions::parts(1.0, integrator, rule);
            check(&format!("{rule:?}"), &scene("chain:2"), options, n, order);
        }
    }
}
