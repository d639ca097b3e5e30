//! Superquadrics that fall, rest, roll, bounce and are deformed by what they hit.

use super::support::{DT, G, add, at, block, flat, run};
use std::sync::Arc;

use linkwork::body::{Freedom, Matter, ShapeBody, Sheet, Troid};
use linkwork::collide::{Polygon, Shape, Triangles};
use linkwork::math::{add as plus, norm, sub};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork::world::Collider;

fn held(density: f64) -> Matter {
    Matter {
        density,
        free: [None; 6],
        displacement: None,
        drag: 0.0,
        yield_at: None,
    }
}

/// A superquadric that collides as what it is.
fn put(world: &mut World, form: SuperquadricForm, matter: Matter, pose: Pose) -> BodyId {
    let body = ShapeBody::superquadric(form, matter).unwrap();
    add(world, body, pose, Collider::new(Shape::Superquadric(form)))
}

fn change(world: &mut World, body: BodyId, change: impl Fn(&mut Collider)) {
    let mut own = world.colliders(body).unwrap().to_vec();
    own.iter_mut().for_each(change);
    world.set_colliders(body, own).unwrap();
}

/// How fast the fastest of some points of the surfaces is.
fn speed(world: &World) -> f64 {
    let mut most = 0.0f64;
    for record in world.bodies() {
        for k in 0..40 {
            let (u, v) = (
                f64::from(k / 8) * 0.78 - 1.56,
                f64::from(k % 8) * 0.785 - 3.1,
            );
            let site = record.id().surface(u, v);
            let v = world.connector_value(&site).unwrap().x_dot;
            most = most.max(norm([v[0], v[1], v[2]]));
        }
    }
    most
}

fn energy(world: &World) -> f64 {
    world.energy().unwrap().total()
}

#[test]
fn what_lies_rests() {
    for e in [[1.0, 1.0], [0.6, 1.0], [0.3, 0.3], [0.15, 0.15], [1.5, 1.3]] {
        let mut world = flat(0.5);
        let form = SuperquadricForm::new([0.3, 0.1, 0.2], e);
        let body = put(&mut world, form, held(1000.0), Pose::at([0.0, 0.1, 0.0]));
        let mut most = 0.0f64;
        run(&mut world, 120, |world, report| {
            assert!(report.law_error < 1e-9, "{e:?} {report:?}");
            assert!(report.overrun < 1e-6, "{e:?} {report:?}");
            most = most.max(speed(world));
        });
        assert!(most < 1e-9, "{e:?} {most:e}");
        assert!((at(&world, body)[1] - 0.1).abs() < 1e-9);
        let force: f64 = world
            .state()
            .touching
            .iter()
            .map(|own| own.force_world[1])
            .sum();
        let weight = G * 1000.0 * form.volume();
        assert!((force - weight).abs() < 1e-8 * weight, "{force} {weight}");
    }
}

#[test]
fn peaks_are_those_of_restitution() {
    let mut world = flat(0.5);
    let form = SuperquadricForm::new([0.2, 0.1, 0.2], [0.8, 1.0]);
    let body = put(&mut world, form, held(1000.0), Pose::at([0.0, 1.1, 0.0]));
    change(&mut world, body, |own| own.restitution = 0.5);
    let (mut heights, mut last, mut before) = (vec![], [1.0; 2], energy(&world));
    run(&mut world, 120, |world, _| {
        let height = at(world, body)[1] - 0.1;
        if last[1] > last[0] && last[1] > height {
            heights.push(last[1]);
        }
        last = [last[1], height];
        assert!(
            energy(world) <= before + 1e-8 * before.abs(),
            "{} {before}",
            energy(world)
        );
        before = energy(world);
    });
    assert!((heights[0] - 0.25).abs() < 2e-3, "{heights:?}");
    assert!((heights[1] - 0.0625).abs() < 2e-3, "{heights:?}");
}

/// An ellipsoid that rolls keeps its energy.
#[test]
fn what_rolls_keeps_its_energy() {
    let gains = [1, 2].map(rolls);
    // Of second order: friction holds the mean of both ends of a flight.
    assert!(gains[0] < 4e-3 && gains[1] < 0.3 * gains[0], "{gains:?}");
}

/// By which part the energy above rest grows in 3 s, with so many steps a frame.
fn rolls(n: usize) -> f64 {
    let mut world = flat(1.0);
    let form = SuperquadricForm::new([0.15, 0.1, 0.1], [1.0; 2]);
    let body = put(&mut world, form, held(1000.0), Pose::at([0.0, 0.1, 0.0]));
    change(&mut world, body, |own| own.friction = 1.0);
    // About z, the long axis goes over.
    world.set_v(body, &[0.4, 0.0, 0.0, 0.0, 0.0, -4.0]).unwrap();
    let start = energy(&world);
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(DT / n as f64);
    for _ in 0..180 * n {
        let report = simulator.step(&mut world, &options).unwrap();
        assert!(report.overrun < 1e-6, "{report:?}");
        assert!(energy(&world) > start - 1e-3);
    }
    (energy(&world) - start) / (start - 1000.0 * form.volume() * G * 0.1)
}

#[test]
fn two_stand_on_each_other() {
    for e in [[1.0, 1.0], [0.5, 1.0]] {
        let mut world = flat(0.5);
        let form = SuperquadricForm::new([0.5, 0.5, 0.1], e);
        // Their axes are vertical.
        let up = [-std::f64::consts::FRAC_PI_2, 0.0, 0.0];
        put(
            &mut world,
            form,
            held(1000.0),
            Pose::turned([0.0, 0.1, 0.0], up),
        );
        put(
            &mut world,
            form,
            held(1000.0),
            Pose::turned([0.0, 0.3, 0.0], up),
        );
        let mut most = 0.0f64;
        run(&mut world, 120, |world, report| {
            assert!(report.overrun < 1e-6, "{report:?}");
            most = most.max(speed(world));
        });
        assert!(most < 1e-9, "{e:?} {most:e}");
    }
}

/// A ball that gives way is flatter where it lies, by what its weight does, and rests.
#[test]
fn a_blow_deforms() {
    let mut world = flat(0.5);
    let form = SuperquadricForm::new([0.1; 3], [1.0; 2]);
    let mut matter = held(1000.0);
    matter.free[0] = Some(Freedom {
        stiffness: 10.0,
        damping: 0.5,
    });
    let body = put(&mut world, form, matter, Pose::at([0.0, 0.3, 0.0]));
    let (start, mut flattest, mut most) = (energy(&world), 0.0f64, 0.0f64);
    let mut before = start;
    run(&mut world, 300, |world, report| {
        assert!(report.overrun < 1e-6, "{report:?}");
        let a2 = world.q(body).unwrap()[8];
        flattest = flattest.min(a2 - 0.1f64.ln());
        most = most.max(energy(world) - before);
        before = energy(world);
    });
    let a2 = world.q(body).unwrap()[8] - 0.1f64.ln();
    assert!(flattest < -0.02, "{flattest}");
    assert!(most < 1e-6 * start, "{most:e}");
    // Its own weight: dE/d(ln a₂) = k·ln(a₂/a) + m·g·a₂ = 0, with the center at a₂ over the floor.
    let mass = 1000.0 * form.volume();
    let force = 10.0 * a2 + mass * G * 0.1 * a2.exp();
    assert!(force.abs() < 1e-6 * mass * G * 0.1, "{force}");
    assert!(speed(&world) < 1e-9, "{:e}", speed(&world));
}

/// A banana falls on its tips, bends, and rests.
#[test]
fn what_is_bent_rests_on_its_tips() {
    let form = SuperquadricForm {
        bend: [0.8, 0.0],
        ..SuperquadricForm::new([0.05, 0.05, 0.4], [0.8, 1.0])
    };
    for free in [false, true] {
        let mut world = flat(0.5);
        let mut matter = held(500.0);
        if free {
            matter.free[5] = Some(Freedom {
                stiffness: 5.0,
                damping: 0.2,
            });
        }
        // Bent toward +x of the body, which points down.
        let down = [0.0, 0.0, -std::f64::consts::FRAC_PI_2];
        let body = put(
            &mut world,
            form,
            matter,
            Pose::turned([0.0, 0.4, 0.0], down),
        );
        change(&mut world, body, |own| own.rolling_friction = 0.002);
        let (mut before, mut gained) = (energy(&world), 0.0f64);
        run(&mut world, 240, |world, report| {
            assert!(report.overrun < 1e-6, "{report:?}");
            gained = gained.max(energy(world) - before);
            before = energy(world);
        });
        assert_eq!(world.state().touching.len(), 2);
        assert!(gained < 1e-9 * before, "{gained:e}");
        assert!(speed(&world) < 1e-9, "{:e}", speed(&world));
    }
}

fn momenta(world: &World) -> ([f64; 3], [f64; 3]) {
    let mut sum = ([0.0; 3], [0.0; 3]);
    for record in world.bodies() {
        let (q, v) = (world.q(record.id()).unwrap(), world.v(record.id()).unwrap());
        let own = record.body().momentum(q, v);
        sum = (plus(sum.0, own.linear), plus(sum.1, own.angular));
    }
    sum
}

/// By how much momenta change, the angular one as a part of itself, where two of a kind hit each other off their
/// centers at 1 m/s.
fn hit_each_other(
    mut put: impl FnMut(&mut World, Pose) -> BodyId,
    restitution: f64,
    friction: f64,
) -> [f64; 2] {
    let mut world = World::new();
    for (x, y) in [(-0.3, 0.0), (0.3, 0.05)] {
        let pose = Pose::turned([x, y, 0.0], [0.3, x, 0.1]);
        let body = put(&mut world, pose);
        change(&mut world, body, |own| {
            (own.restitution, own.friction) = (restitution, friction);
        });
        let mut v = world.v(body).unwrap().to_vec();
        (v[0], v[4]) = (-f64::signum(x), 1.0);
        world.set_v(body, &v).unwrap();
    }
    let (linear, angular) = momenta(&world);
    let mut has_met = false;
    run(&mut world, 40, |world, _| {
        has_met |= !world.state().touching.is_empty();
    });
    assert!(has_met);
    let now = momenta(&world);
    let turned = norm(sub(now.1, angular)) / norm(angular);
    [norm(sub(now.0, linear)), turned]
}

/// Friction that begins across a gap pushes both at one point: at their own ones it would add the moment d × f, 6e-4 of
/// the angular momentum for boxes as for superquadrics.
#[test]
fn what_collides_keeps_its_momenta() {
    let form = SuperquadricForm::new([0.1, 0.15, 0.2], [0.8, 1.0]);
    for (restitution, friction) in [(0.0, 0.0), (0.0, 0.5), (0.5, 0.3), (0.8, 0.5)] {
        let boxes = |world: &mut World, pose| block(world, [0.1, 0.15, 0.2], 3.0, pose, 0.0);
        let kept = hit_each_other(boxes, restitution, friction);
        assert!(
            kept.iter().all(|lost| *lost < 1e-12),
            "boxes {restitution} {friction}: {kept:?}"
        );
        for free in [None, Some(0), Some(2), Some(5)] {
            let mut matter = held(300.0);
            if let Some(free) = free {
                matter.free[free] = Some(Freedom {
                    stiffness: 10.0,
                    damping: 0.0,
                });
            }
            let solid = |world: &mut World, pose| put(world, form, matter, pose);
            let kept = hit_each_other(solid, restitution, friction);
            println!("{free:?} {restitution} {friction}: {kept:?}");
            // What bends meets in two places: one that was not seen coming is pushed back, and places have arms.
            let most = if free == Some(5) { 1e-6 } else { 1e-10 };
            assert!(
                kept.iter().all(|lost| *lost < most),
                "{free:?} {restitution} {friction}: {kept:?}"
            );
        }
    }
}

/// A sheet falls on the floor, is pressed, and rests on its corners.
#[test]
fn a_sheet_rests_on_the_floor() {
    let mut world = flat(0.5);
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.2], 2.0).unwrap(),
        stiffness: 500.0,
        area_stiffness: 200.0,
        damping: 10.0,
    };
    let corners = vec![[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]];
    let shape = Shape::Polygon(Arc::new(Polygon::new(corners, 0.0).unwrap()));
    let pose = Pose::in_plane([0.0, 0.4], 0.3);
    let sheet = add(&mut world, troid, pose, Collider::new(shape));
    let (mut before, mut gained) = (energy(&world), 0.0f64);
    run(&mut world, 240, |world, report| {
        assert!(report.overrun < 1e-6, "{report:?}");
        gained = gained.max(energy(world) - before);
        before = energy(world);
    });
    assert!(gained < 1e-6, "{gained:e}");
    let still = world.v(sheet).unwrap().iter().all(|v| v.abs() < 1e-8);
    assert!(still, "{:?}", world.v(sheet));
    let touching = &world.state().touching;
    assert_eq!(touching.len(), 2);
    let force: f64 = touching.iter().map(|own| own.force_world[1]).sum();
    assert!((force - 2.0 * G).abs() < 1e-6, "{force}");
    // Lower than at rest, by its own weight.
    let q = world.q(sheet).unwrap();
    assert!(q[1] < 0.1 && q[1] > 0.09, "{q:?}");
}

/// What cannot be said is named; rays and distances know what deforms.
#[test]
fn questions_and_mistakes() {
    let mut world = flat(0.5);
    let form = SuperquadricForm::new([0.2, 0.1, 0.3], [0.7, 1.0]);
    let mut matter = held(100.0);
    matter.free[0] = Some(Freedom {
        stiffness: 1.0,
        damping: 0.0,
    });
    let body = put(&mut world, form, matter, Pose::at([0.0, 1.0, 0.0]));
    let hit = world.cast_ray([0.0, 3.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(hit.body, body);
    assert!((hit.distance - 1.9).abs() < 1e-8, "{hit:?}");
    assert!((hit.normal_world[1] - 1.0).abs() < 1e-6, "{hit:?}");
    let (nearest, distance) = world.nearest_collider([0.5, 1.0, 0.0]).unwrap();
    assert_eq!(nearest, body);
    assert!((distance - 0.3).abs() < 1e-9, "{distance}");
    let mut q = world.q(body).unwrap().to_vec();
    q[7] = 0.3f64.ln();
    world.set_q(body, &q).unwrap();
    let (_, distance) = world.nearest_collider([0.5, 1.0, 0.0]).unwrap();
    assert!((distance - 0.2).abs() < 1e-9, "{distance}");
    let ball = Collider::new(Shape::Sphere { radius: 0.1 });
    let said = world
        .set_colliders(body, vec![ball])
        .unwrap_err()
        .to_string();
    assert!(said.contains("in its own shape"), "{said}");
    let bad = Collider::new(Shape::Superquadric(SuperquadricForm::new(
        [0.1; 3],
        [3.0, 1.0],
    )));
    assert!(world.set_colliders(GROUND, vec![bad]).is_err());
    let triangles = Triangles::new(
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        &[[0, 1, 2]],
    );
    let mesh = Collider::new(Shape::Mesh(Arc::new(triangles.unwrap())));
    let said = world
        .set_colliders(GROUND, vec![mesh])
        .unwrap_err()
        .to_string();
    assert!(said.contains("superquadric"), "{said}");
}
