//! Quantities that people look for: coordinates of joints, accelerations, both sides, behaviors, power.

use linkwork::prelude::*;
use linkwork_scene::export::Columns;
use linkwork_scene::{Scene, load};

fn opened(bodies: &str, joints: &str, behaviors: &str, gravity: f64) -> Scene {
    load(&format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, {gravity}, 0], "preset": "precise" }}, "bodies": [{bodies}],
        "joints": [{joints}], "behaviors": [{behaviors}],
        "connectors": [{{ "name": "mark", "body": "ground", "point": [1, 2, 3] }}] }}"#
    ))
    .unwrap()
}

fn now(scene: &Scene, names: &[&str]) -> Vec<f64> {
    let mut row = Vec::new();
    Columns::parse(scene, names)
        .unwrap()
        .sample(scene, None, &mut row);
    row
}

fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
    for (a, b) in found.iter().zip(wanted) {
        assert!(
            (a - b).abs() < 1e-9 * (1.0 + b.abs()),
            "{found:?} {wanted:?}"
        );
    }
}

const ROD: &str = r#"{ "name": "rod", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.01, "mass": 2, "angular_velocity": [0, 0, SPIN], "velocity": [0, HALF, 0] }"#;

fn rod(spin: f64) -> String {
    ROD.replace("SPIN", &spin.to_string())
        .replace("HALF", &(0.5 * spin).to_string())
}

const HINGE: &str = r#"{ "name": "pin", "type": "hinge", "a": "ground", "b": "rod", "at": [0, 0, 0], "axis": [0, 0, 1] }"#;

/// Turns are counted from the first row on, though nothing in the state counts them.
#[test]
fn the_angle_of_a_hinge_goes_on_over_full_turns() {
    for spin in [10.0, -25.0] {
        let mut scene = opened(&rod(spin), HINGE, "", 0.0);
        let mut columns = Columns::parse(&scene, &["joint.pin.angle", "joint.pin.spin"]).unwrap();
        let (mut simulator, mut row) = (Simulator::new(), Vec::new());
        for step in 0..=120 {
            columns.sample(&scene, None, &mut row);
            let wanted = spin * f64::from(step) / 60.0;
            assert!((row[0] - wanted).abs() < 1e-6, "{step}: {row:?} {wanted}");
            assert!((row[1] - spin).abs() < 1e-6, "{row:?}");
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
    }
}

#[test]
fn sliders_and_screws_have_a_position_and_springs_a_distance() {
    let body = r#"{ "name": "box", "type": "box", "size": [1, 1, 1], "mass": 1, "position": [3, 0, 0], "velocity": [2, 0, 0] }"#;
    let joints = r#"{ "name": "way", "type": "prismatic", "a": "ground", "b": { "body": "box", "point": [0, 0, 0] }, "axis": [1, 0, 0] },
        { "name": "band", "type": "spring", "a": "ground", "b": "box", "stiffness": 5, "rest_length": 1 }"#;
    let scene = opened(body, joints, "", 0.0);
    near(
        &now(&scene, &["joint.way.position", "joint.way.speed"]),
        &[3.0, 2.0],
    );
    near(
        &now(&scene, &["joint.band.distance", "joint.band.speed"]),
        &[3.0, 2.0],
    );
    // A spring that is 2 m too long takes 10 N·2 m/s from the body.
    near(&now(&scene, &["joint.band.power"]), &[-20.0]);
    near(&now(&scene, &["body.box.speed"]), &[2.0]);
    near(&now(&scene, &["body.box.acceleration"]), &[-10.0, 0.0, 0.0]);
}

/// A rod let go level: its pin carries what its middle, which falls on a circle, does not.
#[test]
fn accelerations_and_both_sides_are_those_of_statics() {
    let (mass, half, radius, gravity) = (2.0, 0.5, 0.01, 9.81);
    let scene = opened(&rod(0.0), HINGE, "", -gravity);
    let about_pin = mass * (1.0 / 12.0 + radius * radius / 4.0 + half * half);
    let alpha = mass * gravity * half / about_pin;
    near(
        &now(&scene, &["body.rod.acceleration"]),
        &[0.0, -alpha * half, 0.0],
    );
    near(
        &now(&scene, &["body.rod.angular_acceleration"]),
        &[0.0, 0.0, -alpha],
    );
    let carried = mass * (gravity - alpha * half);
    let (force, first) = (
        now(&scene, &["joint.pin.force"]),
        now(&scene, &["joint.pin.on_first.force"]),
    );
    near(&force, &[0.0, carried, 0.0]);
    near(&first, &[-force[0], -force[1], -force[2]]);
    // r × f from the mark to the pin, whose own torque is none.
    near(
        &now(&scene, &["joint.pin.about.origin"]),
        &now(&scene, &["joint.pin.torque"]),
    );
    let about = now(&scene, &["joint.pin.about.mark"]);
    let f = force[1];
    assert!(
        (about[0] - 3.0 * f).abs() < 1e-9 && (about[2] + f).abs() < 1e-9,
        "{about:?} {f}"
    );
}

#[test]
fn behaviors_have_a_force_a_torque_and_a_power() {
    let behaviors = r#"{ "name": "air", "type": "drag", "on": "rod", "linear": 3, "angular": 1 },
        { "name": "push", "type": "force", "on": { "body": "rod", "point": [0.5, 0, 0] }, "force": [0, 7, 0] },
        { "name": "turn", "type": "motor", "joint": "pin", "torque": 2 }"#;
    let scene = opened(&rod(2.0), HINGE, behaviors, -9.81);
    near(&now(&scene, &["behavior.air.force"]), &[0.0, -3.0, 0.0]);
    near(&now(&scene, &["behavior.air.power"]), &[-3.0 - 4.0]);
    near(
        &now(
            &scene,
            &["behavior.push.force.magnitude", "behavior.push.power"],
        ),
        &[7.0, 14.0],
    );
    near(&now(&scene, &["behavior.turn.torque"]), &[0.0, 0.0, 2.0]);
    near(&now(&scene, &["behavior.turn.power"]), &[4.0]);
    near(&now(&scene, &["behavior.gravity.power"]), &[-2.0 * 9.81]);
}

#[test]
fn words_that_people_look_for_are_there() {
    for name in ["four-bar", "slider-crank", "chain:3"] {
        let scene = Scene::from(linkwork_scene::scene(name).unwrap());
        let all = Columns::list(&scene);
        for word in [
            "angle",
            "speed",
            "torque",
            "power",
            "distance",
            "acceleration",
        ] {
            let has = all
                .iter()
                .any(|own| own.name.contains(word) || own.about.contains(word));
            assert!(has, "{name}: {word}");
        }
    }
}
