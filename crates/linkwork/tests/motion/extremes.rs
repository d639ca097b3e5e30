//! Worlds as users make them: of all sizes and weights, empty, edited at every step, torn, driven
//! through dead points.

use linkwork::assembly::AssemblyOutcome;
use linkwork::body::Tracker;
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::step::{Ended, Event, Scheme};
use linkwork::world::{BreakLimit, ConstraintRecord};

use crate::support::scene;

/// A closed chain of four bars, hung at two points, in units of `size` and `mass`.
fn swing(size: f64, mass: f64, ratio: f64) -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let places = [
        ([0.0, 0.0], [0.5, -0.8]),
        ([0.5, -0.8], [1.5, -0.9]),
        ([1.5, -0.9], [2.0, 0.0]),
    ];
    let mut end = GROUND.at([0.0; 3]);
    for (k, (a, b)) in places.into_iter().enumerate() {
        let (dx, dy): (f64, f64) = (size * (b[0] - a[0]), size * (b[1] - a[1]));
        let length = dx.hypot(dy);
        let rod = Rod {
            length,
            radius: 0.02 * size,
            mass: if k == 1 { mass * ratio } else { mass },
        };
        let middle = [size * 0.5 * (a[0] + b[0]), size * 0.5 * (a[1] + b[1]), 0.0];
        let pose = Pose::turned(middle, [0.0, 0.0, dy.atan2(dx)]);
        let bar = world.add_body_at(&format!("bar {k}"), rod, pose).unwrap();
        let (from, to) = ([-0.5 * length, 0.0, 0.0], [0.5 * length, 0.0, 0.0]);
        world
            .join(&format!("hinge {k}"), hinge, end, bar.at(from))
            .unwrap();
        end = bar.at(to);
    }
    let hook = GROUND.at([2.0 * size, 0.0, 0.0]);
    world.join("hinge 3", hinge, hook, end).unwrap();
    world
}

fn largest_speed(world: &World) -> f64 {
    world.state().v.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// Energy is never gained, and `Precise` keeps it; joints hold to a millionth of a bar.
#[test]
fn sizes_and_masses() {
    for size in [1e-3, 1.0, 1e3] {
        for mass in [1e-6, 1e6] {
            for ratio in [1e-6, 1.0, 1e6] {
                let dt = 1.0 / 60.0;
                for options in [StepOptions::interactive(dt), StepOptions::precise(dt)] {
                    let mut world = swing(size, mass, ratio);
                    let mut simulator = Simulator::new();
                    let start = world.energy().unwrap();
                    let (mut gap, mut gain) = (0.0f64, f64::NEG_INFINITY);
                    let (mut fall, mut loss) = (0.0f64, 0.0f64);
                    let is_precise = matches!(options.scheme, Scheme::Precise(_));
                    for _ in 0..30 {
                        let report = simulator.step(&mut world, &options).unwrap();
                        gap = gap.max(report.position_error / size);
                        let energy = world.energy().unwrap();
                        gain = gain.max(energy.total() - start.total());
                        loss = loss.max(start.total() - energy.total());
                        fall = fall.max((energy.potential - start.potential).abs());
                    }
                    let what = format!("{size} m, {mass} kg, 1:{ratio} {:?}", options.scheme);
                    assert!(gap < 2e-6, "{what}: {gap:e}");
                    let enough = if is_precise { 1e-6 } else { 0.05 };
                    assert!(gain < enough * fall, "{what}: +{gain:e} of {fall:e}");
                    assert!(!is_precise || loss < enough * fall, "{what}: −{loss:e}");
                }
            }
        }
    }
}

#[test]
fn worlds_with_next_to_nothing_in_them() {
    let worlds: [fn() -> World; 4] = [
        World::new,
        || World::with_gravity([0.0, -9.81, 0.0]).unwrap(),
        || {
            let mut world = World::new();
            world.add_body("tracker", Tracker).unwrap();
            world
        },
        || {
            let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
            let body = Sphere {
                radius: 1.0,
                mass: 1.0,
            };
            let id = world.add_body("ball", body).unwrap();
            world.set_body_enabled(id, false).unwrap();
            world
        },
    ];
    for make in worlds {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            let dt = 0.01;
            for options in [
                StepOptions::interactive(dt),
                StepOptions::precise(dt),
                StepOptions::symplectic4(dt),
                StepOptions::parts(
                    dt,
                    Integrator::Stoermer,
                    Stabilization::Displacement { iterations: 3 },
                ),
                StepOptions::parts(dt, Integrator::Rk4, Stabilization::Post { iterations: 3 }),
            ] {
                for method in Method::ALL {
                    let mut world = make();
                    world.set_dynamics(dynamics);
                    let mut simulator = Simulator::new();
                    for _ in 0..3 {
                        simulator.step(&mut world, &options.by(method)).unwrap();
                    }
                    assert!((world.state().t - 0.03).abs() < 1e-12);
                    let report = simulator
                        .assemble(&mut world, &AssembleOptions::default())
                        .unwrap();
                    assert_eq!(report.outcome, AssemblyOutcome::Assembled);
                }
            }
        }
    }
}

#[test]
fn frames_of_a_second() {
    let names = [
        "chain:10",
        "four-bar",
        "ladder3:2,1",
        "bricard",
        "peaucellier",
    ];
    for name in names {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            let mut world = scene(name);
            world.set_dynamics(dynamics);
            let mut simulator = Simulator::new();
            let start = world.energy().unwrap();
            for _ in 0..30 {
                let report = simulator
                    .step(&mut world, &StepOptions::interactive(1.0))
                    .unwrap();
                let gap = report.position_error;
                assert!(gap < 1e-9, "{name} {dynamics:?}: {gap:e}");
            }
            let energy = world.energy().unwrap();
            let fall = (energy.potential - start.potential).abs();
            let gain = energy.total() - start.total();
            assert!(gain <= 0.05 * fall, "{name} {dynamics:?}: {gain} of {fall}");
        }
    }
}

/// A hundred soft springs between two plates.
#[test]
fn many_soft_springs() {
    for stiffness in [1.0, 1e3, 1e6, 1e9] {
        for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
            let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
            world.set_dynamics(dynamics);
            let plate = Cuboid {
                size: [1.0, 0.1, 1.0],
                mass: 10.0,
            };
            let plate = world
                .add_body_at("plate", plate, Pose::at([0.0, -0.5, 0.0]))
                .unwrap();
            for k in 0..100 {
                let (x, z) = (
                    f64::from(k % 10) / 10.0 - 0.45,
                    f64::from(k / 10) / 10.0 - 0.45,
                );
                let spring = Spring {
                    stiffness,
                    rest_length: 0.5,
                    damping: 0.1,
                };
                world
                    .add_spring(
                        &format!("spring {k}"),
                        spring,
                        GROUND.at([x, 0.0, z]),
                        plate.at([x, 0.0, z]),
                    )
                    .unwrap();
            }
            let mut simulator = Simulator::new();
            let start = world.energy().unwrap().total();
            for _ in 0..60 {
                simulator
                    .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                    .unwrap();
                let gain = world.energy().unwrap().total() - start;
                // In first order what falls onto soft springs is not slowed by momentum.
                assert!(
                    gain < 1e-3 || dynamics == Dynamics::FirstOrder,
                    "{stiffness}: +{gain}"
                );
            }
            let sag = -0.5 - world.state().q[1];
            let rest = 98.1 / (100.0 * stiffness);
            assert!(
                sag > -1e-6 && sag < 2.5 * rest,
                "{stiffness}: {sag}, {rest}"
            );
        }
    }
}

/// Hinges with compliance on every row, in a loop.
#[test]
fn compliant_hinges() {
    for compliance in [1e-12, 1e-8, 1e-5, 1e-3, 1.0] {
        for method in Method::ALL {
            let mut world = swing(1.0, 1.0, 1.0);
            for k in 0..4 {
                let hinge = world.find_constraint(&format!("hinge {k}")).unwrap();
                world.set_compliance(hinge, &[compliance; 5]).unwrap();
                world.set_damping(hinge, &[0.5; 5]).unwrap();
            }
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0).by(method);
            let start = world.energy().unwrap().total();
            for _ in 0..60 {
                simulator.step(&mut world, &options).unwrap();
                let gain = world.energy().unwrap().total() - start;
                assert!(gain < 1e-3, "{compliance} {}: +{gain}", method.name());
            }
        }
    }
}

/// Mechanisms that are driven through their dead points, ten seconds each.
#[test]
fn drives_at_dead_points() {
    for name in [
        "n-four-bar:2",
        "peaucellier-driven",
        "scissor-driven",
        "jansen",
        "hoecken",
    ] {
        let mut world = scene(name);
        let mut simulator = Simulator::new();
        for frame in 0..600 {
            let report = simulator
                .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
            let gap = report.position_error;
            assert!(gap < 1e-8, "{name} {frame}: {gap:e}");
            assert!(largest_speed(&world) < 20.0, "{name} {frame}");
        }
    }
}

/// A loaded loop whose joints break one after the other.
#[test]
fn a_loaded_loop_breaks() {
    for options in [
        StepOptions::interactive(1.0 / 60.0),
        StepOptions::precise(1.0 / 60.0),
        StepOptions::parts(
            1.0 / 60.0,
            Integrator::Stoermer,
            Stabilization::Displacement { iterations: 5 },
        ),
        StepOptions::parts(
            1.0 / 60.0,
            Integrator::Rk4,
            Stabilization::Post { iterations: 5 },
        ),
    ] {
        let mut world = scene("ladder:2,3");
        let joints: Vec<_> = world
            .constraints()
            .iter()
            .map(ConstraintRecord::id)
            .collect();
        for (k, joint) in joints.iter().enumerate() {
            let force = 20.0 + k as f64;
            let torque = f64::INFINITY;
            world
                .set_break_limit(*joint, Some(BreakLimit { force, torque }))
                .unwrap();
        }
        let mut simulator = Simulator::new();
        let mut broke = 0;
        for frame in 0..120 {
            let report = simulator.step(&mut world, &options).unwrap();
            for event in &report.events {
                let Event::Broke { constraint, .. } = event else {
                    panic!("{event:?}")
                };
                assert!(!world.constraint_record(*constraint).unwrap().enabled());
                broke += 1;
            }
            let gap = report.position_error;
            assert!(gap < 1e-9, "{:?} {frame}: {gap:e}", options.scheme);
        }
        assert!(broke >= 2, "{:?}: {broke}", options.scheme);
    }
}

/// A ball that is led into a loop over time, and joints that can never meet: those end at rest, as
/// open as they must be, and the report says which.
#[test]
fn loops_close_over_time_or_say_why_not() {
    for dynamics in [
        Dynamics::SecondOrder,
        Dynamics::FirstOrder,
        Dynamics::Assembly,
    ] {
        for is_possible in [true, false] {
            let mut world = swing(1.0, 1.0, 1.0);
            world.set_dynamics(dynamics);
            let a = world.find_body("bar 0").unwrap().at([0.1, 0.0, 0.0]);
            let b = world.find_body("bar 2").unwrap().at([-0.1, 0.0, 0.0]);
            let ball = Sphere {
                radius: 0.1,
                mass: 0.5,
            };
            let pose = Pose::turned([1.0, -0.3, 0.4], [0.3, 0.5, 2.0]);
            let ball = world.add_body_at("ball", ball, pose).unwrap();
            let (left, right) = (ball.at([-0.1, 0.0, 0.0]), ball.at([0.1, 0.0, 0.0]));
            world.join_over("one", Ball, (a, left), 0.1).unwrap();
            if !is_possible {
                world.join_over("two", Weld, (b, right), 0.1).unwrap();
            }
            let mut simulator = Simulator::new();
            let (mut closed, mut last) = (0, StepReport::default());
            for _ in 0..40 {
                last = simulator
                    .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                    .unwrap();
                closed += last.events.len();
                assert!(!is_possible || last.position_error < 1e-8);
            }
            assert_eq!(closed, if is_possible { 1 } else { 2 });
            if !is_possible {
                assert!(last.position_error > 0.01 && last.worst.is_some());
                assert!(last.require(1e-3).is_err());
            }
        }
    }
}

/// In pure assembly joints carry nothing, whatever they carried before.
#[test]
fn nothing_breaks_in_pure_assembly() {
    let mut world = scene("chain:3");
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..30 {
        simulator.step(&mut world, &options).unwrap();
    }
    let joint = world.constraints()[0].id();
    let limit = BreakLimit {
        force: 1e-3,
        torque: f64::INFINITY,
    };
    world.set_break_limit(joint, Some(limit)).unwrap();
    world.set_dynamics(Dynamics::Assembly);
    let report = simulator.step(&mut world, &options).unwrap();
    assert!(report.events.is_empty(), "{report:?}");
}

/// A four-bar whose last pin is 0.65 m beyond what its links can reach is torn, by name, and does not
/// fly away: what cannot be closed must not become speed.
#[test]
fn joints_out_of_reach_do_not_blow_up() {
    for (dt, frames) in [(1.0 / 60.0, 120), (1e-3, 100)] {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        let mut link = |label: &str, length: f64, at: [f64; 3], turn: f64| {
            let rod = Rod {
                length,
                radius: 0.01,
                mass: 2.5 * length,
            };
            let pose = Pose::turned(at, [0.0, 0.0, turn]);
            world.add_body_at(label, rod, pose).unwrap()
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let crank = link("crank", 0.1, [0.0, 0.05, 0.0], quarter);
        let coupler = link("coupler", 0.4, [0.2, 0.1, 0.0], 0.0);
        let rocker = link("rocker", 0.3, [0.4, -0.05, 0.0], -quarter);
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        let end = |body: BodyId, x: f64| body.at([x, 0.0, 0.0]);
        let pins = [
            ("A", GROUND.at([0.0; 3]), end(crank, -0.05)),
            ("B", end(crank, 0.05), end(coupler, -0.2)),
            ("C", end(coupler, 0.2), end(rocker, -0.15)),
            ("D", GROUND.at([1.5, 0.0, 0.0]), end(rocker, 0.15)),
        ];
        for (label, a, b) in pins {
            world.join(label, hinge, a, b).unwrap();
        }
        let mut simulator = Simulator::new();
        for frame in 0..frames {
            let options = StepOptions::interactive(dt);
            let report = simulator.step(&mut world, &options).unwrap().clone();
            assert_eq!(report.ended, Ended::Open, "{dt} {frame}");
            let worst = world.constraint_record(report.worst.unwrap()).unwrap();
            assert!(["A", "B", "C", "D"].contains(&worst.label()));
            // Least squares shares 0.7 m among four pins.
            assert!(report.position_error < 0.8, "{dt} {frame}: {report:?}");
            // As fast as what falls that far, and no faster.
            let kinetic = world.energy().unwrap().kinetic;
            assert!(kinetic < 20.0, "{dt} {frame}: {kinetic:e}");
        }
    }
}
