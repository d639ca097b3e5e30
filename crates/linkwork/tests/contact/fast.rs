//! Nothing passes through anything, however fast, thin or small it is.

use std::sync::Arc;

use linkwork::collide::{Shape, Triangles};
use linkwork::math::{norm, quat_exp};
use linkwork::prelude::*;
use linkwork::world::Collider;

use super::support::{DT, add, at};
use super::surfaces::field;

const SPEEDS: [f64; 3] = [5.0, 50.0, 500.0];

/// A wall of 2 m by 2 m across x, around the origin.
fn walls() -> Vec<(&'static str, Collider)> {
    let half = 0.5e-3;
    let plate = Collider::new(Shape::Box {
        half: [half, 1.0, 1.0],
    });
    // Twenty by twenty cells, each of two triangles.
    let (n, mut vertices, mut triangles) = (20, vec![], vec![]);
    for i in 0..=n {
        for k in 0..=n {
            let place = |k: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0;
            vertices.push([0.0, place(i), place(k)]);
            if i > 0 && k > 0 {
                let at = |back: u32, left: u32| (i - back) * (n + 1) + k - left;
                triangles.push([at(1, 1), at(0, 1), at(0, 0)]);
                triangles.push([at(1, 1), at(0, 0), at(1, 0)]);
            }
        }
    }
    let mesh = Triangles::new(&vertices, &triangles).unwrap();
    vec![
        ("plate", plate),
        ("mesh", Collider::new(Shape::Mesh(Arc::new(mesh)))),
        (
            "field",
            field(1.0, 20, |_, _| 0.0).placed(Pose {
                position: [0.0, -1.0, -1.0],
                rotation: [1.0, 0.0, 0.0, 0.0],
            }),
        ),
    ]
}

/// What is thrown: its shape, how far it reaches, and how it spins.
fn missiles() -> Vec<(&'static str, Shape, f64, [f64; 3])> {
    let rod = Shape::Capsule {
        half_length: 0.2,
        radius: 0.005,
    };
    let block = Shape::Box {
        half: [0.02, 0.01, 0.03],
    };
    vec![
        ("ball", Shape::Sphere { radius: 0.01 }, 0.01, [0.0; 3]),
        ("large ball", Shape::Sphere { radius: 0.1 }, 0.1, [0.0; 3]),
        ("block", block.clone(), 0.04, [0.0; 3]),
        ("spinning block", block, 0.04, [30.0, 200.0, -100.0]),
        ("rod", rod.clone(), 0.205, [0.0; 3]),
        ("spinning rod", rod, 0.205, [0.0, 100.0, 60.0]),
        (
            "cylinder",
            Shape::Cylinder {
                half_length: 0.01,
                radius: 0.05,
            },
            0.06,
            [10.0, 50.0, 0.0],
        ),
    ]
}

fn missile(world: &mut World, shape: &Shape, pose: Pose, v: [f64; 6], e: f64) -> BodyId {
    let solid = Sphere {
        radius: 0.02,
        mass: 0.1,
    };
    let mut collider = Collider::new(shape.clone());
    collider.restitution = e;
    let own = add(world, solid, pose, collider);
    world.set_v(own, &v).unwrap();
    own
}

/// From a place in front of a wall, towards a place of it, at an angle.
#[test]
fn nothing_passes_through_thin_walls() {
    let mut passed = vec![];
    for (wall, collider) in walls() {
        for (name, shape, reach, spin) in missiles() {
            for speed in SPEEDS {
                for (k, aim) in [[0.0, 0.0], [0.51, -0.33], [-0.6, 0.6]]
                    .into_iter()
                    .enumerate()
                {
                    let e = [0.0, 0.6, 0.3][k];
                    {
                        let mut world = World::new();
                        world.set_colliders(GROUND, vec![collider.clone()]).unwrap();
                        let from = [0.3 + 0.1 * k as f64, 0.5 * aim[1], -0.4 * aim[0]];
                        let way = [-from[0], aim[0] - from[1], aim[1] - from[2]];
                        let v = way.map(|x| speed * x / norm(way));
                        let pose = Pose {
                            position: from,
                            rotation: quat_exp([0.3, 0.5 * k as f64, 0.2]),
                        };
                        let v = [v[0], v[1], v[2], spin[0], spin[1], spin[2]];
                        let own = missile(&mut world, &shape, pose, v, e);
                        let mut simulator = Simulator::new();
                        let options = StepOptions::interactive(DT);
                        let before = world.energy().unwrap().total();
                        for frame in 0..8 {
                            let report = simulator.step(&mut world, &options).unwrap();
                            let [x, y, z] = at(&world, own);
                            let over = y.abs().max(z.abs()) < 1.0 - reach;
                            let deep = if over { report.overrun } else { 0.0 };
                            let gain = world.energy().unwrap().total() / before - 1.0;
                            if x < 0.0 && over || deep > 1e-6 || gain > 1e-9 {
                                passed.push(format!(
                                    "{name} through {wall} at {speed} m/s, aim {k}, e {e}, frame {frame}: {x} {y} {z}, {deep}, {gain}"
                                ));
                                break;
                            }
                            if !over {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(passed.is_empty(), "{}: {passed:#?}", passed.len());
}

/// Two that fly at each other on a rail: who was on the left stays on the left, and momentum is kept.
#[test]
fn nothing_passes_through_each_other() {
    let mut passed = vec![];
    let rail = Prismatic {
        axis_world: [1.0, 0.0, 0.0],
    };
    for (i, (first, a, ..)) in missiles().into_iter().enumerate() {
        for (second, b, ..) in missiles().into_iter().skip(i) {
            for speed in SPEEDS {
                let mut world = World::new();
                let turned = |at: [f64; 3], w: [f64; 3]| Pose {
                    position: at,
                    rotation: quat_exp(w),
                };
                let left = turned([-0.43, 0.0, 0.0], [0.1, 0.2, 0.3]);
                let right = turned([0.61, 0.0, 0.0], [0.3, -0.5, 0.1]);
                let v = |speed: f64| [speed, 0.0, 0.0, 0.0, 0.0, 0.0];
                let a = missile(&mut world, &a, left, v(speed), 0.3);
                let b = missile(&mut world, &b, right, v(-speed), 0.3);
                for (label, body) in [("left", a), ("right", b)] {
                    // Friction would take a part of the blow where surfaces meet at an angle.
                    let own = world.colliders(body).unwrap()[0].clone();
                    let smooth = own.with_friction(0.0);
                    world.set_colliders(body, vec![smooth]).unwrap();
                    let on = GROUND.at(at(&world, body));
                    world.join(label, rail, on, body.at([0.0; 3])).unwrap();
                }
                let mut simulator = Simulator::new();
                for frame in 0..8 {
                    let options = StepOptions::interactive(DT);
                    simulator.step(&mut world, &options).unwrap();
                    let apart = at(&world, b)[0] - at(&world, a)[0];
                    let sum = world.v(a).unwrap()[0] + world.v(b).unwrap()[0];
                    if apart < 0.0 || sum.abs() > 1e-9 * speed {
                        passed.push(format!(
                            "{first} and {second} at {speed} m/s, frame {frame}: {apart}, {sum}"
                        ));
                        break;
                    }
                }
                let parts = world.v(b).unwrap()[0] - world.v(a).unwrap()[0];
                if (parts - 0.6 * speed).abs() > 1e-6 * speed {
                    passed.push(format!(
                        "{first} and {second} part at {parts} after {speed}"
                    ));
                }
            }
        }
    }
    assert!(passed.is_empty(), "{}: {passed:#?}", passed.len());
}

/// Where the budget is spent, what would pass waits.
#[test]
fn nothing_passes_where_the_budget_is_spent() {
    let mut passed = vec![];
    for (wall, collider) in walls() {
        for (name, shape, reach, spin) in missiles() {
            let mut world = World::new();
            world.set_colliders(GROUND, vec![collider.clone()]).unwrap();
            let pose = Pose::at([0.5, 0.1, 0.05]);
            let v = [-50.0, 3.0, 2.0, spin[0], spin[1], spin[2]];
            let own = missile(&mut world, &shape, pose, v, 0.5);
            let mut options = StepOptions::interactive(DT);
            options.budget = options.budget.with_max_iterations(1);
            let mut simulator = Simulator::new();
            for frame in 0..8 {
                simulator.step(&mut world, &options).unwrap();
                let [x, y, z] = at(&world, own);
                let over = y.abs().max(z.abs()) < 1.0 - reach;
                if x < 0.0 && over {
                    passed.push(format!("{name} through {wall}, frame {frame}: {x} {y} {z}"));
                    break;
                }
                if !over {
                    break;
                }
            }
        }
    }
    assert!(passed.is_empty(), "{}: {passed:#?}", passed.len());
}
