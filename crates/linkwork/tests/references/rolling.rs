//! Rolling down a slope, and a blade on ice.
//!
//! References: contact (ball, cylinder, hoop on an incline).

use linkwork::body::{MassProperties, PlanarBody};
use linkwork::constraint::{BallOnPlane, DiscOnPlane, KnifeEdge, RollingBall, RollingDisc};
use linkwork::math::{Vec3, cross};
use linkwork::prelude::*;
use linkwork::world::PlanarSlide;

use crate::support::{G, accelerations, down_y, rigid};

const MASS: f64 = 1.7;
const RADIUS: f64 = 0.4;

/// A slope that falls along `down` with normal `normal`, angle in radians.
fn slope(angle: f64) -> (Vec3, Vec3) {
    let normal = [angle.sin(), angle.cos(), 0.0];
    let down = [angle.cos(), -angle.sin(), 0.0];
    (normal, down)
}

/// A ball rolls down with 5/7·g·sin α; friction is 2/7·m·g·sin α.
#[test]
fn a_ball_rolls_down() {
    for angle_deg in [5.0f64, 30.0, 60.0] {
        let angle = angle_deg.to_radians();
        let (normal, down) = slope(angle);
        let mut world = down_y();
        let ball = Sphere {
            radius: RADIUS,
            mass: MASS,
        };
        let center = normal.map(|n| RADIUS * n);
        let pose = Pose::turned(center, [0.3, -0.8, 0.5]);
        let ball = world.add_body_at("ball", ball, pose).unwrap();
        let frames = [
            GROUND.frame_along([0.0; 3], normal),
            ball.frame_at([0.0; 3]),
        ];
        let (stand, roll) = (
            BallOnPlane { radius: RADIUS },
            RollingBall { radius: RADIUS },
        );
        world.add_constraint("stand", stand, &frames).unwrap();
        world.add_constraint("roll", roll, &frames).unwrap();
        // Rolling already, down and across, and spinning about the normal: nothing changes.
        for (speed, spin) in [(0.0, 0.0), (2.0, 0.7)] {
            let v = [0, 1, 2].map(|k| speed * down[k] + if k == 2 { 0.5 * speed } else { 0.0 });
            let omega = cross(normal, v).map(|w| w / RADIUS);
            let omega = [0, 1, 2].map(|k| omega[k] + spin * normal[k]);
            let twist = [v[0], v[1], v[2], omega[0], omega[1], omega[2]];
            world.set_v(ball, &twist).unwrap();
            let pull = G * angle.sin();
            accelerations(&world, |answer| {
                let a = answer.of("ball");
                answer.close(&a[..3], &down.map(|d| 5.0 / 7.0 * pull * d), 1e-12);
                let turn = [0.0, 0.0, -5.0 / 7.0 * pull / RADIUS];
                answer.close(&a[3..], &turn, 1e-11);
                answer.close(answer.lambda("stand"), &[MASS * G * angle.cos()], 1e-12);
                let friction = answer.lambda("roll");
                let size = friction[0].hypot(friction[1]);
                answer.close(&[size], &[2.0 / 7.0 * MASS * pull], 1e-12);
            });
        }
    }
}

/// Upright wheels: k = I/(m·r²) gives g·sin α/(1 + k): disc 2/3, hoop 1/2.
#[test]
fn wheels_roll_down() {
    let angle = 0.4f64;
    let (normal, down) = slope(angle);
    for (k, share) in [(0.5, 2.0 / 3.0), (1.0, 0.5)] {
        let axial = k * MASS * RADIUS * RADIUS;
        let mut world = down_y();
        // The axle is x of the wheel: across the slope, along z.
        let quarter = [0.0, -0.5 * std::f64::consts::PI, 0.0];
        let pose = Pose::turned(normal.map(|n| RADIUS * n), quarter);
        let wheel = rigid(MASS, [axial, 0.5 * axial, 0.5 * axial]);
        let wheel = world.add_body_at("wheel", wheel, pose).unwrap();
        let frames = [
            GROUND.frame_along([0.0; 3], normal),
            wheel.frame_at([0.0; 3]),
        ];
        let (stand, roll) = (
            DiscOnPlane { radius: RADIUS },
            RollingDisc { radius: RADIUS },
        );
        world.add_constraint("stand", stand, &frames).unwrap();
        world.add_constraint("roll", roll, &frames).unwrap();
        for speed in [0.0, 1.5] {
            let v = down.map(|d| speed * d);
            world
                .set_v(wheel, &[v[0], v[1], v[2], 0.0, 0.0, -speed / RADIUS])
                .unwrap();
            let a_expected = share * G * angle.sin();
            accelerations(&world, |answer| {
                let a = answer.of("wheel");
                answer.close(&a[..3], &down.map(|d| a_expected * d), 1e-12);
                answer.close(&a[3..], &[0.0, 0.0, -a_expected / RADIUS], 1e-11);
                answer.close(answer.lambda("stand"), &[MASS * G * angle.cos()], 1e-12);
                let friction = answer.lambda("roll");
                let size = friction[0].hypot(friction[1]);
                answer.close(&[size], &[(1.0 - share) * MASS * G * angle.sin()], 1e-12);
            });
        }
    }
}

/// A thin disc rolls steadily in a circle, leaning inwards by θ from upright.
///
/// With e outwards, y up, f = e × y, the axle k = cos θ·e + sin θ·y and u = −sin θ·e + cos θ·y from
/// the contact to the center, the disc turns with Ω·y + s·k. The contact is at rest, so
/// Ω·sin θ + s = −Ω·R/r, and the angular momentum about the center follows the contact force, which
/// carries the weight and −m·Ω²·R·e:
///
/// ```text
///     Ω²·(I_t·sin θ·cos θ + I_a·(R/r)·cos θ) = r·(m·g·sin θ − m·Ω²·R·cos θ)
/// ```
#[test]
fn a_coin_rolls_in_a_circle() {
    let (m, r, big_r, theta) = (0.8f64, 0.3f64, 1.1f64, 0.5f64);
    let (i_a, i_t) = (0.5 * m * r * r, 0.25 * m * r * r);
    let (sin, cos) = theta.sin_cos();
    let per_omega2 = i_t * cos * sin + i_a * big_r / r * cos + r * m * big_r * cos;
    let rate = (r * m * G * sin / per_omega2).sqrt();
    let spin = -rate * (big_r / r + sin);

    let mut world = down_y();
    let e = [1.0, 0.0, 0.0];
    let k = [cos, sin, 0.0];
    let u = [-sin, cos, 0.0];
    let pose = Pose {
        position: [big_r, r * cos, 0.0],
        rotation: linkwork::math::quat_from_matrix(&linkwork::math::transpose(&[
            k,
            u,
            cross(k, u),
        ])),
    };
    let coin = world
        .add_body_at("coin", rigid(m, [i_a, i_t, i_t]), pose)
        .unwrap();
    let frames = [
        GROUND.frame_along([0.0; 3], [0.0, 1.0, 0.0]),
        coin.frame_at([0.0; 3]),
    ];
    world
        .add_constraint("stand", DiscOnPlane { radius: r }, &frames)
        .unwrap();
    world
        .add_constraint("roll", RollingDisc { radius: r }, &frames)
        .unwrap();
    let omega = [spin * k[0], rate + spin * k[1], 0.0];
    let v = cross([0.0, rate, 0.0], [big_r, 0.0, 0.0]);
    world
        .set_v(coin, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
        .unwrap();
    let alpha = cross([0.0, rate, 0.0], omega);
    accelerations(&world, |answer| {
        let a = answer.of("coin");
        answer.close(&a[..3], &e.map(|x| -rate * rate * big_r * x), 1e-11);
        answer.close(&a[3..], &alpha, 1e-11);
        answer.close(answer.lambda("stand"), &[m * G], 1e-11);
    });
}

/// Chaplygin's sleigh: v̇ = a·ω², ω̇ = −m·a·v·ω/(I + m·a²), with the center of mass a before the
/// blade.
#[test]
fn a_blade_on_ice() {
    let (a, inertia, v, w) = (0.3, 0.25, 1.4, 2.2);
    let turn = -MASS * a * v * w / (inertia + MASS * a * a);
    // Along the blade v̇ − a·ω² = 0; across it v·ω + a·ω̇.
    let across = v * w + a * turn;
    for heading in [0.0f64, 0.9] {
        let (sin, cos) = heading.sin_cos();
        let velocity = [v * cos - a * w * sin, v * sin + a * w * cos];
        let expected = [-sin * across, cos * across];

        let mut world = World::new();
        let sleigh = PlanarBody {
            mass: MASS,
            inertia,
            com_body: [a, 0.0],
            outline: None,
        };
        let pose = Pose::in_plane([0.2, -0.1], heading);
        let body = world.add_body_at("sleigh", sleigh, pose).unwrap();
        let blade = body.frame2([0.0, 0.0], 0.0);
        world.add_constraint("blade", KnifeEdge, &[blade]).unwrap();
        world.set_v(body, &[velocity[0], velocity[1], w]).unwrap();
        accelerations(&world, |answer| {
            answer.close(
                answer.of("sleigh"),
                &[expected[0], expected[1], turn],
                1e-12,
            );
            answer.close(answer.lambda("blade"), &[MASS * across], 1e-12);
        });

        // The same in space, on the plane across z; gravity has no part in it.
        let mut world = World::new();
        let sleigh = RigidBody::new(MassProperties {
            mass: MASS,
            com_body: [a, 0.0, 0.0],
            inertia_body: [0.2, 0.2, inertia, 0.0, 0.0, 0.0],
        });
        let body = world.add_body_at("sleigh", sleigh, pose).unwrap();
        let ice = PlanarSlide {
            normal_world: [0.0, 0.0, 1.0],
        };
        world
            .join("ice", ice, GROUND.at([0.0; 3]), body.at([0.0; 3]))
            .unwrap();
        world
            .add_constraint("blade", KnifeEdge, &[body.frame_at([0.0; 3])])
            .unwrap();
        world
            .set_v(body, &[velocity[0], velocity[1], 0.0, 0.0, 0.0, w])
            .unwrap();
        accelerations(&world, |answer| {
            let a = answer.of("sleigh");
            answer.close(
                &[a[0], a[1], a[5]],
                &[expected[0], expected[1], turn],
                1e-12,
            );
            answer.close(answer.lambda("blade"), &[MASS * across], 1e-12);
        });
    }
}
