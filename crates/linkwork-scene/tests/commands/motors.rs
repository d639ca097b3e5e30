//! One motor on a joint: a speed, a position or a torque.

use linkwork::prelude::*;
use linkwork_scene::command::{Command, Session};
use linkwork_scene::describe::{Item, entry};
use linkwork_scene::export::Columns;
use linkwork_scene::{Scene, load, save};
use serde_json::Value;

/// A rod on a hinge and another on it, in space or in the plane, with something said of the first hinge.
fn arm(planar: bool, motor: &str) -> Scene {
    let (kind, axis) = match planar {
        true => ("\"type\": \"planar-rod\"", ""),
        false => (
            "\"type\": \"rod\", \"radius\": 0.02",
            "\"axis\": [0, 0, 1], ",
        ),
    };
    let (at, elbow) = if planar {
        ("[0, 0]", "[1, 0]")
    } else {
        ("[0, 0, 0]", "[1, 0, 0]")
    };
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0] }},
        "bodies": [
            {{ "name": "upper", {kind}, "length": 1, "mass": 2, "position": {} }},
            {{ "name": "lower", {kind}, "length": 1, "mass": 1, "position": {} }}
        ],
        "joints": [
            {{ "name": "shoulder", "type": "hinge", "a": "ground", "b": "upper", "at": {at}, {axis} "enabled": true {motor} }},
            {{ "name": "elbow", "type": "hinge", "a": "upper", "b": "lower", {axis} "at": {elbow} }}
        ],
        "behaviors": [ {{ "name": "wind", "type": "force", "on": "lower", "force": {} }} ] }}"#,
        if planar { "[0.5, 0]" } else { "[0.5, 0, 0]" },
        if planar { "[1.5, 0]" } else { "[1.5, 0, 0]" },
        if planar {
            "[0.5, 0.2]"
        } else {
            "[0.5, 0.2, 0]"
        },
    );
    load(&text).unwrap()
}

fn apply(session: &mut Session, line: &str) {
    crate::apply(session, &[line]);
}

fn joint(scene: &Scene, name: &str) -> Value {
    serde_json::from_str(&entry(scene, Item::Joint(name)).unwrap()).unwrap()
}

fn now(scene: &Scene, column: &str) -> f64 {
    let mut columns = Columns::parse(scene, &[column]).unwrap();
    let mut row = Vec::new();
    columns.sample(scene, None, &mut row);
    row[0]
}

fn step(scene: &mut Scene, n: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..n {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
}

#[test]
fn a_speed_starts_where_the_joint_is() {
    for planar in [false, true] {
        let mut scene = arm(planar, r#", "motor": { "speed_deg": 90 }"#);
        assert_eq!(scene.world.constraints().len(), 3, "{planar}");
        let before = scene
            .world
            .position_world(&scene.world.find_body("upper").unwrap().into_center(planar))
            .unwrap();
        step(&mut scene, 60);
        let after = scene
            .world
            .position_world(&scene.world.find_body("upper").unwrap().into_center(planar))
            .unwrap();
        assert!(
            (before[0] - 0.5).abs() < 1e-12 && after[0].abs() < 1e-9,
            "{after:?}"
        );
        assert!((after[1] - 0.5).abs() < 1e-9, "{after:?}");
    }
}

trait Center {
    fn into_center(self, planar: bool) -> linkwork::connector::Connector;
}

impl Center for BodyId {
    fn into_center(self, planar: bool) -> linkwork::connector::Connector {
        if planar {
            self.at([0.0; 2])
        } else {
            self.at([0.0; 3])
        }
    }
}

/// Held level, a motor carries the weights: 2 kg at 0.5 m, and what hangs at the elbow.
#[test]
fn its_torque_and_power_are_those_of_the_joint() {
    for planar in [false, true] {
        let mut scene = arm(planar, r#", "motor": { "speed": 1 }"#);
        step(&mut scene, 30);
        let torque = now(&scene, "joint.shoulder.motor.torque");
        let drive = now(&scene, "joint.\"shoulder drive\".multipliers.0");
        assert!(
            torque.abs() > 1.0 && (torque - drive).abs() < 1e-12,
            "{torque} {drive}"
        );
        let power = now(&scene, "joint.shoulder.motor.power");
        assert!((power - torque).abs() < 1e-6, "{power} {torque}");
        let mut scene = arm(planar, r#", "motor": { "torque": -3 }"#);
        step(&mut scene, 30);
        assert_eq!(now(&scene, "joint.shoulder.motor.torque"), -3.0);
        let spin = now(&scene, "joint.shoulder.spin");
        let power = now(&scene, "joint.shoulder.motor.power");
        assert!(
            (power + 3.0 * spin).abs() < 1e-12 && spin < -1.0,
            "{power} {spin}"
        );
    }
}

#[test]
fn motors_are_written_as_motors_and_read_again_with_the_same_bits() {
    let sine =
        r#", "motor": { "position": { "type": "sine", "amplitude_deg": 30, "frequency": 1 } }"#;
    let former = r#", "drive": { "type": "ramp", "rate": 1 }"#;
    for planar in [false, true] {
        for said in [
            r#", "motor": { "speed": 1 }"#,
            sine,
            former,
            r#", "motor": { "torque": 2 }"#,
        ] {
            let mut scene = arm(planar, said);
            step(&mut scene, 10);
            let text = save(&scene).unwrap();
            let read: Value = serde_json::from_str(&text).unwrap();
            assert!(read["joints"][0]["motor"].is_object(), "{text}");
            assert!(read["joints"][0]["motor"].get("after").is_none(), "{text}");
            assert_eq!(read["joints"].as_array().unwrap().len(), 2, "{text}");
            assert_eq!(read["behaviors"].as_array().unwrap().len(), 1, "{text}");
            let mut again = load(&text).unwrap();
            assert_eq!(save(&again).unwrap(), text);
            step(&mut scene, 10);
            step(&mut again, 10);
            assert_eq!(scene.world.state(), again.world.state(), "{said}");
        }
    }
}

/// A motor that came later is in its joint's entry, and where it was among the others.
#[test]
fn a_motor_keeps_its_place_in_files() {
    for motor in [r#"{"speed": 1}"#, r#"{"torque": 2}"#] {
        let mut session = Session::new(arm(false, "")).unwrap();
        let mut shoulder = joint(session.scene(), "shoulder");
        shoulder["motor"] = serde_json::from_str(motor).unwrap();
        apply(&mut session, &format!(r#"{{"set_joint": {shoulder}}}"#));
        apply(
            &mut session,
            r#"{"join": {"name": "band", "type": "spring", "a": "upper", "b": "ground", "stiffness": 3}}"#,
        );
        apply(
            &mut session,
            r#"{"add_behavior": {"name": "more", "type": "force", "on": "upper", "force": [0.5, 0, 0]}}"#,
        );
        apply(&mut session, r#"{"step": {"count": 10}}"#);
        let text = save(session.scene()).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        let after = if motor.contains("speed") {
            "elbow"
        } else {
            "wind"
        };
        assert_eq!(read["joints"][0]["motor"]["after"], after, "{text}");
        let again = load(&text).unwrap();
        assert_eq!(save(&again).unwrap(), text);
        let labels = |scene: &Scene| {
            let joints = scene
                .world
                .constraints()
                .iter()
                .map(|own| own.label().to_owned());
            let behaviors = scene
                .world
                .behaviors()
                .iter()
                .map(|own| own.label().to_owned());
            joints.chain(behaviors).collect::<Vec<_>>()
        };
        assert_eq!(labels(&again), labels(session.scene()));
        assert_eq!(again.world.state(), session.scene().world.state());
    }
}

#[test]
fn a_motor_is_set_changed_and_taken_away_and_each_is_undone() {
    let mut session = Session::new(arm(false, "")).unwrap();
    let bare = joint(session.scene(), "shoulder");
    let mut texts = vec![save(session.scene()).unwrap()];
    let motors = [
        r#"{"speed_deg": 720}"#,
        r#"{"speed": -2}"#,
        r#"{"torque": 2}"#,
        r#"{"torque": 1}"#,
        r#"{"position": {"type": "constant", "value": 0}}"#,
    ];
    for motor in motors {
        let mut entry = bare.clone();
        entry["motor"] = serde_json::from_str(motor).unwrap();
        apply(&mut session, &format!(r#"{{"set_joint": {entry}}}"#));
        texts.push(save(session.scene()).unwrap());
    }
    apply(&mut session, &format!(r#"{{"set_joint": {bare}}}"#));
    assert_eq!(session.scene().world.constraints().len(), 2);
    for text in texts.iter().rev() {
        apply(&mut session, r#""undo""#);
        assert_eq!(&save(session.scene()).unwrap(), text);
    }
    for text in &texts[1..] {
        apply(&mut session, r#""redo""#);
        assert_eq!(&save(session.scene()).unwrap(), text);
    }
}

/// Another speed goes on from where the joint is, after more than a turn too.
#[test]
fn another_speed_does_not_jump() {
    let mut session = Session::new(arm(false, r#", "motor": { "speed": 8 }"#)).unwrap();
    apply(&mut session, r#"{"step": {"count": 60}}"#);
    let angle = now(session.scene(), "joint.shoulder.angle");
    assert!((angle - 8.0).abs() < 1e-6, "{angle}");
    let mut entry = joint(session.scene(), "shoulder");
    entry["motor"] = serde_json::json!({ "speed": -1 });
    apply(&mut session, &format!(r#"{{"set_joint": {entry}}}"#));
    apply(&mut session, r#"{"step": {"count": 60}}"#);
    let angle = now(session.scene(), "joint.shoulder.angle");
    assert!((angle - 7.0).abs() < 1e-6, "{angle}");
}

#[test]
fn a_motor_goes_with_its_joint_and_comes_back_with_it() {
    for motor in [
        r#", "motor": { "speed": 1 }"#,
        r#", "motor": { "torque": 1 }"#,
    ] {
        let mut session = Session::new(arm(false, motor)).unwrap();
        let text = save(session.scene()).unwrap();
        apply(&mut session, r#"{"detach": "shoulder"}"#);
        assert_eq!(session.scene().world.constraints().len(), 1);
        assert_eq!(session.scene().world.behaviors().len(), 2);
        apply(&mut session, r#""undo""#);
        assert_eq!(save(session.scene()).unwrap(), text);
    }
}

#[test]
fn what_is_wrong_with_a_motor_is_said_where_it_is() {
    let session = Session::new(arm(false, "")).unwrap();
    let wrong = [
        ("{}", "motor", "says nothing"),
        (
            r#"{"speed": 1, "torque": 2}"#,
            "motor.torque",
            "is given beside \"speed\"",
        ),
        (
            r#"{"torque": 1, "start": 0}"#,
            "motor.start",
            "belongs to a speed",
        ),
        (
            r#"{"position": {"type": "ramp"}}"#,
            "motor.position",
            "has no \"rate\"",
        ),
        (r#"{"speed": "fast"}"#, "motor.speed", "number"),
        (r#"{"sped": 1}"#, "motor.sped", "there is no field"),
    ];
    for (motor, path, problem) in wrong {
        let mut entry = joint(session.scene(), "shoulder");
        entry["motor"] = serde_json::from_str(motor).unwrap();
        let text = format!(r#"{{"set_joint": {entry}}}"#);
        let mut session = Session::new(session.scene().clone()).unwrap();
        let fault = match text.parse::<Command>() {
            Ok(command) => session.apply(&command).unwrap_err(),
            Err(fault) => fault,
        };
        let end = fault.path.trim_start_matches("set_joint.");
        assert_eq!(end, path, "{fault}");
        assert!(fault.problem.contains(problem), "{fault}");
    }
}

/// A motor begins from rest, at once. Near a dead center the rocker is then five times as fast as the crank: that
/// energy is the motor's, and no reason to refuse the step.
#[test]
fn a_motor_starts_beside_a_dead_center() {
    let at = |angle: f64| [0.5 * angle.cos(), 0.5 * angle.sin()];
    for crank in [-0.04f64, -0.02, 0.0, 0.02, 0.04] {
        // The circles of coupler and rocker, each 0.5 long, meet above the line between their centers.
        let [x, y] = at(crank);
        let between = (x - 0.4).hypot(y);
        let height = (0.25 - 0.25 * between * between).sqrt();
        let middle = [0.5 * (x + 0.4), 0.5 * y];
        let along = [(0.4 - x) / between, -y / between];
        let top = [
            middle[0] + height * along[1].abs(),
            middle[1] + height * along[0].abs(),
        ];
        let rod = |name: &str, from: [f64; 2], to: [f64; 2]| {
            let angle = (to[1] - from[1]).atan2(to[0] - from[0]);
            format!(
                r#"{{ "name": "{name}", "type": "planar-rod", "length": 0.5, "mass": 1, "position": [{}, {}], "angle": {angle}, "v": [0, 0, 0] }}"#,
                0.5 * (from[0] + to[0]),
                0.5 * (from[1] + to[1])
            )
        };
        let text = format!(
            r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0] }}, "bodies": [{}, {}, {}], "joints": [
                {{ "name": "crank", "type": "hinge", "a": {{ "body": "ground", "point": [0, 0] }}, "b": {{ "body": "a", "point": [-0.25, 0] }}, "motor": {{ "speed": 1.57 }} }},
                {{ "name": "knee", "type": "hinge", "a": {{ "body": "a", "point": [0.25, 0] }}, "b": {{ "body": "b", "point": [-0.25, 0] }} }},
                {{ "name": "top", "type": "hinge", "a": {{ "body": "b", "point": [0.25, 0] }}, "b": {{ "body": "c", "point": [-0.25, 0] }} }},
                {{ "name": "foot", "type": "hinge", "a": {{ "body": "ground", "point": [0.4, 0] }}, "b": {{ "body": "c", "point": [0.25, 0] }} }} ] }}"#,
            rod("a", [0.0, 0.0], [x, y]),
            rod("b", [x, y], top),
            rod("c", top, [0.4, 0.0]),
        );
        let mut scene = load(&text).unwrap();
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut simulator = Simulator::new();
        for frame in 0..60 {
            if let Err(error) = simulator.step(&mut scene.world, &options) {
                panic!("{crank} {frame}: {error}");
            }
        }
        assert!((now(&scene, "joint.crank.angle") - crank - 1.57).abs() < 1e-6);
    }
}

/// A cart of 2 kg on a slider of the ground, at a slant, pushed by 5 N: 2.5 m/s², in space and in the plane.
#[test]
fn a_slider_is_pushed_by_a_constant_force() {
    let cart = |planar: bool, motor: &str| {
        let (body, axis) = match planar {
            true => (
                r#""planar-box", "size": [1, 1], "position": [0, 0]"#,
                "[0.6, 0.8, 0]",
            ),
            false => (
                r#""box", "size": [1, 1, 1], "position": [0, 0, 0]"#,
                "[0.6, 0.8, 0]",
            ),
        };
        let at = if planar { "[0, 0]" } else { "[0, 0, 0]" };
        load(&format!(
            r#"{{ "linkwork": 1, "world": {{ "gravity": [0, 0, 0] }},
            "bodies": [{{ "name": "cart", "type": {body}, "mass": 2 }}],
            "joints": [{{ "name": "rail", "type": "prismatic", "a": "ground", "b": "cart", "at": {at}, "axis": {axis},
                          "motor": {motor} }}] }}"#
        ))
    };
    for planar in [false, true] {
        let mut scene = cart(planar, r#"{ "force": 5 }"#).unwrap();
        step(&mut scene, 60);
        let speed = now(&scene, "joint.rail.speed");
        assert!((speed - 2.5).abs() < 1e-9, "{planar}: {speed}");
        assert_eq!(now(&scene, "joint.rail.motor.force"), 5.0);
        let power = now(&scene, "joint.rail.motor.power");
        assert!((power - 5.0 * speed).abs() < 1e-9, "{power}");
        // It is written as it was read, and goes on with the same bits.
        assert_eq!(joint(&scene, "rail")["motor"]["force"], 5.0);
        let mut again = load(&save(&scene).unwrap()).unwrap();
        step(&mut scene, 10);
        step(&mut again, 10);
        assert_eq!(scene.world.state().v, again.world.state().v);
        // It goes with its joint, and comes back with it.
        let mut session = Session::new(cart(planar, r#"{ "force": 5 }"#).unwrap()).unwrap();
        apply(&mut session, r#"{ "detach": "rail" }"#);
        assert!(session.scene().world.find_behavior("rail motor").is_none());
        apply(&mut session, r#""undo""#);
        assert_eq!(joint(session.scene(), "rail")["motor"]["force"], 5.0);
        let fault = cart(planar, r#"{ "torque": 5 }"#).unwrap_err().to_string();
        assert!(
            fault.contains("the joint slides") && fault.contains("\"force\""),
            "{fault}"
        );
        let fault = cart(planar, r#"{ "force": 5, "max_force": 7 }"#).unwrap_err();
        assert!(fault.to_string().contains("belongs to a speed"), "{fault}");
    }
}
