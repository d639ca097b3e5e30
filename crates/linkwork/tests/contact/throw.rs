//! Random throws: one to four bodies of random shapes, some joined, limited or driven, above a floor.
//!
//! The same seed gives the same world everywhere. `bench/src/throws.rs` takes this file too, hence no `unwrap`.

use std::sync::Arc;

use linkwork::body::MassProperties;
use linkwork::collide::{Polyhedron, Shape};
use linkwork::connector::Connector;
use linkwork::constraint::{AngleLimit, AngleServo, ConeLimit, Constraint, DistanceLimit};
use linkwork::math::{
    Mat3, Vec3, add, complete_basis, cross, mat_t_vec, quat_exp, quat_to_matrix, scale, sub,
    sym_pack, transpose,
};
use linkwork::prelude::*;
use linkwork::world::Collider;

use crate::numbers::Random;

/// A world in which something has just been thrown.
pub(crate) struct Throw {
    pub(crate) world: World,
    /// For how many frames it is watched.
    pub(crate) n_frames: usize,
    /// Whether a motor may put energy in.
    pub(crate) is_driven: bool,
}

/// A body that was placed, and how it moves.
struct Placed {
    id: BodyId,
    position: Vec3,
    rotation: Mat3,
    /// All of it is within this distance of its center of mass.
    reach: f64,
    v: Vec3,
    omega: Vec3,
}

/// What a joint is made between: the ground, or a body before.
struct Joined<'a> {
    parent: Option<&'a Placed>,
    own: &'a Placed,
    at_world: Vec3,
    axis_world: Vec3,
}

/// The throw of a seed.
pub(crate) fn throw(seed: u64) -> Result<Throw, Error> {
    let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let n = 1 + random.below(4);
    let mut bodies: Vec<Placed> = vec![];
    let mut is_driven = false;
    for k in 0..n {
        let mut own = place(&mut world, &mut random, &bodies)?;
        let parent = match k {
            0 => None,
            _ => Some(&bodies[random.below(k)]),
        };
        // Of the bodies that follow others a half hangs on them, of all some hang on the ground.
        let (of_body, of_ground) = (random.chance(0.5), random.chance(0.12));
        match (parent.filter(|_| of_body), of_ground) {
            (None, false) => {
                own.v = random.vector(6.0);
                own.v[1] -= 2.0;
                own.omega = random.vector(15.0);
            }
            (parent, _) => is_driven |= join(&mut world, &mut random, parent, &mut own)?,
        }
        let [v, omega] = [own.v, own.omega];
        world.set_v(own.id, &[v[0], v[1], v[2], omega[0], omega[1], omega[2]])?;
        bodies.push(own);
    }
    surround(&mut world, &mut random, &bodies)?;
    Ok(Throw {
        world,
        n_frames: 20 + random.below(41),
        is_driven,
    })
}

/// A shape, the mass properties that go with it, and its reach.
fn shape(random: &mut Random) -> Result<(Shape, MassProperties, f64), Error> {
    let size = random.powers(-1.3, -0.4);
    let thin = size * random.powers(-1.0, 0.0);
    let mass = random.powers(-2.0, 2.0);
    let solid = match random.below(5) {
        0 => {
            let shape = Shape::Sphere { radius: size };
            let mass = Sphere { radius: size, mass }.mass_properties()?;
            (shape, mass, size)
        }
        1 => {
            let shape = Shape::Capsule {
                half_length: size,
                radius: thin,
            };
            let rod = Rod {
                length: 2.0 * (size + thin),
                radius: thin,
                mass,
            };
            (shape, rod.mass_properties()?, size + thin)
        }
        2 => {
            let half = [size, thin, size * random.powers(-0.7, 0.0)];
            let block = Cuboid {
                size: half.map(|half| 2.0 * half),
                mass,
            };
            let reach = linkwork::math::norm(half);
            (Shape::Box { half }, block.mass_properties()?, reach)
        }
        3 => {
            let (half_length, radius) = match random.chance(0.5) {
                true => (size, thin),
                false => (thin, size),
            };
            let shape = Shape::Cylinder {
                half_length,
                radius,
            };
            let solid = Cylinder {
                radius,
                length: 2.0 * half_length,
                mass,
            };
            (shape, solid.mass_properties()?, half_length.hypot(radius))
        }
        _ => hull(random, size, mass)?,
    };
    Ok(solid)
}

/// A hull of random points about the middle of its corners.
fn hull(random: &mut Random, size: f64, mass: f64) -> Result<(Shape, MassProperties, f64), Error> {
    let flat = random.powers(-0.7, 0.0);
    let n = 6 + random.below(10);
    let points: Vec<Vec3> = (0..n)
        .map(|_| {
            let [x, y, z] = random.direction();
            [size * x, size * flat * y, size * z]
        })
        .collect();
    let corners = Polyhedron::new(&points)?.vertices().to_vec();
    let part = 1.0 / corners.len() as f64;
    let middle = corners
        .iter()
        .fold([0.0; 3], |sum, &x| add(sum, scale(part, x)));
    let corners: Vec<Vec3> = corners.iter().map(|&x| sub(x, middle)).collect();
    // Three fifths of the moments of equal masses at the corners: those of a ball, if it were one.
    let mut inertia = [[0.0; 3]; 3];
    for x in &corners {
        for i in 0..3 {
            inertia[i][i] += 0.6 * mass * part * linkwork::math::dot(*x, *x);
            for j in 0..3 {
                inertia[i][j] -= 0.6 * mass * part * x[i] * x[j];
            }
        }
    }
    let own = MassProperties {
        mass,
        com_body: [0.0; 3],
        inertia_body: sym_pack(&inertia),
    };
    let reach = corners
        .iter()
        .fold(0.0f64, |most, x| most.max(linkwork::math::norm(*x)));
    let shape = Shape::Hull(Arc::new(Polyhedron::new(&corners)?));
    Ok((shape, own, reach))
}

/// Places a body clear of the floor and of all before it.
fn place(world: &mut World, random: &mut Random, before: &[Placed]) -> Result<Placed, Error> {
    let (shape, mass, reach) = shape(random)?;
    let rotation = quat_exp(random.vector(3.0));
    let mut away = 0.0;
    let position = loop {
        let from = match before.last() {
            None => [0.0; 3],
            Some(last) => last.position,
        };
        let step = match before.last() {
            None => 0.0,
            Some(last) => 1.02 * (last.reach + reach) + away,
        };
        let mut position = add(from, scale(step, random.direction()));
        position[1] = position[1].max(1.01 * reach + 0.3 * random.between(0.0, 1.0).powi(3));
        let is_clear = |other: &Placed| {
            let apart = sub(position, other.position);
            linkwork::math::norm(apart) > 1.01 * (reach + other.reach)
        };
        if before.iter().all(is_clear) {
            break position;
        }
        away += 0.1 * reach;
    };
    let mut collider = Collider::new(shape)
        .with_friction(random.coefficient(1.5))
        .with_restitution(random.coefficient(1.0));
    collider.with_joined = random.chance(0.2);
    let label = format!("body {}", before.len());
    let pose = Pose { position, rotation };
    let id = world.add_body_at(&label, RigidBody::new(mass), pose)?;
    world.set_colliders(id, vec![collider])?;
    Ok(Placed {
        id,
        position,
        rotation: quat_to_matrix(rotation),
        reach,
        v: [0.0; 3],
        omega: [0.0; 3],
    })
}

/// Joins a body to another or to the ground, moving as the joint allows; says whether a motor drives it.
fn join(
    world: &mut World,
    random: &mut Random,
    parent: Option<&Placed>,
    own: &mut Placed,
) -> Result<bool, Error> {
    let at_world = match parent {
        Some(parent) => {
            let part = random.between(0.3, 0.7);
            add(
                scale(part, parent.position),
                scale(1.0 - part, own.position),
            )
        }
        None => add(own.position, scale(1.2 * own.reach, random.direction())),
    };
    let axis_world = random.direction();
    let (carried, turned) = match parent {
        Some(parent) => {
            let arm = sub(at_world, parent.position);
            (add(parent.v, cross(parent.omega, arm)), parent.omega)
        }
        None => ([0.0; 3], [0.0; 3]),
    };
    let kind = random.below(3);
    let relative = match kind {
        0 => random.vector(10.0),
        _ => scale(random.between(-10.0, 10.0), axis_world),
    };
    own.omega = add(turned, relative);
    own.v = add(carried, cross(own.omega, sub(own.position, at_world)));
    let joined = Joined {
        parent,
        own,
        at_world,
        axis_world,
    };
    match kind {
        0 => ball(world, random, &joined).map(|()| false),
        _ => hinge(world, random, &joined),
    }
}

impl Joined<'_> {
    fn points(&self) -> [Connector; 2] {
        let on = |own: &Placed| {
            let arm = sub(self.at_world, own.position);
            own.id.at(mat_t_vec(&own.rotation, arm))
        };
        let parent = self.parent.map_or(GROUND.at(self.at_world), on);
        [parent, on(self.own)]
    }

    fn label(&self, kind: &str) -> String {
        format!("{kind} of {:?}", self.own.id)
    }

    /// Adds what bounds the joint, on frames that agree now.
    fn bound(
        &self,
        world: &mut World,
        kind: &str,
        constraint: impl Constraint,
    ) -> Result<(), Error> {
        let (y, z) = complete_basis(self.axis_world);
        let frame = transpose(&[self.axis_world, y, z]);
        let [a, b] = self.points();
        let sides = [world.frame_on(a, &frame)?, world.frame_on(b, &frame)?];
        world.add_constraint(&self.label(kind), constraint, &sides)?;
        Ok(())
    }
}

fn ball(world: &mut World, random: &mut Random, joined: &Joined<'_>) -> Result<(), Error> {
    let [a, b] = joined.points();
    let restitution = random.coefficient(1.0);
    match random.below(4) {
        // A rope in place of the joint, and slack: what moves as with the joint does not pull yet.
        0 => {
            let upper = random.between(0.02, 0.3);
            let rope = DistanceLimit {
                lower: f64::NEG_INFINITY,
                upper,
                restitution,
            };
            let label = joined.label("rope");
            world.add_constraint(&label, rope, &[a, b])?;
        }
        limited => {
            world.join(&joined.label("ball"), Ball, a, b)?;
            if limited > 1 {
                let cone = ConeLimit {
                    swing: random.between(0.1, 2.0),
                    lower: -random.between(0.1, 2.0),
                    upper: random.between(0.1, 2.0),
                    restitution,
                };
                joined.bound(world, "cone", cone)?;
            }
        }
    }
    Ok(())
}

fn hinge(world: &mut World, random: &mut Random, joined: &Joined<'_>) -> Result<bool, Error> {
    let [a, b] = joined.points();
    let axis_world = joined.axis_world;
    world.join(&joined.label("hinge"), Hinge { axis_world }, a, b)?;
    if random.chance(0.6) {
        let limit = AngleLimit {
            lower: -random.between(0.05, 2.0),
            upper: match random.chance(0.3) {
                true => f64::INFINITY,
                false => random.between(0.05, 2.0),
            },
            restitution: random.coefficient(1.0),
        };
        joined.bound(world, "limit", limit)?;
    }
    let most = random.powers(-2.0, 2.0);
    let (servo, is_driven) = match random.below(6) {
        0 => (AngleServo::speed(random.between(-10.0, 10.0), most), true),
        1 => {
            let sine = Sine {
                amplitude: random.between(0.1, 1.5),
                frequency: random.between(0.2, 3.0),
                phase: 0.0,
                offset: 0.0,
            };
            let gain = random.between(1.0, 40.0);
            (AngleServo::position(sine, gain, most), true)
        }
        2 => (AngleServo::friction(most), false),
        3 => (AngleServo::one_way(random.chance(0.5)), false),
        _ => return Ok(false),
    };
    joined.bound(world, "servo", servo)?;
    Ok(is_driven)
}

/// The floor, and sometimes a wall beyond all bodies.
fn surround(world: &mut World, random: &mut Random, bodies: &[Placed]) -> Result<(), Error> {
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut plane = |pose: Pose| {
        Collider::new(Shape::Plane)
            .placed(pose)
            .with_friction(random.coefficient(1.5))
            .with_restitution(random.coefficient(1.0))
    };
    let mut all = vec![plane(Pose::turned([0.0; 3], [0.0, 0.0, quarter]))];
    let beyond = bodies.iter().fold(0.0f64, |most, body| {
        most.max(body.position[0] + 1.05 * body.reach)
    });
    let wall = plane(Pose::turned(
        [beyond + 0.1, 0.0, 0.0],
        [0.0, 0.0, 2.0 * quarter],
    ));
    if random.chance(0.4) {
        all.push(wall);
    }
    world.set_colliders(GROUND, all)
}
