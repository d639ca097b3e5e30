//! Limits, friction and servos in scenes.

use linkwork::prelude::*;
use linkwork_scene::command::{Command, Session};
use linkwork_scene::export::Columns;
use linkwork_scene::{Scene, load, save};

fn scene(joint: &str) -> Result<Scene, linkwork_scene::Fault> {
    let text = format!(
        r#"{{"linkwork": 1, "bodies": [{{"name": "rod", "type": "rod", "length": 1, "radius": 0.01, "mass": 1, "position": [0.5, 0, 0]}}],
        "joints": [{{"name": "hinge", "type": "hinge", "a": "ground", "b": "rod", "at": [0, 0, 0], "axis": [0, 0, 1]{joint}}}],
        "world": {{"gravity": [0, -9.81, 0]}}}}"#
    );
    load(&text)
}

#[test]
fn a_hinge_with_limits_and_friction_stops_and_is_saved() {
    let joint = r#", "limits": {"lower_deg": -30, "restitution": 0.2}, "friction": 0.4"#;
    let mut scene = scene(joint).unwrap();
    let mut simulator = Simulator::new();
    let mut blows = 0;
    for _ in 0..240 {
        let report = simulator
            .step(&mut scene.world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        blows += report.blows;
    }
    assert!(blows >= 1);
    let limits = scene.world.find_constraint("hinge limits").unwrap();
    let angle = scene.world.joint_angles(limits).unwrap()[0][0];
    assert!((angle + 30f64.to_radians()).abs() < 1e-8, "{angle}");
    // Weight less friction: what the stop carries.
    let torque = 0.5 * 9.81 * libm::cos(angle);
    let row = scene
        .world
        .constraint_record(limits)
        .unwrap()
        .row_range()
        .start;
    let carried = scene.world.state().lambda[row];
    assert!(
        carried <= torque + 1e-6 && carried >= torque - 0.4 - 1e-6,
        "{carried} {torque}"
    );

    let text = save(&scene).unwrap();
    let again = load(&text).unwrap();
    assert_eq!(again.world.state().hash(), scene.world.state().hash());
    assert_eq!(save(&again).unwrap(), text);
}

#[test]
fn wrong_limits_are_named() {
    for (joint, problem) in [
        (r#", "limits": {}"#, "joints[0].limits: limits nothing"),
        (
            r#", "limits": {"lower": 1, "upper": 0}"#,
            "joints[0].limits.lower: is 1, and upper is 0",
        ),
        (
            r#", "limits": {"upper": 1, "restitution": 2}"#,
            "joints[0].limits.restitution: is 2",
        ),
        (r#", "friction": -1"#, "joints[0].friction: "),
    ] {
        let fault = scene(joint).unwrap_err().to_string();
        assert!(fault.contains(problem), "{fault}");
    }
}

/// What cannot be added leaves nothing behind, and limits are set where they are.
#[test]
fn limits_are_edited_as_joints() {
    let mut session = Session::new(scene(r#", "limits": {"upper": 1}"#).unwrap()).unwrap();
    let hinge = r#"{"set_joint": {"name": "hinge", "type": "hinge", "a": "ground", "b": "rod", "at": [0, 0, 0], "axis": [0, 0, 1], "limits": {"upper": 2}}}"#;
    let fault = session
        .apply(&hinge.parse::<Command>().unwrap())
        .unwrap_err();
    assert!(
        fault.to_string().contains("set the joint \"hinge limits\""),
        "{fault}"
    );
}

/// A motor with a largest torque is a servo beside its joint, and is written as a motor.
#[test]
fn a_motor_with_a_largest_torque_gives_way() {
    for (most, holds) in [(10.0, true), (4.0, false)] {
        let mut scene = scene(&format!(
            r#", "motor": {{"speed": 2, "max_torque": {most}}}"#
        ))
        .unwrap();
        let text = save(&scene).unwrap();
        let motor = format!(r#""speed": 2.0, "max_torque": {most:?}"#);
        assert!(text.contains(&motor), "{text}");
        assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
        let mut simulator = Simulator::new();
        for _ in 0..12 {
            simulator
                .step(&mut scene.world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
        }
        let rod = scene.world.find_body("rod").unwrap();
        let spin = scene.world.v(rod).unwrap()[5];
        assert_eq!((spin - 2.0).abs() < 1e-8, holds, "{spin}");
        // What it gives is told: all it has where it gives way.
        let mut columns = Columns::parse(&scene, &["joint.hinge.motor.torque"]).unwrap();
        let mut row = Vec::new();
        columns.sample(&scene, None, &mut row);
        assert_eq!((row[0] - most).abs() < 1e-9, !holds, "{row:?}");
        assert!(row[0] > 3.9, "{row:?}");
    }
    for (motor, problem) in [
        (
            r#"{"speed": 2, "max_force": 1}"#,
            "motor.max_force: is of what slides",
        ),
        (
            r#"{"speed": 2, "start": 1, "max_torque": 1}"#,
            "motor.start: is nothing to",
        ),
        (
            r#"{"torque": 2, "max_torque": 1}"#,
            "motor.max_torque: belongs to",
        ),
        (r#"{"speed": 2, "max_torque": -1}"#, "motor.max_torque: "),
    ] {
        let fault = scene(&format!(r#", "motor": {motor}"#))
            .unwrap_err()
            .to_string();
        assert!(fault.contains(problem), "{fault}");
    }
    // A position is followed as far as the torque goes.
    let position =
        r#", "motor": {"position": {"type": "constant", "value": 0.5}, "max_torque": 8}"#;
    let mut scene = scene(position).unwrap();
    assert!(save(&scene).unwrap().contains(r#""max_torque": 8.0"#));
    let mut simulator = Simulator::new();
    for _ in 0..240 {
        simulator
            .step(&mut scene.world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
    }
    let drive = scene.world.find_constraint("hinge drive").unwrap();
    let angle = scene.world.joint_angles(drive).unwrap()[0][0];
    assert!((angle - 0.5).abs() < 1e-6, "{angle}");
}

/// An edit turns a drive into a servo and back, and undo restores.
#[test]
fn a_motor_gets_and_loses_its_bound() {
    let scene = scene(r#", "motor": {"speed": 2, "start": 0}"#).unwrap();
    let before = save(&scene).unwrap();
    let mut session = Session::new(scene).unwrap();
    let hinge = |motor: &str| {
        let text = format!(
            r#"{{"set_joint": {{"name": "hinge", "type": "hinge", "a": "ground", "b": "rod", "at": [0, 0, 0], "axis": [0, 0, 1], "motor": {motor}}}}}"#
        );
        text.parse::<Command>().unwrap()
    };
    session
        .apply(&hinge(r#"{"speed": 2, "max_torque": 5}"#))
        .unwrap();
    assert!(
        save(session.scene())
            .unwrap()
            .contains(r#""max_torque": 5"#)
    );
    session
        .apply(&hinge(r#"{"speed": 3, "max_torque": 6}"#))
        .unwrap();
    assert!(
        save(session.scene())
            .unwrap()
            .contains(r#""max_torque": 6"#)
    );
    session
        .apply(&hinge(r#"{"speed": 2, "start": 0}"#))
        .unwrap();
    assert!(!save(session.scene()).unwrap().contains("max_torque"));
    for _ in 0..3 {
        session
            .apply(&"\"undo\"".parse::<Command>().unwrap())
            .unwrap();
    }
    assert_eq!(save(session.scene()).unwrap(), before);
}
