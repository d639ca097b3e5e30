//! Solids that deform, in worlds: what flies keeps its momenta, what is held is rigid, joints hold on any matter, all
//! methods agree, what yields stays.

#![allow(clippy::unwrap_used, missing_docs)] // A panic is how a test fails.

mod hands;
mod soft;
mod touch;

use linkwork::body::{Body, Displacement, Freedom, MassProperties, Matter, ShapeBody};
use linkwork::constraint::FramePair;
use linkwork::math::{add, cross, norm, scale, sub};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork::step::Cause;

const FREE: Freedom = Freedom {
    stiffness: 4.0,
    damping: 0.0,
};

fn form() -> SuperquadricForm {
    SuperquadricForm {
        taper: [0.1, 0.0],
        bend: [0.2, 0.0],
        ..SuperquadricForm::new([0.10, 0.15, 0.40], [1.0, 1.0])
    }
}

/// Sizes, taper and bend are free.
fn supple(stiffness: f64) -> Matter {
    let free = Some(Freedom { stiffness, ..FREE });
    Matter {
        density: 300.0,
        free: [free, None, free, None, None, free],
        ..Matter::default()
    }
}

fn held() -> Matter {
    Matter {
        density: 300.0,
        ..Matter::default()
    }
}

fn body(matter: Matter) -> ShapeBody {
    ShapeBody::superquadric(form(), matter).unwrap()
}

fn momenta(world: &World) -> ([f64; 3], [f64; 3]) {
    let mut sum = ([0.0; 3], [0.0; 3]);
    for record in world.bodies() {
        let (q, v) = (world.q(record.id()).unwrap(), world.v(record.id()).unwrap());
        let own = record.body().momentum(q, v);
        sum = (add(sum.0, own.linear), add(sum.1, own.angular));
    }
    sum
}

/// Far from the origin and in short steps: places are round-off of 1e-15 m there, and over 1 ms that were 1e-12 m/s.
#[test]
fn momenta_stay_far_away_and_in_short_steps() {
    let mut world = World::new();
    let id = world.add_body("body", body(supple(4.0))).unwrap();
    world.set_pose(id, Pose::at([10.0, -20.0, 5.0])).unwrap();
    let mut v = world.v(id).unwrap().to_vec();
    v[..6].copy_from_slice(&[1.0, 2.0, 3.0, 1.5, 3.0, 0.9]);
    world.set_v(id, &v).unwrap();
    let (linear, angular) = momenta(&world);
    let options = StepOptions::interactive(1e-3);
    let mut simulator = Simulator::new();
    for _ in 0..1000 {
        simulator.step(&mut world, &options).unwrap();
    }
    let now = momenta(&world);
    let worst = [
        norm(sub(now.0, linear)) / norm(linear),
        norm(sub(now.1, angular)) / norm(angular),
    ];
    assert!(worst.iter().all(|worst| *worst < 1e-12), "{worst:?}");
}

/// The prototype's case: spun, pulsing and bending for 20 s at 1/60 s.
#[test]
fn a_spinning_pulsing_bending_body_keeps_momenta_and_energy() {
    let mut world = World::new();
    let id = world.add_body("body", body(supple(4.0))).unwrap();
    let mut v = world.v(id).unwrap().to_vec();
    v[..6].copy_from_slice(&[1.0, 0.0, 0.0, 1.5, 3.0, 0.9]);
    world.set_v(id, &v).unwrap();
    let (linear, angular) = momenta(&world);
    let start = world.energy().unwrap().total();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let mut worst = [0.0f64; 3];
    for _ in 0..1200 {
        simulator.step(&mut world, &options).unwrap();
        let now = momenta(&world);
        worst[0] = worst[0].max(norm(sub(now.0, linear)) / norm(linear));
        worst[1] = worst[1].max(norm(sub(now.1, angular)) / norm(angular));
        let energy = world.energy().unwrap().total();
        worst[2] = worst[2].max((energy / start - 1.0).abs());
    }
    println!("linear, angular, energy: {worst:?}");
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{worst:?}");
    assert!(worst[2] < 1e-3, "{worst:?}");
    // It did bend.
    let shape = world.q(id).unwrap()[7..].to_vec();
    let born = {
        let mut q = vec![0.0; world.q(id).unwrap().len()];
        body(supple(4.0)).initial_q(&mut q);
        q[7..].to_vec()
    };
    assert!(
        shape
            .iter()
            .zip(&born)
            .any(|(q, born)| (q - born).abs() > 1e-3)
    );
}

/// What spins so fast that it gives way faster than sub-steps follow is left to the implicit step, and told so: without
/// what is given back there, both stop at once, the second at 14 rad/s.
#[test]
fn what_spins_too_fast_keeps_its_momenta() {
    let mut fast = SuperquadricForm::new([0.96, 0.02, 0.018], [0.44, 1.0]);
    let mut slow = SuperquadricForm::new([0.0617, 0.2602, 0.5816], [0.33, 0.93]);
    (fast.taper, slow.taper) = ([0.0; 2], [0.423, 0.01]);
    let of = |stiffness: f64, damping: f64| Some(Freedom { stiffness, damping });
    let cases = [
        (
            fast,
            [
                of(3.9e4, 5.5),
                of(400.0, 0.0),
                None,
                None,
                None,
                of(1.8e6, 0.0),
            ],
            [94.6, 272.3, 240.4],
        ),
        (
            slow,
            [
                None,
                of(0.14, 0.0),
                of(5.4, 0.08),
                of(2.9e4, 0.0),
                None,
                of(76.0, 0.0),
            ],
            [2.24, 11.15, -8.57],
        ),
    ];
    for (form, free, spin) in cases {
        let matter = Matter { free, ..held() };
        let mut world = World::new();
        let body = ShapeBody::superquadric(form, matter).unwrap();
        let id = world.add_body("body", body).unwrap();
        let mut v = world.v(id).unwrap().to_vec();
        v[0] = 1.0;
        v[3..6].copy_from_slice(&spin);
        world.set_v(id, &v).unwrap();
        let (linear, angular) = momenta(&world);
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut simulator = Simulator::new();
        let (mut damped, mut as_shape) = (0, 0);
        for _ in 0..15 {
            let report = simulator.step(&mut world, &options).unwrap();
            damped += report.last_resorts();
            let shapes = report.rungs.iter().filter(|own| own.1 == Cause::Shape);
            as_shape += shapes.filter(|own| own.0.is_last_resort()).count();
        }
        let now = momenta(&world);
        let lost = [
            norm(sub(now.0, linear)) / norm(linear),
            norm(sub(now.1, angular)) / norm(angular),
        ];
        println!("{spin:?}: {lost:?}, {damped} last resorts, {as_shape}");
        assert!(lost.iter().all(|lost| *lost < 1e-10), "{spin:?}: {lost:?}");
        assert!(damped > 0 && as_shape > 0, "{spin:?}: {damped}, {as_shape}");
    }
}

/// The rigid body with the mass of a solid.
fn rigid_like(solid: &ShapeBody) -> RigidBody {
    let mut q = vec![0.0; solid.n_q()];
    solid.initial_q(&mut q);
    let (mass, center) = solid.center_of_mass(&q);
    let n = solid.n_v();
    let mut inertia = vec![0.0; n * n];
    solid.mass(&q, &mut inertia);
    let square: f64 = center.iter().map(|x| x * x).sum();
    // About the center: I_c = I_o − m·(|c|²·1 − c·cᵀ).
    let at = |i: usize, j: usize| {
        let own = if i == j { square } else { 0.0 };
        inertia[n * (3 + i) + 3 + j] - mass * (own - center[i] * center[j])
    };
    RigidBody::new(MassProperties {
        mass,
        com_body: center,
        inertia_body: [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)],
    })
}

fn distance(world: &World, a: BodyId, b: BodyId) -> f64 {
    let (a, b) = (
        world.pose(a).unwrap().unwrap(),
        world.pose(b).unwrap().unwrap(),
    );
    let along: f64 = a.rotation.iter().zip(b.rotation).map(|(a, b)| a * b).sum();
    let turned: f64 = (0..4)
        .map(|k| (a.rotation[k] - along.signum() * b.rotation[k]).abs())
        .fold(0.0, f64::max);
    turned.max(norm(sub(a.position, b.position)))
}

#[test]
fn a_solid_whose_shape_is_held_moves_as_a_rigid_body() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let solid = body(held());
    let rigid = world.add_body("rigid", rigid_like(&solid)).unwrap();
    let solid = world.add_body("solid", solid).unwrap();
    let omega = [1.0, 2.0, -0.7];
    let center = match world.body_record(rigid).unwrap().body().as_rigid() {
        Some(own) => own.properties().com_body,
        None => [0.0; 3],
    };
    let v = cross(omega, center);
    world
        .set_v(rigid, &[v[0], v[1], v[2], 1.0, 2.0, -0.7])
        .unwrap();
    world
        .set_v(solid, &[0.0, 0.0, 0.0, 1.0, 2.0, -0.7])
        .unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..300 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
    }
    let apart = distance(&world, rigid, solid);
    println!("apart {apart:e}");
    assert!(apart < 1e-9, "{apart:e}");
}

/// The same on a joint, at the same accelerations and, step by step, to what schemes leave.
#[test]
fn a_solid_whose_shape_is_held_swings_as_a_rigid_body() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    // Round about its axis, for which flights in closed form and in parts agree.
    let form = SuperquadricForm::new([0.1, 0.1, 0.4], [0.7, 1.0]);
    let solid = ShapeBody::superquadric(form, held()).unwrap();
    let rigid = world.add_body("rigid", rigid_like(&solid)).unwrap();
    let solid = world.add_body("solid", solid).unwrap();
    let (top, anchor) = ([0.0, 0.0, 0.4], [0.0, 0.0, 0.4]);
    world
        .join("a", Ball, GROUND.at(anchor), rigid.at(top))
        .unwrap();
    let pole = solid.surface(std::f64::consts::FRAC_PI_2, 0.0);
    world.join("b", Ball, GROUND.at(anchor), pole).unwrap();
    for id in [rigid, solid] {
        let omega = [1.0, 0.5, 2.0];
        let v = cross(omega, scale(-1.0, top));
        world
            .set_v(id, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])
            .unwrap();
    }
    let mut simulator = Simulator::new();
    for _ in 0..120 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
    }
    let apart = distance(&world, rigid, solid);
    println!("apart {apart:e}");
    assert!(apart < 1e-9, "{apart:e}");
}

/// Two supple bodies on a rigid one, by a ball, a hinge and a weld, adrift.
fn linked() -> World {
    let mut world = World::new();
    let left = world
        .add_body_at("left", body(supple(4.0)), Pose::at([-0.3, 0.0, 0.4]))
        .unwrap();
    let right = world
        .add_body_at("right", body(supple(4.0)), Pose::at([0.3, 0.0, 0.4]))
        .unwrap();
    let rod = world
        .add_body(
            "rod",
            Rod {
                length: 0.6,
                radius: 0.02,
                mass: 1.0,
            },
        )
        .unwrap();
    let more = world
        .add_body_at("more", body(supple(40.0)), Pose::at([0.3, 0.0, 1.2]))
        .unwrap();
    let at = |world: &World, id, x| world.point_of(id, x).unwrap();
    let (a, b) = ([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0]);
    let (la, rb) = (at(&world, left, a), at(&world, right, b));
    world.join("ball", Ball, rod.at(a), la).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 1.0, 0.0],
    };
    world.join("hinge", hinge, rod.at(b), rb).unwrap();
    let c = [0.3, 0.0, 0.8];
    let (rc, mc) = (at(&world, right, c), at(&world, more, c));
    world.join("weld", Weld, rc, mc).unwrap();
    for (k, id) in [left, right, rod, more].into_iter().enumerate() {
        let mut v = world.v(id).unwrap().to_vec();
        let x = world.pose(id).unwrap().unwrap().position;
        let turn = cross([0.5, 1.0, 0.3], x);
        for i in 0..3 {
            v[i] = turn[i] + 0.1 * k as f64;
            v[3 + i] = [0.5, 1.0, 0.3][i];
        }
        world.set_v(id, &v).unwrap();
    }
    world
}

fn open(world: &World) -> f64 {
    let errors = world.constraint_errors().unwrap();
    errors
        .iter()
        .map(|error| error.position)
        .fold(0.0, f64::max)
}

#[test]
fn joints_on_any_matter_hold_and_momenta_stay() {
    let mut world = linked();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    assert!(open(&world) < 1e-12, "{:e}", open(&world));
    // Rates that the joints allow.
    simulator.step(&mut world, &options).unwrap();
    let (linear, angular) = momenta(&world);
    let start = world.energy().unwrap().total();
    let mut worst = [0.0f64; 4];
    for _ in 0..600 {
        simulator.step(&mut world, &options).unwrap();
        let now = momenta(&world);
        worst[0] = worst[0].max(norm(sub(now.0, linear)) / norm(linear));
        worst[1] = worst[1].max(norm(sub(now.1, angular)) / norm(angular));
        worst[2] = worst[2].max(open(&world));
        let energy = world.energy().unwrap().total();
        worst[3] = worst[3].max(energy / start - 1.0);
    }
    println!("linear, angular, gap, energy gained: {worst:?}");
    assert!(worst[0] < 1e-9 && worst[1] < 1e-8, "{worst:?}");
    assert!(worst[2] < 1e-9, "{worst:?}");
    assert!(worst[3] < 5e-3, "{worst:?}");
    let errors = world.constraint_errors().unwrap();
    assert!(errors.iter().all(|error| error.size() < 1e-8));
}

/// Gaps stay closed whatever the stiffness, held by the matter of the tip.
#[test]
fn joints_hold_at_every_stiffness() {
    for stiffness in [1e-2, 1e2, 1e5, 1e9] {
        let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
        let id = world.add_body("body", body(supple(stiffness))).unwrap();
        let tip = id.surface(std::f64::consts::FRAC_PI_2, 0.0);
        let x = world.position_world(&tip).unwrap();
        world.join("tip", Ball, GROUND.at(x), tip).unwrap();
        let side = id.surface_frame(0.0, 0.0);
        assert!(world.connector_value(&side).is_ok());
        let mut simulator = Simulator::new();
        for frame in 0..120 {
            simulator
                .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
            assert!(
                open(&world) < 1e-9,
                "{stiffness} at {frame}: {:e}",
                open(&world)
            );
        }
    }
}

#[test]
fn all_methods_agree() {
    let mut world = linked();
    let right = world.find_body("right").unwrap();
    let volume = right.scalar(ShapeBody::VOLUME);
    let value = world.connector_value(&volume).unwrap().x[0];
    let hold = linkwork::constraint::ScalarEquals::number(value);
    world.add_constraint("volume", hold, &[volume]).unwrap();
    check_that_methods_agree(&world);
}

/// Accelerations by every method are those of `Direct`.
fn check_that_methods_agree(world: &World) {
    let mut simulator = Simulator::new();
    let reference = simulator
        .accelerations(world, Method::Direct)
        .motion
        .clone();
    let size = reference.iter().fold(0.0f64, |m, a| m.max(a.abs()));
    assert!(size > 0.1);
    for method in Method::ALL {
        let found = simulator.accelerations(world, method).motion.clone();
        for (found, expected) in found.iter().zip(&reference) {
            let error = (found - expected).abs() / size;
            assert!(error < 1e-7, "{method:?}: {error:e}");
        }
    }
}

/// A coordinate of the shape is held, driven and coupled like any number, and the volume too.
#[test]
fn numbers_of_the_shape_are_held() {
    let mut world = World::new();
    let id = world.add_body("body", body(supple(4.0))).unwrap();
    let (volume, width) = (id.scalar(ShapeBody::VOLUME), id.scalar(0));
    let before = world.connector_value(&volume).unwrap().x[0];
    let hold = |value| linkwork::constraint::ScalarEquals::number(value);
    world
        .add_constraint("volume", hold(before), &[volume])
        .unwrap();
    world.add_constraint("width", hold(0.13), &[width]).unwrap();
    Simulator::new()
        .assemble(&mut world, &Default::default())
        .unwrap();
    let value = |own| world.connector_value(&own).unwrap().x[0];
    assert!((value(width) - 0.13).abs() < 1e-9);
    assert!((value(volume) / before - 1.0).abs() < 1e-9);
}

/// Bent by a hand far beyond its yield, and let go: it stays bent. Without yield it comes back.
#[test]
fn what_is_bent_stays_bent() {
    let bend = |yield_at: Option<f64>| {
        let mut world = World::new();
        let free = Some(Freedom {
            stiffness: 2.0,
            damping: 0.2,
        });
        let matter = Matter {
            density: 300.0,
            free: [None, None, None, None, None, free],
            yield_at,
            ..Matter::default()
        };
        let form = SuperquadricForm::new([0.04, 0.04, 0.5], [1.0, 1.0]);
        let body = ShapeBody::superquadric(form, matter).unwrap();
        let id = world.add_body("body", body).unwrap();
        let middle = id.frame_at([0.0; 3]);
        world
            .add_constraint(
                "middle",
                FramePair::weld(),
                &[GROUND.frame_at([0.0; 3]), middle],
            )
            .unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        let pull = linkwork::constraint::ScalarEquals::number(1.2);
        let hold = world
            .add_constraint("pull", pull, &[id.scalar(10)])
            .unwrap();
        world.close_over(hold, 0.5).unwrap();
        for _ in 0..40 {
            simulator.step(&mut world, &options).unwrap();
        }
        world.remove_constraint(hold).unwrap();
        for _ in 0..600 {
            simulator.step(&mut world, &options).unwrap();
        }
        world.connector_value(&id.scalar(10)).unwrap().x[0]
    };
    assert!(bend(None).abs() < 1e-3);
    let stayed = bend(Some(0.3));
    assert!((stayed - 0.9).abs() < 1e-3, "{stayed}");
}

/// A force of time.
#[derive(Debug)]
struct Beat;

impl linkwork::behavior::Behavior for Beat {
    fn inputs(&self) -> &[linkwork::connector::ConnectorKind] {
        &[linkwork::connector::ConnectorKind::Point3]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(
        &self,
        t: f64,
        _inputs: &[linkwork::connector::Input<'_>],
        out: &mut linkwork::behavior::Forces<'_>,
    ) {
        out.on(0)[0] = 0.4 * (8.0 * std::f64::consts::PI * t).cos();
    }
}

/// A wing that a force of time shakes, slower than it would swing by itself: how fast it bends where frames end is how
/// fast it bends between them. Forces of the ends of frames would leave rates that are half as large again.
#[test]
fn what_is_shaken_has_the_rates_of_its_motion() {
    let free = Some(Freedom {
        stiffness: 2.0,
        damping: 0.02,
    });
    let matter = Matter {
        density: 100.0,
        free: [None, None, None, None, None, free],
        ..Matter::default()
    };
    let form = SuperquadricForm::new([0.006, 0.1, 0.35], [0.6, 1.0]);
    let mut world = World::new();
    let wing = ShapeBody::superquadric(form, matter).unwrap();
    let id = world.add_body("wing", wing).unwrap();
    let pole = std::f64::consts::FRAC_PI_2;
    let root = world.position_world(&id.surface(-pole, 0.0)).unwrap();
    let hinge = GROUND.at(root);
    world
        .join("root", Ball, hinge, id.surface(-pole, 0.0))
        .unwrap();
    world
        .add_behavior("beat", Beat, &[id.surface(pole, 0.0)])
        .unwrap();
    let mut simulator = Simulator::new();
    let (mut bends, mut rates) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        let value = world.connector_value(&id.scalar(10)).unwrap();
        bends.push(value.x[0]);
        rates.push(value.x_dot[0]);
    }
    let (mut worst, mut most) = (0.0f64, 0.0f64);
    for k in 60..119 {
        let rate = 30.0 * (bends[k + 1] - bends[k - 1]);
        (worst, most) = (worst.max((rates[k] - rate).abs()), most.max(rate.abs()));
    }
    println!("off by {worst} of {most}");
    assert!(most > 0.1 && worst < 0.15 * most, "{worst} {most}");
}

const RUBBER: Displacement = Displacement {
    modes: None,
    young: 2e5,
    poisson: 0.3,
};

/// Pulled along z alone, an affine solid answers as Hooke says: `σ = E·ε`, and across it shrinks by ν·ε.
#[test]
fn affine_solids_have_the_stiffness_of_their_matter() {
    let matter = Matter {
        displacement: Some(RUBBER),
        ..held()
    };
    let body = ShapeBody::superquadric(form(), matter).unwrap();
    let (mut q, mut f) = (vec![0.0; body.n_q()], vec![0.0; body.n_v()]);
    body.initial_q(&mut q);
    let stretch = 1e-2;
    q[7..10].copy_from_slice(&[-0.3 * stretch, -0.3 * stretch, stretch]);
    body.internal_force(&q, &vec![0.0; f.len()], &mut f);
    let expected = -RUBBER.young * form().volume() * stretch;
    assert!((f[8] / expected - 1.0).abs() < 1e-12, "{f:?}");
    assert!(f[6].abs() + f[7].abs() < 1e-12 * expected.abs(), "{f:?}");
}

/// Spun, stretched and let go, an affine solid keeps its momenta, and energy to what a step leaves.
#[test]
fn affine_solids_keep_momenta_and_energy() {
    let matter = Matter {
        displacement: Some(RUBBER),
        ..held()
    };
    let mut world = World::new();
    let body = ShapeBody::superquadric(form(), matter).unwrap();
    let id = world.add_body("body", body).unwrap();
    let mut v = world.v(id).unwrap().to_vec();
    v[..9].copy_from_slice(&[1.0, 0.0, 0.0, 1.5, 3.0, 0.9, 0.1, -0.2, 0.3]);
    world.set_v(id, &v).unwrap();
    let (linear, angular) = momenta(&world);
    let start = world.energy().unwrap().total();
    let mut simulator = Simulator::new();
    let mut worst = [0.0f64; 3];
    for _ in 0..200 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 600.0))
            .unwrap();
        let now = momenta(&world);
        worst[0] = worst[0].max(norm(sub(now.0, linear)) / norm(linear));
        worst[1] = worst[1].max(norm(sub(now.1, angular)) / norm(angular));
        worst[2] = worst[2].max(world.energy().unwrap().total() / start - 1.0);
    }
    println!("linear, angular, energy gained: {worst:?}");
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10, "{worst:?}");
    assert!(worst[2] < 1e-3, "{worst:?}");
}

/// A mode swings in steps with the frequency of its eigenvalue, but for what the trapezoid makes of it.
#[test]
fn modes_have_their_frequencies() {
    let displacement = Displacement {
        modes: Some(3),
        ..RUBBER
    };
    let matter = Matter {
        displacement: Some(displacement),
        ..held()
    };
    let form = SuperquadricForm::new([0.05, 0.08, 0.5], [0.5, 0.5]);
    let body = ShapeBody::superquadric(form, matter).unwrap();
    let (n, stiffness) = (body.n_v(), {
        let mut q = vec![0.0; body.n_q()];
        body.initial_q(&mut q);
        body.strain(0, &q, &vec![0.0; body.n_v()], &mut [0.0])
            .stiffness
    });
    let mut mass = vec![0.0; n * n];
    let mut q = vec![0.0; body.n_q()];
    body.initial_q(&mut q);
    body.mass(&q, &mut mass);
    let omega = (stiffness / mass[6 * (n + 1)]).sqrt();
    let mut world = World::new();
    let id = world.add_body("bar", body).unwrap();
    q[7] = 1e-3;
    world.set_q(id, &q).unwrap();
    let mut simulator = Simulator::new();
    let h = 0.1 / omega;
    let (mut last, mut crossings) = (1e-3, Vec::new());
    for k in 0..400 {
        simulator
            .step(&mut world, &StepOptions::interactive(h))
            .unwrap();
        let now = world.q(id).unwrap()[7];
        if now * last < 0.0 {
            crossings.push(h * (k as f64 + last / (last - now)));
        }
        last = now;
    }
    let half = (crossings.last().unwrap() - crossings[0]) / (crossings.len() - 1) as f64;
    let found = std::f64::consts::PI / half;
    // tan(ω′h/2) = ωh/2.
    let expected = 2.0 / h * (0.5 * omega * h).atan();
    println!("{found} {expected} {omega}");
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
}
