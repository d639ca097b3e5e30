//! Another name for something: whatever names it follows, and nothing moves.

use linkwork_scene::command::{Session, replay};
use linkwork_scene::export::{Columns, look};
use linkwork_scene::{load, save};

use crate::{apply, command, session};

/// Everything that can have a name, and everything that can name it.
const SCENE: &str = r##"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81] },
  "bodies": [
    { "name": "crank", "type": "box", "size": [1, 0.1, 0.1], "mass": 1, "position": [0.5, 0, 0],
      "collide": true, "view": { "color": "#123456" } },
    { "name": "bar 2", "type": "box", "size": [1, 0.1, 0.1], "mass": 2, "position": [1.5, 0, 0],
      "collide": true, "not_with": ["crank"] },
    { "name": "sheet", "type": "box", "size": [1, 1, 0.1], "mass": 2, "position": [0, 5, 0],
      "view": { "picture": { "name": "photo" } } },
    { "name": "design", "type": "numbers", "names": ["a", "b"], "values": [0.6, 2.1] }
  ],
  "connectors": [ { "name": "crank.tip", "body": "crank", "point": [0.5, 0, 0] },
                  { "name": "end", "body": "bar 2", "point": [0.5, 0, 0] } ],
  "functions": [ "lift(w) = w*crank.z" ],
  "quantities": [ { "name": "reach", "is": "norm(crank - 'bar 2') + crank.tip.x" },
                  { "name": "twice", "is": "2reach" } ],
  "tables": [ { "name": "data", "columns": ["x", "y"], "rows": [[1, 2], [2, 3]] } ],
  "pictures": [ { "name": "photo", "png": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAAGUlEQVR4nGNgAAEuETkNBhENmwAGOZuoCgAMlAJZ6ss9swAAAABJRU5ErkJggg==", "width": 1 } ],
  "joints": [
    { "name": "pin", "type": "hinge", "a": "ground", "b": "crank", "at": [0, 0, 0], "axis": [0, 1, 0],
      "limits": { "lower": -2, "upper": 2 }, "friction": 0.1, "armature": 0.01, "motor": { "torque": 1 } },
    { "name": "elbow", "type": "hinge", "a": { "body": "crank", "point": [0.5, 0, 0] }, "b": "bar 2", "axis": [0, 1, 0],
      "motor": { "speed": 1 } },
    { "name": "rope", "type": "formula", "is": "norm(end) <= 3 + lift(0) + 0*twice" },
    { "name": "fit", "type": "formula", "is": "data.y ~ design.a*x + design.b", "for": "data" },
    { "name": "wish", "type": "formula", "is": "design.a ~ 0.5 + 0*photo(0, 0)" }
  ],
  "behaviors": [
    { "name": "coil", "type": "torsion-spring", "joint": "elbow", "stiffness": 1 },
    { "name": "well", "type": "potential", "is": "2*(crank.x - end.x)^2" },
    { "name": "wind", "type": "force-law", "on": "bar 2", "is": "[-3*crank.x, 0, sin(t)]" }
  ],
  "traces": [ { "name": "path", "of": "end" } ],
  "view": { "skins": [ { "name": "flag", "vertices": [ { "body": "crank", "point": [0, 0, 0] },
    { "body": "bar 2", "point": [0, 1, 0] }, { "body": "ground", "point": [1, 1, 1] } ], "triangles": [[0, 1, 2]] } ] } }"##;

fn open(text: &str) -> Session {
    let scene = load(text).unwrap_or_else(|fault| panic!("{fault}"));
    Session::new(scene).unwrap()
}

fn text(session: &Session) -> String {
    save(session.scene()).unwrap()
}

fn hash(session: &Session) -> u64 {
    session.scene().world.state_hash()
}

fn rename(kind: &str, name: &str, to: &str) -> String {
    format!(r#"{{"rename": {{"kind": "{kind}", "name": "{name}", "to": "{to}"}}}}"#)
}

/// Renames something in a scene that runs, and asks that nothing but the name is otherwise: neither the state nor what
/// comes of it; that the file is the same scene; and that undo, redo and the log have it. Gives the file.
fn renamed(scene: &str, kind: &str, name: &str, to: &str) -> String {
    let what = format!("{kind} {name}");
    let steps = r#"{"step": {"count": 3}}"#;
    let mut plain = open(scene);
    apply(&mut plain, &[steps, steps]);
    let mut session = open(scene);
    apply(&mut session, &[steps]);
    let (before, at) = (text(&session), hash(&session));
    let line = rename(kind, name, to);
    apply(&mut session, &[&line]);
    let after = text(&session);
    assert_eq!(hash(&session), at, "{what}");
    assert_eq!(open(&after).scene().world.state_hash(), at, "{what}");
    assert_eq!(save(open(&after).scene()).unwrap(), after, "{what}");
    for _ in 0..2 {
        apply(&mut session, &[r#""undo""#]);
        assert_eq!(text(&session), before, "{what}");
        apply(&mut session, &[r#""redo""#]);
        assert_eq!(text(&session), after, "{what}");
    }
    apply(&mut session, &[steps]);
    assert_eq!(hash(&session), hash(&plain), "{what}");
    let again = replay(&session.to_log().unwrap()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(text(&again), text(&session), "{what}");
    apply(&mut session, &[&rename(kind, to, name)]);
    assert_eq!(text(&session), text(&plain), "{what}");
    after
}

#[test]
fn bodies() {
    let after = renamed(SCENE, "body", "crank", "left arm");
    assert!(!after.replace("crank.tip", "").contains("crank"), "{after}");
    for part in [
        r#""norm('left arm' - 'bar 2') + crank.tip.x""#,
        r#""lift(w) = w*'left arm'.z""#,
        r#""not_with": ["left arm"]"#,
        "[-3*'left arm'.x, 0, sin(t)]",
        "#123456",
    ] {
        assert!(after.contains(part), "{part} in {after}");
    }
    // What stood between quotes need not any more.
    let after = renamed(SCENE, "body", "bar 2", "rod");
    assert!(after.contains("norm(crank - rod)"), "{after}");
    let after = renamed(SCENE, "body", "design", "plan");
    assert!(after.contains("data.y ~ plan.a*x + plan.b"), "{after}");
}

#[test]
fn joints_take_along_what_is_theirs() {
    let after = renamed(SCENE, "joint", "pin", "hip");
    assert!(!after.contains("\"pin"), "{after}");
    for part in ["hip limits", "hip friction", "hip armature"] {
        assert!(
            after.contains(&format!("\"name\": \"{part}\"")),
            "{part} in {after}"
        );
    }
    let mut session = open(SCENE);
    apply(
        &mut session,
        &[
            &rename("joint", "pin", "hip"),
            &rename("joint", "elbow", "knee"),
        ],
    );
    let look = look(session.scene());
    let motors: Vec<_> = look
        .behaviors
        .iter()
        .filter_map(|own| own.motor_of.clone())
        .collect();
    assert_eq!(motors, ["hip"]);
    let motors: Vec<_> = look
        .joints
        .iter()
        .filter_map(|own| own.motor_of.clone())
        .collect();
    assert_eq!(motors, ["knee"]);
    renamed(SCENE, "joint", "elbow", "knee");
    renamed(SCENE, "joint", "fit", "line");
    // Of another joint that only sounds like it.
    let scene = SCENE.replace(r#""name": "rope""#, r#""name": "elbow limits""#);
    let after = renamed(&scene, "joint", "elbow", "knee");
    assert!(after.contains("elbow limits"), "{after}");
}

#[test]
fn everything_else_with_a_name() {
    for (kind, name, to, part) in [
        ("behavior", "coil", "clock spring", "\"clock spring\""),
        ("behavior", "wind", "storm", "\"storm\""),
        ("connector", "end", "hand", "norm(hand) <= 3"),
        ("connector", "crank.tip", "tip", "'bar 2') + tip.x"),
        ("quantity", "reach", "span", "2span"),
        ("table", "data", "points 1", "'points 1'.y ~"),
        ("picture", "photo", "image", "0*image(0, 0)"),
        ("trace", "path", "way", "\"way\""),
    ] {
        let after = renamed(SCENE, kind, name, to);
        assert!(after.contains(part), "{part} in {after}");
        let gone = format!("\"{name}\"");
        assert!(!after.contains(&gone), "{gone} in {after}");
    }
}

#[test]
fn columns_have_the_new_name() {
    let mut session = open(SCENE);
    apply(
        &mut session,
        &[
            &rename("body", "crank", "arm"),
            &rename("joint", "pin", "hip"),
        ],
    );
    for name in [
        "body.arm.position",
        "joint.hip.angle",
        "joint.hip.motor.torque",
    ] {
        Columns::parse(session.scene(), &[name]).unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert!(Columns::parse(session.scene(), &["body.crank.position"]).is_err());
}

#[test]
fn names_that_cannot_be_are_refused() {
    let mut session = open(SCENE);
    apply(
        &mut session,
        &[
            r#"{"step": {"count": 2}}"#,
            r#"{"set_parameter": {"name": "L", "value": 1}}"#,
            r#"{"grab": {"name": "left", "held": {"body": "bar 2"}, "drag": {"type": "pin"}}}"#,
        ],
    );
    let before = text(&session);
    for (kind, name, to, said) in [
        (
            "body",
            "crnk",
            "a",
            "rename.name: no body is called \"crnk\"\n  hint: did you mean \"crank\"?",
        ),
        (
            "body",
            "ground",
            "a",
            "rename.name: the ground cannot be changed",
        ),
        (
            "body",
            "left",
            "a",
            "rename.name: \"left\" is a hand, not a body",
        ),
        ("body", "crank", "", "rename.to: is empty"),
        (
            "body",
            "crank",
            "crank",
            "rename.to: \"crank\" is taken by a body",
        ),
        (
            "body",
            "crank",
            "ground",
            "rename.to: \"ground\" is taken by a body",
        ),
        (
            "body",
            "crank",
            "bar 2",
            "rename.to: \"bar 2\" is taken by a body",
        ),
        (
            "body",
            "crank",
            "left",
            "rename.to: \"left\" is taken by a body",
        ),
        (
            "body",
            "crank",
            "end",
            "rename.to: \"end\" is taken by a connector",
        ),
        (
            "body",
            "crank",
            "reach",
            "rename.to: \"reach\" is taken by a quantity",
        ),
        (
            "body",
            "crank",
            "L",
            "rename.to: \"L\" is the name of a parameter",
        ),
        (
            "body",
            "crank",
            "it's",
            "rename.to: \"it's\" cannot stand in a formula",
        ),
        (
            "connector",
            "end",
            "crank",
            "rename.to: \"crank\" is taken by a body",
        ),
        (
            "connector",
            "ende",
            "e",
            "rename.name: no connector is called \"ende\"",
        ),
        (
            "quantity",
            "reach",
            "end",
            "rename.to: \"end\" is taken by a connector",
        ),
        (
            "quantity",
            "reach",
            "t",
            "rename.quantities.twice.to: \"t\" means something else in a formula",
        ),
        (
            "joint",
            "pin",
            "elbow",
            "rename.to: \"elbow\" is taken by a joint",
        ),
        (
            "joint",
            "hinge",
            "x",
            "rename.name: no joint is called \"hinge\"",
        ),
        (
            "behavior",
            "coil",
            "wind",
            "rename.to: \"wind\" is taken by a behavior",
        ),
        (
            "behavior",
            "gravity",
            "weight",
            "rename.name: \"gravity\" is what the world's gravity is called",
        ),
        (
            "behavior",
            "coil",
            "gravity",
            "rename.to: \"gravity\" is what the world's gravity is called",
        ),
        (
            "table",
            "dat",
            "x",
            "rename.name: no table is called \"dat\"",
        ),
        (
            "picture",
            "photo",
            "photo",
            "rename.to: \"photo\" is taken by a picture",
        ),
        (
            "trace",
            "paths",
            "x",
            "rename.name: no trace is called \"paths\"",
        ),
    ] {
        let refused = session
            .apply(&command(&rename(kind, name, to)))
            .unwrap_err();
        let refused = refused.to_string();
        assert!(refused.starts_with(said), "{kind} {name} {to}: {refused}");
        assert_eq!(text(&session), before, "{kind} {name} {to}");
    }
    let line = rename("hinge", "pin", "hip");
    let refused = line
        .parse::<linkwork_scene::command::Command>()
        .unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("rename.kind: there is no kind \"hinge\""),
        "{refused}"
    );
}

/// A body of the name of a group would be a member of it from the next time the file is read.
#[test]
fn names_of_groups_are_no_names_for_bodies() {
    let mut session = open(&SCENE.replace(r#""not_with": ["crank"]"#, r#""group": "arms""#));
    let refused = session
        .apply(&command(&rename("body", "crank", "arms")))
        .unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("rename.to: \"arms\" is the name of a group of bodies"),
        "{refused}"
    );
}

/// A body that took the name of a connector made a file that could not be read.
#[test]
fn bodies_do_not_take_names_of_connectors() {
    let mut session = session("chain:3");
    apply(
        &mut session,
        &[r#"{"add_connector": {"name": "tip", "body": "bar 2", "point": [0.5, 0, 0]}}"#],
    );
    let add = r#"{"add_body": {"name": "tip", "type": "sphere", "radius": 0.1, "mass": 2, "position": [3, 0, 0]}}"#;
    let refused = session.apply(&command(add)).unwrap_err().to_string();
    assert!(
        refused.starts_with("add_body.name: \"tip\" is taken by a connector"),
        "{refused}"
    );
}

const WRITTEN: &str = r#"{ "linkwork": 1, "parameters": { "L": 0.8, "k": "=10L" },
  "world": { "gravity": [0, "=-9.81", 0] },
  "bodies": [ { "name": "arm", "type": "rod", "length": "=L", "radius": 0.02, "mass": "=L/2", "position": ["=L/2", 0, 0] },
              { "name": "bob", "type": "sphere", "radius": 0.05, "mass": 1, "position": ["=L", 0, 0] } ],
  "connectors": [ { "name": "tip", "body": "arm", "point": ["=L/2", 0, 0] } ],
  "functions": [ "lift(w) = w*L" ],
  "quantities": [ { "name": "reach", "is": "norm(tip) + L - norm(bob)" } ],
  "joints": [ { "name": "pin", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 0, 1],
                "limits": { "lower": "=-L", "upper": "=2L" }, "motor": { "torque": "=k/8" } },
              { "name": "tie", "type": "weld", "a": "tip", "b": "bob" },
              { "name": "rope", "type": "formula", "is": "norm(bob) <= L + lift(1)" } ],
  "behaviors": [ { "name": "wind", "type": "force", "on": { "body": "bob" }, "force": ["=k", 0, 0] },
                 { "name": "coil", "type": "torsion-spring", "joint": "pin", "stiffness": "=k" },
                 { "name": "well", "type": "potential", "is": "k*(bob.x - tip.x)^2" } ],
  "traces": [ { "name": "path", "of": "tip" } ] }"#;

/// What was written over parameters stays so.
#[test]
fn texts_over_parameters_stay() {
    for (kind, name, to) in [
        ("body", "arm", "left arm"),
        ("body", "bob", "ball"),
        ("connector", "tip", "end"),
        ("quantity", "reach", "far"),
        ("joint", "pin", "hip"),
        ("joint", "tie", "knot"),
        ("behavior", "wind", "storm"),
        ("trace", "path", "way"),
    ] {
        let after = renamed(WRITTEN, kind, name, to);
        let n_texts = |text: &str| text.matches("\"=").count();
        assert_eq!(n_texts(&after), n_texts(WRITTEN), "{after}");
        let mut session = open(&after);
        apply(
            &mut session,
            &[r#"{"set_parameter": {"name": "L", "value": 0.9}}"#],
        );
    }
}

/// A parameter has another name in quantities and energies too.
#[test]
fn parameters_are_renamed_in_every_formula() {
    let mut session = open(WRITTEN);
    let line = r#"{"rename_parameter": {"name": "L", "to": "length"}}"#;
    apply(
        &mut session,
        &[
            line,
            r#"{"rename_parameter": {"name": "k", "to": "stiff"}}"#,
        ],
    );
    let after = text(&session);
    for part in [
        "norm(bob) <= length + lift(1)",
        "lift(w) = w*length",
        "norm(tip) + length - norm(bob)",
        "stiff*(bob.x - tip.x)^2",
        "=-length",
    ] {
        assert!(after.contains(part), "{part} in {after}");
    }
}

/// After a reset bodies are where they start, whatever they are called.
#[test]
fn a_reset_knows_bodies_by_more_than_their_names() {
    let run = |name: bool| {
        let mut session = open(WRITTEN);
        apply(&mut session, &[r#"{"step": {"count": 3}}"#]);
        if name {
            apply(&mut session, &[&rename("body", "bob", "ball")]);
        }
        apply(
            &mut session,
            &[
                r#"{"set_parameter": {"name": "L", "value": 0.9}}"#,
                r#""reset""#,
            ],
        );
        hash(&session)
    };
    assert_eq!(run(true), run(false));
}

/// An edit before the new name is taken back after it is.
#[test]
fn edits_from_before_are_taken_back() {
    let mut session = open(SCENE);
    let start = text(&session);
    let lines = [
        r#"{"resize": {"name": "crank", "type": "box", "size": [1.2, 0.1, 0.1], "mass": 1, "collide": true}}"#.to_owned(),
        rename("body", "crank", "arm"),
        r#"{"set_joint": {"name": "pin", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 1, 0], "motor": {"speed": 2}}}"#.to_owned(),
        rename("joint", "pin", "hip"),
        r#"{"remove_body": "arm"}"#.to_owned(),
    ];
    let mut states = vec![start];
    for line in &lines {
        apply(&mut session, &[line]);
        states.push(text(&session));
    }
    for _ in 0..2 {
        for state in states.iter().rev().skip(1) {
            apply(&mut session, &[r#""undo""#]);
            assert_eq!(text(&session), *state);
        }
        for state in &states[1..] {
            apply(&mut session, &[r#""redo""#]);
            assert_eq!(text(&session), *state);
        }
    }
}
