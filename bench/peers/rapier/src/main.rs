//! Rapier on the four problems of `bench/peers/problems.py`.

use std::f64::consts::FRAC_PI_2;
use std::time::Instant;

use rapier3d_f64::na::Unit;
use rapier3d_f64::prelude::*;

const G: f64 = 9.81;
const FRICTION: f64 = 0.5;

fn at(x: f64, y: f64) -> Vector {
    Vector::new(x, y, 0.0)
}

fn body(x: f64, y: f64, angle: f64) -> RigidBodyBuilder {
    RigidBodyBuilder::dynamic()
        .translation(at(x, y))
        .rotation(AngVector::new(0.0, 0.0, angle))
        .can_sleep(false)
}

fn floor(world: &mut PhysicsWorld) {
    let up = Unit::new_unchecked(Vector::new(0.0, 1.0, 0.0));
    world.insert_collider(ColliderBuilder::halfspace(up).friction(FRICTION), None);
}

fn stack(world: &mut PhysicsWorld) {
    floor(world);
    for k in 0..10 {
        let mass = 10f64.powf(f64::from(k) * 2.0 / 9.0);
        let cube = ColliderBuilder::cuboid(0.1, 0.1, 0.1)
            .friction(FRICTION)
            .mass(mass);
        world.insert(body(0.0, 0.1 + 0.2 * f64::from(k), 0.0), cube);
    }
}

fn incline(world: &mut PhysicsWorld) {
    let angle = 0.99 * FRICTION.atan();
    world.gravity = at(G * angle.sin(), -G * angle.cos());
    floor(world);
    let block = ColliderBuilder::cuboid(0.2, 0.1, 0.3)
        .friction(FRICTION)
        .mass(2.0);
    world.insert(body(0.0, 0.1, 0.0), block);
}

/// As `chain` of `problems.py`: (x, y, angle) of each link.
fn links() -> Vec<(f64, f64, f64)> {
    let (reach, half) = (0.33f64, 0.1f64);
    let turn = 2.0 * (half / reach).atan();
    let side = |side: f64, n: usize| {
        let (rho, a) = (reach.hypot(half), 2.5 * turn);
        let x = side * rho * a.sin();
        (0..n).map(move |k| {
            let y = rho * a.cos() - 2.0 * half * (k as f64 + 0.5);
            (x, y, -side * FRAC_PI_2)
        })
    };
    let mut all: Vec<_> = side(-1.0, 47).collect();
    all.reverse();
    all.extend((-2..3).map(|k| {
        let a = turn * f64::from(k);
        (reach * a.sin(), reach * a.cos(), -a)
    }));
    all.extend(side(1.0, 48));
    all
}

fn chain(world: &mut PhysicsWorld) {
    let beam = ColliderBuilder::cylinder(1.0, 0.3)
        .rotation(AngVector::new(FRAC_PI_2, 0.0, 0.0))
        .friction(FRICTION);
    world.insert_collider(beam, None);
    let mut before = None;
    let (along, across) = (
        0.5 * 0.2 * 0.03f64.powi(2),
        0.2 * (3.0 * 0.03f64.powi(2) + 0.04) / 12.0,
    );
    for (x, y, angle) in links() {
        let solid = MassProperties::new(
            Vector::new(0.0, 0.0, 0.0),
            0.2,
            AngVector::new(along, across, across),
        );
        let capsule = ColliderBuilder::capsule_x(0.07, 0.03)
            .friction(FRICTION)
            .mass_properties(solid);
        let (own, _) = world.insert(body(x, y, angle), capsule);
        if let Some(before) = before {
            let ball = SphericalJointBuilder::new()
                .local_anchor1(at(0.1, 0.0))
                .local_anchor2(at(-0.1, 0.0))
                .contacts_enabled(false);
            world.impulse_joints.insert(before, own, ball, true);
        }
        before = Some(own);
    }
}

fn cradle(world: &mut PhysicsWorld) {
    for k in 0..5 {
        let (x, angle) = (0.1 * f64::from(k), if k == 0 { -0.5f64 } else { 0.0 });
        let ball = ColliderBuilder::ball(0.05)
            .friction(0.0)
            .restitution(1.0)
            .mass(1.0);
        let place = body(x + 0.5 * angle.sin(), -0.5 * angle.cos(), angle);
        let (own, _) = world.insert(place, ball);
        let anchor = world.insert_body(RigidBodyBuilder::fixed().translation(at(x, 0.0)));
        let hinge = RevoluteJointBuilder::new(Vector::new(0.0, 0.0, 1.0))
            .local_anchor1(at(0.0, 0.0))
            .local_anchor2(at(0.0, 0.5));
        world.impulse_joints.insert(anchor, own, hinge, true);
    }
}

fn energy(world: &PhysicsWorld) -> f64 {
    let all = world.bodies.iter().filter(|(_, own)| own.is_dynamic());
    all.map(|(_, own)| own.kinetic_energy() - own.mass() * world.gravity.dot(own.center_of_mass()))
        .sum()
}

/// Deepest contact of the shapes as they are now, m.
fn penetration(world: &mut PhysicsWorld) -> f64 {
    let mut deepest = 0.0f64;
    for pair in world.narrow_phase.contact_pairs() {
        let (a, b) = (
            &world.colliders[pair.collider1],
            &world.colliders[pair.collider2],
        );
        if let Ok(Some(contact)) = rapier3d_f64::parry::query::contact(
            a.position(),
            a.shape(),
            b.position(),
            b.shape(),
            0.0,
        ) {
            deepest = deepest.max(-contact.dist);
        }
    }
    deepest
}

/// Widest joint, m.
fn gap(world: &PhysicsWorld) -> f64 {
    let joints = world.impulse_joints.iter();
    joints.fold(0.0, |most, (_, joint)| {
        let a = world.bodies[joint.body1()].position() * joint.data.local_anchor1();
        let b = world.bodies[joint.body2()].position() * joint.data.local_anchor2();
        f64::max(most, (a - b).length())
    })
}

fn run(name: &str, build: fn(&mut PhysicsWorld), seconds: f64, dt: f64) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = dt;
    build(&mut world);
    let places = |world: &PhysicsWorld| -> Vec<Vector> {
        world
            .bodies
            .iter()
            .map(|(_, own)| own.translation())
            .collect()
    };
    let start = places(&world);
    // Else they are known after the first step only, and with them the energy.
    let handles: Vec<_> = world.bodies.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        world.bodies[handle].recompute_mass_properties_from_colliders(&world.colliders);
    }
    let first = energy(&world);
    let (mut lowest, mut now) = (first, first);
    let (mut rise, mut pen, mut open, mut spent) = (0.0f64, 0.0f64, 0.0f64, 0.0);
    let n = (seconds / dt).round() as usize;
    for _ in 0..n {
        let began = Instant::now();
        world.step();
        spent += began.elapsed().as_secs_f64();
        now = energy(&world);
        lowest = lowest.min(now);
        rise = rise.max(now - lowest);
        pen = pen.max(penetration(&mut world));
        open = open.max(gap(&world));
    }
    let moved = places(&world)
        .iter()
        .zip(&start)
        .fold(0.0f64, |most, (a, b)| most.max((*a - *b).length()));
    println!(
        "{name:8} Rapier {dt:7.4} pen {pen:.1e} moved {moved:.1e} rise {rise:.1e} change {:+.1e} joints {open:.1e} us {:.1}",
        now - first,
        1e6 * spent / n as f64
    );
}

fn main() {
    for dt in [1.0 / 60.0, 0.002] {
        run("stack", stack, 5.0, dt);
        run("incline", incline, 5.0, dt);
        run("chain", chain, 3.0, dt);
        run("cradle", cradle, 5.0, dt);
    }
}
