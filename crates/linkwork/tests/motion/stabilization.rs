//! What each rule of stabilization does to errors, against its theory.

use linkwork::body::{MassProperties, PlanarBody};
use linkwork::constraint::{
    BallOnPlane, DiscOnPlane, KnifeEdge, Level, RollingBall, RollingDisc, SpinRelation,
};
use linkwork::integrate::Integrator;
use linkwork::math::{Vec3, cross};
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::world::BodyRecord;

use crate::support::{Run, after, below, close, point, precise, scene, unguarded};

const POST: Stabilization = Stabilization::Post { iterations: 10 };

/// Two unit masses, 1 mm further apart than their bar is long, at rest or moving apart.
fn stretched(rate: f64) -> World {
    let mut world = World::new();
    let at = |x| Pose::at([x, 0.0, 0.0]);
    let a = world
        .add_body_at("a", Particle { mass: 1.0 }, at(0.0))
        .unwrap();
    let b = world
        .add_body_at("b", Particle { mass: 1.0 }, at(1.001))
        .unwrap();
    let ends = [a.at([0.0; 3]), b.at([0.0; 3])];
    world
        .add_constraint("bar", Distance { length: 1.0 }, &ends)
        .unwrap();
    world.set_v(b, &[rate, 0.0, 0.0]).unwrap();
    world
}

/// `c̈ = −2a·ċ − b²·c` from c = 1 mm at rest.
fn decay(a: f64, b: f64, t: f64) -> f64 {
    let (root, envelope) = ((a * a - b * b).abs().sqrt(), 1e-3 * (-a * t).exp());
    if root < 1e-9 {
        envelope * (1.0 + a * t)
    } else if a > b {
        envelope * ((root * t).cosh() + a / root * (root * t).sinh())
    } else {
        envelope * ((root * t).cos() + a / root * (root * t).sin())
    }
}

#[test]
fn baumgarte_decays_as_its_equation() {
    for (alpha, beta) in [(5.0, 5.0), (1.0, 10.0), (8.0, 3.0), (20.0, 20.0)] {
        let rule = Stabilization::Baumgarte { alpha, beta };
        for (integrator, n, error) in [
            (Integrator::Rk4, 100, 1e-8),
            (Integrator::SymplecticEuler, 1000, 2e-5),
            (Integrator::Euler, 1000, 2e-5),
        ] {
            for t in [0.1, 0.3, 1.0] {
                let options = StepOptions::parts(1.0, integrator, rule);
                let end = after(&stretched(0.0), options, t, n);
                let c = point(&end, "b", [0.0; 3])[0] - point(&end, "a", [0.0; 3])[0] - 1.0;
                let name = format!("{rule:?} {integrator:?} at {t}");
                close(&name, &[c], &[decay(alpha, beta, t)], error);
            }
        }
    }
}

/// Metaxas 1993, eq. 24: `c = c(0)·e^(−α·t)`, where α = β and ċ(0) = −α·c(0).
#[test]
fn critical_errors_decay_at_one_rate_from_one_start() {
    for alpha in [2.0, 5.0, 20.0] {
        let rule = Stabilization::Baumgarte { alpha, beta: alpha };
        let options = StepOptions::parts(1.0, Integrator::Rk4, rule);
        for t in [0.1, 0.3, 1.0] {
            let end = after(&stretched(-1e-3 * alpha), options, t, 200);
            let c = point(&end, "b", [0.0; 3])[0] - point(&end, "a", [0.0; 3])[0] - 1.0;
            let expected = 1e-3 * (-alpha * t).exp();
            close(&format!("{alpha}/s at {t}"), &[c], &[expected], 1e-8);
        }
    }
}

/// The bar's own mobility is 2/kg: `c̈ = −2k·c − 2d·ċ`.
#[test]
fn feedback_pulls_as_a_spring() {
    for (stiffness, damping) in [(50.0, 0.0), (50.0, 2.0), (10.0, 20.0)] {
        let rule = Stabilization::Feedback { stiffness, damping };
        for t in [0.1, 0.3, 1.0] {
            let options = StepOptions::parts(1.0, Integrator::Rk4, rule);
            let end = after(&stretched(0.0), options, t, 200);
            let c = point(&end, "b", [0.0; 3])[0] - point(&end, "a", [0.0; 3])[0] - 1.0;
            let expected = decay(damping, (2.0 * stiffness).sqrt(), t);
            close(&format!("{rule:?} at {t}"), &[c], &[expected], 1e-8);
        }
    }
}

/// Rows on rates decay with 2α: a skidding blade bites.
#[test]
fn baumgarte_on_rates() {
    let (mut world, _) = nonholonomic().swap_remove(0);
    let id = world.bodies()[0].id();
    world.set_v(id, &[1.0, 0.2, 0.0]).unwrap();
    let alpha = 3.0;
    let rule = Stabilization::Baumgarte { alpha, beta: 0.0 };
    let options = StepOptions::parts(1.0, Integrator::Rk4, rule);
    for t in [0.1, 0.5] {
        let end = after(&world, options, t, 100);
        let rate = end.constraint_errors().unwrap()[0].position_rate;
        close("skid", &[rate], &[0.2 * (-2.0 * alpha * t).exp()], 1e-7);
    }
}

/// Without a rule gaps grow and grow; each of the rules keeps them where its theory has them.
#[test]
fn gaps_grow_without_a_rule() {
    let gaps = |rule, dt: f64| {
        let options = StepOptions::parts(dt, Integrator::SymplecticEuler, rule);
        let mut run = Run::new(scene("chain:3"), options);
        let mut gaps = vec![];
        for t in [1.0, 2.0, 4.0] {
            run.until(t);
            gaps.push(run.gap);
        }
        gaps
    };
    let none = gaps(Stabilization::None, 1e-3);
    assert!(
        none[0] > 1e-2 && none[1] > 1.1 * none[0] && none[2] > 1.1 * none[1],
        "{none:?}"
    );
    // Half the step, half the drift.
    let half = gaps(Stabilization::None, 5e-4);
    let ratio = none[0] / half[0];
    assert!(ratio > 1.7 && ratio < 2.3, "{none:?}, {half:?}");
    let baumgarte = Stabilization::Baumgarte {
        alpha: 100.0,
        beta: 100.0,
    };
    let feedback = Stabilization::Feedback {
        stiffness: 200.0,
        damping: 20.0,
    };
    below("Baumgarte", gaps(baumgarte, 1e-3)[2], 2e-3);
    below("feedback", gaps(feedback, 1e-3)[2], 0.3 * none[2]);
    below("Post", gaps(POST, 1e-3)[2], 1e-9);
    let displacement = Stabilization::Displacement { iterations: 3 };
    below("displacement", gaps(displacement, 1e-3)[2], 1e-9);
}

/// Faure 1998, §2: if the error of a step is O(dt^(p+1)), the drift that one correction leaves is
/// O(dt^(2(p+1))): a correction is Newton's, and squares what is left.
#[test]
fn what_one_correction_leaves_is_of_twice_the_order() {
    let world = scene("chain:2");
    let drift = |integrator, n: usize| {
        let rule = Stabilization::Post { iterations: 1 };
        let budget = Budget::default().with_tolerance(1e-300);
        let options = StepOptions::parts(0.5 / n as f64, integrator, rule).within(budget);
        let (mut world, mut simulator) = (world.clone(), Simulator::new());
        (0..n).fold(0.0f64, |m, _| {
            simulator.step(&mut world, &options).unwrap();
            let errors = world.constraint_errors().unwrap();
            errors.iter().fold(m, |m, error| m.max(error.position))
        })
    };
    for (integrator, n, p) in [
        (Integrator::Euler, 160, 1.0),
        (Integrator::SymplecticEuler, 160, 1.0),
        (Integrator::Stoermer, 60, 2.0),
        (Integrator::Rk4, 10, 4.0),
    ] {
        let order = (drift(integrator, n) / drift(integrator, 2 * n)).log2();
        let expected = 2.0 * (p + 1.0);
        assert!(
            (order - expected).abs() < 0.1 * (p + 1.0),
            "{integrator}: {order}"
        );
    }
}

/// Whatever was open is closed after one step, positions and rates.
#[test]
fn post_closes_in_one_step() {
    for (name, joints) in [("chain:5", 1e-2), ("ladder3:3,2", 1e-2), ("four-bar", 1e-2)] {
        let mut world = scene(name);
        let mut random = crate::random_world::Random::new(3);
        let ids: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
        for id in ids {
            let pose = world.pose(id).unwrap().unwrap();
            let moved = Pose {
                position: linkwork::math::add(pose.position, random.vector(joints)),
                ..pose
            };
            world.set_pose(id, moved).unwrap();
            let v = random.numbers(world.v(id).unwrap().len(), 0.1);
            world.set_v(id, &v).unwrap();
        }
        let open = world.worst_constraint_error().unwrap().unwrap().size();
        assert!(open > 5e-3);
        for integrator in [
            Integrator::Euler,
            Integrator::SymplecticEuler,
            Integrator::Rk4,
            Integrator::Stoermer,
        ] {
            let mut run = Run::new(world.clone(), StepOptions::parts(1e-3, integrator, POST));
            run.step();
            below(
                &format!("{name} {integrator:?}"),
                run.gap.max(run.angle),
                1e-9,
            );
            below(&format!("{name} {integrator:?}"), run.rate, 1e-9);
        }
    }
}

/// Faure 1998 as printed damps: a fiftieth of the energy in two seconds at 1 ms, whatever the
/// number of corrections.
#[test]
fn faure_1998_damps() {
    for iterations in [1, 2, 3] {
        let rule = Stabilization::Displacement { iterations };
        let options = StepOptions::parts(1e-3, Integrator::Stoermer, rule);
        let mut run = Run::new(scene("ladder3:12,1"), options);
        run.until(2.0);
        let loss = run.loss / run.fall;
        assert!(loss > 0.015 && loss < 0.025, "{iterations}: {loss}");
        below("gain", run.gain / run.fall, 1e-4);
        below("gap", run.gap, [1e-7, 1e-9, 1e-9][iterations - 1]);
    }
}

fn consistent(mut world: World) -> World {
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

/// A thin disc whose axle is x.
fn disc(radius: f64, mass: f64) -> RigidBody {
    let i = 0.25 * mass * radius * radius;
    RigidBody::new(MassProperties::centered(mass, [2.0 * i, i, i]))
}

/// Worlds with conditions on rates: a sleigh, a blade in space, a ball and a coin that roll, gears.
fn nonholonomic() -> Vec<(World, &'static str)> {
    let mut worlds = vec![];

    let mut world = World::new();
    let sleigh = PlanarBody {
        mass: 2.0,
        inertia: 0.3,
        com_body: [0.0, 0.0],
        outline: None,
    };
    let sleigh = world.add_body("sleigh", sleigh).unwrap();
    world.set_v(sleigh, &[1.0, 0.2, 0.6]).unwrap();
    let blade = [sleigh.frame2([-0.3, 0.0], 0.0)];
    world.add_constraint("blade", KnifeEdge, &blade).unwrap();
    worlds.push((consistent(world), "sleigh"));

    let mut world = World::new();
    let body = RigidBody::new(MassProperties::centered(2.0, [0.2, 0.3, 0.4]));
    let body = world.add_body("body", body).unwrap();
    world.set_v(body, &[1.0, 0.2, 0.1, 0.5, 0.4, 0.6]).unwrap();
    let blade = [body.frame_at([-0.3, 0.1, 0.0])];
    world.add_constraint("blade", KnifeEdge, &blade).unwrap();
    worlds.push((consistent(world), "blade in space"));

    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let normal: Vec3 = [0.5, 0.75f64.sqrt(), 0.0];
    let ball = Sphere {
        radius: 0.4,
        mass: 1.7,
    };
    let at = Pose::turned(normal.map(|n| 0.4 * n), [0.3, -0.8, 0.5]);
    let ball = world.add_body_at("ball", ball, at).unwrap();
    let v = [0.0, 0.0, 1.0];
    let omega = cross(normal, v).map(|w| w / 0.4);
    world
        .set_v(ball, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
        .unwrap();
    let frames = [
        GROUND.frame_along([0.0; 3], normal),
        ball.frame_at([0.0; 3]),
    ];
    world
        .add_constraint("stand", BallOnPlane { radius: 0.4 }, &frames)
        .unwrap();
    world
        .add_constraint("roll", RollingBall { radius: 0.4 }, &frames)
        .unwrap();
    worlds.push((consistent(world), "ball"));

    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let coin = disc(0.3, 0.5);
    // The axle, x, leans 0.2 rad out of level.
    let at = Pose::turned([0.0, 0.0, 0.3 * 0.2f64.cos()], [0.0, 0.2, 0.0]);
    let coin = world.add_body_at("coin", coin, at).unwrap();
    world.set_v(coin, &[0.0, 1.2, 0.0, -4.0, 0.0, 0.8]).unwrap();
    let frames = [
        GROUND.frame_along([0.0; 3], [0.0, 0.0, 1.0]),
        coin.frame_at([0.0; 3]),
    ];
    world
        .add_constraint("stand", DiscOnPlane { radius: 0.3 }, &frames)
        .unwrap();
    world
        .add_constraint("roll", RollingDisc { radius: 0.3 }, &frames)
        .unwrap();
    worlds.push((consistent(world), "coin"));

    let mut world = World::new();
    let axle = [1.0, 0.0, 0.0];
    let mut frames = vec![];
    for (k, (radius, y)) in [(0.2, 0.0), (0.35, 0.55)].into_iter().enumerate() {
        let wheel = disc(radius, 1.0);
        let wheel = world
            .add_body_at(&format!("wheel {k}"), wheel, Pose::at([0.0, y, 0.0]))
            .unwrap();
        let hinge = Hinge { axis_world: axle };
        let on = GROUND.at([0.0, y, 0.0]);
        world
            .join(&format!("axle {k}"), hinge, on, wheel.at([0.0; 3]))
            .unwrap();
        frames.push(wheel.frame_at([0.0; 3]));
    }
    let ends = [GROUND.frame_along([0.0; 3], axle), frames[0]];
    world
        .add_behavior("motor", Motor { torque: 0.05 }, &ends)
        .unwrap();
    frames.push(GROUND.frame_at([0.0; 3]));
    world
        .add_constraint("gear", SpinRelation::gear(0.2, 0.35), &frames)
        .unwrap();
    worlds.push((world, "gears"));
    worlds
}

/// Largest rate of the rows that are conditions on rates.
fn skid(world: &World) -> f64 {
    let errors = world.constraint_errors().unwrap();
    let records = world.constraints().iter().zip(&errors);
    records
        .filter(|(record, _)| record.constraint().level() == Level::Velocity)
        .map(|(_, error)| error.size())
        .fold(0.0, f64::max)
}

/// Conditions on rates hold after every step of every scheme that stabilizes.
#[test]
fn conditions_on_rates_hold() {
    let displacement = Stabilization::Displacement { iterations: 6 };
    for (world, name) in nonholonomic() {
        for dt in [1e-3, 1.0 / 60.0] {
            let mut schemes = vec![
                StepOptions::interactive(dt),
                unguarded(dt),
                StepOptions::symplectic4(dt),
                StepOptions::precise(dt),
                precise(dt, None),
            ];
            for integrator in [
                Integrator::Euler,
                Integrator::SymplecticEuler,
                Integrator::Rk4,
                Integrator::Stoermer,
            ] {
                schemes.push(StepOptions::parts(dt, integrator, POST));
            }
            schemes.push(StepOptions::parts(dt, Integrator::Stoermer, displacement));
            for options in schemes {
                let mut run = Run::new(world.clone(), options);
                for _ in 0..(1.0 / dt) as usize {
                    run.step();
                    let name = format!("{name} {:?} {dt}", options.scheme);
                    below(&name, skid(&run.world), 1e-9);
                }
                below(name, run.gap.max(run.angle), 1e-8);
            }
        }
    }
}

/// Rates without a rule stay as exact as the integrator.
#[test]
fn conditions_on_rates_without_a_rule() {
    for (world, name) in nonholonomic() {
        let options = StepOptions::parts(1e-3, Integrator::Rk4, Stabilization::None);
        let mut run = Run::new(world.clone(), options);
        for _ in 0..1000 {
            run.step();
            below(name, skid(&run.world), 1e-8);
        }
    }
}

/// Rolling is right: 5/7·g·sin α down the slope; gears share the torque by their radii.
#[test]
fn conditions_on_rates_move_as_they_should() {
    for options in [
        StepOptions::interactive(0.01),
        StepOptions::precise(0.01),
        StepOptions::parts(0.01, Integrator::Rk4, POST),
    ] {
        let mut worlds = nonholonomic();
        let (gears, _) = worlds.pop().unwrap();
        let ball = worlds.swap_remove(2).0;
        let start = point(&ball, "ball", [0.0; 3]);
        let end = after(&ball, options, 1.0, 100);
        let found = point(&end, "ball", [0.0; 3]);
        let fall = 0.5 * 5.0 / 7.0 * 9.81 * 0.5;
        let down = [0.75f64.sqrt(), -0.5, 0.0];
        let expected = [0, 1, 2].map(|k| start[k] + fall * down[k] + [0.0, 0.0, 1.0][k]);
        close("ball", &found, &expected, 1e-9);
        let end = after(&gears, options, 1.0, 100);
        let wheel = end.find_body("wheel 0").unwrap();
        // I₀ + I₁·(r₀/r₁)², I = ½·m·r²: 2·½·r₀².
        let expected = 0.05 / (0.2 * 0.2);
        close("gears", &[end.v(wheel).unwrap()[3]], &[expected], 1e-9);
    }
}

/// The sleigh's energy is what it was: the blade does no work.
#[test]
fn a_sleigh_keeps_its_energy() {
    for (world, name) in nonholonomic().into_iter().take(4) {
        let energy = world.energy().unwrap();
        let size = energy.total().abs().max(energy.kinetic);
        for (options, bound) in [
            (StepOptions::precise(0.01), 1e-8),
            (StepOptions::interactive(1e-3), 1e-4),
        ] {
            let mut run = Run::new(world.clone(), options);
            run.until(2.0);
            let name = format!("{name} {:?}", options.scheme);
            below(&name, run.drift() / size.max(run.fall), bound);
        }
    }
}
