//! Limits, friction, ratchets and motors on the coordinates of joints, as files say them.

use linkwork::prelude::*;
use linkwork_scene::{Scene, load};

use crate::round_trip::check_round_trip;

/// A rod of 1 m from the origin along x, with a joint to the ground at the origin.
fn with_joint(joint: &str) -> String {
    format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0] }},
  "bodies": [ {{ "name": "rod", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.02, "mass": 1 }} ],
  "joints": [ {{ "name": "j", "a": "ground", "b": "rod", {joint} }} ] }}"#
    )
}

fn run(scene: &mut Scene, frames: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..frames {
        let report = simulator.step(&mut scene.world, &scene.options).unwrap();
        assert!(report.overrun < 1e-9, "{report:?}");
    }
}

fn place(scene: &Scene) -> [f64; 3] {
    let rod = scene.world.find_body("rod").unwrap();
    let pose = scene.world.pose(rod).unwrap().unwrap();
    pose.position
}

/// Every joint with coordinates takes limits: what they are called, and that they survive a file.
#[test]
fn limits_of_every_joint_survive() {
    for (joint, names) in [
        (
            r#""type": "hinge", "at": [0,0,0], "axis": [0,0,1], "limits": { "lower_deg": -30 }, "friction": 0.1, "ratchet": -1"#,
            &["j", "j limits", "j friction", "j ratchet"][..],
        ),
        (
            r#""type": "prismatic", "at": [0,0,0], "axis": [0,1,0], "limits": { "lower": -0.2 }, "friction": 1, "ratchet": 1"#,
            &["j", "j limits", "j friction", "j ratchet"],
        ),
        (
            r#""type": "screw", "at": [0,0,0], "axis": [0,1,0], "lead": 0.1, "limits": { "lower": -0.2 }, "friction": 0.2"#,
            &["j", "j limits", "j friction"],
        ),
        (
            r#""type": "cylindrical", "at": [0,0,0], "axis": [0,1,0], "limits": { "angle_deg": [-90, 400], "slide": [-0.3, null] }"#,
            &["j", "j limits", "j slide limits"],
        ),
        (
            r#""type": "universal", "at": [0,0,0], "axis": [0,0,1], "axis_b": [0,1,0], "limits": { "angle_deg": [-20, 90], "angle_b_deg": [-10, 10], "restitution": 0.2 }, "friction": 0.1"#,
            &["j", "j limits", "j limits b", "j friction", "j friction b"],
        ),
        (
            r#""type": "ball", "at": [0,0,0], "axis": [1,0,0], "limits": { "swing_deg": 45, "twist_deg": [-30, 30] }"#,
            &["j", "j limits"],
        ),
        (
            r#""type": "hinge", "at": [0,0,0], "axis": [0,0,1], "motor": { "position": { "type": "constant", "value": 0.2 }, "gain": 4, "max_torque": 9 }"#,
            &["j", "j drive"],
        ),
    ] {
        let mut scene = load(&with_joint(joint)).unwrap_or_else(|fault| panic!("{joint}: {fault}"));
        let all = scene.world.constraints().iter();
        let all: Vec<_> = all.map(|record| record.label().to_owned()).collect();
        assert_eq!(all, names, "{joint}");
        check_round_trip(joint, &mut scene);
        run(&mut scene, 60);
        check_round_trip(joint, &mut scene);
    }
}

/// A rod on a ball joint falls to its cone, which is where it was joined.
#[test]
fn a_ball_falls_to_its_cone() {
    let joint = r#""type": "ball", "at": [0,0,0], "axis": [1,0,0], "limits": { "swing_deg": 30 }"#;
    let mut scene = load(&with_joint(joint)).unwrap();
    run(&mut scene, 300);
    let [x, y, _] = place(&scene);
    assert!((libm::atan2(-y, x).to_degrees() - 30.0).abs() < 1e-6);
}

/// Zero of both angles is where a universal joint was joined, whatever its axes.
#[test]
fn a_universal_joint_falls_to_its_stop() {
    for (axis, axis_b, limits, lowest) in [
        ("[0,0,1]", "[0,1,0]", r#""angle_deg": [-20, 90]"#, 20.0),
        ("[0,1,0]", "[0,0,1]", r#""angle_b_deg": [-35, 90]"#, 35.0),
        ("[0,1,0]", "[0,0,-1]", r#""angle_b_deg": [-90, 25]"#, 25.0),
    ] {
        let joint = format!(
            r#""type": "universal", "at": [0,0,0], "axis": {axis}, "axis_b": {axis_b}, "limits": {{ {limits} }}"#
        );
        let mut scene = load(&with_joint(&joint)).unwrap();
        run(&mut scene, 300);
        let [x, y, _] = place(&scene);
        let angle = libm::atan2(-y, x).to_degrees();
        assert!((angle - lowest).abs() < 1e-6, "{joint}: {angle}");
    }
}

/// A rope between two points, said as a distance with limits.
#[test]
fn a_distance_with_limits_is_a_rope() {
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
  "bodies": [ { "name": "rod", "type": "particle", "mass": 1, "position": [0, -0.2, 0] } ],
  "joints": [ { "name": "rope", "type": "distance", "a": "ground", "b": "rod", "limits": { "upper": 1.2 } } ] }"#;
    let mut scene = load(text).unwrap();
    check_round_trip("rope", &mut scene);
    run(&mut scene, 120);
    let id = scene.world.find_body("rod").unwrap();
    let y = scene.world.q(id).unwrap()[1];
    assert!((y + 1.2).abs() < 1e-9, "{y}");
}

/// A start beyond a limit is named, closed, and gives no speed.
#[test]
fn a_start_beyond_its_limits_is_named() {
    let joint = r#""type": "ball", "a": "ground", "b": { "body": "rod", "point": [-0.5, 0, 0], "euler_deg": [0, 0, 90] }, "limits": { "swing_deg": 20 }"#;
    let text = with_joint(joint)
        .replace("\"a\": \"ground\", \"b\": \"rod\", ", "")
        .replace("[0, -9.81, 0]", "[0, 0, 0]")
        .replace(
            "\"a\": \"ground\"",
            "\"a\": { \"body\": \"ground\", \"point\": [0, 0, 0], \"euler_deg\": [0, 0, 0] }",
        );
    let mut scene = load(&text).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let worst = scene.world.worst_constraint_error().unwrap().unwrap();
    assert_eq!(worst.label, "j limits");
    let mut simulator = Simulator::new();
    for _ in 0..30 {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    let speed = scene
        .world
        .state()
        .v
        .iter()
        .fold(0.0f64, |most, v| most.max(v.abs()));
    assert!(speed < 1e-4, "{speed}");
    let worst = scene.world.worst_constraint_error().unwrap().unwrap();
    assert!(worst.size() < 1e-8, "{} {}", worst.label, worst.size());
}

/// What makes no sense is refused where it stands.
#[test]
fn wrong_limits_are_refused() {
    let ball = |limits: &str| {
        format!(r#""type": "ball", "at": [0,0,0], "axis": [1,0,0], "limits": {limits}"#)
    };
    let hinge = |rest: &str| format!(r#""type": "hinge", "at": [0,0,0], "axis": [0,0,1], {rest}"#);
    for (joint, wanted) in [
        (ball(r#"{ "swing_deg": 181 }"#), "joints[0].limits.swing: is 3.1"),
        (ball(r#"{ "swing_deg": 0 }"#), "joints[0].limits.swing: is 0 rad"),
        (ball(r#"{ "swing": -1 }"#), "joints[0].limits.swing: is -1 rad"),
        (
            ball(r#"{ "twist_deg": [30, -30] }"#),
            "joints[0].limits.twist_deg: has a lower limit above",
        ),
        (ball(r#"{ "twist_deg": [30] }"#), "joints[0].limits.twist_deg: is a list of 1"),
        (ball(r#"{ "twist": [null, null] }"#), "joints[0].limits.twist: limits nothing"),
        (ball(r#"{ "twist": [0, "a"] }"#), "joints[0].limits.twist[1]:"),
        (ball("{ }"), "joints[0].limits: limits nothing"),
        (ball(r#"{ "lower": 0 }"#), "joints[0].limits.lower: is no limit of this joint"),
        (ball(r#"{ "swing": 1, "restitution": 2 }"#), "joints[0].limits.restitution: is 2"),
        (
            r#""type": "ball", "at": [0,0,0], "limits": { "swing": 1 }"#.to_owned(),
            "joints[0]: has no \"axis\"",
        ),
        (hinge(r#""limits": { "swing": 1 }"#), "joints[0].limits.swing: is no limit of this joint"),
        (
            hinge(r#""limits": { "lower_deg": 50, "upper_deg": 40 }"#),
            "joints[0].limits.lower_deg: is 50, and upper_deg is 40",
        ),
        (
            hinge(r#""limits": { "lower_deg": 50, "upper": 0.5 }"#),
            "joints[0].limits.lower_deg: is 50, and upper is 0.5",
        ),
        (hinge(r#""ratchet": 2"#), "joints[0].ratchet: is 2"),
        (hinge(r#""friction": -1"#), "joints[0].friction: is -1"),
        (
            hinge(r#""motor": { "speed": 1, "gain": 3, "max_torque": 1 }"#),
            "joints[0].motor.gain: belongs to a position",
        ),
        (
            r#""type": "cylindrical", "at": [0,0,0], "axis": [0,1,0], "limits": { "slide": [1, 0] }"#.to_owned(),
            "joints[0].limits.slide: has a lower limit above",
        ),
        (
            r#""type": "universal", "at": [0,0,0], "axis": [0,0,1], "axis_b": [0,1,0], "limits": { "slide": [0, 1] }"#.to_owned(),
            "joints[0].limits.slide: is no limit of this joint",
        ),
        (
            r#""type": "screw", "at": [0,0,0], "axis": [0,1,0], "lead": 0.1, "limits": { "lower": 1, "upper": 0 }"#.to_owned(),
            "joints[0].limits.lower: is 1",
        ),
        (
            r#""type": "distance", "length": 1, "limits": { "upper": 1 }"#.to_owned(),
            "joints[0].length: is given beside \"limits\"",
        ),
        (r#""type": "distance", "limits": { }"#.to_owned(), "joints[0].limits: limits nothing"),
        (r#""type": "distance""#.to_owned(), "joints[0]: has no \"length\""),
    ] {
        let fault = load(&with_joint(&joint)).err().unwrap_or_else(|| panic!("{joint} is taken"));
        let told = fault.to_string();
        assert!(told.contains(wanted), "{joint}\n  {told}\n  {wanted}");
    }
}
