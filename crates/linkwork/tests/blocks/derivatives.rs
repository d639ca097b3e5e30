//! `J`, `ċ` and `γ` of constraints on blocks of blocks are derivatives of `c` along motions of the bodies, and a force
//! on an output does the work that it says.

use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;
use linkwork::world::ConstraintRecord;

use crate::support::{apart, tangle};

/// All `c`, then all `ċ`, through the world's own evaluation.
fn values(world: &World) -> [Vec<f64>; 2] {
    let ids = world.constraints().iter().map(ConstraintRecord::id);
    let (mut c, mut c_dot) = (Vec::new(), Vec::new());
    for id in ids {
        let own = world.constraint_values(id).unwrap();
        c.extend(own.0);
        c_dot.extend(own.1);
    }
    [c, c_dot]
}

/// The world after all bodies were displaced by `h·dq`, and time went on by `dt`.
fn displaced(world: &World, dq: &[f64], h: f64, dt: f64) -> World {
    let mut copy = world.clone();
    let mut state = world.state().clone();
    for record in world.bodies() {
        let step: Vec<f64> = dq[record.v_range()].iter().map(|d| h * d).collect();
        record
            .body()
            .displace(&mut state.q[record.q_range()], &step);
    }
    state.t += dt;
    copy.set_state(state).unwrap();
    copy
}

/// `f′(0)`, to fourth order.
fn difference(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-3;
    let [back2, back, on, on2] = [-2.0, -1.0, 1.0, 2.0].map(|k| f(k * h));
    let slope = |i: usize| (8.0 * (on[i] - back[i]) - (on2[i] - back2[i])) / (12.0 * h);
    (0..on.len()).map(slope).collect()
}

#[test]
fn rows_are_derivatives_along_motions() {
    let world = tangle();
    let mut simulator = Simulator::new();
    simulator.fill(&world, Motion::Acceleration, &SolveOptions::default());
    let system = simulator.system();
    let [c, c_dot] = values(&world);
    assert_eq!(system.c(), c);
    assert!(apart(system.c_dot(), &c_dot) < 1e-14);

    let v = world.state().v.clone();
    let along = difference(|h| values(&displaced(&world, &v, h, h))[0].clone());
    assert!(apart(&along, &c_dot) < 1e-9, "{:e}", apart(&along, &c_dot));

    let n = system.n_v();
    // The spring is a force of its own at this instant, and its row is empty.
    let spring = world.find_constraint("spring").unwrap();
    let spring = world.constraint_record(spring).unwrap().row_range();
    let jacobian = system.jacobian_matrix();
    for column in 0..n {
        let mut dq = vec![0.0; n];
        dq[column] = 1.0;
        let found = difference(|h| values(&displaced(&world, &dq, h, 0.0))[0].clone());
        for row in (0..c.len()).filter(|row| !spring.contains(row)) {
            let own = jacobian[row * n + column];
            assert!(
                (own - found[row]).abs() < 1e-9,
                "row {row}, column {column}"
            );
        }
    }

    let mut gamma = vec![0.0; c.len()];
    system.right_hand_side(Motion::Acceleration, &mut gamma);
    let found = difference(|h| values(&displaced(&world, &v, h, h))[1].clone());
    for row in (0..c.len()).filter(|row| !spring.contains(row)) {
        assert!((gamma[row] + found[row]).abs() < 1e-8, "row {row}");
    }
}

/// `ẍ = Σ L·v̇ + ℓ` of outputs that constraints hold is what the constraints say: the sum of a world's accelerations.
#[test]
fn outputs_accelerate_as_their_bodies_do() {
    let world = tangle();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let mean = world.find_block("mean").unwrap().output(0);
    let held = world
        .connector_acceleration(&mean, &solution.motion)
        .unwrap();
    assert!(apart(&held, &[0.0; 3]) < 1e-9, "{held:?}");
    let mixed = world.find_block("mixed").unwrap().output(0);
    let rod = world.find_body("rod 0").unwrap().at([0.0; 3]);
    let [a, b] = [mixed, rod].map(|own| {
        let own = world.connector_acceleration(&own, &solution.motion);
        own.unwrap()
    });
    assert!(apart(&a, &b) < 1e-8, "{a:?} {b:?}");
}

/// The power of a force on an output is what it puts into the bodies.
#[test]
fn forces_on_outputs_do_their_work() {
    let world = tangle();
    let push = world.find_behavior("push").unwrap();
    let power = world.action(push).unwrap().power;
    let force = |world: &World| {
        let mut simulator = Simulator::new();
        simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
        simulator.system().force().to_vec()
    };
    let with = force(&world);
    let mut without = world.clone();
    without.set_behavior_enabled(push, false).unwrap();
    let v = &world.state().v;
    let added = with.iter().zip(force(&without)).zip(v);
    let added: f64 = added.map(|((a, b), v)| (a - b) * v).sum();
    // The output moves with time too, and that part is nobody's.
    let mixed = world.find_block("mixed").unwrap().output(0);
    let value = world.connector_value(&mixed).unwrap();
    assert_eq!(value.x.len(), 3);
    let by_time = -0.5 * world.state().t.cos();
    assert!((power - by_time - added).abs() < 1e-12, "{power} {added}");
}
