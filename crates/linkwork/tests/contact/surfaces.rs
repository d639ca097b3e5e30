//! Surfaces of triangles and ground of heights.

use std::f64::consts::TAU;
use std::sync::Arc;

use linkwork::collide::{HeightField, Shape, Triangles};
use linkwork::math::{norm, quat_exp, sub};
use linkwork::prelude::*;
use linkwork::world::Collider;

use super::support::{DT, G, add, at, flat, run};

/// Ground whose heights, along +y, are `height(x, z)`: from −size to size in n cells each way.
pub(crate) fn field(size: f64, n: usize, height: impl Fn(f64, f64) -> f64) -> Collider {
    let step = 2.0 * size / n as f64;
    let place = |k: usize| step * k as f64 - size;
    let row = |i: usize| (0..=n).map(|k| height(place(k), place(i))).collect();
    let rows = (0..=n).map(row).collect();
    let field = HeightField::new(rows, [step; 2]).unwrap();
    // Its x is up, its y, along which rows follow each other, is z.
    let third = TAU / 3.0 / 3f64.sqrt();
    Collider::new(Shape::HeightField(Arc::new(field))).placed(Pose {
        position: [-size, 0.0, -size],
        rotation: quat_exp([third; 3]),
    })
}

/// The same ground as triangles, in the frame of the world. Some are turned over: no matter.
pub(crate) fn mesh(size: f64, n: usize, height: impl Fn(f64, f64) -> f64) -> Collider {
    let step = 2.0 * size / n as f64;
    let place = |k: usize| step * k as f64 - size;
    let mut vertices = vec![];
    let mut triangles = vec![];
    for i in 0..n {
        for k in 0..n {
            // Corners of each cell of its own: those at one place are made one.
            let at = vertices.len() as u32;
            for [down, right] in [[0, 0], [0, 1], [1, 1], [1, 0]] {
                let [x, z] = [place(k + right), place(i + down)];
                vertices.push([x, height(x, z), z]);
            }
            triangles.push([at, at + 1, at + 2]);
            triangles.push(if (i + k) % 3 == 0 {
                [at, at + 3, at + 2]
            } else {
                [at, at + 2, at + 3]
            });
        }
    }
    let mesh = Triangles::new(&vertices, &triangles).unwrap();
    Collider::new(Shape::Mesh(Arc::new(mesh)))
}

pub(crate) fn grounded(ground: Collider) -> World {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    world.set_colliders(GROUND, vec![ground]).unwrap();
    world
}

pub(crate) fn energy(world: &World) -> f64 {
    world.energy().unwrap().total()
}

/// One of some things that roll and slide and fall over.
fn throw(world: &mut World, which: usize) -> BodyId {
    let cylinder = Shape::Cylinder {
        half_length: 0.2,
        radius: 0.1,
    };
    let capsule = Shape::Capsule {
        half_length: 0.2,
        radius: 0.05,
    };
    let half = [0.2, 0.1, 0.15];
    let things = [
        (Shape::Sphere { radius: 0.1 }, 0.1, [0.0; 3]),
        (Shape::Box { half }, 0.1, [0.0, 0.3, 0.0]),
        (cylinder.clone(), 0.1, [0.0, 0.2, 0.0]),
        (cylinder, 0.3, [0.3, 0.0, 1.2]),
        (capsule, 0.15, [0.0, 0.0, 0.2]),
    ];
    let (shape, y, turned) = things[which].clone();
    let pose = Pose {
        position: [-1.5, y, 0.1],
        rotation: quat_exp(turned),
    };
    let solid = Sphere {
        radius: 0.1,
        mass: 1.0,
    };
    let own = add(world, solid, pose, Collider::new(shape));
    world.set_v(own, &[1.2, 0.0, 0.1, 0.0, 0.5, -3.0]).unwrap();
    own
}

/// Triangles of one plane are that plane: whatever rolls and slides over them, their edges catch nothing.
#[test]
fn a_floor_of_triangles_is_a_plane() {
    for which in 0..5 {
        let mut plane = flat(0.5);
        let expected = throw(&mut plane, which);
        run(&mut plane, 120, |_, _| ());
        for ground in [field(4.0, 57, |_, _| 0.0), mesh(4.0, 57, |_, _| 0.0)] {
            let mut world = grounded(ground);
            let own = throw(&mut world, which);
            run(&mut world, 120, |_, report| {
                assert!(report.overrun < 1e-9, "{report:?}");
            });
            let apart = norm(sub(at(&world, own), at(&plane, expected)));
            assert!(apart < 1e-8, "{which}: {apart}");
        }
    }
}

/// A ball that rolls in a bowl of radius R swings with ω² = 5/7·g/(R − r), and loses little where it goes from one
/// triangle to the next.
#[test]
fn a_ball_swings_in_a_bowl() {
    let (bowl, radius, start) = (1.0f64, 0.1, 0.1f64);
    let depth = |x: f64, z: f64| bowl - (bowl * bowl - x * x - z * z).sqrt();
    let arm = bowl - radius;
    let period = TAU * (1.4 * arm / G).sqrt() * (1.0 + start * start / 16.0);
    for ground in [field(0.4, 80, depth), mesh(0.4, 80, depth)] {
        let mut world = grounded(ground.with_friction(2.0));
        let solid = Sphere { radius, mass: 1.0 };
        let pose = Pose::at([arm * start.sin(), bowl - arm * start.cos() + 1e-4, 0.0]);
        let collider = Collider::new(Shape::Sphere { radius }).with_friction(2.0);
        let own = add(&mut world, solid, pose, collider);
        let (mut last, mut times, mut peak) = (1.0, vec![], 0.0f64);
        let before = energy(&world);
        run(&mut world, 300, |world, report| {
            let [x, _, z] = at(world, own);
            assert!(z.abs() < 0.01, "{z}");
            assert!(report.overrun < 1e-6, "{report:?}");
            assert!(energy(world) < before + 1e-3 * G * arm, "gained");
            if x < 0.0 && last >= 0.0 {
                times.push(world.state().t - DT * x / (x - last));
            }
            if times.len() == 2 {
                peak = peak.max(x);
            }
            last = x;
        });
        let measured = times[1] - times[0];
        println!(
            "{measured} {period} {peak} {} {}",
            arm * start.sin(),
            energy(&world) - before
        );
        assert!(
            (measured / period - 1.0).abs() < 0.02,
            "{measured} {period}"
        );
        assert!(peak > 0.85 * arm * start.sin(), "{peak}");
    }
}
