//! Bodies on bodies: stacks, cradles, dominoes, rods that clatter, blocks that rock.

use crate::numbers::Random;

use super::support::{DT, G, add, at, block, flat, run};
use linkwork::body::Spin;
use linkwork::collide::Shape;
use linkwork::constraint::LengthLimit;
use linkwork::math::quat_exp;
use linkwork::prelude::*;
use linkwork::world::{BreakLimit, Collider};

fn energy(world: &World) -> f64 {
    let energy = world.energy().unwrap();
    energy.kinetic + energy.potential
}

fn fastest(world: &World) -> f64 {
    let v = world.state().v.iter();
    v.fold(0.0, |most, v| v.abs().max(most))
}

/// Ten blocks, alike or with masses that grow a hundredfold upward or downward: at rest to 1e-9, whatever carries what.
#[test]
fn a_stack_rests() {
    for power in [0.0, 2.0, -2.0] {
        let mut world = flat(0.5);
        let mut bodies = vec![];
        let mut weight = 0.0;
        for k in 0..10 {
            let mass = 10f64.powf(power * f64::from(k) / 9.0);
            weight += G * mass;
            let at = [0.0, 0.1 + 0.2 * f64::from(k), 0.0];
            bodies.push(block(&mut world, [0.1; 3], mass, Pose::at(at), 0.5));
        }
        run(&mut world, 300, |_, report| {
            assert!(
                report.law_error < 2e-9 && report.overrun < 1e-9,
                "{report:?}"
            );
            assert!(report.position_error < 1e-9);
        });
        assert!(fastest(&world) < 1e-8, "{power}: {}", fastest(&world));
        for (k, body) in bodies.iter().enumerate() {
            let [x, y, z] = at(&world, *body);
            let height = y - (0.1 + 0.2 * k as f64);
            assert!(
                height.abs() < 1e-8 && x.abs() < 1e-7 && z.abs() < 1e-7,
                "{power} {k}"
            );
        }
        // The floor carries all of it.
        let floor = world.state().touching.iter().filter(|own| own.key[0] == 0);
        let carried: f64 = floor.map(|own| own.force_world[1]).sum();
        assert!(
            (carried - weight).abs() < 1e-6 * weight,
            "{carried} {weight}"
        );
    }
}

/// Newton's cradle: the last ball leaves at √(2g·l·(1 − cos ½)), the others stand.
#[test]
fn a_cradle_passes_blows_on() {
    let (radius, length) = (0.05, 0.5);
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let mut balls = vec![];
    for k in 0..5 {
        let x = 2.0 * radius * f64::from(k);
        let angle: f64 = if k == 0 { -0.5 } else { 0.0 };
        let pose = Pose {
            position: [x + length * angle.sin(), -length * angle.cos(), 0.0],
            rotation: quat_exp([0.0, 0.0, angle]),
        };
        let sphere = Sphere { radius, mass: 1.0 };
        let collider = Collider::new(Shape::Sphere { radius })
            .with_restitution(1.0)
            .with_friction(0.0);
        let own = add(&mut world, sphere, pose, collider);
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        let ends = (GROUND.at([x, 0.0, 0.0]), own.at([0.0, length, 0.0]));
        let label = format!("hinge {k}");
        world.join(&label, hinge, ends.0, ends.1).unwrap();
        balls.push(own);
    }
    let before = energy(&world);
    let mut fastest_last = 0.0f64;
    run(&mut world, 300, |world, report| {
        if report.blows > 0 && fastest_last == 0.0 {
            let v: Vec<f64> = balls
                .iter()
                .map(|ball| world.v(*ball).unwrap()[0])
                .collect();
            fastest_last = v[4];
            assert!(v[..4].iter().all(|v| v.abs() < 2e-2), "{v:?}");
        }
        assert!(report.overrun < 1e-9);
    });
    let inertia = 1.0 + 0.4 * radius * radius / (length * length);
    let expected = (2.0 * G * length * (1.0 - 0.5f64.cos()) / inertia).sqrt();
    // It has swung on a little by the end of the frame.
    assert!(
        (fastest_last - expected).abs() < 0.02 * expected,
        "{fastest_last} {expected}"
    );
    let swing = G * length * (1.0 - 0.5f64.cos());
    let lost = before - energy(&world);
    assert!(lost.abs() < 1e-3 * swing, "{lost} of {swing}");
}

/// Housner 1963: a block that rocks loses ω⁺/ω⁻ = 1 − 1.5·sin²α at each change of edge.
#[test]
fn a_rocking_block_loses_what_housner_says() {
    let (b, h, angle) = (0.1, 0.4, 0.1f64);
    let mut world = flat(10.0);
    let (cos, sin) = (angle.cos(), angle.sin());
    let pose = Pose {
        position: [b - b * cos + h * sin, b * sin + h * cos, 0.0],
        rotation: quat_exp([0.0, 0.0, -angle]),
    };
    let own = block(&mut world, [b, h, 0.1], 1.0, pose, 10.0);
    let (mut peaks, mut last, mut before) = (vec![], 0.0f64, 0.0f64);
    run(&mut world, 180, |world, _| {
        let q = world.pose(own).unwrap().unwrap().rotation;
        let tilt = linkwork::math::quat_log(q)[2].abs();
        if before > 0.0 && last > before && last > tilt && last > 0.01 {
            peaks.push(last);
        }
        (before, last) = (last, tilt);
    });
    for (peak, expected) in peaks.iter().zip([0.07891, 0.06321, 0.05112]) {
        assert!((peak - expected).abs() < 0.01 * expected, "{peaks:?}");
    }
    assert!(peaks.len() >= 3, "{peaks:?}");
}

/// Six dominoes: all fall, nothing sinks in, no energy is made.
#[test]
fn dominoes_fall() {
    let mut world = flat(0.5);
    let half = [0.01, 0.1, 0.05];
    let mut bodies = vec![];
    for k in 0..6 {
        let angle = if k == 0 { 0.12f64 } else { 0.0 };
        let (cos, sin) = (angle.cos(), angle.sin());
        let x = 0.1 * f64::from(k) + half[0];
        let pose = Pose {
            position: [
                x - half[0] * cos + half[1] * sin,
                half[0] * sin + half[1] * cos,
                0.0,
            ],
            rotation: quat_exp([0.0, 0.0, -angle]),
        };
        bodies.push(block(&mut world, half, 0.5, pose, 0.5));
    }
    let mut last = energy(&world);
    run(&mut world, 120, |world, report| {
        assert!(report.overrun < 1e-6, "{report:?}");
        let now = energy(world);
        assert!(now - last < 1e-3 * 0.5 * G * 0.1 * 6.0, "{last} {now}");
        last = now;
    });
    for body in bodies {
        assert!(at(&world, body)[1] < 0.09, "one stands");
    }
}

/// Twelve rods thrown on the floor, e = 0.9 and μ = 0.8: energy never grows, and nothing is under the floor.
#[test]
fn thrown_rods_gain_nothing() {
    let mut world = flat(0.8);
    let mut random = Random(7);
    for k in 0..12 {
        let pose = Pose {
            position: [3.0 * f64::from(k % 4), 1.5, 3.0 * f64::from(k / 4)],
            rotation: quat_exp(random.vector(3.0)),
        };
        let rod = Rod {
            length: 1.0,
            radius: 0.02,
            mass: 1.0,
        };
        let collider = Collider::new(Shape::Capsule {
            half_length: 0.48,
            radius: 0.02,
        })
        .with_friction(0.8)
        .with_restitution(0.9);
        let own = add(&mut world, rod, pose, collider);
        let v = random.numbers(6, 2.0);
        world.set_v(own, &v).unwrap();
    }
    let mut last = energy(&world);
    run(&mut world, 180, |world, report| {
        assert!(
            report.overrun < 1e-8 && report.law_error < 1e-6,
            "{report:?}"
        );
        let now = energy(world);
        assert!(now - last < 1e-3 * 12.0 * G, "{last} {now}");
        last = now;
    });
}

/// What touches nothing of the others is a problem of its own: far away, the same bits.
#[test]
fn islands_do_not_know_of_each_other() {
    let build = |n: usize| {
        let mut world = flat(0.5);
        for k in 0..n {
            let x = 10.0 * k as f64;
            let poses = [[x, 0.1, 0.0], [x + 0.03, 0.3, 0.01]];
            for pose in poses {
                block(&mut world, [0.1; 3], 1.0, Pose::at(pose), 0.5);
            }
        }
        run(&mut world, 30, |_, _| ());
        world
    };
    let (one, three) = (build(1), build(3));
    let n = one.state().q.len();
    assert_eq!(one.state().q[..], three.state().q[..n]);
    let n = one.state().v.len();
    assert_eq!(one.state().v[..], three.state().v[..n]);
}

/// A stack that is struck while there is little to spend: what is not solved is said, and no energy comes of it.
#[test]
fn a_budget_makes_no_energy() {
    for iterations in [1, 20, 100, 1000] {
        let mut world = flat(0.5);
        let mut bodies = vec![];
        for k in 0..6 {
            let at = [0.0, 0.1 + 0.2 * f64::from(k), 0.0];
            bodies.push(block(&mut world, [0.2, 0.1, 0.2], 1.0, Pose::at(at), 0.5));
        }
        world
            .set_v(bodies[2], &[3.0, 0.0, 1.0, 0.0, 2.0, 0.0])
            .unwrap();
        let mut options = StepOptions::interactive(DT);
        options.budget.max_iterations = iterations;
        let mut simulator = Simulator::new();
        let mut most = energy(&world);
        for frame in 0..120 {
            simulator.step(&mut world, &options).unwrap();
            let now = energy(&world);
            assert!(now < most + 0.05, "{iterations} {frame}: {most} {now}");
            most = most.min(now);
        }
        assert!(fastest(&world) < 5.0, "{iterations}: {}", fastest(&world));
    }
}

/// A slider that reaches its stop exactly where a frame ends rebounds there.
#[test]
fn a_hit_at_the_end_of_a_frame_rebounds() {
    for upper in [0.3, 0.305, 0.3 + 1e-7] {
        let mut world = World::new();
        let body = Sphere {
            radius: 0.1,
            mass: 2.0,
        };
        let own = world.add_body("slider", body).unwrap();
        let along = Prismatic {
            axis_world: [1.0, 0.0, 0.0],
        };
        world
            .join("rail", along, GROUND.at([0.0; 3]), own.at([0.0; 3]))
            .unwrap();
        let limit = LengthLimit {
            lower: -1.0,
            upper,
            restitution: 0.5,
        };
        let frames = [
            GROUND.frame_along([0.0; 3], [1.0, 0.0, 0.0]),
            own.at([0.0; 3]),
        ];
        world.add_constraint("stop", limit, &frames).unwrap();
        world.set_v(own, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        run(&mut world, 30, |_, _| ());
        let v = world.v(own).unwrap()[0];
        assert!((v + 0.5).abs() < 1e-9, "{upper}: {v}");
    }
}

/// Two boxes joined through a body that does not collide are joined.
#[test]
fn what_carriers_join_does_not_collide() {
    let mut world = World::new();
    let a = block(&mut world, [0.1; 3], 1.0, Pose::at([0.0; 3]), 0.5);
    let b = block(&mut world, [0.1; 3], 1.0, Pose::at([0.15, 0.0, 0.0]), 0.5);
    let carrier = Sphere {
        radius: 0.01,
        mass: 0.01,
    };
    let at = Pose::at([0.075, 0.0, 0.0]);
    let carrier = world.add_body_at("carrier", carrier, at).unwrap();
    let (x, z) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let place = at.position;
    for (label, axis_world, body, local) in
        [("first", z, a, place), ("second", x, b, [-0.075, 0.0, 0.0])]
    {
        let hinge = Hinge { axis_world };
        world
            .join(label, hinge, carrier.at([0.0; 3]), body.at(local))
            .unwrap();
    }
    run(&mut world, 10, |world, _| {
        assert!(world.state().touching.is_empty());
    });
    assert!(fastest(&world) < 1e-9);
}

/// A cylinder rolls over a level box as over a floor: at its speed, and no lower than its radius.
#[test]
fn a_cylinder_rolls_over_a_box() {
    for dt in [DT, 1.0 / 240.0] {
        let mut world = flat(1.0);
        let slab = block(
            &mut world,
            [5.0, 0.1, 1.0],
            1e3,
            Pose::at([0.0, 0.1, 0.0]),
            1.0,
        );
        let shape = Shape::Cylinder {
            half_length: 0.2,
            radius: 0.1,
        };
        let solid = Cylinder {
            length: 0.4,
            radius: 0.1,
            mass: 1.0,
        };
        // Its axis is x: it rolls along z with ω = −v/r about x.
        let lying = Pose::at([0.0, 0.3, -0.5]);
        let body = add(
            &mut world,
            solid,
            lying,
            Collider::new(shape).with_friction(1.0),
        );
        world.set_v(body, &[0.0, 0.0, 0.5, 5.0, 0.0, 0.0]).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(dt);
        for _ in 0..(1.5 / dt) as usize {
            let report = simulator.step(&mut world, &options).unwrap();
            assert!(report.overrun < 1e-9, "{report:?}");
            let [_, y, _] = at(&world, body);
            assert!((y - 0.3).abs() < 1e-8, "{y}");
        }
        let v = world.v(body).unwrap();
        assert!(
            (v[2] - 0.5).abs() < 1e-6 && (v[3] - 5.0).abs() < 1e-5,
            "{v:?}"
        );
        assert!(world.v(slab).unwrap()[2].abs() < 1e-6);
    }
}

/// A block that rides on a turntable is pushed inward by friction with m·ω²·r: directions across a normal that lies
/// along an axis of the world must not jump from one end of a step to the other as round-off turns it.
#[test]
fn what_rides_on_a_turntable_is_pushed_inward() {
    const DT: f64 = 1.0 / 240.0;
    let up = Pose::turned([0.0, -0.5, 0.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let table = Spin {
        start: up,
        point_world: [0.0; 3],
        axis_world: [0.0, 1.0, 0.0],
        rate: 1.0,
    };
    let table = world.add_body("table", Kinematic::new(table)).unwrap();
    let disc = Collider::new(Shape::Cylinder {
        half_length: 0.5,
        radius: 3.0,
    });
    let disc = disc.with_friction(0.9);
    world.set_colliders(table, vec![disc]).unwrap();
    let rider = block(
        &mut world,
        [0.1, 0.04, 0.1],
        2.0,
        Pose::at([1.5, 0.04, 0.0]),
        0.9,
    );
    world
        .set_v(rider, &[0.0, 0.0, -1.5, 0.0, 1.0, 0.0])
        .unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..480 {
        simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
        let forces = world.state().touching.iter().map(|own| own.force_world);
        let force = forces.fold([0.0; 3], |sum, f| [0, 1, 2].map(|k| sum[k] + f[k]));
        let [x, _, z] = at(&world, rider);
        let inward = -(force[0] * x + force[2] * z) / x.hypot(z);
        let along = (force[0] * z - force[2] * x) / x.hypot(z);
        assert!((inward - 3.0).abs() < 1e-3, "{inward} inward");
        assert!(along.abs() < 2e-2, "{along} along");
    }
    let [x, _, z] = at(&world, rider);
    assert!((x.hypot(z) - 1.5).abs() < 1e-5, "{}", x.hypot(z));
}

/// Cylinders and rods that meet along a line rebound from all of it: speeds are those of two points, and nothing turns.
#[test]
fn what_meets_along_a_line_does_not_turn() {
    let log = |half_length, radius| Shape::Cylinder {
        half_length,
        radius,
    };
    let rod = |half_length, radius| Shape::Capsule {
        half_length,
        radius,
    };
    let upright = [0.0, 0.0, std::f64::consts::FRAC_PI_2];
    let cases = [
        (log(0.385, 0.154), log(0.131, 0.655), [0.0; 3]),
        (log(0.131, 0.655), log(0.385, 0.154), [0.0; 3]),
        (log(0.655, 0.262), log(0.154, 0.385), upright),
        (rod(0.5, 0.05), log(0.2, 0.3), upright),
    ];
    let mass = Cuboid {
        size: [0.4; 3],
        mass: 1.0,
    };
    let half = |shape: &Shape, turned: [f64; 3]| match shape {
        Shape::Cylinder { half_length, .. } if turned != [0.0; 3] => *half_length,
        Shape::Cylinder { radius, .. } | Shape::Capsule { radius, .. } => *radius,
        _ => unreachable!(),
    };
    for (above, below, turned) in cases {
        for lean in [0.0, 0.3] {
            let mut world = World::new();
            let height = half(&above, [0.0; 3]) + half(&below, turned) + 0.3;
            let high = Pose::turned(
                [0.0, height, 0.0],
                [0.0, if turned == upright { lean } else { 0.0 }, 0.0],
            );
            let top = Collider::new(above.clone()).with_restitution(0.5);
            let top = add(&mut world, mass, high, top);
            let low = Pose::turned([0.0; 3], turned);
            let bottom = add(&mut world, mass, low, Collider::new(below.clone()));
            world.set_v(top, &[0.0, -2.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            run(&mut world, 12, |_, _| ());
            let speeds = [top, bottom].map(|body| world.v(body).unwrap().to_vec());
            let expected = [-0.5, -1.5];
            for (v, expected) in speeds.into_iter().zip(expected) {
                assert!((v[1] - expected).abs() < 1e-9, "{above:?} {below:?} {v:?}");
                let turns = v[3..].iter().fold(0.0f64, |most, w| most.max(w.abs()));
                assert!(turns < 1e-8, "{above:?} {below:?} {v:?}");
            }
        }
    }
}

/// A rod that lies across a drum and beyond it rests on both places where it comes over the rim, wherever it lies.
#[test]
fn a_rod_lies_across_a_drum() {
    for turned in [0.0, 0.3, 1.5] {
        for off in [0.0, 0.07] {
            let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
            let up = Pose::turned([0.0, -0.2, 0.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
            let drum = Shape::Cylinder {
                half_length: 0.2,
                radius: 0.3,
            };
            let drum = Collider::new(drum).placed(up).with_friction(0.5);
            world.set_colliders(GROUND, vec![drum]).unwrap();
            let shape = Shape::Capsule {
                half_length: 0.5,
                radius: 0.05,
            };
            let mass = Cuboid {
                size: [1.0, 0.1, 0.1],
                mass: 2.0,
            };
            let lies = Pose::turned([off, 0.05, 0.0], [0.0, turned, 0.0]);
            let rod = add(
                &mut world,
                mass,
                lies,
                Collider::new(shape).with_friction(0.5),
            );
            run(&mut world, 60, |world, _| {
                assert!((at(world, rod)[1] - 0.05).abs() < 1e-9);
            });
            let up: f64 = world
                .state()
                .touching
                .iter()
                .map(|own| own.force_world[1])
                .sum();
            assert!((up - 2.0 * G).abs() < 1e-8 * G, "{up}");
        }
    }
}

/// What a blow pushes is told by the step that it falls in: forces times time are the change of momentum, of joints
/// too, and a joint that cannot bear it breaks.
#[test]
fn forces_tell_of_blows() {
    for restitution in [0.0, 0.5, 1.0] {
        for dt in [DT, 0.25 * DT] {
            let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
            let shelf = block(&mut world, [0.5, 0.05, 0.5], 1.0, Pose::at([0.0; 3]), 0.5);
            let weld = world
                .join("weld", Weld, GROUND.at([0.0; 3]), shelf.at([0.0; 3]))
                .unwrap();
            let ball = Collider::new(Shape::Sphere { radius: 0.1 });
            let ball = ball.with_restitution(restitution);
            let solid = Sphere {
                radius: 0.1,
                mass: 1.0,
            };
            let ball = add(&mut world, solid, Pose::at([0.0, 0.45, 0.0]), ball);
            world
                .set_v(ball, &[0.0, -10.0, 0.0, 0.0, 0.0, 0.0])
                .unwrap();
            let whole = world.clone();
            let mut simulator = Simulator::new();
            let steps = (0.1 / dt).round() as usize;
            let (mut by_contact, mut by_weld) = (0.0, 0.0);
            for _ in 0..steps {
                simulator
                    .step(&mut world, &StepOptions::interactive(dt))
                    .unwrap();
                let touching = world.state().touching.iter();
                by_contact += dt * touching.map(|own| own.force_world[1].abs()).sum::<f64>();
                let lambda = &world.state().lambda;
                let held = world.reaction(weld, lambda, ReactionOptions::default());
                by_weld += dt * held.unwrap().force[1];
            }
            let time = dt * steps as f64;
            let gained = world.v(ball).unwrap()[1] + 10.0 + G * time;
            assert!(
                (by_contact - gained).abs() < 1e-9 * gained,
                "{by_contact} {gained}"
            );
            let borne = gained + G * time;
            assert!((by_weld - borne).abs() < 1e-9 * borne, "{by_weld} {borne}");

            let mut world = whole;
            let limit = BreakLimit {
                force: 60.0,
                torque: f64::INFINITY,
            };
            world.set_break_limit(weld, Some(limit)).unwrap();
            for _ in 0..steps {
                simulator
                    .step(&mut world, &StepOptions::interactive(dt))
                    .unwrap();
            }
            assert!(!world.constraint_record(weld).unwrap().enabled());
        }
    }
}
