//! Bodies on the ground.

use super::support::{DT, G, at, ball, block, flat, on_slope, run};
use linkwork::prelude::*;

#[test]
fn a_block_rests() {
    let mut world = on_slope(0.0, 0.5);
    let body = block(
        &mut world,
        [0.2, 0.1, 0.3],
        2.0,
        Pose::at([0.0, 0.1, 0.0]),
        0.5,
    );
    run(&mut world, 300, |_, report| {
        assert!(report.law_error < 1e-9, "{report:?}");
        assert!(report.overrun < 1e-9, "{report:?}");
    });
    let [x, y, z] = at(&world, body);
    assert!(
        (y - 0.1).abs() < 1e-9 && x.abs() < 1e-9 && z.abs() < 1e-9,
        "{x} {y} {z}"
    );
    let force: f64 = world
        .state()
        .touching
        .iter()
        .map(|own| own.force_world[1])
        .sum();
    assert!((force - 2.0 * G).abs() < 1e-9, "{force}");
}

/// contact.md: x(5 s) = 0.635654 m above the friction angle, nothing below it.
#[test]
fn a_block_slides_only_where_it_is_steep_enough() {
    let friction: f64 = 0.5;
    for (part, expected) in [(1.01, 0.635654), (0.99, 0.0)] {
        let slope = part * friction.atan();
        let mut world = on_slope(slope, friction);
        let body = block(
            &mut world,
            [0.2, 0.1, 0.3],
            2.0,
            Pose::at([0.0, 0.1, 0.0]),
            friction,
        );
        run(&mut world, 300, |_, report| {
            assert!(report.law_error < 1e-9, "{report:?}");
        });
        let [x, y, z] = at(&world, body);
        assert!((x - expected).abs() < 1e-6, "{part}: {x} {y} {z}");
        assert!((y - 0.1).abs() < 1e-9 && z.abs() < 1e-9);
    }
}

/// A sphere that slides begins to roll at 12v₀²/(49μg), with 5/7 of its speed.
#[test]
fn a_sliding_ball_begins_to_roll() {
    let mut world = on_slope(0.0, 0.2);
    let body = ball(&mut world, 0.1, [0.0, 0.1, 0.0]);
    let mut own = world.colliders(body).unwrap().to_vec();
    own[0].friction = 0.2;
    world.set_colliders(body, own).unwrap();
    world.set_v(body, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    run(&mut world, 120, |_, _| ());
    let v = world.v(body).unwrap()[0];
    let x = at(&world, body)[0];
    assert!((v - 15.0 / 7.0).abs() < 1e-6, "{v}");
    let rolls_from = 2.0 * 3.0 / (7.0 * 0.2 * G);
    let expected = 12.0 * 9.0 / (49.0 * 0.2 * G) + 15.0 / 7.0 * (2.0 - rolls_from);
    assert!((x - expected).abs() < 1e-3, "{x} {expected}");
}

/// Peaks are e²ᵏ, and the ball is at rest after √(2h/g)·(1+e)/(1−e) = 4.06371 s.
#[test]
fn a_ball_bounces_until_it_rests() {
    let mut world = on_slope(0.0, 0.5);
    let body = ball(&mut world, 0.1, [0.0, 1.1, 0.0]);
    let mut own = world.colliders(body).unwrap().to_vec();
    own[0].restitution = 0.8;
    world.set_colliders(body, own).unwrap();
    let mut energies = Vec::new();
    let mut rest = 0.0;
    run(&mut world, 360, |world, report| {
        let energy = world.energy().unwrap();
        let energy = energy.kinetic + energy.potential - G * 0.1;
        if report.blows > 0 {
            energies.push(energy / G);
        }
        assert!(at(world, body)[1] > 0.1 - 1e-9);
        if world.v(body).unwrap()[1].abs() > 1e-9 {
            rest = world.state().t;
        }
    });
    for (k, height) in energies.iter().take(6).enumerate() {
        let expected = 0.64f64.powi(k as i32 + 1);
        assert!((height - expected).abs() < 1e-5, "{k} {height} {expected}");
    }
    assert!((rest - 4.06371).abs() < 0.1, "{rest}");
}

/// What begins with a corner in the floor is lifted out of it, without speed, and the world goes on.
#[test]
fn what_begins_in_the_floor_is_lifted() {
    for turned in [[0.0, 0.0, 0.3], [0.4, 0.2, 0.1], [0.0, 0.0, 0.78]] {
        for height in [-0.5, 0.1, 0.2, 0.3] {
            let mut world = flat(0.5);
            let pose = Pose::turned([0.0, height, 0.0], turned);
            let body = block(&mut world, [0.5, 0.2, 0.5], 1.0, pose, 0.5);
            let mut steps = 0;
            run(&mut world, 240, |world, report| {
                assert!(report.overrun < 1e-9, "{report:?}");
                let speed = world.v(body).unwrap().iter().map(|v| v * v).sum::<f64>();
                steps += 1;
                assert!(steps > 1 || speed.sqrt() < 2.0 * G * DT, "{speed}");
            });
            assert!((at(&world, body)[1] - 0.2).abs() < 1e-8);
        }
    }
}
