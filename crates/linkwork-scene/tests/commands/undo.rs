//! What undo brings back.

use linkwork_scene::command::{Session, replay, replay_on};
use linkwork_scene::export::look;
use linkwork_scene::{describe, load, save};

use crate::{apply, command, session};

/// The scene as text; while time stands still, an edit and its undo leave it as it was.
fn text(session: &Session) -> String {
    save(session.scene()).unwrap()
}

const EDITS: &[&str] = &[
    r#"{"add_body": {"name": "weight", "type": "sphere", "radius": 0.1, "mass": 2, "position": [3, 0, 0]}}"#,
    r#"{"remove_body": "bar 1"}"#,
    r#"{"set_body": {"name": "bar 0", "type": "rod", "length": 1, "radius": 0.2, "mass": 9}}"#,
    r#"{"resize": {"name": "bar 0", "type": "rod", "length": 1.5, "radius": 0.1, "mass": 2}}"#,
    r##"{"set_body": {"name": "bar 0", "type": "box", "size": [1, 1, 1], "mass": 9, "position": [1, 2, 3], "view": {"color": "#123456"}}}"##,
    r#"{"join": {"name": "brace", "type": "distance", "a": {"body": "bar 0"}, "b": {"body": "bar 2"}, "length": 2}}"#,
    r#"{"join": {"name": "servo", "type": "hinge", "a": "bar 0", "b": "bar 2", "at": [1, 1, 1], "axis": [0, 1, 0], "drive": {"type": "ramp", "rate": 1}, "level": 2}}"#,
    r#"{"join": {"name": "alike", "type": "parallel", "a": "bar 0", "b": {"body": "bar 2", "direction": [1, 2, 3]}, "axis": [0, 1, 1]}}"#,
    r#"{"join": {"name": "square", "type": "perpendicular", "a": "ground", "b": "bar 2", "axis": [0, 1, 0], "axis_b": [1, 0, 0]}}"#,
    r#"{"join": {"name": "lean", "type": "direction-angle", "a": "ground", "b": "bar 2", "axis": [0, 1, 0], "axis_b": [1, 0, 0], "function": {"type": "constant", "value_deg": 60}}}"#,
    r#"{"add_behavior": {"name": "field", "type": "force", "on": {"body": "bar 2", "direction": [1, 1, 0]}, "force": [0, 1, 0]}}"#,
    r#"{"add_behavior": {"name": "twist", "type": "wrench", "on": {"body": "bar 2", "direction": [1, 1, 0]}, "torque": [2, 0, 0], "axes": "connector"}}"#,
    r#"{"detach": "joint 1"}"#,
    r#"{"set_joint": {"name": "joint 1", "type": "weld", "a": "bar 0", "b": "bar 1", "at": [1, 0, 0]}}"#,
    r#"{"set_joint": {"name": "joint 1", "type": "ball", "a": "bar 0", "b": "bar 1", "at": [1, 0, 0], "tree": "loop"}}"#,
    r#"{"join": {"name": "hook", "type": "ball", "a": "ground", "b": "bar 2", "at": [1, 1, 1], "tree": "in"}}"#,
    r#"{"set_joint": {"name": "joint 1", "type": "ball", "a": "bar 0", "b": "bar 1", "at": [1, 0, 0], "pushes": {"type": "ball", "a": "ground", "b": "bar 1", "at": [1, 0.5, 0]}}}"#,
    r#"{"set_joint": {"name": "joint 1", "type": "spring", "a": "bar 0", "b": "bar 1", "stiffness": 10, "rest_length": 1}}"#,
    r#"{"add_behavior": {"name": "wind", "type": "force", "on": "bar 2", "force": [1, 0, 0]}}"#,
    r#"{"set_behavior": {"name": "gravity", "type": "gravity", "acceleration": [0, 0, 1]}}"#,
    r#"{"remove_behavior": "gravity"}"#,
    r#"{"add_connector": {"name": "tip", "body": "bar 2", "point": [0.5, 0, 0]}}"#,
    r#"{"add_trace": {"name": "path", "of": {"body": "bar 2", "point": [0.5, 0, 0]}}}"#,
    r#"{"set_world": {"gravity": [0, 0, -1.62], "preset": "precise", "dt": 0.01, "dynamics": "first-order"}}"#,
    r#"{"set_world": {}}"#,
    r#"{"set_name": "pendulum"}"#,
    r#"{"set_view": {"flat": true}}"#,
    r#"{"collide": {"on": true}}"#,
    r##"{"set_view": {"skins": [{"name": "flag", "color": "#3366cc", "vertices": [{"body": "bar 0", "point": [0, 0, 0]}, {"body": "bar 2", "point": [0, 1, 0]}, {"body": "ground", "point": [1, 1, 1]}], "triangles": [[0, 1, 2]]}]}}"##,
    r##"{"set_body": {"name": "bar 0", "type": "rod", "length": 1, "radius": 0.2, "mass": 9, "view": {"drawing": [{"points": [[0, 0, 0], [0.1, 0.2]], "color": "#123456"}]}}}"##,
    r#"{"put": {"body": "bar 2", "position": [5, 5, 5]}}"#,
    r#"{"together": [{"remove_body": "bar 2"}, {"set_view": {"flat": true}}, {"detach": "joint 0"}]}"#,
];

#[test]
fn every_edit_is_taken_back_and_done_again() {
    for edit in EDITS {
        let mut session = session("chain:3");
        apply(&mut session, &[r#"{"step": {"count": 3}}"#]);
        let before = text(&session);
        apply(&mut session, &[edit]);
        let after = text(&session);
        assert_ne!(before, after, "{edit}");
        apply(&mut session, &[r#""undo""#]);
        assert_eq!(text(&session), before, "undo {edit}");
        apply(&mut session, &[r#""redo""#]);
        assert_eq!(text(&session), after, "redo {edit}");
        apply(&mut session, &[r#""undo""#, r#""redo""#, r#""undo""#]);
        assert_eq!(text(&session), before, "undo again {edit}");
    }
}

/// A skin without one of its bodies would be a file that cannot be read.
#[test]
fn a_skin_goes_with_its_body_and_comes_back_with_it() {
    let skin = EDITS.iter().find(|edit| edit.contains("flag")).unwrap();
    let mut session = session("chain:3");
    apply(&mut session, &[skin]);
    let before = text(&session);
    apply(&mut session, &[r#"{"remove_body": "bar 2"}"#]);
    let gone = load(&text(&session)).unwrap();
    assert!(gone.view.skins.is_empty());
    assert!(look(session.scene()).skins.is_empty());
    apply(&mut session, &[r#""undo""#]);
    assert_eq!(text(&session), before);
    let skins = look(session.scene()).skins;
    assert_eq!(skins[0].vertices[1].body, Some(2));
    assert_eq!(skins[0].vertices[2].body, None);
}

/// Found by fuzzing: what was built on a hand stayed behind when the hand let go.
#[test]
fn nothing_is_built_on_hands() {
    let mut session = session("chain:3");
    let grab = r#"{"grab": {"name": "left", "held": "bar 2", "drag": {"type": "pin"}}}"#;
    apply(&mut session, &[grab]);
    for line in [
        r#"{"add_trace": {"name": "path", "of": "left"}}"#,
        r#"{"add_connector": {"name": "palm", "body": "left"}}"#,
        r#"{"join": {"name": "ring", "type": "ball", "a": {"body": "left"}, "b": "bar 0"}}"#,
        r#"{"remove_body": "left"}"#,
    ] {
        assert!(session.apply(&command(line)).is_err(), "{line}");
    }
    apply(&mut session, &[r#"{"release": "left"}"#]);
    save(session.scene()).unwrap();
}

/// Found by fuzzing: gravity that a command brings goes when the command is taken back.
#[test]
fn gravity_comes_and_goes() {
    for first in [
        r#"{"remove_behavior": "gravity"}"#,
        r#"{"set_behavior": {"name": "gravity", "type": "gravity", "acceleration": [1, 0, 0], "enabled": false}}"#,
        r#"{"together": [{"remove_behavior": "gravity"}, {"add_behavior": {"name": "wind", "type": "force", "on": "bar 2", "force": [1, 0, 0]}}, {"add_behavior": {"name": "gravity", "type": "gravity", "acceleration": [0, 0, 1]}}]}"#,
    ] {
        for then in [
            r#"{"set_world": {"gravity": [0, 0, -1]}}"#,
            r#"{"set_world": {}}"#,
        ] {
            let mut session = session("chain:3");
            apply(&mut session, &[first]);
            let before = text(&session);
            apply(&mut session, &[then, r#""undo""#]);
            assert_eq!(text(&session), before, "{first} {then}");
        }
    }
}

/// An edit taken back at once leaves no trace in the motion; with time in between it is taken back
/// in the state there is.
#[test]
fn undo_is_in_the_present_state() {
    for edit in EDITS {
        let run = |lines: &[&str]| {
            let mut session = session("chain:3");
            apply(&mut session, lines);
            session.scene().world.state_hash()
        };
        let steps = r#"{"step": {"count": 5}}"#;
        let plain = run(&[steps, steps]);
        assert_eq!(run(&[steps, edit, r#""undo""#, steps]), plain, "{edit}");
    }
    let mut session = session("chain:3");
    apply(
        &mut session,
        &[
            r#"{"detach": "joint 1"}"#,
            r#"{"step": {"count": 30}}"#,
            r#""undo""#,
        ],
    );
    let world = &session.scene().world;
    let open = world.constraint_errors().unwrap();
    let open = open.iter().find(|error| error.label == "joint 1").unwrap();
    assert!(
        open.position > 0.1,
        "the bars have fallen apart meanwhile: {open:?}"
    );
}

#[test]
fn what_fails_changes_nothing() {
    let mut session = session("chain:3");
    apply(&mut session, &[r#"{"step": {"count": 3}}"#]);
    let before = text(&session);
    for (line, said) in [
        (
            r#"{"remove_body": "bar 7"}"#,
            "remove_body: no body is called \"bar 7\"\n  hint: did you mean \"bar ",
        ),
        (
            r#"{"remove_body": "ground"}"#,
            "remove_body: the ground cannot be changed",
        ),
        (
            r#"{"detach": "elbow"}"#,
            "detach: no joint is called \"elbow\"",
        ),
        (
            r#"{"set_body": {"name": "bar 0", "type": "particle", "mass": 1}}"#,
            "set_body",
        ),
        (
            r#"{"set_body": {"name": "bar 0", "type": "rod", "length": 1, "radius": 0.1, "mass": 1, "quaternion": [9, 0, 0, 0]}}"#,
            "set_body.quaternion",
        ),
        (
            r#"{"set_joint": {"name": "joint 0", "type": "hinge", "a": "bar 0", "b": "bar 1"}}"#,
            "set_joint: has no \"axis\"",
        ),
        (
            r#"{"join": {"name": "joint 0", "type": "ball", "a": "bar 0", "b": "bar 2"}}"#,
            "join.name: \"joint 0\" is taken",
        ),
        (
            r#"{"together": [{"detach": "joint 0"}, {"detach": "joint 9"}]}"#,
            "together[1]: no joint is called \"joint 9\"",
        ),
        (
            r#"{"together": [{"detach": "joint 0"}, {"step": {}}]}"#,
            "together[1]: \"step\" is no edit",
        ),
        (
            r#"{"drag": {"hand": "left", "goal": [0, 0, 0]}}"#,
            "drag.hand: no hand is called \"left\"",
        ),
        (
            r#"{"grab": {"name": "left", "held": "ground", "drag": {"type": "pin"}}}"#,
            "grab: ",
        ),
        (r#"{"step": {"dt": -1}}"#, "step.dt: is -1"),
        (
            r#"{"put": {"body": "ground", "position": [0, 0, 0]}}"#,
            "put.body: the ground stays",
        ),
        (r#"{"set_world": {"dt": 0}}"#, "set_world.dt: is 0"),
        (
            r#"{"weigh": {"joint": "joint 1", "weight": 0}}"#,
            "weigh.weight: is 0; give a number from 1e-6 to 1e6",
        ),
        (
            r#"{"weigh": {"joint": "joint 1", "weight": -3}}"#,
            "weigh.weight: is -3; give a number from 1e-6 to 1e6",
        ),
        (
            r#"{"weigh": {"joint": "joint 1", "weight": 1e300}}"#,
            "weigh.weight: is 1",
        ),
        (
            r#"{"weigh": {"joint": "joint 9", "weight": 2}}"#,
            "weigh.joint: no joint is called \"joint 9\"",
        ),
        (r#""redo""#, "redo: there is nothing to redo"),
    ] {
        let fault = session.apply(&command(line)).unwrap_err().to_string();
        assert!(fault.starts_with(said), "{line}: {fault}");
        assert_eq!(text(&session), before, "{line}");
    }
    assert_eq!(session.log().len(), 1);
}

/// What a joint counts is no edit: nothing else changes, undo takes back what was done before, and a log has it.
#[test]
fn weights_leave_everything_else_alone() {
    let mut session = session("ladder:3,4");
    apply(
        &mut session,
        &[
            r#"{"set_world": {"method": "forest-krylov", "iterations": 8}}"#,
            r#"{"set_view": {"flat": true}}"#,
            r#"{"step": {"count": 5}}"#,
        ],
    );
    let (world, depth) = (session.scene().world.clone(), session.depth());
    let joint = world.constraints()[3].label().to_owned();
    let line = format!(r#"{{"weigh": {{"joint": "{joint}", "weight": 1000}}}}"#);
    apply(&mut session, &[&line]);
    assert_eq!(session.scene().world.state(), world.state());
    assert_eq!(session.depth(), depth);
    let weight = |session: &Session| session.scene().world.constraints()[3].weight();
    assert_eq!(weight(&session), 1000.0);
    apply(&mut session, &[r#""undo""#, r#"{"step": {"count": 5}}"#]);
    assert_eq!(weight(&session), 1000.0);
    let again = replay(&session.to_log().unwrap()).unwrap();
    let [hash, same] = [&session, &again].map(|session| session.scene().world.state_hash());
    assert_eq!(hash, same);
    let saved = load(&text(&session)).unwrap();
    assert_eq!(saved.world.constraints()[3].weight(), 1000.0);
}

#[test]
fn a_log_replays_to_the_same_bits() {
    let mut session = session("four-bar");
    apply(
        &mut session,
        &[
            r#"{"step": {"dt": 0.01, "count": 20}}"#,
            r#"{"grab": {"name": "left", "held": {"body": "crank"}, "drag": {"type": "force", "stiffness": 20, "damping": 3}}}"#,
            r#"{"drag": {"hand": "left", "goal": [0.1, 0.4, 0]}}"#,
            r#"{"step": {"count": 20}}"#,
            r#"{"hold": {"hand": "left", "drag": {"type": "follow"}}}"#,
            r#"{"step": {"count": 5}}"#,
            r#"{"set_body": {"name": "coupler", "type": "box", "size": [1, 0.2, 0.2], "mass": 5}}"#,
            r#"{"step": {"count": 5}}"#,
            r#""undo""#,
            r#"{"release": "left"}"#,
            r#"{"step": {"count": 20}}"#,
        ],
    );
    let log = session.to_log().unwrap();
    let again = replay(&log).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(
        again.scene().world.state_hash(),
        session.scene().world.state_hash()
    );
    assert_eq!(
        describe(again.scene()).unwrap(),
        describe(session.scene()).unwrap()
    );
    assert_eq!(again.to_log().unwrap(), log);
    // On the scene it is given, and with the scene in the log passed over.
    let on = replay_on(session.start().clone(), &log).unwrap();
    assert_eq!(
        on.scene().world.state_hash(),
        session.scene().world.state_hash()
    );
    // A log that does not fit says so.
    let wrong = log.replace("\"count\":5", "\"count\":6");
    let fault = replay(&wrong).unwrap_err().to_string();
    assert!(fault.contains("the state's hash is"), "{fault}");
    let cut = log.replace("{\"release\":\"left\"}", "{\"release\":\"right\"}");
    let fault = replay(&cut).unwrap_err().to_string();
    assert!(
        fault.starts_with("line 11, column 1: release: no hand is called \"right\""),
        "{fault}"
    );
    let typo = log.replace("{\"release\":\"left\"}", "{\"relase\":\"left\"}");
    let fault = replay(&typo).unwrap_err().to_string();
    assert!(fault.contains("did you mean \"release\"?"), "{fault}");
}

/// Lines that would do too much, or begin again, are refused before anything is done.
#[test]
fn lines_that_a_log_cannot_have() {
    let session = session("four-bar");
    let log = session.to_log().unwrap();
    let scene = log.lines().next().unwrap();
    let fault = |line: &str| {
        let fault = replay(&format!("{log}{line}\n")).unwrap_err();
        fault.to_string()
    };
    let twice = fault(scene);
    let words = "line 3, column 1: scene: a log has one scene, in its first line";
    assert!(twice.starts_with(words), "{twice}");
    let long = fault(r#"{"step": {"count": 1000001}}"#);
    let words = "line 3, column 1: step.count: is 1000001, more than the 1000000";
    assert!(long.starts_with(words), "{long}");
    let back = fault(r#"{"step": {"dt": -1}}"#);
    assert!(
        back.starts_with("line 3, column 1: step.dt: is -1"),
        "{back}"
    );
}

/// A deadline's iterations are in the log, and replay the step.
#[test]
fn a_deadline_replays() {
    use linkwork::step::Ended;
    use linkwork_scene::command::Step;
    let mut session = session("structure-56");
    apply(
        &mut session,
        &[
            r#"{"set_world": {"gravity": [0, -9.81, 0], "method": "forest-krylov", "solve_iterations": 20}}"#,
            r#"{"grab": {"name": "hand", "held": {"body": "along 0.0"}, "drag": {"type": "follow"}}}"#,
            r#"{"drag": {"hand": "hand", "goal": [0.2, 0.3, 0.1]}}"#,
        ],
    );
    for frame in 0..5 {
        let mut left = 20 + 7 * frame;
        let mut deadline = || {
            left -= 1;
            left <= 0
        };
        session.step_until(&Step::default(), &mut deadline).unwrap();
    }
    apply(
        &mut session,
        &[r#"{"drag": {"hand": "hand", "goal": [0.5, 0.1, -0.2]}}"#],
    );
    let mut n_cut = 0;
    for frame in 0..20 {
        let mut asked = 0;
        let mut deadline = || {
            asked += 1;
            asked > frame % 4
        };
        let report = session.pose_until(&mut deadline).unwrap();
        n_cut += usize::from(report.ended == Ended::Deadline);
    }
    assert!(n_cut > 5, "{n_cut}");
    let again = replay(&session.to_log().unwrap()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(
        again.scene().world.state_hash(),
        session.scene().world.state_hash()
    );
}

/// A driven wheel with a spring on it.
const WOUND: &str = r#"{ "linkwork": 1,
    "bodies": [{ "name": "wheel", "type": "cylinder", "radius": 0.1, "length": 0.1, "mass": 1 }],
    "joints": [{ "name": "axle", "type": "hinge", "a": "ground", "b": "wheel", "at": [0, 0, 0], "axis": [0, 0, 1],
        "drive": { "type": "ramp", "rate": 20 } }],
    "behaviors": [{ "name": "spring", "type": "torsion-spring", "joint": "axle", "stiffness": 0.5 }] }"#;

/// Full turns are saved, and undone with what changed them.
#[test]
fn turns_are_saved_and_undone() {
    let mut session = Session::new(load(WOUND).unwrap()).unwrap();
    apply(&mut session, &[r#"{"step": {"count": 100}}"#]);
    let turns = &session.scene().world.state().turns;
    assert_eq!(
        (&turns.joints[..], &turns.springs[..]),
        (&[5.0][..], &[5.0][..])
    );
    let before = text(&session);
    let again = load(&before).unwrap();
    assert_eq!(again.world.state(), session.scene().world.state());
    assert_eq!(
        again.world.energy().unwrap(),
        session.scene().world.energy().unwrap()
    );
    for edit in [
        r#"{"set_joint": {"name": "axle", "type": "hinge", "a": "ground", "b": "wheel", "at": [0, 0, 0], "axis": [0, 0, 1]}}"#,
        r#"{"set_behavior": {"name": "spring", "type": "torsion-spring", "joint": "axle", "stiffness": 5}}"#,
        r#"{"remove_body": "wheel"}"#,
    ] {
        apply(&mut session, &[edit]);
        assert_ne!(text(&session), before, "{edit}");
        apply(&mut session, &[r#""undo""#]);
        assert_eq!(text(&session), before, "{edit}");
    }
}

/// Steps bend a solid further than it can be born: what was saved loads, and undo gives it back.
#[test]
fn a_solid_that_is_folded_over_is_given_back_and_saved() {
    let scene = |bend: f64| {
        format!(
            r#"{{"linkwork": 1, "world": {{"dynamics": "first-order"}}, "bodies": [{{"name": "solid",
            "type": "superquadric", "a": [0.1, 0.1, 0.5], "mass": 0.01, "free": {{"bend": {{"stiffness": 0.001}}}}}}],
            "joints": [{{"name": "fold", "type": "formula", "is": "solid.bend1 == {bend}"}}]}}"#
        )
    };
    let mut session = Session::new(load(&scene(3.3)).unwrap()).unwrap();
    apply(&mut session, &[r#"{"assemble": {}}"#]);
    let folded = session.scene().world.state().clone();
    let id = session.scene().world.find_body("solid").unwrap();
    let bend = session.scene().world.q(id).unwrap()[7];
    assert!((bend - 3.3).abs() < 1e-9, "{bend}");
    let again = load(&text(&session)).unwrap();
    assert_eq!(
        again.world.q(again.world.find_body("solid").unwrap()),
        session.scene().world.q(id)
    );
    let further =
        r#"{"set_joint": {"name": "fold", "type": "formula", "is": "solid.bend1 == 3.4"}}"#;
    apply(&mut session, &[further, r#"{"assemble": {}}"#, r#""undo""#]);
    assert_eq!(session.scene().world.state(), &folded);
}
