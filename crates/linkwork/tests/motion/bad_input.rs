//! Steps that are refused, and steps that are cut short.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use linkwork::behavior::{Behavior, Forces};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows};
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::stabilize::Stabilization;
use linkwork::step::{Ended, Scheme};

use crate::support::{closed_to, precise, scene};

fn bits(world: &World) -> Vec<u64> {
    let state = world.state();
    let numbers = state.q.iter().chain(&state.v).chain(&state.lambda);
    let bits = numbers.map(|x| x.to_bits());
    bits.chain([state.t.to_bits(), state.substep.to_bits()])
        .collect()
}

fn schemes(dt: f64) -> Vec<StepOptions> {
    let post = Stabilization::Post { iterations: 3 };
    let displacement = Stabilization::Displacement { iterations: 3 };
    vec![
        StepOptions::interactive(dt),
        StepOptions::precise(dt),
        precise(dt, None),
        StepOptions::symplectic4(dt),
        StepOptions::parts(dt, Integrator::Euler, Stabilization::None),
        StepOptions::parts(dt, Integrator::Rk4, post),
        StepOptions::parts(dt, Integrator::Stoermer, displacement),
    ]
}

#[track_caller]
fn refused(options: StepOptions, option: &str) {
    let mut world = scene("chain:3");
    let before = bits(&world);
    let mut simulator = Simulator::new();
    match simulator.step(&mut world, &options) {
        Err(Error::Option {
            option: named,
            problem,
        }) => {
            assert_eq!(named, option);
            assert!(!problem.is_empty());
        }
        other => panic!("{options:?}: {other:?}"),
    }
    assert_eq!(bits(&world), before);
    // It steps on with options that make sense.
    let good = StepOptions::interactive(0.01);
    simulator.step(&mut world, &good).unwrap();
}

#[test]
fn options_that_make_no_sense() {
    for options in schemes(0.01) {
        for dt in [
            0.0,
            -0.01,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e9,
            1e-300,
            -0.0,
        ] {
            refused(options.with_dt(dt), "dt");
        }
        for tolerance in [0.0, -1e-9, f64::NAN, f64::INFINITY] {
            refused(closed_to(options, tolerance), "budget.tolerance");
        }
        let none = Budget::default().with_max_iterations(0);
        refused(options.within(none), "budget.max_iterations");
    }
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        refused(precise(0.01, Some(tolerance)), "precise.tolerance");
    }
}

/// Numbers of a rule that are not numbers must not pass silently: refused as options, or as a
/// result that is not finite, and the world is as it was.
#[test]
fn rules_that_make_no_sense() {
    let rules = [
        Stabilization::Baumgarte {
            alpha: f64::NAN,
            beta: 1.0,
        },
        Stabilization::Baumgarte {
            alpha: 1.0,
            beta: f64::INFINITY,
        },
        Stabilization::Feedback {
            stiffness: f64::NAN,
            damping: 1.0,
        },
    ];
    for rule in rules {
        let mut world = scene("chain:3");
        let before = bits(&world);
        let options = StepOptions::parts(0.01, Integrator::Rk4, rule);
        assert!(
            Simulator::new().step(&mut world, &options).is_err(),
            "{rule:?}"
        );
        assert_eq!(bits(&world), before);
    }
}

/// A frame of a minute and a half is long, but no reason to break down.
#[test]
fn long_frames() {
    for dt in [1.0, 10.0, 100.0] {
        for name in ["chain:3", "four-bar", "ladder3:2,1"] {
            let mut world = scene(name);
            let mut simulator = Simulator::new();
            for _ in 0..5 {
                let before = bits(&world);
                match simulator.step(&mut world, &StepOptions::interactive(dt)) {
                    Ok(_) => assert!(world.state().q.iter().all(|q| q.is_finite())),
                    Err(_) => assert_eq!(bits(&world), before),
                }
            }
        }
    }
}

/// A force that is none any more, once it is told so.
#[derive(Debug)]
struct Broken(Arc<AtomicBool>);

impl Behavior for Broken {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, _inputs: &[Input<'_>], out: &mut Forces<'_>) {
        out.on(0)[1] = if self.0.load(Ordering::Relaxed) {
            f64::NAN
        } else {
            1.0
        };
    }
}

#[test]
fn a_force_that_is_not_a_number() {
    for options in schemes(1e-3) {
        for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
            let mut world = scene("chain:3");
            world.set_dynamics(dynamics);
            let is_broken = Arc::new(AtomicBool::new(false));
            let bar = world.find_body("bar 1").unwrap();
            let force = Broken(Arc::clone(&is_broken));
            let force = world
                .add_behavior("broken", force, &[bar.at([0.1, 0.0, 0.0])])
                .unwrap();
            let mut simulator = Simulator::new();
            for _ in 0..5 {
                simulator.step(&mut world, &options).unwrap();
            }
            is_broken.store(true, Ordering::Relaxed);
            let before = bits(&world);
            let error = simulator.step(&mut world, &options).unwrap_err();
            let what = format!("{:?} {dynamics:?}: {error:?}", options.scheme);
            let Error::NonFinite {
                body,
                stage,
                constraint,
                ..
            } = &error
            else {
                panic!("{what}");
            };
            assert_eq!(body.as_deref(), Some("bar 1"), "{what}");
            assert_eq!(*stage, "forces", "{what}");
            let near = constraint.as_deref();
            assert!(near == Some("joint 1") || near == Some("joint 2"), "{what}");
            let message = error.to_string();
            assert!(
                message.contains("bar 1") && message.contains("forces"),
                "{message}"
            );
            assert_eq!(bits(&world), before, "{what}");
            // Once more: still refused, still the same.
            assert!(simulator.step(&mut world, &options).is_err());
            assert_eq!(bits(&world), before, "{what}");
            // Without it the world goes on, as if nothing had been.
            world.remove_behavior(force).unwrap();
            let mut other = world.clone();
            simulator.step(&mut world, &options).unwrap();
            Simulator::new().step(&mut other, &options).unwrap();
            assert_eq!(bits(&world), bits(&other), "{what}");
            assert_ne!(bits(&world), before);
        }
    }
}

/// A constraint that is none any more.
#[derive(Debug)]
struct BrokenRow(Arc<AtomicBool>);

impl Constraint for BrokenRow {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let bad = self.0.load(Ordering::Relaxed);
        out.c[0] = if bad { f64::NAN } else { inputs[0].x[1] };
        out.c_dot[0] = inputs[0].x_dot[1];
        out.dc_dx(0).set(0, 1, 1.0);
    }
}

#[test]
fn a_row_that_is_not_a_number() {
    for options in schemes(1e-3) {
        let mut world = scene("chain:3");
        let is_broken = Arc::new(AtomicBool::new(false));
        let bar = world.find_body("bar 2").unwrap();
        let row = BrokenRow(Arc::clone(&is_broken));
        let row = world
            .add_constraint("broken", row, &[bar.at([0.5, 0.0, 0.0])])
            .unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..5 {
            simulator.step(&mut world, &options).unwrap();
        }
        is_broken.store(true, Ordering::Relaxed);
        let before = bits(&world);
        let what = format!("{:?}", options.scheme);
        // Without stabilization nobody asks for c.
        let asks = !matches!(
            options.scheme,
            Scheme::Parts {
                stabilization: Stabilization::None,
                ..
            }
        );
        match simulator.step(&mut world, &options) {
            Err(Error::NonFinite {
                stage, constraint, ..
            }) => {
                assert_eq!(stage, "constraints", "{what}");
                assert_eq!(constraint.as_deref(), Some("broken"), "{what}");
                assert_eq!(bits(&world), before, "{what}");
            }
            other => assert!(!asks, "{what}: {other:?}"),
        }
        world.remove_constraint(row).unwrap();
        simulator.step(&mut world, &options).unwrap();
    }
}

/// Which of the long steps is that of a chain with a heavy end.
const HEAVY: usize = 1;

/// Scenes and schemes where a frame takes many iterations.
fn long_steps() -> Vec<(World, StepOptions)> {
    let mut heavy = scene("chain:6");
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1e5,
    };
    let last = heavy.find_body("bar 5").unwrap();
    heavy.replace_body(last, rod).unwrap();
    let dt = 1.0 / 60.0;
    let post = Stabilization::Post { iterations: 10 };
    let krylov = Method::ForestKrylov(Krylov::default());
    vec![
        (scene("ladder3:3,2"), StepOptions::interactive(0.1)),
        (heavy, StepOptions::interactive(dt)),
        (
            scene("ladder3:3,2"),
            StepOptions::interactive(dt).by(krylov),
        ),
        (scene("ladder3:3,2"), StepOptions::precise(dt)),
        (
            scene("ladder3:3,2"),
            StepOptions::parts(0.05, Integrator::Stoermer, post),
        ),
    ]
}

/// What ended a step is told, and a tiny budget still gives a finite world.
#[test]
fn tiny_budgets() {
    let mut steps = long_steps();
    steps.remove(HEAVY);
    for (start, options) in steps {
        tiny_budget(&start, options);
    }
}

#[test]
fn tiny_budget_with_a_heavy_end() {
    let (start, options) = long_steps().swap_remove(HEAVY);
    tiny_budget(&start, options);
}

fn tiny_budget(start: &World, options: StepOptions) {
    let what = format!("{:?} {}", options.scheme, options.method.name());
    let mut world = start.clone();
    let full = Simulator::new().step(&mut world, &options).unwrap();
    assert_eq!(full.ended, Ended::Tolerance, "{what}");
    let budget = Budget::default().with_max_iterations(1);
    let mut world = start.clone();
    let mut simulator = Simulator::new();
    let mut cut = 0;
    for step in 0..20 {
        let report = simulator.step(&mut world, &options.within(budget));
        let report = report.unwrap_or_else(|error| panic!("{what}, step {step}: {error}"));
        match report.ended {
            Ended::Iterations => cut += 1,
            ended => {
                // What was reached at once needed no more.
                assert_eq!(ended, Ended::Tolerance, "{what}");
                assert!(report.position_error <= budget.tolerance, "{what}");
            }
        }
        assert!(world.state().q.iter().all(|q| q.is_finite()), "{what}");
        let t = (step + 1) as f64 * options.dt;
        assert!((world.state().t - t).abs() < 1e-12, "{what}");
    }
    assert!(cut > 0, "{what}");
}

/// A step under a deadline is replayed to the bit by a budget of as many iterations.
#[test]
fn deadlines_are_replayed() {
    for (start, options) in long_steps() {
        for allowed in [0, 1, 2, 3, 5, 8, 13, 21] {
            let what = format!("{:?} {} {allowed}", options.scheme, options.method.name());
            let (mut world, mut replayed) = (start.clone(), start.clone());
            let mut simulator = Simulator::new();
            for _ in 0..5 {
                let mut asked = 0;
                let mut is_over = || {
                    asked += 1;
                    asked > allowed
                };
                let report = simulator
                    .step_until(&mut world, &options, &mut is_over)
                    .unwrap();
                if report.ended == Ended::Tolerance {
                    assert!(asked <= allowed, "{what}");
                } else {
                    assert_eq!(report.ended, Ended::Deadline, "{what}");
                }
                let budget = Budget::default().with_end_at(report.effort.iterations);
                let again = Simulator::new()
                    .step(&mut replayed, &options.within(budget))
                    .unwrap();
                assert_eq!(again.effort.iterations, report.effort.iterations, "{what}");
                assert_eq!(bits(&world), bits(&replayed), "{what}");
            }
        }
    }
}

/// A deadline that never passes changes nothing.
#[test]
fn no_deadline() {
    for (start, options) in long_steps() {
        let (mut world, mut other) = (start.clone(), start);
        let mut never = || false;
        let report = Simulator::new()
            .step_until(&mut world, &options, &mut never)
            .unwrap();
        assert_eq!(Simulator::new().step(&mut other, &options).unwrap(), report);
        assert_eq!(bits(&world), bits(&other));
    }
}

/// `require` turns what is open into an error that names the tolerance.
#[test]
fn required_tolerances() {
    let mut world = scene("chain:3");
    let rule = Stabilization::None;
    let options = StepOptions::parts(0.05, Integrator::Euler, rule);
    let mut simulator = Simulator::new();
    simulator.step(&mut world, &options).unwrap();
    let report = simulator.step(&mut world, &options).unwrap();
    assert!(report.worst.is_some());
    let error = report.require(1e-9).unwrap_err();
    assert!(matches!(
        error,
        Error::NotClosed {
            tolerance: 1e-9,
            ..
        }
    ));
    assert!(report.require(1.0).is_ok());
}
