//! Random worlds: mixed bodies, random trees, extra constraints, generic poses and velocities.

#![allow(dead_code)] // Not every binary uses everything.

#[path = "numbers.rs"]
mod numbers;

pub(crate) use numbers::Random;

use linkwork::body::{MassProperties, PlanarBody, Sheet, SineMotion, Troid};
use linkwork::connector::{Connector, Site};
use linkwork::constraint::{
    CircleTrajectory, Constraint, DistanceDrive, EllipsoidSurface, FramePair, KnifeEdge,
    PointOnSurface, PointOnTrajectory, RollingBall, ScalarEquals, SpinRelation,
};
use linkwork::math::{mat_mul, mat_t_mul, quat_to_matrix, rotation_exp};
use linkwork::prelude::*;

/// What a body can be held by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Rigid,
    Particle,
    Planar,
    Troid,
    Moved,
}

/// A body of a random world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) id: BodyId,
    pub(crate) kind: Kind,
}

/// A rigid body with any center of mass and any inertia.
pub(crate) fn rigid(random: &mut Random) -> RigidBody {
    let mass = random.between(0.3, 3.0);
    let parts: Vec<(MassProperties, Pose)> = (0..3)
        .map(|_| {
            let moments = [0.02, 0.03, 0.04].map(|m| m * mass * random.between(0.9, 1.1));
            let part = MassProperties::centered(mass / 3.0, moments);
            (part, Pose::turned(random.vector(0.3), random.vector(1.0)))
        })
        .collect();
    RigidBody::new(MassProperties::combine(&parts).unwrap())
}

/// A random world under gravity: bodies in a random forest, and `n_extra` more constraints.
pub(crate) fn world(seed: u64, n_bodies: usize, n_extra: usize) -> World {
    let mut builder = Builder::new(seed);
    for i in 0..n_bodies {
        builder.body(i);
    }
    let mut n = 0;
    for i in 0..builder.parts.len() {
        let other = builder.holder(i);
        builder.hold(&format!("hold {n}"), builder.parts[i], other);
        n += 1;
    }
    for _ in 0..n_extra {
        let i = builder.random.below(builder.parts.len());
        let other = builder.other(i);
        builder.hold(&format!("hold {n}"), builder.parts[i], other);
        n += 1;
    }
    builder.world
}

pub(crate) struct Builder {
    pub(crate) world: World,
    pub(crate) random: Random,
    pub(crate) parts: Vec<Part>,
    moved: Option<BodyId>,
}

impl Builder {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut world = World::with_gravity([0.3, -0.5, -9.81]).unwrap();
        let moved = random.below(2) == 0;
        let moved = moved.then(|| {
            let motion = SineMotion {
                middle: Pose::turned([0.5, 0.2, 0.0], [0.1, 0.2, 0.3]),
                amplitude_world: [0.2, 0.1, 0.05],
                swing_world: [0.2, 0.3, 0.1],
                frequency: 0.7,
                phase: 0.4,
            };
            world.add_body("moved", Kinematic::new(motion)).unwrap()
        });
        world.set_time(0.3).unwrap();
        Self {
            world,
            random,
            parts: vec![],
            moved,
        }
    }

    fn body(&mut self, i: usize) {
        let random = &mut self.random;
        let label = format!("body {i}");
        let pose = Pose::turned(random.vector(1.5), random.vector(1.0));
        let flat = Pose::in_plane(
            [random.between(-1.5, 1.5), random.between(-1.5, 1.5)],
            random.between(-1.0, 1.0),
        );
        let (id, kind) = match random.below(8) {
            0..=3 => {
                let body = rigid(random);
                let id = self.world.add_body_at(&label, body, pose).unwrap();
                (id, Kind::Rigid)
            }
            4 => {
                let mass = random.between(0.3, 3.0);
                let id = self
                    .world
                    .add_body_at(&label, Particle { mass }, Pose::at(pose.position));
                (id.unwrap(), Kind::Particle)
            }
            5 | 6 => {
                let body = PlanarBody {
                    mass: random.between(0.3, 3.0),
                    inertia: random.between(0.05, 0.5),
                    com_body: [random.between(-0.2, 0.2), random.between(-0.2, 0.2)],
                    outline: None,
                };
                let id = self.world.add_body_at(&label, body, flat).unwrap();
                (id, Kind::Planar)
            }
            _ => {
                let troid = Troid {
                    outline: None,
                    sheet: Sheet::rectangle([0.8, 0.6], random.between(0.3, 3.0)).unwrap(),
                    stiffness: 20.0,
                    area_stiffness: 10.0,
                    damping: 0.2,
                };
                let id = self.world.add_body_at(&label, troid, flat).unwrap();
                let mut q = self.world.q(id).unwrap().to_vec();
                for q in &mut q[2..] {
                    *q += random.between(-0.1, 0.1);
                }
                self.world.set_q(id, &q).unwrap();
                (id, Kind::Troid)
            }
        };
        let n_v = self.world.v(id).unwrap().len();
        let v = random.numbers(n_v, 1.0);
        self.world.set_v(id, &v).unwrap();
        self.parts.push(Part { id, kind });
    }

    /// An earlier body in the same space as part `i`, or something that stands.
    fn holder(&mut self, i: usize) -> Part {
        let earlier = self.parts[..i].to_vec();
        self.choose(&earlier, self.parts[i])
    }

    fn other(&mut self, i: usize) -> Part {
        let mut others = self.parts.clone();
        others.remove(i);
        self.choose(&others, self.parts[i])
    }

    fn choose(&mut self, among: &[Part], part: Part) -> Part {
        let flat = |kind: Kind| matches!(kind, Kind::Planar | Kind::Troid);
        let fitting: Vec<Part> = among
            .iter()
            .copied()
            .filter(|other| flat(other.kind) == flat(part.kind))
            .collect();
        let ground = Part {
            id: self
                .moved
                .filter(|_| self.random.below(2) == 0)
                .unwrap_or(GROUND),
            kind: Kind::Moved,
        };
        if fitting.is_empty() || self.random.below(5) == 0 {
            return ground;
        }
        fitting[self.random.below(fitting.len())]
    }

    fn point(&mut self, part: Part) -> Connector {
        match part.kind {
            Kind::Particle => part.id.at([0.0; 3]),
            Kind::Rigid | Kind::Moved => part.id.at(self.random.vector(0.6)),
            Kind::Planar | Kind::Troid => self.point2(part),
        }
    }

    fn point2(&mut self, part: Part) -> Connector {
        let p = self.random.vector(0.6);
        part.id.at([p[0], p[1]])
    }

    fn rotation(&self, id: BodyId) -> [[f64; 3]; 3] {
        let pose = self.world.pose(id).unwrap().unwrap();
        quat_to_matrix(pose.rotation)
    }

    /// Two frames whose axes nearly agree in the world.
    fn frames(&mut self, a: Part, b: Part) -> [Connector; 2] {
        let rot_world = rotation_exp(self.random.vector(2.0));
        let off = mat_mul(&rot_world, &rotation_exp(self.random.vector(0.2)));
        let (rot_a, rot_b) = (self.rotation(a.id), self.rotation(b.id));
        [
            a.id.frame(self.random.vector(0.5), mat_t_mul(&rot_a, &rot_world)),
            b.id.frame(self.random.vector(0.5), mat_t_mul(&rot_b, &off)),
        ]
    }

    fn frame2(&mut self, part: Part) -> Connector {
        let p = self.random.vector(0.5);
        part.id.frame2([p[0], p[1]], p[2])
    }

    fn sine(&mut self) -> Sine {
        Sine {
            amplitude: self.random.between(0.1, 0.4),
            frequency: self.random.between(0.2, 1.0),
            phase: 0.3,
            offset: self.random.between(0.5, 1.0),
        }
    }

    fn add(&mut self, label: &str, constraint: impl Constraint + 'static, at: &[Connector]) {
        self.world.add_constraint(label, constraint, at).unwrap();
    }

    /// Adds one constraint of 1 to 6 rows between two parts, whatever fits them.
    pub(crate) fn hold(&mut self, label: &str, part: Part, other: Part) {
        match (part.kind, other.kind) {
            (Kind::Planar | Kind::Troid, _) => self.hold_flat(label, part, other),
            (Kind::Particle, _) | (_, Kind::Particle) => self.hold_point(label, part, other),
            _ => self.hold_frames(label, part, other),
        }
    }

    fn hold_point(&mut self, label: &str, part: Part, other: Part) {
        let (a, b) = (self.point(other), self.point(part));
        let frame_on = if other.kind == Kind::Particle {
            part
        } else {
            other
        };
        let (frame, point) = if other.kind == Kind::Particle {
            (b, a)
        } else {
            (a, b)
        };
        let can_frame = frame_on.kind != Kind::Particle;
        match self.random.below(5) {
            0 if part.kind == Kind::Particle && other.kind == Kind::Moved => {
                let trajectory = CircleTrajectory {
                    center_world: self.random.vector(0.5),
                    axis_world: [0.2, 0.3, 1.0],
                    radius: 0.7,
                    frequency: 0.5,
                    phase: 0.2,
                };
                self.add(label, PointOnTrajectory::new(trajectory), &[b]);
            }
            1 => self.add(label, FramePair::ball(), &[a, b]),
            2 => self.add(label, Distance { length: 1.0 }, &[a, b]),
            3 if can_frame => {
                let frame = self.as_frame(frame);
                self.add(label, FramePair::point_on_plane(), &[frame, point]);
            }
            4 if can_frame => {
                let frame = self.as_frame(frame);
                self.add(label, FramePair::point_in_slot(), &[frame, point]);
            }
            _ => {
                let function = self.sine();
                self.add(label, DistanceDrive::new(function), &[a, b]);
            }
        }
    }

    fn as_frame(&mut self, connector: Connector) -> Connector {
        let Some((body, Site::Point(origin))) = connector.place() else {
            return connector;
        };
        body.frame(origin, rotation_exp(self.random.vector(1.0)))
    }

    fn hold_frames(&mut self, label: &str, part: Part, other: Part) {
        let at = self.frames(other, part);
        let point = self.point(part);
        match self.random.below(17) {
            0 => {
                let points = [self.point(other), point];
                self.add(label, FramePair::ball(), &points);
            }
            1 => self.add(label, FramePair::hinge(), &at),
            2 => self.add(label, FramePair::universal(), &at),
            3 => self.add(label, FramePair::cylindrical(), &at),
            4 => self.add(label, FramePair::prismatic(), &at),
            5 => self.add(label, FramePair::planar(), &at),
            6 => self.add(label, FramePair::point_in_slot(), &[at[0], point]),
            7 => self.add(label, FramePair::point_on_plane(), &[at[0], point]),
            8 => self.add(label, FramePair::weld(), &at),
            9 => {
                let points = [self.point(other), point];
                self.add(label, Distance { length: 1.0 }, &points);
            }
            10 => self.add(label, Screw { pitch: 0.3 }, &at),
            11 => {
                let function = self.sine();
                self.add(label, AngleDrive::new(function), &at);
            }
            12 => {
                let function = self.sine();
                self.add(label, LengthDrive::new(function), &[at[0], point]);
            }
            13 => self.add(label, RollingBall { radius: 0.4 }, &at),
            14 => self.add(label, KnifeEdge, &at[1..]),
            15 => {
                let third = self
                    .parts
                    .iter()
                    .copied()
                    .find(|p| p.kind == Kind::Rigid && p.id != part.id && p.id != other.id);
                match third {
                    Some(third) => {
                        let [c, _] = self.frames(third, part);
                        let [a, b] = at;
                        self.add(label, SpinRelation::gear(2.0, 3.0), &[b, c, a]);
                    }
                    None => self.add(label, SpinRelation::new(&[2.0]), &[at[1], at[0]]),
                }
            }
            _ => {
                let surface = EllipsoidSurface {
                    semi_axes: [0.7, 0.9, 1.1],
                };
                self.add(label, PointOnSurface::new(surface), &[at[0], point]);
            }
        }
    }

    fn hold_flat(&mut self, label: &str, part: Part, other: Part) {
        // Moved bodies and troids have points only; the ground has frames too.
        let framed = |part: Part| part.kind == Kind::Planar || part.id == GROUND;
        let (a, b) = (self.point2(other), self.point2(part));
        let both = framed(part) && framed(other);
        match self.random.below(9) {
            0 | 1 => self.add(label, FramePair::ball(), &[a, b]),
            2 => self.add(label, Distance { length: 1.0 }, &[a, b]),
            3 if part.kind == Kind::Troid => {
                let area = part.id.scalar(Troid::AREA);
                self.add(label, ScalarEquals::area(0.5), &[area]);
            }
            4 if both => {
                let at = [self.frame2(other), self.frame2(part)];
                let pair = [
                    FramePair::weld(),
                    FramePair::prismatic(),
                    FramePair::parallel(),
                ];
                let pair = pair[self.random.below(3)];
                self.add(label, pair, &at);
            }
            5 if framed(other) => {
                let at = [self.frame2(other), b];
                self.add(label, FramePair::point_in_slot(), &at);
            }
            6 if both => {
                let at = [self.frame2(other), self.frame2(part)];
                let function = self.sine();
                self.add(label, AngleDrive::new(function), &at);
            }
            7 if part.kind == Kind::Planar => {
                let at = [self.frame2(part)];
                self.add(label, KnifeEdge, &at);
            }
            _ => {
                let function = self.sine();
                self.add(label, DistanceDrive::new(function), &[a, b]);
            }
        }
    }
}
