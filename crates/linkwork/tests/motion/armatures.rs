//! Inertia on the coordinates of joints.

use linkwork::body::{MassProperties, PlanarBody};
use linkwork::constraint::{
    AngleArmature, AngleDrive, Coupling, Distance, Inerter, JointCoordinate, LengthArmature, Ramp,
    SpinRelation,
};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::world::Dynamics;

use crate::support::{Run, close, precise};

const A: f64 = 0.4;
const DT: f64 = 1.0 / 60.0;
const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// The frames of a hinge along y between two bodies that meet at a point of each: x along the axis.
fn frames(
    a: BodyId,
    at_a: [f64; 3],
    b: BodyId,
    at_b: [f64; 3],
) -> [linkwork::connector::Connector; 2] {
    let rotation = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
    [a.frame(at_a, rotation), b.frame(at_b, rotation)]
}

/// A double pendulum that hangs to the side and turns; frames of its elbow.
fn arms() -> (World, [linkwork::connector::Connector; 2]) {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let rod = || RigidBody::new(MassProperties::centered(1.0, [0.08, 0.09, 0.01]));
    let hinge = Hinge { axis_world: Y };
    let upper = world
        .add_body_at("upper", rod(), Pose::at([0.5, 0.0, 0.0]))
        .unwrap();
    let lower = world
        .add_body_at("lower", rod(), Pose::at([1.5, 0.0, 0.0]))
        .unwrap();
    let (left, right) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    world
        .join("shoulder", hinge, GROUND.at([0.0; 3]), upper.at(left))
        .unwrap();
    world
        .join("elbow", hinge, upper.at(right), lower.at(left))
        .unwrap();
    // ω = −2 above, +5 below, about y.
    world
        .set_v(upper, &[0.0, 0.0, 1.0, 0.0, -2.0, 0.0])
        .unwrap();
    world
        .set_v(lower, &[0.0, 0.0, 2.0 - 2.5, 0.0, 5.0, 0.0])
        .unwrap();
    (world, frames(upper, right, lower, left))
}

fn with_armature() -> World {
    let (mut world, elbow) = arms();
    let rotor = AngleArmature { inertia: A };
    world.add_constraint("rotor", rotor, &elbow).unwrap();
    world
}

/// The same with the rotor as a body of its own, geared to the elbow.
fn with_disc() -> World {
    let (mut world, elbow) = arms();
    let disc = world
        .add_body(
            "disc",
            PlanarBody {
                mass: A,
                inertia: A,
                com_body: [0.0; 2],
                outline: None,
            },
        )
        .unwrap();
    let rate = world.v(world.find_body("lower").unwrap()).unwrap()[4] + 2.0;
    world.set_v(disc, &[0.0, 0.0, rate]).unwrap();
    let pin = [GROUND.at([0.0; 2]), disc.at([0.0; 2])];
    world.join("pin", Ball, pin[0], pin[1]).unwrap();
    let flat = [GROUND.frame2([0.0; 2], 0.0), disc.frame2([0.0; 2], 0.0)];
    let gear = Coupling::new(
        JointCoordinate::PlanarAngle,
        JointCoordinate::Angle,
        &[0.0, 1.0],
    );
    world
        .add_constraint("gear", gear, &[flat[0], flat[1], elbow[0], elbow[1]])
        .unwrap();
    world
}

fn arms_of(world: &World) -> Vec<f64> {
    world.state().q[..14].to_vec()
}

/// A rotor is what a disc geared to the joint is: the same accelerations, motion and energy.
#[test]
fn an_armature_is_a_geared_disc() {
    let (rotor, disc) = (with_armature(), with_disc());
    for method in [Method::Direct, Method::NormalDense, Method::ForestDense] {
        let mut simulators = [Simulator::new(), Simulator::new()];
        let found = simulators[0].accelerations(&rotor, method).motion.clone();
        let wanted = simulators[1].accelerations(&disc, method).motion.clone();
        close("accelerations", &found[..12], &wanted[..12], 1e-9);
    }
    let energies = [&rotor, &disc].map(|world| world.energy().unwrap());
    assert!((energies[0].kinetic - energies[1].kinetic).abs() < 1e-12);
    let options = precise(DT, Some(1e-11));
    let mut runs = [rotor, disc].map(|world| Run::new(world, options));
    for run in &mut runs {
        run.until(1.0);
        assert!(run.relative_drift() < 1e-8, "{}", run.relative_drift());
    }
    close(
        "motion",
        &arms_of(&runs[0].world),
        &arms_of(&runs[1].world),
        1e-7,
    );
}

/// Steps of `interactive` are of second order and keep the energy.
#[test]
fn steps_are_of_second_order() {
    let mut exact = Run::new(with_armature(), precise(DT, Some(1e-11)));
    exact.until(1.0);
    let exact = arms_of(&exact.world);
    let error = |n: f64| {
        let mut run = Run::new(with_armature(), crate::support::unguarded(1.0 / n));
        run.until(1.0);
        println!("{n}: drift {}", run.relative_drift());
        assert!(run.relative_drift() < 400.0 / (n * n));
        crate::support::difference(&arms_of(&run.world), &exact)
    };
    let [coarse, fine] = [240.0, 480.0].map(error);
    println!("{coarse} {fine}");
    assert!(fine < 1e-3);
    assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

/// `(m + a)·z̈ = −m·g` of a slider; on an inerter a particle that passes its anchor curves.
#[test]
fn sliders_and_inerters() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let block = RigidBody::new(MassProperties::centered(2.0, [0.1; 3]));
    let block = world.add_body("block", block).unwrap();
    let along = Prismatic {
        axis_world: [0.0, 0.0, 1.0],
    };
    world
        .join("guide", along, GROUND.at([0.0; 3]), block.at([0.0; 3]))
        .unwrap();
    let rail = GROUND.frame(
        [0.0; 3],
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
    );
    let rotor = LengthArmature { inertia: 3.0 };
    world
        .add_constraint("rotor", rotor, &[rail, block.at([0.0; 3])])
        .unwrap();
    let mut run = Run::new(world, StepOptions::interactive(DT));
    run.until(1.0);
    let fallen = run.world.q(block).unwrap()[2];
    close("fall", &[fallen], &[-0.5 * 9.81 * 0.4], 1e-9);

    let passing = || {
        let mut world = World::new();
        let particle = Pose::at([1.0, 0.0, 0.0]);
        let particle = world
            .add_body_at("bob", Particle { mass: 1.0 }, particle)
            .unwrap();
        world.set_v(particle, &[0.0, 1.5, 0.0]).unwrap();
        let ends = [GROUND.at([0.0; 3]), particle.at([0.0; 3])];
        world
            .add_constraint("inerter", Inerter { inertia: 2.0 }, &ends)
            .unwrap();
        world
    };
    let mut exact = Run::new(passing(), precise(DT, Some(1e-11)));
    exact.until(1.0);
    // Angular momentum and energy: ½·(m + a)·ṙ² + ½·L²/(m·r²).
    let bob = exact.world.find_body("bob").unwrap();
    let (q, v) = (exact.world.q(bob).unwrap(), exact.world.v(bob).unwrap());
    close("L", &[q[0] * v[1] - q[1] * v[0]], &[1.5], 1e-8);
    assert!(exact.drift() < 1e-8, "{}", exact.drift());
    // Straight on it would be at (1, 1.5).
    assert!(crate::support::difference(q, &[1.0, 1.5, 0.0]) > 0.1);
    let error = |n: f64| {
        let mut run = Run::new(passing(), crate::support::unguarded(1.0 / n));
        run.until(1.0);
        crate::support::difference(run.world.q(bob_of(&run.world)).unwrap(), q)
    };
    let [coarse, fine] = [60.0, 120.0].map(error);
    assert!(
        coarse < 1e-3 && (3.5..4.5).contains(&(coarse / fine)),
        "{coarse} {fine}"
    );
}

fn bob_of(world: &World) -> BodyId {
    world.find_body("bob").unwrap()
}

/// A rotor that turns many times a frame keeps its spin.
#[test]
fn a_fast_rotor_keeps_its_spin() {
    for rate in [1.0, 1000.0] {
        let mut world = World::new();
        let wheel = RigidBody::new(MassProperties::centered(1.0, [0.01; 3]));
        let wheel = world.add_body("wheel", wheel).unwrap();
        let hinge = Hinge { axis_world: Y };
        world
            .join("axle", hinge, GROUND.at([0.0; 3]), wheel.at([0.0; 3]))
            .unwrap();
        let rotor = AngleArmature { inertia: 5.0 };
        let sides = frames(GROUND, [0.0; 3], wheel, [0.0; 3]);
        world.add_constraint("rotor", rotor, &sides).unwrap();
        world
            .set_v(wheel, &[0.0, 0.0, 0.0, 0.0, rate, 0.0])
            .unwrap();
        let mut run = Run::new(world, StepOptions::interactive(DT));
        run.until(2.0);
        let spin = run.world.v(wheel).unwrap();
        close("spin", spin, &[0.0, 0.0, 0.0, 0.0, rate, 0.0], 1e-9 * rate);
        let turns = (2.0 * rate / std::f64::consts::TAU).round();
        assert_eq!(run.world.state().turns.joints, [turns]);
    }
}

/// Without momentum a rotor takes no part, and it is no condition: nothing is less mobile, nothing is open.
#[test]
fn a_rotor_is_no_condition() {
    let (plain, _) = arms();
    let rotor = with_armature();
    let mobility = |world: &World| diagnose(world).mobility;
    assert_eq!(mobility(&rotor), mobility(&plain));
    let mut ends = [plain, rotor].map(|mut world| {
        world.set_dynamics(Dynamics::FirstOrder);
        let mut simulator = Simulator::new();
        for _ in 0..30 {
            let report = simulator
                .step(&mut world, &StepOptions::interactive(DT))
                .unwrap();
            assert!(report.position_error < 1e-8);
        }
        arms_of(&world)
    });
    let [plain, rotor] = &mut ends;
    close("first order", rotor, plain, 1e-12);
    let errors = with_armature().constraint_errors().unwrap();
    assert!(
        errors
            .iter()
            .all(|error| error.position < 1e-12 && error.angle < 1e-12)
    );
}

/// Links of which armatures are all but everything: `(M + a)·q̈ = τ` of a straight chain, by angles between
/// links.
#[test]
fn links_that_armatures_hold_up() {
    for (mass, armature) in [(1.0, 0.3), (1e-3, 0.75), (1e-6, 0.75), (1e-8, 0.75)] {
        let (n, length, g) = (3, 0.1, 9.81);
        let inertia = mass * length * length / 12.0;
        let mut world = World::with_gravity([0.0, 0.0, -g]).unwrap();
        let mut before = GROUND;
        for k in 0..n {
            let rod = RigidBody::new(MassProperties::centered(
                mass,
                [inertia, inertia, 0.1 * inertia],
            ));
            let at = Pose::at([(k as f64 + 0.5) * length, 0.0, 0.0]);
            let label = format!("link {k}");
            let rod = world.add_body_at(&label, rod, at).unwrap();
            let half = 0.5 * length;
            let end = if k == 0 { [0.0; 3] } else { [half, 0.0, 0.0] };
            let own = [-half, 0.0, 0.0];
            let hinge = Hinge { axis_world: Y };
            let name = format!("joint {k}");
            world
                .join(&name, hinge, before.at(end), rod.at(own))
                .unwrap();
            let sides = frames(before, end, rod, own);
            let rotor = AngleArmature { inertia: armature };
            world
                .add_constraint(&format!("rotor {k}"), rotor, &sides)
                .unwrap();
            before = rod;
        }
        let found = Simulator::new()
            .accelerations(&world, Method::Direct)
            .motion
            .clone();
        let spin = |k: usize| found[6 * k + 4];
        let relative = [spin(0), spin(1) - spin(0), spin(2) - spin(1)];
        // Angle k turns links k, k + 1, …; link i has its middle at (i + ½)·l.
        let arm = |k: usize, i: usize| (i as f64 + 0.5 - k as f64) * length;
        let mut left = [0.0f64; 3];
        let mut size = 0.0f64;
        for (j, left) in left.iter_mut().enumerate() {
            let mut torque = 0.0;
            for i in j..n {
                torque += mass * g * arm(j, i);
                for k in 0..=i {
                    *left += (mass * arm(j, i) * arm(k, i) + inertia) * relative[k];
                }
            }
            *left += armature * relative[j] - torque;
            size = size.max(torque);
        }
        let worst = left
            .iter()
            .fold(0.0f64, |worst, left| worst.max(left.abs()))
            / size;
        // No digit is lost by the ratio of the rotor's inertia to the link's, up to 1e11.
        assert!(worst < 1e-12, "{mass}: {worst}");
    }
}

/// What makes no sense on an armature is refused; a priority has no effect.
#[test]
fn an_armature_is_only_that() {
    let mut world = with_armature();
    let rotor = world.find_constraint("rotor").unwrap();
    assert!(world.set_compliance(rotor, &[0.0]).is_err());
    assert!(world.close_over(rotor, 1.0).is_err());
    let wanted = Simulator::new()
        .accelerations(&world, Method::Direct)
        .motion
        .clone();
    world.set_priority(rotor, 3).unwrap();
    let found = Simulator::new()
        .accelerations(&world, Method::Direct)
        .motion
        .clone();
    assert_eq!(found, wanted);
}

/// A link that is light about its hinges and carries a heavy bob turns no faster than its rotor: no alarm, and energy
/// stays.
#[test]
fn rotors_hold_light_links_still() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let link = RigidBody::new(MassProperties::centered(1e-3, [1e-2, 1e-7, 1e-2]));
    let link = world
        .add_body_at("link", link, Pose::at([0.1, 0.0, 0.0]))
        .unwrap();
    let bob = RigidBody::new(MassProperties::centered(1.0, [0.01; 3]));
    let bob = world
        .add_body_at("bob", bob, Pose::at([0.3, 0.0, 0.0]))
        .unwrap();
    let hinge = Hinge { axis_world: Y };
    let (left, right) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    world
        .join("shoulder", hinge, GROUND.at([0.0; 3]), link.at(left))
        .unwrap();
    world
        .join("elbow", hinge, link.at(right), bob.at(left))
        .unwrap();
    let rotor = AngleArmature { inertia: 0.5 };
    let sides = frames(GROUND, [0.0; 3], link, left);
    world.add_constraint("upper rotor", rotor, &sides).unwrap();
    let sides = frames(link, right, bob, left);
    world.add_constraint("lower rotor", rotor, &sides).unwrap();
    let mut run = Run::new(world, StepOptions::interactive(DT));
    run.until(1.0);
    assert_eq!(run.last_resorts, 0);
    assert!(run.relative_drift() < 1e-2, "{}", run.relative_drift());
}

/// A chain with a rotor, a spring and a damper on every hinge, on which a loop is closed or not.
fn ridden_chain(in_plane: bool, closed: bool) -> World {
    let mut world = World::with_gravity([0.3, -9.81, 0.2]).unwrap();
    let mut before = GROUND;
    for k in 0..6 {
        let at = [0.3 * (k as f64 + 0.5), 0.0];
        let (half, label) = (0.15, format!("link {k}"));
        let end = if k == 0 { 0.0 } else { half };
        let spin = 0.3 + 0.2 * k as f64;
        let link = if in_plane {
            let link = PlanarBody {
                mass: 1.0 + 0.3 * k as f64,
                inertia: 0.02,
                com_body: [0.0, 0.05],
                outline: None,
            };
            let link = world
                .add_body_at(&label, link, Pose::at([at[0], 0.0, 0.0]))
                .unwrap();
            let pin = [before.at([end, 0.0]), link.at([-half, 0.0])];
            world
                .join(&format!("pin {k}"), Ball, pin[0], pin[1])
                .unwrap();
            world.set_v(link, &[0.0, 0.0, spin]).unwrap();
            link
        } else {
            let link = RigidBody::new(MassProperties::centered(
                1.0 + 0.3 * k as f64,
                [0.03, 0.02, 0.025],
            ));
            let link = world
                .add_body_at(&label, link, Pose::at([at[0], 0.0, 0.0]))
                .unwrap();
            let axis_world = if k % 2 == 0 { Y } else { [0.0, 0.6, 0.8] };
            let ends = [before.at([end, 0.0, 0.0]), link.at([-half, 0.0, 0.0])];
            world
                .join(
                    &format!("hinge {k}"),
                    Hinge { axis_world },
                    ends[0],
                    ends[1],
                )
                .unwrap();
            world.set_v(link, &[0.0, 0.0, 0.0, 0.1, spin, 0.0]).unwrap();
            link
        };
        let sides = match in_plane {
            true => [
                before.frame2([end, 0.0], 0.0),
                link.frame2([-half, 0.0], 0.1),
            ],
            false => frames(before, [end, 0.0, 0.0], link, [-half, 0.0, 0.0]),
        };
        let rotor = AngleArmature {
            inertia: 0.1 * (k as f64 + 1.0),
        };
        world
            .add_constraint(&format!("rotor {k}"), rotor, &sides)
            .unwrap();
        let spring = AngleDrive::new(Ramp {
            start: 0.2,
            rate: 0.0,
        });
        let spring = world
            .add_constraint(&format!("spring {k}"), spring, &sides)
            .unwrap();
        world.set_compliance(spring, &[0.05]).unwrap();
        let damper =
            world.add_constraint(&format!("damper {k}"), SpinRelation::new(&[1.0]), &sides);
        world.set_compliance(damper.unwrap(), &[0.4]).unwrap();
        before = link;
    }
    if closed {
        let rope = Distance { length: 1.7 };
        let ends = match in_plane {
            true => [GROUND.at([0.0, 0.4]), before.at([0.15, 0.0])],
            false => [GROUND.at([0.0, 0.4, 0.1]), before.at([0.15, 0.0, 0.0])],
        };
        world.add_constraint("rope", rope, &ends).unwrap();
    }
    world
}

/// What rides on joints moves and pushes as the same rows do by themselves: on a tree, where it is eliminated
/// with the joints, and on a loop, where it is not.
#[test]
fn what_rides_on_joints_is_rows() {
    for in_plane in [true, false] {
        for closed in [false, true] {
            let world = ridden_chain(in_plane, closed);
            for horizon in [None, Some(0.02)] {
                let found =
                    [Method::NormalDense, Method::Direct, Method::ForestDense].map(|method| {
                        let options = SolveOptions::from(method).with_horizon(horizon);
                        let mut simulator = Simulator::new();
                        simulator.accelerations(&world, options).clone()
                    });
                for other in &found[1..] {
                    let size = found[0].lambda.iter().fold(1.0f64, |m, x| m.max(x.abs()));
                    close("motion", &other.motion, &found[0].motion, 1e-9);
                    close("multipliers", &other.lambda, &found[0].lambda, 1e-10 * size);
                }
            }
        }
    }
}
