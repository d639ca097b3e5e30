//! Robots that stand on a floor, within the limits of their joints, and can be driven.

use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork_import::{Base, FloorAt, ImportOptions};
use linkwork_scene::{Scene, load, save};

use super::{body, build, joint, read, read_with, says};

/// A box with two legs of a hinge each, on a floor.
const WALKER: &str = r#"<mujoco>
  <default><default class="leg"><geom type="capsule" size="0.02" friction="0.8"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" friction="0.9"/>
    <body name="trunk" pos="0 0 0.32"><freejoint/><geom type="box" size="0.2 0.1 0.05" mass="2"/>
      <body name="left" pos="0.15 0.1 0" childclass="leg"><joint name="hip" axis="0 1 0" range="-30 30" frictionloss="0.05" damping="0.2"/>
        <geom fromto="0 0 0 0 0 -0.3" mass="0.3"/></body>
      <body name="right" pos="-0.15 0.1 0" childclass="leg"><joint name="hip 2" axis="0 1 0" range="-30 30"/>
        <geom fromto="0 0 0 0 0 -0.3" mass="0.3"/></body>
      <body name="tail" pos="0 -0.1 0" childclass="leg"><joint name="hip 3" axis="0 1 0" range="-10 20"/>
        <geom fromto="0 0 0 0 0 -0.3" mass="0.3"/></body>
    </body>
  </worldbody>
  <contact><exclude body1="left" body2="right"/></contact>
  <actuator><position joint="hip" kp="50" kv="5" forcerange="-20 20"/><position joint="hip 2" kp="50" kv="5"/>
    <motor name="idle" joint="hip 3" gear="2"/></actuator>
</mujoco>"#;

fn run(scene: &mut Scene, seconds: f64) {
    let mut simulator = Simulator::new();
    let frames = (seconds / scene.options.dt).round() as usize;
    for frame in 0..frames {
        let report = simulator.step(&mut scene.world, &scene.options);
        let report = report.unwrap_or_else(|error| panic!("frame {frame}: {error}"));
        assert!(report.overrun < 1e-6, "frame {frame}: {report:?}");
    }
}

#[test]
fn a_walker_stands_on_its_floor() {
    let imported = read(WALKER);
    let report = &imported.report;
    assert!(says(&report.read, &["floor at 0"]), "{report}");
    assert!(says(&report.read, &["4 bodies that collide"]), "{report}");
    assert!(says(&report.read, &["limits", "\"hip\""]), "{report}");
    assert!(says(&report.read, &["motors", "\"hip 2\""]), "{report}");
    assert_eq!(body(&imported.document, "left").get("friction"), Some(0.8));
    let apart = ["left", "right"].map(|name| {
        let names: Option<&[String]> = body(&imported.document, name).get("not_with");
        names.map_or(0, <[String]>::len)
    });
    assert_eq!(apart.iter().sum::<usize>(), 1, "{apart:?}");
    assert_eq!(
        joint(&imported.document, "hip limits").get("lower"),
        Some(-30f64.to_radians())
    );

    let mut scene = build(&imported);
    run(&mut scene, 2.0);
    let trunk = scene.world.find_body("trunk").unwrap();
    let height = scene.world.pose(trunk).unwrap().unwrap().position[2];
    assert!(height > 0.05 && height < 0.33, "{height}");
    assert!(!scene.world.state().touching.is_empty());
    // A file in the middle of it goes on with the same bits.
    let text = save(&scene).unwrap();
    let mut again = load(&text).unwrap();
    assert_eq!(save(&again).unwrap(), text);
    run(&mut scene, 0.2);
    run(&mut again, 0.2);
    assert_eq!(scene.world.state_hash(), again.world.state_hash());
}

#[test]
fn what_is_not_wanted_is_left_out() {
    let options = ImportOptions {
        limits: false,
        motors: false,
        contacts: false,
        ..ImportOptions::default()
    };
    let imported = read_with(WALKER, &options);
    let refused = &imported.report.refused;
    for words in [
        ["limits", "hip 3"],
        ["motors", "hip 2"],
        ["contacts", "asked"],
        ["dry friction", "hip"],
    ] {
        assert!(says(refused, &words), "{words:?}: {refused:#?}");
    }
    assert_eq!(build(&imported).world.constraints().len(), 3);
}

/// A URDF says no floor: one is put right below its shapes.
#[test]
fn a_urdf_is_put_on_a_floor() {
    let text = r#"<robot name="r"><link name="base">
        <inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><sphere radius="0.05"/></geometry></visual>
        <collision><origin xyz="0 0 0.1"/><geometry><box size="0.2 0.2 0.3"/></geometry></collision></link>
      <link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><origin xyz="0.2 0 0" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.02" length="0.2"/></geometry></collision></link>
      <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.1 0 0.2"/><axis xyz="0 1 0"/>
        <limit lower="-0.5" upper="0.5" effort="1" velocity="1"/><dynamics friction="0.1"/></joint></robot>"#;
    let options = ImportOptions {
        base: Base::Floating,
        floor: Some(FloorAt::Lowest),
        ..ImportOptions::default()
    };
    let imported = read_with(text, &options);
    assert!(
        says(&imported.report.read, &["floor at -0.0"]),
        "{}",
        imported.report
    );
    let mut scene = build(&imported);
    run(&mut scene, 2.0);
    let base = scene.world.find_body("base").unwrap();
    let at = scene.world.pose(base).unwrap().unwrap().position;
    // The blow of the arm moved it a little.
    assert!(at[2].abs() < 1e-9 && at[0].abs() < 1e-3, "{at:?}");
    // The arm has fallen to its stop: down is a positive angle about y.
    let limits = scene.world.find_constraint("shoulder limits").unwrap();
    let [angle, _] = scene.world.joint_angles(limits).unwrap()[0];
    assert!((angle - 0.5).abs() < 1e-6, "{angle}");
}

/// Bits say which sorts of shapes meet; those that meet nothing do not collide.
#[test]
fn bits_say_who_meets() {
    let body_of = |name: &str, x: f64, bits: &str| {
        format!(
            r#"<body name="{name}" pos="{x} 0 1"><freejoint/><geom type="sphere" size="0.1" {bits}/></body>"#
        )
    };
    let text = format!(
        "<mujoco><worldbody>{}{}{}{}</worldbody></mujoco>",
        body_of("a", 0.0, r#"contype="1" conaffinity="2""#),
        body_of("b", 1.0, r#"contype="2" conaffinity="4""#),
        body_of("c", 2.0, r#"contype="4" conaffinity="0""#),
        body_of("d", 3.0, r#"contype="0" conaffinity="0""#),
    );
    let scene = build(&read(&text));
    let world = &scene.world;
    let collider = |name: &str| {
        world
            .colliders(world.find_body(name).unwrap())
            .unwrap()
            .first()
    };
    assert!(collider("d").is_none());
    let meets = |a: &str, b: &str| {
        let (a, b) = (collider(a).unwrap(), collider(b).unwrap());
        a.groups & b.not_with == 0 && b.groups & a.not_with == 0
    };
    assert!(meets("a", "b") && meets("b", "c") && !meets("a", "c"));
    assert!(!meets("a", "a") && !meets("c", "c"));
}

/// Shapes of every sort collide: an ellipsoid as its hull, a mesh as its own.
#[test]
fn every_shape_collides() {
    let text = r#"<mujoco><asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
      <worldbody><geom type="plane" size="1 1 1" pos="0 0 -0.5" condim="4" friction="1 0.02"/><geom type="plane" size="1 1 1" zaxis="1 0 0"/>
        <body name="e" pos="0 0 1"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
        <body name="m" pos="3 0 1"><freejoint/><geom type="mesh" mesh="wedge"/></body>
        <body name="c" pos="6 0 1"><freejoint/><geom type="cylinder" size="0.1 0.2" condim="6"/></body></worldbody></mujoco>"#;
    let imported = read(text);
    let refused = &imported.report.refused;
    assert!(says(refused, &["plane", "not drawn"]), "{refused:#?}");
    let mut scene = build(&imported);
    let arms = |name: &str| {
        let own = scene.world.find_body(name).unwrap();
        let own = &scene.world.colliders(own).unwrap()[0];
        (own.rolling_friction, own.spinning_friction)
    };
    // What MuJoCo takes where nothing is said.
    let floor = &scene.world.colliders(GROUND).unwrap()[0];
    assert_eq!(
        (floor.rolling_friction, floor.spinning_friction),
        (0.0, 0.02)
    );
    assert_eq!((arms("c"), arms("e")), ((1e-4, 5e-3), (0.0, 0.0)));
    run(&mut scene, 1.5);
    for name in ["e", "m", "c"] {
        let id = scene.world.find_body(name).unwrap();
        let height = scene.world.pose(id).unwrap().unwrap().position[2];
        assert!((-0.51..0.0).contains(&height), "{name}: {height}");
    }
}

const GROUND_OF_HEIGHTS: &str = r#"<mujoco model="hills">
  <asset>
    <hfield name="hills" nrow="3" ncol="4" size="1.5 1 0.3 0.1" elevation="0 0 0 6  0 0 0 0  3 0 0 0"/>
    <mesh name="trough" vertex="-1 -1 0  1 -1 0  1 0 -0.5  -1 0 -0.5  1 1 0  -1 1 0" face="0 1 2  0 2 3  3 2 4  3 4 5"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hills" pos="0 0 1"/>
    <geom type="mesh" mesh="trough" pos="10 0 1"/>
    <geom type="box" size="0.5 0.5 0.1" pos="20 0 0.9"/>
    <body name="ball" pos="0.2 0.1 1.3"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
    <body name="other" pos="10 0 1.3"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
    <body name="third" pos="20 0 1.3"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
</mujoco>"#;

/// Heights, hollow meshes and boxes of the world are in the way. The first row of a file is the last along y.
#[test]
fn what_stands_in_the_world_is_in_the_way() {
    let imported = read(GROUND_OF_HEIGHTS);
    let mut scene = build(&imported);
    let world = scene.world.find_body("world").unwrap();
    let shapes = scene.world.colliders(world).unwrap();
    let Shape::HeightField(field) = &shapes[0].shape else {
        panic!("{shapes:?}");
    };
    // Rows of ours are columns, from −x to x; heights from −y to y. The largest is 0.3 m.
    assert_eq!(field.rows()[0], [0.15, 0.0, 0.0]);
    assert_eq!(field.rows()[3], [0.0, 0.0, 0.3]);
    assert!(matches!(shapes[1].shape, Shape::Mesh(_)));
    let top = scene
        .world
        .pose(world)
        .unwrap()
        .unwrap()
        .then(&shapes[0].pose_body);
    let corner = top.then(&Pose::at([0.3, 3.0, 2.0])).position;
    let wanted = [1.5, 1.0, 1.3];
    assert!(
        (0..3).all(|k| (corner[k] - wanted[k]).abs() < 1e-12),
        "{corner:?}"
    );
    let mut simulator = Simulator::new();
    for _ in 0..120 {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    let height = |name: &str| {
        let own = scene.world.find_body(name).unwrap();
        scene.world.pose(own).unwrap().unwrap().position[2]
    };
    // Level ground of 1 m; a trough 0.5 m deep with sides of slope ½; a box.
    let (ball, other, third) = (height("ball"), height("other"), height("third"));
    assert!((ball - 1.1).abs() < 1e-6, "{ball}");
    assert!(
        (other - (0.5 + 0.1 * 1.25f64.sqrt())).abs() < 1e-6,
        "{other}"
    );
    assert!((third - 1.1).abs() < 1e-6, "{third}");
}

/// A knee that must be bent, as those of quadrupeds are, and a thigh that is drawn into the trunk beyond the hip.
const LEG: &str = r#"<robot name="leg">
  <link name="trunk"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.4 0.2 0.2"/></geometry></collision></link>
  <link name="hip"><inertial><mass value="0.3"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.02"/></geometry></collision></link>
  <link name="thigh"><inertial><origin xyz="0 0 -0.1"/><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.1"/><geometry><box size="0.05 0.05 0.22"/></geometry></collision></link>
  <link name="calf"><inertial><origin xyz="0 0 -0.1"/><mass value="0.2"/><inertia ixx="0.005" iyy="0.005" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.11"/><geometry><box size="0.03 0.03 0.18"/></geometry></collision></link>
  <joint name="abduction" type="revolute"><parent link="trunk"/><child link="hip"/><origin xyz="0.1 0 -0.1"/>
    <axis xyz="1 0 0"/><limit lower="-0.5" upper="0.5" effort="20" velocity="20"/></joint>
  <joint name="swing" type="revolute"><parent link="hip"/><child link="thigh"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="20" velocity="20"/></joint>
  <joint name="knee" type="revolute"><parent link="thigh"/><child link="calf"/><origin xyz="0 0 -0.2"/>
    <axis xyz="0 1 0"/><limit lower="-2.7" upper="-0.9" effort="20" velocity="20"/></joint>
</robot>"#;

/// The zero of a URDF may be beyond limits, and its links in each other: the robot starts at its limits, links that
/// overlap there do not collide, and it moves. (Steps were refused where something was to be driven back by 0.9 rad at
/// once.)
#[test]
fn a_leg_starts_within_its_limits_and_free_of_itself() {
    let imported = read(LEG);
    let report = &imported.report;
    assert!(
        says(&report.approximated, &["starts at its limit", "\"knee\""]),
        "{report}"
    );
    assert!(
        says(&report.approximated, &["overlap", "thigh and trunk"]),
        "{report}"
    );
    let mut scene = build(&imported);
    let limits = scene.world.constraint_errors().unwrap();
    assert!(limits.iter().all(|own| own.size() < 1e-12), "{limits:?}");
    let overlaps = scene.world.overlaps();
    let [apart] = &overlaps[..] else {
        panic!("{overlaps:?}");
    };
    assert!(!apart.collide);
    run(&mut scene, 1.0);

    // Where somebody says where to start, it starts there, and nothing else moves.
    let options = ImportOptions {
        coordinates: [("knee".to_owned(), vec![-2.0])].into(),
        ..ImportOptions::default()
    };
    let report = read_with(LEG, &options).report;
    assert!(
        !says(&report.approximated, &["starts at its limit"]),
        "{report}"
    );
}

/// A four-legged robot whose links hang on a hub of a milligram, on which the trunk turns or to which it is fixed.
fn on_a_light_hub(mount: &str) -> String {
    let link = |name: &str, mass: f64, moment: f64, z: f64, shape: &str| {
        format!(
            r#"<link name="{name}"><inertial><origin xyz="0 0 {z}"/><mass value="{mass}"/>
              <inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/></inertial>
              <collision><origin xyz="0 0 {z}"/><geometry><{shape}/></geometry></collision></link>"#
        )
    };
    let hinge = |name: &str, [a, b]: [&str; 2], at: &str, axis: &str, most: f64| {
        format!(
            r#"<joint name="{name}" type="revolute"><parent link="{a}"/><child link="{b}"/><origin xyz="{at}"/>
              <axis xyz="{axis}"/><limit lower="-{most}" upper="{most}" effort="1" velocity="1"/></joint>"#
        )
    };
    let fixed = |[a, b]: [&str; 2], at: &str| {
        format!(
            r#"<joint name="{a} to {b}" type="fixed"><parent link="{a}"/><child link="{b}"/><origin xyz="{at}"/></joint>"#
        )
    };
    let mut text = String::from(r#"<robot name="r">"#);
    text += &link("base", 1e-6, 1e-8, 0.0, r#"box size="0.5 0.2 0.15""#);
    text += &link("trunk", 16.0, 0.2, 0.05, r#"box size="0.4 0.2 0.1""#);
    text += &format!(
        r#"<joint name="mount" type="{mount}"><parent link="base"/><child link="trunk"/><axis xyz="0 0 1"/></joint>"#
    );
    for (k, at) in ["0.25 0.2 0", "0.25 -0.2 0", "-0.25 0.2 0", "-0.25 -0.2 0"]
        .into_iter()
        .enumerate()
    {
        let [hip, thigh, shank, foot] =
            ["hip", "thigh", "shank", "foot"].map(|name| format!("{name} {k}"));
        let ball = r#"sphere radius="0.04""#;
        let bar = |radius: f64| format!(r#"cylinder radius="{radius}" length="0.2""#);
        text += &link(&hip, 1.4, 0.014, 0.0, ball);
        text += &link(&thigh, 1.6, 0.016, -0.14, &bar(0.03));
        text += &link(&shank, 0.2, 0.002, -0.13, &bar(0.015));
        text += &link(&foot, 0.001, 1e-6, 0.0, r#"sphere radius="0.03""#);
        text += &hinge(&format!("abduct {k}"), ["base", &hip], at, "1 0 0", 0.6);
        text += &hinge(&format!("flex {k}"), [&hip, &thigh], "0 0 0", "0 1 0", 1.5);
        let knee = format!("knee {k}");
        text += &hinge(&knee, [&thigh, &shank], "0 0 -0.25", "0 1 0", 2.5);
        text += &fixed([&shank, &foot], "0 0 -0.25");
    }
    text + "</robot>"
}

/// It is about to fall down from bent legs.
fn on_bent_legs(text: &str) -> Scene {
    let starts = [
        ("flex", [0.5, 0.5, -0.5, 0.5]),
        ("knee", [-1.0, -1.0, -1.0, 0.2]),
    ];
    let start = |(name, all): (&str, [f64; 4])| {
        let each = all.into_iter().enumerate();
        each.map(|(k, x)| (format!("{name} {k}"), vec![x]))
            .collect::<Vec<_>>()
    };
    let options = ImportOptions {
        base: Base::Floating,
        floor: Some(FloorAt::Lowest),
        coordinates: starts.into_iter().flat_map(start).collect(),
        ..ImportOptions::default()
    };
    build(&read_with(text, &options))
}

/// It falls down; the largest error of the law, m/s, and the last resorts.
fn falls_down(text: &str) -> (f64, usize) {
    let mut scene = on_bent_legs(text);
    let mut simulator = Simulator::new();
    let (mut worst, mut resorts) = (0.0f64, 0);
    for _ in 0..45 {
        let report = simulator.step(&mut scene.world, &scene.options).unwrap();
        worst = worst.max(report.law_error);
        resorts += report.last_resorts();
    }
    (worst, resorts)
}

/// By bodies, joints on the hub are no stiffer than a milligram allows: contacts missed their law by 0.07 m/s.
#[test]
fn a_robot_on_a_light_hub_falls_by_the_law() {
    let (worst, _) = falls_down(&on_a_light_hub("continuous"));
    assert!(worst < 1e-6, "{worst}");
}

/// Responses are kept from the end of a step to the start of the next. On a light hub they are corrected, and how often
/// depended on the velocities of the instant at which they were first asked for.
#[test]
fn bits_do_not_depend_on_what_a_simulator_remembers() {
    let mut scene = on_bent_legs(&on_a_light_hub("continuous"));
    let mut kept = Simulator::new();
    for frame in 0..30 {
        let mut other = scene.world.clone();
        kept.step(&mut scene.world, &scene.options).unwrap();
        Simulator::new().step(&mut other, &scene.options).unwrap();
        let hashes = [scene.world.state_hash(), other.state_hash()];
        assert_eq!(hashes[0], hashes[1], "frame {frame}");
    }
}

/// Files give a first link a milligram where it may have no mass. Where that is fixed to the trunk, both are one body.
#[test]
fn next_to_no_mass_is_merged_with_what_it_is_fixed_to() {
    let text = on_a_light_hub("fixed");
    let report = read(&text).report;
    assert!(says(&report.read, &["merged with it", "trunk"]), "{report}");
    let (worst, resorts) = falls_down(&text);
    assert!(worst < 1e-6 && resorts == 0, "{worst} {resorts}");
}

/// What is fixed to a link does not collide with what is joined to the link, whether or not it is merged with it.
#[test]
fn what_is_fixed_to_a_link_is_a_part_of_it() {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
              <collision><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>"#
        )
    };
    let text = format!(
        r#"<robot name="r">{}{}{}<joint name="mount" type="fixed"><parent link="base"/><child link="plate"/><origin xyz="0.2 0 0"/></joint>
          <joint name="elbow" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="0.2 0 0"/><axis xyz="0 0 1"/></joint></robot>"#,
        link("base"),
        link("plate"),
        link("arm")
    );
    let options = ImportOptions {
        base: Base::Floating,
        ..ImportOptions::default()
    };
    let imported = read_with(&text, &options);
    assert!(
        !says(&imported.report.approximated, &["overlap"]),
        "{}",
        imported.report
    );
    let mut scene = build(&imported);
    assert_eq!(scene.world.overlaps(), []);
    run(&mut scene, 0.2);
    assert!(scene.world.state().touching.is_empty());
}
