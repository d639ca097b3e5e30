//! Gears, shafts, screws and drives.
//!
//! References: gears and couplings.

use linkwork::behavior::Axes;
use linkwork::body::PlanarBody;
use linkwork::constraint::{DriveClosure, FramePair, SpinRelation};
use linkwork::math::{Vec3, cross, unit};
use linkwork::prelude::*;

use crate::support::{accelerations, close, rigid, velocities};

/// A shaft that turns about an axis through a point of the ground. Its x is along the axis.
fn shaft(world: &mut World, label: &str, at: Vec3, axis_world: Vec3, axial: f64) -> BodyId {
    let x = unit(axis_world).unwrap();
    let (y, z) = linkwork::math::complete_basis(x);
    let pose = Pose {
        position: at,
        rotation: linkwork::math::quat_from_matrix(&linkwork::math::transpose(&[x, y, z])),
    };
    let body = rigid(2.0, [axial, 1.5, 1.5]);
    let body = world.add_body_at(label, body, pose).unwrap();
    let bearing = Hinge { axis_world };
    let label = format!("bearing {label}");
    world
        .join(&label, bearing, GROUND.at(at), body.at([0.0; 3]))
        .unwrap();
    body
}

/// Drives a shaft's spin at a constant rate.
fn drive(world: &mut World, label: &str, body: BodyId, rate: f64) {
    let pose = world.pose(body).unwrap().unwrap();
    let rotation = linkwork::math::quat_to_matrix(pose.rotation);
    let frames = [
        GROUND.frame(pose.position, rotation),
        body.frame_at([0.0; 3]),
    ];
    let function = Ramp { start: 0.0, rate };
    world
        .add_constraint(label, AngleDrive::new(function), &frames)
        .unwrap();
}

/// The spin of a shaft about its own x.
fn spin(world: &World, label: &str) -> f64 {
    let body = world.find_body(label).unwrap();
    let value = world.connector_value(&body.frame_at([0.0; 3])).unwrap();
    let axis = [value.x[3], value.x[6], value.x[9]];
    (0..3).map(|k| axis[k] * value.x_dot[3 + k]).sum()
}

/// ω₂/ω₁ = cos β/(1 − sin²β·cos²θ₁), θ₁ from where the driving pin lies in the plane of the shafts.
#[test]
fn hooke_joint() {
    for beta_deg in [10.0f64, 40.0, 70.0] {
        let beta = beta_deg.to_radians();
        for step in 0..12 {
            let theta = 0.1 + std::f64::consts::TAU * f64::from(step) / 12.0;
            let out = [beta.cos(), beta.sin(), 0.0];
            let pin_a = [0.0, theta.cos(), theta.sin()];
            let mut world = World::new();
            let input = shaft(&mut world, "input", [0.0; 3], [1.0, 0.0, 0.0], 0.5);
            let output = shaft(&mut world, "output", [0.0; 3], out, 0.7);
            let joint = Universal {
                axis_a_world: pin_a,
                axis_b_world: cross(out, pin_a),
            };
            world
                .join("cross", joint, input.at([0.0; 3]), output.at([0.0; 3]))
                .unwrap();
            drive(&mut world, "motor", input, 3.0);
            let sine = beta.sin() * theta.cos();
            let ratio = beta.cos() / (1.0 - sine * sine);
            velocities(&world, |moving, method| {
                let found = [spin(moving, "input"), spin(moving, "output")];
                close(method.name(), &found, &[3.0, 3.0 * ratio], 1e-10);
            });
        }
    }
}

/// Two Hooke joints in phase between parallel shafts give back the input's speed.
#[test]
fn double_hooke_joint() {
    let (beta, theta) = (0.6f64, 0.1f64);
    let middle_axis = [beta.cos(), beta.sin(), 0.0];
    let pin = [0.0, theta.cos(), theta.sin()];
    let mut world = World::new();
    let input = shaft(&mut world, "input", [0.0; 3], [1.0, 0.0, 0.0], 0.5);
    let middle = shaft(&mut world, "middle", middle_axis, middle_axis, 0.3);
    let far = [2.0 * middle_axis[0], 2.0 * middle_axis[1], 0.0];
    let output = shaft(&mut world, "output", far, [1.0, 0.0, 0.0], 0.7);
    let fork = cross(middle_axis, pin);
    let first = Universal {
        axis_a_world: pin,
        axis_b_world: fork,
    };
    let second = Universal {
        axis_a_world: fork,
        axis_b_world: pin,
    };
    let on_middle = |s: f64| middle.at([s, 0.0, 0.0]);
    world
        .join("one", first, input.at([0.0; 3]), on_middle(-1.0))
        .unwrap();
    world
        .join("two", second, on_middle(1.0), output.at([0.0; 3]))
        .unwrap();
    drive(&mut world, "motor", input, 2.0);
    velocities(&world, |moving, method| {
        let found = [spin(moving, "input"), spin(moving, "output")];
        close(method.name(), &found, &[2.0, 2.0], 1e-11);
        assert!((spin(moving, "middle") - 2.0).abs() > 0.1);
    });
}

/// r₁·ω₁ = −r₂·ω₂, and an inner mesh turns the same way.
#[test]
fn gears() {
    for (teeth, expected) in [((20.0, 30.0), -4.0), ((20.0, -30.0), 4.0)] {
        let mut world = World::new();
        let a = shaft(&mut world, "a", [0.0; 3], [0.0, 0.0, 1.0], 0.5);
        let b = shaft(&mut world, "b", [5.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.7);
        let mesh = SpinRelation::gear(teeth.0, teeth.1);
        let frames = [
            a.frame_at([0.0; 3]),
            b.frame_at([0.0; 3]),
            GROUND.frame_at([0.0; 3]),
        ];
        world.add_constraint("mesh", mesh, &frames).unwrap();
        drive(&mut world, "motor", a, 6.0);
        velocities(&world, |moving, method| {
            close(method.name(), &[spin(moving, "b")], &[expected], 1e-12);
        });
    }
}

/// A torque through gears feels I₁ + I₂·(r₁/r₂)².
#[test]
fn gears_reflect_inertia() {
    let mut world = World::new();
    let a = shaft(&mut world, "a", [0.0; 3], [0.0, 0.0, 1.0], 0.5);
    let b = shaft(&mut world, "b", [5.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.9);
    let frames = [
        a.frame_at([0.0; 3]),
        b.frame_at([0.0; 3]),
        GROUND.frame_at([0.0; 3]),
    ];
    world
        .add_constraint("mesh", SpinRelation::gear(2.0, 3.0), &frames)
        .unwrap();
    let ends = [
        GROUND.frame_along([0.0; 3], [0.0, 0.0, 1.0]),
        a.frame_at([0.0; 3]),
    ];
    world
        .add_behavior("motor", Motor { torque: 1.8 }, &ends)
        .unwrap();
    let alpha = 1.8 / (0.5 + 0.9 * 4.0 / 9.0);
    accelerations(&world, |answer| {
        answer.close(&[answer.of("a")[5]], &[alpha], 1e-12);
        answer.close(&[answer.of("b")[5]], &[-alpha * 2.0 / 3.0], 1e-12);
        // The mesh turns a with λ·2 and b with λ·3.
        let lambda = -0.9 * alpha * 2.0 / 3.0 / 3.0;
        answer.close(answer.lambda("mesh"), &[lambda], 1e-12);
    });
}

/// Willis: (ω_sun − ω_carrier)/(ω_ring − ω_carrier) = −Z_ring/Z_sun.
#[test]
fn planetary_gear() {
    let axis = [0.3, -0.2, 0.9];
    let (z_sun, z_ring) = (24.0, 72.0);
    for (sun_rate, carrier_rate) in [(5.0, 0.0), (5.0, 2.0), (0.0, -3.0)] {
        let mut world = World::new();
        let sun = shaft(&mut world, "sun", [0.0; 3], axis, 0.5);
        let ring = shaft(&mut world, "ring", [0.0; 3], axis, 0.8);
        let carrier = shaft(&mut world, "carrier", [0.0; 3], axis, 0.3);
        let frames = [sun, ring, carrier].map(|body| body.frame_at([0.0; 3]));
        let relation = SpinRelation::new(&[z_sun, z_ring]);
        world.add_constraint("planets", relation, &frames).unwrap();
        drive(&mut world, "sun motor", sun, sun_rate);
        drive(&mut world, "carrier motor", carrier, carrier_rate);
        let ring_rate = carrier_rate - (sun_rate - carrier_rate) * z_sun / z_ring;
        velocities(&world, |moving, method| {
            close(method.name(), &[spin(moving, "ring")], &[ring_rate], 1e-12);
        });
    }
}

/// The same relation between bodies of the plane: a carrier that turns counts.
#[test]
fn planetary_gear_of_the_plane() {
    let (z_sun, z_ring) = (24.0, 72.0);
    let (i_sun, i_ring, i_carrier, torque) = (0.5, 0.8, 0.3, 1.1);
    let mut world = World::new();
    let ids = [("sun", i_sun), ("ring", i_ring), ("carrier", i_carrier)].map(|(label, inertia)| {
        let body = PlanarBody {
            mass: 1.0,
            inertia,
            com_body: [0.0; 2],
            outline: None,
        };
        let body = world.add_body(label, body).unwrap();
        let ends = [GROUND.at([0.0, 0.0]), body.at([0.0, 0.0])];
        let pin = format!("pin {label}");
        world
            .add_constraint(&pin, FramePair::ball(), &ends)
            .unwrap();
        body.frame2([0.0, 0.0], 0.0)
    });
    let relation = SpinRelation::new(&[z_sun, z_ring]);
    world.add_constraint("planets", relation, &ids).unwrap();
    let ends = [GROUND.frame2([0.0, 0.0], 0.0), ids[0]];
    world
        .add_behavior("motor", Motor { torque }, &ends)
        .unwrap();
    // I·α = applied + row·λ, row = (Z_s, Z_r, −Z_s − Z_r), row·α = 0.
    let row = [z_sun, z_ring, -z_sun - z_ring];
    let inertia = [i_sun, i_ring, i_carrier];
    let give: f64 = (0..3).map(|k| row[k] * row[k] / inertia[k]).sum();
    let lambda = -row[0] * torque / i_sun / give;
    let applied = [torque, 0.0, 0.0];
    let alpha = [0, 1, 2].map(|k| (applied[k] + row[k] * lambda) / inertia[k]);
    accelerations(&world, |answer| {
        let found = ["sun", "ring", "carrier"].map(|label| answer.of(label)[2]);
        answer.close(&found, &alpha, 1e-12);
        answer.close(answer.lambda("planets"), &[lambda], 1e-12);
        let willis = (found[0] - found[2]) / (found[1] - found[2]);
        answer.close(&[willis], &[-z_ring / z_sun], 1e-11);
    });
}

/// ω_left + ω_right = 2·ω_case, and both shafts are turned by the same torque.
#[test]
fn differential() {
    let axis = [0.0, 1.0, 0.0];
    let (i_left, i_right, i_case, torque) = (0.5, 1.3, 0.8, 2.0);
    let mut world = World::new();
    let left = shaft(&mut world, "left", [0.0; 3], axis, i_left);
    let right = shaft(&mut world, "right", [0.0; 3], axis, i_right);
    let case = shaft(&mut world, "case", [0.0; 3], axis, i_case);
    let frames = [left, right, case].map(|body| body.frame_at([0.0; 3]));
    world
        .add_constraint("bevels", SpinRelation::differential(), &frames)
        .unwrap();
    let ends = [GROUND.frame_along([0.0; 3], axis), case.frame_at([0.0; 3])];
    world
        .add_behavior("motor", Motor { torque }, &ends)
        .unwrap();
    let lambda = 2.0 * torque / i_case / (1.0 / i_left + 1.0 / i_right + 4.0 / i_case);
    accelerations(&world, |answer| {
        let alpha = ["left", "right", "case"].map(|label| answer.of(label)[4]);
        let expected = [
            lambda / i_left,
            lambda / i_right,
            (torque - 2.0 * lambda) / i_case,
        ];
        answer.close(&alpha, &expected, 1e-12);
        answer.close(&[alpha[0] + alpha[1]], &[2.0 * alpha[2]], 1e-12);
        answer.close(answer.lambda("bevels"), &[lambda], 1e-12);
    });
    // With one wheel held, the other turns twice as fast as the case.
    let mut driven = world.clone();
    drive(&mut driven, "brake", left, 0.0);
    drive(&mut driven, "engine", case, 1.5);
    velocities(&driven, |moving, method| {
        close(method.name(), &[spin(moving, "right")], &[3.0], 1e-12);
    });
}

/// A nut on a thread of pitch p: (m·p² + I)·θ̈ = p·F + T; at rest when T = −p·F.
#[test]
fn screw() {
    let (mass, axial) = (2.0, 0.05);
    for (pitch, force, torque) in [(0.01, 30.0, 0.0), (0.2, 0.0, 0.4), (-0.1, 5.0, 0.5)] {
        let mut world = World::new();
        let nut = world
            .add_body("nut", rigid(mass, [axial, 0.08, 0.08]))
            .unwrap();
        let frames = [GROUND.frame_at([0.0; 3]), nut.frame_at([0.0; 3])];
        world
            .add_constraint("thread", Screw { pitch }, &frames)
            .unwrap();
        let load = ConstantForce {
            force: [force, 0.0, 0.0],
            torque: [torque, 0.0, 0.0],
            axes: Axes::World,
        };
        world.add_behavior("load", load, &frames[1..]).unwrap();
        let alpha = (pitch * force + torque) / (mass * pitch * pitch + axial);
        accelerations(&world, |answer| {
            let a = answer.of("nut");
            answer.close(a, &[pitch * alpha, 0.0, 0.0, alpha, 0.0, 0.0], 1e-12);
            // λ is the thread's push along the axis; it turns the nut with −p·λ.
            let lambda = answer.lambda("thread")[4];
            answer.close(&[lambda], &[mass * pitch * alpha - force], 1e-12);
        });
    }
    // The third case is in balance by choice: −0.1·5 + 0.5 = 0.
}

/// A motor that must speed up a wheel with α needs I·α, about the pivot.
#[test]
fn an_angle_drive_needs_torque() {
    let (mass, arm, inertia) = (2.0, 0.4, 0.3);
    for t in [0.0, 0.7] {
        let mut world = World::new();
        let body = rigid(mass, [0.2, 0.2, inertia]);
        let body = world
            .add_body_at("wheel", body, Pose::at([arm, 0.0, 0.0]))
            .unwrap();
        let pivot = body.at([-arm, 0.0, 0.0]);
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        world
            .join("axle", hinge, GROUND.at([0.0; 3]), pivot)
            .unwrap();
        // The angle is zero now, whatever t: 0.6·s + 2.5·s² with s = t − now.
        let function = DriveClosure(move |now: f64| {
            let s = now - t;
            [0.6 * s + 2.5 * s * s, 0.6 + 5.0 * s, 5.0]
        });
        let z = [0.0, 0.0, 1.0];
        let frames = [
            GROUND.frame_along([0.0; 3], z),
            body.frame_along([-arm, 0.0, 0.0], z),
        ];
        world
            .add_constraint("motor", AngleDrive::new(function), &frames)
            .unwrap();
        world.set_time(t).unwrap();
        velocities(&world, |moving, method| {
            close(
                method.name(),
                &moving.state().v,
                &[0.0, 0.6 * arm, 0.0, 0.0, 0.0, 0.6],
                1e-12,
            );
        });
        world
            .set_v(body, &[0.0, 0.6 * arm, 0.0, 0.0, 0.0, 0.6])
            .unwrap();
        accelerations(&world, |answer| {
            answer.close(&[answer.of("wheel")[5]], &[5.0], 1e-12);
            let torque = (inertia + mass * arm * arm) * 5.0;
            answer.close(answer.lambda("motor"), &[torque], 1e-12);
            // The axle pulls with m·ω²·r towards the pivot and pushes with m·α·r across.
            let axle = [-mass * 0.36 * arm, mass * 5.0 * arm, 0.0];
            answer.close(&answer.lambda("axle")[..3], &axle, 1e-12);
        });
    }
}
