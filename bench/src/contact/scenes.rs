//! The worlds of the table: each a name, how long it runs, and what is thrown where.

use linkwork::body::{IntoBody, MassProperties};
use linkwork::collide::Shape;
use linkwork::math::{quat_exp, quat_mul};
use linkwork::prelude::*;
use linkwork::world::{Collider, ConstraintRecord};

use crate::numbers::Random;

pub(super) const G: f64 = 9.81;

/// One line of the table.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) seconds: f64,
    pub(super) build: fn() -> World,
    /// Who pulls at the third body, from 0.7 s on.
    pub(super) hand: Option<Drag>,
}

pub(super) const SCENES: [Scene; 23] = [
    scene("stack of 10", 5.0, || stack(10, |_| 1.0)),
    scene("stack, top 100×", 5.0, || {
        stack(10, |k| 10f64.powf(k as f64 * 2.0 / 9.0))
    }),
    scene("stack, bottom 100×", 5.0, || {
        stack(10, |k| 10f64.powf(2.0 - k as f64 * 2.0 / 9.0))
    }),
    scene("incline −1 %", 5.0, || incline(0.99)),
    scene("incline +1 %", 5.0, || incline(1.01)),
    scene("ball slides, rolls", 2.0, ball_rolls),
    scene("ball e 0.8", 8.0, ball_bounces),
    scene("cradle of 5", 5.0, cradle),
    scene("rocking block", 6.0, rocking_block),
    scene("rod 60°, μ 0.3", 2.0, || painleve(0.3)),
    scene("rod 60°, μ 1.5", 2.0, || painleve(1.5)),
    scene("rod 60°, μ 2.5", 2.0, || painleve(2.5)),
    scene("tippe top", 4.0, tippe_top),
    scene("60 thrown rods", 3.0, || thrown_rods(60)),
    scene("6 dominoes", 2.0, || dominoes(6)),
    scene("10 links, cylinder", 3.0, || draped_chain(10)),
    scene("100 links draped", 3.0, hanging_chain),
    scene("pile of 30 boxes", 3.0, || pile(30)),
    scene("ladder:12,4 falls", 3.0, || ladder("ladder:12,4")),
    scene("ladder:6,96 falls", 1.0, || ladder("ladder:6,96")),
    pulled("stack, force", FORCE),
    pulled("stack, follow", Drag::Follow),
    pulled("stack, pin", Drag::Pin),
];

const FORCE: Drag = Drag::Force {
    stiffness: 864.0,
    damping: 100.8,
};

const fn scene(name: &'static str, seconds: f64, build: fn() -> World) -> Scene {
    Scene {
        name,
        seconds,
        build,
        hand: None,
    }
}

const fn pulled(name: &'static str, hand: Drag) -> Scene {
    Scene {
        name,
        seconds: 1.5,
        build: || stack_of_slabs(6),
        hand: Some(hand),
    }
}

/// A world with a floor at y = 0 that leans by `slope`.
fn floor(slope: f64, friction: f64) -> World {
    let gravity = [G * slope.sin(), -G * slope.cos(), 0.0];
    let mut world = World::with_gravity(gravity).unwrap_or_default();
    let up = Pose::turned([0.0; 3], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let plane = Collider::new(Shape::Plane)
        .placed(up)
        .with_friction(friction);
    done(world.set_colliders(GROUND, vec![plane]));
    world
}

/// What is built here is right, or the bench has a defect.
fn done<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the bench builds a world that is refused: {error}"),
    }
}

fn add(world: &mut World, body: impl IntoBody, pose: Pose, collider: Collider) -> BodyId {
    let label = format!("body {}", world.bodies().len());
    let id = done(world.add_body_at(&label, body, pose));
    done(world.set_colliders(id, vec![collider]));
    id
}

fn block(world: &mut World, half: [f64; 3], mass: f64, pose: Pose, friction: f64) -> BodyId {
    let size = half.map(|half| 2.0 * half);
    let collider = Collider::new(Shape::Box { half }).with_friction(friction);
    add(world, Cuboid { size, mass }, pose, collider)
}

fn stack(n: usize, mass: impl Fn(usize) -> f64) -> World {
    let mut world = floor(0.0, 0.5);
    for k in 0..n {
        let at = [0.0, 0.1 + 0.2 * k as f64, 0.0];
        block(&mut world, [0.1; 3], mass(k), Pose::at(at), 0.5);
    }
    world
}

fn stack_of_slabs(n: usize) -> World {
    let mut world = floor(0.0, 0.5);
    for k in 0..n {
        let at = [0.0, 0.1 + 0.2 * k as f64, 0.0];
        block(&mut world, [0.2, 0.1, 0.2], 1.0, Pose::at(at), 0.5);
    }
    world
}

fn incline(part: f64) -> World {
    let mut world = floor(part * 0.5f64.atan(), 0.5);
    let half = [0.2, 0.1, 0.3];
    block(&mut world, half, 2.0, Pose::at([0.0, 0.1, 0.0]), 0.5);
    world
}

fn ball(world: &mut World, radius: f64, at: [f64; 3], restitution: f64, friction: f64) -> BodyId {
    let collider = Collider::new(Shape::Sphere { radius })
        .with_restitution(restitution)
        .with_friction(friction);
    add(world, Sphere { radius, mass: 1.0 }, Pose::at(at), collider)
}

fn ball_rolls() -> World {
    let mut world = floor(0.0, 0.2);
    let own = ball(&mut world, 0.1, [0.0, 0.1, 0.0], 0.0, 0.2);
    done(world.set_v(own, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    world
}

fn ball_bounces() -> World {
    let mut world = floor(0.0, 0.5);
    ball(&mut world, 0.1, [0.0, 1.1, 0.0], 0.8, 0.5);
    world
}

fn cradle() -> World {
    let mut world = done(World::with_gravity([0.0, -G, 0.0]));
    let (radius, length) = (0.05, 0.5);
    for k in 0..5 {
        let x = 2.0 * radius * k as f64;
        let angle: f64 = if k == 0 { -0.5 } else { 0.0 };
        let at = [x + length * angle.sin(), -length * angle.cos(), 0.0];
        let turn = quat_exp([0.0, 0.0, angle]);
        let pose = Pose {
            position: at,
            rotation: turn,
        };
        let collider = Collider::new(Shape::Sphere { radius })
            .with_restitution(1.0)
            .with_friction(0.0);
        let own = add(&mut world, Sphere { radius, mass: 1.0 }, pose, collider);
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        let ends = (GROUND.at([x, 0.0, 0.0]), own.at([0.0, length, 0.0]));
        done(world.join(&format!("hinge {k}"), hinge, ends.0, ends.1));
    }
    world
}

/// Housner's block, b 0.1 and h 0.4, that cannot slip, on one edge by 0.1 rad.
fn rocking_block() -> World {
    let mut world = floor(0.0, 10.0);
    let (b, h, angle) = (0.1, 0.4, 0.1f64);
    // About the corner (b, 0): the middle is at (−b, h) from it, turned by −angle.
    let (cos, sin) = (angle.cos(), angle.sin());
    let at = [b + (-b * cos + h * sin), b * sin + h * cos, 0.0];
    let pose = Pose {
        position: at,
        rotation: quat_exp([0.0, 0.0, -angle]),
    };
    block(&mut world, [b, h, 0.1], 1.0, pose, 10.0);
    world
}

/// A thin rod whose end touches the floor at 60° and slides.
fn painleve(friction: f64) -> World {
    let mut world = floor(0.0, friction);
    let angle = 60f64.to_radians();
    let (half, radius) = (0.5, 0.001);
    let pose = Pose {
        position: [0.0, half * angle.sin() + radius, 0.0],
        rotation: quat_exp([0.0, 0.0, angle]),
    };
    let collider = Collider::new(Shape::Capsule {
        half_length: half,
        radius,
    })
    .with_friction(friction);
    let rod = Rod {
        length: 2.0 * half,
        radius,
        mass: 1.0,
    };
    let own = add(&mut world, rod, pose, collider);
    done(world.set_v(own, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    world
}

/// Leine and Glocker 2003: two spheres on one body.
fn tippe_top() -> World {
    let mut world = floor(0.0, 0.3);
    let body = RigidBody::new(MassProperties::centered(6e-3, [8e-7, 8e-7, 7e-7]));
    let tilt = 0.1f64;
    let rotation = quat_mul(
        quat_exp([tilt, 0.0, 0.0]),
        quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]),
    );
    let pose = Pose {
        position: [0.0, 0.015 - 0.003 * tilt.cos(), 0.0],
        rotation,
    };
    let own = done(world.add_body_at("top", body, pose));
    let sphere = |radius: f64, at: f64| {
        Collider::new(Shape::Sphere { radius })
            .placed(Pose::at([0.0, 0.0, at]))
            .with_friction(0.3)
    };
    done(world.set_colliders(own, vec![sphere(0.015, 0.003), sphere(0.005, 0.016)]));
    let axis = [0.0, tilt.cos(), tilt.sin()];
    let spin = axis.map(|a| 180.0 * a);
    done(world.set_v(own, &[0.0, 0.0, 0.0, spin[0], spin[1], spin[2]]));
    world
}

fn thrown_rods(n: usize) -> World {
    let mut world = floor(0.0, 0.8);
    let mut random = Random(7);
    for k in 0..n {
        let at = [3.0 * (k % 8) as f64, 1.5, 3.0 * (k / 8) as f64];
        let pose = Pose {
            position: at,
            rotation: quat_exp(random.vector(3.0)),
        };
        let collider = Collider::new(Shape::Capsule {
            half_length: 0.5,
            radius: 0.02,
        })
        .with_friction(0.8)
        .with_restitution(0.9);
        let rod = Rod {
            length: 1.0,
            radius: 0.02,
            mass: 1.0,
        };
        let own = add(&mut world, rod, pose, collider);
        let v = random.numbers(6, 2.0);
        done(world.set_v(own, &v));
    }
    world
}

fn dominoes(n: usize) -> World {
    let mut world = floor(0.0, 0.5);
    let half = [0.01, 0.1, 0.05];
    for k in 0..n {
        let angle = if k == 0 { 0.12f64 } else { 0.0 };
        // About the lower edge on the right.
        let (cos, sin) = (angle.cos(), angle.sin());
        let x = 0.1 * k as f64 + half[0];
        let position = [
            x - half[0] * cos + half[1] * sin,
            half[0] * sin + half[1] * cos,
            0.0,
        ];
        let rotation = quat_exp([0.0, 0.0, -angle]);
        let pose = Pose { position, rotation };
        block(&mut world, half, 0.5, pose, 0.5);
    }
    world
}

/// Links on ball joints that fall on a round beam along z.
fn draped_chain(n: usize) -> World {
    let level = |k: usize| {
        let x = (k as f64 - 0.5 * (n as f64 - 1.0)) * 0.2;
        Pose::at([x, 0.33, 0.0])
    };
    links((0..n).map(level))
}

/// A hundred links as they lie over the beam: five are tangent to it, 47 hang on the left and 48 on the right.
/// `bench/peers/problems.py` has the same.
fn hanging_chain() -> World {
    let (reach, half) = (0.33f64, 0.1f64);
    let turn = 2.0 * (half / reach).atan();
    let pose = |x: f64, y: f64, angle: f64| Pose {
        position: [x, y, 0.0],
        rotation: quat_exp([0.0, 0.0, angle]),
    };
    let hanging = |side: f64, n: usize| {
        let (rho, angle) = (reach.hypot(half), 2.5 * turn);
        let x = side * rho * angle.sin();
        (0..n).map(move |k| {
            let y = rho * angle.cos() - 2.0 * half * (k as f64 + 0.5);
            pose(x, y, -side * std::f64::consts::FRAC_PI_2)
        })
    };
    let lying = (-2..3).map(|k| {
        let angle = turn * f64::from(k);
        pose(reach * angle.sin(), reach * angle.cos(), -angle)
    });
    links(hanging(-1.0, 47).rev().chain(lying).chain(hanging(1.0, 48)))
}

/// Links on ball joints, and a round beam along z.
fn links(poses: impl Iterator<Item = Pose>) -> World {
    let mut world = done(World::with_gravity([0.0, -G, 0.0]));
    let along = Pose::turned([0.0; 3], [0.0, -std::f64::consts::FRAC_PI_2, 0.0]);
    let beam = Collider::new(Shape::Cylinder {
        half_length: 1.0,
        radius: 0.3,
    })
    .placed(along);
    done(world.set_colliders(GROUND, vec![beam]));
    let (length, radius) = (0.2, 0.03);
    let mut before: Option<BodyId> = None;
    for (k, pose) in poses.enumerate() {
        let collider = Collider::new(Shape::Capsule {
            half_length: 0.5 * length - radius,
            radius,
        });
        let rod = Rod {
            length,
            radius,
            mass: 0.2,
        };
        let own = add(&mut world, rod, pose, collider);
        if let Some(before) = before {
            let at = ([0.5 * length, 0.0, 0.0], [-0.5 * length, 0.0, 0.0]);
            let label = format!("ball {k}");
            done(world.join(&label, Ball, before.at(at.0), own.at(at.1)));
        }
        before = Some(own);
    }
    world
}

fn pile(n: usize) -> World {
    let mut world = floor(0.0, 0.5);
    let mut random = Random(3);
    for k in 0..n {
        let (layer, place) = (k / 9, k % 9);
        let at = [
            0.22 * (place % 3) as f64 + random.between(-0.05, 0.05),
            0.15 + 0.25 * layer as f64,
            0.22 * (place / 3) as f64 + random.between(-0.05, 0.05),
        ];
        let pose = Pose {
            position: at,
            rotation: quat_exp(random.vector(0.3)),
        };
        block(&mut world, [0.08; 3], 1.0, pose, 0.5);
    }
    world
}

/// A structure of the library dropped on a floor 0.2 m below it.
fn ladder(name: &str) -> World {
    let mut world = match linkwork_scene::scene(name) {
        Ok(world) => world,
        Err(error) => panic!("{error}"),
    };
    let is_support = |record: &ConstraintRecord| {
        let mut connectors = record.connectors().iter();
        connectors.any(|connector| connector.is_on(GROUND))
    };
    let supports = world.constraints().iter().filter(|own| is_support(own));
    let supports: Vec<ConstraintId> = supports.map(ConstraintRecord::id).collect();
    for support in supports {
        done(world.remove_constraint(support));
    }
    let ids: Vec<BodyId> = world
        .bodies()
        .iter()
        .map(linkwork::world::BodyRecord::id)
        .collect();
    let mut lowest = f64::INFINITY;
    for &id in &ids {
        let Ok(Some(pose)) = world.pose(id) else {
            continue;
        };
        lowest = lowest.min(pose.position[2]);
        let radius = 0.02;
        let collider = Collider::new(Shape::Capsule {
            half_length: 0.45,
            radius,
        });
        done(world.set_colliders(id, vec![collider]));
    }
    let up = Pose::turned(
        [0.0, 0.0, lowest - 0.7],
        [0.0, -std::f64::consts::FRAC_PI_2, 0.0],
    );
    let plane = Collider::new(Shape::Plane).placed(up);
    done(world.set_colliders(GROUND, vec![plane]));
    world
}
