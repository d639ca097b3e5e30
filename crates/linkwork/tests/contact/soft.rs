//! Contacts that give way, by closed form (`docs/adr/0048-soft-contact.md`).

use super::support::{DT, G, add, at, flat, on_floor, on_slope, run};
use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork::world::Collider;

const RADIUS: f64 = 0.1;

/// A ball of 1 kg at a height over the floor.
fn ball(world: &mut World, gap: f64, (stiffness, damping): (f64, f64)) -> BodyId {
    let shape = Shape::Sphere { radius: RADIUS };
    let collider = Collider::new(shape).with_softness(stiffness, damping);
    let sphere = Sphere {
        radius: RADIUS,
        mass: 1.0,
    };
    add(world, sphere, Pose::at([0.0, RADIUS + gap, 0.0]), collider)
}

fn soften_floor(world: &mut World, stiffness: f64) {
    let floor = world.colliders(GROUND).unwrap()[0].clone();
    let soft = floor.with_softness(stiffness, 0.0);
    world.set_colliders(GROUND, vec![soft]).unwrap();
}

fn fastest(world: &World) -> f64 {
    let v = world.state().v.iter();
    v.fold(0.0, |most, v| most.max(v.abs()))
}

/// What lies is as deep as its weight presses it in: springs in series, and one at each point that touches.
#[test]
fn what_lies_is_pressed_in_by_its_weight() {
    for stiffness in [3e2, 1e4, 1e9] {
        for floor in [f64::INFINITY, 2e3] {
            let mut world = flat(0.5);
            soften_floor(&mut world, floor);
            // Half of the critical damping, of both together.
            let part = 1.0 + stiffness / floor;
            let damping = (stiffness / part).sqrt() * part * part;
            let body = ball(&mut world, 0.0, (stiffness, damping));
            run(&mut world, 900, |_, report| {
                assert!(report.law_error < 1e-7, "{report:?}");
            });
            let depth = RADIUS - at(&world, body)[1];
            let expected = G * (1.0 / stiffness + 1.0 / floor);
            let off = (depth - expected).abs();
            assert!(
                off < 1e-6 * expected,
                "{stiffness} {floor}: {depth} {expected}"
            );
            let force = world.state().touching[0].force_world[1];
            assert!((force - G).abs() < 1e-5, "{force}");
        }
    }
    let mut world = flat(0.5);
    let half = [0.2, 0.1, 0.3];
    let collider = Collider::new(Shape::Box { half }).with_softness(1e3, 50.0);
    let block = Cuboid {
        size: half.map(|half| 2.0 * half),
        mass: 2.0,
    };
    let body = add(&mut world, block, Pose::at([0.0, 0.1, 0.0]), collider);
    run(&mut world, 600, |_, _| ());
    let depth = 0.1 - at(&world, body)[1];
    assert!((depth - 2.0 * G / 4e3).abs() < 1e-9, "{depth}");
}

/// How much of its speed a ball of 1 kg has after it, in steps of `dt`.
fn gives_back(stiffness: f64, damping: f64, dt: f64) -> f64 {
    let mut world = on_floor([0.0; 3], 0.5);
    // It begins to touch within a step, not at one of its ends.
    let body = ball(&mut world, 0.0123, (stiffness, damping));
    world.set_v(body, &[0.0, -1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(dt);
    for _ in 0..(1.0 / dt) as usize {
        simulator.step(&mut world, &options).unwrap();
    }
    assert!(world.state().touching.is_empty());
    world.v(body).unwrap()[1]
}

/// A damped spring that does not pull lets go where its force ends: e = exp(−ζ·φ/√(1−ζ²)), tan φ = 2ζ√(1−ζ²)/(2ζ²−1).
#[test]
fn a_damped_spring_gives_back_what_it_must() {
    let stiffness: f64 = 1e3;
    for zeta in [0.0, 0.1, 0.3, 0.6] {
        let damping = 2.0 * zeta * stiffness.sqrt();
        let root = f64::sqrt(1.0 - zeta * zeta);
        let angle = (2.0 * zeta * root).atan2(2.0 * zeta * zeta - 1.0);
        let expected = (-zeta * angle / root).exp();
        let found = [1e-3, 5e-4].map(|dt| gives_back(stiffness, damping, dt));
        let errors = found.map(|found| (found - expected).abs());
        assert!(errors[0] < 1e-4, "{zeta}: {found:?} {expected}");
        assert!(errors[1] < 5e-5, "{zeta}: {found:?} {expected}");
    }
}

/// What is stiffer than steps can follow comes to rest without ringing, as what is hard does.
#[test]
fn what_is_too_stiff_for_a_step_does_not_ring() {
    for stiffness in [1e6, 1e9, 1e12] {
        let mut world = flat(0.5);
        let body = ball(&mut world, 0.2, (stiffness, 0.0));
        let start = world.energy().unwrap().total();
        run(&mut world, 120, |world, _| {
            let energy = world.energy().unwrap().total();
            assert!(energy < start + 1e-9, "{stiffness:e}: {energy} {start}");
        });
        assert!(
            fastest(&world) < 1e-9,
            "{stiffness:e} {:e}",
            fastest(&world)
        );
        let depth = RADIUS - at(&world, body)[1];
        assert!(
            (depth - G / stiffness).abs() < 1e-9,
            "{stiffness:e} {depth:e}"
        );
    }
}

/// Friction has the cone of the force that the spring pushes with.
#[test]
fn a_soft_block_slides_only_where_it_is_steep_enough() {
    let (friction, half): (f64, _) = (0.5, [0.2, 0.1, 0.3]);
    for (part, a) in [(1.1, 1.0), (0.9, 0.0)] {
        let slope = part * friction.atan();
        let a = a * G * (slope.sin() - friction * slope.cos());
        let mut world = on_slope(slope, friction);
        let shape = Shape::Box { half };
        let collider = Collider::new(shape)
            .with_softness(1e4, 100.0)
            .with_friction(friction);
        let block = Cuboid {
            size: half.map(|half| 2.0 * half),
            mass: 2.0,
        };
        // As deep as it lies: nothing swings.
        let y = half[1] - 2.0 * G * slope.cos() / 4e4;
        let body = add(&mut world, block, Pose::at([0.0, y, 0.0]), collider);
        // After the tilt by the moment of friction has settled.
        run(&mut world, 60, |_, _| ());
        let (x, v) = (at(&world, body)[0], world.v(body).unwrap()[0]);
        run(&mut world, 120, |_, _| ());
        let gone = at(&world, body)[0] - x;
        let expected = v * 2.0 + 0.5 * a * 4.0;
        assert!(
            (gone - expected).abs() < 1e-3 * expected.max(1e-3),
            "{part}: {gone} {expected}"
        );
    }
}

/// Ten soft boxes on each other rest, each as deep in the one below as what is above it weighs.
#[test]
fn a_soft_stack_rests() {
    let (half, stiffness) = ([0.1; 3], 1e5);
    let mut world = flat(0.5);
    let boxes: Vec<BodyId> = (0..10)
        .map(|k| {
            let collider = Collider::new(Shape::Box { half }).with_softness(stiffness, 500.0);
            let block = Cuboid {
                size: [0.2; 3],
                mass: 1.0,
            };
            let pose = Pose::at([0.0, 0.1 + 0.2 * f64::from(k), 0.0]);
            add(&mut world, block, pose, collider)
        })
        .collect();
    run(&mut world, 240, |_, _| ());
    assert!(fastest(&world) < 1e-6, "{:e}", fastest(&world));
    let floor = 0.1 - at(&world, boxes[0])[1];
    assert!(
        (floor - 10.0 * G / (4.0 * stiffness)).abs() < 1e-8,
        "{floor}"
    );
    for k in 1..10 {
        let depth = 0.2 - (at(&world, boxes[k])[1] - at(&world, boxes[k - 1])[1]);
        // Two in series, at four corners.
        let expected = 2.0 * (10 - k) as f64 * G / (4.0 * stiffness);
        assert!((depth - expected).abs() < 1e-8, "{k}: {depth} {expected}");
    }
}

/// A soft ball that is dropped at 1/60 s never gains.
#[test]
fn what_bounces_softly_gains_nothing() {
    for (stiffness, damping) in [(1e2, 0.0), (1e3, 1.0), (1e5, 0.0), (1e4, 1e4)] {
        let mut world = flat(0.5);
        let body = ball(&mut world, 0.5, (stiffness, damping));
        let v = [0.5, 0.0, 0.2, 3.0, 1.0, 4.0];
        world.set_v(body, &v).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(DT);
        let total = |world: &World| world.energy().unwrap().total();
        let start = total(&world);
        for _ in 0..300 {
            simulator.step(&mut world, &options).unwrap();
            let now = total(&world);
            assert!(now < start + 1e-9, "{stiffness} {damping}: {now} {start}");
        }
    }
}

/// What falls on what gives way without damping, is pressed in and rebounds has the energy that it had, to the order of
/// the step: a ball with springs in series, and a block with one at each corner.
#[test]
fn what_contacts_store_is_counted() {
    let drop = |dt: f64, is_block: bool| {
        let mut world = flat(0.5);
        soften_floor(&mut world, 3e3);
        let half = [0.2, RADIUS, 0.1];
        match is_block {
            false => ball(&mut world, 0.3, (1e3, 0.0)),
            true => {
                let block = Cuboid {
                    size: half.map(|half| 2.0 * half),
                    mass: 1.0,
                };
                let collider = Collider::new(Shape::Box { half });
                let pose = Pose::at([0.0, RADIUS + 0.3, 0.0]);
                add(&mut world, block, pose, collider)
            }
        };
        let options = StepOptions::interactive(dt);
        let mut simulator = Simulator::new();
        let start = world.energy().unwrap();
        let (mut off, mut stored) = (0.0f64, 0.0f64);
        for _ in 0..(0.6 / dt) as usize {
            simulator.step(&mut world, &options).unwrap();
            let now = world.energy().unwrap();
            off = off.max((now.total() - start.total()).abs());
            stored = stored.max(now.elastic);
        }
        // All that it fell by is in the spring where it turns round.
        assert!(stored > G * 0.3, "{stored}");
        off / (G * 0.3)
    };
    for is_block in [false, true] {
        let off = [2e-3, 1e-3].map(|dt| drop(dt, is_block));
        assert!(off[0] < 0.01 && off[1] < 0.3 * off[0], "{off:?}");
    }
    let mut hard = flat(0.5);
    ball(&mut hard, 0.0, (f64::INFINITY, 0.0));
    assert_eq!(hard.energy().unwrap().elastic, 0.0);
}

/// What cannot be is said.
#[test]
fn mistakes_are_named() {
    let mut world = flat(0.5);
    let body = ball(&mut world, 0.0, (1e3, 0.0));
    let mut said = |stiffness: f64, damping: f64| {
        let shape = Shape::Sphere { radius: RADIUS };
        let soft = Collider::new(shape).with_softness(stiffness, damping);
        let refused = world.set_colliders(body, vec![soft]);
        refused.unwrap_err().to_string()
    };
    for stiffness in [0.0, -1.0, f64::NAN] {
        assert!(said(stiffness, 0.0).contains("stiffness"));
    }
    for damping in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(said(1e3, damping).contains("damping"));
    }
    assert!(said(f64::INFINITY, 1.0).contains("needs a stiffness"));
}
