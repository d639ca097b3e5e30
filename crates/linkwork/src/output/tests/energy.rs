//! Energies and momenta in closed form, and their conservation.

use super::*;
use crate::body::{Momentum, Sheet, Troid};
use crate::math::{add, cross, scale};
use crate::output::Energy;

fn rod() -> Rod {
    Rod {
        length: 1.2,
        radius: 0.02,
        mass: 3.0,
    }
}

#[test]
fn a_falling_rod_has_the_energy_of_its_motion_and_height() {
    let mut world = under_gravity();
    let rod_id = world
        .add_body_at("rod", rod(), Pose::at([0.4, 2.0, 0.0]))
        .unwrap();
    world
        .set_v(rod_id, &[1.0, -2.0, 0.5, 0.0, 0.0, 3.0])
        .unwrap();
    let inertia = 3.0 * (1.2 * 1.2 / 12.0 + 0.02 * 0.02 / 4.0);
    let energy = world.energy().unwrap();
    let expected = [0.5 * 3.0 * 5.25 + 0.5 * inertia * 9.0, 3.0 * G * 2.0, 0.0];
    let found = [energy.kinetic, energy.potential, energy.elastic];
    assert_close("rod", &found, &expected, 1e-12);
    assert_close(
        "total",
        &[energy.total()],
        &[expected[0] + expected[1]],
        1e-12,
    );

    let momentum = world.momentum();
    assert_close("linear", &momentum.linear, &[3.0, -6.0, 1.5], 1e-12);
    let orbit = cross([0.4, 2.0, 0.0], momentum.linear);
    let angular = add(orbit, [0.0, 0.0, 3.0 * inertia]);
    assert_close("angular", &momentum.angular, &angular, 1e-12);
    world.set_body_enabled(rod_id, false).unwrap();
    assert_eq!(world.energy().unwrap(), Energy::default());
    assert_eq!(world.momentum(), Momentum::default());
    assert_eq!(world.center_of_mass(), None);
}

#[test]
fn springs_hold_half_k_times_stretch_squared() {
    let mut world = World::new();
    let bob = world
        .add_body_at("bob", Particle { mass: 1.0 }, Pose::at([0.0, 0.8, 0.0]))
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    let spring = Spring {
        stiffness: 50.0,
        rest_length: 0.6,
        damping: 0.0,
    };
    let spring = world.add_behavior("spring", spring, &ends).unwrap();
    let stored = 0.5 * 50.0 * 0.2 * 0.2;
    let found = world.energy().unwrap();
    assert_close("spring", &[found.potential], &[stored], 1e-14);
    world.set_behavior_enabled(spring, false).unwrap();
    assert_eq!(world.energy().unwrap().total(), 0.0);

    // A soft row is the same spring.
    let row = world
        .add_constraint("row", Distance { length: 0.6 }, &ends)
        .unwrap();
    assert_eq!(world.energy().unwrap().total(), 0.0);
    world.set_compliance(row, &[1.0 / 50.0]).unwrap();
    let found = world.energy().unwrap();
    assert_close("row", &[found.elastic], &[stored], 1e-14);
    world.set_constraint_enabled(row, false).unwrap();
    assert_eq!(world.energy().unwrap().total(), 0.0);
}

#[test]
fn a_swinging_pendulum_has_momentum_that_its_pivot_and_weight_change() {
    let mut world = under_gravity();
    let rod = world.add_body("rod", rod()).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let (a, b) = (GROUND.at([-0.6, 0.0, 0.0]), rod.at([-0.6, 0.0, 0.0]));
    let pivot = world.join("pivot", hinge, a, b).unwrap();
    world
        .set_v(rod, &[0.0, 0.6 * 2.0, 0.0, 0.0, 0.0, 2.0])
        .unwrap();
    let momentum = world.momentum();
    assert_close("linear", &momentum.linear, &[0.0, 3.6, 0.0], 1e-13);
    let (mass, com) = world.center_of_mass().unwrap();
    assert_eq!((mass, com), (3.0, [0.0; 3]));

    // d/dt of the linear momentum is the weight and the pivot's force; the center is drawn inwards.
    let solution = solve(&world);
    let center = world
        .connector_acceleration(&rod.at([0.0; 3]), &solution.motion)
        .unwrap();
    let force = world
        .reaction(pivot, &solution.lambda, on(1))
        .unwrap()
        .force;
    let rate = add(force, [0.0, -mass * G, 0.0]);
    assert_close(
        "rate",
        &scale(mass, [center[0], center[1], center[2]]),
        &rate,
        1e-9,
    );
    assert_close("inwards", &center[..1], &[-0.6 * 2.0 * 2.0], 1e-11);
    let held = world
        .connector_acceleration(&rod.at([-0.6, 0.0, 0.0]), &solution.motion)
        .unwrap();
    assert_close("pivot", &held, &[0.0; 3], 1e-11);
}

/// Rigid, planar, point-like and deformable bodies; hard and soft constraints; springs.
fn zoo() -> World {
    let mut world = under_gravity();
    let rod_id = world.add_body("rod", rod()).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let (a, b) = (GROUND.at([-0.6, 0.0, 0.0]), rod_id.at([-0.6, 0.0, 0.0]));
    world.join("pivot", hinge, a, b).unwrap();
    world
        .set_v(rod_id, &[0.0, 1.2, 0.0, 0.0, 0.0, 2.0])
        .unwrap();

    let pose = Pose::turned([0.8, 0.3, 0.1], [0.3, 0.5, -0.2]);
    let odd = world.add_body_at("odd", odd_body(2.0), pose).unwrap();
    world.set_v(odd, &[0.1, -0.4, 0.3, 1.0, -2.0, 1.5]).unwrap();
    let soft = world
        .join(
            "soft",
            Weld,
            rod_id.at([0.6, 0.0, 0.0]),
            odd.at([0.1, 0.2, 0.0]),
        )
        .unwrap();
    let pose = Pose::turned([0.7, 0.35, 0.1], [0.1, 0.9, -0.2]);
    world.set_pose(odd, pose).unwrap();
    // One compliance for all translations: these rows are along the world's axes.
    let compliance = [1e-2, 1e-2, 1e-2, 0.05, 0.04, 0.03];
    world.set_compliance(soft, &compliance).unwrap();

    let bob = world
        .add_body_at("bob", Particle { mass: 0.5 }, Pose::at([0.2, 1.0, 0.4]))
        .unwrap();
    world.set_v(bob, &[0.3, 0.2, -0.6]).unwrap();
    let spring = Spring {
        stiffness: 40.0,
        rest_length: 0.5,
        damping: 0.0,
    };
    let ends = [bob.at([0.0; 3]), odd.at([0.0, 0.3, 0.0])];
    world.add_behavior("spring", spring, &ends).unwrap();

    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 0.5], 2.0).unwrap(),
        stiffness: 30.0,
        area_stiffness: 20.0,
        damping: 0.0,
    };
    let sheet = world.add_body("sheet", troid).unwrap();
    world
        .set_q(sheet, &[0.1, -0.2, 1.1, 0.2, -0.1, 0.9])
        .unwrap();
    world
        .set_v(sheet, &[0.5, 0.1, -0.3, 0.7, 0.2, 0.4])
        .unwrap();
    let disc = PlanarDisc {
        radius: 0.3,
        mass: 1.5,
    };
    let disc = world.add_body("disc", disc).unwrap();
    world.set_v(disc, &[0.4, -0.1, 3.0]).unwrap();
    let spring = Spring {
        stiffness: 25.0,
        rest_length: 0.1,
        damping: 0.0,
    };
    let ends = [sheet.at([0.5, 0.25]), disc.at([0.3, 0.0])];
    world.add_behavior("planar spring", spring, &ends).unwrap();
    world
}

/// The world a moment later (or earlier), to second order.
fn moved(world: &World, v_dot: &[f64], h: f64) -> World {
    let mut state = world.state().clone();
    for record in world.bodies() {
        let v = &mut state.v[record.v_range()];
        let v_dot = &v_dot[record.v_range()];
        let dq: Vec<f64> = (v.iter().zip(v_dot))
            .map(|(v, a)| h * v + 0.5 * h * h * a)
            .collect();
        record.body().displace(&mut state.q[record.q_range()], &dq);
        v.iter_mut().zip(v_dot).for_each(|(v, a)| *v += h * a);
    }
    let mut world = world.clone();
    world.set_state(state).unwrap();
    world
}

#[test]
fn a_conservative_world_keeps_its_energy_and_moves_as_its_forces_say() {
    let world = zoo();
    let solution = solve(&world);
    let energy = world.energy().unwrap();
    assert!(energy.kinetic > 1.0 && energy.elastic > 1.0 && energy.potential.abs() > 1.0);
    let h = 1e-6;
    let (later, earlier) = (
        moved(&world, &solution.motion, h),
        moved(&world, &solution.motion, -h),
    );
    let rate = |of: fn(&Energy) -> f64| {
        (of(&later.energy().unwrap()) - of(&earlier.energy().unwrap())) / (2.0 * h)
    };
    assert!(rate(|energy| energy.kinetic).abs() > 1.0);
    assert!(rate(|energy| energy.elastic).abs() > 1.0);
    assert!(rate(Energy::total).abs() < 1e-7, "{}", rate(Energy::total));

    // All that acts from outside is weight and the pivot.
    let (mass, com) = world.center_of_mass().unwrap();
    let pivot = world.find_constraint("pivot").unwrap();
    let held = world.reaction(pivot, &solution.lambda, about([0.0; 3]));
    let held = held.unwrap();
    let weight = [0.0, -mass * G, 0.0];
    let (after, before) = (later.momentum(), earlier.momentum());
    let mut found = [0.0; 6];
    for k in 0..3 {
        found[k] = (after.linear[k] - before.linear[k]) / (2.0 * h);
        found[3 + k] = (after.angular[k] - before.angular[k]) / (2.0 * h);
    }
    let force = add(held.force, weight);
    let torque = add(held.torque, cross(com, weight));
    assert_close("linear", &found[..3], &force, 1e-6);
    assert_close("angular", &found[3..], &torque, 1e-6);
}
