//! Action and reaction, and the equations of motion of each body under what is reported.

use super::*;
use crate::body::Body;
use crate::connector::{Connector, ConnectorKind, Input};
use crate::constraint::{
    BallOnPlane, Constant, Constraint, Coupling, DiscOnPlane, DistanceDrive, FramePair,
    JointCoordinate, PointOnSurface, PushedAlong, RollingBall, RollingDisc, RowUnit, Rows,
    SphereSurface, SpinRelation, Tangency,
};
use crate::error::Error;
use crate::math::{add, cross, dot, scale, sub, sym_vec};
use crate::output::About;
use crate::solve::Outcome;

/// Two directions stay perpendicular: `c = d_a·d_b`.
#[derive(Clone, Copy, Debug)]
struct Perpendicular;

impl Constraint for Perpendicular {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Direction3; 2]
    }
    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Number]
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let [a, b] = [&inputs[0], &inputs[1]];
        out.c[0] = dot(a.position(), b.position());
        out.c_dot[0] = dot(a.velocity(), b.position()) + dot(a.position(), b.velocity());
        out.gamma[0] = 2.0 * dot(a.velocity(), b.velocity());
        out.dc_dx(0).set3(0, 0, b.position());
        out.dc_dx(1).set3(0, 0, a.position());
    }
}

/// Joints whose two points meet. While open they push on different places, and so turn the pair.
fn closed() -> Vec<(FramePair, bool)> {
    vec![
        (FramePair::ball(), false),
        (FramePair::hinge(), false),
        (FramePair::universal(), false),
        (FramePair::weld(), false),
        (FramePair::ball(), true),
        (FramePair::weld(), true),
    ]
}

/// All other constraints between bodies in space: in balance wherever the bodies are.
fn in_space() -> Vec<Box<dyn Constraint>> {
    let sphere = SphereSurface { radius: 0.2 };
    let still = Constant { value: 0.4 };
    vec![
        Box::new(FramePair::cylindrical()),
        Box::new(FramePair::prismatic()),
        Box::new(FramePair::planar()),
        Box::new(FramePair::point_in_slot()),
        Box::new(FramePair::point_on_plane()),
        Box::new(Screw { pitch: 0.1 }),
        Box::new(Distance { length: 0.5 }),
        Box::new(PointOnSurface::new(sphere)),
        Box::new(Tangency::new(sphere, sphere)),
        Box::new(BallOnPlane { radius: 0.2 }),
        Box::new(DiscOnPlane { radius: 0.2 }),
        Box::new(RollingBall { radius: 0.2 }),
        Box::new(RollingDisc { radius: 0.2 }),
        Box::new(AngleDrive::new(still)),
        Box::new(LengthDrive::new(still)),
        Box::new(DistanceDrive::new(still)),
        Box::new(PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [1.0, 0.3, -0.2],
        }),
        Box::new(SpinRelation::differential()),
        Box::new(Coupling::of_angles(2.0, 0.1)),
        Box::new(Coupling::new(
            JointCoordinate::Angle,
            JointCoordinate::Length,
            &[0.0, 0.3],
        )),
        Box::new(Perpendicular),
    ]
}

/// All other constraints between bodies in the plane.
fn in_plane() -> Vec<Box<dyn Constraint>> {
    let still = Constant { value: 0.4 };
    vec![
        Box::new(FramePair::prismatic()),
        Box::new(FramePair::point_in_slot()),
        Box::new(FramePair::parallel()),
        Box::new(Distance { length: 0.5 }),
        Box::new(AngleDrive::new(still)),
        Box::new(LengthDrive::new(still)),
        Box::new(DistanceDrive::new(still)),
        Box::new(SpinRelation::new(&[2.0, 3.0])),
    ]
}

/// A connector of the kind asked for, somewhere on a body.
fn connector(body: BodyId, kind: ConnectorKind, next: &mut impl FnMut() -> f64) -> Connector {
    match kind {
        ConnectorKind::Point3 => body.at(scatter3(next)),
        ConnectorKind::Frame3 => body.frame_along(scatter3(next), scatter3(next)),
        ConnectorKind::Direction3 => body.direction(scatter3(next)),
        ConnectorKind::Point2 => body.at([next(), next()]),
        ConnectorKind::Frame2 => body.frame2([next(), next()], next()),
        ConnectorKind::Scalar | ConnectorKind::Vector(_) => {
            unreachable!("numbers have no wrench")
        }
    }
}

#[test]
fn what_acts_on_the_parts_of_a_constraint_is_in_balance() {
    let n_closed = closed().len();
    let closed = closed().into_iter();
    let closed =
        closed.map(|(pair, plane)| -> (Box<dyn Constraint>, _) { (Box::new(pair), plane) });
    let in_space = in_space().into_iter().map(|constraint| (constraint, false));
    let in_plane = in_plane().into_iter().map(|constraint| (constraint, true));
    let all = closed.chain(in_space).chain(in_plane);
    for (seed, (constraint, plane)) in all.enumerate() {
        let mut next = scatter(seed);
        let mut world = World::new();
        let name = format!("{constraint:?}, in the plane: {plane}");
        let kinds = constraint.inputs_of(plane).to_vec();
        let mut connectors = vec![];
        for (k, kind) in kinds.iter().enumerate() {
            let label = format!("part {k}");
            let flat = matches!(kind, ConnectorKind::Point2 | ConnectorKind::Frame2);
            let body = if flat {
                let rod = PlanarRod {
                    length: 1.0,
                    mass: 1.0,
                };
                let pose = Pose::in_plane([next(), next()], next());
                world.add_body_at(&label, rod, pose)
            } else {
                let pose = Pose::turned(scatter3(&mut next), scatter3(&mut next));
                world.add_body_at(&label, odd_body(1.0), pose)
            };
            connectors.push(connector(body.unwrap(), *kind, &mut next));
        }
        if seed < n_closed {
            let [a, b] = [0, 1].map(|k| world.position_world(&connectors[k]).unwrap());
            let mut pose = world.pose(connectors[1].body().unwrap()).unwrap().unwrap();
            pose.position = add(pose.position, sub(a, b));
            world.set_pose(connectors[1].body().unwrap(), pose).unwrap();
        }
        let joint = world
            .add_shared_constraint("joint", constraint.into(), &connectors)
            .unwrap();
        let lambda: Vec<f64> = world.state().lambda.iter().map(|_| next()).collect();
        let point = scatter3(&mut next);
        let (mut force, mut torque, mut size) = ([0.0; 3], [0.0; 3], 0.0);
        for k in 0..kinds.len() {
            let options = ReactionOptions {
                about: About::PointWorld(point),
                ..on(k)
            };
            let part = world.reaction(joint, &lambda, options).unwrap();
            (force, torque) = (add(force, part.force), add(torque, part.torque));
            size += dot(part.force, part.force) + dot(part.torque, part.torque);
        }
        assert!(size > 1e-3, "{name}: nothing acts");
        assert_close(&format!("force of {name}"), &force, &[0.0; 3], 1e-13);
        assert_close(&format!("torque of {name}"), &torque, &[0.0; 3], 1e-12);
    }
}

/// A loop of odd bodies in motion, with a third connection of each remaining kind across.
fn moving_loop() -> World {
    let mut next = scatter(77);
    let mut world = under_gravity();
    let bodies: Vec<BodyId> = (0..4)
        .map(|k| {
            let pose = Pose::turned([k as f64, 0.3, 0.0], scatter3(&mut next));
            let body = odd_body(1.0 + k as f64);
            let id = world.add_body_at(&format!("body {k}"), body, pose).unwrap();
            let v: Vec<f64> = (0..6).map(|_| next()).collect();
            world.set_v(id, &v).unwrap();
            id
        })
        .collect();
    let mut join = |a: BodyId, b: BodyId, constraint: Box<dyn Constraint>| {
        let label = format!("{} {}: {constraint:?}", a.number(), b.number());
        let kinds = constraint.inputs().to_vec();
        let ends = [(a, kinds[0]), (b, kinds[1])].map(|(id, kind)| connector(id, kind, &mut next));
        world
            .add_shared_constraint(&label, constraint.into(), &ends)
            .unwrap();
    };
    join(GROUND, bodies[0], Box::new(FramePair::hinge()));
    join(bodies[0], bodies[1], Box::new(FramePair::cylindrical()));
    join(bodies[1], bodies[2], Box::new(FramePair::universal()));
    join(bodies[2], bodies[3], Box::new(FramePair::prismatic()));
    join(bodies[3], bodies[0], Box::new(FramePair::point_in_slot()));
    join(bodies[1], bodies[3], Box::new(Perpendicular));
    join(bodies[0], bodies[2], Box::new(Distance { length: 1.0 }));
    world
}

#[test]
fn reported_forces_and_accelerations_obey_newton_and_euler() {
    let world = moving_loop();
    let solution = solve(&world);
    assert_eq!(solution.outcome, Outcome::Exact);
    let state = world.state();
    for record in world.bodies() {
        let rigid = record.body().as_rigid().unwrap();
        let (mass, com) = rigid.center_of_mass(&state.q[record.q_range()]);
        let inertia = rigid.state(&state.q[record.q_range()]).inertia_world;
        let (mut force, mut torque) = ([0.0, -mass * G, 0.0], [0.0; 3]);
        for constraint in world.constraints() {
            for (k, end) in constraint.connectors().iter().enumerate() {
                if end.is_on(record.id()) {
                    let options = ReactionOptions {
                        about: About::PointWorld(com),
                        ..on(k)
                    };
                    let part = world.reaction(constraint.id(), &solution.lambda, options);
                    let part = part.unwrap();
                    (force, torque) = (add(force, part.force), add(torque, part.torque));
                }
            }
        }
        let v = world.v(record.id()).unwrap();
        let v_dot = solution.of_body(&world, record.id()).unwrap();
        let (omega, alpha) = ([v[3], v[4], v[5]], [v_dot[3], v_dot[4], v_dot[5]]);
        let acceleration = scale(mass, [v_dot[0], v_dot[1], v_dot[2]]);
        let euler = add(
            sym_vec(&inertia, alpha),
            cross(omega, sym_vec(&inertia, omega)),
        );
        assert_close(record.label(), &force, &acceleration, 1e-8);
        assert_close(record.label(), &torque, &euler, 1e-8);
    }
}

#[test]
fn a_point_of_a_body_accelerates_as_rigid_kinematics_says() {
    let world = moving_loop();
    let solution = solve(&world);
    let record = &world.bodies()[2];
    let site = [0.4, -0.1, 0.7];
    let found = world
        .connector_acceleration(&record.id().frame_at(site), &solution.motion)
        .unwrap();
    let v = world.v(record.id()).unwrap();
    let v_dot = solution.of_body(&world, record.id()).unwrap();
    let (omega, alpha) = ([v[3], v[4], v[5]], [v_dot[3], v_dot[4], v_dot[5]]);
    let com = record
        .body()
        .center_of_mass(world.q(record.id()).unwrap())
        .1;
    let r = sub(world.position_world(&record.id().at(site)).unwrap(), com);
    let bend = add(cross(alpha, r), cross(omega, cross(omega, r)));
    let expected = add([v_dot[0], v_dot[1], v_dot[2]], bend);
    assert_close("origin", &found[..3], &expected, 1e-12);
    assert_close("turn", &found[3..], &alpha, 0.0);
    let still = world.connector_acceleration(&GROUND.at(site), &solution.motion);
    assert_eq!(still.unwrap(), [0.0; 3]);
    let short = world.connector_acceleration(&GROUND.at(site), &[]);
    assert!(matches!(
        short,
        Err(Error::WrongLength { what: "v_dot", .. })
    ));
}
