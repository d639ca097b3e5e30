//! A constraint is either active in the solve or refused, never accepted and ignored.

use linkwork::behavior::PointForce;
use linkwork::body::{PlanarBody, Sheet, Troid};
use linkwork::connector::Connector;
use linkwork::constraint::{
    BallOnPlane, CircleTrajectory, Constant, Constraint, Coupling, CylinderSurface, DiscOnPlane,
    DistanceDrive, EllipsoidSurface, FramePair, KnifeEdge, LineTrajectory, PlaneSurface,
    PointOnSurface, PointOnTrajectory, PushedAlong, RollingBall, RollingDisc, ScalarEquals,
    SphereSurface, SpinRelation, Tangency, TorusSurface,
};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;

use crate::random_world::{Random, rigid};

struct Parts {
    world: World,
    a: BodyId,
    b: BodyId,
    c: BodyId,
    particle: BodyId,
    flat: BodyId,
    flat_b: BodyId,
    troid: BodyId,
}

fn parts() -> Parts {
    let mut random = Random::new(77);
    let mut world = World::with_gravity([0.4, -0.3, -9.81]).unwrap();
    let mut solid = |world: &mut World, label: &str| {
        let pose = Pose::turned(random.vector(1.0), random.vector(0.6));
        let id = world.add_body_at(label, rigid(&mut random), pose).unwrap();
        world.set_v(id, &random.numbers(6, 1.0)).unwrap();
        id
    };
    let (a, b, c) = (
        solid(&mut world, "a"),
        solid(&mut world, "b"),
        solid(&mut world, "c"),
    );
    let particle = world
        .add_body_at(
            "particle",
            Particle { mass: 0.7 },
            Pose::at([0.4, 0.9, -0.3]),
        )
        .unwrap();
    world.set_v(particle, &[0.3, -0.8, 0.5]).unwrap();
    let disc = PlanarBody {
        mass: 1.2,
        inertia: 0.3,
        com_body: [0.1, 0.05],
        outline: None,
    };
    let flat = world
        .add_body_at("flat", disc, Pose::in_plane([0.5, 0.3], 0.4))
        .unwrap();
    let flat_b = world
        .add_body_at("flat b", disc, Pose::in_plane([-0.6, 0.8], -0.7))
        .unwrap();
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([1.0, 0.8], 1.5).unwrap(),
        stiffness: 30.0,
        area_stiffness: 20.0,
        damping: 0.1,
    };
    let troid = world
        .add_body_at("troid", troid, Pose::in_plane([1.0, -1.0], 0.2))
        .unwrap();
    world.set_v(flat, &[0.5, -0.4, 0.9]).unwrap();
    world.set_v(flat_b, &[-0.2, 0.7, -0.6]).unwrap();
    world
        .set_v(troid, &[0.3, 0.2, 0.1, -0.4, 0.25, -0.15])
        .unwrap();
    // Something that turns the flat ones, each in its own way.
    for (label, body, force_world) in [
        ("push", flat, [2.0, 1.0, 0.0]),
        ("pull", flat_b, [-1.0, 3.0, 0.0]),
    ] {
        let push = PointForce { force_world };
        world
            .add_behavior(label, push, &[body.at([0.4, 0.3])])
            .unwrap();
    }
    world.set_time(0.37).unwrap();
    Parts {
        world,
        a,
        b,
        c,
        particle,
        flat,
        flat_b,
        troid,
    }
}

/// Adds the constraint, and expects every method to move differently with it.
fn check(parts: &Parts, constraint: impl Constraint + 'static, at: &[Connector]) {
    let name = format!("{constraint:?}");
    let mut world = parts.world.clone();
    let id = world.add_constraint("it", constraint, at);
    let id = id.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(world.is_active(id).unwrap());
    let n_rows = world.constraint_record(id).unwrap().row_range().len();
    for method in Method::ALL {
        let free = Simulator::new()
            .accelerations(&parts.world, method)
            .motion
            .clone();
        let moves = |world: &World, options: SolveOptions, what: &str| {
            let held = Simulator::new().accelerations(world, options).clone();
            let differs = free
                .iter()
                .zip(&held.motion)
                .any(|(a, b)| (a - b).abs() > 1e-6);
            assert!(differs, "{name}, {}: {what} changes nothing", method.name());
            assert!(held.motion.iter().all(|x| x.is_finite()), "{name}");
            assert!(
                held.residual.rows_relative < 1e-11,
                "{name}, {}, {what}",
                method.name()
            );
        };
        moves(&world, method.into(), "hard");
        let mut lower = world.clone();
        lower.set_priority(id, 1).unwrap();
        moves(&lower, method.into(), "lower priority");
        let mut soft = world.clone();
        soft.set_compliance(id, &vec![1e-2; n_rows]).unwrap();
        moves(&soft, method.into(), "soft");
        let horizon = Some(0.02);
        moves(
            &soft,
            SolveOptions::from(method).with_horizon(horizon),
            "soft over a horizon",
        );
    }
}

fn sine() -> Sine {
    Sine {
        amplitude: 0.3,
        frequency: 0.8,
        phase: 0.2,
        offset: 0.9,
    }
}

#[test]
fn constraints_in_space() {
    let parts = parts();
    let frame_a = parts.a.frame_along([0.2, 0.1, -0.1], [1.0, 0.3, 0.2]);
    let frame_b = parts.b.frame_along([-0.1, 0.3, 0.2], [0.9, 0.1, 0.4]);
    let frame_c = parts.c.frame_along([0.0, 0.1, 0.2], [0.2, 1.0, 0.1]);
    let (point_a, point_b) = (parts.a.at([0.3, 0.2, 0.1]), parts.b.at([0.1, -0.2, 0.3]));
    let grain = parts.particle.at([0.0; 3]);
    let frames = [frame_a, frame_b];
    for pair in [
        FramePair::hinge(),
        FramePair::universal(),
        FramePair::cylindrical(),
        FramePair::prismatic(),
        FramePair::planar(),
        FramePair::weld(),
    ] {
        check(&parts, pair, &frames);
        check(
            &parts,
            pair,
            &[
                GROUND.frame_along([0.1, 0.2, 0.3], [1.0, 0.5, 0.2]),
                frame_b,
            ],
        );
    }
    check(&parts, FramePair::ball(), &[point_a, point_b]);
    check(&parts, FramePair::ball(), &[point_a, grain]);
    for pair in [FramePair::point_in_slot(), FramePair::point_on_plane()] {
        check(&parts, pair, &[frame_a, point_b]);
        check(&parts, pair, &[frame_a, grain]);
    }
    check(&parts, Distance { length: 0.8 }, &[point_a, point_b]);
    check(&parts, Screw { pitch: 0.2 }, &frames);
    check(&parts, AngleDrive::new(sine()), &frames);
    check(&parts, AngleDrive::new(Constant { value: 0.3 }), &frames);
    let ramp = Ramp {
        start: 0.2,
        rate: 0.5,
    };
    check(&parts, LengthDrive::new(ramp), &[frame_a, point_b]);
    check(&parts, DistanceDrive::new(sine()), &[point_a, point_b]);
    let circle = CircleTrajectory {
        center_world: [0.1, 0.2, 0.3],
        axis_world: [0.0, 0.3, 1.0],
        radius: 0.6,
        frequency: 0.4,
        phase: 0.1,
    };
    let line = LineTrajectory {
        start_world: [0.1, 0.2, 0.3],
        velocity_world: [0.5, 0.2, -0.1],
    };
    check(
        &parts,
        PointOnTrajectory::new(circle),
        std::slice::from_ref(&grain),
    );
    check(
        &parts,
        PointOnTrajectory::new(line),
        std::slice::from_ref(&point_a),
    );
    let on = [frame_a, point_b];
    check(&parts, PointOnSurface::new(PlaneSurface), &on);
    check(
        &parts,
        PointOnSurface::new(SphereSurface { radius: 0.6 }),
        &on,
    );
    check(
        &parts,
        PointOnSurface::new(CylinderSurface { radius: 0.6 }),
        &on,
    );
    let surface = TorusSurface {
        major: 0.8,
        minor: 0.2,
    };
    check(&parts, PointOnSurface::new(surface), &on);
    let surface = EllipsoidSurface {
        semi_axes: [0.5, 0.7, 0.9],
    };
    check(&parts, PointOnSurface::new(surface), &on);
    let tangency = Tangency::new(SphereSurface { radius: 0.3 }, surface);
    check(&parts, tangency, &frames);
    let radius = 0.4;
    check(&parts, BallOnPlane { radius }, &frames);
    check(&parts, DiscOnPlane { radius }, &frames);
    check(&parts, RollingBall { radius }, &frames);
    check(&parts, RollingDisc { radius }, &frames);
    check(&parts, KnifeEdge, std::slice::from_ref(&frame_a));
    check(
        &parts,
        SpinRelation::gear(2.0, 3.0),
        &[frame_a, frame_b, frame_c],
    );
    check(
        &parts,
        SpinRelation::differential(),
        &[frame_a, frame_b, frame_c],
    );
    check(
        &parts,
        SpinRelation::new(&[1.0]),
        &[frame_a, GROUND.frame_at([0.0; 3])],
    );
    check(
        &parts,
        Coupling::of_angles(2.0, 0.1),
        &[GROUND.frame_at([0.0; 3]), frame_a, frame_a, frame_b],
    );
    let pushed = PushedAlong {
        constraint: FramePair::point_on_plane(),
        direction: [1.0, 0.3, 0.2],
    };
    check(&parts, pushed, &[frame_a, point_b]);
}

#[test]
fn constraints_in_the_plane() {
    let parts = parts();
    let frame_a = parts.flat.frame2([0.2, 0.1], 0.3);
    let frame_b = parts.flat_b.frame2([-0.1, 0.3], -0.4);
    let (point_a, point_b) = (parts.flat.at([0.3, 0.2]), parts.flat_b.at([0.1, -0.2]));
    let corner = parts.troid.at([0.3, 0.2]);
    let frames = [frame_a, frame_b];
    check(&parts, FramePair::ball(), &[point_a, point_b]);
    check(&parts, FramePair::ball(), &[point_a, corner]);
    check(&parts, FramePair::weld(), &frames);
    check(&parts, FramePair::prismatic(), &frames);
    check(&parts, FramePair::parallel(), &frames);
    check(&parts, FramePair::point_in_slot(), &[frame_a, point_b]);
    check(&parts, Distance { length: 0.6 }, &[point_a, point_b]);
    check(
        &parts,
        Distance { length: 0.6 },
        &[corner, parts.troid.at([-0.3, 0.1])],
    );
    check(&parts, AngleDrive::new(sine()), &frames);
    check(&parts, LengthDrive::new(sine()), &[frame_a, point_b]);
    check(&parts, DistanceDrive::new(sine()), &[point_a, point_b]);
    check(&parts, KnifeEdge, std::slice::from_ref(&frame_a));
    check(&parts, SpinRelation::new(&[2.0]), &frames);
    let circle = CircleTrajectory {
        center_world: [0.1, 0.2, 0.0],
        axis_world: [0.0, 0.0, 1.0],
        radius: 0.6,
        frequency: 0.4,
        phase: 0.1,
    };
    check(&parts, PointOnTrajectory::new(circle), &[corner]);
    check(
        &parts,
        ScalarEquals::area(0.9),
        &[parts.troid.scalar(Troid::AREA)],
    );
}
