//! Surfaces, curves and strings that guide a point.

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{
    BallOnPlane, CircleTrajectory, Constraint, PlaneSurface, PointOnSurface, PointOnTrajectory,
    RowUnit, Rows, SphereSurface, Tangency,
};
use linkwork::math::{cross, dot, norm, scale, sub};
use linkwork::prelude::*;
use linkwork::world::PointOnPlane;

use crate::support::{G, accelerations, down_y, rigid};

/// A particle slides on a sphere: N = m·(g·cos θ − v²/R), θ from the top.
#[test]
fn a_particle_on_a_sphere() {
    let (mass, radius) = (0.6, 1.5);
    for (theta, speed) in [
        (0.0f64, 0.0),
        (0.5, 0.0),
        (0.5, 1.2),
        (0.84, 2.7),
        (1.3, 2.0),
    ] {
        let (sin, cos) = theta.sin_cos();
        let mut world = down_y();
        let at = [radius * sin, radius * cos, 0.0];
        let body = world
            .add_body_at("bead", Particle { mass }, Pose::at(at))
            .unwrap();
        let surface = SphereSurface { radius };
        let ends = [GROUND.frame_at([0.0; 3]), body.at([0.0; 3])];
        world
            .add_constraint("sphere", PointOnSurface::new(surface), &ends)
            .unwrap();
        world
            .set_v(body, &[speed * cos, -speed * sin, 0.0])
            .unwrap();
        let normal = mass * (G * cos - speed * speed / radius);
        accelerations(&world, |answer| {
            answer.close(answer.lambda("sphere"), &[normal], 1e-12);
            // Along the slope g·sin θ, towards the center v²/R.
            let (t, n) = (G * sin, speed * speed / radius);
            let a = [t * cos - n * sin, -t * sin - n * cos, 0.0];
            answer.close(answer.of("bead"), &a, 1e-12);
        });
    }
}

/// A ball that touches a plane moves as one whose center is held at the plane's height.
#[test]
fn a_ball_touching_a_plane_is_a_point_on_a_plane() {
    let radius = 0.3;
    let normal = [0.3, 0.8, -0.2];
    let unit = linkwork::math::unit(normal).unwrap();
    let plane = GROUND.frame_along([0.0; 3], normal);
    let build = || {
        let mut world = down_y();
        let ball = rigid(1.3, [0.05, 0.06, 0.07]);
        let pose = Pose::turned(unit.map(|n| radius * n), [0.4, 0.2, -0.6]);
        let ball = world.add_body_at("ball", ball, pose).unwrap();
        // Sliding in the plane and spinning: the normal part of the velocity is removed.
        let v = [0.9, -0.3, 0.5];
        let out: f64 = (0..3).map(|k| v[k] * unit[k]).sum();
        let v = [0, 1, 2].map(|k| v[k] - out * unit[k]);
        world
            .set_v(ball, &[v[0], v[1], v[2], 1.0, -2.0, 0.7])
            .unwrap();
        (world, ball)
    };
    let (mut touching, ball) = build();
    let tangency = Tangency::new(PlaneSurface, SphereSurface { radius });
    let frames = [plane, ball.frame_at([0.0; 3])];
    touching.add_constraint("hold", tangency, &frames).unwrap();
    let (mut standing, ball) = build();
    let frames = [plane, ball.frame_at([0.0; 3])];
    standing
        .add_constraint("hold", BallOnPlane { radius }, &frames)
        .unwrap();
    let (mut held, ball) = build();
    let at = GROUND.at(unit.map(|n| radius * n));
    let joint = PointOnPlane {
        normal_world: normal,
    };
    held.join("hold", joint, at, ball.at([0.0; 3])).unwrap();
    accelerations(&held, |expected| {
        let normal_force = 1.3 * G * unit[1];
        expected.close(expected.lambda("hold"), &[normal_force], 1e-12);
        for other in [&touching, &standing] {
            accelerations(other, |answer| {
                answer.close(answer.of("ball"), expected.of("ball"), 1e-12);
                answer.close(answer.lambda("hold"), expected.lambda("hold"), 1e-12);
            });
        }
    });
}

/// A bead driven round a circle is pushed towards the center with m·v²/r.
#[test]
fn a_bead_driven_on_a_circle() {
    let (mass, radius, frequency) = (0.7, 0.9, 0.35);
    let trajectory = CircleTrajectory {
        center_world: [0.1, 0.2, 0.3],
        axis_world: [0.0, 0.0, 1.0],
        radius,
        frequency,
        phase: 0.4,
    };
    let omega = std::f64::consts::TAU * frequency;
    for t in [0.0f64, 0.6, 2.3] {
        let (sin, cos) = (omega * t + 0.4).sin_cos();
        let at = [0.1 + radius * cos, 0.2 + radius * sin, 0.3];
        let mut world = World::new();
        let bead = world
            .add_body_at("bead", Particle { mass }, Pose::at(at))
            .unwrap();
        let rail = PointOnTrajectory::new(trajectory);
        world
            .add_constraint("rail", rail, &[bead.at([0.0; 3])])
            .unwrap();
        world.set_time(t).unwrap();
        let speed = omega * radius;
        world
            .set_v(bead, &[-speed * sin, speed * cos, 0.0])
            .unwrap();
        let force = mass * speed * speed / radius;
        accelerations(&world, |answer| {
            answer.close(
                answer.lambda("rail"),
                &[-force * cos, -force * sin, 0.0],
                1e-12,
            );
        });
    }
}

/// A conical pendulum at θ circles with ω² = g/(L·cos θ); the string pulls with m·g/cos θ.
///
/// References: analytic cases; at 60° and L = 1 m, ω = 4.4294469181.
#[test]
fn a_conical_pendulum() {
    let (mass, length, theta) = (1.2, 1.0, std::f64::consts::PI / 3.0);
    let omega = (G / (length * theta.cos())).sqrt();
    assert!((omega - 4.4294469181).abs() < 1e-10);
    let radius = length * theta.sin();
    let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
    let at = [radius, 0.0, -length * theta.cos()];
    let bob = world
        .add_body_at("bob", Particle { mass }, Pose::at(at))
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    world
        .add_constraint("string", Distance { length }, &ends)
        .unwrap();
    world.set_v(bob, &cross([0.0, 0.0, omega], at)).unwrap();
    accelerations(&world, |answer| {
        answer.close(answer.lambda("string"), &[-mass * G / theta.cos()], 1e-12);
        let a = [-omega * omega * radius, 0.0, 0.0];
        answer.close(answer.of("bob"), &a, 1e-12);
    });
}

/// A spherical pendulum's start: the string pulls with m·(g·cos θ + v²/L).
///
/// References: analytic cases, spherical pendulum with θ = 60° and φ̇ = 2.
#[test]
fn a_spherical_pendulum() {
    let theta = std::f64::consts::PI / 3.0;
    let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
    let at = [theta.sin(), 0.0, -0.5];
    let bob = world
        .add_body_at("bob", Particle { mass: 1.0 }, Pose::at(at))
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    world
        .add_constraint("string", Distance { length: 1.0 }, &ends)
        .unwrap();
    let speed = 2.0 * theta.sin();
    world.set_v(bob, &[0.0, speed, 0.0]).unwrap();
    let pull = G * theta.cos() + speed * speed;
    accelerations(&world, |answer| {
        answer.close(answer.lambda("string"), &[-pull], 1e-12);
        let a = [-pull * at[0], 0.0, -pull * at[2] - G];
        answer.close(answer.of("bob"), &a, 1e-12);
    });
}

/// A rope over a small pulley, `|p − a| + |q − a| = length`: a constraint of the tests' own, on
/// three connectors.
#[derive(Debug)]
struct Rope {
    length: f64,
}

impl Constraint for Rope {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3; 3]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_positive("length", &self.length)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = -self.length;
        let mut pull = [0.0; 3];
        for end in 1..3 {
            let d = sub(inputs[end].position(), inputs[0].position());
            let d_dot = sub(inputs[end].velocity(), inputs[0].velocity());
            let span = norm(d);
            let n = scale(1.0 / span, d);
            let rate = dot(n, d_dot);
            out.c[0] += span;
            out.c_dot[0] += rate;
            out.gamma[0] += (dot(d_dot, d_dot) - rate * rate) / span;
            out.dc_dx(end).set3(0, 0, n);
            pull = sub(pull, n);
        }
        out.dc_dx(0).set3(0, 0, pull);
    }
}

/// Atwood's machine: a = g·(m₂ − m₁)/(m₁ + m₂), tension 2·m₁·m₂·g/(m₁ + m₂).
#[test]
fn an_atwood_machine() {
    let (m1, m2) = (1.0, 2.5);
    let mut world = down_y();
    let place = |y: f64| Pose::at([0.0, y, 0.0]);
    let one = world
        .add_body_at("one", Particle { mass: m1 }, place(-1.0))
        .unwrap();
    let two = world
        .add_body_at("two", Particle { mass: m2 }, place(-1.5))
        .unwrap();
    let ends = [GROUND.at([0.0; 3]), one.at([0.0; 3]), two.at([0.0; 3])];
    world
        .add_constraint("rope", Rope { length: 2.5 }, &ends)
        .unwrap();
    let a = G * (m2 - m1) / (m1 + m2);
    accelerations(&world, |answer| {
        answer.close(answer.of("one"), &[0.0, a, 0.0], 1e-13);
        answer.close(answer.of("two"), &[0.0, -a, 0.0], 1e-13);
        answer.close(
            answer.lambda("rope"),
            &[-2.0 * m1 * m2 * G / (m1 + m2)],
            1e-13,
        );
    });
    // The pulley itself on a spring balance: it carries twice the tension.
    let mut world = down_y();
    let pulley = world
        .add_body_at("pulley", Particle { mass: 0.5 }, place(0.0))
        .unwrap();
    let one = world
        .add_body_at("one", Particle { mass: m1 }, place(-1.0))
        .unwrap();
    let two = world
        .add_body_at("two", Particle { mass: m2 }, place(-1.5))
        .unwrap();
    world
        .join("balance", Ball, GROUND.at([0.0; 3]), pulley.at([0.0; 3]))
        .unwrap();
    let ends = [pulley.at([0.0; 3]), one.at([0.0; 3]), two.at([0.0; 3])];
    world
        .add_constraint("rope", Rope { length: 2.5 }, &ends)
        .unwrap();
    accelerations(&world, |answer| {
        let tension = 2.0 * m1 * m2 * G / (m1 + m2);
        answer.close(
            &answer.lambda("balance")[1..2],
            &[2.0 * tension + 0.5 * G],
            1e-12,
        );
    });
}
