//! Bounded rows: limits, ropes, motors that give way, dry friction, clutches.

use linkwork::constraint::{AngleLimit, AngleServo, DistanceLimit, LengthLimit, LengthServo, Ramp};
use linkwork::prelude::*;

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn world() -> World {
    World::with_gravity([0.0, -G, 0.0]).unwrap()
}

/// A thin rod of 1 m and 1 kg that turns about its left end at the origin, level; its angle is zero there.
fn rod(world: &mut World) -> BodyId {
    let rod = world
        .add_body(
            "rod",
            Rod {
                length: 1.0,
                radius: 1e-3,
                mass: 1.0,
            },
        )
        .unwrap();
    world.set_pose(rod, Pose::at([0.5, 0.0, 0.0])).unwrap();
    let hinge = Hinge { axis_world: Z };
    world
        .join(
            "hinge",
            hinge,
            GROUND.at([0.0; 3]),
            rod.at([-0.5, 0.0, 0.0]),
        )
        .unwrap();
    rod
}

/// Adds a constraint on the rod's angle.
fn on_angle(
    world: &mut World,
    rod: BodyId,
    constraint: impl linkwork::constraint::Constraint,
) -> ConstraintId {
    let frames = [
        GROUND.frame_along([0.0; 3], Z),
        rod.frame_along([-0.5, 0.0, 0.0], Z),
    ];
    let label = format!("bound {}", world.constraints().len());
    world.add_constraint(&label, constraint, &frames).unwrap()
}

fn angle_of(world: &World, rod: BodyId) -> f64 {
    let x = linkwork::math::quat_to_matrix(world.pose(rod).unwrap().unwrap().rotation);
    libm::atan2(x[1][0], x[0][0])
}

fn spin_of(world: &World, rod: BodyId) -> f64 {
    world.v(rod).unwrap()[5]
}

fn stop(lower: f64, upper: f64, restitution: f64) -> AngleLimit {
    AngleLimit {
        lower,
        upper,
        restitution,
    }
}

/// Released level, the rod hits a stop at the vertical and rebounds to cos φ = 1 − e².
#[test]
fn a_rod_rebounds_from_a_stop() {
    let mut world = world();
    let rod = rod(&mut world);
    on_angle(
        &mut world,
        rod,
        stop(-0.5 * std::f64::consts::PI, f64::INFINITY, 0.5),
    );
    let mut simulator = Simulator::new();
    let (mut highest, mut blows) = (f64::NEG_INFINITY, 0);
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut last = 0.0;
    for _ in 0..120 {
        let report = simulator.step(&mut world, &options).unwrap();
        blows += report.blows;
        let angle = angle_of(&world, rod);
        assert!(angle > -0.5 * std::f64::consts::PI - 1e-9, "{angle}");
        assert!(
            report.law_error < 1e-9 && report.overrun < 1e-9,
            "{report:?}"
        );
        if blows == 1 {
            // Between frames: from the energy that is left.
            let energy = spin_of(&world, rod).powi(2) / 6.0 + 0.5 * G * libm::sin(angle);
            let top = libm::asin(energy / (0.5 * G)) + 0.5 * std::f64::consts::PI;
            highest = highest.max(top);
            last = top;
        }
    }
    assert!(blows > 1);
    let wanted = 41.4096f64.to_radians();
    assert!(
        (highest - wanted).abs() < 2e-4,
        "{} {last}",
        highest.to_degrees()
    );
}

#[test]
fn a_rod_comes_to_rest_at_a_stop() {
    for restitution in [0.0, 0.5, 0.9] {
        let mut world = world();
        let rod = rod(&mut world);
        let limit = on_angle(&mut world, rod, stop(-0.3, 1.0, restitution));
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut energy = f64::INFINITY;
        for _ in 0..600 {
            simulator.step(&mut world, &options).unwrap();
            let now = world.energy().unwrap().total();
            assert!(now < energy + 1e-3, "{restitution}: {energy} → {now}");
            energy = now;
        }
        assert!(
            spin_of(&world, rod).abs() < 1e-9,
            "{restitution}: {}",
            spin_of(&world, rod)
        );
        assert!((angle_of(&world, rod) + 0.3).abs() < 1e-9);
        // What the stop carries is the weight's torque.
        let torque = 0.5 * G * libm::cos(0.3);
        let rows = world.constraint_record(limit).unwrap().row_range();
        assert!((world.state().lambda[rows.start] - torque).abs() < 1e-6);
    }
}

/// A motor of 10 N·m holds its speed against 4.9 N·m of weight; one of 4 N·m gives way.
#[test]
fn a_motor_gives_what_it_can() {
    for (most, holds) in [(10.0, true), (4.0, false)] {
        let mut world = world();
        let rod = rod(&mut world);
        let motor = on_angle(&mut world, rod, AngleServo::speed(2.0, most));
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        for _ in 0..12 {
            simulator.step(&mut world, &options).unwrap();
        }
        let spin = spin_of(&world, rod);
        let row = world.constraint_record(motor).unwrap().row_range().start;
        let torque = world.state().lambda[row];
        assert!(torque.abs() <= most * (1.0 + 1e-12));
        if holds {
            assert!((spin - 2.0).abs() < 1e-9, "{spin}");
            let angle = angle_of(&world, rod);
            assert!(
                (torque - 0.5 * G * libm::cos(angle)).abs() < 0.05,
                "{torque}"
            );
        } else {
            assert!((torque - 4.0).abs() < 1e-9 && spin < 0.0, "{spin} {torque}");
        }
    }
}

/// A motor on a position comes back after it was overloaded, without a jerk.
#[test]
fn a_servo_comes_back() {
    let mut world = world();
    let rod = rod(&mut world);
    on_angle(
        &mut world,
        rod,
        AngleServo::position(
            Ramp {
                start: 0.0,
                rate: 0.0,
            },
            10.0,
            8.0,
        ),
    );
    world.set_v(rod, &[0.0, -4.0, 0.0, 0.0, 0.0, -8.0]).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut lowest = 0.0f64;
    for _ in 0..240 {
        simulator.step(&mut world, &options).unwrap();
        lowest = lowest.min(angle_of(&world, rod));
    }
    assert!(lowest < -0.5, "{lowest}");
    assert!(
        angle_of(&world, rod).abs() < 1e-6,
        "{}",
        angle_of(&world, rod)
    );
}

/// Dry friction holds what it can to the last bit, and slows down what slides by its own law.
#[test]
fn friction_holds_and_slows_down() {
    let mut world = world();
    let rod = rod(&mut world);
    on_angle(&mut world, rod, AngleServo::friction(5.0));
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..600 {
        simulator.step(&mut world, &options).unwrap();
    }
    assert!(
        angle_of(&world, rod).abs() < 1e-12,
        "creeps: {}",
        angle_of(&world, rod)
    );

    let mut world = World::new();
    let block = world
        .add_body(
            "block",
            Cuboid {
                size: [0.2; 3],
                mass: 2.0,
            },
        )
        .unwrap();
    let axis = [1.0, 0.0, 0.0];
    let slide = Prismatic { axis_world: axis };
    world
        .join("slide", slide, GROUND.at([0.0; 3]), block.at([0.0; 3]))
        .unwrap();
    let sites = [GROUND.frame_along([0.0; 3], axis), block.at([0.0; 3])];
    world
        .add_constraint("friction", LengthServo::friction(3.0), &sites)
        .unwrap();
    let speed = 1.5;
    world
        .set_v(block, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        .unwrap();
    for _ in 0..120 {
        simulator.step(&mut world, &options).unwrap();
    }
    // v²/2a, and the last sub-step of at most a·h²/2.
    let way = world.q(block).unwrap()[0];
    let wanted = speed * speed / (2.0 * 1.5);
    assert!((way - wanted).abs() < 1.5 / 3600.0, "{way} {wanted}");
    assert!(world.v(block).unwrap()[0].abs() < 1e-12);
}

/// A clutch lets a rod turn one way as if it were not there, and stops it the other way.
#[test]
fn a_clutch_turns_one_way() {
    let run = |clutch: Option<bool>, spin: f64| {
        let mut world = World::new();
        let rod = rod(&mut world);
        if let Some(backward) = clutch {
            on_angle(&mut world, rod, AngleServo::one_way(backward));
        }
        world
            .set_v(rod, &[0.0, 0.5 * spin, 0.0, 0.0, 0.0, spin])
            .unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        for _ in 0..30 {
            simulator.step(&mut world, &options).unwrap();
        }
        spin_of(&world, rod)
    };
    for (backward, spin) in [(false, 3.0), (true, -3.0)] {
        let free = run(None, spin);
        assert!((run(Some(backward), spin) - free).abs() < 1e-12);
        let stopped = run(Some(backward), -spin);
        assert!(stopped.abs() < 1e-9, "{stopped}");
    }
}

/// A weight on a rope falls freely, is caught, and swings: the rope never pulls it beyond its length, nor pushes.
#[test]
fn a_rope_catches_a_weight() {
    let mut world = world();
    let weight = world.add_body("weight", Particle { mass: 1.0 }).unwrap();
    world.set_q(weight, &[0.6, 0.0, 0.0]).unwrap();
    let rope = DistanceLimit {
        lower: f64::NEG_INFINITY,
        upper: 1.0,
        restitution: 0.0,
    };
    world
        .add_constraint("rope", rope, &[GROUND.at([0.0; 3]), weight.at([0.0; 3])])
        .unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let (mut energy, mut farthest, mut slack) = (0.0f64, 0.0f64, 0);
    for frame in 0..600 {
        simulator.step(&mut world, &options).unwrap();
        let at = world.q(weight).unwrap().to_vec();
        let length = libm::hypot(at[0], at[1]);
        farthest = farthest.max(length);
        slack += usize::from(length < 1.0 - 1e-6);
        assert!(world.state().lambda[0] >= 0.0);
        let now = world.energy().unwrap().total();
        assert!(now < energy + 1e-3 * G, "frame {frame}: {energy} → {now}");
        energy = now;
        if frame == 20 {
            // Free fall until sqrt(1 − 0.36) = 0.8 m: 0.404 s, frame 24.
            let t: f64 = 21.0 / 60.0;
            assert!((at[1] + 0.5 * G * t * t).abs() < 1e-9, "{at:?}");
        }
    }
    assert!(farthest < 1.0 + 1e-9, "{farthest}");
    assert!(slack > 20 && slack < 200, "{slack}");
}

/// A limit may be many turns away.
#[test]
fn a_limit_counts_turns() {
    let mut world = World::new();
    let rod = rod(&mut world);
    let upper = 5.0 * std::f64::consts::TAU + 0.4;
    on_angle(&mut world, rod, stop(f64::NEG_INFINITY, upper, 0.0));
    world.set_v(rod, &[0.0, 2.5, 0.0, 0.0, 0.0, 5.0]).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut blows = 0;
    let mut at = 0.0;
    for _ in 0..600 {
        blows += simulator.step(&mut world, &options).unwrap().blows;
        if blows == 0 {
            at = world.state().t;
        }
    }
    assert_eq!(blows, 1);
    assert!((at - upper / 5.0).abs() < 2.0 / 60.0, "{at}");
    assert!(
        (angle_of(&world, rod) - 0.4).abs() < 1e-9,
        "{}",
        angle_of(&world, rod)
    );
    assert!(spin_of(&world, rod).abs() < 1e-9);
}

/// A four-bar whose rocker hits a stop at speed: loops stay closed, energy falls, and it comes to rest.
#[test]
fn a_loop_hits_a_stop() {
    for restitution in [0.0, 0.5] {
        let mut world = world();
        let points = [[0.0, 0.0], [0.0, 0.1], [0.4, 0.3], [0.4, 0.0]];
        let mut bars = Vec::new();
        for k in 0..3 {
            let (a, b): ([f64; 2], [f64; 2]) = (points[k], points[k + 1]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let length = libm::hypot(d[0], d[1]);
            let bar = world
                .add_body(
                    &format!("bar {k}"),
                    Rod {
                        length,
                        radius: 0.01,
                        mass: 2.0 * length,
                    },
                )
                .unwrap();
            let angle = libm::atan2(d[1], d[0]);
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            world.set_pose(bar, Pose::in_plane(middle, angle)).unwrap();
            bars.push((bar, length));
        }
        let hinge = Hinge { axis_world: Z };
        let end = |k: usize, side: f64| bars[k].0.at([0.5 * side * bars[k].1, 0.0, 0.0]);
        let ground = |p: [f64; 2]| GROUND.at([p[0], p[1], 0.0]);
        world
            .join("a", hinge, ground(points[0]), end(0, -1.0))
            .unwrap();
        world.join("b", hinge, end(0, 1.0), end(1, -1.0)).unwrap();
        world.join("c", hinge, end(1, 1.0), end(2, -1.0)).unwrap();
        world
            .join("d", hinge, ground(points[3]), end(2, 1.0))
            .unwrap();
        let rocker = bars[2].0;
        let start = angle_of(&world, rocker);
        let frames = [
            GROUND.frame_along([0.0; 3], Z),
            rocker.frame_along([0.0; 3], Z),
        ];
        let range = stop(start - 0.15, start + 0.15, restitution);
        world.add_constraint("stop", range, &frames).unwrap();
        let crank = bars[0].0;
        world
            .set_v(crank, &[1.0, 0.0, 0.0, 0.0, 0.0, -20.0])
            .unwrap();
        let mut simulator = Simulator::new();
        let motion = simulator
            .velocity_correction(&world, Method::Direct)
            .motion
            .clone();
        for bar in [crank, bars[1].0, rocker] {
            let range = world.body_record(bar).unwrap().v_range();
            let v: Vec<f64> = range.map(|k| world.state().v[k] + motion[k]).collect();
            world.set_v(bar, &v).unwrap();
        }
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut energy = world.energy().unwrap().total();
        let size = energy.abs();
        let mut blows = 0;
        for frame in 0..300 {
            let report = simulator.step(&mut world, &options).unwrap();
            blows += report.blows;
            assert!(report.position_error < 1e-9, "{frame}: {report:?}");
            assert!(
                report.overrun < 1e-9 && report.law_error < 1e-9,
                "{frame}: {report:?}"
            );
            let now = world.energy().unwrap().total();
            assert!(
                now < energy + 1e-3 * size,
                "{restitution} {frame}: {energy} → {now}"
            );
            energy = now;
        }
        assert!(blows >= 1, "{blows}");
        let fastest = world
            .state()
            .v
            .iter()
            .fold(0.0f64, |most, v| most.max(v.abs()));
        assert!(fastest < 1e-6, "{restitution}: {fastest}");
    }
}

/// What starts beyond its limit is brought back, and gets no speed from it.
#[test]
fn a_start_beyond_a_limit_is_mended_without_speed() {
    let mut world = World::new();
    let rod = rod(&mut world);
    on_angle(&mut world, rod, stop(0.2, 1.0, 0.5));
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..5 {
        simulator.step(&mut world, &options).unwrap();
    }
    assert!(
        (angle_of(&world, rod) - 0.2).abs() < 1e-9,
        "{}",
        angle_of(&world, rod)
    );
    assert!(
        spin_of(&world, rod).abs() < 1e-9,
        "{}",
        spin_of(&world, rod)
    );
}

/// Every scheme, and worlds without momentum, keep limits.
#[test]
fn every_scheme_keeps_limits() {
    use linkwork::integrate::{Integrator, Scheme};
    use linkwork::stabilize::Stabilization;
    let parts = Scheme::Parts {
        integrator: Integrator::Rk4,
        stabilization: Stabilization::Post { iterations: 5 },
    };
    let schemes = [
        StepOptions::interactive(1.0).scheme,
        StepOptions::precise(1.0).scheme,
        Scheme::Symplectic4,
        parts,
    ];
    for scheme in schemes {
        let mut world = world();
        let rod = rod(&mut world);
        on_angle(&mut world, rod, stop(-0.5, 1.0, 0.0));
        let mut simulator = Simulator::new();
        let mut options = StepOptions::interactive(1.0 / 60.0);
        options.scheme = scheme;
        for _ in 0..120 {
            simulator.step(&mut world, &options).unwrap();
            assert!(
                angle_of(&world, rod) > -0.5 - 1e-8,
                "{scheme:?}: {}",
                angle_of(&world, rod)
            );
        }
        assert!(
            spin_of(&world, rod).abs() < 1e-8,
            "{scheme:?}: {}",
            spin_of(&world, rod)
        );
    }
    for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
        let mut world = world();
        let rod = rod(&mut world);
        on_angle(&mut world, rod, stop(0.3, 1.0, 0.0));
        world.set_dynamics(dynamics);
        let mut simulator = Simulator::new();
        for _ in 0..10 {
            simulator
                .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
        }
        assert!(
            (angle_of(&world, rod) - 0.3).abs() < 1e-8,
            "{dynamics:?}: {}",
            angle_of(&world, rod)
        );
    }
}

/// A simulator that is dropped after every step gives the same bits, also in the middle of blows.
#[test]
fn nothing_but_the_state_is_remembered() {
    let build = || {
        let mut world = world();
        let rod = rod(&mut world);
        on_angle(&mut world, rod, stop(-0.5, 1.0, 0.8));
        on_angle(&mut world, rod, AngleServo::friction(0.3));
        world
    };
    let (mut kept, mut dropped) = (build(), build());
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for frame in 0..120 {
        simulator.step(&mut kept, &options).unwrap();
        Simulator::new().step(&mut dropped, &options).unwrap();
        assert_eq!(kept.state(), dropped.state(), "frame {frame}");
    }
}

#[test]
fn wrong_bounds_are_refused() {
    let mut world = world();
    let rod = rod(&mut world);
    let frames = [
        GROUND.frame_along([0.0; 3], Z),
        rod.frame_along([-0.5, 0.0, 0.0], Z),
    ];
    let infinite = f64::INFINITY;
    for limit in [
        stop(1.0, 0.0, 0.0),
        stop(-infinite, infinite, 0.0),
        stop(f64::NAN, 1.0, 0.0),
        stop(0.0, 1.0, -0.1),
        stop(0.0, 1.0, 1.1),
        stop(0.0, 1.0, f64::NAN),
    ] {
        let error = world.add_constraint("stop", limit, &frames).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("lower") || text.contains("restitution"),
            "{text}"
        );
    }
    for most in [-1.0, f64::NAN] {
        assert!(
            world
                .add_constraint("motor", AngleServo::speed(1.0, most), &frames)
                .is_err()
        );
    }
    // Nothing that a limit would ignore is taken.
    let limit = on_angle(&mut world, rod, stop(0.0, 1.0, 0.0));
    assert!(world.set_priority(limit, 1).is_err());
    assert!(world.set_compliance(limit, &[1e-3, 1e-3]).is_err());
    assert!(world.set_damping(limit, &[1.0, 1.0]).is_err());
    let length = LengthLimit {
        lower: 2.0,
        upper: 1.0,
        restitution: 0.0,
    };
    let sites = [GROUND.frame_along([0.0; 3], Z), rod.at([0.0; 3])];
    assert!(world.add_constraint("length", length, &sites).is_err());
}

/// Assembly keeps limits, and says so where it cannot.
#[test]
fn assembly_keeps_limits() {
    use linkwork::assembly::AssemblyOutcome;
    let mut world = World::new();
    let rod = rod(&mut world);
    let limit = on_angle(&mut world, rod, stop(0.3, 1.0, 0.0));
    world.set_pose(rod, Pose::at([3.0, 1.0, 0.5])).unwrap();
    let mut simulator = Simulator::new();
    let options = AssembleOptions::default();
    let report = simulator.assemble(&mut world, &options).unwrap();
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    assert!((0.3 - 1e-9..=1.0).contains(&angle_of(&world, rod)));
    assert!(world.worst_constraint_error().unwrap().unwrap().size() < 1e-9);

    // Welded where the limit forbids it.
    world
        .join("weld", Weld, GROUND.at([0.5, 0.0, 0.0]), rod.at([0.0; 3]))
        .unwrap();
    world.set_pose(rod, Pose::at([0.5, 0.0, 0.0])).unwrap();
    let report = simulator.assemble(&mut world, &options).unwrap();
    assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{report:?}");
    assert!(
        report.residuals.iter().any(|open| open.constraint == limit),
        "{report:?}"
    );
}

/// At rest on a stop nothing accelerates, and the joint carries what the stop does not.
#[test]
fn accelerations_know_what_stops_carry() {
    let mut world = world();
    let rod = rod(&mut world);
    on_angle(&mut world, rod, stop(0.0, 1.0, 0.0));
    let mut simulator = Simulator::new();
    for _ in 0..10 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
    }
    let solution = simulator.accelerations(&world, Method::Direct);
    assert!(
        solution.motion.iter().all(|a| a.abs() < 1e-9),
        "{:?}",
        solution.motion
    );
}

/// A hand that leads a rod beyond its stop leaves it there.
#[test]
fn a_hand_gives_way_to_a_stop() {
    for drag in [
        Drag::Follow,
        Drag::Force {
            stiffness: 400.0,
            damping: 20.0,
        },
    ] {
        let mut world = world();
        let rod = rod(&mut world);
        on_angle(&mut world, rod, stop(-0.4, 0.4, 0.0));
        let grip = world.grab(rod.at([0.5, 0.0, 0.0]), drag).unwrap();
        let mut simulator = Simulator::new();
        for frame in 0..90 {
            let angle = 0.02 * f64::from(frame);
            world
                .drag(grip, [libm::cos(angle), libm::sin(angle), 0.0])
                .unwrap();
            simulator
                .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
            assert!(
                angle_of(&world, rod) < 0.4 + 1e-8,
                "{drag:?} {frame}: {}",
                angle_of(&world, rod)
            );
        }
        assert!(
            (angle_of(&world, rod) - 0.4).abs() < 1e-3,
            "{drag:?}: {}",
            angle_of(&world, rod)
        );
    }
}

/// Whatever solves for joints, limits are kept.
#[test]
fn every_method_keeps_limits() {
    for method in Method::ALL {
        let mut world = world();
        let rod = rod(&mut world);
        on_angle(&mut world, rod, stop(-0.4, 1.0, 0.3));
        let mut simulator = Simulator::new();
        let mut options = StepOptions::interactive(1.0 / 60.0);
        options.method = method;
        for _ in 0..240 {
            simulator.step(&mut world, &options).unwrap();
            assert!(
                angle_of(&world, rod) > -0.4 - 1e-7,
                "{method:?}: {}",
                angle_of(&world, rod)
            );
        }
        assert!(
            spin_of(&world, rod).abs() < 1e-6,
            "{method:?}: {}",
            spin_of(&world, rod)
        );
    }
}

/// A chain with stops and friction in every hinge: nothing gains energy, nothing is passed.
#[test]
fn chains_with_limits_come_to_rest() {
    for restitution in [0.0, 0.7] {
        let mut world = world();
        let mut last = GROUND.at([0.0; 3]);
        let mut previous: Option<BodyId> = None;
        for k in 0..8 {
            let x = f64::from(k);
            let link = world
                .add_body(
                    &format!("link {k}"),
                    Rod {
                        length: 1.0,
                        radius: 0.02,
                        mass: 1.0,
                    },
                )
                .unwrap();
            world.set_pose(link, Pose::at([x + 0.5, 0.0, 0.0])).unwrap();
            let hinge = Hinge { axis_world: Z };
            world
                .join(
                    &format!("hinge {k}"),
                    hinge,
                    last,
                    link.at([-0.5, 0.0, 0.0]),
                )
                .unwrap();
            let a = match previous {
                Some(before) => before.frame_along([0.5, 0.0, 0.0], Z),
                None => GROUND.frame_along([0.0; 3], Z),
            };
            let frames = [a, link.frame_along([-0.5, 0.0, 0.0], Z)];
            world
                .add_constraint(&format!("limit {k}"), stop(-0.3, 0.3, restitution), &frames)
                .unwrap();
            world
                .add_constraint(&format!("friction {k}"), AngleServo::friction(5.0), &frames)
                .unwrap();
            (last, previous) = (link.at([0.5, 0.0, 0.0]), Some(link));
        }
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        let size = 8.0 * G * 4.0;
        let mut energy = world.energy().unwrap().total();
        for frame in 0..900 {
            let report = simulator.step(&mut world, &options).unwrap();
            assert!(report.overrun < 1e-8, "{restitution} {frame}: {report:?}");
            assert!(report.law_error < 1e-6, "{restitution} {frame}: {report:?}");
            assert!(
                report.position_error < 1e-8,
                "{restitution} {frame}: {report:?}"
            );
            let now = world.energy().unwrap().total();
            assert!(
                now < energy + 1e-3 * size,
                "{restitution} {frame}: {energy} → {now}"
            );
            energy = now;
        }
        let fastest = world
            .state()
            .v
            .iter()
            .fold(0.0f64, |most, v| most.max(v.abs()));
        assert!(fastest < 1e-6, "{restitution}: {fastest}");
    }
}

/// A limit that is far away changes nothing, to the last bit, also of what whips.
#[test]
fn a_limit_far_away_changes_nothing() {
    let build = |has_limit: bool| {
        let mut world = super::support::scene("chain:12");
        if has_limit {
            let body = world.bodies()[0].id();
            let rope = DistanceLimit {
                lower: f64::NEG_INFINITY,
                upper: 1e3,
                restitution: 0.0,
            };
            let sites = [GROUND.at([0.0; 3]), body.at([0.0; 3])];
            world.add_constraint("rope", rope, &sites).unwrap();
        }
        world
    };
    let (mut bare, mut limited) = (build(false), build(true));
    let (mut one, mut other) = (Simulator::new(), Simulator::new());
    for options in [
        StepOptions::interactive(1.0 / 60.0),
        StepOptions::precise(1.0 / 60.0),
    ] {
        for frame in 0..60 {
            one.step(&mut bare, &options).unwrap();
            other.step(&mut limited, &options).unwrap();
            assert_eq!(bare.state().q, limited.state().q, "frame {frame}");
            assert_eq!(bare.state().v, limited.state().v, "frame {frame}");
        }
    }
}

/// A robot: sixty joints, each with dry friction and a limit, of links that weigh from 10 kg to less than a gram. Its
/// rows are few beside those of its joints, and obey their law to round-off.
#[test]
fn friction_in_every_joint_of_a_robot_obeys_its_law() {
    let mut world = world();
    for arm in 0..3 {
        let (mut last, mut x) = (GROUND.at([0.0, 0.0, f64::from(arm)]), 0.0);
        for k in 0..20 {
            let rod = Rod {
                length: 0.2,
                radius: 0.02,
                mass: 10.0 * 0.6f64.powi(k),
            };
            let id = world.add_body(&format!("rod {arm} {k}"), rod).unwrap();
            let at = Pose::at([x + 0.1, 0.0, f64::from(arm)]);
            world.set_pose(id, at).unwrap();
            let near = id.at([-0.1, 0.0, 0.0]);
            let axis_world = if k % 2 == 0 { Z } else { [0.0, 1.0, 0.0] };
            let hinge = world
                .join(
                    &format!("hinge {arm} {k}"),
                    Hinge { axis_world },
                    last,
                    near,
                )
                .unwrap();
            let record = world.constraint_record(hinge).unwrap();
            let frames = record.connectors().to_vec();
            let friction = AngleServo::friction(0.02);
            let name = format!("friction {arm} {k}");
            world.add_constraint(&name, friction, &frames).unwrap();
            let name = format!("limit {arm} {k}");
            world
                .add_constraint(&name, stop(-0.3, 0.3, 0.0), &frames)
                .unwrap();
            last = id.at([0.1, 0.0, 0.0]);
            x += 0.2;
        }
    }
    let mut simulator = Simulator::new();
    for frame in 0..60 {
        let report = simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        let obeys = report.law_error < 1e-7 && report.overrun < 1e-9;
        assert!(obeys, "{frame}: {report:?}");
    }
}
