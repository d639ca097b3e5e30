//! Every row has a compliance: a spring without a horizon, an implicit spring with one, a hard row
//! in the limit.

use linkwork::behavior::PointForce;
use linkwork::connector::{Connector, Site};
use linkwork::constraint::{FramePair, KnifeEdge, PushedAlong};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;
use linkwork::world::{BodyRecord, ConstraintRecord};

use crate::assembled;
use crate::dense::{difference, largest, solve_kkt};
use crate::random_world::{self, Random, rigid};

/// A hanging chain of three moving bodies, and two points for a rope between them.
fn chain() -> (World, [Connector; 2]) {
    let mut random = Random::new(21);
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND.at([0.0; 3]);
    let mut ids = vec![];
    for i in 0..3 {
        let pose = Pose::turned(random.vector(1.0), random.vector(0.5));
        let body = world.add_body_at(&format!("body {i}"), rigid(&mut random), pose);
        let body = body.unwrap();
        world.set_v(body, &random.numbers(6, 1.0)).unwrap();
        world
            .join(&format!("joint {i}"), Ball, last, body.at([0.2, 0.0, 0.0]))
            .unwrap();
        last = body.at([-0.2, 0.0, 0.0]);
        ids.push(body);
    }
    let at = [ids[0].at([0.0, 0.3, 0.1]), ids[2].at([0.1, 0.0, 0.4])];
    (world, at)
}

/// The chain with a soft rope.
fn roped(chain: &World, at: &[Connector], compliance: f64) -> (World, ConstraintId) {
    let mut world = chain.clone();
    let rope = Distance { length: 0.7 };
    let id = world.add_constraint("rope", rope, at).unwrap();
    world.set_compliance(id, &[compliance]).unwrap();
    (world, id)
}

fn close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    let off = largest(&difference(a, b));
    let size = largest(b).max(1.0);
    assert!(off <= tolerance * size, "{what}: {off:.1e} of {size:.1e}");
}

#[test]
fn without_a_horizon_a_soft_row_is_a_spring() {
    let compliance = 0.02;
    let (chain, at) = chain();
    let (soft, id) = roped(&chain, &at, compliance);
    let mut sprung = chain.clone();
    let spring = Spring {
        stiffness: 1.0 / compliance,
        rest_length: 0.7,
        damping: 0.0,
    };
    sprung.add_behavior("rope", spring, &at).unwrap();
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&soft, method).clone();
        let c = simulator.system().c().to_vec();
        let expected = Simulator::new().accelerations(&sprung, method).clone();
        close(&solution.motion, &expected.motion, 1e-11, method.name());
        // Its multiplier is the spring's force.
        let row = soft.constraint_record(id).unwrap().row_range().start;
        let force = -c[row] / compliance;
        assert!((solution.lambda[row] - force).abs() < 1e-11 * force.abs());
        // An impulse does not feel a spring.
        let with = Simulator::new()
            .velocity_correction(&soft, method)
            .motion
            .clone();
        let without = Simulator::new()
            .velocity_correction(&chain, method)
            .motion
            .clone();
        close(&with, &without, 1e-11, method.name());
    }
}

/// `J·v̇ + (α/h²)·λ = −γ − (c + h·ċ)/h²`, assembled here from the hard world.
#[test]
fn with_a_horizon_a_soft_row_is_an_implicit_spring() {
    let (compliance, h) = (0.02, 1.0 / 60.0);
    let (chain, at) = chain();
    let (soft, id) = roped(&chain, &at, compliance);
    let mut hard = soft.clone();
    hard.set_compliance(id, &[0.0]).unwrap();
    let row = soft.constraint_record(id).unwrap().row_range().start;
    let mut simulator = Simulator::new();
    simulator.fill(&hard, Motion::Acceleration, &SolveOptions::default());
    let (c, c_dot) = (simulator.system().c()[row], simulator.system().c_dot()[row]);
    let force = simulator.system().force().to_vec();
    let rows: Vec<usize> = (0..simulator.system().n_rows()).collect();

    let (mut dense, mut b) = assembled(&hard, Motion::Acceleration, &SolveOptions::default());
    dense.compliance[row] = compliance / (h * h);
    b[row] -= (c + h * c_dot) / (h * h);
    let (y, lambda) = solve_kkt(&dense, &rows, &dense.jacobian, &force, &b);
    for method in Method::ALL {
        let options = SolveOptions::from(method).with_horizon(Some(h));
        let solution = Simulator::new().accelerations(&soft, options).clone();
        close(&solution.motion, &y, 1e-10, method.name());
        close(&solution.lambda, &lambda, 1e-10, method.name());
    }
}

/// At rest on the constraint nothing is left to correct: the limit is the hard row.
#[test]
fn ever_stiffer_rows_tend_to_the_hard_row() {
    for method in Method::ALL {
        let mut last = f64::INFINITY;
        for compliance in [1e-6, 1e-8, 1e-10, 1e-12] {
            let (chain, at) = chain();
            let (mut soft, id) = roped(&chain, &at, compliance);
            let ids: Vec<BodyId> = soft.bodies().iter().map(BodyRecord::id).collect();
            for body in ids {
                soft.set_v(body, &[0.0; 6]).unwrap();
            }
            let (p, q) = (soft.position_world(&at[0]), soft.position_world(&at[1]));
            let length = linkwork::math::norm(linkwork::math::sub(p.unwrap(), q.unwrap()));
            soft.replace_constraint(id, Distance { length }, &at)
                .unwrap();
            let mut hard = soft.clone();
            hard.set_compliance(id, &[0.0]).unwrap();
            let options = SolveOptions::from(method).with_horizon(Some(0.01));
            let soft = Simulator::new()
                .accelerations(&soft, options)
                .motion
                .clone();
            let hard = Simulator::new()
                .accelerations(&hard, options)
                .motion
                .clone();
            let off = largest(&difference(&soft, &hard)) / largest(&hard);
            assert!(off < 0.02 * last, "{}: {off:.1e}", method.name());
            last = off;
        }
        assert!(last < 1e-7, "{}: {last:.1e}", method.name());
    }
}

/// Soft rows everywhere, in trees and loops, single rows of larger joints included.
#[test]
fn soft_rows_of_random_worlds() {
    for seed in 0..25 {
        let mut world = random_world::world(900 + seed, 6, 3);
        let mut random = Random::new(seed);
        let ids: Vec<ConstraintId> = world
            .constraints()
            .iter()
            .map(ConstraintRecord::id)
            .collect();
        for id in ids {
            let n = world.constraint_record(id).unwrap().compliance().len();
            let compliance: Vec<f64> = (0..n)
                .map(|_| {
                    if random.below(2) == 0 {
                        random.between(1e-3, 1e-2)
                    } else {
                        0.0
                    }
                })
                .collect();
            world.set_compliance(id, &compliance).unwrap();
        }
        for (motion, horizon) in [
            (Motion::Acceleration, Some(0.05)),
            (Motion::Acceleration, None),
            (Motion::Velocity, Some(0.05)),
            (Motion::Displacement, None),
        ] {
            let options = SolveOptions::from(Method::Direct).with_horizon(horizon);
            let (dense, b) = assembled(&world, motion, &options);
            let mut simulator = Simulator::new();
            simulator.fill(&world, motion, &options);
            let force = match motion {
                Motion::Acceleration => simulator.system().force().to_vec(),
                _ => vec![0.0; dense.n_v],
            };
            let answer = dense.solve(&force, &b);
            if !answer.rank_is_clear() || answer.left[0] > 1e-11 * largest(&b).max(1.0) {
                continue;
            }
            for method in Method::ALL {
                let mut simulator = Simulator::new();
                simulator.prepare(
                    &world,
                    motion,
                    SolveOptions::from(method).with_horizon(horizon),
                );
                let solution = simulator.solve_prepared().clone();
                let error = dense.motion_error(&answer, &solution.motion);
                assert!(
                    error <= 1.0,
                    "seed {seed}, {motion:?}, {}: {error:.1e} at condition {:.1e}",
                    method.name(),
                    answer.sigma_max / answer.sigma_min
                );
                if answer.full_rank {
                    let error = dense.lambda_error(&answer, &solution.lambda);
                    assert!(
                        error <= 1.0,
                        "seed {seed}, {}: λ {error:.1e}",
                        method.name()
                    );
                }
            }
        }
    }
}

/// A soft condition on rates is a damper: `λ = −ċ/α`, implicit over a horizon
/// `J·v̇ + (α/h)·λ = −γ − ċ/h`.
#[test]
fn a_soft_rate_is_a_damper() {
    let compliance = 0.5;
    let (mut soft, _) = chain();
    let blade = soft
        .find_body("body 1")
        .unwrap()
        .frame_along([0.0; 3], [1.0, 0.0, 0.2]);
    let id = soft.add_constraint("blade", KnifeEdge, &[blade]).unwrap();
    let hard = soft.clone();
    soft.set_compliance(id, &[compliance]).unwrap();
    let row = soft.constraint_record(id).unwrap().row_range().start;
    let (mut dense, b) = assembled(&hard, Motion::Acceleration, &SolveOptions::default());
    let mut simulator = Simulator::new();
    simulator.fill(&hard, Motion::Acceleration, &SolveOptions::default());
    let c_dot = simulator.system().c_dot()[row];
    let force = simulator.system().force().to_vec();
    let rows: Vec<usize> = (0..b.len()).collect();

    let damper = -c_dot / compliance;
    let mut pushed = force.clone();
    for (f, j) in pushed.iter_mut().zip(dense.jacobian.row(row)) {
        *f += j * damper;
    }
    let (explicit, _) = solve_kkt(&dense, &rows[..row], &dense.jacobian, &pushed, &b);
    let h = 0.02;
    let mut implicit_b = b.clone();
    implicit_b[row] -= c_dot / h;
    dense.compliance[row] = compliance / h;
    let (implicit, lambda) = solve_kkt(&dense, &rows, &dense.jacobian, &force, &implicit_b);
    for method in Method::ALL {
        let solution = Simulator::new().accelerations(&soft, method).clone();
        close(&solution.motion, &explicit, 1e-10, method.name());
        assert!((solution.lambda[row] - damper).abs() < 1e-10 * damper.abs());
        let options = SolveOptions::from(method).with_horizon(Some(h));
        let solution = Simulator::new().accelerations(&soft, options).clone();
        close(&solution.motion, &implicit, 1e-10, method.name());
        close(&solution.lambda, &lambda, 1e-10, method.name());
    }
}

/// A soft row that pushes elsewhere pushes there as a spring, too.
#[test]
fn a_soft_push_is_a_spring_along_its_direction() {
    let (chain, _) = chain();
    let (compliance, direction) = (0.1, [1.0, 0.5, -0.3]);
    let mut soft = chain.clone();
    let body = soft.find_body("body 2").unwrap();
    let plane = GROUND.frame_along([0.1, 0.2, -2.0], [0.0, 0.0, 1.0]);
    let constraint = PushedAlong {
        constraint: FramePair::point_on_plane(),
        direction,
    };
    let at = [plane, body.at([0.1, 0.2, 0.3])];
    let id = soft.add_constraint("push", constraint, &at).unwrap();
    soft.set_compliance(id, &[compliance]).unwrap();
    let mut simulator = Simulator::new();
    simulator.fill(&soft, Motion::Acceleration, &SolveOptions::default());
    let row = soft.constraint_record(id).unwrap().row_range().start;
    let tension = -simulator.system().c()[row] / compliance;
    let Some(&Site::Frame { rotation, .. }) = at[0].site() else {
        panic!("a frame")
    };
    let force_world = linkwork::math::scale(tension, linkwork::math::mat_vec(&rotation, direction));
    let mut pushed = chain.clone();
    pushed
        .add_behavior("push", PointForce { force_world }, &at[1..])
        .unwrap();
    for method in Method::ALL {
        let soft = Simulator::new().accelerations(&soft, method).clone();
        let pushed = Simulator::new().accelerations(&pushed, method).clone();
        close(&soft.motion, &pushed.motion, 1e-10, method.name());
    }
}
