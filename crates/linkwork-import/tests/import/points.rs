//! Links that are points: in trees, in loops, and held.

use std::path::Path;

use linkwork::body::MassProperties;
use linkwork::prelude::*;
use linkwork_import::{ImportOptions, import};

use super::{acceleration, assert_close, build, read};

/// A parallelogram, whose coupler does not turn: its moments make no difference.
fn parallelogram(moment: &str) -> String {
    let rod = r#"<inertial><origin xyz="0 0 0.1"/><mass value="1"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    format!(
        r#"<robot name="bars">
          <link name="base"/>
          <link name="crank">{rod}</link>
          <link name="coupler"><inertial><origin xyz="0.15 0 0.02"/><mass value="2"/>
            <inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/></inertial></link>
          <link name="rocker">{rod}</link>
          <joint name="j1" type="continuous"><parent link="base"/><child link="crank"/>
            <origin rpy="0 0.3 0"/><axis xyz="0 1 0"/></joint>
          <joint name="j2" type="continuous"><parent link="crank"/><child link="coupler"/>
            <origin xyz="0 0 0.2" rpy="0 -0.3 0"/><axis xyz="0 1 0"/></joint>
          <joint name="j3" type="continuous"><parent link="base"/><child link="rocker"/>
            <origin xyz="0.3 0 0" rpy="0 0.3 0"/><axis xyz="0 1 0"/></joint>
          <loop_joint name="close" type="continuous"><axis xyz="0 1 0"/>
            <link1 link="coupler" xyz="0.3 0 0" rpy="0 0 0"/>
            <link2 link="rocker" xyz="0 0 0.2" rpy="0 -0.3 0"/></loop_joint>
        </robot>"#
    )
}

#[test]
fn a_point_in_a_loop_is_exact() {
    let (point, solid) = (read(&parallelogram("0")), read(&parallelogram("0.01")));
    for name in ["crank", "coupler", "rocker"] {
        let theirs = acceleration(&solid, name);
        assert!(theirs.iter().any(|a| a.abs() > 1.0), "{name} moves");
        assert_close(&acceleration(&point, name), &theirs, 1e-10);
    }
}

/// A hand draws the head, which is a point on a neck of points: the neck is a loop then.
#[test]
fn points_can_be_dragged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/recorded");
    let options = ImportOptions {
        limits: false,
        ..ImportOptions::default()
    };
    let imported = import(&folder.join("points.urdf"), &options).unwrap();
    let soft = Drag::Force {
        stiffness: 50.0,
        damping: 1.0,
    };
    for drag in [soft, Drag::Follow, Drag::Pin] {
        for name in ["head", "hand"] {
            let mut world = build(&imported).world;
            let held = world.find_body(name).unwrap().at([0.05, 0.0, 0.02]);
            let from = world.connector_value(&held).unwrap().x.clone();
            let grip = world.grab(held, drag).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0);
            for i in 0..120 {
                let far = 0.05 * libm::sin(0.1 * f64::from(i));
                let goal = [from[0] + far, from[1] - far, from[2] - 0.5 * far];
                world.drag(grip, goal).unwrap();
                simulator
                    .step(&mut world, &options)
                    .unwrap_or_else(|e| panic!("{drag:?} of {name}, frame {i}: {e}"));
                let worst = world.worst_constraint_error().unwrap().unwrap();
                let closed = drag != soft || worst.size() < 1e-6;
                assert!(closed, "{drag:?} of {name}, frame {i}: {worst:?}");
            }
        }
    }
}

/// A link of an arm along x, with a mass, a moment and its center.
fn link(name: &str, mass: f64, moment: f64, center: f64) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin xyz="{center} 0 0"/><mass value="{mass}"/>
           <inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

/// A joint at a distance along x, between two limits.
fn limited(links: [&str; 2], at: f64, axis: &str, [lower, upper]: [f64; 2]) -> String {
    let [parent, child] = links;
    format!(
        r#"<joint name="to {child}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
           <origin xyz="{at} 0 0"/><axis xyz="{axis}"/>
           <limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint>"#
    )
}

/// A second of a robot that falls against its limits: nothing is damped, and the law is kept.
fn falls_within_limits(mut world: World) {
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let (mut substeps, mut touches) = (0, false);
    for frame in 0..60 {
        let report = simulator.step(&mut world, &options).unwrap();
        let obeys = report.law_error < 1e-8 && report.overrun < 1e-8;
        assert!(obeys && report.last_resorts() == 0, "{frame}: {report:?}");
        substeps += report.substeps;
        touches |= report.blows > 0;
    }
    assert!(touches && substeps < 240, "{substeps}");
}

/// A hip and an ankle that are points, between links that are not, each with limits: alone they could turn 1e20 times
/// as easily as what they carry. Their rows are judged by what they do with that.
#[test]
fn limits_of_points_are_kept() {
    let links = link("hip", 0.1, 0.0, 0.0)
        + &link("leg", 2.0, 0.02, 0.3)
        + &link("ankle", 0.1, 0.0, 0.0)
        + &link("foot", 0.5, 0.001, 0.05);
    let joints = limited(["base", "hip"], 0.0, "1 0 0.2", [-0.2, 0.2])
        + &limited(["hip", "leg"], 0.0, "0 1 0", [-0.5, 0.3])
        + &limited(["leg", "ankle"], 0.6, "1 0 0", [-0.1, 0.1])
        + &limited(["ankle", "foot"], 0.0, "0 1 0", [-0.2, 0.1]);
    let text = format!(r#"<robot name="leg"><link name="base"/>{links}{joints}</robot>"#);
    falls_within_limits(build(&read(&text)).world);
}

/// A tip of a tenth of a gram on a hand: too light for any sub-step if it were alone. In a sub-step that ends where
/// something hits, too, it turns with the hand.
#[test]
fn a_light_tip_turns_with_its_hand_between_limits() {
    let links = link("arm", 2.0, 0.02, 0.3) + &link("hand", 0.5, 0.002, 0.1);
    let joints = limited(["base", "arm"], 0.0, "0 1 0", [-1.0, 0.3])
        + &limited(["arm", "hand"], 0.6, "0 1 0", [-0.3, 0.3]);
    let text = format!(r#"<robot name="arm"><link name="base"/>{links}{joints}</robot>"#);
    let mut world = build(&read(&text)).world;
    let hand = world.find_body("hand").unwrap();
    // A link so light that is fixed would be merged.
    let mut pose = world.pose(hand).unwrap().unwrap();
    pose.position[0] += 0.2;
    let mass = MassProperties::centered(1e-4, [1e-14; 3]);
    let tip = world.add_body("tip", RigidBody::new(mass)).unwrap();
    world.set_pose(tip, pose).unwrap();
    let sides = [hand.frame_at([0.2, 0.0, 0.0]), tip.frame_at([0.0; 3])];
    world
        .add_constraint("end", linkwork::constraint::FramePair::weld(), &sides)
        .unwrap();
    falls_within_limits(world);
}
