//! Rolling and spinning friction: moments within arms of the normal force.

use super::support::{DT, G, add, at, flat, on_slope, run};
use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork::world::Collider;

const RADIUS: f64 = 0.1;

/// A ball of 2 kg that touches the floor, with arms that resist its rolling and spinning.
fn ball(world: &mut World, (rolling, spinning): (f64, f64)) -> BodyId {
    let shape = Collider::new(Shape::Sphere { radius: RADIUS });
    let collider = shape.with_turning_friction(rolling, spinning);
    let sphere = Sphere {
        radius: RADIUS,
        mass: 2.0,
    };
    add(world, sphere, Pose::at([0.0, RADIUS, 0.0]), collider)
}

fn energy(world: &World) -> f64 {
    let energy = world.energy().unwrap();
    energy.kinetic + energy.potential
}

/// Runs, and holds that the law is kept and energy never grows, but for what is left of the law.
fn run_lawfully(world: &mut World, steps: usize, mut each: impl FnMut(&World)) {
    let mut before = energy(world);
    run(world, steps, |world, report| {
        assert!(
            report.law_error < 1e-9 && report.overrun < 1e-9,
            "{report:?}"
        );
        let now = energy(world);
        assert!(now <= before + 1e-9, "{before} {now}");
        before = now;
        each(world);
    });
}

/// A ball stays where tan θ < arm/r, and else rolls with a = (g·sin θ − (arm/r)·g·cos θ)/(1 + 2/5).
#[test]
fn a_ball_rolls_only_where_it_is_steep_enough() {
    let arm = 0.01;
    for part in [0.99, 1.01, 3.0] {
        let slope = part * (arm / RADIUS).atan();
        let mut world = on_slope(slope, 0.5);
        let body = ball(&mut world, (arm, 0.0));
        run_lawfully(&mut world, 180, |_| ());
        let a = G * (slope.sin() - arm / RADIUS * slope.cos()) / 1.4;
        let (x, v) = (at(&world, body)[0], world.v(body).unwrap()[0]);
        let expected = a.max(0.0);
        assert!((v - 3.0 * expected).abs() < 1e-8, "{part}: {v}");
        assert!((x - 4.5 * expected).abs() < 1e-8, "{part}: {x}");
        // It does not slip for it.
        let turns = world.v(body).unwrap()[5];
        assert!((v + RADIUS * turns).abs() < 1e-9, "{part}: {v} {turns}");
    }
}

/// The same in the plane, where a disc has (1 + 1/2).
#[test]
fn a_disc_of_the_plane_rolls_only_where_it_is_steep_enough() {
    let arm = 0.01;
    for part in [0.99, 2.0] {
        let slope = part * (arm / RADIUS).atan();
        let mut world = on_slope(slope, 0.5);
        let collider = Collider::new(Shape::Disc { radius: RADIUS });
        let disc = PlanarDisc {
            radius: RADIUS,
            mass: 2.0,
        };
        let body = world.add_body("disc", disc).unwrap();
        world.set_q(body, &[0.0, RADIUS, 0.0]).unwrap();
        let collider = collider.with_turning_friction(arm, 0.3);
        world.set_colliders(body, vec![collider]).unwrap();
        run_lawfully(&mut world, 180, |_| ());
        let a = G * (slope.sin() - arm / RADIUS * slope.cos()) / 1.5;
        let v = world.v(body).unwrap()[0];
        assert!((v - 3.0 * a.max(0.0)).abs() < 1e-8, "{part}: {v}");
    }
}

/// A rolling ball comes to rest after 7·v²·r/(10·g·arm), and stays there.
#[test]
fn a_rolling_ball_stops() {
    let (arm, speed) = (0.005, 1.0);
    let mut world = flat(0.8);
    let body = ball(&mut world, (arm, 0.0));
    let v = [speed, 0.0, 0.0, 0.0, 0.0, -speed / RADIUS];
    world.set_v(body, &v).unwrap();
    let way = 0.7 * speed * speed * RADIUS / (G * arm);
    let frames = (1.1 * 1.4 * speed * RADIUS / (G * arm) / DT) as usize;
    run_lawfully(&mut world, frames, |_| ());
    let x = at(&world, body)[0];
    // The step in which it stops takes from half a step's way too much to as much too little.
    assert!((x - way).abs() < 1e-4, "{x} {way}");
    assert!(world.v(body).unwrap().iter().all(|v| v.abs() < 1e-9));
    let still = world.pose(body).unwrap();
    run_lawfully(&mut world, 60, |_| ());
    let moved = at(&world, body)[0] - still.unwrap().position[0];
    assert!(moved.abs() < 1e-12, "{moved}");
}

/// A ball that spins on its spot stops after t = 2·r²·ω/(5·g·arm); what only rolls is not resisted by it.
#[test]
fn a_spinning_ball_stops() {
    let (arm, spin) = (0.004, 30.0);
    let mut world = flat(0.5);
    let body = ball(&mut world, (0.0, arm));
    world.set_v(body, &[0.0, 0.0, 0.0, 0.0, spin, 0.0]).unwrap();
    let stops = 0.4 * RADIUS * RADIUS * spin / (G * arm);
    run_lawfully(&mut world, 400, |world| {
        let expected = (spin * (1.0 - world.state().t / stops)).max(0.0);
        let turns = world.v(body).unwrap()[4];
        assert!((turns - expected).abs() < 1e-8, "{turns} {expected}");
    });
    assert!(world.state().t > stops);
    let v = [0.3, 0.0, 0.0, 0.0, 0.0, -0.3 / RADIUS];
    world.set_v(body, &v).unwrap();
    run_lawfully(&mut world, 60, |_| ());
    assert!((world.v(body).unwrap()[0] - 0.3).abs() < 1e-9);
}

/// What slides and spins on one patch shares its friction (Contensou): f = μ·N·u/√(u² + (ℓ·ω)²) and m = arm·N·ℓ·ω/√(…),
/// ℓ = arm/μ. While it spins it slides as through oil, and does not stick however slowly it slides.
#[test]
fn what_spins_slides_as_through_oil() {
    let (friction, arm, spin) = (0.5, 0.005, 40.0);
    let length = arm / friction;
    for slip in [0.01, 0.3, 2.0] {
        let mut world = flat(friction);
        let body = ball(&mut world, (0.0, arm));
        world
            .set_v(body, &[slip, 0.0, 0.0, 0.0, spin, 0.0])
            .unwrap();
        let h = 1e-6;
        let options = StepOptions::interactive(h);
        let report = Simulator::new().step(&mut world, &options).unwrap();
        assert!(report.law_error < 1e-9, "{report:?}");
        let v = world.v(body).unwrap();
        let both = f64::hypot(slip, length * spin);
        let slows = (slip - v[0]) / h;
        assert!(
            (slows / (friction * G * slip / both) - 1.0).abs() < 1e-3,
            "{slip}: {slows}"
        );
        let about = (spin - v[4]) / h * 0.4 * RADIUS * RADIUS;
        let expected = arm * G * length * spin / both;
        assert!(
            (about / expected - 1.0).abs() < 1e-3,
            "{slip}: {about} {expected}"
        );
    }
}

/// A disc that spins on its face without friction: whatever points of it carry how much, they take m·g·arm together.
#[test]
fn a_disc_spinning_on_its_face_stops() {
    let (arm, spin) = (0.02, 30.0);
    let mut world = flat(0.0);
    let shape = Shape::Cylinder {
        half_length: 0.02,
        radius: RADIUS,
    };
    let collider = Collider::new(shape).with_turning_friction(0.0, arm);
    let cylinder = Cylinder {
        length: 0.04,
        radius: RADIUS,
        mass: 1.5,
    };
    let upright = Pose::turned([0.0, 0.02, 0.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let body = add(&mut world, cylinder, upright, collider);
    world.set_v(body, &[0.0, 0.0, 0.0, 0.0, spin, 0.0]).unwrap();
    let slows = G * arm / (0.5 * RADIUS * RADIUS);
    run_lawfully(&mut world, 60, |world| {
        let expected = (spin - slows * world.state().t).max(0.0);
        let turns = world.v(body).unwrap()[4];
        assert!((turns - expected).abs() < 1e-7, "{turns} {expected}");
    });
    assert!(norm(world.v(body).unwrap()) < 1e-9);
}

/// A ball without friction that rolls: the moment takes its rotation and leaves its speed.
#[test]
fn rolling_is_resisted_without_friction_too() {
    let arm = 0.01;
    let mut world = flat(0.0);
    let body = ball(&mut world, (arm, 0.0));
    world
        .set_v(body, &[1.0, 0.0, 0.0, 0.0, 0.0, -10.0])
        .unwrap();
    run_lawfully(&mut world, 12, |world| {
        let v = world.v(body).unwrap();
        let expected = 10.0 - G * arm / (0.4 * RADIUS * RADIUS) * world.state().t;
        assert!((v[0] - 1.0).abs() < 1e-12 && (v[5] + expected.max(0.0)).abs() < 1e-8);
    });
}

/// Balls on balls, thrown and stacked, some small beside others: energy never grows, and in the end all is at rest.
#[test]
fn a_heap_comes_to_rest() {
    let mut world = flat(0.6);
    let mut balls = vec![];
    for k in 0..12 {
        let radius = [0.1, 0.03, 0.2][k % 3];
        let collider = Collider::new(Shape::Sphere { radius })
            .with_turning_friction(0.2 * radius, 0.1 * radius);
        let sphere = Sphere {
            radius,
            mass: 500.0 * radius * radius * radius,
        };
        let angle = 2.4 * k as f64;
        let place = [
            0.3 * angle.cos() * (k % 4) as f64 / 3.0,
            0.2 + 0.12 * k as f64,
            0.3 * angle.sin() * (k % 4) as f64 / 3.0,
        ];
        let body = add(&mut world, sphere, Pose::at(place), collider);
        let v = [angle.sin(), 0.0, angle.cos(), 5.0, 10.0 * angle.sin(), -5.0];
        world.set_v(body, &v).unwrap();
        balls.push(body);
    }
    let mut before = energy(&world);
    let largest = before;
    run(&mut world, 600, |world, report| {
        let now = energy(world);
        assert!(now <= before + 1e-6 * largest, "{before} {now} {report:?}");
        assert!(report.law_error < 1e-6, "{report:?}");
        before = now;
    });
    for body in balls {
        assert!(norm(world.v(body).unwrap()) < 1e-8, "{:?}", world.v(body));
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}
