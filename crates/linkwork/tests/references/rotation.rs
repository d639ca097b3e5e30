//! Tops.
//!
//! References: rigid rotation; heavy top of Géradin and Cardona.

use linkwork::body::MassProperties;
use linkwork::math::{
    Vec3, add, cross, mat_t_vec, mat_vec, quat_exp, quat_to_matrix, rotation_exp, scale, sub,
};
use linkwork::prelude::*;
use linkwork_scene::scene;

use crate::support::{G, accelerations, close, rigid, vec3};

/// I₁·ω̇₁ = (I₂ − I₃)·ω₂·ω₃ and so on, in body axes, whatever the orientation.
#[test]
fn a_free_top() {
    let moments = [1.0, 2.0, 3.0];
    for omega in [[0.5, 0.0, 1.0], [0.01, 1.0, 0.0], [0.3, -0.7, 1.1]] {
        let euler: Vec3 = [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            (moments[j] - moments[k]) * omega[j] * omega[k] / moments[i]
        });
        for turn in [[0.0; 3], [0.7, -1.1, 0.4]] {
            let mut world = World::new();
            let pose = Pose::turned([1.0, 2.0, 3.0], turn);
            let top = world.add_body_at("top", rigid(2.0, moments), pose).unwrap();
            let rotation = rotation_exp(turn);
            let w = mat_vec(&rotation, omega);
            world
                .set_v(top, &[0.0, 0.0, 0.0, w[0], w[1], w[2]])
                .unwrap();
            accelerations(&world, |answer| {
                // d/dt of ω is the same in space and in the body.
                let found = mat_t_vec(&rotation, vec3(&answer.of("top")[3..]));
                answer.close(&found, &euler, 1e-13);
            });
        }
    }
}

/// The benchmark's top at its start, by Euler's equations about the fixed point.
#[test]
fn the_heavy_top_starts() {
    let moments = [15.234375, 0.46875, 15.234375];
    let omega: Vec3 = [0.0, 150.0, -4.61538];
    let spin = [0, 1, 2].map(|k| moments[k] * omega[k]);
    let weight = cross([0.0, 1.0, 0.0], [0.0, 0.0, -15.0 * G]);
    let rate = sub(weight, cross(omega, spin));
    let alpha = [0, 1, 2].map(|k| rate[k] / moments[k]);
    let r = [0.0, 1.0, 0.0];
    let a = add(cross(alpha, r), cross(omega, cross(omega, r)));
    accelerations(&scene("heavy-top").unwrap(), |answer| {
        answer.close(&answer.of("top")[..3], &a, 1e-12);
        answer.close(&answer.of("top")[3..], &alpha, 1e-12);
        // What the tip carries: m·(a − g).
        let tip = [15.0 * a[0], 15.0 * a[1], 15.0 * (a[2] + G)];
        answer.close(answer.lambda("tip"), &tip, 1e-12);
    });
}

/// Steady precession: I₁'·Ω²·cos θ − I₃·ω₃·Ω + m·g·l = 0, and everything turns with Ω about z. The
/// first case is the benchmark's top held level: ω₃ = 150 goes with Ω = 2.0928.
#[test]
fn a_top_precesses_steadily() {
    let (mass, length, transverse, axial) = (15.0, 1.0, 15.234375, 0.46875);
    for (theta, rate) in [
        (0.5 * std::f64::consts::PI, 2.0928f64),
        (0.6, 3.0),
        (2.2, 1.4),
    ] {
        let cos = if rate == 2.0928 { 0.0 } else { theta.cos() };
        let spin = (transverse * rate * rate * cos + mass * G * length) / (axial * rate);
        let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
        let body = RigidBody::new(MassProperties {
            mass,
            com_body: [0.0, 0.0, length],
            inertia_body: [0.234375, 0.234375, axial, 0.0, 0.0, 0.0],
        });
        // The axle is z of the body, turned by θ about y.
        let pose = Pose {
            position: [0.0; 3],
            rotation: quat_exp([0.0, theta, 0.0]),
        };
        let top = world.add_body_at("top", body, pose).unwrap();
        world
            .join("tip", Ball, GROUND.at([0.0; 3]), top.at([0.0; 3]))
            .unwrap();
        let axis = mat_vec(&quat_to_matrix(pose.rotation), [0.0, 0.0, 1.0]);
        let up = [0.0, 0.0, rate];
        // ω₃ is the whole spin about the axle, of which Ω·cos θ comes from the precession.
        let omega = add(up, scale(spin - rate * cos, axis));
        let v = cross(omega, scale(length, axis));
        world
            .set_v(top, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
            .unwrap();
        accelerations(&world, |answer| {
            let a = cross(up, cross(up, scale(length, axis)));
            answer.close(&answer.of("top")[..3], &a, 1e-11);
            answer.close(&answer.of("top")[3..], &cross(up, omega), 1e-11);
            let force = add(scale(mass, a), [0.0, 0.0, mass * G]);
            answer.close(answer.lambda("tip"), &force, 1e-11);
        });
        if cos == 0.0 {
            close("spin", &[spin], &[150.0], 1e-12);
        }
    }
}
