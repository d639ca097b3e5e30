//! Limits, friction and servos in scenes.

use linkwork::prelude::*;
use linkwork_scene::command::{Command, Session};
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
