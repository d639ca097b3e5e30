//! Laws every solve must obey, whatever the mechanism.

use linkwork::body::MassProperties;
use linkwork::connector::{Connector, Site};
use linkwork::math::{
    Mat3, Vec3, add, mat_mul, mat_vec, quat_exp, quat_mul, quat_to_matrix, scale, sub,
};
use linkwork::prelude::*;
use linkwork::system::Motion;
use linkwork::world::{PlanarSlide, PointInSlot};
use linkwork_scene::scene;

use crate::numerics::{Random, dot, largest, multiply, multiply_transposed};
use crate::support::{Answer, accelerations, close, vec3, with_consistent_velocities};

/// Mechanisms with trees, loops, redundant rows and every kind of joint, set in motion at random.
const SCENES: [&str; 15] = [
    "chain:5",
    "chain-hinge:6",
    "tree:9",
    "ladder3:2,3",
    "hub:10",
    "grid:3,2",
    "four-bar",
    "bricard",
    "bennett",
    "sarrus",
    "baraff-fig2",
    "heavy-top",
    "umbrella:4",
    "stewart",
    "n-four-bar:3",
];

/// The scene with random velocities that keep every constraint.
fn moving(name: &str, seed: u64) -> World {
    let mut world = scene(name).unwrap();
    let mut random = Random::new(seed);
    let mut state = world.state().clone();
    for v in &mut state.v {
        *v += random.number();
    }
    world.set_state(state).unwrap();
    // Twice, so that round-off of the first correction goes too.
    let once = with_consistent_velocities(&world, Method::Direct);
    with_consistent_velocities(&once, Method::Direct)
}

fn system(answer: &Answer<'_>) -> (Vec<f64>, Vec<f64>) {
    let system = answer.simulator.system();
    (system.mass_matrix(), system.jacobian_matrix())
}

/// The constraint force Jᵀλ does no work on a motion that keeps rows without time in them.
#[test]
fn virtual_work() {
    for (seed, name) in SCENES.into_iter().enumerate() {
        let world = moving(name, seed as u64 + 1);
        accelerations(&world, |answer| {
            let (_, jacobian) = system(answer);
            let solution = answer.simulator.solution();
            let v = &world.state().v;
            assert!(
                largest(&multiply(&jacobian, v)) < 1e-12,
                "{name}: rates are kept"
            );
            let force = multiply_transposed(&jacobian, &solution.lambda);
            let power = dot(&force, v);
            // A platform that is held cannot move: then v is round-off, and so is the power.
            let size = dot(&force, &force).sqrt() * dot(v, v).sqrt().max(1.0);
            let name = format!("{name} {}", answer.name());
            close(&name, &[power / size.max(1e-300)], &[0.0], 1e-10);
        });
    }
}

/// Power balance: d/dt of the kinetic energy is the power of gravity (and of nothing else).
#[test]
fn power() {
    for (seed, name) in SCENES.into_iter().enumerate() {
        let world = moving(name, seed as u64 + 31);
        let v = &world.state().v;
        let mut gravity_power = 0.0;
        let mut gravity_size = 0.0;
        for behavior in world.behaviors() {
            for record in world.bodies() {
                let mut f = vec![0.0; record.body().n_v()];
                let q = &world.state().q[record.q_range()];
                let v = &v[record.v_range()];
                behavior.behavior().body_force(record.body(), q, v, &mut f);
                gravity_power += dot(&f, v);
                gravity_size += dot(&f, &f).sqrt() * dot(v, v).sqrt();
            }
        }
        accelerations(&world, |answer| {
            // ½·vᵀ·M·v changes with vᵀ·M·v̇; the part from Ṁ is what gyroscopic torques cancel.
            let (mass, _) = system(answer);
            let a = &answer.simulator.solution().motion;
            let gained = dot(v, &multiply(&mass, a));
            let name = format!("{name} {}", answer.name());
            let size = gravity_size.max(gained.abs()).max(1.0);
            close(&name, &[gained / size], &[gravity_power / size], 1e-10);
        });
    }
}

/// A floating machine of every joint between rigid bodies, with a spring, spinning and drifting.
fn afloat(seed: u64) -> World {
    let mut world = World::new();
    let mut random = Random::new(seed);
    let mut bodies = vec![];
    for i in 0..8 {
        let moments = [0.4, 0.5, 0.6].map(|m: f64| m * (1.0 + 0.2 * random.number()));
        let body = RigidBody::new(MassProperties {
            mass: 1.5 + random.number(),
            com_body: scale(0.1, random.vector()),
            inertia_body: [moments[0], moments[1], moments[2], 0.01, -0.02, 0.03],
        });
        let place = add([1.2 * f64::from(i), 0.0, 0.0], scale(0.3, random.vector()));
        let pose = Pose::turned(place, random.vector());
        bodies.push(world.add_body_at(&format!("body {i}"), body, pose).unwrap());
    }
    let mut join = |i: usize, k: usize, axis: Vec3, other: Vec3| {
        let pose = |b: BodyId| world.pose(b).unwrap().unwrap();
        let middle = scale(0.5, add(pose(bodies[i]).position, pose(bodies[k]).position));
        let (a, b) = (
            crate::support::point_on(&world, bodies[i], middle),
            crate::support::point_on(&world, bodies[k], middle),
        );
        let label = format!("joint {i} {k}");
        let across = sub(other, scale(dot(&other, &axis) / dot(&axis, &axis), axis));
        let joined = match i {
            0 => world.join(&label, Ball, a, b),
            1 => world.join(&label, Hinge { axis_world: axis }, a, b),
            2 => world.join(
                &label,
                Universal {
                    axis_a_world: axis,
                    axis_b_world: across,
                },
                a,
                b,
            ),
            3 => world.join(&label, Cylindrical { axis_world: axis }, a, b),
            4 => world.join(&label, Prismatic { axis_world: axis }, a, b),
            5 => world.join(&label, PlanarSlide { normal_world: axis }, a, b),
            _ => world.join(&label, PointInSlot { axis_world: axis }, a, b),
        };
        joined.unwrap();
    };
    for i in 0..7 {
        join(i, i + 1, random.vector(), random.vector());
    }
    // A loop, a distance and a spring.
    let ends = [bodies[0].at([0.1, 0.2, 0.3]), bodies[7].at([0.0, 0.1, 0.0])];
    let place = |c: &Connector| world.position_world(c).unwrap();
    let length = linkwork::math::norm(sub(place(&ends[0]), place(&ends[1])));
    world
        .add_constraint("rod", Distance { length }, &ends)
        .unwrap();
    let spring = Spring {
        stiffness: 40.0,
        rest_length: 1.0,
        damping: 0.7,
    };
    let ends = [bodies[2].at([0.3, 0.0, 0.0]), bodies[6].at([0.0, 0.3, 0.0])];
    world.add_behavior("spring", spring, &ends).unwrap();
    let mut state = world.state().clone();
    for v in &mut state.v {
        *v = random.number();
    }
    world.set_state(state).unwrap();
    with_consistent_velocities(&world, Method::Direct)
}

/// Nothing from outside acts: linear and angular momentum do not change.
#[test]
fn momentum_of_floating_machines() {
    for seed in 1..6 {
        let world = afloat(seed);
        accelerations(&world, |answer| {
            let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
            let mut size = 0.0f64;
            for record in world.bodies() {
                let a = &answer.simulator.solution().motion[record.v_range()];
                let q = &world.state().q[record.q_range()];
                let v = &world.state().v[record.v_range()];
                // Momentum is linear in v, so its rate is the momentum of v̇ and ω × I·ω, which is
                // minus the gyroscopic torque.
                let rate = record.body().momentum(q, a);
                let mut gyroscopic = [0.0; 6];
                record.body().internal_force(q, v, &mut gyroscopic);
                linear = add(linear, rate.linear);
                angular = add(angular, sub(rate.angular, vec3(&gyroscopic[3..])));
                size = size.max(largest(&rate.linear)).max(largest(&rate.angular));
            }
            let change = [linear, angular].concat();
            assert!(
                largest(&change) < 1e-11 * size,
                "{}: {change:?}",
                answer.name()
            );
        });
    }
}

/// The whole world seen from elsewhere: turned by `turn`, then moved by `shift`. Only rigid bodies,
/// frame pairs and gravity.
fn transformed(world: &World, turn: Vec3, shift: Vec3) -> World {
    let mut out = world.clone();
    let quat = quat_exp(turn);
    let rotation = quat_to_matrix(quat);
    for record in world.bodies() {
        let pose = world.pose(record.id()).unwrap().unwrap();
        let pose = Pose {
            position: add(shift, mat_vec(&rotation, pose.position)),
            rotation: quat_mul(quat, pose.rotation),
        };
        out.set_pose(record.id(), pose).unwrap();
        let v = world.v(record.id()).unwrap();
        let turned = [
            mat_vec(&rotation, vec3(v)),
            mat_vec(&rotation, vec3(&v[3..])),
        ];
        out.set_v(record.id(), turned.as_flattened()).unwrap();
    }
    for record in world.constraints() {
        let pair = *record.constraint().as_frame_pair().unwrap();
        let connectors: Vec<Connector> = record
            .connectors()
            .iter()
            .map(|connector| moved(connector, &rotation, shift))
            .collect();
        out.replace_constraint(record.id(), pair, &connectors)
            .unwrap();
    }
    for record in world.behaviors() {
        let field = record.behavior().as_uniform_field().unwrap();
        let gravity = Gravity {
            acceleration_world: mat_vec(&rotation, field),
        };
        out.replace_behavior(record.id(), gravity).unwrap();
    }
    out
}

/// A connector of the ground moves with the world; those of bodies are carried by them.
fn moved(connector: &Connector, rotation: &Mat3, shift: Vec3) -> Connector {
    if !connector.is_on(GROUND) {
        return *connector;
    }
    match connector.site().unwrap() {
        Site::Point(p) => GROUND.at(add(shift, mat_vec(rotation, *p))),
        Site::Frame {
            origin,
            rotation: frame,
        } => GROUND.frame(
            add(shift, mat_vec(rotation, *origin)),
            mat_mul(rotation, frame),
        ),
        other => panic!("{other} is not moved"),
    }
}

/// Turning and moving the whole world turns the answer and changes nothing else.
#[test]
fn frame_invariance() {
    let (turn, shift) = ([0.8, -1.7, 0.6], [3.0, -4.0, 5.0]);
    let rotation = quat_to_matrix(quat_exp(turn));
    for (seed, name) in [
        "chain-hinge:6",
        "tree:9",
        "ladder3:2,2",
        "four-bar",
        "bricard",
        "bennett",
        "umbrella:4",
        "heavy-top",
    ]
    .into_iter()
    .enumerate()
    {
        let world = moving(name, seed as u64 + 7);
        let elsewhere = transformed(&world, turn, shift);
        accelerations(&world, |here| {
            let mut simulator = Simulator::new();
            let there = simulator.accelerations(&elsewhere, here.method);
            let turned: Vec<f64> = here
                .simulator
                .solution()
                .motion
                .chunks(3)
                .flat_map(|part| mat_vec(&rotation, vec3(part)))
                .collect();
            let label = format!("{name} {}", here.name());
            close(&label, &there.motion, &turned, 1e-9);
        });
    }
}

/// A steady wind changes nothing: all velocities raised by the same vector.
#[test]
fn galilean_boost() {
    for seed in 11..14 {
        let world = afloat(seed);
        let mut boosted = world.clone();
        for record in world.bodies() {
            let mut v = world.v(record.id()).unwrap().to_vec();
            for (v, wind) in v.iter_mut().zip([7.0, -11.0, 5.0]) {
                *v += wind;
            }
            boosted.set_v(record.id(), &v).unwrap();
        }
        accelerations(&world, |still| {
            let mut simulator = Simulator::new();
            let solution = simulator.accelerations(&boosted, still.method);
            let expected = still.simulator.solution();
            close(still.name(), &solution.motion, &expected.motion, 1e-10);
            close(still.name(), &solution.lambda, &expected.lambda, 1e-10);
        });
    }
}

/// The same machine told in another order, with a and b exchanged: the same motion, λ reversed.
#[test]
fn renumbering() {
    // Bars along the edges of an octagon with two diagonals; a tail to the ground.
    let corner = |i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / 8.0;
        [2.0 * angle.cos(), 2.0 * angle.sin(), 0.1 * i as f64]
    };
    let mut bars: Vec<(String, Vec3, Vec3)> = (0..8)
        .map(|i| (format!("bar {i}"), corner(i), corner((i + 1) % 8)))
        .collect();
    bars.push(("tail".to_owned(), corner(0), [5.0, 1.0, 2.0]));
    bars.push(("diagonal".to_owned(), corner(1), corner(5)));
    // The corner each joint is at, and the two bars (or the ground).
    let mut joints: Vec<(Vec3, usize, usize)> = (0..8)
        .map(|i| (corner((i + 1) % 8), i, (i + 1) % 8))
        .collect();
    joints.push((corner(0), 0, 8));
    joints.push((corner(1), 1, 9));
    joints.push((corner(5), 5, 9));
    joints.push(([5.0, 1.0, 2.0], 8, usize::MAX));

    let build = |order: &[usize], joint_order: &[usize], swap: bool| {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        for &i in order {
            let (label, from, to) = &bars[i];
            let shape = Cuboid {
                size: [linkwork::math::norm(sub(*to, *from)), 0.1, 0.2],
                mass: 1.0 + i as f64,
            };
            let pose = Pose::turned(scale(0.5, add(*from, *to)), [0.1 * i as f64, 0.3, -0.2]);
            let body = world.add_body_at(label, shape, pose).unwrap();
            let x = i as f64;
            world
                .set_v(body, &[0.3 * x, -0.1, 0.2, 0.5, -0.1 * x, 0.4])
                .unwrap();
        }
        for &i in joint_order {
            let (at, a, b) = joints[i];
            let id = |k: usize| {
                bars.get(k)
                    .map_or(GROUND, |bar| world.find_body(&bar.0).unwrap())
            };
            let (a, b) = if swap { (id(b), id(a)) } else { (id(a), id(b)) };
            let ends = [a, b].map(|body| crate::support::point_on(&world, body, at));
            let [a, b] = ends;
            world.join(&format!("joint {i}"), Ball, a, b).unwrap();
        }
        world
    };
    let forward: Vec<usize> = (0..10).collect();
    let shuffled = [7, 2, 9, 0, 5, 3, 8, 6, 1, 4];
    let joints_forward: Vec<usize> = (0..12).collect();
    let joints_shuffled = [11, 3, 8, 0, 6, 9, 1, 10, 5, 2, 7, 4];
    let straight = build(&forward, &joints_forward, false);
    accelerations(&straight, |first| {
        for swap in [false, true] {
            let other = build(&shuffled, &joints_shuffled, swap);
            accelerations(&other, |second| {
                for (label, _, _) in &bars {
                    second.close(second.of(label), first.of(label), 1e-10);
                }
                for i in 0..joints.len() {
                    let label = format!("joint {i}");
                    let sign = if swap { -1.0 } else { 1.0 };
                    let expected: Vec<f64> =
                        first.lambda(&label).iter().map(|l| sign * l).collect();
                    // Relative to the largest force in the machine.
                    let size = largest(&first.simulator.solution().lambda);
                    let found: Vec<f64> = second.lambda(&label).iter().map(|l| l / size).collect();
                    let expected: Vec<f64> = expected.iter().map(|l| l / size).collect();
                    second.close(&found, &expected, 1e-10);
                }
            });
        }
    });
}

/// All masses s times as large: the same accelerations, forces s times as large.
#[test]
fn mass_scaling() {
    for name in [
        "chain:6",
        "tree:9",
        "ladder3:2,2",
        "bricard",
        "four-bar",
        "grid:2,2",
    ] {
        let world = moving(name, 5);
        for s in [1e-3, 250.0] {
            let mut heavy = world.clone();
            for record in world.bodies() {
                let properties = *record.body().as_rigid().unwrap().properties();
                let body = RigidBody::new(MassProperties {
                    mass: s * properties.mass,
                    inertia_body: properties.inertia_body.map(|i| s * i),
                    ..properties
                });
                heavy.replace_body(record.id(), body).unwrap();
            }
            accelerations(&world, |light| {
                let mut simulator = Simulator::new();
                simulator.accelerations(&heavy, light.method);
                let (_, jacobian) = system(light);
                let (one, two) = (light.simulator.solution(), simulator.solution());
                let label = format!("{name} {} × {s}", light.name());
                close(&label, &two.motion, &one.motion, 1e-9);
                // Where rows repeat, λ is not unique, but the force it makes is.
                let force = multiply_transposed(&jacobian, &one.lambda);
                let scaled: Vec<f64> = multiply_transposed(&jacobian, &two.lambda)
                    .iter()
                    .map(|f| f / s)
                    .collect();
                close(&label, &scaled, &force, 1e-9);
            });
        }
    }
}

/// What the solver says it solved is what the matrices say: M·v̇ = f + Jᵀλ and J·v̇ = −γ.
#[test]
fn matrices_and_answers_agree() {
    for (seed, name) in SCENES.into_iter().enumerate() {
        let world = moving(name, seed as u64 + 71);
        accelerations(&world, |answer| {
            let (_, jacobian) = system(answer);
            let system = answer.simulator.system();
            let mut b = vec![0.0; system.n_rows()];
            system.right_hand_side(Motion::Acceleration, &mut b);
            let rows = multiply(&jacobian, &answer.simulator.solution().motion);
            let label = format!("{name} {}", answer.name());
            close(&label, &rows, &b, 1e-9);
        });
    }
}
