//! The built-in bodies keep the contract and stand where they are put.

use super::*;
use crate::body::IntoBody;
use crate::math::{complete_basis, transpose, unit};
use crate::world::{GROUND, World};

mod shapes;

fn frame(origin: Vec3, axis: Vec3) -> Site {
    let x = unit(axis).unwrap();
    let (y, z) = complete_basis(x);
    Site::Frame {
        origin,
        rotation: transpose(&[x, y, z]),
    }
}

fn space_sites() -> Vec<Site> {
    vec![
        Site::Point([0.3, -0.2, 0.5]),
        frame([0.1, 0.2, -0.3], [1.0, 2.0, 3.0]),
        Site::Direction(unit([1.0, -2.0, 0.5]).unwrap()),
    ]
}

fn check(name: &str, body: &dyn Body, sites: &[Site]) {
    for seed in 0..5 {
        if let Err(violation) = check_body(body, sites, seed) {
            panic!("{name}, seed {seed}: {violation}");
        }
    }
}

fn lopsided() -> MassProperties {
    let block = Cuboid {
        size: [0.2, 0.3, 0.4],
        mass: 1.5,
    };
    let ball = Sphere {
        radius: 0.1,
        mass: 0.7,
    };
    MassProperties::combine(&[
        (
            block.mass_properties().unwrap(),
            Pose::turned([0.1, 0.0, 0.0], [0.3, -0.4, 0.5]),
        ),
        (ball.mass_properties().unwrap(), Pose::at([0.0, 0.4, -0.2])),
    ])
    .unwrap()
}

#[test]
fn every_body_keeps_the_contract() {
    check("rigid body", &RigidBody::new(lopsided()), &space_sites());
    check("ground", &Ground, &space_sites());
    check(
        "particle",
        &Particle { mass: 0.3 },
        &[Site::Point([0.0; 3])],
    );
    let planar = PlanarBody {
        mass: 1.2,
        inertia: 0.05,
        com_body: [0.1, -0.2],
        outline: None,
    };
    let frame2 = Site::Frame2 {
        origin: [-0.4, 0.3],
        angle: 0.7,
    };
    check("planar body", &planar, &[Site::Point2([0.5, 0.2]), frame2]);
    let rod = Rod {
        length: 1.0,
        radius: 0.01,
        mass: 1.0,
    };
    check("rod", &*rod.into_body().unwrap(), &space_sites());
}

#[test]
fn the_contract_holds_from_grams_to_ships() {
    for (edge, mass) in [(0.005, 1e-4), (200.0, 1e8)] {
        let block = Cuboid {
            size: [edge, 2.0 * edge, 3.0 * edge],
            mass,
        };
        let sites = [
            Site::Point([edge, 0.0, edge]),
            frame([0.0, edge, 0.0], [1.0, 2.0, 3.0]),
        ];
        check("block", &*block.into_body().unwrap(), &sites);
    }
}

#[test]
fn troids_keep_the_contract() {
    let corners = [
        ([0.0, 0.0], 1.0),
        ([1.0, 0.1], 0.5),
        ([0.2, 0.8], 0.7),
        ([0.9, 1.1], 0.2),
    ];
    for sheet in [
        Sheet::rectangle([0.4, 0.3], 1.3).unwrap(),
        Sheet::points(&corners, 0.9).unwrap(),
    ] {
        let troid = Troid {
            outline: None,
            sheet,
            stiffness: 50.0,
            area_stiffness: 30.0,
            damping: 2.0,
        };
        let sites = [Site::Point2([0.5, -0.2]), Site::Scalar(Troid::AREA)];
        check("troid", &troid, &sites);
    }
}

#[test]
fn troid_is_at_home_in_rigid_motion() {
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.3], 1.3).unwrap(),
        stiffness: 50.0,
        area_stiffness: 30.0,
        damping: 2.0,
    };
    let mut q = [0.0; 6];
    troid
        .q_from_pose(&Pose::in_plane([1.0, 2.0], 2.5), &mut q)
        .unwrap();
    // Turning about its own origin at 3 rad/s: Ȧ = 3·[0 −1; 1 0]·A.
    let v = [0.0, 0.0, -3.0 * q[4], -3.0 * q[5], 3.0 * q[2], 3.0 * q[3]];
    let mut f = [0.0; 6];
    troid.internal_force(&q, &v, &mut f);
    assert!(f.iter().all(|f| f.abs() < 1e-12), "{f:?}");
    assert!(troid.internal_energy(&q) < 1e-28);
    // Its spin is that of the rigid rectangle.
    let expected = 3.0 * 1.3 * (0.16 + 0.09) / 12.0;
    let spin = troid.momentum(&q, &v).angular[2];
    assert!((spin - expected).abs() < 1e-12, "{spin}");
}

#[test]
fn prescribed_motions_keep_the_contract() {
    let start = Pose::turned([0.2, -0.1, 0.4], [0.3, 0.7, -0.2]);
    let spin = Spin {
        start,
        point_world: [1.0, 0.0, 0.5],
        axis_world: [1.0, 2.0, -1.0],
        rate: 1.7,
    };
    let swing = SineMotion {
        middle: start,
        amplitude_world: [0.1, 0.3, -0.2],
        swing_world: [0.5, -0.8, 0.2],
        frequency: 0.4,
        phase: 0.3,
    };
    let fall = MotionFn(|t: f64| MotionSample {
        pose: Pose::at([0.0, -0.5 * t * t, t]),
        velocity_world: [0.0, -t, 1.0],
        acceleration_world: [0.0, -1.0, 0.0],
        ..MotionSample::at_rest(Pose::at([0.0; 3]))
    });
    let mut sites = space_sites();
    sites.push(Site::Point2([0.3, -0.6]));
    check("fixed", &Kinematic::new(FixedPose(start)), &sites);
    check("spin", &Kinematic::new(spin), &sites);
    check("swing", &Kinematic::new(swing), &sites);
    check("function", &Kinematic::new(fall), &sites);

    let wrong = MotionFn(|t: f64| MotionSample {
        velocity_world: [2.0, 0.0, 0.0],
        ..MotionSample::at_rest(Pose::at([t, 0.0, 0.0]))
    });
    let violation = check_body(&Kinematic::new(wrong), &sites, 1).unwrap_err();
    assert!(violation.promise.contains("rate of x"), "{violation}");
}

#[test]
fn bodies_stand_where_they_are_put() {
    let mut world = World::new();
    let rod = PlanarRod {
        length: 1.0,
        mass: 1.0,
    };
    let pose = Pose::in_plane([1.0, 2.0], 0.5 * std::f64::consts::PI);
    let rod = world.add_body_at("rod", rod, pose).unwrap();
    let tip = world.position_world(&rod.at([0.5, 0.0])).unwrap();
    assert!((tip[0] - 1.0).abs() < 1e-15 && (tip[1] - 2.5).abs() < 1e-15);

    let dot = world
        .add_body_at("dot", Particle { mass: 1.0 }, Pose::at([1.0, 2.0, 3.0]))
        .unwrap();
    assert_eq!(
        world.position_world(&dot.at([0.0; 3])).unwrap(),
        [1.0, 2.0, 3.0]
    );
    let off = world.position_world(&dot.at([0.1, 0.0, 0.0]));
    assert!(off.unwrap_err().to_string().contains("point is [0.1"));
    world
        .join(
            "pin",
            crate::world::Ball,
            GROUND.at([1.0, 2.0, 3.0]),
            dot.at([0.0; 3]),
        )
        .unwrap();

    let tilted = Pose::turned([0.0; 3], [0.3, 0.0, 0.0]);
    let problem = world.set_pose(rod, tilted).unwrap_err().to_string();
    assert!(problem.contains("leaves the plane"), "{problem}");
    let raised = Pose::at([0.0, 0.0, 1.0]);
    let problem = world.set_pose(rod, raised).unwrap_err().to_string();
    assert!(problem.contains("z = 0"), "{problem}");
}
