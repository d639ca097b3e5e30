//! After the first solve of a topology, assembling, factoring and solving allocate nothing; after the
//! first step, stepping allocates nothing.
//!
//! Its own binary, because the counting allocator is global.

#![allow(clippy::unwrap_used, missing_docs)] // A panic is how a test fails.

use linkwork::body::{
    Displacement, Elasticity, Freedom, Matter, Number, Numbers, ShapeBody, SineMotion, SoftBody,
    SoftMaterial, SoftShape,
};
use linkwork::constraint::{FramePair, PushedAlong, SlideOnCurve};
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::shape::{Spline, SuperquadricForm};
use linkwork::simulator::SolveOptions;
use linkwork::stabilize::Stabilization;
use linkwork::step::Rung;
use linkwork::system::Motion;
use linkwork::world::{BodyRecord, ConstraintRecord};

#[path = "blocks/support.rs"]
mod block_worlds;
#[path = "common/blocks.rs"]
mod functions;
#[path = "common/lumped.rs"]
mod lumped;
#[path = "common/random.rs"]
mod random_world;
#[path = "allocations/scenes.rs"]
mod scenes;

use lumped::LumpedBar;
use random_world::Random;

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// Solves once, moves the state a little, then counts.
fn check(name: &str, mut world: World) {
    let options = [Some(0.01), None].into_iter().flat_map(|horizon| {
        let with = move |method| SolveOptions::from(method).with_horizon(horizon);
        Method::ALL.map(with)
    });
    for options in options {
        let mut simulator = Simulator::new();
        for motion in [Motion::Acceleration, Motion::Velocity, Motion::Displacement] {
            simulator.prepare(&world, motion, options);
            simulator.solve_prepared();
        }
        let force = vec![1.0; simulator.system().n_v()];
        simulator.respond(&force);
        for body in world
            .bodies()
            .iter()
            .map(BodyRecord::id)
            .collect::<Vec<_>>()
        {
            let v: Vec<f64> = world.v(body).unwrap().iter().map(|v| v + 0.01).collect();
            world.set_v(body, &v).unwrap();
        }
        for motion in [Motion::Acceleration, Motion::Velocity, Motion::Displacement] {
            let count =
                |step: Box<dyn FnOnce() + '_>| allocation_counter::measure(step).count_total;
            let assembled = count(Box::new(|| simulator.fill(&world, motion, &options)));
            let factored = count(Box::new(|| simulator.factor(&options.method)));
            let solved = count(Box::new(|| {
                simulator.solve_prepared();
                simulator.solve_for(Some(&force), None);
                simulator.respond(&force);
            }));
            assert_eq!(
                (assembled, factored, solved),
                (0, 0, 0),
                "{name}, {}, {motion:?}: assemble, factor, solve",
                options.method.name()
            );
        }
    }
}

#[test]
fn scenes() {
    for name in [
        "chain:8",
        "chain-hinge:8",
        "tree:7",
        "ladder3:2,3",
        "hub:12",
        "grid:2,2",
    ] {
        check(name, scene(name));
    }
}

/// Hinges of a planar four-bar: rows that repeat each other, proximal corrections.
#[test]
fn redundant_rows() {
    let mut world = scene("chain-hinge:3");
    let last = world.find_body("bar 2").unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 1.0, 0.0],
    };
    world
        .join(
            "close",
            hinge,
            last.at([0.5, 0.0, 0.0]),
            GROUND.at([3.0, 0.0, 0.0]),
        )
        .unwrap();
    check("closed chain of hinges", world);
}

/// A string pinned out of reach: least squares.
#[test]
fn contradictory_rows() {
    let mut world = scene("chain:3");
    let last = world.find_body("bar 2").unwrap();
    world
        .join(
            "far",
            Ball,
            last.at([0.5, 0.0, 0.0]),
            GROUND.at([3.5, 0.0, 0.0]),
        )
        .unwrap();
    check("string out of reach", world);
}

#[test]
fn mixed_worlds_with_behaviors_soft_rows_and_levels() {
    for seed in 0..6 {
        let mut world = random_world::world(40 + seed, 8, 3);
        let mut random = Random::new(seed);
        let ids: Vec<ConstraintId> = world
            .constraints()
            .iter()
            .map(ConstraintRecord::id)
            .collect();
        world.set_priority(ids[1], 1).unwrap();
        let n = world.constraint_record(ids[2]).unwrap().compliance().len();
        world.set_compliance(ids[2], &vec![0.01; n]).unwrap();
        let pose = Pose::at(random.vector(1.0));
        let body = world.add_body_at("extra", random_world::rigid(&mut random), pose);
        let body = body.unwrap();
        let spring = Spring {
            stiffness: 10.0,
            rest_length: 0.5,
            damping: 0.2,
        };
        let at = [GROUND.at([0.0; 3]), body.at([0.1, 0.0, 0.0])];
        world.add_behavior("spring", spring, &at).unwrap();
        let drag = ViscousDrag {
            linear: 0.1,
            angular: 0.1,
        };
        world
            .add_behavior("drag", drag, &[body.frame_at([0.0; 3])])
            .unwrap();
        let push = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [1.0, 0.2, 0.1],
        };
        let at = [GROUND.frame_at([0.0; 3]), body.at([0.0, 0.1, 0.0])];
        world.add_constraint("push", push, &at).unwrap();
        check(&format!("mixed world {seed}"), world);
    }
}

#[test]
fn large_bodies() {
    for bar in [LumpedBar::diagonal, LumpedBar::opaque, LumpedBar::patterned] {
        let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
        let bar = world.add_body("bar", bar(100)).unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.05,
            mass: 1.0,
        };
        let rod = world
            .add_body_at("rod", rod, Pose::at([0.0, 0.0, -0.5]))
            .unwrap();
        let joints = [
            (GROUND.at([0.0; 3]), bar.node(0)),
            (bar.node(50), rod.at([-0.5, 0.0, 0.0])),
            (rod.at([0.5, 0.0, 0.0]), bar.node(60)),
        ];
        for (n, (a, b)) in joints.into_iter().enumerate() {
            world.join(&format!("joint {n}"), Ball, a, b).unwrap();
        }
        check("large body", world);
    }
}

/// Solids that deform and yield, on joints of points and frames.
#[test]
fn solids() {
    let free = Some(Freedom {
        stiffness: 4.0,
        damping: 0.1,
    });
    let matter = Matter {
        density: 300.0,
        free: [free; 6],
        drag: 0.1,
        yield_at: Some(0.05),
        displacement: None,
    };
    let supple = Matter {
        free: [free, None, None, None, None, free],
        displacement: Some(Displacement {
            modes: Some(3),
            young: 1e5,
            poisson: 0.3,
        }),
        ..matter
    };
    let form = SuperquadricForm::new([0.1, 0.12, 0.4], [0.8, 1.1]);
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let body = ShapeBody::superquadric(form, matter).unwrap();
    let a = world.add_body("a", body).unwrap();
    let displaced = ShapeBody::superquadric(form, supple).unwrap();
    let b = world
        .add_body_at("b", displaced, Pose::at([0.0, 0.0, -0.8]))
        .unwrap();
    let top = a.surface(1.5, 0.0);
    let x = world.position_world(&top).unwrap();
    world.join("top", Ball, GROUND.at(x), top).unwrap();
    let hinge = Hinge {
        axis_world: [1.0, 0.0, 0.0],
    };
    let tip = std::f64::consts::FRAC_PI_2;
    let (low, high) = (a.at([0.0, 0.0, -0.4]), b.interior(1.0, tip, 0.0));
    world.join("middle", hinge, low, high).unwrap();
    check("solids", world.clone());
    check_steps("solids", &world, 1.0 / 240.0);
}

/// Nodes with strains, on a joint, blown up by a pressure.
#[test]
fn soft_bodies() {
    let form = SuperquadricForm::new([0.1; 3], [1.0; 2]);
    // So soft that explicit steps of the papers follow it, in worlds without momentum too.
    let material = SoftMaterial {
        young: 1e2,
        poisson: 0.3,
        density: 1000.0,
        damping: 1e-4,
    };
    let shape = SoftShape::Rings {
        form,
        rings: [3, 4],
    };
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let body = SoftBody::shell(shape, 1e-3, material).unwrap();
    let id = world.add_body("shell", body).unwrap();
    let top = id.surface(std::f64::consts::FRAC_PI_2, 0.0);
    let x = world.position_world(&top).unwrap();
    world.join("top", Ball, GROUND.at(x), top).unwrap();
    let push = linkwork::behavior::OutputForce::on_scalar(0.1);
    let volume = [id.scalar(SoftBody::VOLUME)];
    world.add_behavior("pressure", push, &volume).unwrap();
    check("soft bodies", world.clone());
    check_steps("soft bodies", &world, 1.0 / 240.0);
}

/// Patterned blocks with strains and absorbed rows, a shape that flies, a point that slides.
#[test]
fn curves() {
    let points: Vec<[f64; 2]> = (0..20)
        .map(|k| [0.1 * f64::from(k), 0.01 * f64::from(k % 3)])
        .collect();
    let elasticity = Elasticity {
        membrane: 1.0,
        plate: 1e-4,
        damping: 1e-4,
        reach: 0.2,
    };
    let spline = Spline::in_plane(&points, 3, false);
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let body = ShapeBody::spline(spline, 1.0, elasticity).unwrap();
    let map = body.map().clone();
    let curve = world.add_body("curve", body).unwrap();
    for (name, u) in [("left", 0.0), ("right", 1.0)] {
        let at = world.position_world(&curve.curve2(u)).unwrap();
        world
            .join(name, Ball, GROUND.at([at[0], at[1]]), curve.curve2(u))
            .unwrap();
    }
    let soft = world
        .join("soft", Ball, GROUND.at([1.0, 1.0]), curve.curve2(0.4))
        .unwrap();
    world.set_compliance(soft, &[0.05, 0.05]).unwrap();
    let place = Number::new("u", 0.6).with_mass(1e-3);
    let place = world.add_body("place", Numbers::new([place])).unwrap();
    let at = world.position_world(&curve.curve2(0.6)).unwrap();
    let disc = PlanarDisc {
        radius: 0.05,
        mass: 0.1,
    };
    let bead = world
        .add_body_at("bead", disc, Pose::at([at[0], at[1], 0.0]))
        .unwrap();
    let sides = [curve.coordinates(), place.scalar(0), bead.at([0.0, 0.0])];
    world
        .add_constraint("slide", SlideOnCurve::new(map), &sides)
        .unwrap();
    check("curves", world.clone());
    check_steps("curves", &world, 1.0 / 240.0);
}

/// Steps until everything is warm, then counts.
fn check_steps(name: &str, world: &World, dt: f64) {
    let post = Stabilization::Post { iterations: 3 };
    let displacement = Stabilization::Displacement { iterations: 2 };
    let baumgarte = Stabilization::Baumgarte {
        alpha: 5.0,
        beta: 5.0,
    };
    let feedback = Stabilization::Feedback {
        stiffness: 1e-3,
        damping: 1e-3,
    };
    for options in [
        StepOptions::interactive(dt),
        StepOptions::precise(dt),
        StepOptions::symplectic4(0.1 * dt),
        StepOptions::parts(0.1 * dt, Integrator::Euler, Stabilization::None),
        StepOptions::parts(0.1 * dt, Integrator::SymplecticEuler, baumgarte),
        StepOptions::parts(0.1 * dt, Integrator::SymplecticEuler, feedback),
        StepOptions::parts(0.1 * dt, Integrator::Rk4, post),
        StepOptions::parts(0.1 * dt, Integrator::Stoermer, post),
        StepOptions::parts(0.1 * dt, Integrator::Stoermer, displacement),
    ] {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            let mut world = world.clone();
            world.set_dynamics(dynamics);
            let mut simulator = Simulator::new();
            let what = format!("{name}, {:?}, {dynamics:?}", options.scheme);
            simulator.step(&mut world, &options).unwrap();
            for step in 1..20 {
                let mut report = None;
                let count = allocation_counter::measure(|| {
                    report = Some(simulator.step(&mut world, &options));
                })
                .count_total;
                let report = report.unwrap().unwrap();
                // What is told takes room, and so does the exact look at energy before a gain is told.
                let tells_gain = report.gained > 0.0;
                if report.gave_way.is_empty() && report.events.is_empty() && !tells_gain {
                    assert_eq!(count, 0, "{what}, step {step}");
                }
            }
        }
    }
}

#[test]
fn steps_of_scenes() {
    for name in ["chain:8", "ladder3:2,3", "tree:7", "grid:2,2", "bricard"] {
        check_steps(name, &scene(name), 1.0 / 60.0);
    }
    check_steps("andrews", &scene("andrews"), 1e-4);
    check_steps("n-four-bar", &scene("n-four-bar:2"), 1e-2);
    check_steps("dumbbell", &scene("dumbbell"), 1e-2);
    check_steps("puppet", &scene("puppet"), 1e-2);
}

/// Steps along the middle, steps that are split, and steps that only the last resort can take. (Of half a second, one
/// in some tens of them seems to gain energy: then energies are looked at exactly, on copies of the world, and those
/// are allocated.)
#[test]
fn steps_of_a_heavy_end() {
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1e6,
    };
    for (dt, rung) in [(1.0 / 60.0, Rung::Middle), (0.4, Rung::Implicit)] {
        let mut world = scene("chain:5");
        let last = world.find_body("bar 4").unwrap();
        world.replace_body(last, rod).unwrap();
        let options = StepOptions::interactive(dt);
        let mut simulator = Simulator::new();
        simulator.step(&mut world, &options).unwrap();
        let mut taken = 0;
        for step in 1..60 {
            let mut report = None;
            let count = allocation_counter::measure(|| {
                report = Some(simulator.step(&mut world, &options));
            })
            .count_total;
            let before = taken;
            taken += report.unwrap().unwrap().rungs.of(rung);
            // The first of its kind makes room.
            assert!(before == 0 || count == 0, "step {step}: {count}");
        }
        assert!(taken > 0, "{rung:?}");
    }
}

/// Springs that tension makes stiff across their length have equations of their own.
#[test]
fn steps_of_a_taut_spring() {
    let mut world = World::new();
    let body = world
        .add_body_at("mass", Particle { mass: 1e-3 }, Pose::at([1.0, 0.0, 0.0]))
        .unwrap();
    let spring = Spring {
        stiffness: 1e4,
        rest_length: 0.5,
        damping: 0.0,
    };
    for (label, x) in [("left", 0.0), ("right", 2.0)] {
        let end = GROUND.at([x, 0.0, 0.0]);
        world
            .add_spring(label, spring, end, body.at([0.0; 3]))
            .unwrap();
    }
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    simulator.step(&mut world, &options).unwrap();
    for step in 1..60 {
        let mut report = None;
        let count = allocation_counter::measure(|| {
            report = Some(simulator.step(&mut world, &options));
        })
        .count_total;
        assert_eq!(report.unwrap().unwrap().rungs.of(Rung::Middle), 1);
        assert_eq!(count, 0, "step {step}");
    }
}

#[test]
fn steps_of_soft_rows_and_moving_anchors() {
    let mut world = scene("chain:4");
    let joint = world.find_constraint("joint 2").unwrap();
    world.set_compliance(joint, &[1e-3; 3]).unwrap();
    let carried = SineMotion {
        middle: Pose::at([4.0, 0.0, 0.0]),
        amplitude_world: [0.0, 0.1, 0.0],
        swing_world: [0.0; 3],
        frequency: 1.0,
        phase: 0.0,
    };
    let anchor = world.add_body("anchor", Kinematic::new(carried)).unwrap();
    let bar = world.find_body("bar 3").unwrap();
    let tie = Distance { length: 1.0 };
    let ends = [anchor.at([0.0; 3]), bar.at([-0.5, 0.0, 0.0])];
    world.add_constraint("tie", tie, &ends).unwrap();
    check_steps("soft and carried", &world, 1e-2);
}

/// Blocks over blocks, and laws of many inputs.
#[test]
fn blocks() {
    check("tangle", block_worlds::tangle());
    let mut world = block_worlds::tangle();
    let options = StepOptions::interactive(1e-2);
    let mut simulator = Simulator::new();
    let mut rungs = [Rung::Whole, Rung::Middle].map(|rung| (rung, 0));
    for step in 0..60 {
        let count = allocation_counter::measure(|| {
            let report = simulator.step(&mut world, &options).unwrap();
            for (rung, taken) in &mut rungs {
                *taken += report.rungs.of(*rung);
            }
        });
        // The spring is taut from the fourth step on.
        assert!(step < 5 || count.count_total == 0, "step {step}");
    }
    assert!(rungs.iter().all(|(_, taken)| *taken > 0), "{rungs:?}");
    for n in [8, 9, 64, 65, 200] {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        let mut points = Vec::new();
        for k in 0..n {
            let place = Pose::at([0.1 * f64::from(k), 0.0, 0.0]);
            let body = Particle { mass: 1.0 };
            let body = world.add_body_at(&format!("{k}"), body, place).unwrap();
            points.push(body.at([0.0; 3]));
        }
        let mean = functions::Sum::mean(points.len());
        let mean = world.add_block("mean", mean, &points).unwrap();
        let here = world.position_world(&mean.output(0)).unwrap();
        let at = [GROUND.at(here), mean.output(0)];
        world
            .add_constraint("hold", FramePair::ball(), &at)
            .unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        simulator.step(&mut world, &options).unwrap();
        let count = allocation_counter::measure(|| {
            simulator.step(&mut world, &options).unwrap();
        });
        assert_eq!(count.count_total, 0, "{n} inputs");
    }
}

/// Hands on numbers, in all three ways, with and without momentum.
#[test]
fn steps_of_sliders() {
    let force = Drag::Force {
        stiffness: 100.0,
        damping: 1.0,
    };
    for drag in [force, Drag::Follow, Drag::Pin] {
        for dynamics in [Dynamics::FirstOrder, Dynamics::SecondOrder] {
            let mut world = World::new();
            world.set_dynamics(dynamics);
            let trio = block_worlds::numbers(&[0.8, 1.1, 0.6]);
            let trio = world.add_body("trio", trio).unwrap();
            let volume = functions::Product::of(3);
            let volume = world
                .add_block("volume", volume, &[trio.coordinates()])
                .unwrap();
            let same = linkwork::constraint::ScalarDifference::zero();
            let both = [trio.scalar(0), volume.output(0)];
            world.add_constraint("same", same, &both).unwrap();
            let grip = world.grab(volume.output(0), drag).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0);
            for frame in 0..30 {
                // A hand that pulls puts energy in: whether it did, the last look finds out on a copy.
                if dynamics == Dynamics::FirstOrder || frame == 0 {
                    let goal = 0.75 + 0.005 * f64::from(frame);
                    world.drag_scalar(grip, goal).unwrap();
                }
                let count = allocation_counter::measure(|| {
                    simulator.step(&mut world, &options).unwrap();
                });
                let allowed = frame < 2 || count.count_total == 0;
                assert!(allowed, "{drag:?}, {dynamics:?}, frame {frame}: {count:?}");
            }
        }
    }
}

/// Blows, rest at a stop and friction, after the first of each.
#[test]
fn steps_at_stops() {
    let mut world = scene("bar-on-stop");
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let mut blows = 0;
    while blows == 0 {
        blows = simulator.step(&mut world, &options).unwrap().blows;
    }
    let mut more = 0;
    let count = allocation_counter::measure(|| {
        for _ in 0..240 {
            more += simulator.step(&mut world, &options).unwrap().blows;
        }
    });
    assert!(more > 1, "{more}");
    assert_eq!(count.count_total, 0);
}

/// What rolls on a floor through a sensor, against rolling and spinning friction, after it has done so once.
#[test]
fn steps_of_what_touches_and_is_sensed() {
    use linkwork::collide::Shape;
    use linkwork::world::Collider;
    let mut world = World::with_gravity([-9.81, 0.0, 0.0]).unwrap();
    let floor = Collider::new(Shape::Plane);
    let gate = Collider::sensor(Shape::Box { half: [0.5; 3] });
    let gate = gate.placed(Pose::at([0.0, 1.0, 0.0]));
    world.set_colliders(GROUND, vec![floor, gate]).unwrap();
    let sphere = Sphere {
        radius: 0.1,
        mass: 1.0,
    };
    let ball = world
        .add_body_at("ball", sphere, Pose::at([0.1, 0.0, 0.0]))
        .unwrap();
    let own = Collider::new(Shape::Sphere { radius: 0.1 }).with_turning_friction(1e-3, 1e-3);
    world.set_colliders(ball, vec![own]).unwrap();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let throw = |world: &mut World| {
        world.set_pose(ball, Pose::at([0.1, 0.0, 0.0])).unwrap();
        world.set_v(ball, &[0.0, 2.0, 0.2, 3.0, 0.0, 0.0]).unwrap();
    };
    let mut run = |world: &mut World| {
        let mut n_events = 0;
        for _ in 0..150 {
            n_events += simulator.step(world, &options).unwrap().events.len();
        }
        n_events
    };
    throw(&mut world);
    run(&mut world);
    throw(&mut world);
    let mut n_events = 0;
    let count = allocation_counter::measure(|| n_events = run(&mut world));
    // The lists of events are the caller's.
    assert_eq!((n_events, count.count_total), (2, 2));
}

/// Towards a minimum, and at it: curvature, tries and bounds, by every method.
#[test]
fn steps_towards_minima() {
    for name in [
        "least-tin",
        "beam-from-log",
        "isoperimeter",
        "fit-ellipse",
        "fit-spline",
    ] {
        for method in Method::ALL {
            let mut world = scene(name);
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0).by(method);
            for frame in 0..12 {
                let count = allocation_counter::measure(|| {
                    simulator.step(&mut world, &options).unwrap();
                });
                let allowed = frame < 2 || count.count_total == 0;
                assert!(allowed, "{name}, {method:?}, frame {frame}: {count:?}");
            }
        }
    }
}
