//! Contact of soft bodies by their nodes and triangles: they fall and rest, sink under their weight, rub, carry others
//! and bounce off each other; what cannot be is refused.

use linkwork::behavior::OutputForce;
use linkwork::body::{SoftBody, SoftMaterial, SoftShape};
use linkwork::collide::{Shape, Triangles};
use linkwork::math::{norm, sub};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork::world::Collider;

use crate::momenta;

const G: f64 = 9.81;

fn material(young: f64, poisson: f64, damping: f64) -> SoftMaterial {
    SoftMaterial {
        young,
        poisson,
        density: 1000.0,
        damping,
    }
}

/// A world with a floor at z = 0.
fn floored(friction: f64) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -G]).unwrap();
    let half = 0.5f64.sqrt();
    let upward = Pose {
        position: [0.0; 3],
        rotation: [half, 0.0, -half, 0.0],
    };
    let floor = Collider::new(Shape::Plane).placed(upward);
    world
        .set_colliders(GROUND, vec![floor.with_friction(friction)])
        .unwrap();
    world
}

fn skin(friction: f64) -> Vec<Collider> {
    vec![Collider::new(Shape::Nodes).with_friction(friction)]
}

fn add_block(world: &mut World, own: SoftMaterial, height: f64, friction: f64) -> BodyId {
    let shape = SoftShape::Block {
        size: [0.2, 0.2, 0.1],
        cells: [2, 2, 2],
    };
    let body = SoftBody::solid(shape, own).unwrap();
    let pose = Pose::at([0.0, 0.0, 0.05 + height]);
    let id = world.add_body_at("block", body, pose).unwrap();
    world.set_colliders(id, skin(friction)).unwrap();
    id
}

fn shell(young: f64, thickness: f64) -> SoftBody {
    let shape = SoftShape::Rings {
        form: SuperquadricForm::new([0.1; 3], [1.0; 2]),
        rings: [6, 8],
    };
    SoftBody::shell(shape, thickness, material(young, 0.3, 0.0)).unwrap()
}

fn nodes(world: &World, body: BodyId) -> Vec<[f64; 3]> {
    let q = world.q(body).unwrap();
    q.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect()
}

fn lowest(world: &World, body: BodyId) -> f64 {
    let nodes = nodes(world, body);
    nodes.iter().fold(f64::INFINITY, |low, x| low.min(x[2]))
}

/// Steps, and sees to it that nothing is passed, the law holds and energy never grows by more than a part of what there
/// is to exchange.
fn step_through(world: &mut World, frames: usize, exchanged: f64) -> usize {
    let mut simulator = Simulator::new();
    let start = world.energy().unwrap().total();
    let mut substeps = 0;
    for frame in 0..frames {
        let report = simulator
            .step(world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        assert!(report.overrun < 1e-7, "{frame}: {:e}", report.overrun);
        assert!(report.law_error < 1e-7, "{frame}: {:e}", report.law_error);
        let gain = world.energy().unwrap().total() - start;
        assert!(gain < 0.005 * exchanged, "{frame}: {gain} of {exchanged}");
        substeps += report.substeps;
    }
    substeps
}

/// A block of rubber falls on its corners' floor, rests, and is lower by ρ·g·H²/(2·E) at its top.
#[test]
fn a_soft_block_falls_rests_and_sinks() {
    let (young, height) = (2e5, 0.02);
    let mut world = floored(0.0);
    let block = add_block(&mut world, material(young, 0.0, 0.01), height, 0.0);
    let weight = 1000.0 * 0.2 * 0.2 * 0.1 * G;
    let substeps = step_through(&mut world, 90, weight * height);
    let kinetic = world.energy().unwrap().kinetic;
    println!("{substeps} sub-steps, {kinetic:e} J");
    assert!(kinetic < 1e-8, "{kinetic:e}");
    assert!(lowest(&world, block) > -1e-7);
    let all = nodes(&world, block);
    let top: Vec<f64> = all.iter().map(|x| x[2]).filter(|z| *z > 0.09).collect();
    let sunk = 0.1 - top.iter().sum::<f64>() / top.len() as f64;
    let expected = 1000.0 * G * 0.01 / (2.0 * young);
    println!("sunk by {sunk:e}, theory {expected:e}, {} nodes", top.len());
    assert!((sunk / expected - 1.0).abs() < 0.15, "{sunk} {expected}");
}

/// Coulomb's law: what slides is slower by μ·g·t.
#[test]
fn a_soft_block_slides_to_a_stop() {
    let friction = 0.3;
    let mut world = floored(friction);
    let block = add_block(&mut world, material(5e5, 0.3, 0.01), 0.0, friction);
    let n = world.v(block).unwrap().len();
    let v: Vec<f64> = (0..n).map(|k| if k % 3 == 0 { 1.0 } else { 0.0 }).collect();
    world.set_v(block, &v).unwrap();
    let frames = 9;
    step_through(&mut world, frames, 2.0);
    let body = world.body_record(block).unwrap();
    let momentum = body
        .body()
        .momentum(world.q(block).unwrap(), world.v(block).unwrap());
    let speed = momentum.linear[0] / 4.0;
    let expected = 1.0 - friction * G * frames as f64 / 60.0;
    println!("{speed} {expected}");
    assert!((speed - expected).abs() < 0.02, "{speed} {expected}");
}

/// A ball, smaller than what is between nodes, lies on the block and not in it.
#[test]
fn a_soft_block_carries_a_ball() {
    let mut world = floored(0.5);
    let block = add_block(&mut world, material(2e5, 0.3, 0.01), 0.0, 0.5);
    let ball = Sphere {
        mass: 0.2,
        radius: 0.03,
    };
    let ball = world
        .add_body_at("ball", ball, Pose::at([0.05, 0.03, 0.14]))
        .unwrap();
    let own = Collider::new(Shape::Sphere { radius: 0.03 }).with_turning_friction(0.002, 0.002);
    world.set_colliders(ball, vec![own]).unwrap();
    step_through(&mut world, 60, 1.0);
    let [_, _, z] = world.pose(ball).unwrap().unwrap().position;
    println!("ball at {z}, block down to {:e}", lowest(&world, block));
    assert!((0.12..0.131).contains(&z), "{z}");
}

/// Two shells hit each other off their centers and bounce: momenta stay, energy does not grow.
#[test]
fn two_shells_bounce_and_keep_their_momenta() {
    let mut world = World::new();
    let mut ids = Vec::new();
    for (label, x, y) in [("left", -0.13, 0.0), ("right", 0.13, 0.03)] {
        let id = world
            .add_body_at(label, shell(1e6, 2e-3), Pose::at([x, y, 0.0]))
            .unwrap();
        let n = world.v(id).unwrap().len();
        let speed = -f64::signum(x);
        let v: Vec<f64> = (0..n)
            .map(|k| if k % 3 == 0 { speed } else { 0.0 })
            .collect();
        world.set_v(id, &v).unwrap();
        world.set_colliders(id, skin(0.3)).unwrap();
        ids.push(id);
    }
    let start = momenta(&world);
    let kinetic = world.energy().unwrap().kinetic;
    let substeps = step_through(&mut world, 20, kinetic);
    let end = momenta(&world);
    println!("{substeps} sub-steps, {start:?} {end:?}");
    let linear = norm(sub(start.0, end.0));
    let angular = norm(sub(start.1, end.1));
    // Places that are pushed back, by 1e-9 m, have arms too.
    let turning = norm(start.1);
    assert!(linear < 1e-12, "{linear:e}");
    assert!(angular < 2e-5 * turning, "{angular:e} of {turning:e}");
    let middle = |id: BodyId| {
        let nodes = nodes(&world, id);
        nodes.iter().map(|x| x[0]).sum::<f64>() / nodes.len() as f64
    };
    let rate = |id: BodyId| {
        let v = world.v(id).unwrap();
        v.chunks_exact(3).map(|v| v[0]).sum::<f64>() / (v.len() / 3) as f64
    };
    assert!(middle(ids[0]) < middle(ids[1]));
    assert!(rate(ids[0]) < 0.0 && rate(ids[1]) > 0.0);
}

/// A balloon that is blown up, and taut, falls on the floor and takes few steps for it.
#[test]
fn a_taut_balloon_falls() {
    let mut world = floored(0.5);
    let shape = SoftShape::Rings {
        form: SuperquadricForm::new([0.1; 3], [1.0; 2]),
        rings: [6, 8],
    };
    let own = SoftMaterial {
        damping: 0.002,
        ..material(1e6, 0.45, 0.0)
    };
    let body = SoftBody::shell(shape, 3e-4, own).unwrap();
    let balloon = world
        .add_body_at("balloon", body, Pose::at([0.0, 0.0, 0.2]))
        .unwrap();
    let pressure = OutputForce::on_scalar(500.0);
    let volume = balloon.scalar(SoftBody::VOLUME);
    world.add_behavior("pressure", pressure, &[volume]).unwrap();
    world.set_colliders(balloon, skin(0.5)).unwrap();
    let substeps = step_through(&mut world, 40, 1.0);
    println!("{substeps} sub-steps");
    assert!(substeps < 40 * 12, "{substeps}");
}

/// What cannot collide so is refused in words.
#[test]
fn what_is_no_skin_is_refused() {
    let mut world = World::new();
    let soft = world.add_body("soft", shell(1e6, 1e-3)).unwrap();
    let ball = Sphere {
        mass: 1.0,
        radius: 0.1,
    };
    let ball = world.add_body("ball", ball).unwrap();
    let refused = |world: &mut World, body: BodyId, own: Collider, word: &str| {
        let error = world.set_colliders(body, vec![own]).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    };
    let nodes = || Collider::new(Shape::Nodes);
    refused(&mut world, ball, nodes(), "by its nodes");
    let round = Collider::new(Shape::Sphere { radius: 0.1 });
    refused(&mut world, soft, round, "by its nodes");
    let here = nodes().placed(Pose::at([0.1, 0.0, 0.0]));
    refused(&mut world, soft, here, "by its nodes");
    refused(&mut world, soft, Collider::sensor(Shape::Nodes), "a sensor");
    let strip = |x: f64, world: &mut World| {
        let shape = SoftShape::Sheet {
            size: [0.1, 0.1],
            cells: [2, 2],
        };
        let body = SoftBody::shell(shape, 1e-3, material(1e6, 0.3, 0.0)).unwrap();
        world
            .add_body_at(&format!("strip {x}"), body, Pose::at([x, 1.0, 0.0]))
            .unwrap()
    };
    let (first, second) = (strip(0.0, &mut world), strip(1.0, &mut world));
    world.set_colliders(first, vec![nodes()]).unwrap();
    refused(&mut world, second, nodes(), "open soft surface");
    world.set_colliders(soft, vec![nodes()]).unwrap();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let surface = Triangles::new(&corners, &[[0, 1, 2]]).unwrap();
    let surface = Collider::new(Shape::Mesh(surface.into()));
    refused(&mut world, ball, surface, "soft body");
}
