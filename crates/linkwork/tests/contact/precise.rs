//! `Precise` where bodies touch and hit: the error is that which was asked for, or the report says otherwise.

use super::support::{G, add, at, block, flat};
use linkwork::collide::Shape;
use linkwork::constraint::AngleLimit;
use linkwork::integrate::{PreciseOptions, Scheme};
use linkwork::prelude::*;
use linkwork::step::{Cause, Rung};
use linkwork::world::Collider;

fn options(tolerance: f64) -> StepOptions {
    let mut options = StepOptions::precise(1.0 / 60.0);
    options.scheme = Scheme::Precise(PreciseOptions::default().with_tolerance(Some(tolerance)));
    options
}

/// Runs for so many frames; how many of them were not settled, and sub-steps.
fn run(world: &mut World, frames: usize, tolerance: f64) -> (usize, usize) {
    let mut simulator = Simulator::new();
    let (mut unsettled, mut substeps) = (0, 0);
    for _ in 0..frames {
        let report = simulator.step(world, &options(tolerance)).unwrap();
        let is_unsettled = |(_, cause, _): &(Rung, Cause, usize)| *cause == Cause::Unsettled;
        unsettled += usize::from(report.rungs.iter().any(|taken| is_unsettled(&taken)));
        substeps += report.substeps;
    }
    (unsettled, substeps)
}

/// Runs what `make` makes at three tolerances. What is off at the end is within a few times the tolerance of a frame,
/// by frames, and nothing is worse at a tighter one.
fn is_as_exact_as_asked(
    make: impl Fn() -> (World, BodyId),
    (frames, axis, expected): (usize, usize, f64),
) {
    let mut before = f64::INFINITY;
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let (mut world, own) = make();
        let (unsettled, substeps) = run(&mut world, frames, tolerance);
        let off = (at(&world, own)[axis] - expected).abs();
        assert!(off < 30.0 * tolerance, "{tolerance:e}: off by {off:e}");
        assert!(
            off <= before.max(1e-11),
            "{tolerance:e}: {off:e} after {before:e}"
        );
        assert!(unsettled <= 1, "{tolerance:e}: {unsettled} frames");
        assert!(substeps < 20 * frames, "{tolerance:e}: {substeps}");
        before = off;
    }
}

/// A ball that slides and then rolls: v = 5/7·v₀ from 2v₀/(7μg) on, after 12v₀²/(49μg).
#[test]
fn a_ball_begins_to_roll() {
    let make = || {
        let mut world = flat(0.2);
        let sphere = Sphere {
            radius: 0.1,
            mass: 1.0,
        };
        let collider = Collider::new(Shape::Sphere { radius: 0.1 }).with_friction(0.2);
        let own = add(&mut world, sphere, Pose::at([0.0, 0.1, 0.0]), collider);
        world.set_v(own, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        (world, own)
    };
    let (until, way) = (6.0 / (7.0 * 0.2 * G), 12.0 * 9.0 / (49.0 * 0.2 * G));
    is_as_exact_as_asked(make, (60, 0, way + 15.0 / 7.0 * (1.0 - until)));
}

/// A ball falls for √(2h/g) and rebounds with 0.8 of its speed.
#[test]
fn a_ball_bounces() {
    let make = || {
        let mut world = flat(0.0);
        let sphere = Sphere {
            radius: 0.1,
            mass: 1.0,
        };
        let collider = Collider::new(Shape::Sphere { radius: 0.1 }).with_restitution(0.8);
        let own = add(&mut world, sphere, Pose::at([0.0, 1.1, 0.0]), collider);
        (world, own)
    };
    let fall = (2.0 / G).sqrt();
    let (v, t) = (0.8 * G * fall, 1.0 - fall);
    is_as_exact_as_asked(make, (60, 1, 0.1 + v * t - 0.5 * G * t * t));
}

/// A rod that swings against a stop and back: where it is after 1.5 s, by a run of 1e-5 s steps between its hit, which
/// is at the vertical, and by the energy it keeps there.
#[test]
fn a_rod_swings_against_a_stop() {
    let make = || {
        let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
        let rod = Rod {
            length: 1.0,
            radius: 0.01,
            mass: 1.0,
        };
        let own = world
            .add_body_at("rod", rod, Pose::at([0.5, 0.0, 0.0]))
            .unwrap();
        let axis = [0.0, 0.0, 1.0];
        let ends = (GROUND.at([0.0; 3]), own.at([-0.5, 0.0, 0.0]));
        world
            .join("hinge", Hinge { axis_world: axis }, ends.0, ends.1)
            .unwrap();
        let limit = AngleLimit {
            lower: -std::f64::consts::FRAC_PI_2,
            upper: f64::INFINITY,
            restitution: 0.5,
        };
        let ends = [
            GROUND.frame_along([0.0; 3], axis),
            own.frame_along([-0.5, 0.0, 0.0], axis),
        ];
        world.add_constraint("stop", limit, &ends).unwrap();
        (world, own)
    };
    let (world, own) = make();
    let i = {
        // About the hinge: the rod's own, by Steiner.
        let body = world.body_record(own).unwrap().body().as_rigid().unwrap();
        body.properties().inertia_body[2] + 0.25
    };
    // φ̈ = −m·g·½·cos φ/I, from rest at 0 to −π/2; there ω ← −ω/2. Runge–Kutta of fourth order.
    let (mut phi, mut omega, mut t) = (0.0f64, 0.0f64, 0.0);
    let slope = |phi: f64| -0.5 * G * phi.cos() / i;
    let advance = |phi: f64, omega: f64, h: f64| {
        let (k1, l1) = (omega, slope(phi));
        let (k2, l2) = (omega + 0.5 * h * l1, slope(phi + 0.5 * h * k1));
        let (k3, l3) = (omega + 0.5 * h * l2, slope(phi + 0.5 * h * k2));
        let (k4, l4) = (omega + h * l3, slope(phi + h * k3));
        (
            phi + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4),
            omega + h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4),
        )
    };
    let floor = -std::f64::consts::FRAC_PI_2;
    while t < 1.5 - 1e-13 {
        let h = f64::min(1e-4, 1.5 - t);
        let (next, rate) = advance(phi, omega, h);
        if next < floor {
            let (mut low, mut high) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if advance(phi, omega, middle).0 < floor {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let (at, rate) = advance(phi, omega, low);
            (phi, omega, t) = (at, -0.5 * rate, t + low);
        } else {
            (phi, omega, t) = (next, rate, t + h);
        }
    }
    is_as_exact_as_asked(make, (90, 0, 0.5 * phi.cos()));
}

/// A pile that falls is chaotic: halving does not settle it, and the report says so.
#[test]
fn what_is_not_settled_is_said() {
    let mut world = flat(0.5);
    for k in 0..3 {
        let x = 0.013 * f64::from(k * k);
        let pose = Pose::turned(
            [x, 0.3 + 0.25 * f64::from(k), 0.0],
            [0.3, 0.2 * f64::from(k), 0.1],
        );
        block(&mut world, [0.1; 3], 1.0, pose, 0.5);
    }
    let (unsettled, _) = run(&mut world, 30, 1e-9);
    assert!(unsettled > 0);
}
