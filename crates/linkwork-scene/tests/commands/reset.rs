//! Back to where time left its start, and what belongs to one undo.

use linkwork_scene::command::{Session, replay};
use linkwork_scene::load;

use crate::{apply, command, session};

fn hash(session: &Session) -> u64 {
    session.scene().world.state_hash()
}

/// Where a body is.
fn q<'a>(session: &'a Session, body: &str) -> &'a [f64] {
    let world = &session.scene().world;
    world.q(world.find_body(body).unwrap()).unwrap()
}

const STEPS: &str = r#"{"step": {"count": 10}}"#;
const RESET: &str = r#""reset""#;
const UNDO: &str = r#""undo""#;
const REDO: &str = r#""redo""#;

#[test]
fn a_reset_gives_back_the_state_that_time_left() {
    let mut session = session("four-bar");
    let refused = session.apply(&command(RESET)).unwrap_err().to_string();
    assert_eq!(refused, "reset: time is at its start");
    let start = hash(&session);
    apply(&mut session, &[STEPS]);
    assert!(session.has_left());
    let later = hash(&session);
    apply(&mut session, &[RESET]);
    assert_eq!(hash(&session), start);
    assert!(!session.has_left());
    apply(&mut session, &[UNDO]);
    assert_eq!(hash(&session), later);
    assert!(session.has_left());
    apply(&mut session, &[REDO]);
    assert_eq!(hash(&session), start);
    // The same motion again.
    apply(&mut session, &[STEPS]);
    assert_eq!(hash(&session), later);
    // With time in between, what was before the reset is still not lost.
    apply(&mut session, &[STEPS, UNDO]);
    assert_eq!(hash(&session), later);
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn edits_stay_after_a_reset() {
    let mut session = session("chain:3");
    let bar = q(&session, "bar 2").to_vec();
    apply(
        &mut session,
        &[
            STEPS,
            r#"{"add_body": {"name": "weight", "type": "sphere", "radius": 0.1, "mass": 2, "position": [3, 0, 0]}}"#,
            r#"{"set_body": {"name": "bar 0", "type": "rod", "length": 1, "radius": 0.2, "mass": 9}}"#,
            r#"{"detach": "joint 2"}"#,
            r#"{"put": {"body": "bar 1", "position": [9, 9, 9]}}"#,
            STEPS,
        ],
    );
    assert!(q(&session, "weight")[2] < -0.05, "it has fallen");
    let before = hash(&session);
    apply(&mut session, &[RESET]);
    assert_eq!(&q(&session, "weight")[..3], [3.0, 0.0, 0.0]);
    assert_eq!(q(&session, "bar 2"), bar);
    assert_eq!(q(&session, "bar 1")[0], 1.5);
    let world = &session.scene().world;
    assert!(world.find_constraint("joint 2").is_none());
    assert_eq!(world.state().t, 0.0);
    apply(&mut session, &[UNDO]);
    assert_eq!(hash(&session), before);
    // What is edited at the start is a part of the start that time leaves next.
    apply(
        &mut session,
        &[
            REDO,
            r#"{"put": {"body": "weight", "position": [1, 2, 3]}}"#,
            STEPS,
            RESET,
        ],
    );
    assert_eq!(&q(&session, "weight")[..3], [1.0, 2.0, 3.0]);
    replay(&session.to_log().unwrap()).unwrap();
}

/// A pendulum on a thread that is too weak for it, and a bob that is being hooked on.
const WEAK: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, 0, -9.81] },
    "bodies": [{ "name": "bob", "type": "particle", "mass": 5 },
        { "name": "hook", "type": "particle", "mass": 1, "position": [2, 0, 0] }],
    "joints": [{ "name": "thread", "type": "distance", "a": { "body": "ground", "point": [0, 0, 1] }, "b": "bob",
            "length": 1, "breaks_at": { "force": 10 } },
        { "name": "clasp", "type": "ball", "a": { "body": "ground", "point": [2, 0, 0.1] }, "b": "hook",
            "close_over": 0.05 }] }"#;

#[test]
fn what_broke_or_closed_is_as_it_was() {
    let mut session = Session::new(load(WEAK).unwrap()).unwrap();
    let joint = |session: &Session, name: &str| {
        let world = &session.scene().world;
        let id = world.find_constraint(name).unwrap();
        let record = world.constraint_record(id).unwrap();
        (record.enabled(), record.constraint().as_closing().is_some())
    };
    let start = hash(&session);
    let joints = |session: &Session| [joint(session, "thread"), joint(session, "clasp")];
    let first = joints(&session);
    assert_eq!(first, [(true, false), (true, true)]);
    apply(&mut session, &[STEPS]);
    let (later, then) = (hash(&session), joints(&session));
    assert_eq!(then, [(false, false), (true, false)]);
    apply(&mut session, &[RESET]);
    assert_eq!((hash(&session), joints(&session)), (start, first));
    apply(&mut session, &[UNDO]);
    assert_eq!((hash(&session), joints(&session)), (later, then));
    apply(&mut session, &[REDO, STEPS]);
    assert_eq!((hash(&session), joints(&session)), (later, then));
    // A joint that began to close since would wait for a time that is long past.
    let join =
        r#"{"join": {"name": "late", "type": "ball", "a": "bob", "b": "hook", "close_over": 9}}"#;
    apply(&mut session, &[join, r#"{"step": {}}"#]);
    assert_eq!(joint(&session, "late"), (true, true));
    apply(&mut session, &[RESET]);
    assert_eq!(joint(&session, "late"), (true, false));
    replay(&session.to_log().unwrap()).unwrap();
}

const LONGER: &str =
    r#"{"resize": {"name": "bar 0", "type": "rod", "length": 1.5, "radius": 0.1, "mass": 2}}"#;
const ASSEMBLE: &str = r#"{"assemble": {}}"#;

#[test]
fn an_assembly_is_a_part_of_the_edit_before_it() {
    let mut session = session("ladder:3,4");
    let name = session.scene().world.bodies()[0].label().to_owned();
    let put = format!(r#"{{"put": {{"body": "{name}", "position": [0.1, 0.2, 0.3]}}}}"#);
    apply(&mut session, &[STEPS]);
    let before = hash(&session);
    apply(&mut session, &[&put, ASSEMBLE]);
    assert_eq!(session.depth(), (1, 0));
    let after = hash(&session);
    apply(&mut session, &[UNDO]);
    assert!(session.is_given_back());
    assert_eq!((hash(&session), session.depth()), (before, (0, 1)));
    apply(&mut session, &[REDO]);
    assert!(session.is_given_back());
    assert_eq!((hash(&session), session.depth()), (after, (1, 0)));
    // With time in between, only the edit is taken back: things go on from where they are.
    apply(&mut session, &[STEPS]);
    let present = session.scene().world.state().clone();
    apply(&mut session, &[UNDO]);
    assert!(!session.is_given_back());
    let state = session.scene().world.state();
    assert_eq!((state.t, &state.lambda), (present.t, &present.lambda));
    let now = hash(&session);
    // What closes after that belongs to the undo: redo gives back what was before both.
    apply(&mut session, &[ASSEMBLE]);
    assert_eq!(session.depth(), (0, 1));
    assert_ne!(hash(&session), now);
    apply(&mut session, &[REDO]);
    assert_eq!(session.scene().world.state(), &present);
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn an_assembly_by_itself_is_an_edit() {
    let mut session = session("chain:3");
    apply(&mut session, &[LONGER, STEPS]);
    let before = hash(&session);
    apply(&mut session, &[r#"{"assemble": {"iterations": 3}}"#]);
    assert_eq!(session.depth(), (2, 0));
    assert_ne!(hash(&session), before);
    apply(&mut session, &[UNDO]);
    assert_eq!(hash(&session), before);
    replay(&session.to_log().unwrap()).unwrap();
}

#[test]
fn a_drag_and_the_joint_that_ends_it_are_one_undo() {
    let mut session = session("chain:3");
    apply(&mut session, &[STEPS]);
    let before = hash(&session);
    let join = r#"{"join": {"name": "hook", "type": "ball", "a": "ground", "b": "bar 2", "at": [1, 1, 0]}}"#;
    apply(
        &mut session,
        &[
            r#"{"grab": {"name": "left", "held": "bar 2", "drag": {"type": "follow"}}}"#,
            r#"{"drag": {"hand": "left", "goal": [1, 0.5, 0]}}"#,
            r#"{"pose": {}}"#,
            r#"{"drag": {"hand": "left", "goal": [1, 1, 0]}}"#,
            r#"{"pose": {}}"#,
            join,
            r#"{"release": "left"}"#,
            ASSEMBLE,
        ],
    );
    assert_eq!(session.depth(), (1, 0));
    let after = hash(&session);
    apply(&mut session, &[UNDO]);
    assert_eq!((hash(&session), session.depth()), (before, (0, 1)));
    apply(&mut session, &[REDO]);
    assert_eq!(hash(&session), after);
    // What is done after the hand has let go is another edit.
    apply(&mut session, &[r#"{"detach": "hook"}"#]);
    assert_eq!(session.depth(), (2, 0));
    replay(&session.to_log().unwrap()).unwrap();
}
