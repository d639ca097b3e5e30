//! `Precise` where something begins or ceases to slip or to give way: the error is that which was asked for.
//!
//! Each reference is one equation with a bounded force, integrated here by Runge–Kutta's method of fourth order in
//! steps of 1e-4 s, with every change of its way located by bisection.

use super::support::{G, at, on_slope};
use linkwork::body::{Kinematic, SineMotion};
use linkwork::collide::Shape;
use linkwork::constraint::{AngleServo, LengthServo};
use linkwork::integrate::{PreciseOptions, Scheme};
use linkwork::prelude::*;
use linkwork::step::Cause;
use linkwork::world::Collider;

const SECONDS: usize = 3;

/// `v̇ = free(t, x, v) + b`, `|b| ≤ most`, where b holds `v = led(t)` as far as it can.
struct Dry<'a> {
    free: &'a dyn Fn(f64, f64, f64) -> f64,
    most: f64,
    /// The rate that is held and how it changes.
    led: &'a dyn Fn(f64) -> (f64, f64),
}

impl Dry<'_> {
    /// The force that holds it.
    fn holding(&self, t: f64, x: f64) -> f64 {
        let (rate, change) = (self.led)(t);
        change - (self.free)(t, x, rate)
    }

    /// One step where it slips to a side, or sticks.
    fn advance(&self, side: f64, (t, x, v): (f64, f64, f64), h: f64) -> (f64, f64, f64) {
        let slope = |t: f64, x: f64, v: f64| match side {
            0.0 => ((self.led)(t).0, (self.led)(t).1),
            _ => (v, (self.free)(t, x, v) - side * self.most),
        };
        let (k1, l1) = slope(t, x, v);
        let (k2, l2) = slope(t + 0.5 * h, x + 0.5 * h * k1, v + 0.5 * h * l1);
        let (k3, l3) = slope(t + 0.5 * h, x + 0.5 * h * k2, v + 0.5 * h * l2);
        let (k4, l4) = slope(t + h, x + h * k3, v + h * l3);
        (
            t + h,
            x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4),
            v + h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4),
        )
    }

    /// Which way it goes from where it does not slip.
    fn side(&self, t: f64, x: f64) -> f64 {
        let holding = self.holding(t, x);
        match holding.abs() > self.most {
            true => -holding.signum(),
            false => 0.0,
        }
    }

    /// Where it is in the end, and how often it changed its way.
    fn run(&self, x: f64, v: f64) -> (f64, usize) {
        let mut now = (0.0, x, v);
        let slip = v - (self.led)(0.0).0;
        let mut side = match slip == 0.0 {
            true => self.side(0.0, x),
            false => slip.signum(),
        };
        let (end, mut changes) = (SECONDS as f64, 0);
        while now.0 < end - 1e-13 {
            let h = f64::min(1e-4, end - now.0);
            let has_changed = |next: (f64, f64, f64)| match side {
                0.0 => self.side(next.0, next.1) != 0.0,
                _ => side * (next.2 - (self.led)(next.0).0) < 0.0,
            };
            let mut next = self.advance(side, now, h);
            if has_changed(next) {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    match has_changed(self.advance(side, now, middle)) {
                        true => high = middle,
                        false => low = middle,
                    }
                }
                next = self.advance(side, now, high);
                side = self.side(next.0, next.1);
                changes += 1;
            }
            now = next;
        }
        (now.1, changes)
    }
}

/// Of a frame no more may be off than the tolerance, in places and in rates, and what rubs forgets rates. So after N
/// frames some N tolerances may be off, 60 to 240 a second; as frames are halved until they are within it, it is fewer:
/// at most 40 a second here.
const OFF: f64 = 40.0;

/// Runs what `make` makes at both tolerances, in frames of three lengths. At 1e-6 every frame settles. (At 1e-9 frames
/// of 1/60 s would need more parts than a frame is taken in, and impulses of contacts are found to 1e-9 m/s: some are
/// said not to be settled.)
fn is_as_exact_as_asked(make: impl Fn() -> World, place: impl Fn(&World) -> f64, expected: f64) {
    for rate in [60, 100, 240] {
        for tolerance in [1e-6, 1e-9] {
            let mut options = StepOptions::precise(1.0 / rate as f64);
            options.scheme =
                Scheme::Precise(PreciseOptions::default().with_tolerance(Some(tolerance)));
            let (mut world, mut simulator) = (make(), Simulator::new());
            let (mut unsettled, mut factors) = (0, 0);
            for _ in 0..SECONDS * rate {
                let report = simulator.step(&mut world, &options).unwrap();
                let mut causes = report.rungs.iter().map(|(_, cause, _)| cause);
                unsettled += usize::from(causes.any(|cause| cause == Cause::Unsettled));
                factors += report.effort.factors;
            }
            let off = (place(&world) - expected).abs();
            let name = format!("1/{rate} s, {tolerance:e}");
            let most = OFF * tolerance * SECONDS as f64;
            assert!(off < most, "{name}: off by {off:e}");
            if tolerance == 1e-6 {
                assert_eq!(unsettled, 0, "{name}");
                assert!(factors < 7000, "{name}: {factors} factors");
            }
        }
    }
}

/// A block of a kilogram on a dry slide, at `x`.
fn block(x: f64, friction: f64) -> (World, BodyId) {
    let mut world = World::new();
    let cube = Cuboid {
        size: [0.2; 3],
        mass: 1.0,
    };
    let own = world
        .add_body_at("block", cube, Pose::at([x, 0.0, 0.0]))
        .unwrap();
    let axis = [1.0, 0.0, 0.0];
    let slide = Prismatic { axis_world: axis };
    let ends = (GROUND.at([0.0; 3]), own.at([-x, 0.0, 0.0]));
    world.join("slide", slide, ends.0, ends.1).unwrap();
    let sites = [GROUND.frame_along([0.0; 3], axis), own.at([0.0; 3])];
    world
        .add_constraint("friction", LengthServo::friction(friction), &sites)
        .unwrap();
    (world, own)
}

fn spring(stiffness: f64) -> Spring {
    Spring {
        stiffness,
        rest_length: 0.0,
        damping: 0.0,
    }
}

const STILL: &dyn Fn(f64) -> (f64, f64) = &|_| (0.0, 0.0);

/// Swings of a block on a spring become shorter by 4F/k each, and it stays where the spring is weaker than friction.
#[test]
fn a_block_on_a_spring_comes_to_rest() {
    let make = || {
        let (mut world, own) = block(1.03, 4.0);
        let ends = [GROUND.at([0.0; 3]), own.at([0.0; 3])];
        world.add_behavior("spring", spring(40.0), &ends).unwrap();
        world
    };
    // From 1.03 by 0.2 less each half of a swing, until less than 0.1 is left: after five halves, 2.5 s.
    let place = |world: &World| at(world, world.find_body("block").unwrap())[0];
    is_as_exact_as_asked(make, place, -0.03);
}

/// A block that is pulled to and fro by a spring whose other end swings sticks and slips.
#[test]
fn a_pulled_block_sticks_and_slips() {
    let (stiffness, friction, amplitude, frequency) = (30.0, 2.0, 0.15, 1.1);
    let make = || {
        let (mut world, own) = block(0.0, friction);
        let shaken = SineMotion {
            middle: Pose::at([0.0; 3]),
            amplitude_world: [amplitude, 0.0, 0.0],
            swing_world: [0.0; 3],
            frequency,
            phase: 0.0,
        };
        let hand = world.add_body("hand", Kinematic::new(shaken)).unwrap();
        let ends = [hand.at([0.0; 3]), own.at([0.0; 3])];
        world
            .add_behavior("spring", spring(stiffness), &ends)
            .unwrap();
        world
    };
    let omega = std::f64::consts::TAU * frequency;
    let pulled = |t: f64, x: f64, _: f64| -stiffness * (x - amplitude * (omega * t).sin());
    let law = Dry {
        free: &pulled,
        most: friction,
        led: STILL,
    };
    let (expected, changes) = law.run(0.0, 0.0);
    assert!(changes > 2, "{changes}");
    let place = |world: &World| at(world, world.find_body("block").unwrap())[0];
    is_as_exact_as_asked(make, place, expected);
}

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A rod of a meter and a kilogram about its left end, level, with a servo on its hinge.
fn rod(servo: AngleServo, spin: f64) -> World {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let rod = Rod {
        length: 1.0,
        radius: 1e-3,
        mass: 1.0,
    };
    let own = world
        .add_body_at("rod", rod, Pose::at([0.5, 0.0, 0.0]))
        .unwrap();
    let ends = (GROUND.at([0.0; 3]), own.at([-0.5, 0.0, 0.0]));
    world
        .join("hinge", Hinge { axis_world: Z }, ends.0, ends.1)
        .unwrap();
    let frames = [
        GROUND.frame_along([0.0; 3], Z),
        own.frame_along([-0.5, 0.0, 0.0], Z),
    ];
    world.add_constraint("servo", servo, &frames).unwrap();
    world
        .set_v(own, &[0.0, 0.5 * spin, 0.0, 0.0, 0.0, spin])
        .unwrap();
    world
}

/// Inertia of the rod about its end.
fn inertia() -> f64 {
    let world = rod(AngleServo::friction(0.0), 0.0);
    let own = world.find_body("rod").unwrap();
    let body = world.body_record(own).unwrap().body().as_rigid().unwrap();
    body.properties().inertia_body[2] + 0.25
}

/// The angle of the rod, about that which is expected.
fn angle(world: &World, near: f64) -> f64 {
    let [x, y, _] = at(world, world.find_body("rod").unwrap());
    let angle = libm::atan2(y, x);
    let turn = std::f64::consts::TAU;
    angle + turn * ((near - angle) / turn).round()
}

/// A pendulum on a dry hinge swings down from level, and comes to rest beside its lowest place.
#[test]
fn a_pendulum_on_a_dry_hinge_comes_to_rest() {
    let (i, friction) = (inertia(), 0.6);
    let weight = |_: f64, phi: f64, _: f64| -0.5 * G / i * phi.cos();
    let law = Dry {
        free: &weight,
        most: friction / i,
        led: STILL,
    };
    let (expected, changes) = law.run(0.0, 0.0);
    assert!(changes > 2, "{changes}");
    let make = || rod(AngleServo::friction(friction), 0.0);
    is_as_exact_as_asked(make, |world| angle(world, expected), expected);
}

/// A motor that turns a rod at 2 rad/s with at most 4 N·m gives way where the rod is level, and recovers.
#[test]
fn a_motor_gives_way_and_recovers() {
    let (i, most, speed) = (inertia(), 4.0, 2.0);
    let weight = |_: f64, phi: f64, _: f64| -0.5 * G / i * phi.cos();
    let law = Dry {
        free: &weight,
        most: most / i,
        led: &|_| (speed, 0.0),
    };
    let (expected, changes) = law.run(0.0, speed);
    assert!(changes > 2, "{changes}");
    let make = || rod(AngleServo::speed(speed, most), speed);
    is_as_exact_as_asked(make, |world| angle(world, expected), expected);
}

/// A block on a slope of 0.2 rad that is shaken along itself: it slips up and down, sticks, and goes down.
#[test]
fn a_block_on_a_shaken_slope_sticks_and_slips() {
    let (slope, friction, amplitude, frequency) = (0.2f64, 0.4, 0.06, 1.7);
    let make = || {
        let mut world = on_slope(slope, friction);
        world.set_colliders(GROUND, vec![]).unwrap();
        let shaken = SineMotion {
            middle: Pose::at([0.0; 3]),
            amplitude_world: [amplitude, 0.0, 0.0],
            swing_world: [0.0; 3],
            frequency,
            phase: 0.5 * std::f64::consts::PI,
        };
        let plate = world.add_body("plate", Kinematic::new(shaken)).unwrap();
        let up = Pose::turned([0.0; 3], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        let top = Collider::new(Shape::Plane)
            .placed(up)
            .with_friction(friction);
        world.set_colliders(plate, vec![top]).unwrap();
        let half = [0.2, 0.05, 0.2];
        let start = Pose::at([0.0, half[1], 0.0]);
        super::support::block(&mut world, half, 1.0, start, friction);
        world
    };
    let omega = std::f64::consts::TAU * frequency;
    let led = |t: f64| {
        (
            -amplitude * omega * (omega * t).sin(),
            -amplitude * omega * omega * (omega * t).cos(),
        )
    };
    let law = Dry {
        free: &|_, _, _| G * slope.sin(),
        most: friction * G * slope.cos(),
        led: &led,
    };
    let (expected, changes) = law.run(0.0, 0.0);
    assert!(changes > 2, "{changes}");
    let place = |world: &World| at(world, world.find_body("body 1").unwrap())[0];
    is_as_exact_as_asked(make, place, expected);
}
