//! Commands: parameters that change, texts that are typed and replaced, undo, logs.

use linkwork_scene::command::replay;
use linkwork_scene::save;

use super::*;

fn errors(session: &Session) -> f64 {
    let errors = session.scene().world.constraint_errors().unwrap();
    errors
        .iter()
        .fold(0.0, |most: f64, own| most.max(own.size()))
}

#[test]
fn what_depends_on_a_parameter_follows_it_and_one_undo_takes_it_back() {
    let mut session = session(LINKAGE);
    let (before, at) = (save(session.scene()).unwrap(), hash(&session));
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "crank", "value": 0.5}}"#,
    )
    .unwrap();
    // As if it stood in the file.
    let stood = load(&LINKAGE.replace(r#""crank": 0.4"#, r#""crank": 0.5"#)).unwrap();
    assert_eq!(save(session.scene()).unwrap(), save(&stood).unwrap());
    assert_eq!(session.scene().world.state_hash(), stood.world.state_hash());
    assert!(errors(&session) < 1e-12);
    apply(&mut session, r#""undo""#).unwrap();
    assert_eq!(
        (save(session.scene()).unwrap(), hash(&session)),
        (before, at)
    );
    apply(&mut session, r#""redo""#).unwrap();
    assert_eq!(session.scene().world.state_hash(), stood.world.state_hash());
    let again = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(hash(&again), hash(&session));
    assert_eq!(save(again.scene()).unwrap(), save(session.scene()).unwrap());
}

/// A parameter that is an expression follows, and so does what depends on it.
#[test]
fn expressions_of_parameters_follow() {
    let mut session = session(LINKAGE);
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "base", "value": 1.5}}"#,
    )
    .unwrap();
    let scene = session.scene();
    assert_eq!(scene.parameters.find("coupler").unwrap().value, 1.5 * 1.2);
    let base = scene.parameters.find("base").unwrap();
    assert_eq!(base.range, Some([0.5, 2.0]));
    let end = scene.connector("end").unwrap();
    assert!(format!("{end:?}").contains("0.89999"), "{end:?}");
    assert!(errors(&session) < 1e-12);
}

#[test]
fn while_it_runs_the_rest_goes_on() {
    let mut session = session(LINKAGE);
    apply(&mut session, r#"{"step": {"count": 20}}"#).unwrap();
    let boxed = session.scene().world.find_body("box").unwrap();
    let q = session.scene().world.q(boxed).unwrap().to_vec();
    let time = session.scene().world.state().t;
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "crank", "value": 0.42}}"#,
    )
    .unwrap();
    let world = &session.scene().world;
    assert_eq!((world.q(boxed).unwrap(), world.state().t), (&q[..], time));
    assert_eq!(body(session.scene(), "arm").get("mass"), Some(0.84));
    apply(&mut session, r#"{"step": {"count": 20}}"#).unwrap();
    assert!(errors(&session) < 1e-5);
    // Its undo does not turn time back.
    let now = session.scene().world.state().t;
    apply(&mut session, r#""undo""#).unwrap();
    assert_eq!(session.scene().world.state().t, now);
    assert_eq!(body(session.scene(), "arm").get("mass"), Some(0.8));
    let again = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(hash(&again), hash(&session));
}

/// Back at the start, bodies are where the parameters of now put them.
#[test]
fn a_reset_starts_with_the_parameters_of_now() {
    let mut session = session(LINKAGE);
    apply(&mut session, r#"{"step": {"count": 20}}"#).unwrap();
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "crank", "value": 0.5}}"#,
    )
    .unwrap();
    apply(&mut session, r#""reset""#).unwrap();
    let stood = load(&LINKAGE.replace(r#""crank": 0.4"#, r#""crank": 0.5"#)).unwrap();
    assert_eq!(session.scene().world.state().q, stood.world.state().q);
    assert_eq!(save(session.scene()).unwrap(), save(&stood).unwrap());
}

#[test]
fn a_field_that_is_set_by_hand_loses_its_text_and_no_other_does() {
    let mut session = session(LINKAGE);
    let command = r#"{"set_field": {"field": "bodies.arm.mass", "to": 3}}"#;
    apply(&mut session, command).unwrap();
    let text = save(session.scene()).unwrap();
    assert!(text.contains(r#""to": ["=crank", 0], "mass": 3"#), "{text}");
    apply(&mut session, r#""undo""#).unwrap();
    assert!(
        save(session.scene())
            .unwrap()
            .contains(r#""mass": "=2crank""#)
    );
    // The entry as a page has it: numbers, one of them another.
    let entry = linkwork_scene::describe::entry(
        session.scene(),
        linkwork_scene::describe::Item::Body("box"),
    );
    let mut entry: serde_json::Value = serde_json::from_str(&entry.unwrap()).unwrap();
    entry["mass"] = 2.into();
    for place in ["position", "angle", "velocity", "spin"] {
        entry.as_object_mut().unwrap().remove(place);
    }
    apply(
        &mut session,
        &serde_json::json!({ "set_body": entry }).to_string(),
    )
    .unwrap();
    let text = save(session.scene()).unwrap();
    assert!(
        text.contains(r#""size": ["=base/10", 0.2], "mass": 2"#),
        "{text}"
    );
    // A size that changes is a number from now on, even if it is what it was again.
    let size = |x: f64| {
        let mut entry = entry.clone();
        entry["size"][0] = x.into();
        serde_json::json!({ "resize": entry }).to_string()
    };
    apply(&mut session, &size(0.3)).unwrap();
    apply(&mut session, &size(0.1)).unwrap();
    assert!(!save(session.scene()).unwrap().contains("base/10"));
    apply(&mut session, r#""undo""#).unwrap();
    apply(&mut session, r#""undo""#).unwrap();
    assert!(save(session.scene()).unwrap().contains("=base/10"));
}

#[test]
fn switches_leave_texts_alone() {
    let mut session = session(LINKAGE);
    apply(&mut session, r#"{"collide": {"on": true}}"#).unwrap();
    let text = save(session.scene()).unwrap();
    assert!(text.contains(r#""collide": true"#), "{text}");
    assert!(
        text.contains(r#""to": ["=crank", 0]"#) && text.contains("=base/10"),
        "{text}"
    );
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "base", "value": 2}}"#,
    )
    .unwrap();
    let again = load(&save(session.scene()).unwrap()).unwrap();
    assert_eq!(again.world.state_hash(), session.scene().world.state_hash());
}

#[test]
fn entries_with_texts_are_added_and_replaced() {
    let mut session = session(r#"{ "linkwork": 1 }"#);
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "L", "value": 0.5, "range": [0.1, 1]}}"#,
    )
    .unwrap();
    let rod = r#"{"add_body": {"name": "rod", "type": "planar-rod", "length": "=L", "mass": "=L^2", "position": ["=L/2", 0]}}"#;
    apply(&mut session, rod).unwrap();
    let pin = r#"{"join": {"name": "pin", "type": "hinge", "a": "ground", "b": {"body": "rod", "point": ["=-L/2", 0]}}}"#;
    apply(&mut session, pin).unwrap();
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "L", "value": 0.8}}"#,
    )
    .unwrap();
    assert_eq!(body(session.scene(), "rod").get("length"), Some(0.8));
    assert!(errors(&session) < 1e-15);
    let text = save(session.scene()).unwrap();
    assert!(
        text.contains(r#""length": "=L""#) && text.contains(r#"["=-L/2", 0]"#),
        "{text}"
    );
    let again = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(
        (hash(&again), save(again.scene()).unwrap()),
        (hash(&session), text)
    );
    // All of it can be taken back.
    for _ in 0..4 {
        apply(&mut session, r#""undo""#).unwrap();
    }
    assert!(session.scene().parameters.is_empty());
    assert!(session.scene().world.bodies().is_empty());
    let refused = apply(&mut session, rod).unwrap_err();
    assert!(
        refused.contains("add_body.length") && refused.contains("\"L\" is not known"),
        "{refused}"
    );
}

/// A pin at the end of a bar stays there when the bar's length becomes a parameter, without a text of its own.
#[test]
fn what_sits_on_a_body_that_grows_moves_along() {
    let text = r#"{ "linkwork": 1,
        "bodies": [ { "name": "bar", "type": "planar-rod", "length": 1, "mass": 1, "position": [0.5, 0] } ],
        "joints": [ { "name": "pin", "type": "hinge", "a": "ground", "b": { "body": "bar", "point": [-0.5, 0] } } ] }"#;
    let mut session = session(text);
    let make = r#"{"together": [ {"set_parameter": {"name": "L", "value": 1}},
        {"set_field": {"field": "bodies.bar.length", "to": "=L"}} ]}"#;
    apply(&mut session, make).unwrap();
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "L", "value": 2}}"#,
    )
    .unwrap();
    let pin = session.scene().world.find_constraint("pin").unwrap();
    let connectors = format!(
        "{:?}",
        session
            .scene()
            .world
            .constraint_record(pin)
            .unwrap()
            .connectors()
    );
    assert!(connectors.contains("-1.0"), "{connectors}");
    apply(&mut session, r#""undo""#).unwrap();
    apply(&mut session, r#""undo""#).unwrap();
    assert!(session.scene().parameters.is_empty());
    let again = replay(&session.to_log().unwrap()).unwrap();
    assert_eq!(hash(&again), hash(&session));
}

#[test]
fn a_length_of_a_bar_between_two_points_becomes_a_text() {
    let mut session = session(LINKAGE);
    let command = r#"{"set_field": {"field": "bodies.link.length", "to": "=2crank"}}"#;
    apply(&mut session, command).unwrap();
    assert_eq!(body(session.scene(), "link").get("length"), Some(0.8));
    assert!(
        save(session.scene())
            .unwrap()
            .contains(r#""length": "=2crank""#)
    );
}

#[test]
fn texts_follow_a_new_name() {
    let mut session = session(LINKAGE);
    let at = hash(&session);
    apply(
        &mut session,
        r#"{"rename_parameter": {"name": "base", "to": "span"}}"#,
    )
    .unwrap();
    let text = save(session.scene()).unwrap();
    assert!(
        text.contains(r#""coupler": "=span*1.2""#) && text.contains("=2span"),
        "{text}"
    );
    assert!(text.contains("norm(end) <= 2span + crank"), "{text}");
    assert!(!text.contains("base"), "{text}");
    assert_eq!(hash(&session), at);
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "span", "value": 1.1}}"#,
    )
    .unwrap();
    for (to, says) in [
        ("crank", "already"),
        ("arm", "name of a body"),
        ("end", "name of a connector"),
        ("pi", "constant"),
    ] {
        let command = format!(r#"{{"rename_parameter": {{"name": "span", "to": "{to}"}}}}"#);
        let refused = apply(&mut session, &command).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn a_parameter_that_is_used_is_not_removed_unless_values_are_kept() {
    let mut session = session(LINKAGE);
    let refused = apply(&mut session, r#"{"remove_parameter": {"name": "base"}}"#).unwrap_err();
    assert!(
        refused.contains("is used by parameters.coupler, bodies.box.size[0]"),
        "{refused}"
    );
    let at = hash(&session);
    apply(
        &mut session,
        r#"{"remove_parameter": {"name": "base", "keep_values": true}}"#,
    )
    .unwrap();
    assert_eq!(hash(&session), at);
    let text = save(session.scene()).unwrap();
    assert!(text.contains(r#""coupler": 1.2"#), "{text}");
    assert!(text.contains("norm(end) <= 2(1) + crank"), "{text}");
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "lonely", "value": 1}}"#,
    )
    .unwrap();
    apply(&mut session, r#"{"remove_parameter": {"name": "lonely"}}"#).unwrap();
    let refused = apply(&mut session, r#"{"remove_parameter": {"name": "lonly"}}"#).unwrap_err();
    assert!(refused.contains("no parameter"), "{refused}");
}

/// A function has the value in place of the name, and what calls it is as it was.
#[test]
fn a_parameter_of_functions_leaves_its_value() {
    let mut session = session(
        r#"{ "linkwork": 1, "parameters": { "L": 3 }, "functions": ["f(x) = x^2 + L", "g(x) = 2f(x)"],
        "bodies": [ { "name": "p", "type": "numbers", "names": ["x"], "values": [1] } ],
        "quantities": [ { "name": "q", "is": "g(p.x)" } ],
        "joints": [ { "name": "j", "type": "formula", "is": "q + f(p.x) ~ 4" } ],
        "behaviors": [ { "name": "e", "type": "potential", "is": "f(p.x)" } ] }"#,
    );
    let (at, before) = (hash(&session), save(session.scene()).unwrap());
    let command = r#"{"remove_parameter": {"name": "L", "keep_values": true}}"#;
    apply(&mut session, command).unwrap();
    assert_eq!(hash(&session), at);
    let text = save(session.scene()).unwrap();
    assert!(
        text.contains("f(x) = x^2 + (3)") && !text.contains("parameters"),
        "{text}"
    );
    assert_eq!(save(&linkwork_scene::load(&text).unwrap()).unwrap(), text);
    apply(&mut session, r#"{"step": {"dt": 0.01}}"#).unwrap();
    apply(&mut session, r#""undo""#).unwrap();
    assert_eq!(
        save(session.scene()).unwrap().contains("\"L\": 3"),
        before.contains("\"L\": 3")
    );
}

#[test]
fn what_cannot_be_changes_nothing() {
    let mut session = session(LINKAGE);
    let (text, at) = (save(session.scene()).unwrap(), hash(&session));
    for (command, says) in [
        (
            r#"{"set_parameter": {"name": "crank", "value": -1}}"#,
            "bodies.arm.mass",
        ),
        (
            r#"{"set_parameter": {"name": "crank", "value": "=coupler + crank"}}"#,
            "depends on itself",
        ),
        (
            r#"{"set_parameter": {"name": "base", "value": "=1/0"}}"#,
            "division by 0",
        ),
        (
            r#"{"set_parameter": {"name": "arm", "value": 1}}"#,
            "name of a body",
        ),
        (
            r#"{"set_field": {"field": "bodies.arm.mass", "to": "=crnk"}}"#,
            "did you mean crank?",
        ),
        (
            r#"{"set_field": {"field": "bodies.arn.mass", "to": 1}}"#,
            "did you mean \"arm\"?",
        ),
        (
            r#"{"set_field": {"field": "bodies.arm.weight", "to": 1}}"#,
            "weight",
        ),
        (
            r#"{"set_body": {"name": "arm", "type": "planar-rod", "length": "=x", "mass": 1}}"#,
            "\"x\" is not known",
        ),
        (
            r#"{"add_body": {"name": "crank", "type": "particle", "mass": 1}}"#,
            "is the name of a parameter",
        ),
    ] {
        let refused = apply(&mut session, command).unwrap_err();
        assert!(refused.contains(says), "{command}: {refused}");
        assert_eq!(
            (save(session.scene()).unwrap(), hash(&session)),
            (text.clone(), at.clone())
        );
    }
}

/// A body that was dragged elsewhere stays there; the text is where it starts.
#[test]
fn a_body_that_was_moved_stays() {
    let mut session = session(LINKAGE);
    apply(
        &mut session,
        r#"{"put": {"body": "box", "position": [5, 5]}}"#,
    )
    .unwrap();
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "base", "value": 1.5}}"#,
    )
    .unwrap();
    let world = &session.scene().world;
    let boxed = world.find_body("box").unwrap();
    assert_eq!(world.q(boxed).unwrap()[..2], [5.0, 5.0]);
    let again = load(&save(session.scene()).unwrap()).unwrap();
    assert_eq!(again.world.state_hash(), world.state_hash());
}

/// Drives are formulas of the time and of parameters.
#[test]
fn drives_know_parameters() {
    let text = r#"{ "linkwork": 1, "parameters": { "A": 0.5, "f": 2 },
        "bodies": [ { "name": "arm", "type": "planar-rod", "length": 1, "mass": 1 } ],
        "joints": [ { "name": "pin", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0],
            "motor": { "position": { "type": "formula", "is": "A*sin(tau*f*t)" } } } ] }"#;
    let mut session = session(text);
    assert!(save(session.scene()).unwrap().contains("A*sin(tau*f*t)"));
    let rate = |session: &Session| session.scene().world.state().v[2];
    assert!((rate(&session) - std::f64::consts::TAU).abs() < 1e-12);
    apply(
        &mut session,
        r#"{"set_parameter": {"name": "f", "value": 4}}"#,
    )
    .unwrap();
    assert!((rate(&session) - 2.0 * std::f64::consts::TAU).abs() < 1e-12);
    assert!(save(session.scene()).unwrap().contains("A*sin(tau*f*t)"));
}
