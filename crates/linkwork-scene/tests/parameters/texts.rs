//! Texts in place of numbers: worked out when read, written as they were typed.

use linkwork_scene::parameter::field_texts;
use linkwork_scene::save;

use super::*;

#[test]
fn numbers_are_what_their_texts_come_to() {
    let scene = scene(LINKAGE).unwrap();
    let values: Vec<f64> = scene
        .parameters
        .list()
        .iter()
        .map(|own| own.value)
        .collect();
    assert_eq!(values[..3], [0.4, 1.0, 1.2]);
    assert!((values[3] - std::f64::consts::PI).abs() < 1e-12);
    let arm = scene.world.find_body("arm").unwrap();
    assert_eq!(scene.world.q(arm).unwrap(), [0.2, 0.0, 0.0]);
    let boxed = scene.world.find_body("box").unwrap();
    let q = scene.world.q(boxed).unwrap();
    assert_eq!(q[..2], [2.0, -0.005]);
    assert!((q[2] - 30_f64.to_radians()).abs() < 1e-15);
    assert_eq!(body(&scene, "arm").get("mass"), Some(0.8));
}

#[test]
fn a_saved_file_has_the_texts_as_typed() {
    let scene = scene(LINKAGE).unwrap();
    let text = save(&scene).unwrap();
    for typed in [
        r#""coupler": "=base*1.2""#,
        r#""help": "between the pivots""#,
        r#""range": [0.5, 2]"#,
        r#"["=crank + coupler*cos(50deg)", "=coupler*sin(50deg)"]"#,
        r#""mass": "=2crank""#,
        r#""angle_deg": "=10*3""#,
        r#""at": ["=crank", 0]"#,
        r#""gravity": ["=0*crank", "=-g0", 0]"#,
        r#""speed": "=w""#,
        r#""is": "norm(end) <= 2base + crank""#,
    ] {
        assert!(text.contains(typed), "{typed} in\n{text}");
    }
    let again = load(&text).unwrap();
    assert_eq!(again.world.state_hash(), scene.world.state_hash());
    assert_eq!(save(&again).unwrap(), text);
}

#[test]
fn a_file_saved_while_it_runs_keeps_its_state_and_its_texts() {
    let mut session = session(LINKAGE);
    apply(&mut session, r#"{"step": {"count": 40}}"#).unwrap();
    let text = save(session.scene()).unwrap();
    assert!(text.contains(r#""to": ["=crank", 0]"#), "{text}");
    assert!(text.contains(r#""places""#), "{text}");
    let mut again = Session::new(load(&text).unwrap()).unwrap();
    assert_eq!(hash(&again), hash(&session));
    assert_eq!(save(again.scene()).unwrap(), text);
    for session in [&mut session, &mut again] {
        apply(session, r#"{"step": {"count": 40}}"#).unwrap();
    }
    assert_eq!(hash(&again), hash(&session));
}

#[test]
fn a_text_that_is_a_name_stays_one() {
    let text = r#"{ "linkwork": 1, "why": "=why", "bodies": [ { "name": "=a", "type": "particle", "mass": 1 } ] }"#;
    let scene = scene(text).unwrap();
    assert!(scene.world.find_body("=a").is_some());
    let again = load(&save(&scene).unwrap()).unwrap();
    assert_eq!(again.why.as_deref(), Some("=why"));
}

#[test]
fn texts_are_listed_by_field() {
    let scene = scene(LINKAGE).unwrap();
    let texts = field_texts(&scene);
    let find = |field: &str| texts.iter().find(|own| own.field == field);
    assert_eq!(find("bodies.arm.to[0]").unwrap().value, Some(0.4));
    assert_eq!(find("joints.O.motor.speed").unwrap().text, "=w");
    assert!(find("world.gravity[1]").is_some());
    assert!(find("world.gravity[2]").is_none());
    let used = linkwork_scene::parameter::uses(&scene.parameters, "base");
    assert_eq!(
        used,
        [
            "parameters.coupler",
            "bodies.box.size[0]",
            "bodies.box.position[0]",
            "joints.far.is",
            "joints.tie.b.point[1]",
            "joints.tie.length"
        ]
    );
}

#[test]
fn a_scene_of_numbers_is_written_as_ever() {
    let text = r#"{ "linkwork": 1, "bodies": [ { "name": "a", "type": "particle", "mass": 1, "position": [1, 2, 3] } ] }"#;
    let scene = scene(text).unwrap();
    let text = save(&scene).unwrap();
    assert!(
        !text.contains("parameters") && !text.contains("places"),
        "{text}"
    );
    assert!(text.contains("[1.0, 2.0, 3.0]"), "{text}");
}

/// The document a program gets has numbers; if it changes one, that is what is written.
#[test]
fn what_a_program_changes_is_written_as_a_number() {
    let mut document = linkwork_scene::parse(LINKAGE).unwrap();
    document.bodies[0].set("mass", 7.0).unwrap();
    let text = linkwork_scene::write::text(&document).unwrap();
    assert!(text.contains(r#""mass": 7"#), "{text}");
    assert!(text.contains(r#""at": ["=crank", 0]"#), "{text}");
}
