//! What isolated systems keep: momentum, angular momentum, energy.

use linkwork::body::MassProperties;
use linkwork::integrate::Integrator;
use linkwork::math::{add, cross, norm, sub};
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::world::BodyRecord;

use crate::support::{Run, below, closed_to, free_top, precise, scene, unguarded, vec3};

/// Adds a velocity to every body of a world in space, which drifts off then.
fn adrift(mut world: World) -> World {
    let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
    for id in ids {
        let mut v = world.v(id).unwrap().to_vec();
        for (k, more) in [0.7, -0.4, 0.2].into_iter().enumerate() {
            v[k] += more;
        }
        world.set_v(id, &v).unwrap();
    }
    world
}

/// A loop of four thick bars that turns and folds, joined by balls.
fn ring() -> World {
    let mut world = World::new();
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.2],
        [1.1, 0.9, 0.0],
        [0.1, 1.0, 0.3],
    ];
    let mut ends = vec![];
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let middle = add(a, b).map(|x| 0.5 * x);
        let body = RigidBody::new(MassProperties::centered(1.0 + k as f64, [0.1, 0.2, 0.25]));
        let id = world
            .add_body_at(&format!("bar {k}"), body, Pose::at(middle))
            .unwrap();
        let omega = [0.4, 0.5 * k as f64, 1.0];
        let v = cross([0.3, 0.5, 1.0], middle);
        world
            .set_v(id, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
            .unwrap();
        ends.push((id.at(sub(a, middle)), id.at(sub(b, middle))));
    }
    for k in 0..4 {
        let (a, b) = (ends[k].1, ends[(k + 1) % 4].0);
        world.join(&format!("corner {k}"), Ball, a, b).unwrap();
    }
    // Rates that keep the corners.
    let mut simulator = Simulator::new();
    let motion = simulator
        .velocity_correction(&world, Method::Direct)
        .motion
        .clone();
    let mut state = world.state().clone();
    state.v.iter_mut().zip(&motion).for_each(|(v, dv)| *v += dv);
    world.set_state(state).unwrap();
    world
}

fn dumbbell() -> World {
    let mut world = scene("dumbbell");
    let id = world.find_body("a").unwrap();
    world.set_v(id, &[0.0, 0.8, 0.3]).unwrap();
    let id = world.find_body("b").unwrap();
    world.set_v(id, &[0.0, -0.5, 0.1]).unwrap();
    world
}

fn worlds() -> Vec<(&'static str, World)> {
    vec![
        ("six bodies", adrift(scene("baraff-fig2"))),
        ("ring", adrift(ring())),
        ("dumbbell", adrift(dumbbell())),
        ("top", free_top([1.0, 2.0, 3.0], [1.0, 2.0, 0.5])),
    ]
}

fn all_parts(dt: f64) -> Vec<StepOptions> {
    let rules = [
        Stabilization::None,
        Stabilization::Feedback {
            stiffness: 10.0,
            damping: 2.0,
        },
        Stabilization::Baumgarte {
            alpha: 10.0,
            beta: 10.0,
        },
        Stabilization::Post { iterations: 5 },
        Stabilization::Displacement { iterations: 5 },
    ];
    let with =
        |rule| Integrator::all().map(move |integrator| StepOptions::parts(dt, integrator, rule));
    rules.into_iter().flat_map(with).collect()
}

/// Nothing pushes from outside: every scheme keeps the momentum to round-off.
#[test]
fn momentum() {
    for (name, world) in worlds() {
        let mut schemes = all_parts(1.0 / 60.0);
        schemes.extend([
            StepOptions::interactive(1.0 / 60.0),
            unguarded(1.0 / 60.0),
            StepOptions::symplectic4(1.0 / 60.0),
            StepOptions::precise(1.0 / 60.0),
        ]);
        for options in schemes {
            let mut run = Run::new(world.clone(), options);
            let start = run.world.momentum().linear;
            for _ in 0..200 {
                run.step();
            }
            let change = norm(sub(run.world.momentum().linear, start));
            let name = format!("{name} {:?}", options.scheme);
            below(&name, change / norm(start), 1e-12);
        }
    }
}

/// RATTLE keeps the angular momentum, however long its steps.
#[test]
fn angular_momentum_of_rattle() {
    for (name, world) in worlds() {
        for dt in [0.002, 1.0 / 60.0, 0.05] {
            for options in [
                StepOptions::interactive(dt),
                unguarded(dt),
                StepOptions::symplectic4(dt),
            ] {
                let mut run = Run::new(world.clone(), closed_to(options, 1e-14));
                let start = run.world.momentum().angular;
                for _ in 0..300 {
                    run.step();
                    let change = norm(sub(run.world.momentum().angular, start));
                    let name = format!("{name} {:?} {dt}", options.scheme);
                    below(&name, change / norm(start), 1e-12);
                }
            }
        }
    }
}

/// How far the angular momentum is off after a second.
fn spin_drift(world: &World, options: StepOptions, n: usize) -> f64 {
    let dt = 1.0 / n as f64;
    let mut run = Run::new(world.clone(), closed_to(options.with_dt(dt), 1e-13));
    let start = run.world.momentum().angular;
    for _ in 0..n {
        run.step();
    }
    norm(sub(run.world.momentum().angular, start)) / norm(start)
}

/// The others lose angular momentum at their order, or better.
#[test]
fn angular_momentum_elsewhere() {
    let post = Stabilization::Post { iterations: 5 };
    for (name, world) in worlds() {
        for (options, n, order) in [
            (StepOptions::parts(1.0, Integrator::Euler, post), 200, 1.0),
            (
                StepOptions::parts(1.0, Integrator::SymplecticEuler, post),
                200,
                1.0,
            ),
            (
                StepOptions::parts(1.0, Integrator::Stoermer, post),
                200,
                2.0,
            ),
            (StepOptions::parts(1.0, Integrator::Rk4, post), 25, 4.0),
            (precise(1.0, None), 25, 5.0),
        ] {
            let drifts = [1, 2].map(|times| spin_drift(&world, options, times * n));
            let found = (drifts[0] / drifts[1]).log2();
            assert!(
                found > order - 0.3 || drifts[1] < 1e-13,
                "{name} {:?}: order {found}, expected {order}: {drifts:?}",
                options.scheme
            );
        }
    }
}

/// An isolated articulated body neither gains nor loses energy, however long it tumbles.
fn tumble(n: usize) {
    let mut run = Run::new(scene("baraff-fig2"), StepOptions::interactive(0.01));
    let start = run.start.total();
    let spin = vec3(&run.world.momentum().angular);
    for _ in 0..n {
        run.step();
    }
    // The band of a symplectic method, (h·ω)²-wide, is the same after any number of steps.
    below("energy", run.drift() / start, 2e-4);
    let change = norm(sub(run.world.momentum().angular, spin));
    below("angular momentum", change / norm(spin), 1e-6);
    below("gap", run.gap, 1e-9);
}

#[test]
fn energy_over_twenty_thousand_steps() {
    tumble(20_000);
}

#[test]
#[ignore = "slow: a million steps"]
fn energy_over_a_million_steps() {
    tumble(1_000_000);
}
