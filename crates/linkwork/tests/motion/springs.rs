//! Soft rows: springs and dampers of any stiffness.

use std::f64::consts::PI;

use linkwork::body::MassProperties;
use linkwork::constraint::KnifeEdge;
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::world::ConstraintRecord;

use crate::support::{Run, after, below, close, difference, point, precise, scene};

const FRAME: f64 = 1.0 / 60.0;

/// How the spring is made: a ball that gives way, or a distance.
#[derive(Clone, Copy, Debug)]
enum Made {
    Ball,
    Distance,
}

/// A kilogram on a spring of `stiffness`, `x` from where it rests, without gravity.
fn oscillator(made: Made, stiffness: f64, damping: f64, x: f64) -> World {
    let mut world = World::new();
    let rest = match made {
        Made::Ball => 0.0,
        Made::Distance => 2.0,
    };
    let at = Pose::at([rest + x, 0.0, 0.0]);
    let mass = world
        .add_body_at("mass", Particle { mass: 1.0 }, at)
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), mass.at([0.0; 3])];
    let (spring, n) = match made {
        Made::Ball => {
            let [a, b] = ends;
            (world.join("spring", Ball, a, b), 3)
        }
        Made::Distance => {
            let rest = Distance { length: 2.0 };
            (world.add_constraint("spring", rest, &ends), 1)
        }
    };
    let spring = spring.unwrap();
    world
        .set_compliance(spring, &vec![1.0 / stiffness; n])
        .unwrap();
    world.set_damping(spring, &vec![damping; n]).unwrap();
    world
}

/// Frequency and amplitude of a swing about zero, from its last crossings and its last top.
fn measure(run: &mut Run, rest: f64, seconds: f64) -> (f64, f64) {
    let n = (seconds / run.options.dt).round() as usize;
    let mut crossings = vec![];
    let mut tops = vec![];
    let mut last = (
        run.world.state().t,
        point(&run.world, "mass", [0.0; 3])[0] - rest,
    );
    for _ in 0..n {
        run.step();
        let (t, x) = (
            run.world.state().t,
            point(&run.world, "mass", [0.0; 3])[0] - rest,
        );
        if x * last.1 < 0.0 {
            crossings.push(last.0 + (t - last.0) * last.1 / (last.1 - x));
            tops.push(0.0f64);
        }
        if let Some(top) = tops.last_mut() {
            // x² + (v/ω)² without v: energy holds both.
            *top = top.max(x.abs());
        }
        last = (t, x);
    }
    let half_periods = (crossings.len() - 1) as f64;
    let span = crossings.last().unwrap() - crossings[0];
    let energy = run.world.energy().unwrap().total();
    (0.5 * half_periods / span, energy)
}

/// A spring of 1 Hz at 60 frames a second is a spring of 1 Hz, and swings on.
#[test]
fn one_hertz() {
    let stiffness = 4.0 * PI * PI;
    for made in [Made::Ball, Made::Distance] {
        let rest = if let Made::Ball = made { 0.0 } else { 2.0 };
        for options in [
            StepOptions::interactive(FRAME),
            StepOptions::symplectic4(FRAME),
            StepOptions::precise(FRAME),
            StepOptions::parts(FRAME, Integrator::Rk4, Stabilization::None),
        ] {
            let mut run = Run::new(oscillator(made, stiffness, 0.0, 0.1), options);
            let (frequency, energy) = measure(&mut run, rest, 10.0);
            let name = format!("{made:?} {:?}", options.scheme);
            close(&name, &[frequency], &[1.0], 0.01);
            let amplitude = (2.0 * energy / stiffness).sqrt();
            close(&name, &[amplitude], &[0.1], 0.001);
        }
    }
}

/// A spring that steps resolve swings on: 7.8 Hz for ten seconds. (It lost a tenth of its energy in five seconds at
/// 1/240 s, and a hundredth at 1 ms by `symplectic4`.)
#[test]
fn what_steps_resolve_keeps_its_energy() {
    let stiffness = 2400.0;
    let start = 0.5 * stiffness * 0.1 * 0.1;
    for made in [Made::Ball, Made::Distance] {
        for (options, most) in [
            (StepOptions::interactive(1.0 / 240.0), 2e-3),
            (StepOptions::interactive(1e-3), 1e-4),
            (StepOptions::symplectic4(1.0 / 240.0), 2e-3),
            (StepOptions::symplectic4(1e-3), 1e-4),
        ] {
            let n = (10.0 / options.dt).round() as usize;
            let end = after(&oscillator(made, stiffness, 0.0, 0.1), options, 10.0, n);
            let lost = 1.0 - end.energy().unwrap().total() / start;
            let name = format!("{made:?} {:?} {}", options.scheme, options.dt);
            below(&name, lost.abs(), most);
        }
    }
}

/// A mass that is let go on a spring with damping rests where its weight is carried.
#[test]
fn weights_rest_where_they_should() {
    let rules = [Stabilization::None, Stabilization::Post { iterations: 3 }];
    let mut schemes = vec![StepOptions::interactive(FRAME), StepOptions::precise(FRAME)];
    for rule in rules {
        for integrator in Integrator::all() {
            schemes.push(StepOptions::parts(FRAME, integrator, rule));
        }
    }
    for options in schemes {
        rests(options, Dynamics::SecondOrder);
    }
    rests(StepOptions::interactive(FRAME), Dynamics::FirstOrder);
}

#[track_caller]
fn rests(options: StepOptions, dynamics: Dynamics) {
    let stiffness = 50.0;
    let mut world = oscillator(Made::Ball, stiffness, 6.0, 0.0);
    let weight = Gravity {
        acceleration_world: [0.0, 0.0, -9.81],
    };
    world.add_behavior("weight", weight, &[]).unwrap();
    world.set_dynamics(dynamics);
    let end = after(&world, options, 10.0, 600);
    let z = point(&end, "mass", [0.0; 3])[2];
    let name = format!("{:?} {dynamics:?}", options.scheme);
    close(&name, &[z], &[-9.81 / stiffness], 1e-6);
    let spring = end.find_constraint("spring").unwrap();
    let rows = end.constraint_record(spring).unwrap().row_range();
    let force = &end.state().lambda[rows];
    close(&name, force, &[0.0, 0.0, 9.81], 1e-4);
}

/// The same for Faure 1998: springs are rows of its assembly.
#[test]
fn weights_rest_in_faure_1998() {
    let rule = Stabilization::Displacement { iterations: 3 };
    let options = StepOptions::parts(FRAME, Integrator::Stoermer, rule);
    rests(options, Dynamics::SecondOrder);
}

/// Ball joints that give way, from 1 kN/m to 1 TN/m: finite, and no energy from nowhere.
fn stiff(names: &[&str], options: StepOptions, dynamics: Dynamics) {
    stiff_up_to(12, names, options, dynamics);
}

/// The same up to `10^most` N/m.
#[track_caller]
fn stiff_up_to(most: i32, names: &[&str], options: StepOptions, dynamics: Dynamics) {
    for exponent in 3..=most {
        for name in names {
            let stiffness = 10f64.powi(exponent);
            let mut world = if *name == "weight" {
                let mut world = oscillator(Made::Ball, stiffness, 0.0, 0.0);
                let acceleration_world = [0.0, 0.0, -9.81];
                let weight = Gravity { acceleration_world };
                world.add_behavior("weight", weight, &[]).unwrap();
                world
            } else {
                scene(name)
            };
            let ids: Vec<ConstraintId> = world
                .constraints()
                .iter()
                .map(ConstraintRecord::id)
                .collect();
            for id in ids {
                world.set_compliance(id, &[1.0 / stiffness; 3]).unwrap();
            }
            world.set_dynamics(dynamics);
            let mut run = Run::new(world, options);
            let name = format!(
                "{name} {:?} {dynamics:?}, {stiffness:e} N/m",
                options.scheme
            );
            for _ in 0..(10.0 / options.dt).round() as usize {
                run.step();
                let gain = match dynamics {
                    // Bodies at rest: potential and elastic energy only.
                    Dynamics::FirstOrder => {
                        let now = run.world.energy().unwrap();
                        now.potential + now.elastic - run.start.total()
                    }
                    _ => run.gain,
                };
                below(&name, gain / run.fall, 5e-3);
            }
        }
    }
}

const CHAINS: [&str; 3] = ["chain:1", "chain:4", "ladder3:2,1"];

#[test]
fn stiff_springs_interactive() {
    let options = StepOptions::interactive(FRAME);
    stiff(&["weight"], options, Dynamics::SecondOrder);
    stiff(&CHAINS, options, Dynamics::SecondOrder);
}

#[test]
fn stiff_springs_first_order() {
    let options = StepOptions::interactive(FRAME);
    stiff(&["weight"], options, Dynamics::FirstOrder);
}

#[test]
fn stiff_chains_first_order() {
    let options = StepOptions::interactive(FRAME);
    stiff(&CHAINS, options, Dynamics::FirstOrder);
}

#[test]
fn stiff_springs_symplectic_euler() {
    let options = StepOptions::parts(FRAME, Integrator::SymplecticEuler, Stabilization::None);
    stiff(&["weight"], options, Dynamics::SecondOrder);
}

/// Soft rows are linearized over a whole step of the paper's scheme, and turning bars stretch them by (ω·h)²/2 of
/// their length: it takes short steps, and not the stiffest springs.
#[test]
fn stiff_chains_symplectic_euler() {
    let options = StepOptions::parts(1e-3, Integrator::SymplecticEuler, Stabilization::None);
    stiff_up_to(7, &CHAINS, options, Dynamics::SecondOrder);
}

/// Damping ratio from how the swing dies away: `x = e^(−ζωt)·…`.
#[test]
fn damping_ratio() {
    let omega = 2.0 * PI;
    for ratio in [0.02, 0.1, 0.5, 1.0, 2.0] {
        let damping = 2.0 * ratio * omega;
        for made in [Made::Ball, Made::Distance] {
            let rest = if let Made::Ball = made { 0.0 } else { 2.0 };
            for (options, error) in [
                (StepOptions::interactive(FRAME), 2e-3),
                (StepOptions::interactive(1e-3), 1e-5),
                (StepOptions::precise(FRAME), 1e-8),
                // Implicit over the step, it damps by hω²/2 per second itself.
                (
                    StepOptions::parts(1e-3, Integrator::SymplecticEuler, Stabilization::None),
                    4e-3,
                ),
            ] {
                let world = oscillator(made, omega * omega, damping, 0.1);
                let mut run = Run::new(world, options);
                for t in [0.5, 1.0, 2.0] {
                    run.until(t);
                    let x = point(&run.world, "mass", [0.0; 3])[0] - rest;
                    let name = format!("ζ = {ratio}, {made:?} {:?} at {t}", options.scheme);
                    close(&name, &[x], &[swing(ratio, omega, t)], error);
                }
            }
        }
    }
}

/// The same under `symplectic4`, one of whose five steps goes backwards: with any damper, at any length of frame.
#[test]
fn damping_ratio_symplectic4() {
    let omega = 2.0 * PI;
    for ratio in [0.02, 0.1, 0.5, 2.0, 20.0, 1e4] {
        for dt in [FRAME, 1e-3] {
            let world = oscillator(Made::Ball, omega * omega, 2.0 * ratio * omega, 0.1);
            let mut run = Run::new(world, StepOptions::symplectic4(dt));
            run.until(1.0);
            let x = point(&run.world, "mass", [0.0; 3])[0];
            let name = format!("ζ = {ratio} at {dt}");
            close(&name, &[x], &[swing(ratio, omega, 1.0)], 1e-7);
        }
    }
}

/// `ẍ = −2ζω·ẋ − ω²·x` from 0.1 at rest.
fn swing(ratio: f64, omega: f64, t: f64) -> f64 {
    let (a, root) = (ratio * omega, omega * (ratio * ratio - 1.0).abs().sqrt());
    let envelope = 0.1 * (-a * t).exp();
    if root < 1e-9 {
        envelope * (1.0 + a * t)
    } else if ratio > 1.0 {
        // The slow part by the product of both rates, ω²: their difference would lose its digits.
        let slow = (-omega * omega / (a + root) * t).exp();
        let fast = (-(a + root) * t).exp();
        0.05 * ((1.0 + a / root) * slow + (1.0 - a / root) * fast)
    } else {
        envelope * ((root * t).cos() + a / root * (root * t).sin())
    }
}

/// How far a blunt blade still skids after a second: a soft condition on rates is a damper, and the
/// speed across goes as e^(−t/(α·m)).
fn skid(options: StepOptions) -> f64 {
    let mut world = World::new();
    let body = RigidBody::new(MassProperties::centered(2.0, [0.2, 0.3, 0.4]));
    let body = world.add_body("body", body).unwrap();
    world.set_v(body, &[1.0, 0.5, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let blade = world
        .add_constraint("blade", KnifeEdge, &[body.frame_at([0.0; 3])])
        .unwrap();
    world.set_compliance(blade, &[0.25]).unwrap();
    let mut run = Run::new(world, options);
    run.until(1.0);
    let v = run.world.v(body).unwrap();
    close("along", &v[..1], &[1.0], 1e-12);
    v[1] - 0.5 * (-2.0f64).exp()
}

#[test]
fn soft_rates_are_dampers() {
    for (options, error) in [
        (StepOptions::interactive(0.01), 1e-3),
        (precise(0.1, Some(1e-9)), 1e-8),
        (
            StepOptions::parts(0.01, Integrator::Rk4, Stabilization::None),
            1e-8,
        ),
        (
            StepOptions::parts(1e-3, Integrator::SymplecticEuler, Stabilization::None),
            1e-3,
        ),
    ] {
        below(&format!("{:?}", options.scheme), skid(options).abs(), error);
    }
}

#[test]
fn soft_rates_are_of_second_order() {
    let ratio = skid(StepOptions::interactive(0.02)) / skid(StepOptions::interactive(0.01));
    assert!(ratio > 3.5, "{ratio}");
}

/// The stiffer the springs, the nearer the hard joint; and that it is in the end.
#[test]
fn the_hard_joint_is_the_limit() {
    let soft = |alpha: f64| {
        let mut world = scene("chain:3");
        let ids: Vec<ConstraintId> = world
            .constraints()
            .iter()
            .map(ConstraintRecord::id)
            .collect();
        for id in ids {
            world.set_compliance(id, &[alpha; 3]).unwrap();
        }
        world
    };
    let options = StepOptions::interactive(1.0);
    let hard = after(&scene("chain:3"), options, 0.5, 500);
    let off = |alpha| {
        let end = after(&soft(alpha), options, 0.5, 500);
        difference(&end.state().q, &hard.state().q)
    };
    below("1e12 N/m", off(1e-12), 1e-8);
    below("1e9 N/m", off(1e-9), 1e-5);
    below("1e6 N/m", off(1e-6), 1e-2);
}
