//! Typed pools and traits: the same formulas, the same numbers, each connector evaluated once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use linkwork::body::{Body, Kinematic, Momentum, PlanarBody, SineMotion};
use linkwork::connector::Site;
use linkwork::connector::{ConnectorKind, ConnectorMut, Input};
use linkwork::constraint::{Constraint, FramePair, RowUnit, Rows};
use linkwork::math::Vec3;
use linkwork::prelude::*;
use linkwork::system::Motion;

use crate::dense::largest;
use crate::random_world::{Random, rigid};

/// A rigid body that does not say so, and counts how often its connectors are evaluated.
#[derive(Debug)]
struct Disguised {
    body: RigidBody,
    evaluations: Arc<AtomicUsize>,
}

impl Body for Disguised {
    fn n_q(&self) -> usize {
        self.body.n_q()
    }
    fn n_v(&self) -> usize {
        self.body.n_v()
    }
    fn validate(&self) -> Result<(), Error> {
        self.body.validate()
    }
    fn initial_q(&self, q: &mut [f64]) {
        self.body.initial_q(q);
    }
    fn check_q(&self, q: &mut [f64]) -> Result<(), Error> {
        self.body.check_q(q)
    }
    fn mass(&self, q: &[f64], mass: &mut [f64]) {
        self.body.mass(q, mass);
    }
    fn inertial_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.body.inertial_force(q, v, f);
    }
    fn free_flight(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        self.body.free_flight(q, v, h, dq);
    }
    fn chart_rate(&self, dq: &[f64], v: &[f64], rate: &mut [f64]) {
        self.body.chart_rate(dq, v, rate);
    }
    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.body.internal_force(q, v, f);
    }
    fn uniform_field(&self, q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        self.body.uniform_field(q, acceleration_world, f);
    }
    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        self.body.center_of_mass(q)
    }
    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        self.body.momentum(q, v)
    }
    fn displace(&self, q: &mut [f64], dq: &[f64]) {
        self.body.displace(q, dq);
    }
    fn pose(&self, t: f64, q: &[f64]) -> Option<Pose> {
        self.body.pose(t, q)
    }
    fn q_from_pose(&self, pose: &Pose, q: &mut [f64]) -> Result<(), Error> {
        self.body.q_from_pose(pose, q)
    }
    fn offers(&self) -> &'static str {
        self.body.offers()
    }
    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        self.body.connector_kind(site)
    }
    fn connector(&self, site: &Site, t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.body.connector(site, t, q, v, out);
    }
}

/// A frame pair that does not say so.
#[derive(Debug)]
struct Plain(FramePair);

impl Constraint for Plain {
    fn inputs(&self) -> &[ConnectorKind] {
        self.0.inputs()
    }
    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        self.0.inputs_in_plane()
    }
    fn rows(&self) -> &[RowUnit] {
        self.0.rows()
    }
    fn rows_in_plane(&self) -> &[RowUnit] {
        self.0.rows_in_plane()
    }
    fn validate(&self) -> Result<(), Error> {
        self.0.validate()
    }
    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        self.0.eval(t, inputs, out);
    }
}

const PAIRS: [FramePair; 9] = [
    FramePair::ball(),
    FramePair::hinge(),
    FramePair::universal(),
    FramePair::cylindrical(),
    FramePair::prismatic(),
    FramePair::planar(),
    FramePair::point_in_slot(),
    FramePair::point_on_plane(),
    FramePair::weld(),
];

/// A tree of rigid bodies with one loop; with or without typed bodies and pairs.
fn world(pair: FramePair, typed_bodies: bool, typed_pairs: bool) -> World {
    let mut random = Random::new(11);
    let mut world = World::with_gravity([0.0, -1.0, -9.81]).unwrap();
    let mut ids = vec![GROUND];
    for i in 0..5 {
        let body = rigid(&mut random);
        let pose = Pose::turned(random.vector(1.0), random.vector(0.3));
        let label = format!("body {i}");
        let evaluations = Arc::default();
        let id = if typed_bodies {
            world.add_body_at(&label, body, pose)
        } else {
            world.add_body_at(&label, Disguised { body, evaluations }, pose)
        };
        world
            .set_v(id.clone().unwrap(), &random.numbers(6, 1.0))
            .unwrap();
        ids.push(id.unwrap());
    }
    let links = [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (3, 5)];
    for (n, (a, b)) in links.into_iter().enumerate() {
        // The last closes a loop by one row, for which welds leave no room.
        let pair = match n {
            5 if pair == FramePair::weld() => continue,
            5 => FramePair::point_on_plane(),
            _ => pair,
        };
        let site = |body: BodyId, kind: ConnectorKind, random: &mut Random| match kind {
            ConnectorKind::Point3 => body.at(random.vector(0.4)),
            _ => body.frame_along(random.vector(0.4), [1.0, 0.2, 0.1]),
        };
        let at = [
            site(ids[a], pair.inputs()[0], &mut random),
            site(ids[b], pair.inputs()[1], &mut random),
        ];
        let label = format!("link {n}");
        if typed_pairs {
            world.add_constraint(&label, pair, &at).unwrap();
        } else {
            world.add_constraint(&label, Plain(pair), &at).unwrap();
        }
    }
    world
}

#[test]
fn typed_pools_and_traits_give_the_same_motion() {
    for pair in PAIRS {
        let typed = world(pair, true, true);
        for (typed_bodies, typed_pairs) in [(true, false), (false, true), (false, false)] {
            let plain = world(pair, typed_bodies, typed_pairs);
            for motion in [Motion::Acceleration, Motion::Velocity, Motion::Displacement] {
                let (mut a, mut b) = (Simulator::new(), Simulator::new());
                for method in Method::ALL {
                    a.prepare(&typed, motion, method);
                    b.prepare(&plain, motion, method);
                    compare(a.system().force(), b.system().force(), 1e-14, "force");
                    compare(a.system().c(), b.system().c(), 1e-14, "c");
                    compare(a.system().c_dot(), b.system().c_dot(), 1e-13, "ċ");
                    let (ja, jb) = (a.system().jacobian_matrix(), b.system().jacobian_matrix());
                    compare(&ja, &jb, 1e-14, "J");
                    let (a, b) = (a.solve_prepared(), b.solve_prepared());
                    compare(&a.motion, &b.motion, 1e-11, method.name());
                    assert_eq!(a.outcome, b.outcome);
                }
            }
        }
    }
}

/// Bodies of the plane on the ground, on a body that moves as prescribed and on each other: branches,
/// loops, a hub, a slider among the pins, a soft pin; with or without typed pins.
fn plane(typed: bool) -> World {
    let mut random = Random::new(17);
    let mut world = World::with_gravity([0.3, -9.81, 0.0]).unwrap();
    let swing = SineMotion {
        middle: Pose::in_plane([0.2, 0.1], 0.0),
        amplitude_world: [0.3, 0.4, 0.0],
        swing_world: [0.0; 3],
        frequency: 2.0,
        phase: 0.3,
    };
    let shaker = world.add_body("shaker", Kinematic::new(swing)).unwrap();
    let mut ids = vec![GROUND, shaker];
    for i in 0..12 {
        let body = PlanarBody {
            mass: 1.0 + 0.1 * f64::from(i),
            inertia: 0.2,
            com_body: [0.1, -0.2],
            outline: None,
        };
        let id = world.add_body(&format!("body {i}"), body).unwrap();
        world.set_q(id, &random.numbers(3, 1.0)).unwrap();
        world.set_v(id, &random.numbers(3, 1.0)).unwrap();
        ids.push(id);
    }
    let links = [
        (0, 2),
        (2, 3),
        (4, 3),
        (3, 5),
        (1, 6),
        (6, 7),
        (7, 8),
        (8, 0),
        (8, 9),
        (10, 9),
        (10, 7),
        (9, 11),
        (11, 12),
        (12, 13),
        (9, 13),
    ];
    for (n, (a, b)) in links.into_iter().enumerate() {
        let mut at = || {
            let p = random.numbers(2, 0.5);
            [p[0], p[1]]
        };
        let points = match a {
            1 => [shaker.at([0.0, 0.0]), ids[b].at(at())],
            _ => [ids[a].at(at()), ids[b].at(at())],
        };
        let label = format!("link {n}");
        let pin = match n {
            12 => world.add_constraint(
                &label,
                FramePair::point_in_slot(),
                &[ids[a].frame2(at(), 0.4), ids[b].at(at())],
            ),
            _ if typed => world.add_constraint(&label, FramePair::ball(), &points),
            _ => world.add_constraint(&label, Plain(FramePair::ball()), &points),
        };
        if n == 3 {
            world.set_compliance(pin.unwrap(), &[1e-3, 2e-3]).unwrap();
        }
    }
    world
}

#[test]
fn typed_pins_and_traits_give_the_same_motion() {
    let (typed, plain) = (plane(true), plane(false));
    for motion in [
        Motion::Acceleration,
        Motion::Velocity,
        Motion::Displacement,
        Motion::Flow,
    ] {
        let (mut a, mut b) = (Simulator::new(), Simulator::new());
        for method in Method::ALL {
            a.prepare(&typed, motion, method);
            b.prepare(&plain, motion, method);
            compare(a.system().force(), b.system().force(), 1e-14, "force");
            compare(a.system().c(), b.system().c(), 1e-14, "c");
            compare(a.system().c_dot(), b.system().c_dot(), 1e-14, "ċ");
            let (ja, jb) = (a.system().jacobian_matrix(), b.system().jacobian_matrix());
            compare(&ja, &jb, 1e-14, "J");
            compare(
                &a.system().mass_matrix(),
                &b.system().mass_matrix(),
                0.0,
                "M",
            );
            let (a, b) = (a.solve_prepared(), b.solve_prepared());
            compare(&a.motion, &b.motion, 1e-11, method.name());
            compare(&a.lambda, &b.lambda, 1e-10, method.name());
            assert_eq!(a.outcome, b.outcome);
        }
    }
}

fn compare(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    let size = largest(a).max(1.0);
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * size, "{what}: {a} and {b}");
    }
}

#[test]
fn a_shared_connector_is_evaluated_once() {
    let evaluations = Arc::new(AtomicUsize::new(0));
    let mut random = Random::new(3);
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let hub = Disguised {
        body: rigid(&mut random),
        evaluations: Arc::clone(&evaluations),
    };
    let hub = world.add_body("hub", hub).unwrap();
    // Two sites, one of them shared by three joints, a distance and a spring.
    let (shared, own) = (hub.at([0.3, 0.0, 0.0]), hub.at([-0.3, 0.0, 0.0]));
    for i in 0..3 {
        let pose = Pose::at(random.vector(1.0));
        let arm = world.add_body_at(&format!("arm {i}"), rigid(&mut random), pose);
        let end = arm.unwrap().at([0.1, 0.0, 0.0]);
        world
            .add_constraint(&format!("joint {i}"), FramePair::ball(), &[shared, end])
            .unwrap();
    }
    let anchor = GROUND.at([0.0, 1.0, 0.0]);
    let distance = Distance { length: 1.0 };
    world
        .add_constraint("rope", distance, &[anchor, shared])
        .unwrap();
    let spring = Spring {
        stiffness: 10.0,
        rest_length: 0.5,
        damping: 0.1,
    };
    world
        .add_behavior("spring", spring, &[shared, own])
        .unwrap();
    let mut simulator = Simulator::new();
    simulator.accelerations(&world, Method::Direct);
    for method in Method::ALL {
        evaluations.store(0, Ordering::Relaxed);
        simulator.accelerations(&world, method);
        assert_eq!(evaluations.load(Ordering::Relaxed), 2, "{}", method.name());
    }
}
