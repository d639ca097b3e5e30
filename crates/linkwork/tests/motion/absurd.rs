//! Numbers that nobody means: each is refused in words or survived, and nothing is committed that is not finite
//! or whose energy nobody put in.

use linkwork::behavior::TorsionSpring;
use linkwork::constraint::{AngleArmature, AngleLimit, Ramp};
use linkwork::prelude::*;
use linkwork::step::Rung;

const DT: f64 = 1.0 / 60.0;

fn presets() -> [StepOptions; 3] {
    [
        StepOptions::interactive(DT),
        StepOptions::precise(DT),
        StepOptions::symplectic4(DT),
    ]
}

/// A plate at the end of an arm: on a hinge, or on a ball joint.
fn plate(gravity: f64, mass: f64, hinged: bool) -> (World, BodyId) {
    let mut world = World::with_gravity([0.0, -gravity, 0.0]).unwrap();
    let plate = Cuboid {
        size: [1.0, 0.5, 0.2],
        mass,
    };
    let pose = Pose::at([1.0, 0.0, 0.0]);
    let plate = world.add_body_at("plate", plate, pose).unwrap();
    let (a, b) = (GROUND.at([0.0; 3]), plate.at([-1.0, 0.0, 0.0]));
    let axis_world = [0.0, 0.0, 1.0];
    match hinged {
        true => world.join("joint", Hinge { axis_world }, a, b).unwrap(),
        false => world.join("joint", Ball, a, b).unwrap(),
    };
    (world, plate)
}

/// Every step is refused in words and leaves the world as it was, or ends in numbers and, where nothing
/// drives, gains no energy beyond what one frame may. Whether any was refused.
#[track_caller]
fn is_refused_or_survived(world: &World, options: &StepOptions, is_driven: bool) -> bool {
    let mut world = world.clone();
    let mut simulator = Simulator::new();
    for frame in 0..10 {
        let before = (world.state_hash(), world.energy().unwrap());
        let what = format!("{:?} frame {frame}", options.scheme);
        match simulator.step(&mut world, options) {
            Err(error) => {
                let words = error.to_string();
                assert!(words.contains(' ') && !words.contains("NaN"), "{words}");
                assert_eq!(world.state_hash(), before.0, "{what}");
                return true;
            }
            Ok(report) => {
                let state = world.state();
                let numbers = state.q.iter().chain(&state.v).chain(&state.lambda);
                assert!(numbers.clone().all(|x| x.is_finite()), "{what}");
                let (was, now) = (before.1, world.energy().unwrap());
                let gained = now.total() - was.total();
                let size = now.kinetic.max(was.kinetic) + (now.potential - was.potential).abs();
                let round_off = 1e-9 * (was.total().abs() + now.total().abs());
                let may = 0.25 * size + round_off + 1e-9;
                assert!(is_driven || gained <= may, "{what}: {gained} J {report:?}");
            }
        }
    }
    false
}

#[test]
fn a_spring_of_1e300() {
    for options in presets() {
        let (mut world, plate) = plate(9.81, 1.0, true);
        let spring = Spring {
            stiffness: 1e300,
            rest_length: 0.9,
            damping: 0.0,
        };
        let ends = (GROUND.at([1.0, 1.0, 0.0]), plate.at([0.0; 3]));
        world.add_spring("spring", spring, ends.0, ends.1).unwrap();
        is_refused_or_survived(&world, &options, false);
    }
}

/// What no step can follow is refused, or damped by name.
#[test]
fn a_spin_of_1e12() {
    for hinged in [true, false] {
        for options in presets() {
            let (mut world, plate) = plate(9.81, 1.0, hinged);
            let spin = match hinged {
                true => [0.0, 0.0, 1e12],
                false => [1e12, 1e11, 3.0],
            };
            let v = [0.0, spin[2], -spin[1], spin[0], spin[1], spin[2]];
            world.set_v(plate, &v).unwrap();
            if !is_refused_or_survived(&world, &options, false) {
                let report = Simulator::new().step(&mut world, &options).unwrap();
                assert!(report.rungs.of(Rung::Implicit) > 0, "{report:?}");
            }
        }
    }
}

/// A body that nothing holds turns in closed form, about any axis, at any spin: the flight ends. `precise` does
/// not fly, and takes up to a million steps for a frame of this.
#[test]
fn free_spins_beyond_counting() {
    for spin in [1e12, 1e25, 1e100] {
        for axis in [[0.0, 1.0, 0.0], [1e-9, 1.0, 0.0], [1.0, 0.5, 0.2]] {
            for options in [StepOptions::interactive(DT), StepOptions::symplectic4(DT)] {
                let mut world = World::new();
                let size = [1.0, 0.5, 0.2];
                let plate = world.add_body("plate", Cuboid { size, mass: 1.0 }).unwrap();
                let v = [
                    0.0,
                    0.0,
                    0.0,
                    spin * axis[0],
                    spin * axis[1],
                    spin * axis[2],
                ];
                world.set_v(plate, &v).unwrap();
                is_refused_or_survived(&world, &options, false);
            }
        }
    }
}

/// A body that nothing holds may not spin so fast that its energy is no number, in the plane neither.
#[test]
fn a_planar_spin_of_1e200() {
    for options in presets() {
        let mut world = World::new();
        let rod = PlanarRod {
            length: 1.0,
            mass: 1.0,
        };
        let rod = world.add_body("rod", rod).unwrap();
        world.set_v(rod, &[0.0, 0.0, 1e200]).unwrap();
        let message = Simulator::new().step(&mut world, &options).unwrap_err();
        assert!(message.to_string().contains("\"rod\""), "{message}");
    }
}

#[test]
fn armatures() {
    let frames = |plate: BodyId| {
        let axis = [0.0, 0.0, 1.0];
        [
            GROUND.frame_along([0.0; 3], axis),
            plate.frame_along([-1.0, 0.0, 0.0], axis),
        ]
    };
    for inertia in [-1.0, f64::NEG_INFINITY, f64::INFINITY, f64::NAN] {
        let (mut world, plate) = plate(9.81, 1.0, true);
        let before = world.constraints().len();
        let armature = AngleArmature { inertia };
        let error = world.add_constraint("rotor", armature, &frames(plate));
        let words = error.unwrap_err().to_string();
        assert!(words.contains("inertia"), "{words}");
        assert_eq!(world.constraints().len(), before);
    }
    for inertia in [1e-300, 1e12, 1e300] {
        for options in presets() {
            let (mut world, plate) = plate(9.81, 1.0, true);
            let armature = AngleArmature { inertia };
            world
                .add_constraint("rotor", armature, &frames(plate))
                .unwrap();
            is_refused_or_survived(&world, &options, false);
        }
    }
}

/// A drive that goes a kilometer within a frame, and one that has gone it already.
#[test]
fn a_drive_that_jumps_by_a_kilometer() {
    for (start, rate) in [(0.0, 60e3), (1000.0, 0.0)] {
        for options in presets() {
            let mut world = World::new();
            let mass = 1.0;
            let ball = world
                .add_body("ball", Sphere { radius: 0.1, mass })
                .unwrap();
            let axis = [1.0, 0.0, 0.0];
            let ends = [GROUND.frame_along([0.0; 3], axis), ball.at([0.0; 3])];
            let slider = Prismatic { axis_world: axis };
            world
                .join("slider", slider, GROUND.at([0.0; 3]), ball.at([0.0; 3]))
                .unwrap();
            let drive = LengthDrive::new(Ramp { start, rate });
            world.add_constraint("drive", drive, &ends).unwrap();
            if is_refused_or_survived(&world, &options, true) {
                continue;
            }
            // It goes as fast as it is driven, and no faster.
            let mut simulator = Simulator::new();
            for _ in 0..10 {
                simulator.step(&mut world, &options).unwrap();
            }
            let kinetic = world.energy().unwrap().kinetic;
            let driven = 0.5 * mass * rate * rate;
            assert!((kinetic - driven).abs() <= 1e-6 * driven, "{kinetic} J");
        }
    }
}

/// What no frame can follow is refused after bounded work, in words. (So far from the origin that no digit is left of
/// its bar, a dumbbell took a million steps in a frame, and for each of them dozens of corrections: half an hour.)
#[test]
fn a_frame_that_would_not_end() {
    let gravity = 1e300;
    let mut world = World::with_gravity([gravity, -gravity, 0.0]).unwrap();
    let ends = [("left", -1.0), ("right", 1.0)].map(|(label, x)| {
        let pose = Pose::at([x, 0.0, 0.0]);
        let end = world.add_body_at(label, Particle { mass: 1.0 }, pose);
        end.unwrap().at([0.0; 3])
    });
    let bar = Distance { length: 2.0 };
    world.add_constraint("bar", bar, &ends).unwrap();
    let before = world.state_hash();
    let mut simulator = Simulator::new();
    let error = simulator.step(&mut world, &StepOptions::precise(DT));
    let words = error.unwrap_err().to_string();
    assert!(words.contains("is too fast for a frame"), "{words}");
    assert_eq!(world.state_hash(), before);
}

/// Springs that are forces, too stiff for anything, at their rest or not, alone, beside a limit, or on an armature, and
/// joints that vibrate visibly and much faster than frames: error control gives up within bounded work, by name.
/// (Each frame took minutes.)
#[test]
fn vibration_that_nobody_waits_for() {
    let axis = [0.0, 0.0, 1.0];
    for stiffness in [1e12, 1e300] {
        for (rest_angle, limited, armature) in [
            (0.5, false, 0.0),
            (0.0, false, 0.0),
            (0.1, true, 0.0),
            (0.1, false, 1.0),
        ] {
            let (mut world, plate) = plate(9.81, 1.0, true);
            let frames = [
                GROUND.frame_along([0.0; 3], axis),
                plate.frame_along([-1.0, 0.0, 0.0], axis),
            ];
            let coil = TorsionSpring {
                stiffness,
                rest_angle,
                damping: 0.0,
            };
            world.add_behavior("coil", coil, &frames).unwrap();
            if limited {
                let limit = AngleLimit {
                    lower: -1.0,
                    upper: 1.0,
                    restitution: 0.0,
                };
                world.add_constraint("limit", limit, &frames).unwrap();
            }
            if armature > 0.0 {
                let armature = AngleArmature { inertia: armature };
                world.add_constraint("rotor", armature, &frames).unwrap();
            }
            let [interactive, precise, symplectic4] = presets();
            is_refused_or_survived(&world, &interactive, false);
            for options in [precise, symplectic4] {
                let words = refused_words(&mut world, &options);
                assert!(words.contains("\"coil\""), "{options:?}: {words}");
            }
        }
        // A tenth of a meter from its rest, 7e9 J at 1e12 N/m.
        let (mut world, plate) = plate(9.81, 1.0, true);
        let spring = Spring {
            stiffness: stiffness.min(1e15),
            rest_length: 0.9,
            damping: 0.0,
        };
        let ends = (GROUND.at([1.0, 1.0, 0.0]), plate.at([0.0; 3]));
        world.add_spring("string", spring, ends.0, ends.1).unwrap();
        let words = refused_words(&mut world, &StepOptions::precise(DT));
        assert!(words.contains("spring \"string\" vibrates"), "{words}");
    }
}

/// What the first step that is refused says, of some.
#[track_caller]
fn refused_words(world: &mut World, options: &StepOptions) -> String {
    let mut simulator = Simulator::new();
    for _ in 0..10 {
        if let Err(error) = simulator.step(world, options) {
            return error.to_string();
        }
    }
    panic!("{:?} went on", options.scheme)
}

#[test]
fn gravities_and_masses() {
    for (gravity, mass) in [(1e300, 1.0), (1e150, 1.0), (9.81, 1e-300), (9.81, 1e300)] {
        for hinged in [true, false] {
            for options in presets() {
                let (world, _) = plate(gravity, mass, hinged);
                is_refused_or_survived(&world, &options, false);
            }
        }
    }
}

/// Frames too short or too long for anybody are refused, and the words are true of them.
#[test]
fn frames_of_1e_minus_12_and_1e12_seconds() {
    for options in presets() {
        for dt in [1e-12, 1e12] {
            let (mut world, _) = plate(9.81, 1.0, true);
            let before = world.state_hash();
            let error = Simulator::new().step(&mut world, &options.with_dt(dt));
            let words = error.unwrap_err().to_string();
            assert!(words.contains("more than 1e-12 and at most 100"), "{words}");
            assert_eq!(world.state_hash(), before);
        }
    }
}
