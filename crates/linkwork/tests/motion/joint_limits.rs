//! Limits of joints with several coordinates: cones of balls, cylinders, universal joints, screws, ropes.

use linkwork::connector::{Connector, Site};
use linkwork::constraint::{
    AngleLimit, AngleServo, ConeLimit, DistanceLimit, LengthLimit, LengthServo, Screw,
};
use linkwork::math::{Vec3, quat_exp, quat_to_matrix};
use linkwork::prelude::*;

const G: f64 = 9.81;
const INFINITE: f64 = f64::INFINITY;
const X: Vec3 = [1.0, 0.0, 0.0];

fn world() -> World {
    World::with_gravity([0.0, -G, 0.0]).unwrap()
}

fn options() -> StepOptions {
    StepOptions::interactive(1.0 / 60.0)
}

fn cone(swing: f64, twist: f64, restitution: f64) -> ConeLimit {
    ConeLimit {
        swing,
        lower: -twist,
        upper: twist,
        restitution,
    }
}

/// A rod of 1 m and 1 kg that hangs below a ball joint at the origin; its axis x points down.
fn hanging(world: &mut World, limit: ConeLimit) -> (BodyId, ConstraintId) {
    let shape = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let rod = world.add_body("rod", shape).unwrap();
    let down = Pose {
        position: [0.0, -0.5, 0.0],
        rotation: quat_exp([0.0, 0.0, -0.5 * std::f64::consts::PI]),
    };
    world.set_pose(rod, down).unwrap();
    let top = rod.at([-0.5, 0.0, 0.0]);
    world.join("ball", Ball, GROUND.at([0.0; 3]), top).unwrap();
    let sides = [GROUND.frame_along([0.0; 3], [0.0, -1.0, 0.0]), {
        // The same axes on the rod as on the ground now.
        let ground = GROUND.frame_along([0.0; 3], [0.0, -1.0, 0.0]);
        let Some(&Site::Frame { rotation, .. }) = ground.site() else {
            panic!("no frame");
        };
        world.frame_on(top, &rotation).unwrap()
    }];
    let limit = world.add_constraint("cone", limit, &sides).unwrap();
    (rod, limit)
}

/// Spins a body that hangs from the origin.
fn spin(world: &mut World, rod: BodyId, omega: Vec3) {
    let x = world.pose(rod).unwrap().unwrap().position;
    let v = linkwork::math::cross(omega, x);
    let all = [v[0], v[1], v[2], omega[0], omega[1], omega[2]];
    world.set_v(rod, &all).unwrap();
}

/// The angle of the rod to the vertical.
fn swing_of(world: &World, rod: BodyId) -> f64 {
    let x = world.pose(rod).unwrap().unwrap().position;
    libm::atan2(libm::hypot(x[0], x[2]), -x[1])
}

fn fastest(world: &World) -> f64 {
    let speeds = world.state().v.iter();
    speeds.fold(0.0f64, |most, v| most.max(v.abs()))
}

/// Thrown in any direction, the rod stops at its cone and never passes it; friction brings it to rest.
#[test]
fn a_rod_stops_at_its_cone() {
    for (k, omega) in [[6.0, 0.0, 0.0], [0.0, 0.0, -6.0], [3.0, 2.0, 5.0]]
        .into_iter()
        .enumerate()
    {
        let mut world = world();
        let (rod, _) = hanging(&mut world, cone(0.6, 0.5, 0.0));
        spin(&mut world, rod, omega);
        let mut simulator = Simulator::new();
        let mut energy = world.energy().unwrap().total();
        let (mut widest, mut blows) = (0.0f64, 0);
        for frame in 0..300 {
            let report = simulator.step(&mut world, &options()).unwrap();
            blows += report.blows;
            widest = widest.max(swing_of(&world, rod));
            assert!(report.overrun < 1e-9, "{k} {frame}: {report:?}");
            assert!(report.law_error < 1e-9, "{k} {frame}: {report:?}");
            let now = world.energy().unwrap().total();
            assert!(now < energy + 1e-3 * G, "{k} {frame}: {energy} → {now}");
            energy = now;
        }
        assert!(blows > 0 && (widest - 0.6).abs() < 1e-3, "{k}: {widest}");
    }
}

/// A blow straight at the cone keeps e² of the energy of its motion there.
#[test]
fn a_cone_gives_back_its_part_of_the_energy() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut world = world();
        let (rod, _) = hanging(&mut world, cone(0.6, 0.5, restitution));
        spin(&mut world, rod, [0.0, 0.0, 6.0]);
        let mut simulator = Simulator::new();
        let start = world.energy().unwrap().total();
        let mut left = None;
        for _ in 0..30 {
            let report = simulator.step(&mut world, &options()).unwrap();
            if report.blows > 0 {
                left = Some(world.energy().unwrap().total());
                break;
            }
        }
        let at_cone = -0.5 * G * libm::cos(0.6);
        let wanted = at_cone + restitution * restitution * (start - at_cone);
        let left = left.expect("it hits the cone");
        assert!(
            (left - wanted).abs() < 2e-3 * start.abs().max(1.0),
            "{restitution}: {left} instead of {wanted}"
        );
    }
}

/// Spun about its own axis, the rod stops at its twist, either way and without swinging.
#[test]
fn a_rod_stops_at_its_twist() {
    for sign in [1.0, -1.0] {
        let mut world = world();
        let (rod, limit) = hanging(&mut world, cone(0.6, 0.5, 0.0));
        spin(&mut world, rod, [0.0, -3.0 * sign, 0.0]);
        let mut simulator = Simulator::new();
        for _ in 0..60 {
            simulator.step(&mut world, &options()).unwrap();
        }
        let [twist, rate] = world.joint_angles(limit).unwrap()[0];
        assert!((twist - 0.5 * sign).abs() < 1e-9, "{twist}");
        assert!(rate.abs() < 1e-9 && fastest(&world) < 1e-9, "{rate}");
        assert!(swing_of(&world, rod) < 1e-9);
    }
}

/// Leaned against its cone, the rod rests there, and the cone carries the torque of its weight.
#[test]
fn a_cone_carries_a_weight() {
    // Upwards: the rod stands on its joint, and falls to the cone.
    let mut world = World::with_gravity([0.0, G, 0.0]).unwrap();
    let (rod, limit) = hanging(&mut world, cone(0.4, 0.5, 0.3));
    spin(&mut world, rod, [0.1, 0.0, 0.2]);
    let mut simulator = Simulator::new();
    for _ in 0..600 {
        simulator.step(&mut world, &options()).unwrap();
    }
    assert!((swing_of(&world, rod) - 0.4).abs() < 1e-9);
    assert!(fastest(&world) < 1e-7, "{}", fastest(&world));
    let row = world.constraint_record(limit).unwrap().row_range().start;
    let torque = world.state().lambda[row];
    assert!((torque - 0.5 * G * libm::sin(0.4)).abs() < 1e-6, "{torque}");
}

/// A start beyond cone and twist is brought back and gets no speed from it; the report says how far it was.
#[test]
fn a_start_beyond_a_cone_is_mended_without_speed() {
    for (lean, twist) in [
        (1.2, 0.0),
        (0.3, 1.4),
        (3.0, 0.2),
        (std::f64::consts::PI, 0.0),
    ] {
        let mut world = World::new();
        let (rod, limit) = hanging(&mut world, cone(0.6, 0.5, 0.5));
        let was = world.pose(rod).unwrap().unwrap();
        let turned = linkwork::math::quat_mul(
            quat_exp([lean, 0.0, 0.0]),
            linkwork::math::quat_mul(quat_exp([0.0, -twist, 0.0]), was.rotation),
        );
        let x = quat_to_matrix(turned);
        let pose = Pose {
            position: [0.5 * x[0][0], 0.5 * x[1][0], 0.5 * x[2][0]],
            rotation: turned,
        };
        world.set_pose(rod, pose).unwrap();
        let worst = world.worst_constraint_error().unwrap().unwrap();
        assert_eq!(worst.id, limit, "{lean} {twist}");
        let mut simulator = Simulator::new();
        for _ in 0..60 {
            simulator.step(&mut world, &options()).unwrap();
        }
        assert!(
            swing_of(&world, rod) < 0.6 + 1e-8,
            "{lean} {twist}: {}",
            swing_of(&world, rod)
        );
        let [own, _] = world.joint_angles(limit).unwrap()[0];
        assert!(own.abs() < 0.5 + 1e-8, "{lean} {twist}: {own}");
        // Of 50 rad/s with which a step moves it there.
        assert!(
            fastest(&world) < 1e-4,
            "{lean} {twist}: {}",
            fastest(&world)
        );
    }
}

/// A block on an axis: it slides and turns, as far as its limits allow.
fn on_axis(world: &mut World, joint: impl FnOnce(&mut World, Connector, Connector)) -> BodyId {
    let shape = Cuboid {
        size: [0.2; 3],
        mass: 2.0,
    };
    let block = world.add_body("block", shape).unwrap();
    let sides = [
        GROUND.frame_along([0.0; 3], X),
        block.frame_along([0.0; 3], X),
    ];
    joint(world, sides[0], sides[1]);
    block
}

#[test]
fn a_cylinder_stops_along_and_about_its_axis() {
    for restitution in [0.0, 0.5] {
        let mut world = World::new();
        let block = on_axis(&mut world, |world, a, b| {
            let pair = linkwork::constraint::FramePair::cylindrical();
            world.add_constraint("cylinder", pair, &[a, b]).unwrap();
            let angle = AngleLimit {
                lower: -INFINITE,
                upper: 7.03,
                restitution,
            };
            world.add_constraint("angle", angle, &[a, b]).unwrap();
            let slide = LengthLimit {
                lower: -1.0,
                upper: 0.31,
                restitution,
            };
            let center = b.body().unwrap().at([0.0; 3]);
            world.add_constraint("slide", slide, &[a, center]).unwrap();
        });
        let all = [1.0, 0.0, 0.0, 5.0, 0.0, 0.0];
        world.set_v(block, &all).unwrap();
        let mut simulator = Simulator::new();
        let start = world.energy().unwrap().total();
        let (mut blows, mut farthest) = (0, 0.0f64);
        for _ in 0..96 {
            let report = simulator.step(&mut world, &options()).unwrap();
            assert!(report.overrun < 1e-9, "{report:?}");
            blows += report.blows;
            farthest = farthest.max(world.q(block).unwrap()[0]);
        }
        assert_eq!(blows, 2, "{restitution}");
        assert!((farthest - 0.31).abs() < 0.02 && farthest < 0.31 + 1e-9);
        let left = world.energy().unwrap().total();
        let wanted = restitution * restitution * start;
        assert!((left - wanted).abs() < 1e-9 * start, "{left} {wanted}");
    }
}

#[test]
fn a_screw_stops_at_its_end() {
    let mut world = World::with_gravity([G, 0.0, 0.0]).unwrap();
    let pitch = 0.05;
    let block = on_axis(&mut world, |world, a, b| {
        world
            .add_constraint("screw", Screw { pitch }, &[a, b])
            .unwrap();
        let slide = LengthLimit {
            lower: -1.0,
            upper: 0.4,
            restitution: 0.0,
        };
        let center = b.body().unwrap().at([0.0; 3]);
        world.add_constraint("slide", slide, &[a, center]).unwrap();
    });
    let mut simulator = Simulator::new();
    for _ in 0..300 {
        let report = simulator.step(&mut world, &options()).unwrap();
        assert!(report.overrun < 1e-9, "{report:?}");
    }
    assert!((world.q(block).unwrap()[0] - 0.4).abs() < 1e-9);
    assert!(fastest(&world) < 1e-9);
    // The end of the thread carries the weight.
    let limit = world.find_constraint("slide").unwrap();
    let rows = world.constraint_record(limit).unwrap().row_range();
    let force: f64 = rows.map(|row| world.state().lambda[row]).sum();
    assert!((force - 2.0 * G).abs() < 1e-6, "{force}");
}

/// Both angles of a universal joint stop: the first about x of a, the second about y of b.
#[test]
fn a_universal_joint_stops_about_both_axes() {
    use linkwork::constraint::FramePair;
    for (omega, wanted) in [([3.0, 0.0, 0.0], 0), ([0.0, 3.0, 0.0], 1)] {
        let mut world = World::new();
        let block = on_axis(&mut world, |world, a, b| {
            world
                .add_constraint("universal", FramePair::universal(), &[a, b])
                .unwrap();
            let limit = AngleLimit {
                lower: -0.2,
                upper: 0.7,
                restitution: 0.0,
            };
            world.add_constraint("about a", limit, &[a, b]).unwrap();
            // x ← −y, y ← x: what b has turned about its y, seen from a.
            let turned = |own: Connector| {
                let Some((body, Site::Frame { origin, rotation })) = own.place() else {
                    panic!("no frame");
                };
                let mut columns = linkwork::math::transpose(&rotation);
                columns = [linkwork::math::neg(columns[1]), columns[0], columns[2]];
                body.frame(origin, linkwork::math::transpose(&columns))
            };
            let sides = [turned(b), turned(a)];
            world.add_constraint("about b", limit, &sides).unwrap();
        });
        // y of frame b, in the world.
        let frame = GROUND.frame_along([0.0; 3], X);
        let Some(&Site::Frame { rotation, .. }) = frame.site() else {
            panic!("no frame");
        };
        let omega = linkwork::math::mat_vec(&rotation, omega);
        let all = [0.0, 0.0, 0.0, omega[0], omega[1], omega[2]];
        world.set_v(block, &all).unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..60 {
            let report = simulator.step(&mut world, &options()).unwrap();
            assert!(report.overrun < 1e-9, "{report:?}");
        }
        let angle = |name: &str| {
            let id = world.find_constraint(name).unwrap();
            world.joint_angles(id).unwrap()[0][0]
        };
        let angles = [angle("about a"), angle("about b")];
        assert!((angles[wanted] - 0.7).abs() < 1e-9, "{angles:?}");
        assert!(angles[1 - wanted].abs() < 1e-9, "{angles:?}");
        assert!(fastest(&world) < 1e-9);
    }
}

/// A ratchet on a slider lets a weight be pulled up by a swinging force, and never down.
#[test]
fn a_ratchet_climbs() {
    let mut world = World::with_gravity([-G, 0.0, 0.0]).unwrap();
    let block = on_axis(&mut world, |world, a, b| {
        let pair = linkwork::constraint::FramePair::prismatic();
        world.add_constraint("slider", pair, &[a, b]).unwrap();
        let center = b.body().unwrap().at([0.0; 3]);
        let sides = [a, center];
        let ratchet = LengthServo::one_way(false);
        world.add_constraint("ratchet", ratchet, &sides).unwrap();
    });
    let mut simulator = Simulator::new();
    let mut before = 0.0;
    for frame in 0..240 {
        if frame % 60 == 0 {
            let all = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            world.set_v(block, &all).unwrap();
        }
        simulator.step(&mut world, &options()).unwrap();
        let at = world.q(block).unwrap()[0];
        assert!(at > before - 1e-12, "frame {frame}: {before} → {at}");
        before = at;
    }
    // Four throws of v²/2g each, and at most a step of sliding on.
    let wanted = 4.0 / (2.0 * G);
    assert!(
        (before - wanted).abs() < 4.0 * G / 3600.0,
        "{before} {wanted}"
    );
}

/// A ratchet on a hinge rectifies a swing: the angle never falls.
#[test]
fn a_ratchet_turns_one_way_only() {
    let mut world = World::new();
    let block = on_axis(&mut world, |world, a, b| {
        let pair = linkwork::constraint::FramePair::hinge();
        world.add_constraint("hinge", pair, &[a, b]).unwrap();
        let ratchet = AngleServo::one_way(true);
        world.add_constraint("ratchet", ratchet, &[a, b]).unwrap();
    });
    let ratchet = world.find_constraint("ratchet").unwrap();
    let mut simulator = Simulator::new();
    let mut before = 0.0;
    for frame in 0..120 {
        let push = if frame % 20 < 10 { -0.4 } else { 0.3 };
        let omega = world.v(block).unwrap()[3] + push;
        let all = [0.0, 0.0, 0.0, omega, 0.0, 0.0];
        world.set_v(block, &all).unwrap();
        simulator.step(&mut world, &options()).unwrap();
        let [at, _] = world.joint_angles(ratchet).unwrap()[0];
        assert!(at < before + 1e-12, "frame {frame}: {before} → {at}");
        before = at;
    }
    assert!(before < -1.0, "{before}");
}

/// A strut keeps two weights apart, and lets them go.
#[test]
fn a_strut_pushes_and_does_not_pull() {
    for (speed, wanted) in [(-1.0, 0.5), (1.0, 2.0)] {
        let mut world = World::new();
        let weight = world.add_body("weight", Particle { mass: 1.0 }).unwrap();
        world.set_q(weight, &[1.0, 0.0, 0.0]).unwrap();
        world.set_v(weight, &[speed, 0.0, 0.0]).unwrap();
        let strut = DistanceLimit {
            lower: 0.5,
            upper: INFINITE,
            restitution: 0.0,
        };
        let sides = [GROUND.at([0.0; 3]), weight.at([0.0; 3])];
        world.add_constraint("strut", strut, &sides).unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..60 {
            simulator.step(&mut world, &options()).unwrap();
        }
        let at = world.q(weight).unwrap()[0];
        assert!((at - wanted).abs() < 1e-9, "{at}");
    }
}

/// Where the rod hangs straight there is no direction to swing along: the cone does nothing, and a fast throw is
/// caught all the same.
#[test]
fn a_fast_throw_out_of_the_middle_is_caught() {
    for speed in [20.0, 60.0] {
        let mut world = World::new();
        let (rod, _) = hanging(&mut world, cone(0.3, 0.5, 0.0));
        spin(&mut world, rod, [0.0, 0.0, speed]);
        let mut simulator = Simulator::new();
        for frame in 0..30 {
            let report = simulator.step(&mut world, &options()).unwrap();
            let swing = swing_of(&world, rod);
            assert!(swing < 0.3 + 1e-6, "{speed} {frame}: {swing} {report:?}");
        }
        assert!(fastest(&world) < 1e-6, "{speed}: {}", fastest(&world));
    }
}
