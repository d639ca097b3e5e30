//! Quantities: connectors that formulas work out of others.

use linkwork::block::check_block;
use linkwork_scene::command::{Command, Session};
use linkwork_scene::export::Columns;
use linkwork_scene::{Scene, build, describe, write};

use super::{q, run, scene};

/// Two weights on a seesaw of a formula: their middle is held, and a number is worked out of it.
const SCENE: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
    "bodies": [ { "name": "left", "type": "particle", "mass": 1, "position": [-1, 0, 0] },
                { "name": "bar 2", "type": "particle", "mass": 1, "position": [1, 0, 0] } ],
    "functions": [ "double(x) = half(x)*4", "half(w) = w/2" ],
    "quantities": [ { "name": "high", "is": "double(mid.y) + 1" },
                    { "name": "mid", "is": "(left + 'bar 2')/2" },
                    { "name": "along", "is": "'bar 2' - left", "direction": true } ],
    "joints": [ { "name": "hold", "type": "formula", "is": "mid == [0, 0, 0]" },
                { "name": "apart", "type": "distance", "a": "left", "b": "bar 2", "length": 2 } ],
    "traces": [ { "name": "path", "of": "mid" } ] }"#;

fn session(text: &str) -> Session {
    Session::new(scene(text).unwrap()).unwrap()
}

fn apply(session: &mut Session, command: &str) -> Result<(), String> {
    let command: Command = command.parse().map_err(|fault| format!("{fault}"))?;
    let done = session.apply(&command);
    done.map(drop).map_err(|fault| fault.to_string())
}

fn text(scene: &Scene) -> String {
    write::text(&describe(scene).unwrap()).unwrap()
}

fn sample(scene: &Scene, names: &[&str]) -> Vec<f64> {
    let mut row = Vec::new();
    let mut columns = Columns::parse(scene, names).unwrap();
    columns.sample(scene, None, &mut row);
    row
}

#[test]
fn joints_hold_what_is_worked_out() {
    let mut scene = scene(SCENE).unwrap();
    run(&mut scene, 60, |_, report| report.require(1e-8).unwrap());
    // The middle carries both: nothing falls.
    let (left, right) = (q(&scene, "left"), q(&scene, "bar 2"));
    assert!(
        (left[0] + 1.0).abs() < 1e-9 && right[1].abs() < 1e-9,
        "{left:?} {right:?}"
    );
    let row = sample(
        &scene,
        &[
            "quantity.high.value",
            "quantity.mid.position",
            "quantity.along",
        ],
    );
    assert!(
        (row[0] - 1.0).abs() < 1e-9 && (row[4] - 1.0).abs() < 1e-12,
        "{row:?}"
    );
    assert_eq!(row.len(), 7);
}

#[test]
fn what_is_typed_is_saved() {
    let mut first = scene(SCENE).unwrap();
    run(&mut first, 7, |_, _| {});
    let saved = text(&first);
    assert!(
        saved.contains("(left + 'bar 2')/2") && saved.contains("half(w) = w/2"),
        "{saved}"
    );
    let mut again = build(&describe(&first).unwrap()).unwrap();
    assert_eq!(text(&again), saved);
    run(&mut first, 5, |_, _| {});
    run(&mut again, 5, |_, _| {});
    assert_eq!(first.world.state(), again.world.state());
}

#[test]
fn quantities_obey_the_contract() {
    let scene = scene(SCENE).unwrap();
    for (seed, record) in (0..).zip(scene.world.blocks()) {
        let violations = check_block(record.block(), seed);
        assert!(violations.is_ok(), "{}: {violations:?}", record.label());
    }
}

/// They are replaced, cut, removed with what hangs on them, and all of it comes back.
#[test]
fn quantities_are_edited_and_undone() {
    let mut session = session(SCENE);
    let before = text(session.scene());
    for (command, says) in [
        (
            r#"{"add_quantity": {"name": "low", "is": "high - 1"}}"#,
            r#""is": "high - 1""#,
        ),
        (
            r#"{"set_quantity": {"name": "mid", "is": "(left + 2*'bar 2')/3"}}"#,
            "2*'bar 2'",
        ),
        (
            r#"{"set_quantity": {"name": "mid", "is": "left", "enabled": false}}"#,
            "false",
        ),
        (r#"{"set_functions": ["double(x) = 3x"]}"#, "3x"),
    ] {
        apply(&mut session, command).unwrap();
        let now = text(session.scene());
        assert!(now.contains(says) && now != before, "{command}: {now}");
        let built = build(&describe(session.scene()).unwrap()).unwrap();
        assert_eq!(text(&built), now, "{command}");
        apply(&mut session, r#""undo""#).unwrap();
        assert_eq!(text(session.scene()), before, "{command}");
        apply(&mut session, r#""redo""#).unwrap();
        assert_eq!(text(session.scene()), now, "{command}");
        apply(&mut session, r#""undo""#).unwrap();
    }
    for command in [
        r#"{"remove_quantity": "mid"}"#,
        r#"{"remove_body": "left"}"#,
    ] {
        apply(&mut session, command).unwrap();
        let now = text(session.scene());
        let is_gone = |word: &str| !now.contains(word);
        assert!(
            is_gone("\"high\"") && is_gone("\"hold\"") && is_gone("\"path\""),
            "{now}"
        );
        apply(&mut session, r#""undo""#).unwrap();
        assert_eq!(text(session.scene()), before, "{command}");
    }
    // Formulas have connectors by their names.
    let edits = [
        r#"{"add_connector": {"name": "hook", "body": "left", "point": [0, 0, 0]}}"#,
        r#"{"add_quantity": {"name": "far", "is": "norm(hook)"}}"#,
    ];
    for edit in edits {
        apply(&mut session, edit).unwrap();
    }
    let with = text(session.scene());
    let told = apply(&mut session, r#"{"remove_connector": "hook"}"#).unwrap_err();
    assert!(
        told.contains("quantities.far") && told.contains("\"hook\" is not known"),
        "{told}"
    );
    assert_eq!(text(session.scene()), with);
    apply(&mut session, r#"{"remove_quantity": "far"}"#).unwrap();
    apply(&mut session, r#"{"remove_connector": "hook"}"#).unwrap();
    assert_eq!(text(session.scene()), before);
    // New functions are what formulas mean from now on.
    apply(&mut session, r#"{"set_functions": ["double(x) = 3x + 5"]}"#).unwrap();
    assert_eq!(sample(session.scene(), &["quantity.high.value"]), [6.0]);
}

#[test]
fn a_hand_pulls_on_an_output() {
    let text = r#"{ "linkwork": 1, "world": { "dynamics": "first-order" },
        "bodies": [ { "name": "p", "type": "numbers", "names": ["a", "b"], "values": [1, 1] } ],
        "quantities": [ { "name": "area", "is": "p.a*p.b" } ],
        "joints": [ { "name": "keep", "type": "formula", "is": "p.a == 2*p.b - 1" } ],
        "hands": [ { "name": "slider", "held": "area", "drag": { "type": "follow" } } ] }"#;
    let mut session = session(text);
    apply(&mut session, r#"{"drag": {"hand": "slider", "goal": 6}}"#).unwrap();
    apply(&mut session, r#"{"step": {"count": 60}}"#).unwrap();
    let found = q(session.scene(), "p");
    assert!(
        (found[0] - 3.0).abs() < 1e-6 && (found[1] - 2.0).abs() < 1e-6,
        "{found:?}"
    );
}

#[test]
fn mistakes_change_nothing() {
    let mut session = session(SCENE);
    let before = text(session.scene());
    for (command, says) in [
        (
            r#"{"add_quantity": {"name": "left", "is": "1"}}"#,
            "taken by a body",
        ),
        (r#"{"add_quantity": {"name": "mid", "is": "1"}}"#, "mid"),
        (r#"{"add_quantity": {"name": "", "is": "1"}}"#, "empty"),
        (
            r#"{"add_quantity": {"name": "x", "is": "lift.x"}}"#,
            "did you mean left",
        ),
        (
            r#"{"add_quantity": {"name": "x", "is": "left.x", "direction": true}}"#,
            "three",
        ),
        (r#"{"set_quantity": {"name": "mid", "is": "high"}}"#, "high"),
        (r#"{"set_quantity": {"name": "mid", "is": "mid"}}"#, "mid"),
        (
            r#"{"set_quantity": {"name": "mid", "is": "left.x"}}"#,
            "hold",
        ),
        (
            r#"{"set_quantity": {"name": "mud", "is": "left"}}"#,
            "no quantity is called",
        ),
        (r#"{"remove_quantity": "mud"}"#, "no quantity is called"),
        (r#"{"set_functions": ["f(x) = f(x)"]}"#, "f"),
        (r#"{"set_functions": ["sin(x) = x"]}"#, "sin"),
        (r#"{"set_functions": ["f(x) = x", "f(y) = y"]}"#, "twice"),
        (r#"{"set_functions": ["a = 1"]}"#, "is no function"),
        (r#"{"set_functions": []}"#, "double"),
        (
            r#"{"add_body": {"name": "mid", "type": "particle", "mass": 1}}"#,
            "taken by a quantity",
        ),
    ] {
        let problem = apply(&mut session, command).unwrap_err();
        assert!(problem.contains(says), "{command}: {problem}");
        assert_eq!(text(session.scene()), before, "{command}");
    }
    let cycle = SCENE.replace("(left + 'bar 2')/2", "high*left");
    let problem = scene(&cycle).unwrap_err();
    assert!(problem.contains("depends on itself"), "{problem}");
}

/// A quantity that is no number is named, with the operation and its place.
#[test]
fn what_is_no_number_is_told() {
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
        "bodies": [ { "name": "bob", "type": "particle", "mass": 1, "position": [0, 0.02, 0] } ],
        "quantities": [ { "name": "root", "is": "1 + sqrt(bob.y)" } ],
        "joints": [ { "name": "soft", "type": "formula", "is": "root ~ 0 weight 1e-9" } ] }"#;
    let mut session = session(text);
    let problem = apply(&mut session, r#"{"step": {"count": 60}}"#).unwrap_err();
    assert!(
        problem.contains("quantity \"root\": sqrt of -"),
        "{problem}"
    );
    assert!(
        problem.contains("at column 5 (\"sqrt(bob.y)\")"),
        "{problem}"
    );
}
