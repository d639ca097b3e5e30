//! Mechanisms driven through their motion by displacements alone, against their closed forms.

use std::f64::consts::{PI, TAU};

use linkwork::connector::Connector;
use linkwork::constraint::FramePair;
use linkwork::math::{column, dot, quat_to_matrix, sub};
use linkwork::prelude::*;
use linkwork_scene::{mechanisms, scene};

use crate::support::{assemble, close};

/// Drives the angle of a body of the plane against the ground: t is the angle.
fn drive_plane(world: &mut World, body: BodyId) {
    let frames = [GROUND.frame2([0.0, 0.0], 0.0), body.frame2([0.0, 0.0], 0.0)];
    let function = Ramp {
        start: 0.0,
        rate: 1.0,
    };
    world
        .add_constraint("drive", AngleDrive::new(function), &frames)
        .unwrap();
}

/// Drives a hinge "label" of the ground by its own frames: t is the angle from where it is now.
fn drive_hinge(world: &mut World, label: &str) {
    let hinge = world.find_constraint(label).unwrap();
    let frames = world
        .constraint_record(hinge)
        .unwrap()
        .connectors()
        .to_vec();
    let function = Ramp {
        start: 0.0,
        rate: 1.0,
    };
    world
        .add_constraint("drive", AngleDrive::new(function), &frames)
        .unwrap();
}

/// Goes from angle to angle in steps that Newton's method likes.
fn sweep(
    world: &mut World,
    from: f64,
    to: f64,
    n: usize,
    method: Method,
    check: impl Fn(&World, f64),
) {
    for i in 0..=n {
        let t = from + (to - from) * i as f64 / n as f64;
        world.set_time(t).unwrap();
        assemble(world, method);
        check(world, t);
    }
}

/// A bar of the plane between two points; 1 kg.
fn bar(world: &mut World, label: &str, from: [f64; 2], to: [f64; 2]) -> (BodyId, f64) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let shape = PlanarRod { length, mass: 1.0 };
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    let pose = Pose::in_plane(middle, dy.atan2(dx));
    (world.add_body_at(label, shape, pose).unwrap(), 0.5 * length)
}

fn pin(world: &mut World, label: &str, a: Connector, b: Connector) {
    world
        .add_constraint(label, FramePair::ball(), &[a, b])
        .unwrap();
}

/// References: Chebyshev's lambda (Hoecken): crank 1, rocker 2.5, coupler 2.5 + 2.5, pivots 2 apart.
/// The tracer runs straight to 0.009754 over half a turn, and passes (2, 4).
#[test]
fn chebyshev_lambda() {
    for method in Method::ALL {
        let mut world = World::new();
        // At crank angle π the tracer is at (2, 4): coupler from (−1, 0), its middle at (½, 2).
        let (crank, c) = bar(&mut world, "crank", [0.0, 0.0], [-1.0, 0.0]);
        let (coupler, k) = bar(&mut world, "coupler", [-1.0, 0.0], [2.0, 4.0]);
        let (rocker, r) = bar(&mut world, "rocker", [2.0, 0.0], [0.5, 2.0]);
        pin(&mut world, "A", GROUND.at([0.0, 0.0]), crank.at([-c, 0.0]));
        pin(&mut world, "B", crank.at([c, 0.0]), coupler.at([-k, 0.0]));
        pin(&mut world, "C", coupler.at([0.0, 0.0]), rocker.at([r, 0.0]));
        pin(&mut world, "D", GROUND.at([2.0, 0.0]), rocker.at([-r, 0.0]));
        drive_plane(&mut world, crank);
        let tracer = coupler.at([k, 0.0]);
        let start = world.state().clone();
        for (from, to) in [(PI, 1.5 * PI), (PI, 0.5 * PI)] {
            world.set_state(start.clone()).unwrap();
            sweep(&mut world, from, to, 12, method, |world, t| {
                let x = world.position_world(&tracer).unwrap();
                assert!(
                    x[1] > 4.0 - 1e-12 && x[1] < 4.009755,
                    "{} at {t}: {x:?}",
                    method.name()
                );
                assert!(x[0] > -1e-9 && x[0] < 4.0 + 1e-9);
                if t == PI {
                    close(method.name(), &x[..2], &[2.0, 4.0], 1e-12);
                }
            });
        }
    }
}

/// References: Peaucellier; OB·OD = L² − s², and D stays on x = 4.
#[test]
fn peaucellier() {
    for method in Method::ALL {
        let mut world = scene("peaucellier").unwrap();
        let crank = world.find_body("crank").unwrap();
        let (cd, da) = (
            world.find_body("CD").unwrap(),
            world.find_body("AB").unwrap(),
        );
        drive_plane(&mut world, crank);
        sweep(&mut world, PI / 3.0, 0.2, 10, method, |world, _| {
            let d = world.position_world(&cd.at([1.5, 0.0])).unwrap();
            let b = world.position_world(&da.at([1.5, 0.0])).unwrap();
            close(method.name(), &d[..1], &[4.0], 1e-11);
            let product = dot(b, b).sqrt() * dot(d, d).sqrt();
            close(method.name(), &[product], &[16.0], 1e-11);
        });
    }
}

/// References: Bennett; tan(θ₁/2)·tan(θ₂/2) is constant, and opposite angles are alike.
#[test]
fn bennett() {
    let (alpha, beta) = (PI / 6.0, 50f64.to_radians());
    let constant = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    for method in Method::ALL {
        let mut world = scene("bennett").unwrap();
        drive_hinge(&mut world, "hinge 0");
        // Links as directions: the angle between a link and the next about the axis between them.
        let along = |world: &World, i: usize| {
            let body = world.find_body(&format!("link {}", i + 1)).unwrap();
            column(
                &quat_to_matrix(world.pose(body).unwrap().unwrap().rotation),
                0,
            )
        };
        let end = world.find_body("link 3").unwrap();
        sweep(&mut world, 0.0, 0.9, 9, method, |world, t| {
            // Joint angles: θ₁ started at 120° and is driven; θ₂ is between links 1 and 2, −θ₁
            // between links 2 and 3.
            let (one, two, three) = (along(world, 0), along(world, 1), along(world, 2));
            let theta_1 = 2.0 * PI / 3.0 + t;
            let theta_2 = dot(one, two).acos();
            let theta_3 = dot(two, three).acos();
            let product = (0.5 * theta_1).tan() * (0.5 * theta_2).tan();
            close(method.name(), &[product], &[constant], 1e-10);
            close(method.name(), &[theta_3], &[theta_1], 1e-10);
            // The last link still ends where the ground's link begins.
            let tip = world.position_world(&end.at([0.5, 0.0, 0.0])).unwrap();
            let first = world.find_constraint("hinge 3").unwrap();
            let on_ground = &world.constraint_record(first).unwrap().connectors()[1];
            let pivot = world.position_world(on_ground).unwrap();
            close(method.name(), &sub(tip, pivot), &[0.0; 3], 1e-12);
        });
    }
}

/// References: Sarrus; the table goes straight and does not turn.
#[test]
fn sarrus() {
    for method in Method::ALL {
        let mut world = scene("sarrus").unwrap();
        drive_hinge(&mut world, "foot x");
        let table = world.find_body("table").unwrap();
        sweep(&mut world, 0.0, -0.7, 7, method, |world, t| {
            let pose = world.pose(table).unwrap().unwrap();
            // The shin stood at 60° and leans outwards with a negative angle about z.
            let height = 2.0 * (PI / 3.0 + t).sin();
            close(method.name(), &pose.position, &[0.0, height, 0.0], 1e-10);
            let turn = [pose.rotation[1], pose.rotation[2], pose.rotation[3]];
            close(method.name(), &turn, &[0.0; 3], 1e-10);
        });
    }
}

/// References: a scissor lift of n bars of length 1 is n·sin θ high and cos θ wide.
#[test]
fn scissor() {
    for method in Method::ALL {
        let mut world = mechanisms::scissor(3).unwrap();
        let rising = world.find_body("rising 0").unwrap();
        let table = world.find_body("table").unwrap();
        drive_plane(&mut world, rising);
        sweep(&mut world, PI / 6.0, PI / 3.0, 6, method, |world, t| {
            let corner = world
                .position_world(&table.at([-0.5 * 0.75f64.sqrt(), 0.0]))
                .unwrap();
            close(method.name(), &corner[..2], &[0.0, 3.0 * t.sin()], 1e-11);
        });
    }
}

/// The four-bar's crank goes all round and ends where it began; loops of three redundant rows.
#[test]
fn four_bar_all_round() {
    for method in Method::ALL {
        let mut world = scene("four-bar").unwrap();
        drive_hinge(&mut world, "A");
        let coupler = world.find_body("coupler").unwrap();
        let rocker = world.find_body("rocker").unwrap();
        let place = |world: &World| world.position_world(&coupler.at([0.0; 3])).unwrap();
        let before = place(&world);
        sweep(&mut world, 0.0, TAU, 24, method, |world, t| {
            // Freudenstein's equation ties the angles of crank and rocker.
            let pose = world.pose(rocker).unwrap().unwrap();
            let along = column(&quat_to_matrix(pose.rotation), 0);
            let theta = PI / 3.0 + t;
            let (a, b, c, d) = (1.0, 3.5, 2.5, 4.0);
            let phi = along[1].atan2(along[0]);
            let left = d / a * phi.cos() - d / c * theta.cos()
                + (a * a - b * b + c * c + d * d) / (2.0 * a * c);
            close(method.name(), &[left], &[(theta - phi).cos()], 1e-10);
        });
        close(method.name(), &place(&world), &before, 1e-10);
    }
}

/// References: IFToMM A04; the published places of the output point lie on the path the loop draws.
#[test]
fn bricard_path() {
    let places = [
        [1.0, -1.0, 0.0],
        [0.774717808, -0.979815048, -0.199906159],
        [0.274481319, -0.886707939, -0.462330003],
        [-0.279017575, -0.887361379, -0.461074596],
        [-0.778135373, -0.980352683, -0.197252671],
    ];
    for method in Method::ALL {
        let mut world = scene("bricard").unwrap();
        let rod = world.find_body("rod 2").unwrap();
        let point = rod.at([0.5, 0.0, 0.0]);
        // The point is led along x: its place is 1 − t.
        let function = Ramp {
            start: 1.0,
            rate: -1.0,
        };
        let ends = [GROUND.frame_at([0.0; 3]), point];
        world
            .add_constraint("lead", LengthDrive::new(function), &ends)
            .unwrap();
        for pair in places.windows(2) {
            let (from, to) = (1.0 - pair[0][0], 1.0 - pair[1][0]);
            sweep(&mut world, from, to, 8, method, |_, _| {});
            let x = world.position_world(&point).unwrap();
            close(method.name(), &x, &pair[1], 1.1e-9);
        }
    }
}
