//! Drags on loops and on all kinds of bodies, by every scheme, with hands that behave badly.

use linkwork::body::{Sheet, Troid};
use linkwork::connector::Connector;
use linkwork::prelude::*;

use super::reach::DRAGS;

pub(crate) const DYNAMICS: [Dynamics; 3] = [
    Dynamics::SecondOrder,
    Dynamics::FirstOrder,
    Dynamics::Assembly,
];

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// Three sheets of the plane pinned in a row to the ground, and a corner of the last.
fn troids(stiffness: f64) -> (World, Connector) {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let mut end = GROUND.at([0.0, 0.0]);
    for k in 0..3 {
        let sheet = Sheet::rectangle([0.4, 0.2], 0.5).unwrap();
        let troid = Troid {
            outline: None,
            sheet,
            stiffness,
            area_stiffness: 0.0,
            damping: 5.0,
        };
        let pose = Pose::in_plane([0.2 + 0.4 * f64::from(k), 0.0], 0.0);
        let own = world
            .add_body_at(&format!("sheet {k}"), troid, pose)
            .unwrap();
        world
            .join(&format!("pin {k}"), Ball, end, own.at([-0.2, 0.0]))
            .unwrap();
        end = own.at([0.2, 0.0]);
    }
    (world, end)
}

/// A tetrahedron of particles on bars, hung by one of them.
fn particles() -> (World, Connector) {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let places = [
        [0.0, 0.0, 0.0],
        [0.5, -0.5, 0.0],
        [-0.5, -0.5, 0.1],
        [0.0, -0.6, 0.5],
    ];
    let bodies: Vec<BodyId> = places
        .iter()
        .enumerate()
        .map(|(k, at)| {
            let particle = Particle { mass: 0.3 };
            let label = format!("particle {k}");
            world.add_body_at(&label, particle, Pose::at(*at)).unwrap()
        })
        .collect();
    for i in 0..4 {
        for j in i + 1..4 {
            let length: f64 = (0..3)
                .map(|k| (places[i][k] - places[j][k]).powi(2))
                .sum::<f64>()
                .sqrt();
            let ends = [bodies[i].at([0.0; 3]), bodies[j].at([0.0; 3])];
            world
                .add_constraint(&format!("bar {i}{j}"), Distance { length }, &ends)
                .unwrap();
        }
    }
    let hook = [GROUND.at([0.0; 3]), bodies[0].at([0.0; 3])];
    world.join("hook", Ball, hook[0], hook[1]).unwrap();
    (world, bodies[3].at([0.0; 3]))
}

/// What is dragged: loops in space and in the plane, sheets, particles.
pub(crate) fn subjects() -> Vec<(&'static str, World, Connector)> {
    let held = |name: &'static str, body: &str| {
        let world = scene(name);
        let held = world.find_body(body).unwrap().at([0.1, 0.0, 0.0]);
        (name, world, held)
    };
    let mut all = vec![
        held("four-bar", "coupler"),
        held("bricard", "rod 3"),
        held("ladder:2,3", "right 2.1"),
    ];
    let world = scene("peaucellier");
    let body = world.bodies().last().unwrap().id();
    all.push(("peaucellier", world, body.at([0.1, 0.0])));
    let (world, held) = troids(500.0);
    all.push(("troids", world, held));
    let (world, held) = particles();
    all.push(("particles", world, held));
    all
}

#[test]
fn every_drag_on_every_kind_of_world_stays_finite_and_closed() {
    for (name, world, held) in subjects() {
        for dynamics in DYNAMICS {
            for drag in DRAGS {
                let mut world = world.clone();
                world.set_dynamics(dynamics);
                let start = world.position_world(&held).unwrap();
                let grip = world.grab(held, drag).unwrap();
                let mut simulator = Simulator::new();
                for frame in 1..=120 {
                    let s = f64::from(frame) / 60.0;
                    let goal = [
                        start[0] + 0.3 * (3.0 * s).sin(),
                        start[1] + 0.3 * (1.0 - (2.0 * s).cos()),
                        start[2],
                    ];
                    world.drag(grip, goal).unwrap();
                    // A clock that stutters.
                    let dt = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0, 0.1][frame as usize % 4];
                    let report = simulator
                        .step(&mut world, &StepOptions::interactive(dt))
                        .unwrap();
                    // To the tolerance; an angle counts at a typical length, which may be short.
                    let closed = report.require(4e-9);
                    assert!(closed.is_ok(), "{name} {dynamics:?} {drag:?}: {closed:?}");
                }
            }
        }
    }
}

/// Five meters away in one frame, then exactly into the shoulder, then home.
#[test]
fn a_goal_that_leaps_breaks_nothing() {
    for (name, world, held) in subjects() {
        for dynamics in DYNAMICS {
            for drag in DRAGS {
                let mut world = world.clone();
                world.set_dynamics(dynamics);
                let start = world.position_world(&held).unwrap();
                let grip = world.grab(held, drag).unwrap();
                let mut simulator = Simulator::new();
                let (mut open, mut last) = (0, 0.0);
                for frame in 0..90 {
                    let goal = match frame {
                        0..30 => [start[0] + 5.0, start[1], start[2]],
                        30..60 => [0.0; 3],
                        _ => start,
                    };
                    world.drag(grip, goal).unwrap();
                    let report = simulator
                        .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                        .unwrap();
                    last = report.position_error;
                    open += usize::from(last > 1e-4);
                }
                let what = format!("{name} {dynamics:?} {drag:?}");
                assert!(last < 2e-6, "{what}: {last:e}");
                assert!(open <= 12, "{what}: open in {open} frames");
                let now = world.position_world(&held).unwrap();
                let miss = (0..3).fold(0.0f64, |m, k| m.max((now[k] - start[k]).abs()));
                let pulls = matches!(drag, Drag::Force { .. });
                assert!(pulls || miss < 1e-3, "{what}: missed by {miss:e}");
            }
        }
    }
}

/// Sheets from soft to stiffer than any frame can follow, by every drag: finite, closed, and at rest
/// soon after the hand is.
#[test]
fn stiff_sheets_are_dragged() {
    for stiffness in [5e2, 5e4, 5e6, 5e9] {
        for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
            for drag in DRAGS {
                let (mut world, held) = troids(stiffness);
                // As a medium would: pins without friction swing for minutes.
                for k in 0..3 {
                    let sheet = world.find_body(&format!("sheet {k}")).unwrap();
                    let medium = Spring {
                        stiffness: 0.0,
                        rest_length: 1.0,
                        damping: 0.5,
                    };
                    for (side, from) in [("x", [9.0, 0.0]), ("y", [0.0, 9.0])] {
                        let ends = [GROUND.at(from), sheet.at([0.1, 0.05])];
                        let label = format!("medium {k} {side}");
                        world.add_behavior(&label, medium, &ends).unwrap();
                    }
                }
                world.set_dynamics(dynamics);
                let start = world.position_world(&held).unwrap();
                let grip = world.grab(held, drag).unwrap();
                let mut simulator = Simulator::new();
                let what = format!("{stiffness:e} N/m {dynamics:?} {drag:?}");
                let (mut moved, mut last) = (0.0, world.state().q.clone());
                for frame in 1..=900 {
                    // To and fro for two seconds within reach, then at rest.
                    let s = f64::from(frame.min(120)) / 20.0;
                    let back = 0.15 * s.min(2.0);
                    let goal = [start[0] - back, start[1] + 0.3 * s.sin(), 0.0];
                    world.drag(grip, goal).unwrap();
                    let report = simulator
                        .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                        .unwrap();
                    let fastest = world.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
                    assert!(fastest < 50.0, "{what}, frame {frame}: {fastest:e}");
                    let closed = report.require(4e-9);
                    assert!(closed.is_ok(), "{what}, frame {frame}: {closed:?}");
                    let both = world.state().q.iter().zip(&last);
                    moved = both.fold(0.0f64, |m, (now, then)| m.max((now - then).abs()));
                    last.clone_from(&world.state().q);
                }
                assert!(moved < 1e-3, "{what}: still moves by {moved:e} in a frame");
            }
        }
    }
}
